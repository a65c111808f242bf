#include "tools/drawing/board_window.hpp"

#include <algorithm>
#include <cstddef>

namespace boardwright::tools {
namespace {

using runtime::Board;
using runtime::CellSet;

constexpr int kRoom = 2; // around what is there, if the board has as much

struct Stretch {
  int first = 1, length = 0; // from 1
};

// The shortest stretch of a ring of so many lines with all that are taken, and some room at both ends.
Stretch stretch_of(const std::vector<bool>& taken, int room) {
  const int count = static_cast<int>(taken.size());
  int begin = 0, longest = -1;
  for (int line = 0; line < count; ++line) {
    if (!taken[static_cast<std::size_t>(line)]) continue;
    int gap = 0;
    while (gap + 1 < count && !taken[static_cast<std::size_t>((line + 1 + gap) % count)]) ++gap;
    if (gap > longest) longest = gap, begin = (line + 1 + gap) % count;
  }
  const int length = std::min(count, count - std::max(longest, 0) + 2 * room);
  return {(begin - room + count) % count + 1, length};
}

} // namespace

CellSet cells_with_pieces(const runtime::Position& position) {
  CellSet cells;
  for (std::size_t c = 0; c < position.cells.size(); ++c)
    if (!position.cells[c].empty()) cells.set(static_cast<int>(c));
  return cells;
}

CellSet cells_of(const BoardMarks& marks) { return marks.left | marks.reached | marks.taken; }

BoardWindow::BoardWindow(const runtime::Program& program, const runtime::Position& position,
                         const interpreter::Look* look, const CellSet& shown)
    : whole_(program), all_(position), given_(look), is_whole_(!program.board.endless()) {
  if (is_whole_) return;
  choose(cells_with_pieces(position) | shown);
  program_ = program;
  make_board();
  make_position();
  if (look != nullptr) make_look();
}

void BoardWindow::choose(const CellSet& shown) {
  const Board& board = whole_.board;
  const CellSet cells = shown.any() ? shown : CellSet::of(board.origin);
  const int room = std::min(kRoom, board.files - board.reach);
  std::vector<bool> files(static_cast<std::size_t>(board.files), false);
  std::vector<bool> ranks(static_cast<std::size_t>(board.ranks), false);
  cells.each([&](int cell) {
    files[static_cast<std::size_t>(board.x[static_cast<std::size_t>(cell)] - 1)] = true;
    ranks[static_cast<std::size_t>(board.y[static_cast<std::size_t>(cell)] - 1)] = true;
  });
  const Stretch across = stretch_of(files, room), up = stretch_of(ranks, room);
  files_ = across.length;
  ranks_ = up.length;
  const auto place = [](int n, int count) { return (n - 1) % count + 1; };
  // Of hexes the third axis is cropped, too: else two corners would be far from everything.
  const auto third = [&](int x, int y) { return board.slant_right ? x - y : x + y; };
  int low = 0, high = 0;
  bool any = false;
  const auto each = [&](auto&& look) {
    for (int y = 1; y <= ranks_; ++y)
      for (int x = 1; x <= files_; ++x)
        look(x, y,
             board.cell_at(place(across.first + x - 1, board.files), place(up.first + y - 1, board.ranks)));
  };
  each([&](int x, int y, int cell) {
    if (!cells.test(cell)) return;
    low = any ? std::min(low, third(x, y)) : third(x, y);
    high = any ? std::max(high, third(x, y)) : third(x, y);
    any = true;
  });
  of_cell_.assign(static_cast<std::size_t>(board.cells), -1);
  each([&](int x, int y, int cell) {
    if (board.hexes && (third(x, y) < low - room || third(x, y) > high + room)) return;
    of_cell_[static_cast<std::size_t>(cell)] = static_cast<int>(cells_.size());
    cells_.push_back(cell);
    x_.push_back(x);
    y_.push_back(y);
  });
}

void BoardWindow::make_board() {
  Board& board = program_.board;
  const Board& whole = whole_.board;
  board.files = files_;
  board.ranks = ranks_;
  board.cells = static_cast<int>(cells_.size());
  board.x = x_;
  board.y = y_;
  board.all = CellSet();
  board.name.clear();
  board.numbered.clear();
  board.origin = of_cell_[static_cast<std::size_t>(whole.origin)];
  board.at.assign(static_cast<std::size_t>(files_) * static_cast<std::size_t>(ranks_), runtime::kNowhere);
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    board.name.push_back(whole.name[static_cast<std::size_t>(cells_[c])]);
    board.all.set(static_cast<int>(c));
    board.at[static_cast<std::size_t>((y_[c] - 1) * files_ + x_[c] - 1)] = static_cast<std::int16_t>(c);
  }
  for (runtime::Step& step : board.steps) {
    const auto to = step.to;
    step.to.clear();
    for (const int cell : cells_)
      step.to.push_back(
          static_cast<std::int16_t>(of_cell_[static_cast<std::size_t>(to[static_cast<std::size_t>(cell)])]));
  }
}

void BoardWindow::make_position() {
  position_ = all_;
  position_.cells.clear();
  for (const int cell : cells_) position_.cells.push_back(all_.cells[static_cast<std::size_t>(cell)]);
  for (runtime::VariableValue& value : position_.variables) value.cells = seen(value.cells);
  for (runtime::VariableValue& value : program_.initial.variables) value.cells = seen(value.cells);
}

void BoardWindow::make_look() {
  look_ = *given_;
  for (interpreter::Region& region : look_.regions) region.cells = seen(region.cells);
  look_.narrow = seen(look_.narrow);
  look_.nothing = seen(look_.nothing);
  look_.sides.clear(); // there are no edges
  look_.owned_lines.clear();
  std::erase_if(look_.lines, [this](auto& line) {
    line = {of_cell_[static_cast<std::size_t>(line.first)], of_cell_[static_cast<std::size_t>(line.second)]};
    return line.first < 0 || line.second < 0;
  });
}

CellSet BoardWindow::seen(const CellSet& cells) const {
  if (is_whole_) return cells;
  CellSet result;
  cells.each([&](int cell) {
    if (const int there = of_cell_[static_cast<std::size_t>(cell)]; there >= 0) result.set(there);
  });
  return result;
}

std::vector<int> BoardWindow::seen(const std::vector<int>& cells) const {
  if (is_whole_) return cells;
  std::vector<int> result;
  for (const int cell : cells)
    if (const int there = of_cell_[static_cast<std::size_t>(cell)]; there >= 0) result.push_back(there);
  return result;
}

BoardMarks BoardWindow::seen(const BoardMarks& marks) const {
  return {seen(marks.left), seen(marks.reached), seen(marks.taken)};
}

} // namespace boardwright::tools
