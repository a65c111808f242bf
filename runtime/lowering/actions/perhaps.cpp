// Repetitions of one round or none: two ways, without calls.
#include "runtime/lowering/actions/carried.hpp"
#include "runtime/lowering/actions/choices.hpp"
#include "runtime/lowering/actions/join_points.hpp"
#include "runtime/lowering/actions/loops.hpp"
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"

#include <utility>

namespace boardwright::runtime::lowering {

void search_perhaps(Context& cx, const Todo* todo, const AbstractDraft& d) {
  const NodeId body = cx.kid(todo->action, 0);
  std::optional<std::size_t> shared;
  const Todo* after = share(cx, todo->next, d, 2, {body}, shared);
  ways(cx, {0, 1}, d, [&](std::size_t way, AbstractDraft e) {
    if (way == 0) return act(cx, after, std::move(e));
    Continuation then;
    then.after = todo->next;
    then.reads = {body};
    then.go = [&](AbstractDraft f) {
      if (!f.decided) record(f, std::int32_t{0});
      act(cx, after, std::move(f));
    };
    const Label past = cx.e.label();
    ask_carried(cx, body, e, past);
    act_then(cx, body, std::move(e), then);
    cx.e.place(past);
  });
  compile_shared(cx, shared);
}

void play_perhaps(Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (given_constant(cx) == 0) return act(cx, todo->next, d);
  const NodeId body = cx.kid(todo->action, 0);
  Continuation then;
  then.after = todo->next;
  then.reads = {body};
  then.go = [&](AbstractDraft f) {
    if (!f.decided) (void)given_constant(cx);
    act(cx, todo->next, std::move(f));
  };
  act_then(cx, body, d, then);
}

} // namespace boardwright::runtime::lowering
