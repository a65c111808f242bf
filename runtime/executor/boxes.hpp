// Operations on lists, maps and directions, and on sets that depend on coordinates.
#pragma once

#include "runtime/executor/executor.hpp"
#include "runtime/model/cell_maps.hpp"

#include <algorithm>
#include <cassert>
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
  for (const std::int32_t n : b.numbers)
    if (std::find(all.numbers.begin(), all.numbers.end(), n) == all.numbers.end()) all.numbers.push_back(n);
  for (const Set& s : b.sets) all.add_set(s);
  d = all;
}

// Directions are sets of steps.
template <int W>
void Executor<W>::steps_operation(const I& i) {
  using ir::Op;
  auto& s = m_.sets;
  const Compass& compass = t_.compass;
  const auto steps = [&](ir::Reg r) {
    StepSet all;
    s[r].each([&](int step) { all.set(step); });
    return all;
  };
  const auto write = [&](const StepSet& all) {
    s[i.d] = {};
    all.each([&](int step) { s[i.d].set(step); });
  };
  switch (i.op) {
  case Op::steps_turned: write(compass.turned(steps(i.a), m_.numbers[i.b])); break;
  case Op::steps_spins: write(compass.spun(steps(i.a))); break;
  case Op::steps_sum: write(compass.sums(steps(i.a), steps(i.b))); break;
  case Op::steps_times: write(compass.multiples(m_.numbers[i.a], steps(i.b))); break;
  case Op::set_mapped: {
    const auto& to = code_.places[at(i.x)];
    Set all;
    s[i.a].each([&](int member) {
      if (to[at(member)] >= 0) all.set(to[at(member)]);
    });
    s[i.d] = all;
    break;
  }
  default: assert(false && "no operation on directions");
  }
}

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
    const auto sorted_out = [meet](auto& members, const auto& among) {
      std::erase_if(members, [&](const auto& v) {
        return (std::find(among.begin(), among.end(), v) != among.end()) != meet;
      });
    };
    sorted_out(d.numbers, other.numbers);
    sorted_out(d.sets, other.sets);
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
    CellMap map = maps::about_middle(board, m_.sets[i.c]);
    map.xx = map.yy = n[i.a];
    map.over = n[i.b];
    map.valid = map.valid && n[i.b] != 0;
    b[i.d].clear(), b[i.d].map = map;
    break;
  }
  case Op::map_rotate: {
    charge(at(m_.sets[i.b].count()));
    const CellMap map = maps::rotated(maps::about_middle(board, m_.sets[i.b]), board, n[i.a]);
    b[i.d].clear(), b[i.d].map = map;
    break;
  }
  case Op::map_reflect: {
    charge(at(m_.sets[i.b].count()));
    maps::Vector v;
    if (const int s = m_.sets[i.a].first(); s >= 0 && !t_.compass.is_track(s))
      v = {board.steps[at(s)].dx, board.steps[at(s)].dy};
    const CellMap map = maps::reflected(maps::about_middle(board, m_.sets[i.b]), board, v);
    b[i.d].clear(), b[i.d].map = map;
    break;
  }
  default: assert(false && "no operation on boxes");
  }
}

// The next curve that leaves the cell in one of the directions; -1 behind the last one.
template <int W>
int Executor<W>::bend(const I& i) {
  const auto& curves = t_.program.board.curves;
  for (auto k = at(m_.numbers[i.c]); k < curves.size(); ++k)
    if (curves[k].from == m_.numbers[i.a] && m_.sets[i.b].test(curves[k].leaving)) {
      m_.numbers[i.c] = static_cast<std::int32_t>(k) + 1;
      m_.numbers[i.d] = curves[k].to;
      m_.numbers[i.d + 1u] = curves[k].heading;
      return 0;
    }
  return -1;
}

} // namespace boardwright::runtime::executor
