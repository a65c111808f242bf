// What is done by all walkers at once and only noted (walks/lanes.cpp): variables that are set, choices among
// constants.
#include "runtime/lowering/walks/walkers.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

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
