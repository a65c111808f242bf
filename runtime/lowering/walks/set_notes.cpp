// What is done by all walkers at once and only noted (walks/set_at_a_time.cpp): variables that are set,
// choices among constants.
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/walks/set_at_a_time.hpp"
#include "runtime/lowering/walks/walkers.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

void set_set_at_a_time(Context& cx, const Todo* todo, Walkers w, AbstractDraft d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  bool asked = !d.recorded || (n.op == Op::set_variable && !cx.facts.harmless(cx.kid(id, 0)));
  for (const Todo* t = todo->next; t != nullptr && n.op == Op::set_variable; t = t->next)
    asked = asked || t->then != nullptr || cx.facts.contains_variable(t->action, n.a);
  if (asked) return one_by_one(cx, todo, std::move(w), std::move(d));
  w.changes.push_back({id, everywhere(cx), true, -1});
  w.known.push_back(w.contents);
  act_set_at_a_time(cx, todo->next, std::move(w), std::move(d));
}

bool choose_constant_set_at_a_time(Context& cx, const Todo* todo, const Walkers& w, const AbstractDraft& d) {
  if (!is_on(Idiom::constants_set_at_a_time)) return false;
  const NodeId source = cx.kid(todo->action, 0);
  const auto slot = cx.node(todo->action).a;
  const auto members = cx.facts.constant_members(source);
  if (!members || cx.facts.is_changed(slot)) return false;
  for (const std::int32_t member : *members) {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    e.locals[slot] = constant_number(cx, member);
    record(e, member);
    act_set_at_a_time(cx, todo->next, w, std::move(e));
  }
  return true;
}

} // namespace boardwright::runtime::lowering
