#include "runtime/lowering/facts/sizes.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

namespace {

// Far more than anybody asks for, and a product of some of these is still a number: also where those have 32
// bits.
constexpr std::size_t kMostWritten = std::size_t{1} << (sizeof(std::size_t) < 8 ? 15 : 40);

// More needn't be told apart.
constexpr std::size_t kMostWeight = 1 << 20;

std::size_t times(std::size_t a, std::size_t b) { return std::min(kMostWritten, a * b); }

} // namespace

std::size_t Sizes::weight(NodeId id) const {
  return id == kNoNode ? 0 : std::min<std::size_t>(kMostWeight, terms_.term(id).size);
}

// Directions that are chosen multiply what comes behind.
std::size_t Sizes::weight(const Todo* todo) const {
  std::size_t sum = 0, times = 1;
  for (; todo != nullptr; todo = todo->next) {
    if (todo->then != nullptr) {
      todo = todo->then->after == nullptr ? nullptr : todo->then->after;
      sum = std::min(kMostWeight, sum + 4 * times);
      if (todo == nullptr) break;
    }
    if (todo->then != nullptr) continue;
    const Node& n = node(todo->action);
    sum = std::min(kMostWeight, sum + times * weight(todo->action));
    if (n.op == Op::choose && node(rules_.kid(n, 0)).type == Type::directions)
      times = std::min<std::size_t>(times * 4, 64);
    if (n.op == Op::alternatives || n.op == Op::if_action)
      times = std::min<std::size_t>(times * std::max<std::size_t>(n.count, 2), 64);
  }
  return sum;
}

// How much code an action would be if what comes behind each of its ways on were written there, and how many
// ways there are.
Sizes::WrittenOut Sizes::written_out(NodeId id) const {
  if (const auto known = written_out_.find(id); known != written_out_.end()) return known->second;
  const Node& n = node(id);
  const auto kids = rules_.kids_of(n);
  WrittenOut all{weight(id), 1};
  const auto directions = [&](NodeId of) -> std::size_t {
    return node(of).op == Op::directions ? at(rules_.step_sets[at(node(of).a)].count()) : 1;
  };
  switch (n.op) {
  case Op::sequence:
    all.size = 0;
    for (const NodeId k : kids) {
      const WrittenOut part = written_out(k);
      all.size = std::min(kMostWritten, all.size + times(all.ways, part.size));
      all.ways = times(all.ways, part.ways);
    }
    break;
  case Op::alternatives:
  case Op::otherwise:
  case Op::if_action:
  case Op::by_kind_action:
  case Op::by_player_action: {
    const bool asks = n.op != Op::alternatives && n.op != Op::otherwise;
    all = {1, n.op == Op::if_action && n.count < 3 ? 1U : 0U};
    for (std::size_t k = asks ? 1 : 0; k < kids.size(); ++k) {
      const WrittenOut part = written_out(kids[k]);
      all.size = std::min(kMostWritten, all.size + part.size);
      all.ways = std::min(kMostWritten, all.ways + part.ways);
    }
    break;
  }
  case Op::go: all.ways = directions(kids[0]); break;
  case Op::choose: all.ways = node(kids[0]).type == Type::directions ? directions(kids[0]) : 1; break;
  default: break;
  }
  return written_out_[id] = all;
}

Sizes::WrittenOut Sizes::written_out(const Todo* todo) const {
  WrittenOut all{0, 1};
  while (todo != nullptr) {
    if (todo->then != nullptr) {
      todo = todo->then->shares ? nullptr : todo->then->after;
      continue;
    }
    const WrittenOut part = written_out(todo->action);
    all.size = std::min(kMostWritten, all.size + times(all.ways, part.size));
    all.ways = times(all.ways, part.ways);
    todo = todo->next;
  }
  return all;
}

} // namespace boardwright::runtime::lowering
