// Repetitions of one round or none: two ways, without calls.
#include "runtime/lowering/lowering.hpp"

#include <utility>

namespace boardwright::runtime::lowering {

// Its choices are those of rounds: whether there is another one.
void Lowering::search_perhaps(const Todo* todo, const Draft& d) {
  const NodeId body = kid(todo->action, 0);
  std::optional<std::size_t> shared;
  const Todo* after = share(todo->next, d, 2, {body}, shared);
  ways({0, 1}, d, [&](std::size_t way, Draft e) {
    if (way == 0) return act(after, std::move(e));
    Continuation then;
    then.after = todo->next;
    then.reads = {body};
    then.go = [&](Draft f) {
      if (!f.decided) record(f, std::int32_t{0});
      act(after, std::move(f));
    };
    const Label past = e_.label();
    ask_carried(body, e, past);
    act_then(body, std::move(e), then);
    e_.place(past);
  });
  compile_shared(shared);
}

void Lowering::play_perhaps(const Todo* todo, const Draft& d) {
  if (given_constant() == 0) return act(todo->next, d);
  const NodeId body = kid(todo->action, 0);
  Continuation then;
  then.after = todo->next;
  then.reads = {body};
  then.go = [&](Draft f) {
    if (!f.decided) (void)given_constant();
    act(todo->next, std::move(f));
  };
  act_then(body, d, then);
}

} // namespace boardwright::runtime::lowering
