// Walks: one step of the walker is written as a step, not as a set of cells that a walk of one step reaches.
#include "runtime/normalize/walks.hpp"
#include "runtime/model/idioms.hpp"
#include "runtime/normalize/conditions.hpp"
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

namespace {

// So many rounds are asked instead of a repetition to its end; more take as long as the repetition itself.
constexpr std::int32_t kFewRounds = 3;

// A cell that is meant only where it lies in a set.
struct CellIn {
  TermId cell;
  std::optional<TermId> set; // none: it is meant wherever it is
};

std::optional<CellIn> as_cell_in(Rewriter& rw, TermId id, const DraftFacts& c) {
  if (is_single(rw, id, c)) return CellIn{id, {}};
  Terms sets;
  operands(rw, id, Op::meet, sets);
  const auto cell = std::find_if(sets.begin(), sets.end(), [&](TermId k) { return is_single(rw, k, c); });
  if (sets.size() < 2 || cell == sets.end()) return std::nullopt;
  const TermId single = *cell;
  sets.erase(cell);
  return CellIn{single, meet(rw, std::move(sets), c, Type::cells, rw.at(id).origin)};
}

// Does one round lead to another cell, whatever it is?
bool leads_away(const Rewriter& rw, TermId round) {
  const Terms items = items_of(rw, round);
  return steps_lead_away(rw) && !items.empty() && rw.is(items[0], Op::go) &&
         std::all_of(items.begin() + 1, items.end(), [&](TermId k) { return rw.is(k, Op::at); });
}

// What one round leads to from a cell: the cells a step away that lie in all its sets, where these are the
// same wherever the walker is.
TermId reached_by(Rewriter& rw, TermId cell, TermId round, const DraftFacts& c, const Term& reach) {
  const Terms items = items_of(rw, round);
  const bool steps = !items.empty() && rw.is(items[0], Op::go);
  const bool sets = steps && std::all_of(items.begin() + 1, items.end(), [&](TermId k) {
                      return rw.is(k, Op::at) && (rw.at(k).reads & (kHere | kHeading)) == kHere &&
                             (rw.at(rw.kid(k, 0)).reads & (kHere | kHeading)) == 0 &&
                             !may_fault(rw, rw.kid(k, 0), c);
                    });
  if (!sets) return make(rw, Op::reach, reach.type, {cell, round}, c, reach.origin);
  Terms all{make(rw, Op::reach, reach.type, {cell, items[0]}, c, reach.origin)};
  for (std::size_t i = 1; i < items.size(); ++i) all.push_back(rw.kid(items[i], 0));
  return meet(rw, std::move(all), c, reach.type, reach.origin);
}

// Is there more than a cell in what a repetition reaches from it? Of one cell one round tells.
TermId reaches_another(Rewriter& rw, const CellIn& from, TermId round, const DraftFacts& c,
                       const Term& reach) {
  TermId next = reached_by(rw, from.cell, round, c, reach);
  if (!leads_away(rw, round)) next = minus(rw, next, from.cell, c);
  const TermId another = some(rw, next, c);
  if (!from.set) return another;
  return all_of(rw, {make(rw, Op::within, Type::truth, {from.cell, *from.set}, c, reach.origin), another}, c,
                reach.origin);
}

// The repetition of `reach(S, A*)`, whose rounds go by nothing but the cell where the walker is.
std::optional<TermId> closure_by_cell(const Rewriter& rw, TermId set, const DraftFacts& c) {
  if (!is_on(Idiom::few_rounds) || !rw.is(set, Op::reach) || may_fault(rw, set, c)) return std::nullopt;
  const TermId loop = rw.kid(set, 1);
  const Term& t = rw.at(loop);
  if (t.op != Op::repeat || t.a != kUnbounded || rw.number_of(t.kids[1]) != 0) return std::nullopt;
  if (!only_walks(rw, t.kids[0]) || (rw.at(t.kids[0]).reads & kHeading) != 0) return std::nullopt;
  return loop;
}

} // namespace

// Of S and what A leads to, each round finds one more cell at least, or none is found any more. So after
// n - 1 rounds n cells are found, or all that there are.
std::optional<TermId> counts_to(Rewriter& rw, std::int32_t least, TermId set, const DraftFacts& c) {
  if (least < 2 || least > kFewRounds + 1) return std::nullopt;
  const auto loop = closure_by_cell(rw, set, c);
  if (!loop) return std::nullopt;
  const Term t = rw.at(set);
  if (least == 2)
    if (const auto from = as_cell_in(rw, t.kids[0], c))
      return reaches_another(rw, *from, rw.kid(*loop, 0), c, t);
  const TermId count = make(rw, Op::count, Type::number, {*rounds_of(rw, set, least - 1, c)}, c, t.origin);
  return make(rw, Op::at_most, Type::truth, {rw.terms.number(least, t.origin), count}, c, t.origin);
}

std::optional<TermId> rounds_of(Rewriter& rw, TermId set, std::int32_t rounds, const DraftFacts& c) {
  if (rounds < 1 || rounds > kFewRounds) return std::nullopt;
  const auto loop = closure_by_cell(rw, set, c);
  if (!loop) return std::nullopt;
  const Term t = rw.at(set), l = rw.at(*loop);
  const TermId few = rw.terms.make(
      Op::repeat, l.type, {l.kids[0], l.kids[1], rw.terms.number(rounds, l.origin)}, 0, l.b, l.origin);
  return make(rw, Op::reach, t.type, {t.kids[0], few}, c, t.origin);
}

} // namespace boardwright::runtime::normal
