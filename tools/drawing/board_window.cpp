#include "tools/drawing/board_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

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
  place_ = {1, 1, program.board.files, program.board.ranks};
  if (is_whole_) return;
  choose(cells_with_pieces(position) | shown);
  program_ = program;
  make_board();
  make_position();
  if (look != nullptr) make_look();
}

BoardWindow::BoardWindow(const BoardWindow& whole, const Rectangle& part)
    : whole_(whole.program()), all_(whole.position()), given_(whole.look()), is_whole_(false),
      files_(part.files), ranks_(part.ranks), place_(part) {
  place_.files = whole_.board.files;
  place_.ranks = whole_.board.ranks;
  of_cell_.assign(static_cast<std::size_t>(whole_.board.cells), -1);
  for (int y = 1; y <= ranks_; ++y)
    for (int x = 1; x <= files_; ++x)
      look_at(x, y, whole_.board.cell_at(part.file + x - 1, part.rank + y - 1));
  program_ = whole_;
  make_board();
  make_position();
  if (given_ != nullptr) make_look();
}

void BoardWindow::look_at(int file, int rank, int cell) {
  if (cell < 0) return; // a hole
  of_cell_[static_cast<std::size_t>(cell)] = static_cast<int>(cells_.size());
  cells_.push_back(cell);
  x_.push_back(file);
  y_.push_back(rank);
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
  place_.file = across.first;
  place_.rank = up.first;
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
    look_at(x, y, cell);
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
  // A part of a part need not have it.
  if (whole.origin >= 0) board.origin = of_cell_[static_cast<std::size_t>(whole.origin)];
  board.at.assign(static_cast<std::size_t>(files_) * static_cast<std::size_t>(ranks_), runtime::kNowhere);
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    board.name.push_back(whole.name[static_cast<std::size_t>(cells_[c])]);
    board.all.set(static_cast<int>(c));
    board.at[static_cast<std::size_t>((y_[c] - 1) * files_ + x_[c] - 1)] = static_cast<std::int16_t>(c);
  }
  for (runtime::Step& step : board.steps) {
    const auto to = step.to;
    step.to.clear();
    for (const int cell : cells_) {
      const auto next = to[static_cast<std::size_t>(cell)];
      step.to.push_back(next < 0 ? runtime::kNowhere
                                 : static_cast<std::int16_t>(of_cell_[static_cast<std::size_t>(next)]));
    }
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
  look_.sides.clear(); // a board without edges has none; of a part they come from the whole
  if (whole_.board.endless()) look_.owned_lines.clear(); // they might go round
  std::erase_if(look_.owned_lines, [this](auto& line) {
    line.from = of_cell_[static_cast<std::size_t>(line.from)];
    line.to = of_cell_[static_cast<std::size_t>(line.to)];
    return line.from < 0 || line.to < 0;
  });
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

// --- the part that there is room for

namespace {

// Fewer files or ranks aren't drawn, however small the terminal is: a move would hardly be seen.
constexpr int kFewestLines = 3;

// Fewer lines, of which all take `taken` where there is `room`: as many less as are too much if each takes
// the same, at least one. Where something else takes room, too, that is less than must go, never more.
int fewer_lines(int lines, int taken, int room) {
  return std::max(kFewestLines, lines - std::max(1, (taken - room) * lines / taken));
}

// How much of a ring of so many lines lies between two of them, whichever way is shorter.
int shift_on_ring(int from, int to, int count) {
  const int by = ((to - from) % count + count) % count;
  return by > count / 2 ? by - count : by;
}

// Where a stretch of `length` lines of `count` begins, so that it has from `low` to `high`, if it can.
int stretch_begin(int low, int high, int length, int count) {
  const int from = (low + high - length + 1) / 2;
  return std::clamp(from, 1, count - length + 1);
}

// Begins where the part began, if what is to be seen lies in it; else in the middle of that.
void place_part(Rectangle& part, const BoardWindow& whole, const BoardPart& was) {
  const runtime::Board& board = whole.program().board;
  int left = board.files, right = 0, low = board.ranks, high = 0;
  whole.seen(was.wanted).each([&](int cell) {
    const auto i = static_cast<std::size_t>(cell);
    left = std::min(left, board.x[i]), right = std::max(right, board.x[i]);
    low = std::min(low, board.y[i]), high = std::max(high, board.y[i]);
  });
  const bool any = right > 0;
  if (!was.is_all()) {
    const Rectangle& now = whole.place();
    const int by_files = shift_on_ring(now.file, was.first_file, now.files);
    const int by_ranks = shift_on_ring(now.rank, was.first_rank, now.ranks);
    part.file = std::clamp(was.file + by_files, 1, board.files - part.files + 1);
    part.rank = std::clamp(was.rank + by_ranks, 1, board.ranks - part.ranks + 1);
    const bool inside = part.file <= left && right < part.file + part.files && part.rank <= low &&
                        high < part.rank + part.ranks;
    if (!any || inside) return;
  }
  if (!any) left = 1, right = board.files, low = 1, high = board.ranks;
  part.file = stretch_begin(left, right, part.files, board.files);
  part.rank = stretch_begin(low, high, part.ranks, board.ranks);
}

Labels labels_of_part(Labels labels, const BoardWindow& part) {
  const Rectangle& from = part.place();
  const auto moved = [](const std::map<int, std::string>& all, int by, int most) {
    std::map<int, std::string> some;
    for (const auto& [line, text] : all)
      if (line > by && line - by <= most) some.emplace(line - by, text);
    return some;
  };
  const runtime::Board& board = part.program().board;
  // Where each file counts by itself, `rank` goes by that count.
  if (!labels.by_file()) labels.rank = moved(labels.rank, from.rank - 1, board.ranks);
  labels.file = moved(labels.file, from.file - 1, board.files);
  std::map<int, int> first;
  for (const auto& [file, rank] : labels.first) first.emplace(file - from.file + 1, rank - from.rank + 1);
  labels.first = std::move(first);
  std::vector<int> others;
  for (const std::size_t cell : labels.others) others.push_back(static_cast<int>(cell));
  labels.others.clear();
  for (const int cell : part.seen(others)) labels.others.push_back(static_cast<std::size_t>(cell));
  return labels;
}

std::string lines_more(const char* sign, int count) {
  return fmt::format("{} {} more {}", sign, count, count == 1 ? "rank" : "ranks");
}

} // namespace

std::optional<Rectangle> part_to_draw(const BoardWindow& whole, Room room, BoardPart& part,
                                      const std::function<Room(const Rectangle&)>& takes) {
  const runtime::Board& board = whole.program().board;
  Rectangle some{1, 1, board.files, board.ranks};
  Room taken = takes(some);
  if (taken.columns <= room.columns && taken.rows <= room.rows) {
    part.files = part.ranks = 0;
    return std::nullopt;
  }
  room.columns -= kSignColumnsAround;
  room.rows -= kSignRowsAround;
  const bool upright = board.hexes && whole.look() != nullptr && whole.look()->upright;
  while (taken.rows > room.rows) {
    // Upright hexes of another file lie higher or lower, so that fewer files take fewer rows, too.
    int& lines = upright && some.files > some.ranks ? some.files : some.ranks;
    if (lines <= kFewestLines) break;
    lines = fewer_lines(lines, taken.rows, room.rows);
    taken = takes(some);
  }
  while (taken.columns > room.columns && some.files > kFewestLines) {
    some.files = fewer_lines(some.files, taken.columns, room.columns);
    taken = takes(some);
  }
  place_part(some, whole, part);
  // Elsewhere on the board the numbers of ranks may be longer than where it was measured.
  while (takes(some).columns > room.columns && some.files > kFewestLines) {
    --some.files;
    place_part(some, whole, part);
  }
  part.file = some.file, part.rank = some.rank, part.files = some.files, part.ranks = some.ranks;
  part.first_file = whole.place().file, part.first_rank = whole.place().rank;
  return some;
}

BoardFrame frame_of(const Scene& scene) {
  return {labels_of(scene.board()), side_edges(scene), arms_of(scene), star_points(scene), 0};
}

BoardFrame frame_of_part(const BoardFrame& whole, const BoardWindow& part) {
  const runtime::Board& board = part.program().board;
  BoardFrame frame;
  frame.labels = labels_of_part(whole.labels, part);
  for (const SideEdge& edge : whole.edges)
    for (const int cell : part.seen(std::vector<int>{edge.cell}))
      frame.edges.push_back({cell, edge.dx, edge.dy, edge.player, edge.shared});
  for (int cell = 0; cell < board.cells; ++cell)
    frame.arms.push_back(whole.arms[static_cast<std::size_t>(part.of_board(cell))]);
  frame.stars = part.seen(whole.stars);
  const int file = part.place().file - 1, rank = part.place().rank - 1;
  frame.shade_from = !board.hexes || board.slant_right ? file + rank : file - rank;
  return frame;
}

std::vector<std::string> with_signs(const std::vector<std::string>& lines, int rows, const BoardWindow& whole,
                                    const Rectangle& part, const DrawOptions& options) {
  const runtime::Board& board = whole.program().board;
  int left = part.file - 1, right = board.files - part.files - left;
  int below = part.rank - 1, above = board.ranks - part.ranks - below;
  if (options.flipped) std::swap(left, right), std::swap(below, above);
  const std::string before = options.unicode ? "… " : "< ", behind = options.unicode ? " …" : " >";
  std::vector<std::string> all;
  if (above > 0) all.push_back(lines_more(options.unicode ? "↑" : "^", above));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool cells = static_cast<int>(i) < rows && !lines[i].empty();
    all.push_back((left == 0 ? "" : cells ? before : "  ") + lines[i] + (right > 0 && cells ? behind : ""));
  }
  if (below > 0) all.push_back(lines_more(options.unicode ? "↓" : "v", below));
  return all;
}

} // namespace boardwright::tools
