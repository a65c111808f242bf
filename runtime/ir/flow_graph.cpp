#include "runtime/ir/flow_graph.hpp"

#include <algorithm>

namespace boardwright::runtime::ir {

std::vector<std::uint32_t> FlowGraph::find_body(const Code& code, std::size_t place) const {
  std::vector<std::uint32_t> body;
  std::vector<bool> seen(code.instructions.size(), false);
  std::vector<std::size_t> todo{place};
  while (!todo.empty()) {
    const std::size_t k = todo.back();
    todo.pop_back();
    if (k >= seen.size() || seen[k]) continue;
    seen[k] = true;
    body.push_back(static_cast<std::uint32_t>(k));
    each_next(code, k, [&](std::size_t next) { todo.push_back(next); });
  }
  return body;
}

FlowGraph::FlowGraph(const Code& code, Turns turns) {
  const std::size_t size = code.instructions.size();
  std::map<std::size_t, std::vector<std::uint32_t>> behind; // by where a call leads
  for (std::size_t k = 0; k < size; ++k)
    if (const Instruction& i = code.instructions[k]; i.op == Op::call)
      behind[static_cast<std::size_t>(i.x)].push_back(static_cast<std::uint32_t>(k + 1));
  std::vector<std::vector<std::uint32_t>> returns(behind.empty() ? 0 : size);
  for (const auto& [place, back] : behind) {
    for (const std::uint32_t k : bodies_[place] = find_body(code, place))
      if (code.instructions[k].op == Op::ret) returns[k].insert(returns[k].end(), back.begin(), back.end());
  }
  ends_.reserve(size + 1);
  for (std::size_t k = 0; k < size; ++k) {
    const Instruction& i = code.instructions[k];
    if (i.op == Op::call)
      next_.push_back(static_cast<std::uint32_t>(i.x));
    else
      each_next(code, k, [this](std::size_t next) { next_.push_back(static_cast<std::uint32_t>(next)); });
    if (i.op == Op::ret && !returns.empty()) next_.insert(next_.end(), returns[k].begin(), returns[k].end());
    if (turns == Turns::many && about(i.op).to_moves)
      for (const Leaf& leaf : code.leaves) next_.push_back(leaf.entry);
    if (turns == Turns::many && about(i.op).to_positions)
      for (const PlayerCode& p : code.players) next_.push_back(p.position);
    ends_.push_back(next_.size());
  }
}

std::span<const std::uint32_t> FlowGraph::body(std::size_t place) const {
  const auto found = bodies_.find(place);
  if (found == bodies_.end()) return {};
  return found->second;
}

} // namespace boardwright::runtime::ir
