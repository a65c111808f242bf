#include "runtime/sprint/frozen.hpp"

#include <algorithm>
#include <optional>

namespace boardwright::runtime {

namespace {

[[nodiscard]] std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// The nodes that the turns are made of.
[[nodiscard]] std::vector<bool> of_turns(const Program& program) {
  std::vector<bool> met(program.nodes.size(), false);
  std::vector<NodeId> open;
  const auto meet = [&](NodeId id) {
    if (id == kNoNode || met[id]) return;
    met[id] = true;
    open.push_back(id);
  };
  for (const Player& player : program.players) meet(player.turn);
  while (!open.empty()) {
    const Node& n = program.nodes[open.back()];
    open.pop_back();
    for (const NodeId kid : program.kids_of(n)) meet(kid);
  }
  return met;
}

class Folding {
public:
  explicit Folding(Program& program) : program_(program) {}

  // Children come before their parents, so one pass is enough; where they don't, nothing is folded.
  void fold(NodeId id) {
    Node& n = program_.nodes[id];
    for (const NodeId kid : program_.kids_of(n))
      if (kid != kNoNode && kid >= id) return;
    switch (n.op) {
    case Op::negation:
      if (const auto c = truth(kid(n, 0))) become(n, !*c);
      return;
    case Op::all_of: return fold_any(n, false);
    case Op::any_of: return fold_any(n, true);
    case Op::equal: return fold_numbers(n, [](std::int32_t a, std::int32_t b) { return a == b; });
    case Op::less: return fold_numbers(n, [](std::int32_t a, std::int32_t b) { return a < b; });
    case Op::at_most: return fold_numbers(n, [](std::int32_t a, std::int32_t b) { return a <= b; });
    case Op::if_action:
    case Op::if_value: return fold_if(n);
    default: return;
    }
  }

private:
  [[nodiscard]] NodeId kid(const Node& n, std::uint32_t i) const { return program_.kid(n, i); }
  [[nodiscard]] std::optional<bool> truth(NodeId id) const {
    const Node& n = program_.nodes[id];
    if (n.op != Op::truth) return std::nullopt;
    return n.a != 0;
  }
  static void become(Node& n, bool value) {
    n.op = Op::truth;
    n.a = value ? 1 : 0;
    n.count = 0;
  }

  void fold_any(Node& n, bool any) const {
    bool all_known = true;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const auto c = truth(kid(n, i));
      if (c && *c == any) return become(n, any);
      all_known = all_known && c.has_value();
    }
    if (all_known) become(n, !any);
  }

  template <class F>
  void fold_numbers(Node& n, F&& holds) const {
    const Node &a = program_.nodes[kid(n, 0)], &b = program_.nodes[kid(n, 1)];
    if (a.op == Op::number && b.op == Op::number) become(n, holds(a.a, b.a));
  }

  void fold_if(Node& n) const {
    const auto c = truth(kid(n, 0));
    if (!c) return;
    const std::uint32_t taken = *c ? 1 : 2;
    if (taken < n.count && kid(n, taken) != kNoNode) {
      n = Node(program_.nodes[kid(n, taken)]);
    } else { // nothing at all
      n.op = Op::sequence;
      n.count = 0;
    }
  }

  Program& program_;
};

} // namespace

Frozen find_frozen(const Program& program) {
  const std::vector<bool> met = of_turns(program);
  std::vector<bool> changes(program.variables.size(), false);
  for (NodeId id = 0; id < program.nodes.size(); ++id)
    if (met[id] && program.nodes[id].op == Op::set_variable) changes[at(program.nodes[id].a)] = true;
  Frozen frozen;
  for (std::size_t v = 0; v < changes.size(); ++v) {
    const Type type = program.variables[v].type;
    if (!changes[v] && (type == Type::number || type == Type::truth) && v < program.initial.variables.size())
      frozen.emplace_back(static_cast<std::int32_t>(v), program.initial.variables[v].number);
  }
  return frozen;
}

void put_in(const Frozen& frozen, Program& program) {
  Folding folding(program);
  for (NodeId id = 0; id < program.nodes.size(); ++id) {
    Node& n = program.nodes[id];
    const auto known =
        std::find_if(frozen.begin(), frozen.end(), [&](const auto& f) { return f.first == n.a; });
    if (n.op == Op::variable && known != frozen.end()) {
      n.op = n.type == Type::truth ? Op::truth : Op::number;
      n.a = known->second;
      n.count = 0;
    }
    folding.fold(id);
  }
}

} // namespace boardwright::runtime
