// What is done by all walkers at once and only noted (bulk.cpp): variables that are set, choices among
// constants. And which walkers a set of cells has come along with.
#include "runtime/lowering/walkers.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

// The walkers that have come from cells of a set: `place` says of each where from.
std::optional<Reg> Lowering::carried_along(Reg set, const std::vector<std::int16_t>& place) {
  std::optional<int> shift;
  CellSet from;
  for (std::size_t c = 0; c < place.size(); ++c) {
    if (place[c] == kNowhere) continue;
    const int by = static_cast<int>(c) - place[c];
    if (shift.value_or(by) != by) return std::nullopt;
    shift = by;
    from.set(place[c]);
  }
  if (!shift) return none_;
  if (*shift == 0) return meet(set, e_.set_constant(from));
  return e_.set_value(Ir::set_shift, set, e_.set_constant(from), 0, *shift);
}

// What only sets a variable, or says that the mover goes on, is left for later: nothing that comes next asks.
void Lowering::set_in_bulk(const Todo* todo, Walkers w, Draft d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  bool asked = !d.recorded || (n.op == Op::set_variable && !harmless(kid(id, 0)));
  for (const Todo* t = todo->next; t != nullptr && n.op == Op::set_variable; t = t->next)
    asked = asked || t->then != nullptr || contains_variable(t->action, n.a);
  if (asked) return one_by_one(todo, std::move(w), std::move(d));
  w.changes.push_back({id, everywhere(), true, -1});
  w.known.push_back(w.contents);
  bulk(todo->next, std::move(w), std::move(d));
}

// A member of a constant list: each in code of its own.
bool Lowering::choose_constant_in_bulk(const Todo* todo, const Walkers& w, const Draft& d) {
  if (!is_on(Form::constants_in_bulk)) return false;
  const NodeId source = kid(todo->action, 0);
  const auto slot = node(todo->action).a;
  const auto members = constant_members(source);
  if (!members || is_changed(slot)) return false;
  for (const std::int32_t member : *members) {
    const Emitter::Scope scope(e_);
    Draft e = d;
    e.locals[slot] = constant_number(member);
    record(e, member);
    bulk(todo->next, w, std::move(e));
  }
  return true;
}

} // namespace boardwright::runtime::lowering
