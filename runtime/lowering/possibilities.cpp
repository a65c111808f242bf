// What is known of a rule whatever the position: which directions a value may have, what can be on cells,
// where walks may end, whether an action chooses.
#include "runtime/lowering/lowering.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// Sets variables and the like: walker and pieces stay, nothing is chosen, written or decided.
bool Lowering::only_sets(NodeId id) const {
  if (id == kNoNode) return true;
  const Node& n = node(id);
  switch (n.op) {
  case Op::sequence:
  case Op::if_action:
  case Op::by_kind_action:
  case Op::by_player_action:
    for (std::uint32_t i = n.op == Op::sequence ? 0 : 1; i < n.count; ++i)
      if (!only_sets(program_.kid(n, i))) return false;
    return true;
  case Op::set_variable:
  case Op::set_local:
  case Op::set_hand:
  case Op::again:
  case Op::require:
  case Op::at:
  case Op::never: return true;
  default: return false;
  }
}

// May an action have several outcomes, as far as can be seen? Values may ask what they like.
bool Lowering::chooses(NodeId id) const {
  if (id == kNoNode || !is_action(node(id).op)) return false;
  const Node& n = node(id);
  switch (n.op) {
  case Op::to: {
    const Op of = node(program_.kid(n, 0)).op;
    return of != Op::here && of != Op::start;
  }
  case Op::go: {
    const Node& way = node(program_.kid(n, 0));
    if (way.op == Op::heading || (way.op == Op::local && chosen_steps_.count(way.a) != 0)) return false;
    return possible_steps(program_.kid(n, 0), any_draft()).count() > 1;
  }
  case Op::repeat: {
    const bool fixed = (n.a & kUnbounded) == 0 && same(program_.kid(n, 1), program_.kid(n, 2));
    return (!fixed && (n.a & kMaximal) == 0) || chooses(program_.kid(n, 0));
  }
  default: break;
  }
  const bool several = one_of(n.op, Op::alternatives, Op::most, Op::distinct);
  if (several || about(n.op).outcomes == Outcomes::many) return true;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (chooses(program_.kid(n, i))) return true;
  return false;
}

// What can be on the cells of a set.
Contents Lowering::possible_contents(NodeId id, const Draft& env) const {
  const Node& n = node(id);
  const auto operand = [&](std::uint32_t i) { return possible_contents(program_.kid(n, i), env); };
  switch (n.op) {
  case Op::empty: return Contents(1);
  case Op::owned: return contents_of_owner(n);
  case Op::kind_cells:
    if (const Node& kind = node(program_.kid(n, 0)); kind.op == Op::kind && kind.a >= 0)
      return contents_of_kind(kind.a);
    break;
  case Op::meet: return operand(0) & operand(1);
  case Op::unite: return operand(0) | operand(1);
  case Op::if_value: return n.count > 2 ? operand(1) | operand(2) : all_contents();
  case Op::minus:
  case Op::select: return operand(0);
  case Op::local:
    if (const auto known = env.locals.find(n.a); known != env.locals.end() && known->second.is(Kind::set))
      return known->second.contents;
    break;
  default: break;
  }
  return all_contents();
}

// Directions that a value may have, whatever the position.
StepSet Lowering::possible_steps(NodeId id, const Draft& env) const {
  if (const auto known = constant_steps(id, env)) return *known;
  const Node& n = node(id);
  const auto operand = [&](std::uint32_t i) { return possible_steps(program_.kid(n, i), env); };
  switch (n.op) {
  case Op::if_value: return operand(1) | operand(2);
  case Op::unite: return operand(0) | operand(1);
  case Op::meet: return operand(0) & operand(1);
  case Op::minus:
  case Op::select: return operand(0);
  default: break;
  }
  StepSet all;
  for (std::size_t s = 0; s < board().steps.size(); ++s) all.set(static_cast<int>(s));
  return all;
}

bool Lowering::same(NodeId a, NodeId b) const {
  if (a == b) return true;
  if (a == kNoNode || b == kNoNode) return false;
  const Node &x = node(a), &y = node(b);
  if (x.op != y.op || x.a != y.a || x.b != y.b || x.count != y.count || x.type != y.type) return false;
  for (std::uint32_t i = 0; i < x.count; ++i)
    if (!same(program_.kid(x, i), program_.kid(y, i))) return false;
  return true;
}

// Where a walk may end, whatever stands on the way. Adds to `looked` the cells where it tests what stands
// there.
CellSet Lowering::possible_ends(NodeId id, const CellSet& from, Draft& env, CellSet* looked) const {
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
    const Node& tested = node(program_.kid(n, 0));
    if (tested.op == Op::cells) return from & program_.cell_sets[at(tested.a)];
    if (looked != nullptr) *looked |= from;
    return from;
  }
  case Op::go: return stepped_by(possible_steps(program_.kid(n, 0), env), from);
  case Op::choose: env.locals[n.a] = make_steps(possible_steps(program_.kid(n, 0), env)); return from;
  case Op::sequence: {
    Steps walk;
    flatten(id, walk);
    return possible_ends(walk, 0, from, env, looked);
  }
  case Op::alternatives: {
    CellSet all;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      Draft inside = env;
      all |= possible_ends(program_.kid(n, i), from, inside, looked);
    }
    return all;
  }
  case Op::repeat: {
    const Node& low = node(program_.kid(n, 1));
    const bool until = (n.a & kUntil) != 0; // it may be over sooner
    const int least = low.op == Op::number ? std::min(low.a, until ? 1 : kMaxCells) : 0;
    int rounds = 0;
    const auto once = [&](const CellSet& cells) {
      Draft inside = env;
      ++rounds;
      return possible_ends(program_.kid(n, 0), cells, inside, looked);
    };
    CellSet front = from;
    while (rounds < least && front.any()) front = once(front);
    const bool bounded = (n.a & kUnbounded) == 0 && node(program_.kid(n, 2)).op == Op::number;
    const int most = bounded ? node(program_.kid(n, 2)).a : kMaxCells;
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

} // namespace boardwright::runtime::lowering
