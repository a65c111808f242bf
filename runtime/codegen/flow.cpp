#include "runtime/codegen/flow.hpp"
#include "runtime/codegen/native_code.hpp"
#include "runtime/ir/flow_graph.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace boardwright::runtime::codegen {

namespace {

using ir::is_leaf;
using ir::Op;

// Does it change a set that leaves tell moves by? Those of the state are changed by whatever changes the
// state, and by what takes that back: not all of these name the sets. Who decides the game plays no move
// then.
[[nodiscard]] bool changes_set(const ir::Instruction& i, ir::Reg set, const ir::Layout& layout) {
  const bool changes_state = i.op == Op::undo || (i.op >= Op::put_in && i.op <= Op::move_by);
  if (changes_state && set < layout.draft_sets) return true;
  const std::string_view roles = ir::about(i.op).roles;
  const ir::Reg operands[] = {i.d, i.a, i.b, i.c};
  for (std::size_t k = 0; k < 4; ++k)
    if ((roles[k] == 'S' || roles[k] == 'W') && operands[k] == set) return true;
  return false;
}

std::vector<std::uint32_t> leaves_in_order(const ir::Code& code, Flow& flow, std::uint32_t begin) {
  std::vector<std::uint32_t> leaves;
  std::uint32_t end = begin;
  for (; code.instructions[end].op != Op::pick; ++end) {
    if (end + 1 >= code.instructions.size()) return {};
    const ir::Instruction& i = code.instructions[end];
    if (!flow.reached[end]) continue;
    if (i.op == Op::call || i.op == Op::ret || i.op == Op::jump_table || i.op == Op::cut ||
        i.op == Op::drop || i.op == Op::change || i.op == Op::restore || i.op == Op::view_beginning ||
        i.op == Op::view_now || i.op == Op::memo_enter || i.op == Op::best_moves)
      return {};
    if (is_leaf(i.op)) leaves.push_back(end);
  }
  if (leaves.size() > kMostInOrder || !flow.reached[end]) return {};
  for (const std::uint32_t k : leaves) {
    const ir::Instruction& leaf = code.instructions[k];
    const ir::Leaf& of = code.leaves[static_cast<std::size_t>(leaf.x)];
    const bool compared = leaf.op != Op::leaf && leaf.op != Op::leaf_one;
    if (compared || of.dynamic || !of.values.empty()) return {};
    for (std::uint32_t j = begin; j <= end; ++j) {
      if (!flow.reached[j]) continue;
      const ir::Instruction& i = code.instructions[j];
      const auto to = static_cast<std::uint32_t>(i.x);
      const bool jumps = ir::jumps(i.op);
      if (jumps && j > k && to <= k) return {};
      if (jumps && j < k && to > k) flow.passed_by[k] = true;
      if (leaf.op == Op::leaf && j > k && changes_set(i, leaf.a, code.layout)) return {};
    }
  }
  return leaves;
}

// Whether moves that are played have decided the game, as far as each instruction.
void follow_decisions(const ir::Code& code, const ir::FlowGraph& graph, Flow& flow) {
  const std::size_t size = code.instructions.size();
  flow.decided.assign(size, false);
  flow.undecided.assign(size, false);
  std::vector<std::pair<std::uint32_t, bool>> todo;
  const auto come = [&](std::uint32_t k, bool decided) {
    if (k >= size) return;
    std::vector<bool>& known = decided ? flow.decided : flow.undecided;
    if (known[k]) return;
    known[k] = true;
    todo.emplace_back(k, decided);
  };
  for (const ir::PlayerCode& p : code.players) come(p.position, false);
  while (!todo.empty()) {
    const auto [k, decided] = todo.back();
    todo.pop_back();
    const Op op = code.instructions[k].op;
    const bool decides = op == Op::decide || op == Op::lose || op == Op::decide_score || op == Op::put_out;
    const bool maybe_not = op == Op::undo || op == Op::lose || op == Op::put_out;
    const bool turn_over = op == Op::end_turn;
    for (const std::uint32_t next : graph.after(k)) {
      if (!turn_over && (decided || decides)) come(next, true);
      if (turn_over || (!decided && op != Op::decide && op != Op::decide_score) || maybe_not)
        come(next, false);
    }
  }
}

} // namespace

Flow flow_of(const ir::Code& code, bool random_games) {
  const std::size_t size = code.instructions.size();
  const std::vector<bool> all(size, true);
  Flow flow{all, all, all, all, std::vector<std::vector<std::uint32_t>>(code.players.size()), {}};
  if (!random_games) return flow;
  const ir::FlowGraph graph(code, ir::FlowGraph::Turns::many);
  std::vector<std::vector<std::uint32_t>> before(size);
  std::vector<std::uint32_t> todo;
  flow.reached.assign(size, false);
  const auto reach = [&](std::uint32_t k) {
    if (k >= size || flow.reached[k]) return;
    flow.reached[k] = true;
    todo.push_back(k);
  };
  for (const ir::PlayerCode& p : code.players) reach(p.position);
  while (!todo.empty()) {
    const std::uint32_t k = todo.back();
    todo.pop_back();
    for (const std::uint32_t next : graph.after(k)) {
      if (next < size) before[next].push_back(k);
      reach(next);
    }
  }
  // Back from what takes changes back, as far as the beginning of the turn.
  flow.taken_back.assign(size, false);
  const auto goes_back = [&](std::uint32_t k) {
    if (flow.taken_back[k]) return;
    flow.taken_back[k] = true;
    todo.push_back(k);
  };
  // A move that is searched for by its number takes back what was done on the way to it.
  const bool searches = std::any_of(code.instructions.begin(), code.instructions.end(),
                                    [](const ir::Instruction& i) { return i.op == Op::memo_enter; });
  for (std::uint32_t k = 0; k < size; ++k) {
    const Op op = code.instructions[k].op;
    if (flow.reached[k] && (op == Op::undo || op == Op::put_out || (searches && is_leaf(op)))) goes_back(k);
  }
  while (!todo.empty()) {
    const std::uint32_t k = todo.back();
    todo.pop_back();
    if (code.instructions[k].op == Op::begin_turn) continue;
    for (const std::uint32_t earlier : before[k]) goes_back(earlier);
  }
  follow_decisions(code, graph, flow);
  flow.passed_by.assign(size, false);
  for (std::size_t p = 0; p < code.players.size(); ++p)
    flow.in_order[p] = leaves_in_order(code, flow, code.players[p].position);
  return flow;
}

} // namespace boardwright::runtime::codegen
