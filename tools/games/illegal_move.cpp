#include "tools/games/illegal_move.hpp"

#include "dsl/diagnostic.hpp"
#include "dsl/text.hpp"
#include "tools/console/console.hpp"
#include "tools/games/completion.hpp"
#include "tools/games/notation_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace boardwright::tools {
namespace {

using runtime::Position;
using runtime::Program;

// Notations that are shown at once; more would push the board off the screen.
constexpr std::size_t kMaxShown = 24;
// Moves of one cell that are listed whole.
constexpr std::size_t kMaxFromCell = 8;

bool begins_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::vector<std::string> beginning_with(const std::vector<std::string>& legal, const std::string& prefix) {
  std::vector<std::string> found;
  std::copy_if(legal.begin(), legal.end(), std::back_inserter(found),
               [&](const std::string& notation) { return begins_with(without_blanks(notation), prefix); });
  return found;
}

std::string listed(std::vector<std::string> notations) {
  notations = in_order(std::move(notations));
  const std::size_t shown = std::min(notations.size(), kMaxShown);
  std::string text = fmt::format(
      "{}", fmt::join(notations.begin(), notations.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < notations.size()) text += fmt::format(" and {} more", notations.size() - shown);
  return printable(text);
}

// The cell with the longest name that the text begins with, or kNowhere.
int cell_at_front(const runtime::Board& board, const std::string& text) {
  int best = runtime::kNowhere;
  std::size_t length = 0;
  for (std::size_t i = 0; i < board.name.size(); ++i) {
    if (board.name[i].size() <= length || !begins_with(text, without_blanks(board.name[i]))) continue;
    best = static_cast<int>(i);
    length = board.name[i].size();
  }
  return best;
}

// Some move begins on an empty cell, as where pieces are placed: to be empty stops nobody then.
bool pieces_come(const Program& program, const Position& position, const std::vector<std::string>& legal) {
  return std::any_of(legal.begin(), legal.end(), [&](const std::string& move) {
    const int cell = cell_at_front(program.board, without_blanks(move));
    return cell >= 0 && position.cells[static_cast<std::size_t>(cell)].empty();
  });
}

std::string what_stands(const Program& program, const Position& position,
                        const std::vector<std::string>& legal, int cell) {
  const runtime::Stack& stack = position.cells[static_cast<std::size_t>(cell)];
  if (stack.empty()) return pieces_come(program, position, legal) ? "isn't open to you now" : "is empty";
  const int owner = stack.back().owner;
  if (owner < 0) return "holds a neutral piece";
  if (owner == position.to_move) return pieces_come(program, position, legal) ? "is taken" : "can't move";
  return fmt::format("holds one of {}'s pieces", program.players[static_cast<std::size_t>(owner)].name);
}

std::string about_cell(const Program& program, const Position& position,
                       const std::vector<std::string>& legal, int cell) {
  const std::string name = program.board.name[static_cast<std::size_t>(cell)];
  // A move that begins with `a1` must not be offered for one that begins with `a11`.
  auto moves = beginning_with(legal, without_blanks(name));
  moves.erase(std::remove_if(moves.begin(), moves.end(),
                             [&](const std::string& move) {
                               return cell_at_front(program.board, without_blanks(move)) != cell;
                             }),
              moves.end());
  if (moves.empty())
    return fmt::format("{} {}", printable(name), what_stands(program, position, legal, cell));
  // Of many moves only how they go on.
  if (const auto steps = next_steps(moves, without_blanks(name));
      moves.size() > kMaxFromCell && steps.size() < moves.size())
    return fmt::format("from {} one can go on so: {}", printable(name), listed(steps));
  return fmt::format("from {}: {}", printable(name), listed(moves));
}

} // namespace

std::string why_illegal(const Program& program, const Position& position,
                        const std::vector<std::string>& legal, std::string_view typed, bool at_prompt) {
  const std::string text = without_blanks(typed);
  std::vector<std::string> longer;
  for (const std::size_t i : meant(legal, typed)) longer.push_back(legal[i]);
  if (!longer.empty()) return fmt::format("{} can go on: {}", quotable(typed), listed(longer));
  const std::string refusal = fmt::format("{} is not a legal move", quotable(typed));
  auto same = with_the_same_cells(legal, typed);
  if (same.empty()) same = meant_in_words(legal, typed);
  if (same.size() == 1) return fmt::format("{}; did you mean {}?", refusal, printable(legal[same.front()]));
  if (const int cell = cell_at_front(program.board, text); cell >= 0)
    return fmt::format("{}; {}", refusal, about_cell(program, position, legal, cell));
  if (const std::string near = dsl::nearest(typed, legal); !near.empty())
    return fmt::format("{}; did you mean {}?", refusal, printable(near));
  return at_prompt ? refusal + "; `moves` lists the legal ones, `help` the commands" : refusal;
}

} // namespace boardwright::tools
