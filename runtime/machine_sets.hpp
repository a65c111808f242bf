// Sets of cells and directions, and maps between cells.
#pragma once

#include "runtime/machine_values.hpp"

namespace boardwright::runtime::machine {

template <int W>
typename Machine<W>::Set Machine<W>::set_anew(const Expr& e, const Regs& r) {
  const auto single = [](int member) { return member < 0 ? Set() : kSingles<W>[at(member)]; };
  const auto numbered = [&](const std::vector<Set>& lines) {
    const std::int32_t n = number(*e.c0, r);
    return n >= 1 && at(n) < lines.size() ? lines[at(n)] : Set();
  };
  switch (e.op) {
  case Op::cells:
  case Op::directions: return tables_.constants[e.constant];
  case Op::local: return slot_sets_[at(e.a)];
  case Op::let_value: return set(bound(e, r), r);
  case Op::if_value: return set(truth(*e.c0, r) ? *e.c1 : *e.c2, r);
  case Op::before: return in_beginning([&] { return set(*e.c0, r); });
  case Op::by_kind: return set(by_kind(e, r), r);
  case Op::by_player: return set(by_player(e, r), r);
  case Op::variable: return pos_->sets[at(e.a)];
  // The first operand is copied: the second may bind the slot that it lies in.
  case Op::unite: {
    Set all = view(*e.c0, r);
    return all |= view(*e.c1, r);
  }
  case Op::meet: {
    Set common = view(*e.c0, r);
    return common &= view(*e.c1, r);
  }
  case Op::minus: {
    Set left = view(*e.c0, r);
    return left -= view(*e.c1, r);
  }
  case Op::select: return select(e, r);
  case Op::owned: return owned(e);
  case Op::empty: return tables_.board - pos_->occupied;
  case Op::kind_cells: return kind_cells(number(*e.c0, r));
  case Op::here: return single(r.here);
  case Op::start: return single(r.start);
  case Op::complement: return tables_.board - view(*e.c0, r);
  case Op::rectangle: return rectangle(e, r);
  case Op::box: return box(e, r);
  case Op::first: return single(view(*e.c0, r).first());
  case Op::last: return single(view(*e.c0, r).last());
  case Op::union_of: return union_of(e, r);
  case Op::image: return image(e, r);
  case Op::reach: return reach(e, r);
  case Op::file_of: return numbered(tables_.file);
  case Op::rank_of: return numbered(tables_.rank);
  case Op::cell_numbered: {
    const std::int32_t wanted = number(*e.c0, r);
    Set found;
    for (const auto& [name, cell] : tables_.program.board.numbered)
      if (name == wanted) found.set(cell);
    return found;
  }
  case Op::heading: return single(r.heading);
  case Op::sum: return sum(e, r);
  case Op::times: return times(e, r);
  case Op::opposite: return e.c0->single ? single(first_of(e, r)) : opposites(set(*e.c0, r));
  case Op::turned: return e.c0->single ? single(first_of(e, r)) : turned(e, r);
  case Op::spins: return spins(set(*e.c0, r));
  default: fault(e.origin, "the rules are nested too deeply"); return {};
  }
}

template <int W>
int Machine<W>::first_of(const Expr& e, const Regs& r) {
  switch (e.op) {
  case Op::here: return r.here;
  case Op::start: return r.start;
  case Op::heading: return r.heading;
  case Op::local: return slots_[at(e.a)].number;
  case Op::first: return view(*e.c0, r).first();
  case Op::last: return view(*e.c0, r).last();
  case Op::opposite:
  case Op::turned: {
    if (!e.c0->single) break; // of several, the first need not become the first
    const int step = first_of(*e.c0, r);
    if (step < 0) return -1;
    return e.op == Op::opposite ? tables_.compass.opposite[at(step)]
                                : tables_.compass.turned_step(step, number(*e.c1, r));
  }
  default: break;
  }
  return set(e, r).first();
}

// Is the member in the set? Works out no more of the set than it must (so a fault in the rest may go unseen).
template <int W>
bool Machine<W>::contains(const Expr& e, int member, const Regs& r) {
  if (e.memo != nullptr) return kept_set(e, r).test(member);
  switch (e.op) {
  case Op::cells:
  case Op::directions: return tables_.constants[e.constant].test(member);
  case Op::local: return slot_sets_[at(e.a)].test(member);
  case Op::let_value: return contains(bound(e, r), member, r);
  case Op::if_value: return contains(truth(*e.c0, r) ? *e.c1 : *e.c2, member, r);
  case Op::unite: return contains(*e.c0, member, r) || contains(*e.c1, member, r);
  case Op::meet: return contains(*e.c0, member, r) && contains(*e.c1, member, r);
  case Op::minus: return contains(*e.c0, member, r) && !contains(*e.c1, member, r);
  case Op::complement: return !contains(*e.c0, member, r);
  case Op::empty: return pos_->top[at(member)] == 0;
  case Op::owned:
    if (e.a >= 0) return pos_->owner[at(e.a)].test(member);
    break;
  case Op::here: return r.here == member;
  case Op::start: return r.start == member;
  case Op::kind_cells: {
    const std::uint8_t code = pos_->top[at(member)];
    return number(*e.c0, r) == (code == 0 ? -2 : tables_.pieces.kind[code]);
  }
  case Op::variable: return pos_->sets[at(e.a)].test(member);
  default: break;
  }
  return set(e, r).test(member);
}

template <int W>
typename Machine<W>::Set Machine<W>::owned(const Expr& e) const {
  if (e.a >= 0) return pos_->owner[at(e.a)];
  if (e.a == kAnyone) return pos_->occupied;
  return pos_->occupied - pos_->owner[at(e.b)] - pos_->owner.back();
}

template <int W>
typename Machine<W>::Set Machine<W>::kind_cells(int kind) const {
  if (kind < 0) return {};
  return pos_->kind.empty() ? pos_->occupied : pos_->kind[at(kind)];
}

template <int W>
typename Machine<W>::Set Machine<W>::select(const Expr& e, const Regs& r) {
  Set from = set(*e.c0, r);
  if (e.prune != nullptr && from.any()) from = pruned(*e.prune, from, r);
  Set chosen;
  from.each([&](int member) {
    if (!spend(e.origin)) return;
    bind_member(e.a, member);
    if (truth(*e.c1, r)) chosen.set(member);
  });
  return chosen;
}

template <int W>
typename Machine<W>::Set Machine<W>::cells_between(int x1, int y1, int x2, int y2, int apart) const {
  if (x1 > x2) std::swap(x1, x2);
  if (y1 > y2) std::swap(y1, y2);
  x1 = std::max(x1, 1); // a corner written as a number may be anything
  y1 = std::max(y1, 1);
  x2 = std::min(x2, tables_.program.board.files);
  y2 = std::min(y2, tables_.program.board.ranks);
  if (x1 > x2 || y1 > y2) return {};
  const auto lines = [apart](const std::vector<Set>& line, const std::vector<Set>& lines_to, int low,
                             int high) {
    if (apart == 1) return lines_to[at(high)] - lines_to[at(low - 1)];
    Set some;
    for (int n = low; n <= high; n += apart) some |= line[at(n)];
    return some;
  };
  return lines(tables_.file, tables_.files_to, x1, x2) & lines(tables_.rank, tables_.ranks_to, y1, y2);
}

// A corner that may be a hole is written as y * 1024 + x.
template <int W>
typename Machine<W>::Set Machine<W>::rectangle(const Expr& e, const Regs& r) {
  const Board& board = tables_.program.board;
  int x[2], y[2];
  for (int i = 0; i < 2; ++i) {
    const std::int32_t fixed = i == 0 ? e.a : e.b;
    const Expr* corner = i == 0 ? e.c0 : e.c1;
    if (fixed < 0) {
      const int cell = corner == nullptr ? -1 : first_of(*corner, r);
      if (cell < 0) return {};
      x[i] = board.x[at(cell)];
      y[i] = board.y[at(cell)];
    } else {
      x[i] = fixed % 1024;
      y[i] = fixed / 1024;
    }
  }
  return cells_between(x[0], y[0], x[1], y[1], 1);
}

template <int W>
typename Machine<W>::Set Machine<W>::box(const Expr& e, const Regs& r) {
  const Board& board = tables_.program.board;
  const int a = first_of(*e.c0, r), z = first_of(*e.c1, r);
  const std::int32_t apart = e.c2 == nullptr ? 1 : number(*e.c2, r);
  if (a < 0 || z < 0 || apart < 1) return {};
  const int dx = board.x[at(z)] - board.x[at(a)], dy = board.y[at(z)] - board.y[at(a)];
  if (dx % apart != 0 || dy % apart != 0) return {};
  // A step longer than the board takes the corner alone.
  return cells_between(board.x[at(a)], board.y[at(a)], board.x[at(z)], board.y[at(z)],
                       std::min(apart, kMaxCells));
}

template <int W>
typename Machine<W>::Set Machine<W>::union_of(const Expr& e, const Regs& r) {
  const Mark m = mark();
  const Slice members = list(*e.c0, r);
  Set all;
  for (std::uint32_t i = members.begin; i < members.begin + members.size; ++i)
    all |= e.c0->type == Type::kinds ? kind_cells(numbers_[i]) : sets_[i];
  unwind(m);
  return all;
}

template <int W>
typename Machine<W>::Set Machine<W>::image(const Expr& e, const Regs& r) {
  const CellMap m = map(*e.c1, r);
  const Set from = set(*e.c0, r);
  Set found;
  const std::int16_t* to = row(*e.c1, m);
  from.each([&](int cell) {
    if (to[cell] >= 0) found.set(to[cell]);
  });
  return found;
}

// ----------------------------------------------------------------------------------------------------
// directions

template <int W>
typename Machine<W>::Set Machine<W>::sum(const Expr& e, const Regs& r) {
  const Compass& compass = tables_.compass;
  const Set a = set(*e.c0, r), b = set(*e.c1, r);
  Set found;
  a.each([&](int i) {
    b.each([&](int j) {
      if (compass.is_track(i) || compass.is_track(j)) return;
      const auto v = compass.vector_of(i), w = compass.vector_of(j);
      if (const int step = compass.step_of({v.x + w.x, v.y + w.y}); step >= 0) found.set(step);
    });
  });
  return found;
}

template <int W>
typename Machine<W>::Set Machine<W>::times(const Expr& e, const Regs& r) {
  const Compass& compass = tables_.compass;
  const std::int64_t factor = number(*e.c0, r);
  Set found;
  set(*e.c1, r).each([&](int i) {
    const auto v = compass.vector_of(i);
    if (compass.is_track(i)) return;
    if (const int step = compass.step_of({factor * v.x, factor * v.y}); step >= 0) found.set(step);
  });
  return found;
}

template <int W>
typename Machine<W>::Set Machine<W>::opposites(const Set& steps) const {
  Set found;
  steps.each([&](int step) {
    if (const int back = tables_.compass.opposite[at(step)]; back >= 0) found.set(back);
  });
  return found;
}

template <int W>
typename Machine<W>::Set Machine<W>::turned(const Expr& e, const Regs& r) {
  const Set steps = set(*e.c0, r);
  const std::int32_t degrees = number(*e.c1, r);
  Set found;
  steps.each([&](int i) {
    if (const int step = tables_.compass.turned_step(i, degrees); step >= 0) found.set(step);
  });
  return found;
}

template <int W>
typename Machine<W>::Set Machine<W>::spins(const Set& steps) const {
  Set found;
  steps.each([&](int step) {
    for (const std::int16_t spun : tables_.compass.spins[at(step)]) found.set(spun);
  });
  return found;
}

// ---------------------------------------------------------------------------------------------------- maps

template <int W>
CellMap Machine<W>::map(const Expr& e, const Regs& r) {
  switch (e.op) {
  case Op::local: return slot_maps_[at(e.a)];
  case Op::let_value: return map(bound(e, r), r);
  case Op::if_value: return map(truth(*e.c0, r) ? *e.c1 : *e.c2, r);
  case Op::before: return in_beginning([&] { return map(*e.c0, r); });
  case Op::by_kind: return map(by_kind(e, r), r);
  case Op::by_player: return map(by_player(e, r), r);
  case Op::shift: return shift(e, r);
  case Op::scale: return scaled(e, r);
  case Op::rotate: return rotated(e, r);
  case Op::reflect: return reflected(e, r);
  default: fault(e.origin, "the rules are nested too deeply"); return {};
  }
}

template <int W>
CellMap Machine<W>::shift(const Expr& e, const Regs& r) {
  const Board& board = tables_.program.board;
  const int from = first_of(*e.c0, r), to = first_of(*e.c1, r);
  CellMap m;
  if (from < 0 || to < 0) return m;
  m.valid = true;
  m.dx = board.x[at(to)] - board.x[at(from)];
  m.dy = board.y[at(to)] - board.y[at(from)];
  return m;
}

// The map that moves nothing, about the middle of the bounding box.
template <int W>
CellMap Machine<W>::about_middle(const Set& cells) const {
  const Board& board = tables_.program.board;
  CellMap m;
  int left = board.files, right = 1, bottom = board.ranks, top = 1;
  cells.each([&](int cell) {
    left = std::min(left, board.x[at(cell)]);
    right = std::max(right, board.x[at(cell)]);
    bottom = std::min(bottom, board.y[at(cell)]);
    top = std::max(top, board.y[at(cell)]);
  });
  m.valid = cells.any();
  m.px = left + right;
  m.py = bottom + top;
  return m;
}

template <int W>
CellMap Machine<W>::scaled(const Expr& e, const Regs& r) {
  CellMap m = about_middle(set(*e.c2, r));
  m.xx = m.yy = number(*e.c0, r);
  m.over = number(*e.c1, r);
  m.valid = m.valid && m.over != 0;
  return m;
}

// The columns of the matrix are where (1, 0) and (0, 1) turn to.
template <int W>
CellMap Machine<W>::rotated(const Expr& e, const Regs& r) {
  const std::int64_t unit = tables_.program.board.hexes ? 60 : 90;
  const std::int64_t degrees = divided(number(*e.c0, r), unit) * unit;
  const auto x = tables_.compass.turned({1, 0}, degrees), y = tables_.compass.turned({0, 1}, degrees);
  CellMap m = about_middle(set(*e.c1, r));
  m.xx = static_cast<std::int32_t>(x.x);
  m.xy = static_cast<std::int32_t>(y.x);
  m.yx = static_cast<std::int32_t>(x.y);
  m.yy = static_cast<std::int32_t>(y.y);
  return m;
}

// p goes to 2 <p,v> / <v,v> v - p. On hexes the axes are at 60 or 120 degrees: twice <(a,b),(c,d)> is
// 2ac + 2bd + s (ad + bc), where s is 1, or -1 where the third axis slants to the right.
template <int W>
CellMap Machine<W>::reflected(const Expr& e, const Regs& r) {
  const Board& board = tables_.program.board;
  const int along = first_of(*e.c0, r);
  CellMap m = about_middle(set(*e.c1, r));
  if (along < 0 || tables_.compass.is_track(along)) return {};
  const auto v = tables_.compass.vector_of(along);
  const std::int64_t s = !board.hexes ? 0 : board.slant_right ? -1 : 1;
  const std::int64_t square = v.x * v.x + v.y * v.y + s * v.x * v.y;
  const std::int64_t over_x = 2 * v.x + s * v.y, over_y = 2 * v.y + s * v.x;
  m.over = static_cast<std::int32_t>(square);
  m.xx = static_cast<std::int32_t>(v.x * over_x - square);
  m.xy = static_cast<std::int32_t>(v.x * over_y);
  m.yx = static_cast<std::int32_t>(v.y * over_x);
  m.yy = static_cast<std::int32_t>(v.y * over_y - square);
  return m;
}

} // namespace boardwright::runtime::machine
