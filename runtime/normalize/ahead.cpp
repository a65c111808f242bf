// What is asked of a cell before the walker is there is asked where he is: then every spelling of a step is
// one step and one test.
#include "runtime/normalize/ahead.hpp"
#include "runtime/model/idioms.hpp"
#include "runtime/normalize/conditions.hpp"
#include "runtime/normalize/names.hpp"
#include "runtime/normalize/sequences.hpp"
#include "runtime/normalize/sets.hpp"
#include "runtime/normalize/walks.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

namespace {

std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

// Takes a set apart: what doesn't read the name, and tests of the walker's cell that do. False: it can't be.
bool split_by_name(Rewriter& rw, TermId set, std::uint32_t slot, const DraftFacts& c, Terms& free,
                   Terms& tests) {
  const Term t = rw.at(set);
  if (!rw.reads(set, slot)) {
    free.push_back(set);
    return true;
  }
  const auto test = [&](Op op, TermId what) {
    tests.push_back(rw.terms.make(op, Type::action, {what}, 0, 0, t.origin));
  };
  switch (t.op) {
  case Op::meet:
    return std::all_of(t.kids.begin(), t.kids.end(),
                       [&](TermId k) { return split_by_name(rw, k, slot, c, free, tests); });
  case Op::minus: {
    if (!split_by_name(rw, t.kids[0], slot, c, free, tests)) return false;
    const TermId rest = complement(rw, t.kids[1], c);
    if (rw.reads(rest, slot))
      test(Op::at, rest);
    else
      free.push_back(rest);
    return true;
  }
  case Op::select: {
    Terms inner, conditions, kept;
    if (!split_by_name(rw, t.kids[0], slot, c, inner, tests) || inner.empty()) return false;
    const auto member = static_cast<std::uint32_t>(t.a);
    const TermId here = rw.terms.make(Op::here, Type::cells, {}, 0, 0, t.origin);
    operands(rw, t.kids[1], Op::all_of, conditions);
    for (const TermId condition : conditions) {
      if (!rw.reads(condition, slot)) {
        kept.push_back(condition);
        continue;
      }
      if (!holds_at_reads(rw, condition, member, here, false)) return false;
      test(Op::require, rw.terms.substituted(condition, member, here));
    }
    TermId members = meet(rw, std::move(inner), c, Type::cells, t.origin);
    if (!kept.empty()) {
      const TermId holds = all_of(rw, std::move(kept), c, t.origin);
      members = rw.terms.make(Op::select, t.type, {members, holds}, t.a, 0, t.origin);
    }
    free.push_back(members);
    return true;
  }
  default: test(Op::at, set); return true;
  }
}

} // namespace

// choose v in D, from S where C(v) = from S, choose v in D, require C(v): an outcome of both is a member v
// and a cell of S for which C holds. (D and C go neither by where the walker was nor by what it has written.)
bool start_first(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::start_first)) return false;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const Term t = rw.at(items[i]), next = rw.at(items[i + 1]);
    if (t.op != Op::choose || (next.op != Op::from && next.op != Op::to)) continue;
    const auto slot = static_cast<std::uint32_t>(t.a);
    const TermId set = next.kids[0];
    if (!rw.reads(set, slot) || rw.is(set, Op::local) || (rw.at(set).reads & kWalker) != 0) continue;
    if (may_fault(rw, items[i], before[i]) || may_fault(rw, items[i + 1], before[i + 1]) ||
        writes_what_is_read(rw, items[i + 1], items[i]))
      continue;
    Terms free, tests;
    if (!split_by_name(rw, set, slot, before[i], free, tests) || free.empty()) continue;
    items[i] =
        rw.terms.with_kids(items[i + 1], {meet(rw, std::move(free), before[i], Type::cells, next.origin)});
    items[i + 1] = rw.terms.make(t.op, t.type, t.kids, t.a, t.b, t.origin);
    items.insert(items.begin() + offset(i + 2), tests.begin(), tests.end());
    return true;
  }
  return false;
}

// Of the cells one step ahead those for which a comparison of coordinates holds, if it goes by the step
// alone: reach(here, go D) & S where y(v) > y(here) = reach(here, go north & D) & S.
std::optional<TermId> steps_where(Rewriter& rw, TermId set, std::int32_t name, TermId holds) {
  const Term t = rw.at(set), asked = rw.at(holds);
  if (t.op == Op::meet || t.op == Op::minus) {
    for (std::size_t k = 0; k < (t.op == Op::meet ? 2U : 1U); ++k)
      if (const auto narrower = steps_where(rw, t.kids[k], name, holds)) {
        Terms kids = t.kids;
        kids[k] = *narrower;
        return rw.terms.with_kids(set, std::move(kids));
      }
    return std::nullopt;
  }
  const bool compares = asked.op == Op::equal || asked.op == Op::less || asked.op == Op::at_most;
  if (t.op != Op::reach || !rw.is(t.kids[0], Op::here) || !rw.is(t.kids[1], Op::go) || !compares ||
      !rw.is(rw.kid(t.kids[1], 0), Op::directions))
    return std::nullopt;
  Places places{{t.kids[0], 0}, {rw.terms.make(Op::local, Type::cells, {}, name, 0, t.origin), 0}};
  StepSet kept;
  bool good =
      goes_by_coordinates(rw, asked.kids[0], places) && goes_by_coordinates(rw, asked.kids[1], places);
  rw.terms.steps_of(rw.kid(t.kids[1], 0)).each([&](int step) {
    std::optional<bool> answer;
    for (int cell = 0; cell < rw.program.board.cells && good; ++cell) {
      const int to =
          rw.program.board.steps[static_cast<std::size_t>(step)].to[static_cast<std::size_t>(cell)];
      if (to == kNowhere) continue;
      places[0].second = cell;
      places[1].second = to;
      const auto now = compared(rw, holds, places);
      good = now && (!answer || *answer == *now);
      answer = now;
    }
    if (answer.value_or(false)) kept.set(step);
  });
  if (!good) return std::nullopt;
  return rw.terms.with_kids(set,
                            {t.kids[0], rw.terms.with_kids(t.kids[1], {rw.terms.steps(kept, t.origin)})});
}

// choose v in E, require C(v) = choose v in those of E for which C holds.
bool choose_steps(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::choose_steps)) return false;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    if (t.op != Op::choose || rw.at(t.kids[0]).type != Type::cells || !before[i].placed) continue;
    if (is_set_after(rw, items, i, static_cast<std::uint32_t>(t.a)) || may_fault(rw, items[i], before[i]))
      continue;
    for (std::size_t j = i + 1; j < items.size() && rw.is(items[j], Op::require); ++j) {
      if (may_fault(rw, items[j], before[j])) break;
      const auto narrower = steps_where(rw, t.kids[0], t.a, rw.kid(items[j], 0));
      if (!narrower) continue;
      items[i] = rw.terms.with_kids(items[i], {*narrower});
      items.erase(items.begin() + offset(j));
      return true;
    }
  }
  return false;
}

// choose v in S, B, from v = choose v in S, from v, B, where B chooses and asks, but not for where the walker
// is: to start on a known cell never fails, and changes nothing that B goes by.
bool start_sooner(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::start_sooner)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    if (t.op != Op::choose || rw.at(t.kids[0]).type != Type::cells) continue;
    for (std::size_t j = i + 1; j < items.size(); ++j) {
      const Term next = rw.at(items[j]);
      if (next.op == Op::from && rw.is(next.kids[0], Op::local) && rw.at(next.kids[0]).a == t.a) {
        if (j == i + 1) break;
        const TermId from = items[j];
        items.erase(items.begin() + offset(j));
        items.insert(items.begin() + offset(i + 1), from);
        return true;
      }
      const bool passes = next.op == Op::choose || next.op == Op::require || next.op == Op::let;
      if (!passes || (next.reads & kWalker) != 0 || may_fault(rw, items[j], before[j])) break;
    }
  }
  return false;
}

namespace {

// Has the value only cells ahead of the walker, told by what is on them alone? Then it is the same whatever
// is on the walker's own cell.
bool lies_ahead(const Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term& t = rw.at(id);
  const auto either = [&](TermId k) { return is_pointwise(rw, k) || lies_ahead(rw, k, c); };
  switch (t.op) {
  case Op::reach: {
    if (!rw.is(t.kids[0], Op::here)) return false;
    const Terms walk = items_of(rw, t.kids[1]);
    return rw.is(walk[0], Op::go) && rw.at(rw.kid(walk[0], 0)).reads == 0 &&
           std::all_of(walk.begin() + 1, walk.end(),
                       [&](TermId part) { return rw.is(part, Op::at) && is_pointwise(rw, rw.kid(part, 0)); });
  }
  case Op::meet:
    return (lies_ahead(rw, t.kids[0], c) && either(t.kids[1])) ||
           (lies_ahead(rw, t.kids[1], c) && either(t.kids[0]));
  case Op::minus: return lies_ahead(rw, t.kids[0], c) && either(t.kids[1]);
  case Op::unite: return lies_ahead(rw, t.kids[0], c) && lies_ahead(rw, t.kids[1], c);
  default: return false;
  }
}

} // namespace

// let x = E, lift, to x = lift, to E, and the same of a choice of x, where E lies ahead: lifting changes only
// the cell that is left.
bool lift_first(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::lift_first)) return false;
  if (!steps_lead_away(rw)) return false;
  for (std::size_t i = 0; i + 2 < items.size(); ++i) {
    const Term t = rw.at(items[i]), next = rw.at(items[i + 2]);
    if ((t.op != Op::let && t.op != Op::choose) || !rw.is(items[i + 1], Op::lift) || !before[i].placed)
      continue;
    const auto slot = static_cast<std::uint32_t>(t.a);
    if (next.op != Op::to || !rw.is(next.kids[0], Op::local) || rw.at(next.kids[0]).a != t.a) continue;
    if (rw.at(t.kids[0]).type != Type::cells || rw.reads(items[i + 1], slot) ||
        is_set_after(rw, items, i, slot) || is_read_after(rw, items, i + 2, slot, before[i]) ||
        may_fault(rw, items[i], before[i]) || may_fault(rw, items[i + 1], before[i + 1]) ||
        !lies_ahead(rw, t.kids[0], before[i]))
      continue;
    if (t.op == Op::choose && before[i].counted) continue;
    items[i + 2] = rw.terms.with_kids(items[i + 2], {t.kids[0]});
    items.erase(items.begin() + offset(i));
    return true;
  }
  return false;
}

namespace {

// Which cells x does a condition hold for that asks for nothing but the set `ahead` of one cell x, and goes
// by what is on x alone?
std::optional<TermId> where_ahead(Rewriter& rw, TermId condition, TermId ahead, const DraftFacts& c) {
  const Term t = rw.at(condition);
  const auto rest_of = [&](TermId set) -> std::optional<TermId> { // what else there is in a meet with it
    Terms parts, rest;
    operands(rw, set, Op::meet, parts);
    for (const TermId p : parts)
      if (!rw.terms.same(p, ahead)) rest.push_back(p);
    if (rest.size() == parts.size() || !std::all_of(rest.begin(), rest.end(), [&](TermId p) {
          return is_pointwise(rw, p) && !may_fault(rw, p, c);
        }))
      return std::nullopt;
    return rest.empty() ? rw.terms.cells(rw.program.board.all, t.origin)
                        : meet(rw, std::move(rest), c, Type::cells, t.origin);
  };
  switch (t.op) {
  case Op::all_of:
  case Op::any_of: {
    Terms sets;
    for (const TermId k : t.kids) {
      const auto one = where_ahead(rw, k, ahead, c);
      if (!one) return std::nullopt;
      sets.push_back(*one);
    }
    return t.op == Op::all_of ? meet(rw, std::move(sets), c, Type::cells, t.origin)
                              : unite(rw, std::move(sets), c, Type::cells, t.origin);
  }
  case Op::negation: {
    const auto holds = where_ahead(rw, t.kids[0], ahead, c);
    return holds ? std::optional(complement(rw, *holds, c)) : std::nullopt;
  }
  case Op::some: return rw.at(t.kids[0]).type == Type::cells ? rest_of(t.kids[0]) : std::nullopt;
  case Op::within: {
    if (rw.at(t.kids[0]).type != Type::cells || !is_pointwise(rw, t.kids[1]) || may_fault(rw, t.kids[1], c))
      return std::nullopt;
    const auto asked = rest_of(t.kids[0]);
    if (!asked) return std::nullopt;
    return rw.is_board(*asked) ? t.kids[1]
                               : unite(rw, {complement(rw, *asked, c), t.kids[1]}, c, Type::cells, t.origin);
  }
  default: return std::nullopt;
  }
}

} // namespace

// require some reach(here, go d) & S, lift, go d = lift, go d, at S, and so for each question about the cell
// one step ahead: lifting changes only the cell that is left, and no step leads from a cell to itself. Where
// the step leads nowhere both come to nothing. The same of what `from (v in T where …)` asks of v.
bool test_there(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::test_there)) return false;
  if (!steps_lead_away(rw)) return false;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    const bool starts = (t.op == Op::from || t.op == Op::to) && rw.is(t.kids[0], Op::select);
    if (!starts && (t.op != Op::require || !before[i].placed)) continue;
    std::size_t j = i + 1;
    for (; j < items.size() && !rw.is(items[j], Op::go); ++j) {
      const Op op = rw.at(items[j]).op;
      const bool passes =
          op == Op::lift || op == Op::let || op == Op::choose || op == Op::at || op == Op::require;
      if (!passes || may_fault(rw, items[j], before[j])) break;
    }
    if (j == items.size() || !rw.is(items[j], Op::go) || may_fault(rw, items[j], before[j])) continue;
    const TermId way = rw.kid(items[j], 0);
    if (!is_single(rw, way, before[j]) || (!rw.is(way, Op::local) && !rw.is(way, Op::directions))) continue;
    const TermId asked = t.kids[0]; // the members of a set for which a condition holds, or the condition
    const TermId subject = starts ? rw.terms.make(Op::local, Type::cells, {}, rw.at(asked).a, 0, t.origin)
                                  : rw.terms.make(Op::here, Type::cells, {}, 0, 0, t.origin);
    const TermId ahead = rw.terms.make(Op::reach, Type::cells, {subject, items[j]}, 0, 0, t.origin);
    Terms conditions, kept, there;
    operands(rw, starts ? rw.kid(asked, 1) : asked, Op::all_of, conditions);
    for (const TermId condition : conditions) {
      const auto where =
          may_fault(rw, condition, before[i]) ? std::nullopt : where_ahead(rw, condition, ahead, before[i]);
      bool known = where.has_value() && !(starts && (rw.at(*where).reads & kWalker) != 0);
      for (std::size_t k = i; known && k < j; ++k) // names that it reads are bound, and stay
        known = !overlap(rw.at(*where).slots_read, rw.at(items[k]).slots_bound) &&
                !overlap(rw.at(*where).slots_read, rw.at(items[k]).slots_set);
      if (known)
        there.push_back(*where);
      else
        kept.push_back(condition);
    }
    if (there.empty()) continue;
    const TermId test = meet(rw, std::move(there), before[i], Type::cells, t.origin);
    items.insert(items.begin() + offset(j + 1), rw.terms.make(Op::at, Type::action, {test}, 0, 0, t.origin));
    const TermId rest = all_of(rw, std::move(kept), before[i], t.origin);
    if (!starts) {
      items[i] = rw.terms.with_kids(items[i], {rest});
      return true;
    }
    const TermId members =
        rw.is_truth(rest, true) ? rw.kid(asked, 0) : rw.terms.with_kids(asked, {rw.kid(asked, 0), rest});
    items[i] = rw.terms.with_kids(items[i], {members});
    return true;
  }
  return false;
}

} // namespace boardwright::runtime::normal
