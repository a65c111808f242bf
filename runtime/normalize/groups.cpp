// The groups of a set S are its connected parts, so each of its cells is in exactly one of them. A question
// that is answered by the cells of a group one by one ("is some of them beside an empty cell?") holds for the
// groups of those cells for which it holds: for what is connected with these cells in S. The groups for which
// it doesn't hold are the rest of S, and so on with `and` and `or`.
#include "runtime/normalize/groups.hpp"
#include "runtime/normalize/conditions.hpp"
#include "runtime/normalize/sequences.hpp"
#include "runtime/normalize/sets.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

namespace {

constexpr std::uint16_t kWalker = kHere | kStart | kHeading;

struct Groups {
  TermId through; // the set that they are the connected parts of
  TermId walk;    // from a cell of it to all cells of its group
};

// Does some step of a set lead back to where one of them leads from, wherever that is?
bool lead_back(const Rewriter& rw, const StepSet& steps) {
  const auto& all = rw.program.board.steps;
  const auto leads = [&](int from, int to) {
    bool found = false;
    steps.each([&](int s) {
      const auto& there = all[static_cast<std::size_t>(s)].to;
      found = found || there[static_cast<std::size_t>(from)] == to;
    });
    return found;
  };
  bool back = true;
  steps.each([&](int s) {
    const auto& there = all[static_cast<std::size_t>(s)].to;
    for (std::size_t cell = 0; back && cell < there.size(); ++cell)
      if (there[cell] != kNowhere) back = leads(there[cell], static_cast<int>(cell));
  });
  return back;
}

// `(reach(c, (go D, at S)*) for c in S)`, if D leads back; `c & S` is the same there.
std::optional<Groups> groups_of(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term list = rw.at(id);
  if (list.op != Op::list_for || list.b != 1 || !rw.is_truth(list.kids[1], true)) return std::nullopt;
  const TermId through = list.kids[2], group = list.kids[0];
  const auto slot = static_cast<std::uint32_t>(list.a);
  if (rw.at(through).type != Type::cells || !rw.is(group, Op::reach)) return std::nullopt;
  const TermId walk = rw.kid(group, 1);
  const Term loop = rw.at(walk);
  if (loop.op != Op::repeat || loop.a != kUnbounded || rw.number_of(loop.kids[1]) != 0) return std::nullopt;
  const Terms round = items_of(rw, loop.kids[0]);
  if (round.size() != 2 || !rw.is(round[0], Op::go) || !rw.is(round[1], Op::at)) return std::nullopt;
  if (!rw.is(rw.kid(round[0], 0), Op::directions) || !rw.terms.same(rw.kid(round[1], 0), through))
    return std::nullopt;
  if ((rw.at(through).reads & kWalker) != 0 || rw.reads(through, slot)) return std::nullopt;
  const TermId cell = rw.terms.make(Op::local, Type::cells, {}, list.a, 0, list.origin);
  const TermId from = rw.kid(group, 0);
  if (!rw.terms.same(from, cell) &&
      !rw.terms.same(from, meet(rw, {cell, through}, c, Type::cells, list.origin)))
    return std::nullopt;
  if (!lead_back(rw, rw.terms.steps_of(rw.kid(round[0], 0)))) return std::nullopt;
  return Groups{through, walk};
}

// Is a set, which goes by the name of another, the union of what it is for each cell of that other?
bool is_of_each_cell(const Rewriter& rw, TermId set, std::uint32_t name) {
  const Term& t = rw.at(set);
  const auto within = [&](std::size_t i) { return is_of_each_cell(rw, t.kids[i], name); };
  const auto without = [&](std::size_t i) { return !rw.reads(t.kids[i], name); };
  switch (t.op) {
  case Op::local: return t.a == static_cast<std::int32_t>(name);
  case Op::unite: return within(0) && within(1);
  case Op::meet: return (within(0) && without(1)) || (without(0) && within(1));
  case Op::minus:
  case Op::reach: return within(0) && without(1);
  default: return false;
  }
}

// The cells of all groups for which some of a set is there.
std::optional<TermId> where_some(Rewriter& rw, TermId set, std::uint32_t group, const Groups& all) {
  const Term t = rw.at(set);
  if (t.type != Type::cells || !is_of_each_cell(rw, set, group)) return std::nullopt;
  const std::int32_t slot = rw.terms.new_slot();
  add_slots(rw.single_names, {static_cast<std::uint32_t>(slot)});
  const TermId cell = rw.terms.make(Op::local, Type::cells, {}, slot, 0, t.origin);
  const TermId some_of_it =
      rw.terms.make(Op::some, Type::truth, {rw.terms.substituted(set, group, cell)}, 0, 0, t.origin);
  const TermId cells = rw.terms.make(Op::select, Type::cells, {all.through, some_of_it}, slot, 0, t.origin);
  return rw.terms.make(Op::reach, Type::cells, {cells, all.walk}, 0, 0, t.origin);
}

// The cells of all groups for which a condition holds, if its parts are asked of each cell.
std::optional<TermId> where_holds(Rewriter& rw, TermId condition, std::uint32_t group, const Groups& all,
                                  const DraftFacts& c) {
  const Term t = rw.at(condition);
  const auto others = [&](std::optional<TermId> cells) -> std::optional<TermId> {
    if (!cells) return std::nullopt;
    return rw.terms.make(Op::minus, Type::cells, {all.through, *cells}, 0, 0, t.origin);
  };
  switch (t.op) {
  case Op::truth: return t.a != 0 ? all.through : none(rw, Type::cells, t.origin);
  case Op::some: return where_some(rw, t.kids[0], group, all);
  case Op::negation: return others(where_holds(rw, t.kids[0], group, all, c));
  case Op::within: // a set without cells is part of any other
    if (rw.at(t.kids[0]).type != Type::cells || rw.reads(t.kids[1], group)) return std::nullopt;
    return others(where_some(rw, minus(rw, t.kids[0], t.kids[1], c), group, all));
  case Op::all_of:
  case Op::any_of: {
    std::optional<TermId> result;
    for (const TermId k : t.kids) {
      const auto cells = where_holds(rw, k, group, all, c);
      if (!cells) return std::nullopt;
      const Op join = t.op == Op::all_of ? Op::meet : Op::unite;
      result = result ? rw.terms.make(join, Type::cells, {*result, *cells}, 0, 0, t.origin) : cells;
    }
    return result;
  }
  default: return std::nullopt;
  }
}

// union((F(g) for g in A | B where C)) = union((F(g) for g in A where C)) | union((F(g) for g in B where C)):
// what comes twice adds nothing.
TermId union_of_parts(Rewriter& rw, const Term& list, const Terms& parts, const DraftFacts& c) {
  Terms sets;
  for (const TermId part : parts) {
    TermId one = part;
    if (list.op == Op::list_for) {
      std::map<std::uint32_t, std::uint32_t> fresh;
      one = rw.terms.make(Op::list_for, list.type, {list.kids[0], list.kids[1], part}, list.a, list.b,
                          list.origin);
      one = rw.terms.copied(one, fresh);
    }
    sets.push_back(rw.terms.make(Op::union_of, Type::cells, {one}, 0, 0, list.origin));
  }
  TermId all = sets.front();
  for (std::size_t i = 1; i < sets.size(); ++i)
    all = rw.terms.make(Op::unite, Type::cells, {all, sets[i]}, 0, 0, list.origin);
  return value(rw, all, c);
}

} // namespace

// The union of those groups, or of what is made of each, for which a condition holds.
TermId union_of_groups(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term list = rw.at(rw.kid(id, 0));
  if (list.type != Type::sets || may_fault(rw, id, c)) return id;
  const bool each = list.op == Op::list_for && list.b == 1;
  Terms parts;
  operands(rw, each ? list.kids[2] : rw.kid(id, 0), Op::unite, parts);
  const auto lists_sets = [&](TermId k) { return rw.at(k).type == Type::sets; };
  if (parts.size() > 1 && std::all_of(parts.begin(), parts.end(), lists_sets))
    return union_of_parts(rw, list, parts, c);
  if (!each) return id;
  const auto group = static_cast<std::uint32_t>(list.a);
  const auto all = groups_of(rw, list.kids[2], c);
  if (!all || !is_of_each_cell(rw, list.kids[0], group)) return id;
  const auto cells = where_holds(rw, list.kids[1], group, *all, c);
  return cells ? value(rw, rw.terms.substituted(list.kids[0], group, *cells), c) : id;
}

} // namespace boardwright::runtime::normal
