// Jumps lead to where a run ends up behind them, and what no run comes to is left out.
#include "runtime/ir/operations.hpp"
#include "runtime/model/index.hpp"
#include "runtime/passes/edits.hpp"
#include "runtime/passes/passes.hpp"

#include <cstdint>
#include <vector>

namespace boardwright::runtime::passes {

namespace {

using Ir = ir::Op;

// Behind jumps to jumps, as long as they lead on. Those that lead back are where a loop's round is counted
// (set_loop_costs): a test within the loop that led there at once would be counted as a round.
std::uint32_t end_of_jumps(const ir::Code& code, std::uint32_t place) {
  while (place < code.instructions.size()) {
    const ir::Instruction& i = code.instructions[place];
    if (i.op != Ir::go || i.x <= static_cast<std::int32_t>(place)) break;
    place = static_cast<std::uint32_t>(i.x);
  }
  return place;
}

// By instruction: does a run come to it? Runs begin where positions, moves and leaves name a place.
std::vector<bool> reached(const ir::Code& code) {
  std::vector<bool> seen(code.instructions.size() + 1, false);
  std::vector<std::size_t> todo;
  const auto come = [&](std::size_t k) {
    if (k >= code.instructions.size() || seen[k]) return;
    seen[k] = true;
    todo.push_back(k);
  };
  for (const ir::PlayerCode& p : code.players)
    for (const std::uint32_t place : {p.position, p.play, p.notate, p.moves_done}) come(place);
  for (const ir::Leaf& leaf : code.leaves) come(leaf.entry);
  while (!todo.empty()) {
    const std::size_t k = todo.back();
    todo.pop_back();
    const ir::Instruction& i = code.instructions[k];
    if (i.op == Ir::call) come(at(i.x));
    ir::each_next(code, k, come);
  }
  return seen;
}

} // namespace

void thread_jumps(ir::Code& code) {
  for (ir::Instruction& i : code.instructions)
    if (ir::jumps(i.op)) i.x = static_cast<std::int32_t>(end_of_jumps(code, static_cast<std::uint32_t>(i.x)));
  for (auto& table : code.labels)
    for (std::uint32_t& place : table) place = end_of_jumps(code, place);
  const std::vector<bool> seen = reached(code);
  Edits edits(code.instructions.size());
  for (std::size_t k = 0; k < code.instructions.size(); ++k)
    if (!seen[k]) edits.remove(k);
  // A jump to what comes next anyway; but what an operation leaves out, if it succeeds, must be there.
  for (std::size_t k = code.instructions.size(); k-- > 0;) {
    const ir::Instruction& i = code.instructions[k];
    if (!seen[k] || i.op != Ir::go || i.x <= static_cast<std::int32_t>(k)) continue;
    if (k > 0 && ir::about(code.instructions[k - 1].op).leaves_out) continue;
    std::size_t next = k + 1;
    while (next < at(i.x) && edits.removed(next)) ++next;
    if (next == at(i.x)) edits.remove(k);
  }
  edits.apply(code);
}

} // namespace boardwright::runtime::passes
