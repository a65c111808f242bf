// Conditions behind moves of all walkers at once that have been asked at the turn's beginning (legality.cpp):
// `step(forward, empty), require not attacked`. Who comes from a cell that the question hasn't looked at, and
// takes nothing from one, leaves the answer as it was.
#include "runtime/lowering/legality.hpp"
#include "runtime/lowering/walkers.hpp"
#include "runtime/model/forms.hpp"

#include <utility>

namespace boardwright::runtime::lowering {

// The walkers of whom that can't be said; and those who may change the answer where it was bad: by leaving or
// by coming.
std::optional<std::pair<Reg, Reg>> Lowering::who_may_matter(const Question& q, const Walkers& w) {
  Reg doubtful = none_, helpful = none_;
  bool comes = false;
  Contents own;
  for (int code = 1; code < pieces_.count(); ++code)
    if (pieces_.owner_of(static_cast<std::uint8_t>(code)) == player_) own.set(at(code));
  for (std::size_t k = 0; k < w.changes.size(); ++k) {
    const Walkers::Change& c = w.changes[k];
    if (c.names) continue;
    const Op op = node(c.action).op;
    if (op != Op::lift && op != Op::put && op != Op::remove) return std::nullopt;
    if (op == Op::lift && (w.known[k] & ~own).any())
      return std::nullopt; // of another's pieces nothing is said
    if (op == Op::put && (w.known[k] & ~q.change.before).any()) return std::nullopt;
    comes = comes || op == Op::put;
    const auto seen = carried_along(q.seen, c.place);
    const auto screens = op == Op::put ? carried_along(q.screens, c.place) : seen;
    if (!seen || !screens) return std::nullopt;
    doubtful = unite(doubtful, *screens);
    helpful = unite(helpful, *seen);
  }
  return comes ? std::optional(std::pair(doubtful, helpful)) : std::nullopt;
}

// Those for whom the condition holds for sure have made a move; the others are left.
void Lowering::take_sure_in_bulk(const Todo* todo, Walkers& w, const Draft& d) {
  if (!is_on(Form::sure_in_bulk)) return;
  if (!d.recorded || d.changes > 0 || stays_in_bulk_ || stacks()) return;
  const NodeId condition = kid(todo->action, 0);
  Question* q = nullptr;
  for (Question& known : questions_)
    if (node(condition).op == Op::negation && same(known.node, kid(condition, 0))) q = &known;
  if (q == nullptr) return;
  Draft seen = d;
  seen.here = make_cell(static_cast<Reg>(layout_.draft_numbers), w.contents);
  Emitter::Attempt attempt(e_);
  const auto who = who_may_matter(*q, w);
  if (!who || !is_left_open(todo->next, seen)) return attempt.give_up();
  q->used = true;
  const Reg left = e_.new_set();
  const Label attacked = e_.label(), past = e_.label();
  e_.emit(Ir::set_copy, left, w.set);
  e_.emit(Ir::if_not_equal, 0, q->answer, e_.number_constant(0), 0, attacked);
  {
    const Emitter::Scope scope(e_);
    Walkers sure = w;
    sure.set = minus(w.set, who->first);
    end_bulk(sure, d);
    e_.emit(Ir::set_meet, left, left, who->first);
    e_.go(past);
  }
  e_.place(attacked);
  e_.emit(Ir::set_meet, left, left, who->second);
  e_.place(past);
  w.set = left;
}

} // namespace boardwright::runtime::lowering
