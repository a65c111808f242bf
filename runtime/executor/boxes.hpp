// Operations on lists, maps and directions, and on sets that depend on coordinates.
#pragma once

#include "runtime/executor/machine.hpp"
#include "runtime/model/cell_maps.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace boardwright::runtime::executor {

template <int W>
void limit_list(Machine<W>& m, const I& i, std::size_t members) {
  if (members > kMaxList) m.fail(i, "a list has more than " + std::to_string(kMaxList) + " members");
}

// The corner of a rectangle is given as y * 1024 + x, because it may be a hole.
template <int W>
[[nodiscard]] Bits<W> rectangle(const Machine<W>& m, int a, int b) {
  if (a < 0 || b < 0) return {};
  Bits<W> found;
  const auto [x1, x2] = std::minmax({a % 1024, b % 1024});
  const auto [y1, y2] = std::minmax({a / 1024, b / 1024});
  for (int y = std::max(y1, 1); y <= std::min(y2, m.tables.program.board.ranks); ++y)
    for (int x = std::max(x1, 1); x <= std::min(x2, m.tables.program.board.files); ++x)
      if (const int cell = m.tables.program.board.cell_at(x, y); cell >= 0) found.set(cell);
  return found;
}

template <int W>
[[nodiscard]] Bits<W> box(const Machine<W>& m, int a, int b, int apart) {
  if (a < 0 || b < 0 || apart < 1) return {};
  const Board& board = m.tables.program.board;
  const auto [x1, x2] = std::minmax(board.x[at(a)], board.x[at(b)]);
  const auto [y1, y2] = std::minmax(board.y[at(a)], board.y[at(b)]);
  if ((x2 - x1) % apart != 0 || (y2 - y1) % apart != 0) return {};
  // Files and ranks up to a number, without those up to another; of those that are so far apart.
  const Bits<W> files = m.tables.files_to[at(x2)] - m.tables.files_to[at(x1 - 1)];
  const Bits<W> ranks = m.tables.ranks_to[at(y2)] - m.tables.ranks_to[at(y1 - 1)];
  const int least = std::min(apart, std::max(board.files, board.ranks)); // beyond, there is one of each
  return files & ranks & m.tables.every_file[at(least)][at(x1 % least)] &
         m.tables.every_rank[at(least)][at(y1 % least)];
}

template <int W>
Bits<W> image(Machine<W>& m, const Bits<W>& set, const CellMap& map) {
  const bool only_moves = map.xx == map.over && map.yy == map.over && map.xy == 0 && map.yx == 0;
  if (only_moves && map.valid && map.over != 0) return displaced(m, set, map.dx, map.dy);
  Bits<W> found;
  m.charge(2 * at(set.count()));
  set.each([&](int cell) {
    if (const int target = m.tables.program.board.map(map, cell); target >= 0) found.set(target);
  });
  return found;
}

// Lists keep the order of first appearance.
template <int W>
void unite(Machine<W>& m, Box<W>& d, const Box<W>& a, const Box<W>& b) {
  Box<W>& all = m.scratch_box; // d may be a or b
  all = a;
  for (const std::int32_t n : b.numbers)
    if (std::find(all.numbers.begin(), all.numbers.end(), n) == all.numbers.end()) all.numbers.push_back(n);
  for (const Bits<W>& s : b.sets) all.add_set(s);
  d = all;
}

// Directions are sets of steps.
template <int W>
void steps_operation(Machine<W>& m, const I& i) {
  using ir::Op;
  auto& s = m.sets;
  const Compass& compass = m.tables.compass;
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
  case Op::steps_turned: write(compass.turned(steps(i.a), m.numbers[i.b])); break;
  case Op::steps_spins: write(compass.spun(steps(i.a))); break;
  case Op::steps_sum: write(compass.sums(steps(i.a), steps(i.b))); break;
  case Op::steps_times: write(compass.multiples(m.numbers[i.a], steps(i.b))); break;
  case Op::set_mapped: {
    const auto& to = m.code.places[at(i.x)];
    Bits<W> all;
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
void box_operation(Machine<W>& m, const I& i) {
  using ir::Op;
  const Board& board = m.tables.program.board;
  auto& b = m.boxes;
  auto& n = m.numbers;
  switch (i.op) {
  case Op::box_copy:
    m.work(b[i.a].bytes() / kBytesPerStep, i);
    b[i.d] = b[i.a];
    break;
  case Op::box_unite:
    m.work(2 * (b[i.a].bytes() + b[i.b].bytes()) / kBytesPerStep + b[i.b].numbers.size() * b[i.a].size() / 4 +
               b[i.b].sets.size() * b[i.a].size(),
           i);
    if (m.fault) break;
    unite(m, b[i.d], b[i.a], b[i.b]);
    limit_list(m, i, b[i.d].size());
    break;
  case Op::box_meet:
  case Op::box_minus: {
    Box<W>& other = m.scratch_box; // d may be a or b
    other = b[i.b];
    const bool meet = i.op == Op::box_meet;
    m.work(2 * (b[i.a].bytes() + other.bytes()) / kBytesPerStep + b[i.a].numbers.size() * other.size() / 4 +
               b[i.a].sets.size() * other.size(),
           i);
    if (m.fault) break;
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
    m.work(list.size() / 4, i);
    if (std::find(list.begin(), list.end(), n[i.a]) == list.end()) list.push_back(n[i.a]);
    limit_list(m, i, list.size());
    break;
  }
  case Op::box_add_set: {
    auto& list = b[i.d].sets;
    m.work(list.size() * W / 8, i);
    b[i.d].add_set(m.sets[i.a]);
    limit_list(m, i, list.size());
    break;
  }
  case Op::box_range: {
    const std::int64_t low = n[i.a], high = n[i.b];
    b[i.d].clear();
    if (high < low) break;
    limit_list(m, i, static_cast<std::size_t>(high - low) + 1);
    m.work(static_cast<std::uint64_t>(high - low), i);
    if (m.fault) break;
    for (std::int64_t k = low; k <= high; ++k) b[i.d].numbers.push_back(static_cast<std::int32_t>(k));
    break;
  }
  case Op::box_players: {
    b[i.d].clear();
    const int first = i.x % 256;
    const auto out = static_cast<std::uint32_t>(n[m.layout.out]);
    for (int k = i.x >= 256 ? 1 : 0; k < m.layout.players; ++k)
      if (const int player = (first + k) % m.layout.players; (out >> player & 1) == 0)
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
    m.charge(at(m.sets[i.c].count()));
    CellMap map = maps::about_middle(board, m.sets[i.c]);
    map.xx = map.yy = n[i.a];
    map.over = n[i.b];
    map.valid = map.valid && n[i.b] != 0;
    b[i.d].clear(), b[i.d].map = map;
    break;
  }
  case Op::map_rotate: {
    m.charge(at(m.sets[i.b].count()));
    const CellMap map = maps::rotated(maps::about_middle(board, m.sets[i.b]), board, n[i.a]);
    b[i.d].clear(), b[i.d].map = map;
    break;
  }
  case Op::map_reflect: {
    m.charge(at(m.sets[i.b].count()));
    maps::Vector v;
    if (const int s = m.sets[i.a].first(); s >= 0 && !m.tables.compass.is_track(s))
      v = {board.steps[at(s)].dx, board.steps[at(s)].dy};
    const CellMap map = maps::reflected(maps::about_middle(board, m.sets[i.b]), board, v);
    b[i.d].clear(), b[i.d].map = map;
    break;
  }
  default: assert(false && "no operation on boxes");
  }
}

// The next curve that leaves the cell in one of the directions; -1 behind the last one.
template <int W>
int bend(Machine<W>& m, const I& i) {
  const auto& curves = m.tables.program.board.curves;
  for (auto k = at(m.numbers[i.c]); k < curves.size(); ++k)
    if (curves[k].from == m.numbers[i.a] && m.sets[i.b].test(curves[k].leaving)) {
      m.numbers[i.c] = static_cast<std::int32_t>(k) + 1;
      m.numbers[i.d] = curves[k].to;
      m.numbers[i.d + 1u] = curves[k].heading;
      return 0;
    }
  return -1;
}

} // namespace boardwright::runtime::executor
