// What is known of what comes after: has it one outcome, and can it go wrong?
#include "runtime/lowering/lowering.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// A kind that is known.
std::optional<int> Lowering::kind_of(NodeId id, const Draft& d) const {
  const Node& n = node(id);
  if (n.op == Op::kind) return n.a;
  const auto known = n.op == Op::local ? d.locals.find(n.a) : d.locals.end();
  if (known == d.locals.end() || !known->second.is(Val::Kind::number)) return std::nullopt;
  return e_.known_number(known->second.reg);
}

// Has an action exactly one outcome whatever the position, and can't it go wrong? `air`: what is carried,
// before and after.
bool Lowering::certain(NodeId id, const Draft& d, Air::Kind& air, bool& has_cell) const {
  const Node& n = node(id);
  const auto kids = program_.kids_of(n);
  const auto all_harmless = [&] {
    return std::all_of(kids.begin(), kids.end(), [this](NodeId k) { return harmless(k); });
  };
  const auto letters = [&](int owner, int kind) { return pieces_.code_of(owner, kind) != 0; };
  switch (n.op) {
  case Op::sequence:
  case Op::quietly:
    return std::all_of(kids.begin(), kids.end(), [&](NodeId k) { return certain(k, d, air, has_cell); });
  case Op::if_action: {
    if (!harmless(kids[0])) return false;
    Air::Kind other = air;
    bool cell = has_cell;
    if (!certain(kids[1], d, air, has_cell)) return false;
    if (n.count > 2 && !certain(kids[2], d, other, cell)) return false;
    return other == air;
  }
  case Op::put:
    if (n.count > 0 || (stacks() && !heights_bounded_)) return false;
    if (air != Air::Kind::nothing && !has_cell) return false;
    air = Air::Kind::nothing;
    return true;
  case Op::discard:
    if (n.count > 0 || (air != Air::Kind::nothing && !has_cell)) return false;
    air = Air::Kind::nothing;
    return true;
  case Op::drop: {
    if (n.count > 2 || stacks()) return false;
    const Node& kind = node(kids[1]);
    if (kind.op != Op::kind || kind.a < 0 || !harmless(kids[0])) return false;
    const auto owner = owner_of_drop(n, kind.a);
    return owner && program_.hand_slot[at(*owner < 0 ? n.b : *owner)][at(kind.a)] < 0;
  }
  case Op::change: {
    const auto kind = n.count > 1 ? kind_of(kids[1], d) : std::nullopt;
    if (!harmless(kids[0]) || (n.count > 1 && kind.value_or(-1) < 0)) return false;
    for (int c = 1; c < pieces_.count(); ++c) {
      const int owner = n.a == kKeepOwner ? pieces_.owner_of(static_cast<std::uint8_t>(c)) : n.a;
      if (!letters(owner, kind ? *kind : pieces_.kind[at(c)])) return false;
    }
    return true;
  }
  case Op::set_hand: return has_entry(n.a, kids[0]) && harmless(kids[1]);
  case Op::each: {
    const Air::Kind before = air;
    return harmless(kids[0]) && certain(kids[1], d, air, has_cell) && air == before;
  }
  case Op::remove:
  case Op::let:
  case Op::set_local:
  case Op::set_variable:
  case Op::pass:
  case Op::again:
  case Op::say: return all_harmless();
  // What comes after isn't carried out: so what is in the air stays there.
  case Op::win:
  case Op::draw: return air == Air::Kind::nothing;
  case Op::lose: return air == Air::Kind::nothing && (players() <= 2 || n.a == player_);
  default: return false;
  }
}

bool Lowering::certain(const Todo* todo, const Draft& d) const {
  Air::Kind air = d.air.kind;
  bool has_cell = d.here.is(Kind::cell) && maybe_none_.count(d.here.reg) == 0;
  Draft known;
  known.fits = d.fits;
  for (; todo != nullptr; todo = todo->next) {
    if (todo->then != nullptr) return todo->then->is_end;
    const bool holds = mode_ == Mode::search && passing_.count(todo->action) != 0;
    if (holds && node(todo->action).op == Op::require) note_fits(program_.kid(node(todo->action), 0), known);
    if (holds || surely_fits(todo->action, known)) continue;
    if (!certain(todo->action, d, air, has_cell)) return false;
  }
  return air == Air::Kind::nothing;
}

} // namespace boardwright::runtime::lowering
