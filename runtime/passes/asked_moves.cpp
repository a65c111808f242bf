// Stacks that are moved last, where only what is written of a move is looked at: it is only asked whether
// they can be.
#include "runtime/ir/operations.hpp"
#include "runtime/passes/passes.hpp"

#include <algorithm>

namespace boardwright::runtime::passes {

namespace {

using Ir = ir::Op;

// Does an operation go on behind itself, without a look at the board, and without a mark of the trail?
[[nodiscard]] bool looks_nowhere(const ir::Instruction& i) {
  switch (i.op) {
  case Ir::constant:
  case Ir::copy:
  case Ir::write:
  case Ir::again: return true;
  case Ir::say_text:
  case Ir::say_gone: return i.y == 1; // only the key goes on
  default: return false;
  }
}

[[nodiscard]] std::size_t behind_jumps(const ir::Code& code, std::size_t k) {
  for (std::size_t jumps = 0; k < code.instructions.size() && jumps < code.instructions.size(); ++jumps) {
    if (code.instructions[k].op != Ir::go) return k;
    k = static_cast<std::size_t>(code.instructions[k].x);
  }
  return code.instructions.size();
}

// Is a move noted next, by what is written of it, and all taken back?
[[nodiscard]] bool is_taken_back(const ir::Code& code, std::size_t k) {
  const auto& all = code.instructions;
  while (k < all.size() && looks_nowhere(all[k])) ++k;
  if (k >= all.size() || (all[k].op != Ir::leaf_once && all[k].op != Ir::leaf_one)) return false;
  const std::size_t next = behind_jumps(code, k + 1);
  return next < all.size() && all[next].op == Ir::undo;
}

} // namespace

void ask_last_moves(ir::Code& code) {
  for (std::size_t k = 0; k < code.instructions.size(); ++k) {
    ir::Instruction& i = code.instructions[k];
    if (i.op == Ir::move_by && is_taken_back(code, k + 1)) i.y |= ir::kOnlyAsked;
  }
}

} // namespace boardwright::runtime::passes
