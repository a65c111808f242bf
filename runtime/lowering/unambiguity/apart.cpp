#include "runtime/lowering/unambiguity/unambiguity.hpp"

#include "runtime/model/idioms.hpp"

namespace boardwright::runtime::lowering::unambiguity {

namespace {

struct Apart {
  Program& rules;
  const Facts& facts;

  NodeId add(Node n, const Actions& kids) {
    n.kids = static_cast<std::uint32_t>(rules.kids.size());
    n.count = static_cast<std::uint32_t>(kids.size());
    rules.kids.insert(rules.kids.end(), kids.begin(), kids.end());
    rules.nodes.push_back(n);
    return static_cast<NodeId>(rules.nodes.size() - 1);
  }

  NodeId action(Op op, const Actions& kids, NodeId like) {
    if (kids.size() == 1) return kids.front();
    Node n = rules.nodes[like];
    n.op = op;
    n.a = n.b = 0;
    return add(n, kids);
  }

  // What is known of an action is kept by its node: where it stands twice it needs two.
  NodeId copied(NodeId id) {
    if (id == kNoNode) return id;
    const Node n = rules.nodes[id];
    Actions kids;
    for (std::uint32_t i = 0; i < n.count; ++i) kids.push_back(copied(rules.kid(n, i)));
    return add(n, kids);
  }

  NodeId each_way(NodeId id) {
    const Node n = rules.nodes[id];
    Actions kids;
    bool changed = false;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const NodeId old = rules.kid(n, i), now = apart(old);
      const Node& other = rules.nodes[now];
      changed = changed || now != old;
      if (now != old && n.op == Op::alternatives && other.op == Op::alternatives)
        for (std::uint32_t k = 0; k < other.count; ++k) kids.push_back(rules.kid(other, k));
      else
        kids.push_back(now);
    }
    return changed ? action(n.op, kids, id) : id;
  }

  [[nodiscard]] bool chooses_direction(NodeId id) const {
    const Node& n = rules.nodes[id];
    return n.op == Op::choose && rules.nodes[rules.kid(n, 0)].type == Type::directions;
  }

  NodeId apart(NodeId id) {
    constexpr std::size_t kMostApart = 8;
    const auto joins = [](const Node& n) { return n.op == Op::alternatives || n.op == Op::otherwise; };
    if (joins(rules.nodes[id])) return each_way(id);
    Actions parts;
    facts.flatten(id, parts);
    const std::size_t first = first_that_matters(parts, facts);
    std::size_t ways = first;
    if (first < parts.size() && facts.node(parts[first]).op == Op::from) do
        ++ways;
      while (ways < parts.size() && (!facts.chooses(parts[ways]) || chooses_direction(parts[ways])));
    if (ways >= parts.size()) return id;
    const Node choice = rules.nodes[parts[ways]];
    if (ways == first) { // nothing has begun yet
      const NodeId now = joins(choice) ? each_way(parts[first]) : parts[first];
      if (now == parts[first]) return id;
      parts[first] = now;
      return action(Op::sequence, parts, id);
    }
    if (choice.op != Op::alternatives || choice.count > kMostApart) return id;
    Actions all;
    for (std::uint32_t k = 0; k < choice.count; ++k) {
      Actions way = parts;
      way[ways] = rules.kid(choice, k);
      for (std::size_t i = 0; k > 0 && i < way.size(); ++i)
        if (i != ways) way[i] = copied(way[i]);
      all.push_back(action(Op::sequence, way, id));
    }
    return action(Op::alternatives, all, parts[ways]);
  }
};

} // namespace

NodeId alternatives_apart(NodeId turn, Program& rules, const Facts& facts) {
  return is_on(Idiom::apart) ? Apart{rules, facts}.apart(turn) : turn;
}

} // namespace boardwright::runtime::lowering::unambiguity
