// Repetition.
#include "runtime/normalize/loops.hpp"
#include "runtime/model/idioms.hpp"
#include "runtime/normalize/sequences.hpp"

#include <algorithm>
#include <limits>

namespace boardwright::runtime::normal {

// A{1} = A: after its one round a loop stops in any case. A{0} does nothing. A{0 .. 1}!: the round, or
// nothing where it has no outcome. More rounds than allowed are none. Rounds that do nothing lead nowhere
// else; without a first round there is no second. Only loops without an upper bound compare drafts, so only
// they need a frame.
TermId rewritten_repeat(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  const bool unbounded = (t.a & kUnbounded) != 0, until = (t.a & kUntil) != 0,
             maximal = (t.a & kMaximal) != 0;
  const auto low = rw.number_of(t.kids[1]);
  const auto high = unbounded ? std::nullopt : rw.number_of(t.kids[2]);
  const TermId body = t.kids[0];
  if (low && *low < 0) {
    Terms kids = t.kids;
    kids[1] = rw.terms.number(0, rw.at(kids[1]).origin);
    return rw.terms.with_kids(id, std::move(kids));
  }
  if (until && rw.is_truth(t.kids.back(), false)) {
    Terms kids(t.kids.begin(), t.kids.end() - 1);
    return rw.terms.make(t.op, t.type, std::move(kids), t.a & ~kUntil, t.b, t.origin);
  }
  if (high && low) {
    if (*high < *low) return rw.terms.never(t.origin);
    if (*high == 0) return rw.terms.nothing(t.origin);
    if (*high == 1 && *low == 1) return body;
    if (*high == 1 && *low == 0 && maximal && !until)
      return rewritten_otherwise(
          rw, rw.terms.make(Op::otherwise, Type::action, {body, rw.terms.nothing(t.origin)}, 0, 0, t.origin),
          c);
  }
  const bool known_bounds = low && (unbounded || high);
  if (known_bounds && rw.is(body, Op::never)) return *low == 0 ? rw.terms.nothing(t.origin) : body;
  if (known_bounds && rw.is_nothing(body) && !maximal && !until && !c.counted) return body;
  if (!unbounded && !rw.terms.frame_of(t).empty())
    return rw.terms.make(t.op, t.type, t.kids, t.a, rw.terms.frame({}), t.origin);
  return id;
}

// A, A{n ..} = A{n+1 ..}: the path on which a loop without a bound drops what comes back begins when the
// lower bound is reached, on both sides behind the same round. A, A{n .. m} = A{n+1 .. m+1}. Not with
// `until`, which asks after the first round too. Names that A binds must be unread afterwards: those in the
// loop end with it.
bool join_loops(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::join_loops)) return false;
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  for (std::size_t i = 1; i < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    if (t.op != Op::repeat || (t.a & kUntil) != 0) continue;
    const bool unbounded = (t.a & kUnbounded) != 0;
    const auto low = rw.number_of(t.kids[1]), high = unbounded ? low : rw.number_of(t.kids[2]);
    if (!low || !high || *low < 0 || *high < *low || *high == kMost) continue;
    const Terms body = items_of(rw, t.kids[0]);
    if (body.empty() || body.size() > i) continue;
    const std::size_t first = i - body.size();
    const Terms once(items.begin() + static_cast<std::ptrdiff_t>(first),
                     items.begin() + static_cast<std::ptrdiff_t>(i));
    const TermId round = sequence_of(rw, once, t.origin);
    const Slots bound = rw.at(round).slots_bound;
    if (!rw.terms.same(round, t.kids[0]) || overlap(bound, later_than(rw, items, i, before[i]))) continue;
    Terms kids = t.kids;
    kids[1] = rw.terms.number(*low + 1, rw.at(kids[1]).origin);
    if (!unbounded) kids[2] = rw.terms.number(*high + 1, rw.at(kids[2]).origin);
    items[i] = rw.terms.with_kids(items[i], std::move(kids));
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(first),
                items.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

} // namespace boardwright::runtime::normal
