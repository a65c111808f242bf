// Actions that join others: sequences, alternatives, conditions.
//
// A decided draft passes every action unchanged, so behind an action that may decide nothing can be taken for
// certain to be carried out.
#include "runtime/normalize/sequences.hpp"
#include "runtime/model/idioms.hpp"
#include "runtime/normalize/ahead.hpp"
#include "runtime/normalize/choices.hpp"
#include "runtime/normalize/conditions.hpp"
#include "runtime/normalize/lines.hpp"
#include "runtime/normalize/loops.hpp"
#include "runtime/normalize/names.hpp"
#include "runtime/normalize/sets.hpp"
#include "runtime/normalize/walks.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

namespace {

bool drop_after_never(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
bool branch_to_test(Rewriter& rw, Terms& items);
bool join_tests(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
bool ask_here(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
bool walks_to_sets(Rewriter& rw, Terms& kids, const DraftFacts& c);
TermId merged(Rewriter& rw, const Terms& kids, const DraftFacts& c, std::uint32_t origin);
TermId factored(Rewriter& rw, TermId id, const DraftFacts& c);

constexpr int kMostRoundsOfSequence = 64; // of a sequence; as for one term

} // namespace

Terms items_of(const Rewriter& rw, TermId id) {
  if (rw.is(id, Op::sequence)) return rw.at(id).kids;
  return {id};
}

TermId sequence_of(Rewriter& rw, Terms items, std::uint32_t origin) {
  if (items.size() == 1) return items.front();
  return rw.terms.make(Op::sequence, Type::action, std::move(items), 0, 0, origin);
}

TermId alternatives_of(Rewriter& rw, Terms kids, std::uint32_t origin) {
  if (kids.empty()) return rw.terms.never(origin);
  if (kids.size() == 1) return kids.front();
  return rw.terms.make(Op::alternatives, Type::action, std::move(kids), 0, 0, origin);
}

namespace {

std::vector<DraftFacts> contexts(const Rewriter& rw, const Terms& items, const DraftFacts& c) {
  std::vector<DraftFacts> before;
  DraftFacts now = c;
  for (const TermId item : items) {
    before.push_back(now);
    pass(rw, item, now);
  }
  return before;
}

// Of `here`, `start` and `heading`: what may be read after each item before it is set anew.
std::vector<std::uint16_t> live_after(const Rewriter& rw, const Terms& items, const DraftFacts& c) {
  std::vector<std::uint16_t> live(items.size());
  std::uint16_t now = c.live;
  for (std::size_t i = items.size(); i-- > 0;) {
    live[i] = now;
    const Term& t = rw.at(items[i]);
    std::uint16_t set = 0;
    if (t.op == Op::from) set = kWalker;
    if (t.op == Op::to || t.op == Op::go || t.op == Op::bend) set = kHere | kHeading;
    now = static_cast<std::uint16_t>((now & ~set) | (t.reads & kWalker));
  }
  return live;
}

} // namespace

Slots later_than(const Rewriter& rw, const Terms& items, std::size_t i, const DraftFacts& c) {
  Slots later = c.later;
  for (std::size_t j = i + 1; j < items.size(); ++j) {
    add_slots(later, rw.at(items[j]).slots_read);
    add_slots(later, rw.at(items[j]).slots_set);
  }
  return later;
}

bool is_read_after(const Rewriter& rw, const Terms& items, std::size_t i, std::uint32_t slot,
                   const DraftFacts& c) {
  if (contains(c.later, slot)) return true;
  return std::any_of(items.begin() + static_cast<std::ptrdiff_t>(i) + 1, items.end(),
                     [&](TermId t) { return rw.reads(t, slot); });
}

bool is_set_after(const Rewriter& rw, const Terms& items, std::size_t i, std::uint32_t slot) {
  return std::any_of(items.begin() + static_cast<std::ptrdiff_t>(i) + 1, items.end(),
                     [&](TermId t) { return contains(rw.at(t).slots_set, slot); });
}

// ---------------------------------------------------------------- sequences

TermId sequence(Rewriter& rw, TermId id, const DraftFacts& c) {
  const std::uint32_t origin = rw.at(id).origin;
  Terms items = rw.at(id).kids;
  for (int round = 0; round < kMostRoundsOfSequence && !rw.is_exhausted(); ++round) {
    const Terms old = items;
    const auto live = live_after(rw, items, c);
    DraftFacts now = c;
    for (std::size_t i = 0; i < items.size(); ++i) {
      now.live = live[i];
      now.later = rw.at(items[i]).slots_bound.empty() ? Slots() : later_than(rw, items, i, c);
      items[i] = action(rw, items[i], now);
    }
    flatten(rw, items);
    if (!rewrite_items(rw, items, c) && items == old) break;
  }
  return items == rw.at(id).kids ? id : sequence_of(rw, std::move(items), origin);
}

bool rewrite_items(Rewriter& rw, Terms& items, const DraftFacts& c) {
  auto before = contexts(rw, items, c);
  for (std::size_t i = 0; i < items.size(); ++i) before[i].later = c.later;
  return drop_after_never(rw, items, before) || branch_to_test(rw, items) || join_tests(rw, items, before) ||
         ask_here(rw, items, before) || put_in_lets(rw, items, before) || choose_only(rw, items, before) ||
         choose_later(rw, items, before) || choose_and_go(rw, items, before) || name_heading(rw, items) ||
         start_first(rw, items, before) || start_sooner(rw, items, before) || lift_first(rw, items, before) ||
         choose_steps(rw, items, before) || narrow_choice(rw, items, before) ||
         test_there(rw, items, before) || run_to_goal(rw, items, before) ||
         choose_end_of_line(rw, items, before) || split_choice(rw, items, before) ||
         split_ways(rw, items, before) || split_walks(rw, items, before) ||
         walk_to(rw, items, before, live_after(rw, items, c)) ||
         split_to(rw, items, before, live_after(rw, items, c)) ||
         choose_place(rw, items, before, live_after(rw, items, c)) ||
         slide_to_end(rw, items, before, live_after(rw, items, c)) || join_loops(rw, items, before);
}

// (A, B), C = A, B, C; an empty sequence does nothing.
void flatten(const Rewriter& rw, Terms& items) {
  if (std::none_of(items.begin(), items.end(), [&](TermId t) { return rw.is(t, Op::sequence); })) return;
  Terms flat;
  for (const TermId t : items) {
    const Terms inner = items_of(rw, t);
    flat.insert(flat.end(), inner.begin(), inner.end());
  }
  items = std::move(flat);
}

namespace {

// Nothing comes to what stands behind `never`, and nothing but decided drafts, which pass it, behind a win. A
// sequence that ends in `never` has the outcomes that are decided before; none, where nothing decides.
bool drop_after_never(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Op op = rw.at(items[i]).op;
    const bool ends = op == Op::never || op == Op::win || op == Op::draw ||
                      (op == Op::lose && rw.program.player_count() <= 2);
    if (!ends) continue;
    if (op == Op::never && i > 0) {
      bool silent = true;
      for (std::size_t j = 0; j < i; ++j)
        silent = silent && !may_fault(rw, items[j], before[j]) && (rw.at(items[j]).writes & kDecision) == 0;
      if (silent) {
        items = {items[i]};
        return true;
      }
    }
    if (i + 1 == items.size()) return false;
    items.resize(i + 1);
    return true;
  }
  return false;
}

// if C then A else never = require C, A; if C then never else B = require not C, B.
bool branch_to_test(Rewriter& rw, Terms& items) {
  if (!is_on(Idiom::branch_to_test)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    if (t.op != Op::if_action) continue;
    const bool no_never = t.kids.size() > 2 && rw.is(t.kids[2], Op::never);
    const bool yes_never = rw.is(t.kids[1], Op::never);
    if (!no_never && !yes_never) continue;
    TermId asked = t.kids[0];
    if (!no_never) asked = rw.terms.make(Op::negation, Type::truth, {asked}, 0, 0, rw.at(asked).origin);
    items[i] = rw.terms.make(Op::require, Type::action, {asked}, 0, 0, t.origin);
    const std::size_t other = no_never ? 1 : 2;
    if (other < t.kids.size())
      items.insert(items.begin() + static_cast<std::ptrdiff_t>(i) + 1, t.kids[other]);
    return true;
  }
  return false;
}

// A condition as tests: `at S` asks whether here is in S, a join of conditions is one test after the other.
Terms as_tests(Rewriter& rw, TermId condition, const DraftFacts& c) {
  const std::uint32_t origin = rw.at(condition).origin;
  if (rw.is_truth(condition, true)) return {};
  if (rw.is_truth(condition, false)) return {rw.terms.never(origin)};
  Terms parts, places, others;
  operands(rw, condition, Op::all_of, parts);
  for (const TermId p : parts) {
    const Term t = rw.at(p);
    const bool place = t.op == Op::within && rw.is(t.kids[0], Op::here) && c.placed;
    if (place)
      places.push_back(rw.terms.make(Op::at, Type::action, {t.kids[1]}, 0, 0, t.origin));
    else
      others.push_back(rw.terms.make(Op::require, Type::action, {p}, 0, 0, t.origin));
  }
  if (any_may_fault(rw, parts, c)) { // in the order given
    Terms tests;
    auto place = places.begin(), other = others.begin();
    for (const TermId p : parts) {
      const bool is_place = rw.is(p, Op::within) && rw.is(rw.kid(p, 0), Op::here) && c.placed;
      tests.push_back(is_place ? *place++ : *other++);
    }
    return tests;
  }
  places.insert(places.end(), others.begin(), others.end());
  return places;
}

// Tests in a row change nothing, so together they ask for all of their conditions.
bool join_tests(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::join_tests)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const DraftFacts& c = before[i];
    Terms conditions;
    std::size_t end = i;
    for (; end < items.size(); ++end) {
      const Term t = rw.at(items[end]);
      if (t.op == Op::require)
        conditions.push_back(t.kids[0]);
      else if (t.op == Op::at && c.placed) {
        const TermId here = rw.terms.make(Op::here, Type::cells, {}, 0, 0, t.origin);
        conditions.push_back(rw.terms.make(Op::within, Type::truth, {here, t.kids[0]}, 0, 0, t.origin));
      } else
        break;
    }
    if (end == i) continue;
    for (TermId& k : conditions) k = value(rw, k, c);
    const Terms tests = as_tests(rw, joined(rw, Op::all_of, conditions, c, rw.at(items[i]).origin), c);
    const bool same = tests.size() == end - i &&
                      std::equal(tests.begin(), tests.end(), items.begin() + static_cast<std::ptrdiff_t>(i),
                                 [&](TermId x, TermId y) { return rw.terms.same(x, y); });
    if (!same) {
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(i),
                  items.begin() + static_cast<std::ptrdiff_t>(end));
      items.insert(items.begin() + static_cast<std::ptrdiff_t>(i), tests.begin(), tests.end());
      return true;
    }
    i = end;
  }
  return false;
}

// at (c in S where C(c)) = at S, require C(here): the set holds the cell if that does, and nothing is asked
// of others. Only where pieces have changed in this sequence: else the set is one for all that come there.
bool ask_here(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::ask_here)) return false;
  bool changed = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    if (t.op != Op::at || !changed || !before[i].placed || before[i].reaching) {
      changed = changed || (t.writes & kPosition) != 0;
      continue;
    }
    Terms parts, tests;
    operands(rw, t.kids[0], Op::meet, parts);
    const TermId here = rw.terms.make(Op::here, Type::cells, {}, 0, 0, t.origin);
    for (TermId& part : parts) {
      const Term set = rw.at(part);
      if (set.op != Op::select || may_fault(rw, set.kids[1], before[i])) continue;
      const auto slot = static_cast<std::uint32_t>(set.a);
      if (!holds_at_reads(rw, set.kids[1], slot, here, false)) continue;
      const TermId asked = rw.terms.substituted(set.kids[1], slot, here);
      tests.push_back(rw.terms.make(Op::require, Type::action, {asked}, 0, 0, set.origin));
      part = set.kids[0];
    }
    if (tests.empty()) continue;
    items[i] = rw.terms.with_kids(items[i], {meet(rw, parts, before[i], Type::cells, t.origin)});
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(i) + 1, tests.begin(), tests.end());
    return true;
  }
  return false;
}

} // namespace

// ---------------------------------------------------------------- alternatives

// The outcomes of alternatives are a set, in which each counts once except within `each`. So they are
// associative, commutative where no order of faults is to be kept, and idempotent; `never` adds nothing.
TermId rewritten_alternatives(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  Terms flat;
  operands(rw, id, Op::alternatives, flat);
  std::erase_if(flat, [&](TermId k) { return rw.is(k, Op::never); });
  if (flat.empty()) return rw.terms.never(t.origin);
  if (!c.counted) drop_repeats(rw, flat);
  if (!any_may_fault(rw, flat, c)) sort(rw, flat);
  if (flat.size() == 1) return flat.front();
  if (!c.counted) {
    if (is_on(Idiom::merged)) (void)walks_to_sets(rw, flat, c);
    if (const TermId whole = merged(rw, flat, c, t.origin); whole != alternatives_of(rw, flat, t.origin))
      return whole;
    // Nothing, or A = A?
    const auto nothing = std::find_if(flat.begin(), flat.end(), [&](TermId k) { return rw.is_nothing(k); });
    if (nothing != flat.end()) {
      flat.erase(nothing);
      return rw.terms.make(
          Op::repeat, Type::action,
          {alternatives_of(rw, flat, t.origin), rw.terms.number(0, t.origin), rw.terms.number(1, t.origin)},
          0, rw.terms.frame({}), t.origin);
    }
  }
  const TermId joined = flat == t.kids ? id : alternatives_of(rw, std::move(flat), t.origin);
  return factored(rw, joined, c);
}

namespace {

// Does it do nothing but walk, in more than a step? Where the walker goes may go by where it is.
bool walks_on(const Rewriter& rw, TermId id) {
  const auto walks = [&](TermId k) {
    const Term& t = rw.at(k);
    if (t.op != Op::if_action) return only_walks(rw, k);
    return rw.is(t.kids[0], Op::within) && rw.is(rw.kid(t.kids[0], 0), Op::here) &&
           std::all_of(t.kids.begin() + 1, t.kids.end(), [&](TermId b) { return only_walks(rw, b); });
  };
  const Terms items = items_of(rw, id);
  if ((rw.at(id).reads & kHeading) != 0 || !std::all_of(items.begin(), items.end(), walks)) return false;
  const auto goes = [&](TermId k) { return !rw.is(k, Op::at); };
  const auto first = std::find_if(items.begin(), items.end(), goes);
  return first != items.end() && (!rw.is(*first, Op::go) || std::any_of(first + 1, items.end(), goes));
}

// A or to T = to reach(here, A) | T, where A walks, T is where another walk leads, and nobody asks for the
// heading afterwards. (Single steps stay: `split_to` takes them out.)
bool walks_to_sets(Rewriter& rw, Terms& kids, const DraftFacts& c) {
  if (!c.placed || c.reaching || (c.live & kHeading) != 0 || any_may_fault(rw, kids, c)) return false;
  const auto leads_on = [&](TermId k) {
    return rw.is(k, Op::to) && rw.is(rw.kid(k, 0), Op::reach) && rw.is(rw.kid(rw.kid(k, 0), 0), Op::here);
  };
  if (std::none_of(kids.begin(), kids.end(), leads_on)) return false;
  bool changed = false;
  for (TermId& k : kids) {
    if (!walks_on(rw, k)) continue;
    const std::uint32_t origin = rw.at(k).origin;
    const TermId here = rw.terms.make(Op::here, Type::cells, {}, 0, 0, origin);
    const TermId ends = rw.terms.make(Op::reach, Type::cells, {here, k}, 0, 0, origin);
    k = rw.terms.make(Op::to, Type::action, {ends}, 0, 0, origin);
    changed = true;
  }
  return changed;
}

// to S or to T = to S | T, and so for each action that goes on once for each member of a set, or if one is in
// it.
TermId merged(Rewriter& rw, const Terms& kids, const DraftFacts& c, std::uint32_t origin) {
  if (!is_on(Idiom::merged)) return alternatives_of(rw, kids, origin);
  Terms result;
  for (const TermId k : kids) {
    const Term t = rw.at(k);
    const bool of_a_set =
        t.op == Op::from || t.op == Op::to || t.op == Op::go || t.op == Op::bend || t.op == Op::at;
    const auto same_kind =
        std::find_if(result.begin(), result.end(), [&](TermId r) { return rw.is(r, t.op); });
    if (same_kind == result.end() || (!of_a_set && t.op != Op::require) ||
        any_may_fault(rw, {k, *same_kind}, c)) {
      result.push_back(k);
    } else if (of_a_set) {
      const TermId sets = unite(rw, {rw.kid(*same_kind, 0), t.kids[0]}, c, rw.at(t.kids[0]).type, origin);
      *same_kind = rw.terms.with_kids(*same_kind, {sets});
    } else {
      *same_kind =
          rw.terms.with_kids(*same_kind, {any_of(rw, {rw.kid(*same_kind, 0), t.kids[0]}, c, origin)});
    }
  }
  return alternatives_of(rw, std::move(result), origin);
}

// (A, B) or (A, C) = A, (B or C), and (A, C) or (B, C) = (A or B), C: an outcome of the whole is in both
// cases one of the first part, then one of the second. Only what binds no names and reads none of an
// alternative's own is taken out.
TermId factored(Rewriter& rw, TermId id, const DraftFacts& c) {
  if (!is_on(Idiom::factored)) return id;
  const Term t = rw.at(id);
  if (t.op != Op::alternatives) return id;
  std::vector<Terms> ways;
  for (const TermId k : t.kids) ways.push_back(items_of(rw, k));
  Terms front, back;
  const auto shortest = [&] {
    return std::min_element(ways.begin(), ways.end(),
                            [](const Terms& x, const Terms& y) { return x.size() < y.size(); })
        ->size();
  };
  const auto all_have = [&](TermId item, bool first) {
    return std::all_of(ways.begin(), ways.end(), [&](const Terms& way) {
      return rw.terms.same(first ? way.front() : way.back(), item);
    });
  };
  while (shortest() > 0 && rw.at(ways[0].front()).slots_bound.empty() && all_have(ways[0].front(), true)) {
    front.push_back(ways[0].front());
    for (Terms& way : ways) way.erase(way.begin());
  }
  Slots bound;
  for (const TermId k : t.kids) add_slots(bound, rw.at(k).slots_bound);
  const auto stands_alone = [&](TermId item) {
    return rw.at(item).slots_bound.empty() && !overlap(rw.at(item).slots_read, bound) &&
           !overlap(rw.at(item).slots_set, bound);
  };
  while (shortest() > 0 && stands_alone(ways[0].back()) && all_have(ways[0].back(), false)) {
    back.insert(back.begin(), ways[0].back());
    for (Terms& way : ways) way.pop_back();
  }
  if (front.empty() && back.empty()) return id;
  if (c.counted && (rw.at(id).writes & kDecision) != 0) return id;
  Terms kids;
  for (Terms& way : ways) kids.push_back(sequence_of(rw, std::move(way), t.origin));
  front.push_back(alternatives_of(rw, std::move(kids), t.origin));
  front.insert(front.end(), back.begin(), back.end());
  return sequence_of(rw, std::move(front), t.origin);
}

} // namespace

// Associative; `never` has no outcomes; behind what always has one nothing is tried.
TermId rewritten_otherwise(Rewriter& rw, TermId id, const DraftFacts&) {
  const Term t = rw.at(id);
  Terms flat, kept;
  operands(rw, id, Op::otherwise, flat);
  for (const TermId k : flat) {
    if (!rw.is(k, Op::never)) kept.push_back(k);
    if (!rw.at(k).may_fail) break;
  }
  if (kept.empty()) return rw.terms.never(t.origin);
  if (kept.size() == 1) return kept.front();
  return kept == t.kids ? id : rw.terms.with_kids(id, std::move(kept));
}

// As for values. Without a second branch nothing is done.
TermId rewritten_if_action(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  const TermId asked = t.kids[0], yes = t.kids[1];
  const TermId no = t.kids.size() > 2 ? t.kids[2] : rw.terms.nothing(t.origin);
  if (rw.is(asked, Op::truth)) return rw.at(asked).a != 0 ? yes : no;
  if (rw.terms.same(yes, no) && !may_fault(rw, asked, c)) return yes;
  if (rw.is(yes, Op::never) || rw.is(no, Op::never)) {
    Terms items{id};
    branch_to_test(rw, items);
    return sequence_of(rw, std::move(items), t.origin);
  }
  if (rw.is_nothing(no)) return t.kids.size() > 2 ? rw.terms.with_kids(id, {asked, yes}) : id;
  const TermId turned = negation(rw, asked, c);
  if (rw.is_nothing(yes)) return rw.terms.with_kids(id, {turned, no});
  if (rw.terms.compare(turned, asked) < 0) return rw.terms.with_kids(id, {turned, no, yes});
  return id;
}

} // namespace boardwright::runtime::normal
