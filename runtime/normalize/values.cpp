// Values of any type, and numbers.
#include "runtime/normalize/values.hpp"
#include "runtime/normalize/conditions.hpp"
#include "runtime/normalize/names.hpp"
#include "runtime/normalize/sets.hpp"
#include "runtime/reference/walker.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

namespace {

TermId rewritten_before(Rewriter& rw, TermId id);
TermId unchanged(Rewriter& rw, TermId id);
TermId rewritten_let_value(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_if_value(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_extreme(Rewriter& rw, TermId id, const DraftFacts& c);

} // namespace

// ---------------------------------------------------------------- folding

namespace {

// Does the value go by nothing at all: no draft, no game, no name from outside?
bool is_closed(const Rewriter& rw, TermId id) {
  const Term& t = rw.at(id);
  if (t.reads != 0 || t.faults || t.faults_unplaced || t.faults_carrying) return false;
  return std::includes(t.slots_bound.begin(), t.slots_bound.end(), t.slots_read.begin(), t.slots_read.end());
}

} // namespace

// A closed value is what the walker says it is.
TermId folded(Rewriter& rw, TermId id) { return folded(rw, id, rw.folding_left); }

TermId folded(Rewriter& rw, TermId id, std::uint64_t& steps) {
  const Term t = rw.at(id);
  const bool written_out = t.type <= Type::player;
  if (is_constant(t.op) || is_action(t.op) || t.op == Op::text || !written_out || !is_closed(rw, id))
    return id;
  if (!rw.scratch) {
    rw.scratch = rw.program;
    rw.scratch->nodes.clear();
    rw.scratch->kids.clear();
  }
  Program& scratch = *rw.scratch;
  scratch.nodes.clear();
  scratch.kids.clear();
  const NodeId root = rw.terms.give(id, scratch);
  rw.terms.give_pools(scratch);
  const auto result = Walker(scratch).evaluate(root, rw.program.initial, steps);
  if (!result) return id;
  switch (t.type) {
  case Type::number: return rw.terms.number(result->number, t.origin);
  case Type::truth: return rw.terms.truth(result->number != 0, t.origin);
  case Type::cells: return rw.terms.cells(result->cells, t.origin);
  case Type::directions: return rw.terms.steps(result->steps, t.origin);
  default: {
    const Op op = t.type == Type::kind ? Op::kind : Op::player;
    return rw.terms.make(op, t.type, {}, static_cast<std::int32_t>(result->number), 0, t.origin);
  }
  }
}

// ---------------------------------------------------------------- any type

TermId rewritten_any(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  switch (t.op) {
  case Op::let_value: return rewritten_let_value(rw, id, c);
  case Op::if_value: return rewritten_if_value(rw, id, c);
  case Op::before: return rewritten_before(rw, id);
  case Op::by_player: // of a known player it is his child
    if (rw.is(t.kids[0], Op::player)) return t.kids[static_cast<std::size_t>(1 + rw.at(t.kids[0]).a)];
    return id;
  case Op::by_kind: return rewritten_by_kind(rw, id);
  default: return id;
  }
}

// By the kind of a piece, and in a branch again by that of the same piece: the kind is known there. (A kind
// whose body is inherited, in a variant, is such a branch.)
TermId rewritten_by_kind(Rewriter& rw, TermId id) {
  const Term t = rw.at(id);
  if (rw.is_none(t.kids[0])) return t.kids.back();
  Terms kids = t.kids;
  bool changed = false;
  for (std::size_t i = 1; i < kids.size(); ++i)
    while (rw.is(kids[i], t.op) && rw.at(kids[i]).kids.size() == kids.size() &&
           rw.terms.same(rw.kid(kids[i], 0), kids[0])) {
      kids[i] = rw.kid(kids[i], i);
      changed = true;
    }
  return changed ? rw.terms.with_kids(id, std::move(kids)) : id;
}

namespace {

// What does not go by the position is the same in that of the turn's beginning; and the position at the
// beginning is its own beginning, in which nothing has changed.
TermId rewritten_before(Rewriter& rw, TermId id) {
  const TermId x = rw.kid(id, 0);
  const TermId then = unchanged(rw, x);
  if (then != x) return rw.terms.with_kids(id, {then});
  const bool same = (rw.at(x).reads & kPosition) == 0 || rw.is(x, Op::before);
  return same ? x : id;
}

// A value where nothing has changed, or an action that changes nothing itself.
TermId unchanged(Rewriter& rw, TermId id) {
  const Term t = rw.at(id);
  if (t.op == Op::changed) return rw.terms.truth(false, t.origin);
  if ((t.writes & kPosition) != 0) return id;
  Terms kids = t.kids;
  bool any = false;
  for (TermId& part : kids) {
    const TermId now = unchanged(rw, part);
    any = any || now != part;
    part = now;
  }
  return any ? rw.terms.with_kids(id, std::move(kids)) : id;
}

// The name's value stands where the name is read, if it is the same there; an unread name goes.
TermId rewritten_let_value(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  const auto slot = static_cast<std::uint32_t>(t.a);
  const TermId x = t.kids[0], body = t.kids[1];
  if (may_fault(rw, x, c) || contains(rw.at(body).slots_set, slot)) return id;
  const int reads = rw.terms.reads_of_slot(body, slot);
  if (reads == 0) return body;
  if (!is_cheap(rw, x) && (reads > 1 || is_read_in_loop(rw, body, slot, false))) return id;
  if (!holds_at_reads(rw, body, slot, x, false)) return id;
  return value(rw, rw.terms.substituted(body, slot, x), c);
}

// Of a known condition only one branch is ever evaluated; of two equal branches the condition needs no
// asking. A negated condition gives way to the condition itself with its branches the other way round: of the
// two the smaller stands.
TermId rewritten_if_value(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  const TermId asked = t.kids[0], yes = t.kids[1], no = t.kids[2];
  if (rw.is(asked, Op::truth)) return rw.at(asked).a != 0 ? yes : no;
  if (rw.terms.same(yes, no) && !may_fault(rw, asked, c)) return yes;
  if (t.type == Type::truth) { // C and A or not C and B, where one of A, B is known
    if (rw.is_truth(yes, true)) return any_of(rw, {asked, no}, c, t.origin);
    if (rw.is_truth(no, false)) return all_of(rw, {asked, yes}, c, t.origin);
    if (rw.is_truth(yes, false)) return all_of(rw, {negation(rw, asked, c), no}, c, t.origin);
    if (rw.is_truth(no, true)) return any_of(rw, {negation(rw, asked, c), yes}, c, t.origin);
  }
  const TermId turned = negation(rw, asked, c);
  if (rw.terms.compare(turned, asked) < 0) return rw.terms.with_kids(id, {turned, no, yes});
  return id;
}

} // namespace

// ---------------------------------------------------------------- numbers

// Saturating sums and products are symmetrical, but not associative: (greatest + 1) - 1 isn't greatest + 0. 0
// and 1 are neutral; x - x is 0.
TermId rewritten_number(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  if (t.op == Op::least || t.op == Op::greatest) return rewritten_extreme(rw, id, c);
  if (t.op == Op::count) return is_single(rw, t.kids[0], c) ? rw.terms.number(1, t.origin) : id;
  if (t.op == Op::absolute || t.op == Op::negate) return id;
  if (t.kids.size() != 2 || t.op == Op::pieces) return id;
  const TermId x = t.kids[0], y = t.kids[1];
  const auto a = rw.number_of(x), b = rw.number_of(y);
  switch (t.op) {
  case Op::add:
  case Op::multiply: {
    const std::int32_t neutral = t.op == Op::add ? 0 : 1;
    if (a == neutral) return y;
    if (b == neutral) return x;
    if (t.op == Op::multiply && (a == 0 || b == 0) && !may_fault(rw, id, c))
      return rw.terms.number(0, t.origin);
    return rw.terms.compare(y, x) < 0 ? rw.terms.with_kids(id, {y, x}) : id;
  }
  case Op::subtract:
    if (b == 0) return x;
    return rw.terms.same(x, y) && !may_fault(rw, x, c) ? rw.terms.number(0, t.origin) : id;
  case Op::divide: return b == 1 ? x : id;
  default: return id;
  }
}

namespace {

// The least of numbers is associative, commutative and idempotent.
TermId rewritten_extreme(Rewriter& rw, TermId id, const DraftFacts&) {
  const Term t = rw.at(id);
  Terms kids;
  operands(rw, id, t.op, kids);
  drop_repeats(rw, kids);
  sort(rw, kids);
  if (kids.size() == 1) return kids.front();
  return rw.terms.with_kids(id, std::move(kids));
}

} // namespace

} // namespace boardwright::runtime::normal
