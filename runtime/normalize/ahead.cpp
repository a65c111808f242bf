// What is asked of a cell before the walker is there is asked where he is: then every spelling of a step is
// one step and one test.
#include "runtime/model/forms.hpp"
#include "runtime/normalize/normalizer.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

namespace {

std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

} // namespace

// Takes a set apart: what doesn't read the name, and tests of the walker's cell that do. False: it can't be.
bool Normalizer::split_by_name(TermId set, std::uint32_t slot, const Context& c, Terms& free, Terms& tests) {
  const Term t = at(set);
  if (!reads(set, slot)) {
    free.push_back(set);
    return true;
  }
  const auto test = [&](Op op, TermId what) {
    tests.push_back(s_.make(op, Type::action, {what}, 0, 0, t.origin));
  };
  switch (t.op) {
  case Op::meet:
    return std::all_of(t.kids.begin(), t.kids.end(),
                       [&](TermId k) { return split_by_name(k, slot, c, free, tests); });
  case Op::minus: {
    if (!split_by_name(t.kids[0], slot, c, free, tests)) return false;
    const TermId rest = complement(t.kids[1], c);
    if (reads(rest, slot))
      test(Op::at, rest);
    else
      free.push_back(rest);
    return true;
  }
  case Op::select: {
    Terms inner, conditions, kept;
    if (!split_by_name(t.kids[0], slot, c, inner, tests) || inner.empty()) return false;
    const auto member = static_cast<std::uint32_t>(t.a);
    const TermId here = s_.make(Op::here, Type::cells, {}, 0, 0, t.origin);
    operands(t.kids[1], Op::all_of, conditions);
    for (const TermId condition : conditions) {
      if (!reads(condition, slot)) {
        kept.push_back(condition);
        continue;
      }
      if (!holds_at_reads(condition, member, here, false)) return false;
      test(Op::require, s_.substituted(condition, member, here));
    }
    TermId members = meet(std::move(inner), c, Type::cells, t.origin);
    if (!kept.empty()) {
      const TermId holds = all_of(std::move(kept), c, t.origin);
      members = s_.make(Op::select, t.type, {members, holds}, t.a, 0, t.origin);
    }
    free.push_back(members);
    return true;
  }
  default: test(Op::at, set); return true;
  }
}

// choose v in D, from S where C(v) = from S, choose v in D, require C(v): an outcome of both is a member v
// and a cell of S for which C holds. (D and C go neither by where the walker was nor by what it has written.)
bool Normalizer::start_first(Terms& items, const std::vector<Context>& before) {
  if (!is_on(Form::start_first)) return false;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const Term t = at(items[i]), next = at(items[i + 1]);
    if (t.op != Op::choose || (next.op != Op::from && next.op != Op::to)) continue;
    const auto slot = static_cast<std::uint32_t>(t.a);
    const TermId set = next.kids[0];
    if (!reads(set, slot) || is(set, Op::local) || (at(set).reads & kWalker) != 0) continue;
    if (may_fault(items[i], before[i]) || may_fault(items[i + 1], before[i + 1]) ||
        writes_what_is_read(items[i + 1], items[i]))
      continue;
    Terms free, tests;
    if (!split_by_name(set, slot, before[i], free, tests) || free.empty()) continue;
    items[i] = s_.with_kids(items[i + 1], {meet(std::move(free), before[i], Type::cells, next.origin)});
    items[i + 1] = s_.make(t.op, t.type, t.kids, t.a, t.b, t.origin);
    items.insert(items.begin() + offset(i + 2), tests.begin(), tests.end());
    return true;
  }
  return false;
}

// Of the cells one step ahead those for which a comparison of coordinates holds, if it goes by the step
// alone: reach(here, go D) & S where y(v) > y(here) = reach(here, go north & D) & S.
std::optional<TermId> Normalizer::steps_where(TermId set, std::int32_t name, TermId holds) {
  const Term t = at(set), asked = at(holds);
  if (t.op == Op::meet || t.op == Op::minus) {
    for (std::size_t k = 0; k < (t.op == Op::meet ? 2U : 1U); ++k)
      if (const auto narrower = steps_where(t.kids[k], name, holds)) {
        Terms kids = t.kids;
        kids[k] = *narrower;
        return s_.with_kids(set, std::move(kids));
      }
    return std::nullopt;
  }
  const bool compares = asked.op == Op::equal || asked.op == Op::less || asked.op == Op::at_most;
  if (t.op != Op::reach || !is(t.kids[0], Op::here) || !is(t.kids[1], Op::go) || !compares ||
      !is(kid(t.kids[1], 0), Op::directions))
    return std::nullopt;
  Places places{{t.kids[0], 0}, {s_.make(Op::local, Type::cells, {}, name, 0, t.origin), 0}};
  StepSet kept;
  bool good = goes_by_coordinates(asked.kids[0], places) && goes_by_coordinates(asked.kids[1], places);
  s_.steps_of(kid(t.kids[1], 0)).each([&](int step) {
    std::optional<bool> answer;
    for (int cell = 0; cell < program_.board.cells && good; ++cell) {
      const int to = program_.board.steps[static_cast<std::size_t>(step)].to[static_cast<std::size_t>(cell)];
      if (to == kNowhere) continue;
      places[0].second = cell;
      places[1].second = to;
      const auto now = compared(holds, places);
      good = now && (!answer || *answer == *now);
      answer = now;
    }
    if (answer.value_or(false)) kept.set(step);
  });
  if (!good) return std::nullopt;
  return s_.with_kids(set, {t.kids[0], s_.with_kids(t.kids[1], {s_.steps(kept, t.origin)})});
}

// choose v in E, require C(v) = choose v in those of E for which C holds.
bool Normalizer::choose_steps(Terms& items, const std::vector<Context>& before) {
  if (!is_on(Form::choose_steps)) return false;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const Term t = at(items[i]);
    if (t.op != Op::choose || at(t.kids[0]).type != Type::cells || !before[i].placed) continue;
    if (is_set_after(items, i, static_cast<std::uint32_t>(t.a)) || may_fault(items[i], before[i])) continue;
    for (std::size_t j = i + 1; j < items.size() && is(items[j], Op::require); ++j) {
      if (may_fault(items[j], before[j])) break;
      const auto narrower = steps_where(t.kids[0], t.a, kid(items[j], 0));
      if (!narrower) continue;
      items[i] = s_.with_kids(items[i], {*narrower});
      items.erase(items.begin() + offset(j));
      return true;
    }
  }
  return false;
}

// choose v in S, B, from v = choose v in S, from v, B, where B chooses and asks, but not for where the walker
// is: to start on a known cell never fails, and changes nothing that B goes by.
bool Normalizer::start_sooner(Terms& items, const std::vector<Context>& before) {
  if (!is_on(Form::start_sooner)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Term t = at(items[i]);
    if (t.op != Op::choose || at(t.kids[0]).type != Type::cells) continue;
    for (std::size_t j = i + 1; j < items.size(); ++j) {
      const Term next = at(items[j]);
      if (next.op == Op::from && is(next.kids[0], Op::local) && at(next.kids[0]).a == t.a) {
        if (j == i + 1) break;
        const TermId from = items[j];
        items.erase(items.begin() + offset(j));
        items.insert(items.begin() + offset(i + 1), from);
        return true;
      }
      const bool passes = next.op == Op::choose || next.op == Op::require || next.op == Op::let;
      if (!passes || (next.reads & kWalker) != 0 || may_fault(items[j], before[j])) break;
    }
  }
  return false;
}

// Has the value only cells ahead of the walker, told by what is on them alone? Then it is the same whatever
// is on the walker's own cell.
bool Normalizer::lies_ahead(TermId id, const Context& c) const {
  const Term& t = at(id);
  const auto either = [&](TermId k) { return is_pointwise(k) || lies_ahead(k, c); };
  switch (t.op) {
  case Op::reach: {
    if (!is(t.kids[0], Op::here)) return false;
    const Terms walk = items_of(t.kids[1]);
    return is(walk[0], Op::go) && at(kid(walk[0], 0)).reads == 0 &&
           std::all_of(walk.begin() + 1, walk.end(),
                       [&](TermId part) { return is(part, Op::at) && is_pointwise(kid(part, 0)); });
  }
  case Op::meet:
    return (lies_ahead(t.kids[0], c) && either(t.kids[1])) || (lies_ahead(t.kids[1], c) && either(t.kids[0]));
  case Op::minus: return lies_ahead(t.kids[0], c) && either(t.kids[1]);
  case Op::unite: return lies_ahead(t.kids[0], c) && lies_ahead(t.kids[1], c);
  default: return false;
  }
}

// let x = E, lift, to x = lift, to E, and the same of a choice of x, where E lies ahead: lifting changes only
// the cell that is left.
bool Normalizer::lift_first(Terms& items, const std::vector<Context>& before) {
  if (!is_on(Form::lift_first)) return false;
  if (!steps_lead_away()) return false;
  for (std::size_t i = 0; i + 2 < items.size(); ++i) {
    const Term t = at(items[i]), next = at(items[i + 2]);
    if ((t.op != Op::let && t.op != Op::choose) || !is(items[i + 1], Op::lift) || !before[i].placed) continue;
    const auto slot = static_cast<std::uint32_t>(t.a);
    if (next.op != Op::to || !is(next.kids[0], Op::local) || at(next.kids[0]).a != t.a) continue;
    if (at(t.kids[0]).type != Type::cells || reads(items[i + 1], slot) || is_set_after(items, i, slot) ||
        is_read_after(items, i + 2, slot, before[i]) || may_fault(items[i], before[i]) ||
        may_fault(items[i + 1], before[i + 1]) || !lies_ahead(t.kids[0], before[i]))
      continue;
    if (t.op == Op::choose && before[i].counted) continue;
    items[i + 2] = s_.with_kids(items[i + 2], {t.kids[0]});
    items.erase(items.begin() + offset(i));
    return true;
  }
  return false;
}

// Which cells x does a condition hold for that asks for nothing but the set `ahead` of one cell x, and goes
// by what is on x alone?
std::optional<TermId> Normalizer::where_ahead(TermId condition, TermId ahead, const Context& c) {
  const Term t = at(condition);
  const auto rest_of = [&](TermId set) -> std::optional<TermId> { // what else there is in a meet with it
    Terms parts, rest;
    operands(set, Op::meet, parts);
    for (const TermId p : parts)
      if (!s_.same(p, ahead)) rest.push_back(p);
    if (rest.size() == parts.size() ||
        !std::all_of(rest.begin(), rest.end(), [&](TermId p) { return is_pointwise(p) && !may_fault(p, c); }))
      return std::nullopt;
    return rest.empty() ? s_.cells(program_.board.all, t.origin)
                        : meet(std::move(rest), c, Type::cells, t.origin);
  };
  switch (t.op) {
  case Op::all_of:
  case Op::any_of: {
    Terms sets;
    for (const TermId k : t.kids) {
      const auto one = where_ahead(k, ahead, c);
      if (!one) return std::nullopt;
      sets.push_back(*one);
    }
    return t.op == Op::all_of ? meet(std::move(sets), c, Type::cells, t.origin)
                              : unite(std::move(sets), c, Type::cells, t.origin);
  }
  case Op::negation: {
    const auto holds = where_ahead(t.kids[0], ahead, c);
    return holds ? std::optional(complement(*holds, c)) : std::nullopt;
  }
  case Op::some: return at(t.kids[0]).type == Type::cells ? rest_of(t.kids[0]) : std::nullopt;
  case Op::within: {
    if (at(t.kids[0]).type != Type::cells || !is_pointwise(t.kids[1]) || may_fault(t.kids[1], c))
      return std::nullopt;
    const auto asked = rest_of(t.kids[0]);
    if (!asked) return std::nullopt;
    return is_board(*asked) ? t.kids[1] : unite({complement(*asked, c), t.kids[1]}, c, Type::cells, t.origin);
  }
  default: return std::nullopt;
  }
}

// require some reach(here, go d) & S, lift, go d = lift, go d, at S, and so for each question about the cell
// one step ahead: lifting changes only the cell that is left, and no step leads from a cell to itself. Where
// the step leads nowhere both come to nothing. The same of what `from (v in T where …)` asks of v.
bool Normalizer::test_there(Terms& items, const std::vector<Context>& before) {
  if (!is_on(Form::test_there)) return false;
  if (!steps_lead_away()) return false;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const Term t = at(items[i]);
    const bool starts = (t.op == Op::from || t.op == Op::to) && is(t.kids[0], Op::select);
    if (!starts && (t.op != Op::require || !before[i].placed)) continue;
    std::size_t j = i + 1;
    for (; j < items.size() && !is(items[j], Op::go); ++j) {
      const Op op = at(items[j]).op;
      const bool passes =
          op == Op::lift || op == Op::let || op == Op::choose || op == Op::at || op == Op::require;
      if (!passes || may_fault(items[j], before[j])) break;
    }
    if (j == items.size() || !is(items[j], Op::go) || may_fault(items[j], before[j])) continue;
    const TermId way = kid(items[j], 0);
    if (!is_single(way, before[j]) || (!is(way, Op::local) && !is(way, Op::directions))) continue;
    const TermId asked = t.kids[0]; // the members of a set for which a condition holds, or the condition
    const TermId subject = starts ? s_.make(Op::local, Type::cells, {}, at(asked).a, 0, t.origin)
                                  : s_.make(Op::here, Type::cells, {}, 0, 0, t.origin);
    const TermId ahead = s_.make(Op::reach, Type::cells, {subject, items[j]}, 0, 0, t.origin);
    Terms conditions, kept, there;
    operands(starts ? kid(asked, 1) : asked, Op::all_of, conditions);
    for (const TermId condition : conditions) {
      const auto where =
          may_fault(condition, before[i]) ? std::nullopt : where_ahead(condition, ahead, before[i]);
      bool known = where.has_value() && !(starts && (at(*where).reads & kWalker) != 0);
      for (std::size_t k = i; known && k < j; ++k) // names that it reads are bound, and stay
        known = !overlap(at(*where).slots_read, at(items[k]).slots_bound) &&
                !overlap(at(*where).slots_read, at(items[k]).slots_set);
      if (known)
        there.push_back(*where);
      else
        kept.push_back(condition);
    }
    if (there.empty()) continue;
    const TermId test = meet(std::move(there), before[i], Type::cells, t.origin);
    items.insert(items.begin() + offset(j + 1), s_.make(Op::at, Type::action, {test}, 0, 0, t.origin));
    const TermId rest = all_of(std::move(kept), before[i], t.origin);
    if (!starts) {
      items[i] = s_.with_kids(items[i], {rest});
      return true;
    }
    const TermId members = is_truth(rest, true) ? kid(asked, 0) : s_.with_kids(asked, {kid(asked, 0), rest});
    items[i] = s_.with_kids(items[i], {members});
    return true;
  }
  return false;
}

} // namespace boardwright::runtime::normal
