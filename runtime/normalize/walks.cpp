// Walks: one step of the walker is written as a step, not as a set of cells that a walk of one step reaches.
#include "runtime/model/forms.hpp"
#include "runtime/normalize/normalizer.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

// The actions that lead to the cells of reach(here, go D) & S, one by one: go D, at S.
std::optional<Terms> Normalizer::as_walk(TermId set, const Context& c) {
  Terms parts, outside;
  if (is(set, Op::minus)) {
    operands(kid(set, 0), Op::meet, parts);
    outside.push_back(kid(set, 1));
  } else {
    operands(set, Op::meet, parts);
  }
  const auto is_walk = [&](TermId p) {
    if (!is(p, Op::reach) || !is(kid(p, 0), Op::here)) return false;
    const Terms steps = items_of(kid(p, 1));
    return is(steps[0], Op::go) && std::all_of(steps.begin() + 1, steps.end(), [&](TermId t) {
             return is(t, Op::at) && (at(t).reads & (kHere | kHeading)) == kHere;
           });
  };
  const auto walk = std::find_if(parts.begin(), parts.end(), is_walk);
  if (walk == parts.end()) return std::nullopt;
  Terms items = items_of(kid(*walk, 1));
  // The other sets are asked before the step, so they must not go by where the walker is.
  parts.erase(walk);
  const auto moves = [&](TermId p) { return (at(p).reads & (kHere | kHeading)) != 0 || may_fault(p, c); };
  if (std::any_of(parts.begin(), parts.end(), moves) || std::any_of(outside.begin(), outside.end(), moves))
    return std::nullopt;
  for (std::size_t i = 1; i < items.size(); ++i)
    if (may_fault(items[i], c)) return std::nullopt;
  for (const TermId p : parts) items.push_back(s_.make(Op::at, Type::action, {p}, 0, 0, at(set).origin));
  for (const TermId p : outside)
    items.push_back(s_.make(Op::at, Type::action, {complement(p, c)}, 0, 0, at(set).origin));
  return items;
}

// to reach(here, go D) & S = go D, at S, where nobody asks for the heading afterwards: both come to each cell
// of S one step away. Two steps to one cell are one outcome of the first and two equal ones of the second,
// which is the same but within `each`.
bool Normalizer::walk_to(Terms& items, const std::vector<Context>& before,
                         const std::vector<std::uint16_t>& live) {
  if (!is_on(Form::walk_to)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!is(items[i], Op::to) || before[i].counted || !before[i].placed || (live[i] & kHeading) != 0)
      continue;
    const auto walk = as_walk(kid(items[i], 0), before[i]);
    if (!walk) continue;
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(i), walk->begin(), walk->end());
    return true;
  }
  return false;
}

// to S | T = to S or to T; split where one of them is a step.
bool Normalizer::split_to(Terms& items, const std::vector<Context>& before,
                          const std::vector<std::uint16_t>& live) {
  if (!is_on(Form::split_to)) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Term t = at(items[i]);
    if (t.op != Op::to || before[i].counted || !before[i].placed || (live[i] & kHeading) != 0) continue;
    if (may_fault(t.kids[0], before[i])) continue;
    Terms parts, ways, others;
    const Term set = at(t.kids[0]);
    operands(set.op == Op::minus ? set.kids[0] : t.kids[0], Op::unite, parts); // (S | T) - R = S - R | T - R
    for (TermId& p : parts)
      if (set.op == Op::minus) p = minus(p, set.kids[1], before[i]);
    for (const TermId p : parts) {
      if (auto walk = as_walk(p, before[i]))
        ways.push_back(sequence_of(std::move(*walk), t.origin));
      else
        others.push_back(p);
    }
    if (parts.size() < 2 || ways.empty()) continue;
    if (!others.empty())
      ways.push_back(s_.with_kids(items[i], {unite(std::move(others), before[i], Type::cells, t.origin)}));
    items[i] = alternatives_of(std::move(ways), t.origin);
    return true;
  }
  return false;
}

// let x = here, go D, at S, remove x = remove here, go D, at S: no step leads from a cell to itself, so that
// the walker stands on another cell when S is asked, and whether that cell is in S goes by that cell alone.
// Where the step or the test comes to nothing, so does the removal. Nothing between writes, so the notation
// is the same.
bool Normalizer::remove_early(Terms& items, const std::vector<Context>& before) {
  if (!is_on(Form::remove_early)) return false;
  if (!steps_lead_away()) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Term let = at(items[i]);
    const auto slot = static_cast<std::uint32_t>(let.a);
    if (let.op != Op::let || !is(let.kids[0], Op::here) || !before[i].placed) continue;
    if (contains(before[i].later, slot) || is_set_after(items, i, slot)) continue;
    std::size_t j = i + 1;
    if (j >= items.size() || !is(items[j], Op::go) || reads(items[j], slot)) continue;
    if ((at(items[j]).reads & kPosition) != 0 || may_fault(items[j], before[j])) continue;
    ++j;
    while (j < items.size() && is(items[j], Op::at) && is_pointwise(kid(items[j], 0)) &&
           !reads(items[j], slot) && !may_fault(items[j], before[j]))
      ++j;
    if (j >= items.size() || !is(items[j], Op::remove)) continue;
    const TermId removed = kid(items[j], 0);
    if (!is(removed, Op::local) || at(removed).a != let.a || is_read_after(items, j, slot, before[i]))
      continue;
    items[i] = s_.with_kids(items[j], {let.kids[0]});
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(j));
    return true;
  }
  return false;
}

// Does every step lead to another cell?
bool Normalizer::steps_lead_away() const {
  const auto& steps = program_.board.steps;
  return std::all_of(steps.begin(), steps.end(), [](const Step& s) {
    for (std::size_t cell = 0; cell < s.to.size(); ++cell)
      if (s.to[cell] == static_cast<std::int16_t>(cell)) return false;
    return true;
  });
}

} // namespace boardwright::runtime::normal
