// What a term reads, writes and binds, how many outcomes it has, and whether it may be a fault. Where it
// isn't certain, the answer is the careful one.
#include "runtime/model/drops.hpp"
#include "runtime/normalize/term.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

void TermStore::work_out(Term& t) const {
  std::uint64_t size = 1;
  for (const TermId kid : t.kids) size += terms_[kid].size;
  t.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(size, 0xffffffff));
  work_out_slots(t);
  work_out_parts(t);
  work_out_operations(t);
  work_out_sign(t);
  work_out_faults(t);
  if (is_action(t.op)) {
    work_out_places(t);
    work_out_outcomes(t); // of a sequence its places, too
  }
}

void TermStore::work_out_slots(Term& t) const {
  for (const TermId kid : t.kids) {
    add_slots(t.slots_read, terms_[kid].slots_read);
    add_slots(t.slots_bound, terms_[kid].slots_bound);
    add_slots(t.slots_set, terms_[kid].slots_set);
  }
  const auto slot = static_cast<std::uint32_t>(t.a);
  if (names_slot(t.op) && about(t.op).binds == Binds::nothing)
    add_slots(is_action(t.op) ? t.slots_set : t.slots_read, {slot});
  for (std::int32_t i = 0; i < slots_bound_by(t.op, t.b); ++i)
    add_slots(t.slots_bound, {slot + static_cast<std::uint32_t>(i)});
}

// A value changes nothing: what an action inside it writes is forgotten.
void TermStore::work_out_parts(Term& t) const {
  t.reads = t.kids.empty() ? own_reads(t.op) : own_reads(t.op, terms_[t.kids[0]].type);
  t.writes = own_writes(t.op);
  for (std::size_t i = 0; i < t.kids.size(); ++i) {
    const Term& kid = terms_[t.kids[i]];
    t.reads |= read_through(t.op, i, kid.reads);
    if (is_action(t.op) && is_action(kid.op)) t.writes |= kid.writes;
  }
  if (t.op == Op::quietly) t.writes &= static_cast<std::uint16_t>(~kNotation);
}

namespace {

// By itself. What leaves the board is written behind the move, whatever else is.
bool writes_more_than_what_leaves(const Term& t) {
  const bool only_leaves = one_of(t.op, Op::remove, Op::move_by, Op::discard) ||
                           (t.op == Op::change && (t.b != 1 || t.kids.size() < 2));
  return (own_writes(t.op) & kNotation) != 0 && !only_leaves;
}

} // namespace

void TermStore::work_out_operations(Term& t) const {
  t.contains.add(t.op);
  for (const TermId kid : t.kids) t.contains.add(terms_[kid].contains);
  if (!is_action(t.op)) return;
  t.does.add(t.op);
  t.tells = writes_more_than_what_leaves(t);
  for (const TermId kid : t.kids) {
    t.does.add(terms_[kid].does);
    t.tells = t.tells || terms_[kid].tells;
  }
  if (t.op == Op::quietly) t.tells = false;
}

void TermStore::work_out_sign(Term& t) const {
  const auto never = [&](TermId k) { return terms_[k].never_negative; };
  switch (t.op) {
  case Op::number: t.never_negative = t.a >= 0; return;
  case Op::add:
  case Op::multiply:
  case Op::divide:
  case Op::modulo:
  case Op::least: t.never_negative = std::all_of(t.kids.begin(), t.kids.end(), never); return;
  case Op::greatest: t.never_negative = std::any_of(t.kids.begin(), t.kids.end(), never); return;
  case Op::if_value:
  case Op::by_kind:
  case Op::by_player: t.never_negative = std::all_of(t.kids.begin() + 1, t.kids.end(), never); return;
  default: t.never_negative = is_never_negative(t.op);
  }
}

// ---------------------------------------------------------------- faults

bool TermStore::drop_may_fault(const Term& t) const {
  if (t.kids.size() > 2 && !program_.board.stacks) {
    const Term& each = terms_[t.kids[2]];
    if (each.op != Op::number || each.a > 1) return true;
  }
  const Term& kind = terms_[t.kids[1]];
  return kind.op != Op::kind || kind.a < 0 || !owner_of_drop(program_, t.a, t.b, kind.a);
}

bool TermStore::hand_may_fault(const Term& t) const {
  const auto& slots = program_.hand_slot[at(t.a)];
  const Term& kind = terms_[t.kids[0]];
  if (kind.op == Op::kind) return kind.a >= 0 && slots[at(kind.a)] < 0;
  return std::any_of(slots.begin(), slots.end(), [](int slot) { return slot < 0; });
}

bool TermStore::own_fault(const Term& t) const {
  if ((about(t.op).faults & kByOperands) == 0) return false;
  switch (t.op) {
  case Op::hand: return hand_may_fault(t);
  case Op::set_hand: return terms_[t.kids[0]].op != Op::kind || terms_[t.kids[0]].a < 0 || hand_may_fault(t);
  case Op::drop: return drop_may_fault(t);
  case Op::change: return t.a != kKeepOwner || t.kids.size() > 1; // a piece without a letter
  case Op::each: {
    const Term& body = terms_[t.kids[1]];
    return body.may_fail || body.many;
  }
  default: return true; // the operands don't tell: of `no_move`, whatever the turn may be
  }
}

void TermStore::work_out_faults(Term& t) const {
  const std::uint8_t faults = about(t.op).faults;
  t.faults = own_fault(t);
  t.faults_unplaced = (faults & (kUnplaced | kUnplacedHolding)) != 0;
  t.faults_carrying = (faults & kHolding) != 0 && !program_.board.stacks;
  for (std::size_t i = 0; i < t.kids.size(); ++i) {
    const Term& kid = terms_[t.kids[i]];
    t.faults = t.faults || kid.faults;
    // `reach` begins on a cell.
    t.faults_unplaced = t.faults_unplaced || (kid.faults_unplaced && !(t.op == Op::reach && i == 1));
    t.faults_carrying = t.faults_carrying || kid.faults_carrying;
    // A second round, and what comes after the body, may meet what the first one left carried.
    if (kid.carries && (t.op == Op::repeat || t.op == Op::each || t.op == Op::most))
      t.faults = t.faults || kid.faults_carrying;
  }
}

// ---------------------------------------------------------------- outcomes

void TermStore::work_out_sequence(Term& t) const {
  bool placed = false;
  enum { as_before, empty, full } carried = as_before;
  t.faults_unplaced = t.faults_carrying = false;
  for (const TermId id : t.kids) {
    const Term& kid = terms_[id];
    t.may_fail = t.may_fail || kid.may_fail;
    t.many = t.many || kid.many;
    t.faults_unplaced = t.faults_unplaced || (kid.faults_unplaced && !placed);
    placed = placed || kid.places;
    if (kid.faults_carrying && carried == as_before) t.faults_carrying = true;
    if (kid.faults_carrying && carried == full) t.faults = true;
    if (kid.empties)
      carried = empty;
    else if (kid.carries)
      carried = full;
  }
  t.places = placed;
  t.empties = carried == empty;
  t.carries = carried == full;
}

void TermStore::work_out_outcomes(Term& t) const {
  const Outcomes outcomes = about(t.op).outcomes;
  t.may_fail = outcomes != Outcomes::once && outcomes != Outcomes::as_children;
  t.many = outcomes == Outcomes::many;
  if (group_of(t.op) == Group::joining) work_out_joined(t);
  if (group_of(t.op) == Group::pieces) work_out_carrying(t);
}

// Of actions that join others: how often they go on by their children, and what these leave carried.
void TermStore::work_out_joined(Term& t) const {
  const auto kids_from = [&](std::size_t first) {
    for (std::size_t i = first; i < t.kids.size(); ++i) {
      const Term& kid = terms_[t.kids[i]];
      t.may_fail = t.may_fail || kid.may_fail;
      t.many = t.many || kid.many;
      t.carries = t.carries || kid.carries;
    }
  };
  switch (as<JoiningOp>(t.op)) {
  case JoiningOp::sequence: work_out_sequence(t); return;
  case JoiningOp::alternatives:
  case JoiningOp::otherwise: {
    kids_from(0);
    t.may_fail = std::all_of(t.kids.begin(), t.kids.end(), [&](TermId k) { return terms_[k].may_fail; });
    if (t.op == Op::alternatives) t.many = t.many || t.kids.size() > 1;
    return;
  }
  case JoiningOp::if_action:
  case JoiningOp::by_kind_action:
  case JoiningOp::by_player_action: kids_from(1); return;
  case JoiningOp::repeat: t.carries = terms_[t.kids[0]].carries; return;
  case JoiningOp::each: t.carries = terms_[t.kids[1]].carries; return;
  case JoiningOp::most:
  case JoiningOp::distinct:
  case JoiningOp::quietly: {
    const Term& kid = terms_[t.kids[0]];
    t.may_fail = kid.may_fail, t.many = kid.many, t.carries = kid.carries, t.empties = kid.empties;
    return;
  }
  case JoiningOp::choose:
  case JoiningOp::choose_some: return;
  }
}

// Only pieces' own actions lift and lay down.
static_assert(((written_by(Group::walking) | written_by(Group::position)) & kCarried) == 0);

void TermStore::work_out_carrying(Term& t) const {
  switch (as<PiecesOp>(t.op)) {
  case PiecesOp::lift: t.carries = true; return;
  case PiecesOp::put:
  case PiecesOp::discard: // all of them, of which there are always as many as there are
    t.may_fail = !t.kids.empty();
    t.empties = t.kids.empty();
    return;
  case PiecesOp::remove:
  case PiecesOp::drop:
  case PiecesOp::change:
  case PiecesOp::move_by: return;
  }
}

// An action that needs `here`, or writes it, leaves the walker on a cell; so does one without an outcome.
void TermStore::work_out_places(Term& t) const {
  const Operation& o = about(t.op);
  t.places = (o.faults & kUnplaced) != 0 || (o.writes & kHere) != 0 || o.outcomes == Outcomes::never;
  if (group_of(t.op) != Group::joining) return;
  const auto all_place = [&](std::size_t first) {
    return t.kids.size() > first && std::all_of(t.kids.begin() + static_cast<std::ptrdiff_t>(first),
                                                t.kids.end(), [&](TermId k) { return terms_[k].places; });
  };
  switch (as<JoiningOp>(t.op)) {
  case JoiningOp::sequence: return; // see work_out_sequence
  case JoiningOp::alternatives:
  case JoiningOp::otherwise: t.places = all_place(0); return;
  case JoiningOp::if_action: t.places = t.kids.size() > 2 && all_place(1); return;
  case JoiningOp::by_kind_action:
  case JoiningOp::by_player_action: t.places = all_place(1); return;
  case JoiningOp::most:
  case JoiningOp::distinct:
  case JoiningOp::quietly: t.places = terms_[t.kids[0]].places; return;
  case JoiningOp::repeat: {
    const Term& low = terms_[t.kids[1]];
    t.places = terms_[t.kids[0]].places && low.op == Op::number && low.a > 0;
    return;
  }
  case JoiningOp::choose:
  case JoiningOp::choose_some:
  case JoiningOp::each: return;
  }
}

} // namespace boardwright::runtime::normal
