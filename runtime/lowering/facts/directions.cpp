// Directions, and where they lead: what is constant, what is possible, what only the walker's cell decides.
#include "runtime/lowering/facts/facts.hpp"

#include <algorithm>
#include <cstdlib>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// The directions that a value is, where they are known.
std::optional<StepSet> Facts::constant_steps(NodeId id, const Draft& d) const {
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
StepSet Facts::possible_steps(NodeId id, const Draft& env) const {
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

// Where a walk may end, whatever stands on the way. Adds to `looked` the cells where it tests what stands
// there.
CellSet Facts::possible_ends(NodeId id, const CellSet& from, Draft& env, CellSet* looked) const {
  const Node& n = node(id);
  const auto stepped_by = [&](const StepSet& steps, const CellSet& cells) {
    CellSet found;
    steps.each([&](int s) {
      cells.each([&](int c) {
        if (const int to = board().steps[at(s)].to[at(c)]; to != kNowhere) found.set(to);
      });
    });
    return found;
  };
  switch (n.op) {
  case Op::never: return {};
  case Op::at: {
    const Node& tested = node(rules_.kid(n, 0));
    if (tested.op == Op::cells) return from & rules_.cell_sets[at(tested.a)];
    if (looked != nullptr) *looked |= from;
    return from;
  }
  case Op::go: return stepped_by(possible_steps(rules_.kid(n, 0), env), from);
  case Op::choose: env.locals[n.a] = make_steps(possible_steps(rules_.kid(n, 0), env)); return from;
  case Op::sequence: {
    Steps walk;
    flatten(id, walk);
    return possible_ends(walk, 0, from, env, looked);
  }
  case Op::alternatives: {
    CellSet all;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      Draft inside = env;
      all |= possible_ends(rules_.kid(n, i), from, inside, looked);
    }
    return all;
  }
  case Op::repeat: {
    const Node& low = node(rules_.kid(n, 1));
    const bool until = (n.a & kUntil) != 0; // it may be over sooner
    const int least = low.op == Op::number ? std::min(low.a, until ? 1 : kMaxCells) : 0;
    int rounds = 0;
    const auto once = [&](const CellSet& cells) {
      Draft inside = env;
      ++rounds;
      return possible_ends(rules_.kid(n, 0), cells, inside, looked);
    };
    CellSet front = from;
    while (rounds < least && front.any()) front = once(front);
    const bool bounded = (n.a & kUnbounded) == 0 && node(rules_.kid(n, 2)).op == Op::number;
    const int most = bounded ? node(rules_.kid(n, 2)).a : kMaxCells;
    CellSet all = front;
    while (rounds < most && front.any()) {
      front = once(front) - all;
      all |= front;
    }
    return all;
  }
  default: return board().all;
  }
}

// The parts of a walk from one on. Each direction that is chosen goes on by itself.
CellSet Facts::possible_ends(const Steps& walk, std::size_t i, const CellSet& from, Draft& env,
                             CellSet* looked) const {
  CellSet now = from;
  for (; i < walk.size(); ++i) {
    const Node& n = node(walk[i]);
    if (n.op == Op::choose && node(rules_.kid(n, 0)).type == Type::directions) {
      CellSet all;
      possible_steps(rules_.kid(n, 0), env).each([&](int s) {
        Draft inside = env;
        inside.locals[n.a] = make_steps(StepSet::of(s));
        all |= possible_ends(walk, i + 1, now, inside, looked);
      });
      return all;
    }
    now = possible_ends(walk[i], now, env, looked);
  }
  return now;
}

// Conditions on one cell are `here in S` by now.
std::optional<bool> Facts::truth_at(NodeId id, int cell) const {
  const Node& n = node(id);
  if (n.op != Op::within || node(kid(id, 0)).op != Op::here) return std::nullopt;
  const Node& set = node(kid(id, 1));
  return set.op == Op::cells ? std::optional(rules_.cell_sets[at(set.a)].test(cell)) : std::nullopt;
}

std::optional<StepSet> Facts::steps_at(NodeId way, int cell, const Draft& d) const {
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
std::optional<std::map<int, CellSet>> Facts::steps_by_cell(NodeId way, const Draft& d) const {
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

// `go D` and tests behind it, with known directions.
std::optional<Round> Facts::round(NodeId body, const Draft& d) const {
  Steps parts;
  flatten(body, parts);
  if (parts.empty() || node(parts[0]).op != Op::go) return std::nullopt;
  const auto steps = constant_steps(rules_.kid(node(parts[0]), 0), d);
  if (!steps) return std::nullopt;
  Round r;
  r.steps = *steps;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const NodeId tested = node(parts[i]).op == Op::at ? rules_.kid(node(parts[i]), 0) : kNoNode;
    if (tested == kNoNode || contains(tested, Op::here) || contains(tested, Op::heading)) return std::nullopt;
    r.tests.push_back(tested);
  }
  return r;
}

// Does an action go from cell to cell, along curves too, and do nothing else?
bool Facts::bends(NodeId id) const {
  const Node& n = node(id);
  const auto kids = rules_.kids_of(n);
  switch (n.op) {
  case Op::bend: return true;
  case Op::sequence:
  case Op::alternatives: return std::all_of(kids.begin(), kids.end(), [this](NodeId k) { return bends(k); });
  case Op::repeat: return (n.a & (kMaximal | kUntil)) == 0 && bends(kids[0]);
  default: return is_walk(id);
  }
}

// Is it one direction whatever the position, or none, as anybody can see?
bool Facts::is_one_step(NodeId way) const {
  const Node& n = node(way);
  if (n.op == Op::heading) return true;
  if (n.op == Op::directions) return rules_.step_sets[at(n.a)].count() == 1;
  return n.op == Op::local && chosen_steps_.count(n.a) != 0;
}

} // namespace boardwright::runtime::lowering
