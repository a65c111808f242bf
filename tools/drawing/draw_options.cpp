// What a board is to be drawn with, and what this terminal can show.
// Entry points: draw_options, rows_for_board, marks_between, marks_of_last_move.
#include "tools/drawing/draw_options.hpp"

#include "dsl/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace boardwright::tools {
namespace {

using runtime::Position;

// What the first of these variables that is set says, as setlocale reads them.
bool utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string locale = dsl::to_lower(value);
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

// Terminals that are known to have sixteen; all others have 256.
bool has_few_colors() {
  const char* term = std::getenv("TERM");
  if (term == nullptr) return false;
  const std::string_view name(term);
  for (const std::string_view begin : {"linux", "ansi", "cygwin", "vt1", "vt2", "xterm-color"})
    if (name.starts_with(begin)) return true;
  return name.ends_with("-16color") || name.ends_with("-8color");
}

// A terminal that shows signs beyond ASCII.
bool shows_unicode() {
  const char* term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && term != nullptr && std::strcmp(term, "dumb") != 0 && utf8_locale();
}

// Pieces of an owner on a cell; neutral ones are those of -1.
std::ptrdiff_t pieces_of(const runtime::Stack& stack, int owner) {
  return std::count_if(stack.begin(), stack.end(),
                       [&](runtime::Piece piece) { return piece.owner == owner; });
}

std::ptrdiff_t pieces_of(const Position& position, int owner) {
  std::ptrdiff_t sum = 0;
  for (const runtime::Stack& stack : position.cells) sum += pieces_of(stack, owner);
  return sum;
}

// Cells that a player has the uppermost piece of.
std::ptrdiff_t held_by(const Position& position, int player) {
  return std::count_if(position.cells.begin(), position.cells.end(), [&](const runtime::Stack& stack) {
    return !stack.empty() && stack.back().owner == player;
  });
}

// Those besides the mover who have fewer pieces than before, or hold fewer cells, as where a stack takes
// prisoners. What was only pushed, turned or carried isn't taken.
std::vector<int> losers(const Position& before, const Position& after) {
  std::vector<int> owners;
  for (int owner = -1; owner < static_cast<int>(before.turns.size()); ++owner) {
    if (owner == before.to_move) continue;
    const bool fewer = pieces_of(after, owner) < pieces_of(before, owner);
    if (fewer || (owner >= 0 && held_by(after, owner) < held_by(before, owner))) owners.push_back(owner);
  }
  return owners;
}

} // namespace

BoardMarks marks_between(const Position& before, const Position& after) {
  BoardMarks marks;
  const std::vector<int> lost = losers(before, after);
  const std::size_t cells = std::min(before.cells.size(), after.cells.size());
  for (std::size_t i = 0; i < cells; ++i) {
    const runtime::Stack& was = before.cells[i];
    const runtime::Stack& is = after.cells[i];
    if (was == is) continue;
    const int cell = static_cast<int>(i);
    if (!is.empty() && (is.size() > was.size() || is.back() != was.back())) marks.reached.set(cell);
    if (is.empty() || is.size() < was.size()) marks.left.set(cell);
    if (std::any_of(lost.begin(), lost.end(),
                    [&](int owner) { return pieces_of(is, owner) < pieces_of(was, owner); }))
      marks.taken.set(cell);
  }
  marks.left -= marks.taken;
  return marks;
}

BoardMarks marks_of_last_move(runtime::Game game) {
  const Position after = game.position();
  return game.undo() ? marks_between(game.position(), after) : BoardMarks{};
}

int rows_for_board(const Console& console, DrawnSize size) {
  constexpr int kPromptRows = 3;       // the move before, an empty line and the prompt
  constexpr int kConversationRows = 5; // a question and its answer: worth more than a larger board
  constexpr int kFewestRows = 6;       // of which something is seen: on a lower screen the rest scrolls away
  if (console.height() <= 0) return 0;
  if (size == DrawnSize::larger) return std::max(0, console.height() - kPromptRows - kConversationRows);
  return std::max(console.height() - kPromptRows, kFewestRows);
}

DrawOptions draw_options(const interpreter::Look* look, const Console& console, bool ascii) {
  DrawOptions options;
  options.color = console.color_out();
  const char* depth = std::getenv("COLORTERM");
  options.true_color =
      depth != nullptr && (std::strcmp(depth, "truecolor") == 0 || std::strcmp(depth, "24bit") == 0);
  options.few_colors = !options.true_color && depth == nullptr && has_few_colors();
  options.unicode = !ascii && shows_unicode();
  options.width = console.width();
  options.height = rows_for_board(console, DrawnSize::larger);
  options.look = look;
  return options;
}

} // namespace boardwright::tools
