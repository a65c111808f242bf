// Choices: of a cell to start from or to go to, and of a direction.
#include "runtime/normalize/choices.hpp"
#include "runtime/model/idioms.hpp"
#include "runtime/normalize/conditions.hpp"
#include "runtime/normalize/names.hpp"
#include "runtime/normalize/sequences.hpp"
#include "runtime/normalize/sets.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

namespace {

// What follows a choice is written twice where the choice is split; more than this is not.
constexpr std::uint32_t kMostCopied = 48;
// What follows a choice among a few numbers is written once for each: at most so many terms more.
constexpr std::uint32_t kMostForNumbers = 160;

template <class Iterator>
Iterator plus(Iterator begin, std::size_t i) {
  return begin + static_cast<std::ptrdiff_t>(i);
}

bool is_simple(Op op) {
  switch (op) {
  case Op::from:
  case Op::to:
  case Op::at:
  case Op::go:
  case Op::bend:
  case Op::require:
  case Op::lift:
  case Op::put:
  case Op::say: return true;
  default: return false;
  }
}

// A list of constants: code is made for each of them.
bool is_known_list(const Rewriter& rw, TermId id) {
  const Term& list = rw.at(id);
  return list.op == Op::list && std::all_of(list.kids.begin(), list.kids.end(), [&](TermId k) {
           return rw.is(k, Op::kind) || rw.is(k, Op::number) || rw.is(k, Op::player);
         });
}

} // namespace

// choose v in S, A = A, choose v in S, where A neither reads v nor writes what S reads: an outcome of both is
// a member and an outcome of A. A must not decide, since a decided draft chooses nothing, and neither may be
// a fault that the other saves us from. A choice that nobody reads asks whether there is something to choose.
bool choose_later(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::choose_later)) return false;
  for (std::size_t i = items.size(); i-- > 0;) {
    const Term t = rw.at(items[i]);
    if (t.op != Op::choose) continue;
    const auto slot = static_cast<std::uint32_t>(t.a);
    if (may_fault(rw, items[i], before[i])) continue;
    if (!is_read_after(rw, items, i, slot, before[i]) && !is_set_after(rw, items, i, slot) &&
        !before[i].counted) {
      const TermId asked = some(rw, t.kids[0], before[i]);
      items[i] = rw.terms.make(Op::require, Type::action, {asked}, 0, 0, t.origin);
      return true;
    }
    if (i + 1 == items.size()) continue;
    const Term& next = rw.at(items[i + 1]);
    // Directions are known where code is made for each: so they are chosen first. So are members of a list of
    // constants before a cell to go to: what is dropped tells whether it can be, wherever that is.
    const bool direction = next.op == Op::choose && rw.is(next.kids[0], Op::directions) &&
                           rw.is(t.kids[0], Op::owned) && !before[i].counted;
    if (next.op == Op::to && is_known_list(rw, t.kids[0])) continue;
    if (!(is_simple(next.op) || direction) || contains(next.slots_read, slot) ||
        may_fault(rw, items[i + 1], before[i + 1]) || (next.writes & kDecision) != 0 ||
        writes_what_is_read(rw, items[i + 1], items[i]))
      continue;
    std::swap(items[i], items[i + 1]);
    return true;
  }
  return false;
}

// choose c in S, from c = from S, where `start` stands for c as long as nothing starts anew; the same of
// `to`, where `here` does while the walker stays; choose d in D, go d = go D, where nobody reads d
// afterwards.
bool choose_and_go(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::choose_and_go)) return false;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    const Term next = rw.at(items[i + 1]);
    const auto slot = static_cast<std::uint32_t>(t.a);
    const bool goes = next.op == Op::from || next.op == Op::to || next.op == Op::go || next.op == Op::bend;
    if (t.op != Op::choose || !goes || !rw.is(next.kids[0], Op::local) || rw.at(next.kids[0]).a != t.a)
      continue;
    if (!is_set(rw.at(t.kids[0]).type) || contains(before[i].later, slot) || is_set_after(rw, items, i, slot))
      continue;
    if (may_fault(rw, items[i], before[i]) || may_fault(rw, items[i + 1], before[i + 1])) continue;
    if (is_read_after(rw, items, i + 1, slot, before[i])) {
      if (next.op == Op::go || next.op == Op::bend) continue;
      const Op stands = next.op == Op::from ? Op::start : Op::here;
      const TermId by = rw.terms.make(stands, Type::cells, {}, 0, 0, next.origin);
      if (!holds_in_rest(rw, items, i + 2, slot, by)) continue;
      substitute_in_rest(rw, items, i + 2, slot, by);
    }
    items[i + 1] = rw.terms.with_kids(items[i + 1], {t.kids[0]});
    items.erase(plus(items.begin(), i));
    return true;
  }
  return false;
}

namespace {

// Does it go on as the walker has come, if it goes at all?
bool keeps_heading(const Rewriter& rw, TermId id) {
  const Term& t = rw.at(id);
  if (!is_action(t.op) || (t.writes & kHeading) == 0) return true;
  if (t.op == Op::from || t.op == Op::to || t.op == Op::bend) return false;
  if (t.op == Op::go) return rw.is(t.kids[0], Op::heading);
  return std::all_of(t.kids.begin(), t.kids.end(), [&](TermId k) { return keeps_heading(rw, k); });
}

// Where the heading is always `by`; nothing where it is asked for within walks that have one of their own.
std::optional<TermId> without_heading(Rewriter& rw, TermId id, TermId by) {
  const Term t = rw.at(id);
  if (t.op == Op::heading) return by;
  if ((t.reads & kHeading) == 0) return id;
  if (t.op == Op::reach || t.op == Op::can || t.op == Op::before) return std::nullopt;
  Terms kids = t.kids;
  for (TermId& k : kids) {
    const auto changed = without_heading(rw, k, by);
    if (!changed) return std::nullopt;
    k = *changed;
  }
  return rw.terms.with_kids(id, std::move(kids));
}

} // namespace

// go D, A(heading) = choose d in D, go d, A(d), of constant directions and as far as A goes on in them: the
// heading is the one that was gone. Of a single direction it is that.
bool name_heading(Rewriter& rw, Terms& items) {
  if (!is_on(Idiom::name_heading)) return false;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    if (t.op != Op::go || !rw.is(t.kids[0], Op::directions) || rw.terms.steps_of(t.kids[0]).none()) continue;
    const bool one = rw.terms.steps_of(t.kids[0]).count() == 1;
    const auto asks = [&](std::size_t j) { return (rw.at(items[j]).reads & kHeading) != 0; };
    std::size_t end = i + 1, last = i;
    for (; end < items.size(); ++end) {
      const bool goes = rw.is(items[end], Op::go) || rw.is(items[end], Op::bend);
      if (!goes && !keeps_heading(rw, items[end])) break;
      if (asks(end)) last = end;
      if (goes && !keeps_heading(rw, items[end])) break; // its direction is asked for before it goes
    }
    if (last == i) continue;
    const std::int32_t slot = one ? 0 : rw.terms.new_slot();
    const TermId by = one ? t.kids[0] : rw.terms.make(Op::local, Type::directions, {}, slot, 0, t.origin);
    Terms changed = items;
    bool good = true;
    for (std::size_t j = i + 1; good && j <= last; ++j) {
      const auto without = without_heading(rw, items[j], by);
      good = without.has_value();
      if (good) changed[j] = *without;
    }
    if (!good) continue;
    if (!one) {
      add_slots(rw.single_names, {static_cast<std::uint32_t>(slot)});
      changed[i] = rw.terms.make(Op::go, Type::action, {by}, 0, 0, t.origin);
      changed.insert(plus(changed.begin(), i),
                     rw.terms.make(Op::choose, Type::action, {t.kids[0]}, slot, 0, t.origin));
    }
    items = std::move(changed);
    return true;
  }
  return false;
}

namespace {

// Does an action choose a cell, or put the walker somewhere? (Walks within values are another matter.)
bool chooses_cell(const Rewriter& rw, TermId id) {
  const Term& t = rw.at(id);
  if (t.op == Op::choose || t.op == Op::choose_some) {
    const Type type = rw.at(t.kids[t.op == Op::choose_some ? 1 : 0]).type;
    if (t.op == Op::choose_some || type == Type::cells || type == Type::sets) return true;
  }
  if (t.op == Op::from || t.op == Op::to || t.op == Op::lift) return true;
  return is_action(t.op) &&
         std::any_of(t.kids.begin(), t.kids.end(), [&](TermId k) { return chooses_cell(rw, k); });
}

} // namespace

// choose c in S, A = to S, A, where `here` stands for c, if nobody asks any more where the walker is: the one
// cell that is chosen is the walker's. (Of several that are chosen none is; directions and numbers are no
// cells.)
bool choose_place(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before,
                  const std::vector<std::uint16_t>& live) {
  if (!is_on(Idiom::choose_place)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    const auto slot = static_cast<std::uint32_t>(t.a);
    if (t.op != Op::choose || rw.at(t.kids[0]).type != Type::cells || (live[i] & (kHere | kHeading)) != 0)
      continue;
    if (may_fault(rw, items[i], before[i]) || contains(before[i].later, slot) ||
        is_set_after(rw, items, i, slot))
      continue;
    bool only = true;
    for (const TermId item : items) only = only && (item == items[i] || !chooses_cell(rw, item));
    const TermId here = rw.terms.make(Op::here, Type::cells, {}, 0, 0, t.origin);
    if (!only || !holds_in_rest(rw, items, i + 1, slot, here)) continue;
    items[i] = rw.terms.make(Op::to, Type::action, {t.kids[0]}, 0, 0, t.origin);
    substitute_in_rest(rw, items, i + 1, slot, here);
    return true;
  }
  return false;
}

// Of one member there is no choice: choose v in {x} = let v = x.
bool choose_only(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::choose_only)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    if (t.op != Op::choose || !is_single(rw, t.kids[0], before[i])) continue;
    items[i] = rw.terms.make(Op::let, t.type, t.kids, t.a, 0, t.origin);
    return true;
  }
  return false;
}

// choose d in D, …, require d in F = choose d in D & F, …, where F is constant and what stands between is
// neither a fault nor decides: a choice outside of F comes to nothing.
bool narrow_choice(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::narrow_choice)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    if (t.op != Op::choose || !is_set(rw.at(t.kids[0]).type)) continue;
    const auto slot = static_cast<std::uint32_t>(t.a);
    if (is_set_after(rw, items, i, slot)) continue;
    bool only_asked = true; // between the choice and the test
    for (std::size_t j = i + 1; j < items.size(); ++j) {
      const Term test = rw.at(items[j]);
      if (test.op == Op::require && rw.is(test.kids[0], Op::within)) {
        const Term in = rw.at(test.kids[0]);
        const bool of_choice = rw.is(in.kids[0], Op::local) && rw.at(in.kids[0]).a == t.a;
        const bool fixed = is_constant(rw.at(in.kids[1]).op) || (only_asked && !rw.reads(in.kids[1], slot) &&
                                                                 !may_fault(rw, in.kids[1], before[j]));
        if (of_choice && fixed && rw.at(in.kids[1]).type == rw.at(t.kids[0]).type) {
          const TermId narrower =
              meet(rw, {t.kids[0], in.kids[1]}, before[i], rw.at(t.kids[0]).type, t.origin);
          items[i] = rw.terms.with_kids(items[i], {narrower});
          items.erase(plus(items.begin(), j));
          return true;
        }
      }
      if (may_fault(rw, items[j], before[j]) || (test.writes & kDecision) != 0) break;
      only_asked = only_asked && test.op == Op::require;
    }
  }
  return false;
}

namespace {

// The constant set that a test in the tree asks for the choice in slot.
std::optional<TermId> test_of_choice(const Rewriter& rw, TermId id, std::uint32_t slot) {
  const Term& t = rw.at(id);
  if (!contains(t.slots_read, slot)) return std::nullopt;
  if (t.op == Op::within && rw.is(t.kids[0], Op::local) &&
      rw.at(t.kids[0]).a == static_cast<std::int32_t>(slot) &&
      (rw.is(t.kids[1], Op::directions) || rw.is(t.kids[1], Op::cells)))
    return t.kids[1];
  for (const TermId k : t.kids)
    if (const auto found = test_of_choice(rw, k, slot)) return found;
  return std::nullopt;
}

TermId with_test(Rewriter& rw, TermId id, std::uint32_t slot, TermId within, bool holds) {
  const Term t = rw.at(id);
  if (!contains(t.slots_read, slot)) return id;
  if (t.op == Op::within && rw.is(t.kids[0], Op::local) &&
      rw.at(t.kids[0]).a == static_cast<std::int32_t>(slot) && rw.terms.same(t.kids[1], within))
    return rw.terms.truth(holds, t.origin);
  Terms kids = t.kids;
  for (TermId& k : kids) k = with_test(rw, k, slot, within, holds);
  return rw.terms.with_kids(id, std::move(kids));
}

} // namespace

// With names of its own, because each place of binding has a slot of its own.
TermId copy_of(Rewriter& rw, TermId id) {
  std::map<std::uint32_t, std::uint32_t> fresh;
  const TermId copy = rw.terms.copied(id, fresh);
  for (const auto& [old, slot] : fresh)
    if (contains(rw.single_names, old)) add_slots(rw.single_names, {slot});
  return copy;
}

namespace {

// choose n in list(1, 2, 3), A(n) = A(1) or A(2) or A(3), of different numbers: each is chosen once.
std::optional<TermId> for_each_number(Rewriter& rw, const Terms& items, std::size_t i, const DraftFacts& c) {
  const Term t = rw.at(items[i]);
  if (t.op != Op::choose || !rw.is(t.kids[0], Op::list) || rw.at(t.kids[0]).kids.size() < 2)
    return std::nullopt;
  const Terms numbers = rw.at(t.kids[0]).kids;
  const auto slot = static_cast<std::uint32_t>(t.a);
  std::uint32_t size = 0;
  Slots bound{slot};
  bool tested = false;
  for (std::size_t j = i + 1; j < items.size(); ++j) {
    size += rw.at(items[j]).size;
    add_slots(bound, rw.at(items[j]).slots_bound);
    tested = tested || (rw.is(items[j], Op::if_action) && rw.reads(rw.kid(items[j], 0), slot));
  }
  for (std::size_t k = 0; k < numbers.size(); ++k)
    for (std::size_t l = 0; l <= k; ++l)
      if (!rw.is(numbers[k], Op::number) || (l < k && rw.at(numbers[k]).a == rw.at(numbers[l]).a))
        return std::nullopt;
  if (!tested || size * (numbers.size() - 1) > kMostForNumbers || is_set_after(rw, items, i, slot) ||
      overlap(bound, c.later))
    return std::nullopt;
  Terms ways;
  for (const TermId number : numbers) {
    Terms way{rw.terms.make(Op::let, Type::action, {number}, t.a, 0, t.origin)};
    way.insert(way.end(), plus(items.begin(), i + 1), items.end());
    ways.push_back(sequence_of(rw, std::move(way), t.origin));
    if (ways.size() > 1) ways.back() = copy_of(rw, ways.back());
  }
  return alternatives_of(rw, std::move(ways), t.origin);
}

} // namespace

// choose d in D, A = (choose d in D & F, A where d is in F) or (choose d in D - F, A where it isn't), of
// constant D and F: every choice is in one of the two, and the answer of the test is known in both.
bool split_choice(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::split_choice)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (const auto ways = for_each_number(rw, items, i, before[i])) {
      items.resize(i);
      items.push_back(*ways);
      flatten(rw, items);
      return true;
    }
    const Term t = rw.at(items[i]);
    if (t.op != Op::choose || (!rw.is(t.kids[0], Op::directions) && !rw.is(t.kids[0], Op::cells))) continue;
    const auto slot = static_cast<std::uint32_t>(t.a);
    if (is_set_after(rw, items, i, slot)) continue;
    std::optional<TermId> asked;
    std::uint32_t size = 0;
    for (std::size_t j = i + 1; j < items.size(); ++j) {
      if (!asked) asked = test_of_choice(rw, items[j], slot);
      size += rw.at(items[j]).size;
    }
    if (!asked || size > kMostCopied) continue;
    Slots bound{slot};
    for (std::size_t j = i + 1; j < items.size(); ++j) add_slots(bound, rw.at(items[j]).slots_bound);
    if (overlap(bound, before[i].later)) continue;
    const DraftFacts none_known;
    const Type type = rw.at(t.kids[0]).type;
    const TermId in = meet(rw, {t.kids[0], *asked}, none_known, type, t.origin);
    const TermId out = minus(rw, t.kids[0], *asked, none_known);
    Terms ways;
    for (const bool holds : {true, false}) {
      if (rw.is_none(holds ? in : out)) continue;
      Terms way{rw.terms.with_kids(items[i], {holds ? in : out})};
      for (std::size_t j = i + 1; j < items.size(); ++j)
        way.push_back(with_test(rw, items[j], slot, *asked, holds));
      ways.push_back(sequence_of(rw, std::move(way), t.origin));
      if (ways.size() > 1) ways.back() = copy_of(rw, ways.back());
    }
    const TermId split = alternatives_of(rw, std::move(ways), t.origin);
    items.resize(i);
    items.push_back(split);
    flatten(rw, items);
    return true;
  }
  return false;
}

// let d = (if C then D else E), A(d) = if C then A(D) else A(E), of constant directions D and E; likewise
// where they are chosen or gone, or where the kind of a piece says which they are: A is carried out with the
// same directions on both sides, and in each branch they are known.
bool split_ways(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::split_ways)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    if ((t.op != Op::let && t.op != Op::choose && t.op != Op::go) || before[i].counted) continue;
    const Term ways = rw.at(t.kids[0]);
    Op branches = Op::never;
    if (ways.op == Op::if_value) branches = Op::if_action;
    if (ways.op == Op::by_kind) branches = Op::by_kind_action;
    if (branches == Op::never || ways.type != Type::directions ||
        !std::all_of(ways.kids.begin() + 1, ways.kids.end(),
                     [&](TermId k) { return rw.is(k, Op::directions); }))
      continue;
    const auto slot = static_cast<std::uint32_t>(t.a);
    std::size_t end = i + 1;
    if (t.op != Op::go) {
      if (contains(before[i].later, slot) || is_set_after(rw, items, i, slot)) continue;
      for (std::size_t j = i + 1; j < items.size(); ++j)
        if (rw.reads(items[j], slot)) end = j + 1;
    }
    std::uint32_t size = 0;
    Slots bound;
    for (std::size_t j = i; j < end; ++j) {
      size += rw.at(items[j]).size;
      add_slots(bound, rw.at(items[j]).slots_bound);
    }
    Slots later = before[i].later;
    for (std::size_t j = end; j < items.size(); ++j) {
      add_slots(later, rw.at(items[j]).slots_read);
      add_slots(later, rw.at(items[j]).slots_set);
    }
    if (size > kMostCopied || overlap(bound, later)) continue;
    Terms kids{ways.kids[0]};
    for (std::size_t k = 1; k < ways.kids.size(); ++k) {
      Terms way{rw.terms.with_kids(items[i], {ways.kids[k]})};
      way.insert(way.end(), plus(items.begin(), i + 1), plus(items.begin(), end));
      kids.push_back(sequence_of(rw, std::move(way), t.origin));
      if (k > 1) kids.back() = copy_of(rw, kids.back());
    }
    items[i] = rw.terms.make(branches, Type::action, std::move(kids), 0, 0, t.origin);
    items.erase(plus(items.begin(), i + 1), plus(items.begin(), end));
    return true;
  }
  return false;
}

// Where only matters where a walk gets: if here in S then A else B, C = (at S, A, C) or (at ~S, B, C). Each
// of these is a walk like others, and can be taken for all cells at once.
bool split_walks(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::split_ways)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    if (t.op != Op::if_action || !before[i].reaching || before[i].counted || !before[i].placed) continue;
    const Term condition = rw.at(t.kids[0]);
    if (condition.op != Op::within || !rw.is(condition.kids[0], Op::here)) continue;
    const TermId cells = condition.kids[1];
    if ((rw.at(cells).reads & (kHere | kHeading)) != 0 || may_fault(rw, cells, before[i])) continue;
    std::uint32_t size = 0;
    Slots bound;
    for (std::size_t j = i; j < items.size(); ++j) {
      size += rw.at(items[j]).size;
      add_slots(bound, rw.at(items[j]).slots_bound);
    }
    if (size > kMostCopied || overlap(bound, before[i].later)) continue;
    Terms ways;
    for (std::size_t k = 1; k <= 2; ++k) {
      const TermId there = k == 1 ? cells : complement(rw, cells, before[i]);
      Terms way{rw.terms.make(Op::at, Type::action, {there}, 0, 0, t.origin)};
      if (k < t.kids.size()) way.push_back(t.kids[k]);
      way.insert(way.end(), plus(items.begin(), i + 1), items.end());
      ways.push_back(sequence_of(rw, std::move(way), t.origin));
    }
    ways[1] = copy_of(rw, ways[1]);
    items[i] = alternatives_of(rw, std::move(ways), t.origin);
    items.erase(plus(items.begin(), i + 1), items.end());
    return true;
  }
  return false;
}

} // namespace boardwright::runtime::normal
