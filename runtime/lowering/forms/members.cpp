// Members of a set that can't pass a condition, left out before it is asked of each: `box(a, z) in own` only
// holds of an own z, and so does `z in own and …`.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <tuple>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// The value of a set that a name is bound to member by member, without those for which the condition surely
// fails. Where it holds of all others it needn't be asked: it is noted as passing.
Val Lowering::members(NodeId of, std::int32_t slot, NodeId condition, Draft& d) {
  Val all = value(of, d);
  passing_.erase(condition);
  if (node(of).type != Type::cells || !all.is(Kind::set) || !harmless(condition)) return all;
  if (const auto among = implied(condition, slot, of, d)) all.reg = meet(all.reg, *among);
  return all;
}

// A set that has every cell for which the condition holds, if the name stands for it; nothing where that
// isn't known.
std::optional<Reg> Lowering::implied(NodeId condition, std::int32_t slot, NodeId of, Draft& d) {
  if (!is_on(Form::implied)) return std::nullopt;
  const Node n = node(condition);
  const auto known = [&](NodeId id) -> std::optional<Reg> {
    if (!known_everywhere(id, d)) return std::nullopt;
    return set(id, d);
  };
  switch (n.op) {
  case Op::all_of: {
    std::optional<Reg> all;
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (const auto part = implied(kid(condition, i), slot, of, d)) all = all ? meet(*all, *part) : *part;
    return all;
  }
  case Op::any_of: {
    Reg all = none_;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const auto part = implied(kid(condition, i), slot, of, d);
      if (!part) return std::nullopt;
      all = unite(all, *part);
    }
    return n.count > 0 ? std::optional(all) : std::nullopt;
  }
  case Op::within:
    if (const auto ends = box_ends(condition, slot, of, d)) {
      passing_.insert(condition); // these are all for which it holds
      return ends;
    }
    if (node(kid(condition, 0)).type != Type::cells || !has_cell(kid(condition, 0), slot, of))
      return std::nullopt;
    return known(kid(condition, 1));
  case Op::some: {
    const Node& both = node(kid(condition, 0));
    if (both.op != Op::meet) return std::nullopt;
    for (const std::uint32_t k : {0u, 1u}) {
      const Node& one = node(program_.kid(both, k));
      if (one.op == Op::local && one.a == slot) return known(program_.kid(both, 1 - k));
    }
    return std::nullopt;
  }
  default: return std::nullopt;
  }
}

// box(a, z, k) in S, where z is asked for: all of them at once.
std::optional<Reg> Lowering::box_ends(NodeId condition, std::int32_t slot, NodeId of, Draft& d) {
  if (!is_on(Form::boxes)) return std::nullopt;
  const NodeId box = kid(condition, 0), whole = kid(condition, 1);
  if (node(box).op != Op::box || !known_everywhere(whole, d)) return std::nullopt;
  const auto is_asked = [&](NodeId id) { return node(id).op == Op::local && node(id).a == slot; };
  const NodeId a = kid(box, 0), z = kid(box, 1);
  const NodeId from = is_asked(z) ? a : z;
  if (is_asked(a) == is_asked(z) || node(from).op != Op::local || !known_everywhere(from, d))
    return std::nullopt;
  const bool spaced = node(box).count > 2;
  if (spaced && (node(kid(box, 2)).op != Op::number || node(kid(box, 2)).a < 1)) return std::nullopt;
  // Where they don't fit the rectangle is none, which is in every set.
  if (spaced && node(kid(box, 2)).a > 1 && !steps_fit(of, node(from).a, node(kid(box, 2)).a))
    return std::nullopt;
  const Val first = value(from, d);
  if (!first.is(Kind::cell)) return std::nullopt;
  const Reg apart = spaced ? number(kid(box, 2), d) : e_.number_constant(1);
  return e_.set_value(Ir::set_box_ends, first.reg, set(whole, d), apart, quarters_of(of, node(from).a));
}

// To which quarters of the board may members lie, seen from a cell that they are reached from? All, if that
// isn't seen. Bits as of set_box_ends.
std::int32_t Lowering::quarters_of(NodeId members, std::int32_t from) const {
  constexpr std::int32_t kAll = 15, kEast = 5, kWest = 10, kNorth = 3, kSouth = 12;
  const Node& n = node(members);
  if (n.op == Op::minus) return quarters_of(program_.kid(n, 0), from);
  if (n.op == Op::meet) { // either will do
    const std::int32_t first = quarters_of(program_.kid(n, 0), from);
    return first != kAll ? first : quarters_of(program_.kid(n, 1), from);
  }
  if (n.op != Op::reach || !is_walk(program_.kid(n, 1))) return kAll;
  const Node& begin = node(program_.kid(n, 0));
  if (begin.op != Op::local || begin.a != from) return kAll;
  std::int32_t quarters = kAll;
  std::vector<NodeId> todo{program_.kid(n, 1)};
  while (!todo.empty()) {
    const Node& part = node(todo.back());
    todo.pop_back();
    if (part.op == Op::at) continue;
    if (part.type == Type::directions) {
      if (part.op != Op::directions) return kAll;
      bool told = true;
      program_.step_sets[at(part.a)].each([&](int s) {
        const Step& step = board().steps[at(s)];
        told = told && !step.may_return();
        if (step.dx < 0) quarters &= ~kEast;
        if (step.dx > 0) quarters &= ~kWest;
        if (step.dy < 0) quarters &= ~kNorth;
        if (step.dy > 0) quarters &= ~kSouth;
      });
      if (!told) return kAll;
      continue;
    }
    for (std::uint32_t i = 0; i < part.count; ++i) todo.push_back(program_.kid(part, i));
  }
  return quarters == 0 ? kAll : quarters;
}

// Those of a set for which the next name of a list has a value at all, as far as that is seen.
Val Lowering::givers(NodeId list, std::uint32_t generator, Val from, Draft& d) {
  const Node n = node(list);
  if (generator + 1 >= static_cast<std::uint32_t>(n.b)) return from;
  const NodeId next = kid(list, 3 + generator);
  if (!from.is(Kind::set) || node(next).type != Type::cells || !harmless(next)) return from;
  const std::int32_t slot = n.a + static_cast<std::int32_t>(generator);
  for (const NodeId part : parts_of_condition(kid(list, 1)))
    if (const auto all = box_begins(part, slot, next, d)) from.reg = meet(from.reg, *all);
  return from;
}

// box(a, z, k) in S for another z than a: the next cell of the rectangle, along the file or the rank, is in S
// too. `slot` stands for a, the next name for z.
std::optional<Reg> Lowering::box_begins(NodeId condition, std::int32_t slot, NodeId of, Draft& d) {
  if (!is_on(Form::boxes)) return std::nullopt;
  const Node n = node(condition);
  if (n.op != Op::within || node(kid(condition, 0)).op != Op::box) return std::nullopt;
  const Node box = node(kid(condition, 0)), others = node(of);
  const auto is_name = [this](NodeId id, std::int32_t name) {
    return node(id).op == Op::local && node(id).a == name;
  };
  if (!is_name(program_.kid(box, 0), slot) || !is_name(program_.kid(box, 1), slot + 1)) return std::nullopt;
  if (others.op != Op::minus || !is_name(program_.kid(others, 1), slot)) return std::nullopt;
  if (!known_everywhere(kid(condition, 1), d) || board().all.count() != board().files * board().ranks)
    return std::nullopt;
  int apart = 1;
  if (box.count > 2) {
    const Node& k = node(program_.kid(box, 2));
    if (k.op != Op::number || k.a < 1 || !steps_fit(of, slot, k.a)) return std::nullopt;
    apart = k.a;
  }
  // A step along files or ranks, as the rules have it; only of all cells it is known where it leads.
  const auto plain_step = [&](int dx, int dy) -> std::optional<int> {
    for (std::size_t s = 0; s < board().steps.size(); ++s) {
      const Step& step = board().steps[s];
      bool plain = step.track < 0 && step.dx == dx && step.dy == dy;
      for (int c = 0; c < board().cells && plain; ++c)
        plain = step.to[at(c)] ==
                static_cast<std::int16_t>(board().cell_at(board().x[at(c)] + dx, board().y[at(c)] + dy));
      if (plain) return static_cast<int>(s);
    }
    return std::nullopt;
  };
  constexpr std::int32_t kEast = 5, kWest = 10, kNorth = 3, kSouth = 12;
  const std::int32_t quarters = quarters_of(of, slot);
  Reg all = none_;
  for (const auto& [side, dx, dy] : {std::tuple(kEast, apart, 0), std::tuple(kWest, -apart, 0),
                                     std::tuple(kNorth, 0, apart), std::tuple(kSouth, 0, -apart)}) {
    if ((quarters & side) == 0) continue;
    const auto step = plain_step(dx, dy);
    if (!step) return std::nullopt;
    all = unite(all, stepped(set(kid(condition, 1), d), *step, true));
  }
  return all;
}

// Is the cell that the name stands for surely in a set?
bool Lowering::has_cell(NodeId set, std::int32_t slot, NodeId of) const {
  const Node& n = node(set);
  switch (n.op) {
  case Op::local: return n.a == slot;
  case Op::unite: return has_cell(program_.kid(n, 0), slot, of) || has_cell(program_.kid(n, 1), slot, of);
  case Op::box: { // it has its corners, if they fit
    const Node &a = node(program_.kid(n, 0)), &b = node(program_.kid(n, 1));
    if (a.op != Op::local || b.op != Op::local || (a.a != slot && b.a != slot)) return false;
    const Node* const apart = n.count > 2 ? &node(program_.kid(n, 2)) : nullptr;
    if (apart == nullptr) return true;
    if (apart->op != Op::number || apart->a < 1) return false;
    return apart->a == 1 || a.a == b.a || steps_fit(of, a.a == slot ? b.a : a.a, apart->a);
  }
  default: return false;
  }
}

// Are the members reached from the cell that a name stands for, by steps of multiples of so many files and
// ranks?
bool Lowering::steps_fit(NodeId members, std::int32_t from, std::int32_t apart) const {
  const Node& n = node(members);
  if (n.op == Op::minus) return steps_fit(program_.kid(n, 0), from, apart);
  if (n.op == Op::meet)
    return steps_fit(program_.kid(n, 0), from, apart) || steps_fit(program_.kid(n, 1), from, apart);
  if (n.op == Op::local) return n.a == from;
  if (n.op != Op::reach || !is_walk(program_.kid(n, 1)) || !steps_fit(program_.kid(n, 0), from, apart))
    return false;
  std::vector<NodeId> todo{program_.kid(n, 1)};
  while (!todo.empty()) {
    const Node& part = node(todo.back());
    todo.pop_back();
    if (part.op == Op::at) continue;
    if (part.op == Op::directions) {
      bool fits = true;
      program_.step_sets[at(part.a)].each([&](int s) {
        const Step& step = board().steps[at(s)];
        fits = fits && !step.may_return() && step.dx % apart == 0 && step.dy % apart == 0;
      });
      if (!fits) return false;
    } else if (part.type == Type::directions && part.op != Op::local && part.op != Op::choose) {
      return false;
    }
    for (std::uint32_t i = 0; i < part.count; ++i) todo.push_back(program_.kid(part, i));
  }
  return true;
}

} // namespace boardwright::runtime::lowering
