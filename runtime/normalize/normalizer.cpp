// From the leaves up: what is known before each part, and which file's rewritings are for it.
#include "runtime/normalize/normalizer.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

namespace {

// Rewritings of one term in a row. Each makes it smaller or brings it into order, so that few are needed; the
// bound is for what nobody thought of.
constexpr int kMostRounds = 24;
// Terms that a program may take more than it has: room for some hundred rewritings of every part.
constexpr std::size_t kMostTerms = 1 << 20;

std::uint64_t key_of(TermId id, const Context& c) {
  const auto bit = [](bool b, int i) { return b ? std::uint64_t{1} << i : 0; };
  return std::uint64_t{id} << 32 | std::uint64_t{c.live} << 8 | bit(c.placed, 0) | bit(c.started, 1) |
         bit(c.at_start, 2) | bit(c.no_heading, 3) | bit(c.counted, 4) | bit(c.reaching, 5) |
         bit(c.empty_handed, 6);
}

void both(Context& c, const Context& other) { // what is known on either way
  c.placed = c.placed && other.placed;
  c.started = c.started && other.started;
  c.at_start = c.at_start && other.at_start;
  c.no_heading = c.no_heading && other.no_heading;
  c.empty_handed = c.empty_handed && other.empty_handed;
}

} // namespace

Normalizer::Normalizer(const Program& program, TermStore& store)
    : program_(program), s_(store), most_terms_(store.count() + kMostTerms) {
  // A name of one cell: bound to the members of a set, one after the other, and never set to anything else.
  for (TermId id = 0; id < s_.count(); ++id) {
    const Term& t = at(id);
    if (t.op == Op::set_local) add_slots(set_, {static_cast<std::uint32_t>(t.a)});
    const bool one = t.op == Op::choose || t.op == Op::some_where || t.op == Op::select || t.op == Op::each;
    if (one && is_set(at(t.kids[0]).type)) add_slots(single_, {static_cast<std::uint32_t>(t.a)});
    if (goes_through_bindings(t.op))
      for (std::int32_t i = 0; i < t.b; ++i)
        if (is_set(at(t.kids[static_cast<std::size_t>(2 + i)]).type))
          add_slots(single_, {static_cast<std::uint32_t>(t.a + i)});
  }
  std::erase_if(single_, [&](std::uint32_t s) { return contains(set_, s); });
}

// A name that stands for one cell, or direction.
void Normalizer::note_single(std::int32_t name, TermId value, const Context& c) {
  const auto slot = static_cast<std::uint32_t>(name);
  if (is_single(value, c) && !contains(set_, slot)) add_slots(single_, {slot});
}

TermId Normalizer::condition(TermId id) { return value(id, Context()); }

TermId Normalizer::turn(TermId id) { return action_in(id, Context()); }

// ---------------------------------------------------------------- questions

bool Normalizer::is_truth(TermId id, bool which) const {
  return is(id, Op::truth) && (at(id).a != 0) == which;
}

std::optional<std::int32_t> Normalizer::number_of(TermId id) const {
  if (!is(id, Op::number)) return std::nullopt;
  return at(id).a;
}

bool Normalizer::is_none(TermId id) const {
  return (is(id, Op::cells) && s_.cells_of(id).none()) || (is(id, Op::directions) && s_.steps_of(id).none());
}

bool Normalizer::is_board(TermId id) const {
  return is(id, Op::cells) && s_.cells_of(id) == program_.board.all;
}

bool Normalizer::may_fault(TermId id, const Context& c) const {
  const Term& t = at(id);
  return t.faults || (t.faults_carrying && !c.empty_handed) || (t.faults_unplaced && !c.placed);
}

bool Normalizer::any_may_fault(const Terms& terms, const Context& c) const {
  return std::any_of(terms.begin(), terms.end(), [&](TermId t) { return may_fault(t, c); });
}

// Is the set one cell, or one direction, whatever the draft?
bool Normalizer::is_single(TermId id, const Context& c) const {
  const Term& t = at(id);
  switch (t.op) {
  case Op::here: return c.placed;
  case Op::start: return c.started;
  case Op::heading: return false;
  case Op::local: return is_set(t.type) && contains(single_, static_cast<std::uint32_t>(t.a));
  case Op::cells: return s_.cells_of(id).count() == 1;
  case Op::directions: return s_.steps_of(id).count() == 1;
  default: return false;
  }
}

bool Normalizer::never_negative(TermId id) const {
  switch (at(id).op) {
  case Op::count:
  case Op::height:
  case Op::spread:
  case Op::pieces:
  case Op::ply:
  case Op::turns:
  case Op::carried:
  case Op::repeats:
  case Op::board_repeats: return true;
  default: return false;
  }
}

bool Normalizer::writes_what_is_read(TermId writer, TermId reader) const {
  const Term &w = at(writer), &r = at(reader);
  if (!is_action(w.op)) return false;
  return (w.writes & r.reads) != 0 || overlap(w.slots_set, r.slots_read) ||
         overlap(w.slots_bound, r.slots_read);
}

void Normalizer::sort(Terms& terms) const {
  std::stable_sort(terms.begin(), terms.end(), [&](TermId x, TermId y) { return s_.compare(x, y) < 0; });
}

void Normalizer::drop_repeats(Terms& terms) const {
  Terms kept;
  for (const TermId t : terms)
    if (std::none_of(kept.begin(), kept.end(), [&](TermId k) { return s_.same(k, t); })) kept.push_back(t);
  terms = std::move(kept);
}

// ---------------------------------------------------------------- values

TermId Normalizer::make(Op op, Type type, Terms kids, const Context& c, std::uint32_t origin, std::int32_t a,
                        std::int32_t b) {
  return rewritten_value(s_.make(op, type, std::move(kids), a, b, origin), c);
}

TermId Normalizer::value(TermId id, const Context& c) {
  const std::uint64_t key = key_of(id, c);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  TermId result = with_normal_kids(id, c);
  result = rewritten_value(result, c);
  known_.insert_or_assign(key, result);
  return result;
}

TermId Normalizer::with_normal_kids(TermId id, const Context& c) {
  const Op op = at(id).op;
  Terms kids = at(id).kids;
  for (std::size_t i = 0; i < kids.size(); ++i) {
    if (!is_action(at(kids[i]).op)) {
      if (!is(kids[i], Op::text)) kids[i] = value(kids[i], c);
      if (i == 0 && op == Op::let_value) note_single(at(id).a, kids[0], c);
      continue;
    }
    Context inner = c; // `can`, `reach`: what comes after doesn't matter
    inner.counted = false;
    inner.live = 0;
    inner.later.clear();
    if (op == Op::reach) {
      inner.placed = inner.no_heading = inner.reaching = true;
      inner.at_start = false;
      inner.live = kHere;
    }
    kids[i] = action(kids[i], inner);
  }
  return s_.with_kids(id, std::move(kids));
}

TermId Normalizer::rewritten_by_group(TermId id, const Context& c) {
  switch (group_of(at(id).op)) {
  case Group::any: return rewritten_any(id, c);
  case Group::number: return rewritten_number(id, c);
  case Group::truth: return rewritten_truth(id, c);
  case Group::set:
  case Group::cells: return rewritten_set(id, c);
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

TermId Normalizer::rewritten_value(TermId id, const Context& c) {
  for (int round = 0; round < kMostRounds && !is_exhausted(); ++round) {
    const Term t = at(id);
    TermId next = folded(id);
    if (next != id) return next;
    if (t.op == Op::start && c.at_start)
      next = s_.make(Op::here, Type::cells, {}, 0, 0, t.origin);
    else if (t.op == Op::heading && c.no_heading)
      next = none(Type::directions, t.origin);
    else
      next = rewritten_by_group(id, c);
    if (next == id) return id;
    id = next;
  }
  return id;
}

// ---------------------------------------------------------------- actions

void Normalizer::pass(TermId id, Context& c) const {
  const Term& t = at(id);
  const auto branches = [&](std::size_t first, bool or_none) {
    std::optional<Context> after;
    if (or_none) after = c;
    for (std::size_t i = first; i < t.kids.size(); ++i) {
      Context branch = c;
      pass(t.kids[i], branch);
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
    for (const TermId k : t.kids) pass(k, c);
    return;
  case JoiningOp::alternatives:
  case JoiningOp::otherwise: branches(0, false); return;
  case JoiningOp::if_action: branches(1, t.kids.size() < 3); return;
  case JoiningOp::by_kind_action:
  case JoiningOp::by_player_action: branches(1, false); return;
  case JoiningOp::repeat: {
    const bool once = number_of(t.kids[1]).value_or(0) > 0;
    c = in_loop(t.kids[0], c);
    if (once) pass(t.kids[0], c);
    return;
  }
  case JoiningOp::each: c = in_loop(t.kids[1], c); return;
  case JoiningOp::most:
  case JoiningOp::distinct:
  case JoiningOp::quietly: pass(t.kids[0], c); return;
  case JoiningOp::choose:
  case JoiningOp::choose_some: return;
  }
}

// All others leave the walker where it is.
static_assert(((written_by(Group::pieces) | written_by(Group::position)) & kWalker) == 0);

void Normalizer::pass_walking(const Term& t, Context& c) {
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
Context Normalizer::in_loop(TermId body, Context c) const {
  const Term& t = at(body);
  c.at_start = c.at_start && (t.writes & (kHere | kStart)) == 0;
  c.no_heading = c.no_heading && (t.writes & kHeading) == 0;
  c.empty_handed = c.empty_handed && !t.carries;
  return c;
}

TermId Normalizer::action(TermId id, Context& c) {
  const Context before = c;
  const bool known_later = overlap(before.later, at(id).slots_bound);
  const std::uint64_t key = key_of(id, before);
  if (!known_later)
    if (const auto known = known_.find(key); known != known_.end()) {
      pass(known->second, c);
      return known->second;
    }
  TermId result = id;
  for (int round = 0; round < kMostRounds && !is_exhausted(); ++round) {
    TermId next =
        is(result, Op::sequence) ? sequence(result, before) : with_normal_kids_of_action(result, before);
    if (!is(next, Op::sequence)) next = rewritten_action(next, before);
    if (next == result) break;
    result = next;
  }
  if (!known_later) known_.insert_or_assign(key, result);
  pass(result, c);
  return result;
}

TermId Normalizer::with_normal_kids_of_action(TermId id, const Context& c) {
  const Term t = at(id);
  Terms kids = t.kids;
  Context inner = c;
  const auto each_by_itself = [&] {
    for (TermId& k : kids) {
      if (is(k, Op::text)) continue;
      k = is_action(at(k).op) ? action_in(k, c) : value(k, c);
    }
    return s_.with_kids(id, std::move(kids));
  };
  if (group_of(t.op) != Group::joining) return each_by_itself();
  switch (as<JoiningOp>(t.op)) {
  case JoiningOp::repeat: {
    for (std::size_t i = 1; i < kids.size(); ++i)
      if (i < 2 || (t.a & kUnbounded) == 0)
        if (!((t.a & kUntil) != 0 && i + 1 == kids.size())) kids[i] = value(kids[i], c);
    inner = in_loop(kids[0], c);
    const Term& body = at(kids[0]);
    inner.live |= static_cast<std::uint16_t>(body.reads & kWalker);
    if ((t.a & kUnbounded) != 0 && !c.reaching) inner.live |= kWalker; // drafts are compared
    if ((t.a & kUntil) != 0) {
      inner.live |= static_cast<std::uint16_t>(at(kids.back()).reads & kWalker);
      add_slots(inner.later, at(kids.back()).slots_read);
    }
    kids[0] = action(kids[0], inner);
    if ((t.a & kUntil) != 0) kids.back() = value(kids.back(), inner);
    return s_.with_kids(id, std::move(kids));
  }
  case JoiningOp::each:
    kids[0] = value(kids[0], c);
    inner = in_loop(kids[1], c);
    inner.live |= static_cast<std::uint16_t>(at(kids[1]).reads & kWalker);
    inner.counted = true;
    kids[1] = action(kids[1], inner);
    return s_.with_kids(id, std::move(kids));
  case JoiningOp::most:
    inner.live |= static_cast<std::uint16_t>(at(kids[1]).reads & kWalker);
    add_slots(inner.later, at(kids[1]).slots_read);
    kids[0] = action(kids[0], inner);
    kids[1] = value(kids[1], inner);
    return s_.with_kids(id, std::move(kids));
  case JoiningOp::distinct: {
    const Slots frame = s_.frame_of(t);
    inner.live |= kWalker;
    add_slots(inner.later, frame);
    kids[0] = action(kids[0], inner);
    return s_.with_kids(id, std::move(kids));
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

TermId Normalizer::rewritten_action(TermId id, const Context& c) {
  const Term t = at(id);
  switch (t.op) {
  case Op::alternatives: return rewritten_alternatives(id, c);
  case Op::otherwise: return rewritten_otherwise(id, c);
  case Op::repeat: return rewritten_repeat(id, c);
  case Op::if_action: return rewritten_if_action(id, c);
  case Op::by_player_action:
    if (is(t.kids[0], Op::player)) return t.kids[static_cast<std::size_t>(1 + at(t.kids[0]).a)];
    return id;
  case Op::by_kind_action: return rewritten_by_kind(id);
  case Op::quietly:
    // A body that writes nothing needs no silence. (What waits to be written is part of the notation.)
    if ((at(t.kids[0]).writes & kNotation) == 0) return t.kids[0];
    return id;
  case Op::from:
  case Op::to:
  case Op::go:
  case Op::bend:
  case Op::choose:
    // Of nothing there is no member to go on with.
    return is_none(t.kids[0]) && (c.placed || !t.faults_unplaced) ? s_.never(t.origin) : id;
  case Op::at:
  case Op::require:
  case Op::let: {
    Terms items{id};
    if (!rewrite_items(items, c)) return id;
    return sequence_of(std::move(items), t.origin);
  }
  case Op::remove: return is_none(t.kids[0]) ? s_.nothing(t.origin) : id;
  default: return id;
  }
}

} // namespace boardwright::runtime::normal
