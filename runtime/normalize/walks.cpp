// Walks: one step of the walker is written as a step, not as a set of cells that a walk of one step reaches.
#include "runtime/normalize/walks.hpp"
#include "runtime/model/idioms.hpp"
#include "runtime/normalize/names.hpp"
#include "runtime/normalize/sequences.hpp"
#include "runtime/normalize/sets.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

namespace {

// The actions that lead to the cells of reach(here, go D) & S, one by one: go D, at S.
std::optional<Terms> as_walk(Rewriter& rw, TermId set, const DraftFacts& c) {
  Terms parts, outside;
  if (rw.is(set, Op::minus)) {
    operands(rw, rw.kid(set, 0), Op::meet, parts);
    outside.push_back(rw.kid(set, 1));
  } else {
    operands(rw, set, Op::meet, parts);
  }
  const auto is_walk = [&](TermId p) {
    if (!rw.is(p, Op::reach) || !rw.is(rw.kid(p, 0), Op::here)) return false;
    const Terms steps = items_of(rw, rw.kid(p, 1));
    return rw.is(steps[0], Op::go) && std::all_of(steps.begin() + 1, steps.end(), [&](TermId t) {
             return rw.is(t, Op::at) && (rw.at(t).reads & (kHere | kHeading)) == kHere;
           });
  };
  const auto walk = std::find_if(parts.begin(), parts.end(), is_walk);
  if (walk == parts.end()) return std::nullopt;
  Terms items = items_of(rw, rw.kid(*walk, 1));
  // The other sets are asked before the step, so they must not go by where the walker is.
  parts.erase(walk);
  const auto moves = [&](TermId p) {
    return (rw.at(p).reads & (kHere | kHeading)) != 0 || may_fault(rw, p, c);
  };
  if (std::any_of(parts.begin(), parts.end(), moves) || std::any_of(outside.begin(), outside.end(), moves))
    return std::nullopt;
  for (std::size_t i = 1; i < items.size(); ++i)
    if (may_fault(rw, items[i], c)) return std::nullopt;
  for (const TermId p : parts)
    items.push_back(rw.terms.make(Op::at, Type::action, {p}, 0, 0, rw.at(set).origin));
  for (const TermId p : outside)
    items.push_back(rw.terms.make(Op::at, Type::action, {complement(rw, p, c)}, 0, 0, rw.at(set).origin));
  return items;
}

} // namespace

// to reach(here, go D) & S = go D, at S, where nobody asks for the heading afterwards: both come to each cell
// of S one step away. Two steps to one cell are one outcome of the first and two equal ones of the second,
// which is the same but within `each`.
bool walk_to(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before,
             const std::vector<std::uint16_t>& live) {
  if (!is_on(Idiom::walk_to)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!rw.is(items[i], Op::to) || before[i].counted || !before[i].placed || (live[i] & kHeading) != 0)
      continue;
    const auto walk = as_walk(rw, rw.kid(items[i], 0), before[i]);
    if (!walk) continue;
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(i), walk->begin(), walk->end());
    return true;
  }
  return false;
}

// to S | T = to S or to T; split where one of them is a step.
bool split_to(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before,
              const std::vector<std::uint16_t>& live) {
  if (!is_on(Idiom::split_to)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Term t = rw.at(items[i]);
    if (t.op != Op::to || before[i].counted || !before[i].placed || (live[i] & kHeading) != 0) continue;
    if (may_fault(rw, t.kids[0], before[i])) continue;
    Terms parts, ways, others;
    const Term set = rw.at(t.kids[0]);
    operands(rw, set.op == Op::minus ? set.kids[0] : t.kids[0], Op::unite,
             parts); // (S | T) - R = S - R | T - R
    for (TermId& p : parts)
      if (set.op == Op::minus) p = minus(rw, p, set.kids[1], before[i]);
    for (const TermId p : parts) {
      if (auto walk = as_walk(rw, p, before[i]))
        ways.push_back(sequence_of(rw, std::move(*walk), t.origin));
      else
        others.push_back(p);
    }
    if (parts.size() < 2 || ways.empty()) continue;
    if (!others.empty())
      ways.push_back(
          rw.terms.with_kids(items[i], {unite(rw, std::move(others), before[i], Type::cells, t.origin)}));
    items[i] = alternatives_of(rw, std::move(ways), t.origin);
    return true;
  }
  return false;
}

// Does every step lead to another cell?
bool steps_lead_away(const Rewriter& rw) {
  const auto& steps = rw.program.board.steps;
  return std::all_of(steps.begin(), steps.end(), [](const Step& s) {
    for (std::size_t cell = 0; cell < s.to.size(); ++cell)
      if (s.to[cell] == static_cast<std::int16_t>(cell)) return false;
    return true;
  });
}

} // namespace boardwright::runtime::normal
