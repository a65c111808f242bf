#include "tools/english/plain_reasons.hpp"

#include "runtime/examine/why.hpp"
#include "tools/console/console.hpp"
#include "tools/english/nouns.hpp"
#include "tools/english/plain_words.hpp"
#include "tools/english/reasons.hpp"
#include "tools/games/about_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace boardwright::tools {
namespace {

// More would bury the one that counts.
constexpr std::size_t kMaxSentences = 3;

// What somebody asks about: the cells that are named, the first and its piece if it is the mover's.
struct Asked {
  std::vector<int> cells;
  int own_cell = runtime::kNowhere;
};

Asked asked_about(const runtime::Program& program, const runtime::Position& position, std::string_view move) {
  Asked asked{cells_named(program.board, move)};
  if (asked.cells.empty()) return asked;
  const auto& stack = position.cells[static_cast<std::size_t>(asked.cells.front())];
  if (!stack.empty() && stack.back().owner == position.to_move) asked.own_cell = asked.cells.front();
  return asked;
}

// What a reason says to a player; "": nothing.
std::string sentence_of(const Reason& reason, const runtime::Board& board, const Asked& asked) {
  if (!reason.plain.empty()) return reason.plain;
  if (reason.stands_on == runtime::kNowhere)
    return reason.text.find('`') == std::string::npos ? reason.text : "";
  const bool first = !asked.cells.empty() && reason.stands_on == asked.cells.front();
  if (first ? reason.stands_on == asked.own_cell : reason.starts) return "";
  return asked.cells.empty() || runtime::is_on_way(board, asked.cells, reason.stands_on) ? reason.stands : "";
}

// What has plain words, said once.
std::vector<std::string> sentences(const Reasons& found, const runtime::Board& board, const Asked& asked) {
  std::vector<std::string> said;
  for (const Reason& reason : found.reasons) {
    std::string sentence = sentence_of(reason, board, asked);
    const bool known = found.summary.find(sentence) != std::string::npos ||
                       std::find(said.begin(), said.end(), sentence) != said.end();
    if (!known && said.size() < kMaxSentences) said.push_back(std::move(sentence));
  }
  return said;
}

std::string answer_text(const Reasons& found, const runtime::Board& board, const Asked& asked) {
  std::string text = found.summary + (found.moves.empty() ? "" : moves_text(found)) + "\n";
  if (found.legal) return text;
  for (const std::string& sentence : sentences(found, board, asked))
    text += fmt::format("  {}\n", printable(sentence));
  return text;
}

std::string ends_text(const interpreter::Loaded& loaded, const runtime::Position& position) {
  const std::string& player =
      loaded.rules->program().players[static_cast<std::size_t>(position.to_move)].name;
  std::string text = fmt::format("the game is not over; {} is to move\n", player);
  for (const std::string& sentence : plain_endings(loaded))
    text += fmt::format("  {}\n", printable(sentence));
  return text;
}

} // namespace

std::string how_it_moves(const interpreter::Loaded& loaded, const runtime::Position& position,
                         std::string_view move) {
  const runtime::Program& program = loaded.rules->program();
  const int cell = asked_about(program, position, move).own_cell;
  if (cell == runtime::kNowhere) return "";
  const auto kind = position.cells[static_cast<std::size_t>(cell)].back().kind;
  const std::string& name = program.kinds[static_cast<std::size_t>(kind)].name;
  const std::string_view told = movement_told(program.about, name);
  if (told.empty()) return "";
  return fmt::format("How {} moves: {}\n", with_article(words_of_name(name)), printable(told));
}

tl::expected<std::string, runtime::Fault> plain_reasons_text(const interpreter::Loaded& loaded,
                                                             runtime::Game& game, std::string_view asked) {
  const auto outcome = game.outcome();
  if (!outcome) return tl::unexpected(outcome.error());
  if (*outcome) return fmt::format("the game is over: {}\n", printable(plain_result(loaded, **outcome)));
  const auto found = reasons_for(loaded, game, asked);
  if (!found) return tl::unexpected(found.error());
  if (found->size() == 1 && found->front().ending) return ends_text(loaded, game.position());
  const runtime::Program& program = loaded.rules->program();
  const Asked about = asked_about(program, game.position(), asked);
  std::string text;
  bool by_rules = false;
  for (const Reasons& reasons : *found) {
    text += answer_text(reasons, program.board, about);
    by_rules = by_rules || !reasons.reasons.empty();
  }
  text += how_it_moves(loaded, game.position(), asked);
  if (by_rules) text += fmt::format("`why --source {}` shows the rules themselves\n", printable(asked));
  return text;
}

} // namespace boardwright::tools
