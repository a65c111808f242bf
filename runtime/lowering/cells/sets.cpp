// Values as registers, and sets of cells.
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

// A condition stands before its opposite in the table of operations.
[[nodiscard]] Ir opposite_of(Ir op) {
  const int distance = static_cast<int>(op) - static_cast<int>(Ir::if_none);
  return static_cast<Ir>(static_cast<int>(op) + (distance % 2 == 0 ? 1 : -1));
}
static_assert(static_cast<int>(Ir::if_some) == static_cast<int>(Ir::if_none) + 1);
static_assert((static_cast<int>(Ir::if_move) - static_cast<int>(Ir::if_none)) % 2 == 1);

// What a comparison of two constants comes to.
std::optional<bool> holds_always(const Context& cx, Ir op, int a, int b) {
  if (op != Ir::if_equal && op != Ir::if_less) return std::nullopt;
  const auto x = cx.e.known_number(static_cast<Reg>(a)), y = cx.e.known_number(static_cast<Reg>(b));
  if (!x || !y) return std::nullopt;
  return op == Ir::if_equal ? *x == *y : *x < *y;
}

// A set of directions has a bit for each step: where there are more steps than bits, sets get wider.
void need_room_for_steps(Context& cx) {
  if (static_cast<int>(cx.board().steps.size()) <= cx.layout.words * 64) return;
  cx.speculation.wide = true;
  cx.recompile = true;
}

} // namespace

void test(Context& cx, Ir op, int a, int b, bool when, Label to, int c) {
  if (const auto holds = holds_always(cx, op, a, b)) {
    if (*holds == when) cx.e.go(to);
    return;
  }
  cx.e.emit(when ? op : opposite_of(op), 0, a, b, c, to);
}

void each_member(Context& cx, const AbstractValue& v, Type type,
                 const std::function<void(AbstractValue, Label)>& body) {
  if (v.is(Kind::none)) return;
  if (v.is(Kind::steps)) {
    v.steps.each([&](int step) {
      const Emitter::Scope scope(cx.e);
      const Label next = cx.e.label();
      body(make_steps(StepSet::of(step)), next);
      cx.e.place(next);
    });
    return;
  }
  const Emitter::Scope scope(cx.e);
  const Label next = cx.e.label(), past = cx.e.label();
  AbstractValue member;
  if (type == Type::cells) {
    const Reg left = cx.e.new_set(), cell = cx.e.new_number();
    cx.e.emit(Ir::set_copy, left, set_of(cx, v));
    cx.e.place(next);
    cx.e.emit(Ir::take, cell, left, 0, 0, past);
    member = make_cell(cell, v.contents);
  } else if (type == Type::directions) {
    const Reg left = cx.e.new_set(), step = cx.e.new_number();
    cx.e.emit(Ir::set_copy, left, ways_of(cx, v));
    cx.e.place(next);
    cx.e.emit(Ir::take, step, left, 0, 0, past);
    member = make_step(step);
  } else {
    const Reg index = cx.e.new_number();
    cx.e.emit(Ir::constant, index, 0, 0, 0, 0);
    cx.e.place(next);
    if (type == Type::sets) {
      const Reg r = cx.e.new_set();
      cx.e.emit(Ir::next_set, r, v.reg, index, 0, past);
      member = any_set(cx, r);
    } else {
      const Reg r = cx.e.new_number();
      cx.e.emit(Ir::next_member, r, v.reg, index, 0, past);
      member = make_number(r);
    }
  }
  {
    const Emitter::Scope inside(cx.e);
    body(member, next);
  }
  cx.e.go(next);
  cx.e.place(past);
}

AbstractValue of_type(Context& cx, Type type, Reg reg) {
  switch (type) {
  case Type::cells: return any_set(cx, reg);
  case Type::number:
  case Type::truth:
  case Type::kind:
  case Type::player: return make_number(reg);
  case Type::directions: return make_ways(reg);
  default: return make_box(reg);
  }
}

Reg new_of_type(Context& cx, Type type) {
  switch (type) {
  case Type::cells:
  case Type::directions: return cx.e.new_set();
  case Type::number:
  case Type::truth:
  case Type::kind:
  case Type::player: return cx.e.new_number();
  default: return cx.e.new_box();
  }
}

Reg set_of(Context& cx, const AbstractValue& v) {
  if (v.is(Kind::set)) return v.reg;
  if (v.is(Kind::cell)) return cx.e.set_value(Ir::set_cell, v.reg);
  return cx.no_cells;
}

Reg cell_of(Context& cx, const AbstractValue& v) {
  if (v.is(Kind::cell)) return v.reg;
  if (v.is(Kind::set)) return cx.e.number_value(Ir::first, v.reg);
  return cx.e.number_constant(-1);
}

Reg box_of(Context& cx, const AbstractValue& v) {
  if (v.is(Kind::box)) return v.reg;
  const Reg d = cx.e.new_box();
  cx.e.emit(Ir::box_clear, d);
  return d;
}

Reg ways_of(Context& cx, const AbstractValue& v) {
  need_room_for_steps(cx);
  if (v.is(Kind::ways)) return v.reg;
  if (v.is(Kind::step)) return cx.e.set_value(Ir::set_cell, v.reg);
  return v.is(Kind::steps) ? cx.e.directions(v.steps) : cx.no_cells;
}

Reg unite(Context& cx, Reg a, Reg b) {
  if (a == b || b == cx.no_cells) return a;
  if (a == cx.no_cells) return b;
  const CellSet *ka = cx.e.known_set(a), *kb = cx.e.known_set(b);
  if (ka != nullptr && kb != nullptr) return cx.e.set_constant(*ka | *kb);
  return cx.e.set_value(Ir::set_unite, std::min(a, b), std::max(a, b));
}

Reg meet(Context& cx, Reg a, Reg b) {
  if (a == b || b == cx.all_cells) return a;
  if (a == cx.all_cells) return b;
  if (a == cx.no_cells || b == cx.no_cells) return cx.no_cells;
  const CellSet *ka = cx.e.known_set(a), *kb = cx.e.known_set(b);
  if (ka != nullptr && kb != nullptr) return cx.e.set_constant(*ka & *kb);
  return cx.e.set_value(Ir::set_meet, std::min(a, b), std::max(a, b));
}

Reg minus(Context& cx, Reg a, Reg b) {
  if (b == cx.no_cells) return a;
  if (a == b || a == cx.no_cells || b == cx.all_cells) return cx.no_cells;
  const CellSet *ka = cx.e.known_set(a), *kb = cx.e.known_set(b);
  if (ka != nullptr && kb != nullptr) return cx.e.set_constant(*ka - *kb);
  return cx.e.set_value(Ir::set_minus, a, b);
}

Reg occupied(Context& cx) { return minus(cx, cx.all_cells, as_seen(cx, cx.layout.empty)); }

Reg owned(Context& cx, const Node& n) {
  switch (static_cast<Owners>(n.a)) {
  case Owners::any: return occupied(cx);
  case Owners::exactly: return as_seen(cx, static_cast<Reg>(n.b));
  case Owners::neutral:
    return cx.layout.owners > cx.players() ? as_seen(cx, static_cast<Reg>(cx.players())) : cx.no_cells;
  case Owners::others: break;
  }
  Reg all = cx.no_cells;
  for (int p = 0; p < cx.players(); ++p)
    if (p != n.b) all = unite(cx, all, as_seen(cx, static_cast<Reg>(p)));
  return all;
}

Reg kind_cells(Context& cx, int kind) {
  if (kind < 0 || kind >= cx.facts.pieces().kinds) return cx.no_cells;
  return cx.layout.kinds == 0 ? occupied(cx) : static_cast<Reg>(cx.layout.owners + kind);
}

} // namespace boardwright::runtime::lowering
