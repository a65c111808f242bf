// What is asked of a cell before the walker is there is asked where he is: then every spelling of a step is
// one step and one test.
#include "runtime/normalize/normalizer.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

namespace {

constexpr std::uint16_t kWalker = kHere | kStart | kHeading;

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
