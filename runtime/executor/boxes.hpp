// Operations on directions, lists and maps, and on sets that depend on coordinates.
#pragma once

#include "runtime/executor/executor.hpp"

#include <algorithm>
#include <cstdlib>

namespace boardwright::runtime::executor {

template <int W>
void Executor<W>::limit_list(const I& i, std::size_t members) {
  if (members > kMaxList) fail(i, "a list has more than " + std::to_string(kMaxList) + " members");
}

// The corner of a rectangle is given as y * 1024 + x, because it may be a hole.
template <int W>
Bits<W> Executor<W>::rectangle(int a, int b) const {
  if (a < 0 || b < 0) return {};
  Set found;
  const auto [x1, x2] = std::minmax({a % 1024, b % 1024});
  const auto [y1, y2] = std::minmax({a / 1024, b / 1024});
  for (int y = std::max(y1, 1); y <= std::min(y2, t_.program.board.ranks); ++y)
    for (int x = std::max(x1, 1); x <= std::min(x2, t_.program.board.files); ++x)
      if (const int cell = t_.program.board.cell_at(x, y); cell >= 0) found.set(cell);
  return found;
}

template <int W>
Bits<W> Executor<W>::box(int a, int b, int apart) const {
  if (a < 0 || b < 0 || apart < 1) return {};
  const Board& board = t_.program.board;
  const auto [x1, x2] = std::minmax(board.x[at(a)], board.x[at(b)]);
  const auto [y1, y2] = std::minmax(board.y[at(a)], board.y[at(b)]);
  if ((x2 - x1) % apart != 0 || (y2 - y1) % apart != 0) return {};
  // Files and ranks up to a number, without those up to another; of those that are so far apart.
  const Set files = t_.files_to[at(x2)] - t_.files_to[at(x1 - 1)];
  const Set ranks = t_.ranks_to[at(y2)] - t_.ranks_to[at(y1 - 1)];
  const int least = std::min(apart, std::max(board.files, board.ranks)); // beyond, there is one of each
  return files & ranks & t_.every_file[at(least)][at(x1 % least)] & t_.every_rank[at(least)][at(y1 % least)];
}

template <int W>
Bits<W> Executor<W>::image(const Set& set, const CellMap& map) {
  const bool only_moves = map.xx == map.over && map.yy == map.over && map.xy == 0 && map.yx == 0;
  if (only_moves && map.valid && map.over != 0) return displaced(set, map.dx, map.dy);
  Set found;
  charge(2 * at(set.count()));
  set.each([&](int cell) {
    if (const int target = t_.program.board.map(map, cell); target >= 0) found.set(target);
  });
  return found;
}

// Lists keep the order of first appearance.
template <int W>
void Executor<W>::unite(Box<W>& d, const Box<W>& a, const Box<W>& b) {
  Box<W>& all = scratch_box_; // d may be a or b
  all = a;
  all.steps |= b.steps;
  for (const std::int32_t n : b.numbers)
    if (std::find(all.numbers.begin(), all.numbers.end(), n) == all.numbers.end()) all.numbers.push_back(n);
  for (const Set& s : b.sets) all.add_set(s);
  d = all;
}

namespace boxes {

// The map that leaves every cell where it is, about the middle of the bounding box of a set.
template <int W>
CellMap about_middle(const Board& board, const Bits<W>& cells) {
  CellMap map;
  int left = board.files, right = 1, bottom = board.ranks, top = 1;
  cells.each([&](int cell) {
    left = std::min(left, board.x[at(cell)]), right = std::max(right, board.x[at(cell)]);
    bottom = std::min(bottom, board.y[at(cell)]), top = std::max(top, board.y[at(cell)]);
  });
  map.valid = cells.any();
  map.px = left + right;
  map.py = bottom + top;
  return map;
}

struct Vector {
  std::int64_t x = 0, y = 0;
};

[[nodiscard]] inline Vector turned_once(Vector v, const Board& board) {
  if (!board.hexes) return {v.y, -v.x};
  return board.slant_right ? Vector{v.y, v.y - v.x} : Vector{v.x + v.y, -v.x};
}

// The columns of the matrix are where (1, 0) and (0, 1) turn to.
[[nodiscard]] inline CellMap rotated(CellMap map, const Board& board, std::int64_t degrees) {
  const std::int64_t unit = board.hexes ? 60 : 90, whole = 360 / unit;
  std::int64_t turns = degrees / unit - (degrees % unit < 0 ? 1 : 0);
  turns = (turns % whole + whole) % whole;
  Vector x{1, 0}, y{0, 1};
  for (; turns > 0; --turns) x = turned_once(x, board), y = turned_once(y, board);
  map.xx = static_cast<std::int32_t>(x.x), map.xy = static_cast<std::int32_t>(y.x);
  map.yx = static_cast<std::int32_t>(x.y), map.yy = static_cast<std::int32_t>(y.y);
  return map;
}

// The reflection in the line along v takes p to 2 <p,v> / <v,v> v - p. On hexes the axes are not at right
// angles: twice <(a,b),(c,d)> is 2ac + 2bd + s (ad + bc), where s is 1, or -1 for the other slant.
[[nodiscard]] inline CellMap reflected(CellMap map, const Board& board, Vector v) {
  const std::int64_t s = !board.hexes ? 0 : board.slant_right ? -1 : 1;
  const std::int64_t square = v.x * v.x + v.y * v.y + s * v.x * v.y;
  const std::int64_t along_x = 2 * v.x + s * v.y, along_y = 2 * v.y + s * v.x;
  map.valid = map.valid && square != 0;
  map.over = static_cast<std::int32_t>(square);
  map.xx = static_cast<std::int32_t>(v.x * along_x - square);
  map.xy = static_cast<std::int32_t>(v.x * along_y);
  map.yx = static_cast<std::int32_t>(v.y * along_x);
  map.yy = static_cast<std::int32_t>(v.y * along_y - square);
  return map;
}

} // namespace boxes

template <int W>
void Executor<W>::box_operation(const I& i) {
  using ir::Op;
  const Board& board = t_.program.board;
  auto& b = m_.boxes;
  auto& n = m_.numbers;
  switch (i.op) {
  case Op::box_copy:
    work(b[i.a].bytes() / kBytesPerStep, i);
    b[i.d] = b[i.a];
    break;
  case Op::box_steps: b[i.d].clear(), b[i.d].steps = code_.step_sets[at(i.x)]; break;
  case Op::box_step:
    b[i.d].clear();
    if (n[i.a] >= 0) b[i.d].steps.set(n[i.a]);
    break;
  case Op::box_unite:
    work(2 * (b[i.a].bytes() + b[i.b].bytes()) / kBytesPerStep + b[i.b].numbers.size() * b[i.a].size() / 4 +
             b[i.b].sets.size() * b[i.a].size(),
         i);
    if (fault_) break;
    unite(b[i.d], b[i.a], b[i.b]);
    limit_list(i, b[i.d].size());
    break;
  case Op::box_meet:
  case Op::box_minus: {
    Box<W>& other = scratch_box_; // d may be a or b
    other = b[i.b];
    const bool meet = i.op == Op::box_meet;
    work(2 * (b[i.a].bytes() + other.bytes()) / kBytesPerStep + b[i.a].numbers.size() * other.size() / 4 +
             b[i.a].sets.size() * other.size(),
         i);
    if (fault_) break;
    if (i.d != i.a) b[i.d] = b[i.a];
    Box<W>& d = b[i.d];
    d.steps = meet ? d.steps & other.steps : d.steps - other.steps;
    const auto sorted_out = [meet](auto& members, const auto& among) {
      std::erase_if(members, [&](const auto& v) {
        return (std::find(among.begin(), among.end(), v) != among.end()) != meet;
      });
    };
    sorted_out(d.numbers, other.numbers);
    sorted_out(d.sets, other.sets);
    break;
  }
  case Op::box_sum: {
    const StepSet sum = t_.compass.sums(b[i.a].steps, b[i.b].steps);
    b[i.d].clear(), b[i.d].steps = sum;
    break;
  }
  case Op::box_times: {
    const StepSet many = t_.compass.multiples(n[i.a], b[i.b].steps);
    b[i.d].clear(), b[i.d].steps = many;
    break;
  }
  case Op::box_opposite: {
    const StepSet back = t_.compass.opposites(b[i.a].steps);
    b[i.d].clear(), b[i.d].steps = back;
    break;
  }
  case Op::box_turned: {
    const StepSet turned = t_.compass.turned(b[i.a].steps, n[i.b]);
    b[i.d].clear(), b[i.d].steps = turned;
    break;
  }
  case Op::box_spins: {
    const StepSet spun = t_.compass.spun(b[i.a].steps);
    b[i.d].clear(), b[i.d].steps = spun;
    break;
  }
  case Op::box_clear: b[i.d].clear(); break;
  case Op::box_add: {
    auto& list = b[i.d].numbers;
    work(list.size() / 4, i);
    if (std::find(list.begin(), list.end(), n[i.a]) == list.end()) list.push_back(n[i.a]);
    limit_list(i, list.size());
    break;
  }
  case Op::box_add_set: {
    auto& list = b[i.d].sets;
    work(list.size() * W / 8, i);
    b[i.d].add_set(m_.sets[i.a]);
    limit_list(i, list.size());
    break;
  }
  case Op::box_add_step:
    if (n[i.a] >= 0) b[i.d].steps.set(n[i.a]);
    break;
  case Op::box_range: {
    const std::int64_t low = n[i.a], high = n[i.b];
    b[i.d].clear();
    if (high < low) break;
    limit_list(i, static_cast<std::size_t>(high - low) + 1);
    work(static_cast<std::uint64_t>(high - low), i);
    if (fault_) break;
    for (std::int64_t k = low; k <= high; ++k) b[i.d].numbers.push_back(static_cast<std::int32_t>(k));
    break;
  }
  case Op::box_players: {
    b[i.d].clear();
    const int first = i.x % 256;
    const auto out = static_cast<std::uint32_t>(n[l_.out]);
    for (int k = i.x >= 256 ? 1 : 0; k < l_.players; ++k)
      if (const int player = (first + k) % l_.players; (out >> player & 1) == 0)
        b[i.d].numbers.push_back(player);
    break;
  }
  case Op::map_shift: {
    b[i.d].clear();
    if (n[i.a] < 0 || n[i.b] < 0) break;
    CellMap& map = b[i.d].map;
    map.valid = true;
    map.dx = board.x[at(n[i.b])] - board.x[at(n[i.a])];
    map.dy = board.y[at(n[i.b])] - board.y[at(n[i.a])];
    break;
  }
  case Op::map_scale: {
    charge(at(m_.sets[i.c].count()));
    CellMap map = boxes::about_middle(board, m_.sets[i.c]);
    map.xx = map.yy = n[i.a];
    map.over = n[i.b];
    map.valid = map.valid && n[i.b] != 0;
    b[i.d].clear(), b[i.d].map = map;
    break;
  }
  case Op::map_rotate: {
    charge(at(m_.sets[i.b].count()));
    const CellMap map = boxes::rotated(boxes::about_middle(board, m_.sets[i.b]), board, n[i.a]);
    b[i.d].clear(), b[i.d].map = map;
    break;
  }
  default: { // map_reflect
    charge(at(m_.sets[i.b].count()));
    boxes::Vector v;
    const StepSet along = b[i.a].steps;
    if (const int s = along.first(); s >= 0 && !t_.compass.is_track(s))
      v = {board.steps[at(s)].dx, board.steps[at(s)].dy};
    const CellMap map = boxes::reflected(boxes::about_middle(board, m_.sets[i.b]), board, v);
    b[i.d].clear(), b[i.d].map = map;
    break;
  }
  }
}

// The next curve that leaves the cell in one of the directions; -1 behind the last one.
template <int W>
int Executor<W>::bend(const I& i) {
  const auto& curves = t_.program.board.curves;
  for (auto k = at(m_.numbers[i.c]); k < curves.size(); ++k)
    if (curves[k].from == m_.numbers[i.a] && m_.boxes[i.b].steps.test(curves[k].leaving)) {
      m_.numbers[i.c] = static_cast<std::int32_t>(k) + 1;
      m_.numbers[i.d] = curves[k].to;
      m_.numbers[i.d + 1u] = curves[k].heading;
      return 0;
    }
  return -1;
}

} // namespace boardwright::runtime::executor
