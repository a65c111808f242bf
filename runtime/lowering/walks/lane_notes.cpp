// What is done by all walkers at once and only noted (walks/lanes.cpp): variables that are set, choices among
// constants.
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/walks/lanes.hpp"
#include "runtime/lowering/walks/walkers.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

void set_in_lanes(Context& cx, const Todo* todo, Walkers w, Draft d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  bool asked = !d.recorded || (n.op == Op::set_variable && !cx.facts.harmless(cx.kid(id, 0)));
  for (const Todo* t = todo->next; t != nullptr && n.op == Op::set_variable; t = t->next)
    asked = asked || t->then != nullptr || cx.facts.contains_variable(t->action, n.a);
  if (asked) return one_by_one(cx, todo, std::move(w), std::move(d));
  w.changes.push_back({id, everywhere(cx), true, -1});
  w.known.push_back(w.contents);
  act_in_lanes(cx, todo->next, std::move(w), std::move(d));
}

bool choose_constant_in_lanes(Context& cx, const Todo* todo, const Walkers& w, const Draft& d) {
  if (!is_on(Form::constants_in_bulk)) return false;
  const NodeId source = cx.kid(todo->action, 0);
  const auto slot = cx.node(todo->action).a;
  const auto members = cx.facts.constant_members(source);
  if (!members || cx.facts.is_changed(slot)) return false;
  for (const std::int32_t member : *members) {
    const Emitter::Scope scope(cx.e);
    Draft e = d;
    e.locals[slot] = constant_number(cx, member);
    record(e, member);
    act_in_lanes(cx, todo->next, w, std::move(e));
  }
  return true;
}

} // namespace boardwright::runtime::lowering
