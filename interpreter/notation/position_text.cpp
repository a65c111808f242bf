// Entry points: read_position, game_at.
#include "interpreter/notation/position_text.hpp"

#include "dsl/position.hpp"
#include "dsl/shape.hpp"
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/position_entry.hpp"
#include "interpreter/notation/settling.hpp"
#include "runtime/game/large_stack.hpp"
#include "runtime/game/spelling.hpp"
#include "runtime/model/shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace boardwright::interpreter {
namespace {

using dsl::Diagnostics;
using dsl::in_backticks;
using dsl::Name;
using runtime::Game;

void tell_fault(const runtime::Fault& fault, dsl::Span span, const Game& game, dsl::Code code,
                Diagnostics& diagnostics) {
  diagnostics.error(code, span, fault.message).help =
      "at " + runtime::place_of(game.rules().program(), fault.origin);
}

std::string result_text(const runtime::Program& program, const runtime::Outcome& outcome) {
  if (outcome.shares != 0) return runtime::shares_text(program, outcome.shares);
  std::vector<std::string> winners;
  for (std::size_t i = 0; i < program.players.size(); ++i)
    if ((outcome.winners >> i & 1U) != 0) winners.push_back(program.players[i].name);
  if (winners.empty()) return "it is drawn";
  return winners.size() == 1 ? runtime::with_verb(winners.front(), "win")
                             : fmt::format("{} share the win", fmt::join(winners, " and "));
}

// JSON may be indented with tabs, YAML may not; in JSON's strings there are none.
std::string without_tabs(std::string text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == '{') std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

// A notation without the signs between its parts.
std::string bare(std::string_view move) {
  std::string text;
  for (const char c : move)
    if (c != 'x' && std::isalnum(static_cast<unsigned char>(c)) != 0) text += c;
  return text;
}

// The moves of which a text is a part; none if that says little.
std::vector<std::string> containing(std::string_view part, const std::vector<std::string>& legal) {
  constexpr std::size_t kMost = 6;
  std::vector<std::string> found;
  for (const auto& move : legal)
    if (part.size() > 1 && move.find(part) != std::string::npos) found.push_back(move);
  if (found.size() > kMost) found.clear();
  return found;
}

bool refuse(const Name& move, Game& game, dsl::Code code, Diagnostics& diagnostics) {
  if (const auto ending = ending_of(game)) {
    diagnostics.error(code, move.span, ending->what).help = ending->where;
    return false;
  }
  auto& error = diagnostics.error(code, move.span, "there is no legal move " + in_backticks(move.text));
  if (const auto legal = game.notations()) error.help = move_meant(move.text, *legal);
  return false;
}

// Of a move that others are written like, without a number, how it is written with one; else "".
std::string one_of_several(const std::string& text, const runtime::Move& move, Game& game) {
  const auto notation = game.notation(move);
  const auto spelled = runtime::spelling(game, move);
  const bool numbered = text.find('#') != std::string::npos;
  return notation && spelled && *spelled != *notation && !numbered ? *spelled : "";
}

// A legal move with spaces that was taken for several moves, the first of them at `first`; else nothing.
std::string joined_move(const std::vector<Name>& moves, std::size_t first, Game& game) {
  const auto legal = game.notations();
  std::string joined = moves[first].text;
  for (std::size_t i = first + 1; legal && i < moves.size(); ++i) {
    joined += " " + moves[i].text;
    if (std::find(legal->begin(), legal->end(), joined) != legal->end()) return joined;
  }
  return "";
}

// Does a FEN say what other programs write of castling, by fields without a name? Our own spelling and JSON
// say exactly what holds, so that every position that play leads to can be given back.
bool has_fields_of_others(const dsl::Text& fen) {
  constexpr std::size_t kCastling = 2; // behind the board and who is to move
  const auto fields = dsl::words(fen);
  return fields.size() > kCastling && fields[kCastling].text.find('=') == std::string::npos;
}

} // namespace

std::string play_text(const std::vector<std::string>& moves) {
  const auto is_plain = [](const std::string& move) {
    return !move.empty() && move.find_first_of(" ,:#[]{}&*!|>'\"%@`?") == std::string::npos;
  };
  if (std::all_of(moves.begin(), moves.end(), is_plain))
    return fmt::format("play: {}", fmt::join(moves, " "));
  std::vector<std::string> quoted;
  for (const std::string& move : moves) {
    std::string text;
    for (const char c : move) text += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
    quoted.push_back('"' + text + '"');
  }
  return fmt::format("play: [{}]", fmt::join(quoted, ", "));
}

std::string move_in_list(const std::string& move) {
  return fmt::format("a move with a space stands in a list, in quotes: [\"{}\"]", move);
}

std::optional<Ending> ending_of(Game& game) {
  const auto outcome = game.outcome();
  if (!outcome || !*outcome) return std::nullopt;
  const auto& program = game.rules().program();
  std::string where = "see " + runtime::place_of(program, (*outcome)->origin);
  if ((*outcome)->by == runtime::Outcome::By::no_move) where += "; there is no move";
  return Ending{"the game is over here: " + result_text(program, **outcome), std::move(where)};
}

std::string move_meant(const std::string& text, const std::vector<std::string>& legal) {
  for (const auto& move : legal)
    if (bare(move) == bare(text)) return fmt::format("did you mean {}?", in_backticks(move));
  std::vector<std::string> near = containing(text, legal);
  if (near.empty()) near = containing(text.substr(0, text.find_first_of("-x,=")), legal);
  if (near.empty()) return dsl::did_you_mean(text, legal);
  if (near.size() == 1) return fmt::format("did you mean {}?", in_backticks(near[0]));
  return fmt::format("legal are {}", fmt::join(near, ", "));
}

bool play_written(const Name& move, Game& game, dsl::Code code, Diagnostics& diagnostics) {
  const auto found = runtime::find_spelled(game, move.text);
  if (!found) return tell_fault(found.error(), move.span, game, code, diagnostics), false;
  if (!*found) return refuse(move, game, code, diagnostics);
  if (const std::string numbered = one_of_several(move.text, **found, game); !numbered.empty()) {
    diagnostics.error(code, move.span, "several moves are written " + in_backticks(move.text)).help =
        fmt::format("the first of them is {}", in_backticks(numbered));
    return false;
  }
  const auto played = game.play(**found);
  if (!played) tell_fault(played.error(), move.span, game, code, diagnostics);
  return played.has_value();
}

std::optional<Game> game_at(const std::shared_ptr<const runtime::Rules>& rules,
                            const std::optional<dsl::PositionEntry>& entry, dsl::Code code,
                            Diagnostics& diagnostics) {
  if (!entry) return Game(rules);
  auto position = resolve_position(rules->program(), *entry, diagnostics);
  if (!position) return std::nullopt;
  if (entry->fen && names_passing_cell(rules->program(), *entry->fen))
    position = without_idle_passing(rules, std::move(*position));
  if (entry->fen && has_fields_of_others(*entry->fen)) position = settled(rules, std::move(*position));
  Game game(rules, *position);
  if (!entry->play) return game;
  for (std::size_t i = 0; i < entry->play->size(); ++i) {
    const Name& move = (*entry->play)[i];
    if (play_written(move, game, code, diagnostics)) continue;
    const std::string joined = joined_move(*entry->play, i, game);
    const bool told = !diagnostics.all().empty() && diagnostics.last().span == move.span;
    if (told && !joined.empty()) diagnostics.last().help = move_in_list(joined);
    return std::nullopt;
  }
  return game;
}

PositionText read_position(std::shared_ptr<const runtime::Rules> rules, std::string name, std::string text) {
  PositionText read;
  const auto file = read.sources.add(std::move(name), without_tabs(std::move(text)));
  // What is nested deeply is read by recursion: the caller may have a small stack.
  runtime::on_large_stack([&] {
    const auto entry = dsl::read_position_text(read.sources, file, read.diagnostics);
    if (entry && !read.diagnostics.has_errors())
      read.game = game_at(rules, entry, "position", read.diagnostics);
    if (read.diagnostics.has_errors()) read.game.reset();
  });
  return read;
}

} // namespace boardwright::interpreter
