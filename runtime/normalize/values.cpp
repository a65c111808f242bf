// Values of any type, and numbers.
#include "runtime/normalize/normalizer.hpp"
#include "runtime/reference/walker.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

// ---------------------------------------------------------------- folding

// Does the value go by nothing at all: no draft, no game, no name from outside?
bool Normalizer::is_closed(TermId id) const {
  const Term& t = at(id);
  if (t.reads != 0 || t.faults || t.faults_unplaced || t.faults_carrying) return false;
  return std::includes(t.slots_bound.begin(), t.slots_bound.end(), t.slots_read.begin(), t.slots_read.end());
}

// A closed value is what the walker says it is.
TermId Normalizer::folded(TermId id) {
  const Term t = at(id);
  const bool written_out = t.type <= Type::player;
  if (is_constant(t.op) || is_action(t.op) || t.op == Op::text || !written_out || !is_closed(id)) return id;
  if (!scratch_) {
    scratch_ = program_;
    scratch_->nodes.clear();
    scratch_->kids.clear();
  }
  Program& scratch = *scratch_;
  scratch.nodes.clear();
  scratch.kids.clear();
  const NodeId root = s_.give(id, scratch);
  s_.give_pools(scratch);
  const auto result = Walker(scratch).evaluate(root, program_.initial, folding_);
  if (!result) return id;
  switch (t.type) {
  case Type::number: return s_.number(result->number, t.origin);
  case Type::truth: return s_.truth(result->number != 0, t.origin);
  case Type::cells: return s_.cells(result->cells, t.origin);
  case Type::directions: return s_.steps(result->steps, t.origin);
  default: {
    const Op op = t.type == Type::kind ? Op::kind : Op::player;
    return s_.make(op, t.type, {}, static_cast<std::int32_t>(result->number), 0, t.origin);
  }
  }
}

// ---------------------------------------------------------------- any type

TermId Normalizer::rewritten_any(TermId id, const Context& c) {
  const Term t = at(id);
  switch (t.op) {
  case Op::let_value: return rewritten_let_value(id, c);
  case Op::if_value: return rewritten_if_value(id, c);
  case Op::before: return rewritten_before(id);
  case Op::by_player: // of a known player it is his child
    if (is(t.kids[0], Op::player)) return t.kids[static_cast<std::size_t>(1 + at(t.kids[0]).a)];
    return id;
  case Op::by_kind: return rewritten_by_kind(id);
  default: return id;
  }
}

// By the kind of a piece, and in a branch again by that of the same piece: the kind is known there. (A kind
// whose body is inherited, in a variant, is such a branch.)
TermId Normalizer::rewritten_by_kind(TermId id) {
  const Term t = at(id);
  if (is_none(t.kids[0])) return t.kids.back();
  Terms kids = t.kids;
  bool changed = false;
  for (std::size_t i = 1; i < kids.size(); ++i)
    while (is(kids[i], t.op) && at(kids[i]).kids.size() == kids.size() && s_.same(kid(kids[i], 0), kids[0])) {
      kids[i] = kid(kids[i], i);
      changed = true;
    }
  return changed ? s_.with_kids(id, std::move(kids)) : id;
}

// What does not go by the position is the same in that of the turn's beginning; and the position at the
// beginning is its own beginning, in which nothing has changed.
TermId Normalizer::rewritten_before(TermId id) {
  const TermId x = kid(id, 0);
  const TermId then = unchanged(x);
  if (then != x) return s_.with_kids(id, {then});
  const bool same = (at(x).reads & kPosition) == 0 || is(x, Op::before);
  return same ? x : id;
}

// A value where nothing has changed, or an action that changes nothing itself.
TermId Normalizer::unchanged(TermId id) {
  const Term t = at(id);
  if (t.op == Op::changed) return s_.truth(false, t.origin);
  if ((t.writes & kPosition) != 0) return id;
  Terms kids = t.kids;
  bool any = false;
  for (TermId& part : kids) {
    const TermId now = unchanged(part);
    any = any || now != part;
    part = now;
  }
  return any ? s_.with_kids(id, std::move(kids)) : id;
}

// The name's value stands where the name is read, if it is the same there; an unread name goes.
TermId Normalizer::rewritten_let_value(TermId id, const Context& c) {
  const Term t = at(id);
  const auto slot = static_cast<std::uint32_t>(t.a);
  const TermId x = t.kids[0], body = t.kids[1];
  if (may_fault(x, c) || contains(at(body).slots_set, slot)) return id;
  const int reads = s_.reads_of_slot(body, slot);
  if (reads == 0) return body;
  if (!is_cheap(x) && (reads > 1 || is_read_in_loop(body, slot, false))) return id;
  if (!holds_at_reads(body, slot, x, false)) return id;
  return value(s_.substituted(body, slot, x), c);
}

// Of a known condition only one branch is ever evaluated; of two equal branches the condition needs no
// asking. A negated condition gives way to the condition itself with its branches the other way round: of the
// two the smaller stands.
TermId Normalizer::rewritten_if_value(TermId id, const Context& c) {
  const Term t = at(id);
  const TermId asked = t.kids[0], yes = t.kids[1], no = t.kids[2];
  if (is(asked, Op::truth)) return at(asked).a != 0 ? yes : no;
  if (s_.same(yes, no) && !may_fault(asked, c)) return yes;
  if (t.type == Type::truth) { // C and A or not C and B, where one of A, B is known
    if (is_truth(yes, true)) return any_of({asked, no}, c, t.origin);
    if (is_truth(no, false)) return all_of({asked, yes}, c, t.origin);
    if (is_truth(yes, false)) return all_of({negation(asked, c), no}, c, t.origin);
    if (is_truth(no, true)) return any_of({negation(asked, c), yes}, c, t.origin);
  }
  const TermId turned = negation(asked, c);
  if (s_.compare(turned, asked) < 0) return s_.with_kids(id, {turned, no, yes});
  return id;
}

// ---------------------------------------------------------------- numbers

// Saturating sums and products are symmetrical, but not associative: (greatest + 1) - 1 isn't greatest + 0. 0
// and 1 are neutral; x - x is 0.
TermId Normalizer::rewritten_number(TermId id, const Context& c) {
  const Term t = at(id);
  if (t.op == Op::least || t.op == Op::greatest) return rewritten_extreme(id, c);
  if (t.op == Op::count) return is_single(t.kids[0], c) ? s_.number(1, t.origin) : id;
  if (t.op == Op::absolute || t.op == Op::negate) return id;
  if (t.kids.size() != 2 || t.op == Op::pieces) return id;
  const TermId x = t.kids[0], y = t.kids[1];
  const auto a = number_of(x), b = number_of(y);
  switch (t.op) {
  case Op::add:
  case Op::multiply: {
    const std::int32_t neutral = t.op == Op::add ? 0 : 1;
    if (a == neutral) return y;
    if (b == neutral) return x;
    if (t.op == Op::multiply && (a == 0 || b == 0) && !may_fault(id, c)) return s_.number(0, t.origin);
    return s_.compare(y, x) < 0 ? s_.with_kids(id, {y, x}) : id;
  }
  case Op::subtract:
    if (b == 0) return x;
    return s_.same(x, y) && !may_fault(x, c) ? s_.number(0, t.origin) : id;
  case Op::divide: return b == 1 ? x : id;
  default: return id;
  }
}

// The least of numbers is associative, commutative and idempotent.
TermId Normalizer::rewritten_extreme(TermId id, const Context&) {
  const Term t = at(id);
  Terms kids;
  operands(id, t.op, kids);
  drop_repeats(kids);
  sort(kids);
  if (kids.size() == 1) return kids.front();
  return s_.with_kids(id, std::move(kids));
}

} // namespace boardwright::runtime::normal
