#include "tools/engines/protocol_moves.hpp"

#include "dsl/text.hpp"
#include "runtime/game/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <sstream>
#include <tuple>
#include <vector>

namespace boardwright::tools {
namespace {

using runtime::Fault;
using runtime::Game;
using runtime::Move;
using runtime::Program;

std::string in_one_word(std::string notation) {
  std::replace(notation.begin(), notation.end(), ' ', '_');
  return notation;
}

constexpr std::string_view kNullMove = "0000"; // a pass of whoever has no piece on the board

char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }

using Top = std::optional<runtime::Piece>;
Top top_of(const runtime::Position& position, int cell) {
  const auto& stack = position.cells[static_cast<std::size_t>(cell)];
  return stack.empty() ? Top() : stack.back();
}

// A kind that comes about by no other way than that another one becomes it.
bool only_becomes(const Program& program, int kind) {
  for (const auto& slots : program.hand_slot)
    if (slots[static_cast<std::size_t>(kind)] >= 0) return false;
  return std::none_of(program.initial.cells.begin(), program.initial.cells.end(), [kind](const auto& stack) {
    return std::any_of(stack.begin(), stack.end(), [kind](runtime::Piece p) { return p.kind == kind; });
  });
}

// Where a piece went whose cell another one entered from a hand; nothing where that isn't the only one.
std::optional<int> where_it_went(const runtime::Position& before, const runtime::Position& now, int from) {
  const Top moved = top_of(before, from);
  std::optional<int> found;
  for (int cell = 0; cell < static_cast<int>(now.cells.size()); ++cell) {
    if (cell == from || top_of(now, cell) != moved || top_of(before, cell) == moved) continue;
    if (found) return std::nullopt;
    found = cell;
  }
  return found;
}

// Of a pass: the king's cell, or whoever has the letter K, else that of the first of the player's pieces,
// rank by rank; nothing where he has none on the board.
std::optional<int> cell_of_pass(const Program& program, const runtime::Position& position) {
  std::vector<int> own;
  for (int cell = 0; cell < static_cast<int>(position.cells.size()); ++cell)
    if (const Top top = top_of(position, cell); top && top->owner == position.to_move) own.push_back(cell);
  const auto before = [&](int a, int b) {
    const auto place = [&](int cell) {
      const auto i = static_cast<std::size_t>(cell);
      const bool king = upper(program.letter_of(*top_of(position, cell))) == 'K';
      return std::tuple(king ? 0 : 1, program.board.y[i], program.board.x[i]);
    };
    return place(a) < place(b);
  };
  const auto found = std::min_element(own.begin(), own.end(), before);
  return found == own.end() ? std::optional<int>() : *found;
}

// "" where the move has no such form.
tl::expected<std::string, Fault> in_coordinates(Game& game, const Move& move) {
  const auto cells = game.from_to(move);
  if (!cells) return tl::unexpected(cells.error());
  const Program& program = game.rules().program();
  const auto before = game.position();
  if (const auto played = game.play(move); !played) return tl::unexpected(played.error());
  const auto after = game.position();
  game.undo();
  const auto name = [&](int cell) { return program.board.name[static_cast<std::size_t>(cell)]; };
  if (cells->to < 0) {
    const bool passes = before.cells == after.cells && before.hands == after.hands;
    const auto cell = passes ? cell_of_pass(program, before) : std::nullopt;
    return !passes ? std::string() : cell ? name(*cell) + name(*cell) : std::string(kNullMove);
  }
  const Top now = top_of(after, cells->to);
  if (cells->from < 0)
    return now ? fmt::format("{}@{}", upper(program.letter_of(*now)), name(cells->to)) : std::string();
  const Top moved = top_of(before, cells->from);
  const std::string word = name(cells->from) + name(cells->to);
  if (!now || !moved || now->kind == moved->kind) return word;
  const std::string letter(1, dsl::to_lower(program.letter_of(*now)));
  if (cells->from != cells->to) return word + (only_becomes(program, now->kind) ? "+" : letter);
  const auto went = where_it_went(before, after, cells->from);
  return went ? name(cells->from) + name(*went) + letter : word + letter;
}

// All moves of the position as UCI has them.
tl::expected<std::vector<std::string>, Fault> all_in_coordinates(Game& game, const runtime::MoveList& moves) {
  std::vector<std::string> words;
  std::map<std::string, int> count;
  for (const Move move : moves) {
    auto word = in_coordinates(game, move);
    if (!word) return tl::unexpected(word.error());
    ++count[*word];
    words.push_back(std::move(*word));
  }
  const auto good = [&](const std::string& word) { return !word.empty() && count[word] == 1; };
  if (std::all_of(words.begin(), words.end(), good)) return words;
  const auto notations = game.notations();
  if (!notations) return tl::unexpected(notations.error());
  const auto spelled = runtime::spellings(*notations);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!good(words[i])) words[i] = in_one_word(spelled[i]);
  return words;
}

} // namespace

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

const char* prefix_of(Protocol protocol) { return protocol == Protocol::uci ? "uci" : "ugi"; }

tl::expected<std::vector<std::string>, Fault> protocol_moves(Game& game, Protocol protocol) {
  const auto moves = game.moves();
  if (!moves) return tl::unexpected(moves.error());
  if (protocol == Protocol::uci) return all_in_coordinates(game, *moves);
  const auto notations = game.notations();
  if (!notations) return tl::unexpected(notations.error());
  auto words = runtime::spellings(*notations);
  for (std::string& word : words) word = in_one_word(std::move(word));
  return words;
}

tl::expected<std::string, Fault> protocol_move(Game& game, const Move& move, Protocol protocol) {
  if (protocol == Protocol::uci) {
    auto words = protocol_moves(game, protocol);
    if (!words) return tl::unexpected(words.error());
    return std::move((*words)[move.index()]);
  }
  const auto text = runtime::spelling(game, move);
  if (!text) return tl::unexpected(text.error());
  return in_one_word(*text);
}

tl::expected<std::optional<Move>, Fault> find_protocol_move(Game& game, std::string_view word,
                                                            Protocol protocol) {
  if (protocol == Protocol::uci) {
    const auto moves = game.moves();
    if (!moves) return tl::unexpected(moves.error());
    const auto words = all_in_coordinates(game, *moves);
    if (!words) return tl::unexpected(words.error());
    const auto found = std::find(words->begin(), words->end(), word);
    if (found != words->end()) return (*moves)[static_cast<std::size_t>(found - words->begin())];
  }
  const auto found = runtime::find_spelled(game, word);
  if (!found || *found || word.find('_') == std::string_view::npos) return found;
  std::string blanks(word);
  std::replace(blanks.begin(), blanks.end(), '_', ' ');
  return runtime::find_spelled(game, blanks);
}

int centipawns(double value) {
  constexpr double kMost = 10'000;
  const double v = std::clamp(value, 1e-9, 1 - 1e-9);
  return static_cast<int>(std::lround(std::clamp(400 * std::log10(v / (1 - v)), -kMost, kMost)));
}

double value_of_centipawns(double score) { return 1 / (1 + std::pow(10, -score / 400)); }

} // namespace boardwright::tools
