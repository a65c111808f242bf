#include "runtime/reference/trace.hpp"

namespace boardwright::runtime {

bool holds_anything(Type type, const Value& value) {
  switch (type) {
  case Type::cells: return value.cells.any();
  case Type::directions: return value.steps.any();
  case Type::kind: return value.number >= 0;
  case Type::numbers:
  case Type::sets:
  case Type::kinds:
  case Type::players: return !value.list.empty();
  case Type::number:
  case Type::truth: return value.number != 0;
  default: return true; // a player or a map is always there
  }
}

void Trace::add(const Trace& other) {
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    nodes_[id].met += other.nodes_[id].met;
    nodes_[id].held += other.nodes_[id].held;
    nodes_[id].moved += other.nodes_[id].moved;
    nodes_[id].vacuous += other.nodes_[id].vacuous;
    nodes_[id].add_most(other.nodes_[id].most, other.nodes_[id].had_most);
  }
  carrying_ += other.carrying_;
}

void Trace::acted(NodeId id, const Draft& /*from*/, bool went_on, bool moved) {
  NodeCount& count = nodes_[id];
  ++count.met;
  count.held += went_on ? 1 : 0;
  count.moved += moved ? 1 : 0;
}

void Trace::moved(NodeId id) {
  ++nodes_[id].met;
  ++nodes_[id].held;
  ++nodes_[id].moved;
}

void Trace::asked(NodeId id, const Draft& /*in*/, const Value& value) {
  NodeCount& count = nodes_[id];
  const Node& n = program_.nodes[id];
  const bool holds = holds_anything(n.type, value);
  ++count.met;
  count.held += holds ? 1 : 0;
  if (n.type == Type::number) count.add_most(value.number, 1);
  held_last_[id] = holds ? 1 : 0;
  if (n.op == Op::within && holds && held_last_[program_.kid(n, 0)] == 0) ++count.vacuous;
}

void Trace::ended_carrying(const Draft& /*draft*/) { ++carrying_; }

} // namespace boardwright::runtime
