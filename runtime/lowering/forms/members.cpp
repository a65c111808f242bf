// Members of a set that can't pass a condition, left out before it is asked of each: `box(a, z) in own` only
// holds of an own z, and so does `z in own and …`.
#include "runtime/lowering/forms/members.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <tuple>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

namespace {

std::optional<Reg> box_ends(Context& cx, NodeId condition, std::int32_t slot, NodeId of, Draft& d);
std::int32_t quarters_of(const Context& cx, NodeId members, std::int32_t from);
bool has_cell(const Context& cx, NodeId set, std::int32_t slot, NodeId of);
bool steps_fit(const Context& cx, NodeId members, std::int32_t from, std::int32_t apart);

// A set that has every cell for which the condition holds, if the name stands for it; nothing where that
// isn't known.
std::optional<Reg> implied(Context& cx, NodeId condition, std::int32_t slot, NodeId of, Draft& d) {
  if (!is_on(Form::implied)) return std::nullopt;
  const Node n = cx.node(condition);
  const auto known = [&](NodeId id) -> std::optional<Reg> {
    if (!known_everywhere(cx, id, d)) return std::nullopt;
    return set(cx, id, d);
  };
  switch (n.op) {
  case Op::all_of: {
    std::optional<Reg> all;
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (const auto part = implied(cx, cx.kid(condition, i), slot, of, d))
        all = all ? meet(cx, *all, *part) : *part;
    return all;
  }
  case Op::any_of: {
    Reg all = cx.no_cells;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const auto part = implied(cx, cx.kid(condition, i), slot, of, d);
      if (!part) return std::nullopt;
      all = unite(cx, all, *part);
    }
    return n.count > 0 ? std::optional(all) : std::nullopt;
  }
  case Op::within:
    if (const auto ends = box_ends(cx, condition, slot, of, d)) {
      cx.passing.insert(condition); // these are all for which it holds
      return ends;
    }
    if (cx.node(cx.kid(condition, 0)).type != Type::cells || !has_cell(cx, cx.kid(condition, 0), slot, of))
      return std::nullopt;
    return known(cx.kid(condition, 1));
  case Op::some: {
    const Node& both = cx.node(cx.kid(condition, 0));
    if (both.op != Op::meet) return std::nullopt;
    for (const std::uint32_t k : {0u, 1u}) {
      const Node& one = cx.node(cx.program.kid(both, k));
      if (one.op == Op::local && one.a == slot) return known(cx.program.kid(both, 1 - k));
    }
    return std::nullopt;
  }
  default: return std::nullopt;
  }
}

// box(a, z, k) in S, where z is asked for: all of them at once.
std::optional<Reg> box_ends(Context& cx, NodeId condition, std::int32_t slot, NodeId of, Draft& d) {
  if (!is_on(Form::boxes)) return std::nullopt;
  const NodeId box = cx.kid(condition, 0), whole = cx.kid(condition, 1);
  if (cx.node(box).op != Op::box || !known_everywhere(cx, whole, d)) return std::nullopt;
  const auto is_asked = [&](NodeId id) { return cx.node(id).op == Op::local && cx.node(id).a == slot; };
  const NodeId a = cx.kid(box, 0), z = cx.kid(box, 1);
  const NodeId from = is_asked(z) ? a : z;
  if (is_asked(a) == is_asked(z) || cx.node(from).op != Op::local || !known_everywhere(cx, from, d))
    return std::nullopt;
  const bool spaced = cx.node(box).count > 2;
  if (spaced && (cx.node(cx.kid(box, 2)).op != Op::number || cx.node(cx.kid(box, 2)).a < 1))
    return std::nullopt;
  // Where they don't fit the rectangle is none, which is in every set.
  if (spaced && cx.node(cx.kid(box, 2)).a > 1 &&
      !steps_fit(cx, of, cx.node(from).a, cx.node(cx.kid(box, 2)).a))
    return std::nullopt;
  const Val first = value(cx, from, d);
  if (!first.is(Kind::cell)) return std::nullopt;
  const Reg apart = spaced ? number(cx, cx.kid(box, 2), d) : cx.e.number_constant(1);
  return cx.e.set_value(Ir::set_box_ends, first.reg, set(cx, whole, d), apart,
                        quarters_of(cx, of, cx.node(from).a));
}

// To which quarters of the board may members lie, seen from a cell that they are reached from? All, if that
// isn't seen. Bits as of set_box_ends.
std::int32_t quarters_of(const Context& cx, NodeId members, std::int32_t from) {
  constexpr std::int32_t kAll = 15, kEast = 5, kWest = 10, kNorth = 3, kSouth = 12;
  const Node& n = cx.node(members);
  if (n.op == Op::minus) return quarters_of(cx, cx.program.kid(n, 0), from);
  if (n.op == Op::meet) { // either will do
    const std::int32_t first = quarters_of(cx, cx.program.kid(n, 0), from);
    return first != kAll ? first : quarters_of(cx, cx.program.kid(n, 1), from);
  }
  if (n.op != Op::reach || !cx.facts.is_walk(cx.program.kid(n, 1))) return kAll;
  const Node& begin = cx.node(cx.program.kid(n, 0));
  if (begin.op != Op::local || begin.a != from) return kAll;
  std::int32_t quarters = kAll;
  std::vector<NodeId> todo{cx.program.kid(n, 1)};
  while (!todo.empty()) {
    const Node& part = cx.node(todo.back());
    todo.pop_back();
    if (part.op == Op::at) continue;
    if (part.type == Type::directions) {
      if (part.op != Op::directions) return kAll;
      bool told = true;
      cx.program.step_sets[at(part.a)].each([&](int s) {
        const Step& step = cx.board().steps[at(s)];
        told = told && !step.may_return();
        if (step.dx < 0) quarters &= ~kEast;
        if (step.dx > 0) quarters &= ~kWest;
        if (step.dy < 0) quarters &= ~kNorth;
        if (step.dy > 0) quarters &= ~kSouth;
      });
      if (!told) return kAll;
      continue;
    }
    for (std::uint32_t i = 0; i < part.count; ++i) todo.push_back(cx.program.kid(part, i));
  }
  return quarters == 0 ? kAll : quarters;
}

// box(a, z, k) in S for another z than a: the next cell of the rectangle, along the file or the rank, is in S
// too. `slot` stands for a, the next name for z.
std::optional<Reg> box_begins(Context& cx, NodeId condition, std::int32_t slot, NodeId of, Draft& d) {
  if (!is_on(Form::boxes)) return std::nullopt;
  const Node n = cx.node(condition);
  if (n.op != Op::within || cx.node(cx.kid(condition, 0)).op != Op::box) return std::nullopt;
  const Node box = cx.node(cx.kid(condition, 0)), others = cx.node(of);
  const auto is_name = [&cx](NodeId id, std::int32_t name) {
    return cx.node(id).op == Op::local && cx.node(id).a == name;
  };
  if (!is_name(cx.program.kid(box, 0), slot) || !is_name(cx.program.kid(box, 1), slot + 1))
    return std::nullopt;
  if (others.op != Op::minus || !is_name(cx.program.kid(others, 1), slot)) return std::nullopt;
  if (!known_everywhere(cx, cx.kid(condition, 1), d) ||
      cx.board().all.count() != cx.board().files * cx.board().ranks)
    return std::nullopt;
  int apart = 1;
  if (box.count > 2) {
    const Node& k = cx.node(cx.program.kid(box, 2));
    if (k.op != Op::number || k.a < 1 || !steps_fit(cx, of, slot, k.a)) return std::nullopt;
    apart = k.a;
  }
  // A step along files or ranks, as the rules have it; only of all cells it is known where it leads.
  const auto plain_step = [&](int dx, int dy) -> std::optional<int> {
    for (std::size_t s = 0; s < cx.board().steps.size(); ++s) {
      const Step& step = cx.board().steps[s];
      bool plain = step.track < 0 && step.dx == dx && step.dy == dy;
      for (int c = 0; c < cx.board().cells && plain; ++c)
        plain = step.to[at(c)] == static_cast<std::int16_t>(
                                      cx.board().cell_at(cx.board().x[at(c)] + dx, cx.board().y[at(c)] + dy));
      if (plain) return static_cast<int>(s);
    }
    return std::nullopt;
  };
  constexpr std::int32_t kEast = 5, kWest = 10, kNorth = 3, kSouth = 12;
  const std::int32_t quarters = quarters_of(cx, of, slot);
  Reg all = cx.no_cells;
  for (const auto& [side, dx, dy] : {std::tuple(kEast, apart, 0), std::tuple(kWest, -apart, 0),
                                     std::tuple(kNorth, 0, apart), std::tuple(kSouth, 0, -apart)}) {
    if ((quarters & side) == 0) continue;
    const auto step = plain_step(dx, dy);
    if (!step) return std::nullopt;
    all = unite(cx, all, stepped(cx, set(cx, cx.kid(condition, 1), d), *step, true));
  }
  return all;
}

// Is the cell that the name stands for surely in a set?
bool has_cell(const Context& cx, NodeId set, std::int32_t slot, NodeId of) {
  const Node& n = cx.node(set);
  switch (n.op) {
  case Op::local: return n.a == slot;
  case Op::unite:
    return has_cell(cx, cx.program.kid(n, 0), slot, of) || has_cell(cx, cx.program.kid(n, 1), slot, of);
  case Op::box: { // it has its corners, if they fit
    const Node &a = cx.node(cx.program.kid(n, 0)), &b = cx.node(cx.program.kid(n, 1));
    if (a.op != Op::local || b.op != Op::local || (a.a != slot && b.a != slot)) return false;
    const Node* const apart = n.count > 2 ? &cx.node(cx.program.kid(n, 2)) : nullptr;
    if (apart == nullptr) return true;
    if (apart->op != Op::number || apart->a < 1) return false;
    return apart->a == 1 || a.a == b.a || steps_fit(cx, of, a.a == slot ? b.a : a.a, apart->a);
  }
  default: return false;
  }
}

// Are the members reached from the cell that a name stands for, by steps of multiples of so many files and
// ranks?
bool steps_fit(const Context& cx, NodeId members, std::int32_t from, std::int32_t apart) {
  const Node& n = cx.node(members);
  if (n.op == Op::minus) return steps_fit(cx, cx.program.kid(n, 0), from, apart);
  if (n.op == Op::meet)
    return steps_fit(cx, cx.program.kid(n, 0), from, apart) ||
           steps_fit(cx, cx.program.kid(n, 1), from, apart);
  if (n.op == Op::local) return n.a == from;
  if (n.op != Op::reach || !cx.facts.is_walk(cx.program.kid(n, 1)) ||
      !steps_fit(cx, cx.program.kid(n, 0), from, apart))
    return false;
  std::vector<NodeId> todo{cx.program.kid(n, 1)};
  while (!todo.empty()) {
    const Node& part = cx.node(todo.back());
    todo.pop_back();
    if (part.op == Op::at) continue;
    if (part.op == Op::directions) {
      bool fits = true;
      cx.program.step_sets[at(part.a)].each([&](int s) {
        const Step& step = cx.board().steps[at(s)];
        fits = fits && !step.may_return() && step.dx % apart == 0 && step.dy % apart == 0;
      });
      if (!fits) return false;
    } else if (part.type == Type::directions && part.op != Op::local && part.op != Op::choose) {
      return false;
    }
    for (std::uint32_t i = 0; i < part.count; ++i) todo.push_back(cx.program.kid(part, i));
  }
  return true;
}

} // namespace

Val members(Context& cx, NodeId of, std::int32_t slot, NodeId condition, Draft& d) {
  Val all = value(cx, of, d);
  cx.passing.erase(condition);
  if (cx.node(of).type != Type::cells || !all.is(Kind::set) || !cx.facts.harmless(condition)) return all;
  if (const auto among = implied(cx, condition, slot, of, d)) all.reg = meet(cx, all.reg, *among);
  return all;
}

Val givers(Context& cx, NodeId list, std::uint32_t generator, Val from, Draft& d) {
  const Node n = cx.node(list);
  if (generator + 1 >= static_cast<std::uint32_t>(n.b)) return from;
  const NodeId next = cx.kid(list, 3 + generator);
  if (!from.is(Kind::set) || cx.node(next).type != Type::cells || !cx.facts.harmless(next)) return from;
  const std::int32_t slot = n.a + static_cast<std::int32_t>(generator);
  for (const NodeId part : cx.facts.parts_of_condition(cx.kid(list, 1)))
    if (const auto all = box_begins(cx, part, slot, next, d)) from.reg = meet(cx, from.reg, *all);
  return from;
}

} // namespace boardwright::runtime::lowering
