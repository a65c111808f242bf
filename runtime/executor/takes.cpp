#include "runtime/executor/takes.hpp"

#include "runtime/ir/operations.hpp"

#include <cstddef>

namespace boardwright::runtime::executor {

namespace {

using ir::Instruction;
using ir::Op;

constexpr std::uint32_t kEveryone = 0xffffffff;

std::uint32_t losers(const Instruction& i, const ir::Layout& layout) {
  switch (i.op) {
  case Op::take_out:
  case Op::write_set:
  case Op::leave_set: return i.d < layout.players ? std::uint32_t{1} << i.d : 0;
  case Op::lift:
  case Op::put:
  case Op::set_piece:
  case Op::lift_some:
  case Op::put_some:
  case Op::discard:
  case Op::remove:
  case Op::drop:
  case Op::change:
  case Op::move_by: return kEveryone;
  default: return 0;
  }
}

std::uint32_t losers_from(std::uint32_t entry, const ir::Code& code, std::vector<std::uint32_t>& seen,
                          std::uint32_t round) {
  std::uint32_t found = 0;
  std::vector<std::uint32_t> todo = {entry};
  while (!todo.empty() && found != kEveryone) {
    const std::uint32_t pc = todo.back();
    todo.pop_back();
    if (pc >= code.instructions.size() || seen[pc] == round) continue;
    seen[pc] = round;
    const Instruction& i = code.instructions[pc];
    found |= losers(i, code.layout);
    if (i.op == Op::call) todo.push_back(static_cast<std::uint32_t>(i.x));
    ir::each_next(code, pc, [&](std::size_t next) { todo.push_back(static_cast<std::uint32_t>(next)); });
  }
  return found;
}

} // namespace

std::vector<std::uint32_t> losers_by_leaf(const ir::Code& code) {
  std::vector<std::uint32_t> all, seen(code.instructions.size(), 0);
  std::uint32_t round = 0;
  for (const ir::Leaf& leaf : code.leaves)
    all.push_back(code.layout.stacks ? kEveryone : losers_from(leaf.entry, code, seen, ++round));
  return all;
}

} // namespace boardwright::runtime::executor
