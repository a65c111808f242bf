// From the leaves up: what is known before each part, and which file's rewritings are for it.
#include "runtime/normalize/rewriter.hpp"
#include "runtime/normalize/conditions.hpp"
#include "runtime/normalize/loops.hpp"
#include "runtime/normalize/sequences.hpp"
#include "runtime/normalize/sets.hpp"
#include "runtime/normalize/values.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

namespace {

TermId with_normal_kids(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_value(Rewriter& rw, TermId id, const DraftFacts& c);
void pass_walking(const Term& t, DraftFacts& c);
DraftFacts in_loop(const Rewriter& rw, TermId body, DraftFacts c);
TermId with_normal_kids_of_action(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_action(Rewriter& rw, TermId id, const DraftFacts& c);

// Rewritings of one term in a row. Each makes it smaller or brings it into order, so that few are needed; the
// bound is for what nobody thought of.
constexpr int kMostRounds = 24;
// Terms that a program may take more than it has: room for some hundred rewritings of every part.
constexpr std::size_t kMostTerms = 1 << 20;

std::uint64_t key_of(TermId id, const DraftFacts& c) {
  const auto bit = [](bool b, int i) { return b ? std::uint64_t{1} << i : 0; };
  return std::uint64_t{id} << 32 | std::uint64_t{c.live} << 8 | bit(c.placed, 0) | bit(c.started, 1) |
         bit(c.at_start, 2) | bit(c.no_heading, 3) | bit(c.counted, 4) | bit(c.reaching, 5) |
         bit(c.empty_handed, 6);
}

void both(DraftFacts& c, const DraftFacts& other) { // what is known on either way
  c.placed = c.placed && other.placed;
  c.started = c.started && other.started;
  c.at_start = c.at_start && other.at_start;
  c.no_heading = c.no_heading && other.no_heading;
  c.empty_handed = c.empty_handed && other.empty_handed;
}

} // namespace

Rewriter::Rewriter(const Program& rules, TermStore& store)
    : program(rules), terms(store), most_terms(store.count() + kMostTerms) {
  // A name of one cell: bound to the members of a set, one after the other, and never set to anything else.
  for (TermId id = 0; id < terms.count(); ++id) {
    const Term& t = at(id);
    if (t.op == Op::set_local) add_slots(set_names, {static_cast<std::uint32_t>(t.a)});
    const bool one = t.op == Op::choose || t.op == Op::some_where || t.op == Op::select || t.op == Op::each;
    if (one && is_set(at(t.kids[0]).type)) add_slots(single_names, {static_cast<std::uint32_t>(t.a)});
    if (goes_through_bindings(t.op))
      for (std::int32_t i = 0; i < t.b; ++i)
        if (is_set(at(t.kids[static_cast<std::size_t>(2 + i)]).type))
          add_slots(single_names, {static_cast<std::uint32_t>(t.a + i)});
  }
  std::erase_if(single_names, [&](std::uint32_t s) { return contains(set_names, s); });
}

namespace {

// A name that stands for one cell, or direction.
void note_single(Rewriter& rw, std::int32_t name, TermId value, const DraftFacts& c) {
  const auto slot = static_cast<std::uint32_t>(name);
  if (is_single(rw, value, c) && !contains(rw.set_names, slot)) add_slots(rw.single_names, {slot});
}

TermId action_in(Rewriter& rw, TermId id, DraftFacts c) { return action(rw, id, c); }

} // namespace

TermId condition(Rewriter& rw, TermId id) { return value(rw, id, DraftFacts()); }

TermId turn(Rewriter& rw, TermId id) { return action_in(rw, id, DraftFacts()); }

// ---------------------------------------------------------------- questions

bool Rewriter::is_truth(TermId id, bool which) const { return is(id, Op::truth) && (at(id).a != 0) == which; }

std::optional<std::int32_t> Rewriter::number_of(TermId id) const {
  if (!is(id, Op::number)) return std::nullopt;
  return at(id).a;
}

bool Rewriter::is_none(TermId id) const {
  return (is(id, Op::cells) && terms.cells_of(id).none()) ||
         (is(id, Op::directions) && terms.steps_of(id).none());
}

bool Rewriter::is_board(TermId id) const {
  return is(id, Op::cells) && terms.cells_of(id) == program.board.all;
}

bool may_fault(const Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term& t = rw.at(id);
  return t.faults || (t.faults_carrying && !c.empty_handed) || (t.faults_unplaced && !c.placed);
}

bool any_may_fault(const Rewriter& rw, const Terms& terms, const DraftFacts& c) {
  return std::any_of(terms.begin(), terms.end(), [&](TermId t) { return may_fault(rw, t, c); });
}

// Is the set one cell, or one direction, whatever the draft?
bool is_single(const Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term& t = rw.at(id);
  switch (t.op) {
  case Op::here: return c.placed;
  case Op::start: return c.started;
  case Op::heading: return false;
  case Op::local: return is_set(t.type) && contains(rw.single_names, static_cast<std::uint32_t>(t.a));
  case Op::cells: return rw.terms.cells_of(id).count() == 1;
  case Op::directions: return rw.terms.steps_of(id).count() == 1;
  default: return false;
  }
}

bool never_negative(const Rewriter& rw, TermId id) { return rw.at(id).never_negative; }

bool writes_what_is_read(const Rewriter& rw, TermId writer, TermId reader) {
  const Term &w = rw.at(writer), &r = rw.at(reader);
  if (!is_action(w.op)) return false;
  return (w.writes & r.reads) != 0 || overlap(w.slots_set, r.slots_read) ||
         overlap(w.slots_bound, r.slots_read);
}

void sort(const Rewriter& rw, Terms& terms) {
  std::stable_sort(terms.begin(), terms.end(),
                   [&](TermId x, TermId y) { return rw.terms.compare(x, y) < 0; });
}

void drop_repeats(const Rewriter& rw, Terms& terms) {
  Terms kept;
  for (const TermId t : terms)
    if (std::none_of(kept.begin(), kept.end(), [&](TermId k) { return rw.terms.same(k, t); }))
      kept.push_back(t);
  terms = std::move(kept);
}

// ---------------------------------------------------------------- values

TermId make(Rewriter& rw, Op op, Type type, Terms kids, const DraftFacts& c, std::uint32_t origin,
            std::int32_t a, std::int32_t b) {
  return rewritten_value(rw, rw.terms.make(op, type, std::move(kids), a, b, origin), c);
}

TermId value(Rewriter& rw, TermId id, const DraftFacts& c) {
  const std::uint64_t key = key_of(id, c);
  if (const auto known = rw.becomes.find(key); known != rw.becomes.end()) return known->second;
  TermId result = with_normal_kids(rw, id, c);
  result = rewritten_value(rw, result, c);
  rw.becomes.insert_or_assign(key, result);
  return result;
}

namespace {

TermId with_normal_kids(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Op op = rw.at(id).op;
  Terms kids = rw.at(id).kids;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    if (!is_action(rw.at(kids[i]).op)) {
      if (!rw.is(kids[i], Op::text)) kids[i] = value(rw, kids[i], c);
      if (i == 0 && op == Op::let_value) note_single(rw, rw.at(id).a, kids[0], c);
      continue;
    }
    DraftFacts inner = c; // `can`, `reach`: what comes after doesn't matter
    inner.counted = false;
    inner.live = 0;
    inner.later.clear();
    if (op == Op::reach) {
      inner.placed = inner.no_heading = inner.reaching = true;
      inner.at_start = false;
      inner.live = kHere;
    }
    kids[i] = action(rw, kids[i], inner);
  }
  return rw.terms.with_kids(id, std::move(kids));
}

TermId rewritten_by_group(Rewriter& rw, TermId id, const DraftFacts& c) {
  switch (group_of(rw.at(id).op)) {
  case Group::any: return rewritten_any(rw, id, c);
  case Group::number: return rewritten_number(rw, id, c);
  case Group::truth: return rewritten_truth(rw, id, c);
  case Group::set:
  case Group::cells: return rewritten_set(rw, id, c);
  case Group::directions:
  case Group::name:
  case Group::list:
  case Group::map:
  case Group::joining:
  case Group::walking:
  case Group::pieces:
  case Group::position:
  case Group::text: return id;
  }
  return id;
}

TermId rewritten_value(Rewriter& rw, TermId id, const DraftFacts& c) {
  for (int round = 0; round < kMostRounds && !rw.is_exhausted(); ++round) {
    const Term t = rw.at(id);
    TermId next = folded(rw, id);
    if (next != id) return next;
    if (t.op == Op::start && c.at_start)
      next = rw.terms.make(Op::here, Type::cells, {}, 0, 0, t.origin);
    else if (t.op == Op::heading && c.no_heading)
      next = none(rw, Type::directions, t.origin);
    else
      next = rewritten_by_group(rw, id, c);
    if (next == id) return id;
    id = next;
  }
  return id;
}

} // namespace

// ---------------------------------------------------------------- actions

void pass(const Rewriter& rw, TermId id, DraftFacts& c) {
  const Term& t = rw.at(id);
  const auto branches = [&](std::size_t first, bool or_none) {
    std::optional<DraftFacts> after;
    if (or_none) after = c;
    for (std::size_t i = first; i < t.kids.size(); ++i) {
      DraftFacts branch = c;
      pass(rw, t.kids[i], branch);
      if (after)
        both(*after, branch);
      else
        after = std::move(branch);
    }
    if (after) c = std::move(*after);
  };
  if (group_of(t.op) == Group::walking) return pass_walking(t, c);
  if (group_of(t.op) == Group::pieces) {
    c.placed = c.placed || t.places;
    c.empty_handed = t.empties || (c.empty_handed && !t.carries);
  }
  if (group_of(t.op) != Group::joining) return;
  switch (as<JoiningOp>(t.op)) {
  case JoiningOp::sequence:
    for (const TermId k : t.kids) pass(rw, k, c);
    return;
  case JoiningOp::alternatives:
  case JoiningOp::otherwise: branches(0, false); return;
  case JoiningOp::if_action: branches(1, t.kids.size() < 3); return;
  case JoiningOp::by_kind_action:
  case JoiningOp::by_player_action: branches(1, false); return;
  case JoiningOp::repeat: {
    const bool once = rw.number_of(t.kids[1]).value_or(0) > 0;
    c = in_loop(rw, t.kids[0], c);
    if (once) pass(rw, t.kids[0], c);
    return;
  }
  case JoiningOp::each: c = in_loop(rw, t.kids[1], c); return;
  case JoiningOp::most:
  case JoiningOp::distinct:
  case JoiningOp::quietly: pass(rw, t.kids[0], c); return;
  case JoiningOp::choose:
  case JoiningOp::choose_some: return;
  }
}

// All others leave the walker where it is.
static_assert(((written_by(Group::pieces) | written_by(Group::position)) & kWalker) == 0);

namespace {

void pass_walking(const Term& t, DraftFacts& c) {
  switch (as<WalkingOp>(t.op)) {
  case WalkingOp::from: c.placed = c.started = c.at_start = c.no_heading = true; return;
  case WalkingOp::to:
    c.placed = c.no_heading = true;
    c.at_start = false;
    return;
  case WalkingOp::go:
  case WalkingOp::bend:
    c.placed = true;
    c.at_start = c.no_heading = false;
    return;
  case WalkingOp::at: c.placed = true; return;
  case WalkingOp::let:
  case WalkingOp::require:
  case WalkingOp::never: return;
  }
}

// What is known before every round: what was known before the first, and no round can change.
DraftFacts in_loop(const Rewriter& rw, TermId body, DraftFacts c) {
  const Term& t = rw.at(body);
  c.at_start = c.at_start && (t.writes & (kHere | kStart)) == 0;
  c.no_heading = c.no_heading && (t.writes & kHeading) == 0;
  c.empty_handed = c.empty_handed && !t.carries;
  return c;
}

} // namespace

TermId action(Rewriter& rw, TermId id, DraftFacts& c) {
  const DraftFacts before = c;
  const bool known_later = overlap(before.later, rw.at(id).slots_bound);
  const std::uint64_t key = key_of(id, before);
  if (!known_later)
    if (const auto known = rw.becomes.find(key); known != rw.becomes.end()) {
      pass(rw, known->second, c);
      return known->second;
    }
  TermId result = id;
  for (int round = 0; round < kMostRounds && !rw.is_exhausted(); ++round) {
    TermId next = rw.is(result, Op::sequence) ? sequence(rw, result, before)
                                              : with_normal_kids_of_action(rw, result, before);
    if (!rw.is(next, Op::sequence)) next = rewritten_action(rw, next, before);
    if (next == result) break;
    result = next;
  }
  if (!known_later) rw.becomes.insert_or_assign(key, result);
  pass(rw, result, c);
  return result;
}

namespace {

TermId with_normal_kids_of_action(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  Terms kids = t.kids;
  DraftFacts inner = c;
  const auto each_by_itself = [&] {
    for (TermId& k : kids) {
      if (rw.is(k, Op::text)) continue;
      k = is_action(rw.at(k).op) ? action_in(rw, k, c) : value(rw, k, c);
    }
    return rw.terms.with_kids(id, std::move(kids));
  };
  if (group_of(t.op) != Group::joining) return each_by_itself();
  switch (as<JoiningOp>(t.op)) {
  case JoiningOp::repeat: {
    for (std::size_t i = 1; i < kids.size(); ++i)
      if (i < 2 || (t.a & kUnbounded) == 0)
        if (!((t.a & kUntil) != 0 && i + 1 == kids.size())) kids[i] = value(rw, kids[i], c);
    inner = in_loop(rw, kids[0], c);
    const Term& body = rw.at(kids[0]);
    inner.live |= static_cast<std::uint16_t>(body.reads & kWalker);
    if ((t.a & kUnbounded) != 0 && !c.reaching) inner.live |= kWalker; // drafts are compared
    if ((t.a & kUntil) != 0) {
      inner.live |= static_cast<std::uint16_t>(rw.at(kids.back()).reads & kWalker);
      add_slots(inner.later, rw.at(kids.back()).slots_read);
    }
    kids[0] = action(rw, kids[0], inner);
    if ((t.a & kUntil) != 0) kids.back() = value(rw, kids.back(), inner);
    return rw.terms.with_kids(id, std::move(kids));
  }
  case JoiningOp::each:
    kids[0] = value(rw, kids[0], c);
    inner = in_loop(rw, kids[1], c);
    inner.live |= static_cast<std::uint16_t>(rw.at(kids[1]).reads & kWalker);
    inner.counted = true;
    kids[1] = action(rw, kids[1], inner);
    return rw.terms.with_kids(id, std::move(kids));
  case JoiningOp::most:
    inner.live |= static_cast<std::uint16_t>(rw.at(kids[1]).reads & kWalker);
    add_slots(inner.later, rw.at(kids[1]).slots_read);
    kids[0] = action(rw, kids[0], inner);
    kids[1] = value(rw, kids[1], inner);
    return rw.terms.with_kids(id, std::move(kids));
  case JoiningOp::distinct: {
    const Slots frame = rw.terms.frame_of(t);
    inner.live |= kWalker;
    add_slots(inner.later, frame);
    kids[0] = action(rw, kids[0], inner);
    return rw.terms.with_kids(id, std::move(kids));
  }
  case JoiningOp::sequence:
  case JoiningOp::alternatives:
  case JoiningOp::otherwise:
  case JoiningOp::if_action:
  case JoiningOp::choose:
  case JoiningOp::choose_some:
  case JoiningOp::quietly:
  case JoiningOp::by_kind_action:
  case JoiningOp::by_player_action: return each_by_itself();
  }
  return id;
}

TermId rewritten_action(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  switch (t.op) {
  case Op::alternatives: return rewritten_alternatives(rw, id, c);
  case Op::otherwise: return rewritten_otherwise(rw, id, c);
  case Op::repeat: return rewritten_repeat(rw, id, c);
  case Op::if_action: return rewritten_if_action(rw, id, c);
  case Op::by_player_action:
    if (rw.is(t.kids[0], Op::player)) return t.kids[static_cast<std::size_t>(1 + rw.at(t.kids[0]).a)];
    return id;
  case Op::by_kind_action: return rewritten_by_kind(rw, id);
  case Op::quietly:
    // A body that writes nothing needs no silence. (What waits to be written is part of the notation.)
    if ((rw.at(t.kids[0]).writes & kNotation) == 0) return t.kids[0];
    return id;
  case Op::from:
  case Op::to:
  case Op::go:
  case Op::bend:
  case Op::choose:
    // Of nothing there is no member to go on with.
    return rw.is_none(t.kids[0]) && (c.placed || !t.faults_unplaced) ? rw.terms.never(t.origin) : id;
  case Op::at:
  case Op::require:
  case Op::let: {
    Terms items{id};
    if (!rewrite_items(rw, items, c)) return id;
    return sequence_of(rw, std::move(items), t.origin);
  }
  case Op::remove: return rw.is_none(t.kids[0]) ? rw.terms.nothing(t.origin) : id;
  default: return id;
  }
}

} // namespace

} // namespace boardwright::runtime::normal
