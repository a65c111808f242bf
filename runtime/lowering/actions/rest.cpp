// What is known of what comes after: has it one outcome, and can it go wrong?
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/idioms/images.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/drops.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

bool drop_is_certain(const Context& cx, const Node& n, const AbstractDraft& d) {
  if (n.count > 2 || cx.stacks()) return false;
  const int kind = known_number(cx, cx.program.kid(n, 1), d).value_or(-1);
  if (kind < 0 || !cx.facts.harmless(cx.program.kid(n, 0))) return false;
  const auto owner = owner_of_drop(cx.program, n.a, n.b, kind);
  return owner && cx.program.hand_slot[at(*owner < 0 ? n.b : *owner)][at(kind)] < 0;
}

// Whatever piece it is, there is one of that kind.
bool change_is_certain(const Context& cx, const Node& n, const AbstractDraft& d) {
  const auto kind = n.count > 1 ? known_number(cx, cx.program.kid(n, 1), d) : std::nullopt;
  if (!cx.facts.harmless(cx.program.kid(n, 0)) || (n.count > 1 && kind.value_or(-1) < 0)) return false;
  const Pieces& pieces = cx.facts.pieces();
  for (int c = 1; c < pieces.count(); ++c) {
    const int owner = n.a == kKeepOwner ? pieces.owner_of(static_cast<std::uint8_t>(c)) : n.a;
    if (pieces.code_of(owner, kind ? *kind : pieces.kind[at(c)]) == 0) return false;
  }
  return true;
}

} // namespace

bool certain(const Context& cx, NodeId id, const AbstractDraft& d, Carried::Kind& carried, bool& has_cell) {
  const Node& n = cx.node(id);
  const auto kids = cx.program.kids_of(n);
  switch (n.op) {
  case Op::sequence:
  case Op::quietly:
    return std::all_of(kids.begin(), kids.end(),
                       [&](NodeId k) { return certain(cx, k, d, carried, has_cell); });
  case Op::if_action: {
    if (!cx.facts.harmless(kids[0])) return false;
    Carried::Kind other = carried;
    bool cell = has_cell;
    if (!certain(cx, kids[1], d, carried, has_cell)) return false;
    if (n.count > 2 && !certain(cx, kids[2], d, other, cell)) return false;
    return other == carried;
  }
  case Op::put:
    if (n.count > 0 || (cx.stacks() && !cx.heights_bounded)) return false;
    if (carried != Carried::Kind::nothing && !has_cell) return false;
    carried = Carried::Kind::nothing;
    return true;
  case Op::discard:
    if (n.count > 0 || (carried != Carried::Kind::nothing && !has_cell)) return false;
    carried = Carried::Kind::nothing;
    return true;
  case Op::drop: return drop_is_certain(cx, n, d);
  case Op::change: return change_is_certain(cx, n, d);
  case Op::each: {
    const Carried::Kind before = carried;
    return cx.facts.harmless(kids[0]) && certain(cx, kids[1], d, carried, has_cell) && carried == before;
  }
  case Op::set_hand:
  case Op::remove:
  case Op::let:
  case Op::set_local:
  case Op::set_variable:
  case Op::pass:
  case Op::again:
  case Op::say: return cx.facts.harmless(id);
  // What comes after isn't carried out: so what is carried stays there.
  case Op::win:
  case Op::draw: return carried == Carried::Kind::nothing;
  case Op::lose: return carried == Carried::Kind::nothing && (cx.players() <= 2 || n.a == cx.turn.player);
  default: return false;
  }
}

bool certain(const Context& cx, const Todo* todo, const AbstractDraft& d) {
  Carried::Kind carried = d.carried.kind;
  bool has_cell = d.here.is(Kind::cell) && cx.maybe_none.count(d.here.reg) == 0;
  AbstractDraft known;
  known.fits = d.fits;
  known.locals = d.locals;
  for (; todo != nullptr; todo = todo->next) {
    if (todo->then != nullptr) return todo->then->is_end;
    const bool holds = cx.mode == Mode::search && cx.passing.count(todo->action) != 0;
    if (holds && cx.node(todo->action).op == Op::require)
      note_fits(cx, cx.program.kid(cx.node(todo->action), 0), known);
    if (holds || surely_fits(cx, todo->action, known)) continue;
    if (!certain(cx, todo->action, d, carried, has_cell)) return false;
  }
  return carried == Carried::Kind::nothing;
}

} // namespace boardwright::runtime::lowering
