// Directions, and where they lead: what is constant, what is possible, what only the walker's cell decides.
#include "runtime/lowering/facts/facts.hpp"

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

// The directions that a value is, where they are known.
std::optional<StepSet> Facts::constant_steps(NodeId id, const AbstractDraft& d) const {
  const Node& n = node(id);
  const auto operand = [&](std::uint32_t i) { return constant_steps(rules_.kid(n, i), d); };
  const auto number = [&](std::uint32_t i) -> std::optional<std::int32_t> {
    const Node& of = node(rules_.kid(n, i));
    return of.op == Op::number ? std::optional(of.a) : std::nullopt;
  };
  switch (n.op) {
  case Op::directions: return rules_.step_sets[at(n.a)];
  case Op::unite:
  case Op::meet:
  case Op::minus: {
    const auto a = operand(0), b = operand(1);
    if (!a || !b) return std::nullopt;
    return n.op == Op::unite ? *a | *b : n.op == Op::meet ? *a & *b : *a - *b;
  }
  case Op::heading:
    if (d.heading.is(Kind::none)) return StepSet();
    return d.heading.is(Kind::steps) ? std::optional(d.heading.steps) : std::nullopt;
  case Op::local: {
    if (is_changed(n.a)) return std::nullopt;
    const auto known = d.locals.find(n.a);
    return known != d.locals.end() && known->second.is(Kind::steps) ? std::optional(known->second.steps)
                                                                    : std::nullopt;
  }
  case Op::sum: {
    const auto a = operand(0), b = operand(1);
    return a && b ? std::optional(compass_.sums(*a, *b)) : std::nullopt;
  }
  case Op::times: {
    const auto by = number(0);
    const auto steps = operand(1);
    return by && steps ? std::optional(compass_.multiples(*by, *steps)) : std::nullopt;
  }
  case Op::opposite: {
    const auto a = operand(0);
    return a ? std::optional(compass_.opposites(*a)) : std::nullopt;
  }
  case Op::turned: {
    const auto a = operand(0);
    const auto by = number(1);
    return a && by ? std::optional(compass_.turned(*a, *by)) : std::nullopt;
  }
  case Op::spins: {
    const auto a = operand(0);
    return a ? std::optional(compass_.spun(*a)) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

// Directions that a value may have, whatever the position.
StepSet Facts::possible_steps(NodeId id, const AbstractDraft& env) const {
  if (const auto known = constant_steps(id, env)) return *known;
  const Node& n = node(id);
  const auto operand = [&](std::uint32_t i) { return possible_steps(rules_.kid(n, i), env); };
  switch (n.op) {
  case Op::if_value: return operand(1) | operand(2);
  case Op::unite: return operand(0) | operand(1);
  case Op::meet: return operand(0) & operand(1);
  case Op::minus:
  case Op::select: return operand(0);
  case Op::times: return compass_.multiples(operand(1), never_negative(rules_.kid(n, 0)));
  default: break;
  }
  StepSet all;
  for (std::size_t s = 0; s < board().steps.size(); ++s) all.set(static_cast<int>(s));
  return all;
}

// Conditions on one cell are `here in S` by now.
std::optional<bool> Facts::truth_at(NodeId id, int cell) const {
  const Node& n = node(id);
  if (n.op != Op::within || node(kid(id, 0)).op != Op::here) return std::nullopt;
  const Node& set = node(kid(id, 1));
  return set.op == Op::cells ? std::optional(rules_.cell_sets[at(set.a)].test(cell)) : std::nullopt;
}

std::optional<StepSet> Facts::steps_at(NodeId way, int cell, const AbstractDraft& d) const {
  if (const auto known = constant_steps(way, d)) return known;
  const Node& n = node(way);
  switch (n.op) {
  case Op::if_value: {
    const auto holds = truth_at(kid(way, 0), cell);
    return holds ? steps_at(kid(way, *holds ? 1 : 2), cell, d) : std::nullopt;
  }
  case Op::unite:
  case Op::meet:
  case Op::minus: {
    const auto a = steps_at(kid(way, 0), cell, d), b = steps_at(kid(way, 1), cell, d);
    if (!a || !b) return std::nullopt;
    return n.op == Op::unite ? *a | *b : n.op == Op::meet ? *a & *b : *a - *b;
  }
  default: return std::nullopt;
  }
}

// For each step the cells from which it is among the directions; nothing where more decides than the cell.
std::optional<std::map<int, CellSet>> Facts::steps_by_cell(NodeId way, const AbstractDraft& d) const {
  std::map<int, CellSet> all;
  bool good = true;
  board().all.each([&](int cell) {
    if (!good) return;
    const auto steps = steps_at(way, cell, d);
    good = steps.has_value();
    if (steps) steps->each([&](int s) { all[s].set(cell); });
  });
  return good ? std::optional(all) : std::nullopt;
}

// Is it one direction whatever the position, or none, as anybody can see?
bool Facts::is_one_step(NodeId way) const {
  const Node& n = node(way);
  if (n.op == Op::heading) return true;
  if (n.op == Op::directions) return rules_.step_sets[at(n.a)].count() == 1;
  return n.op == Op::local && chosen_steps_.count(n.a) != 0;
}

} // namespace boardwright::runtime::lowering
