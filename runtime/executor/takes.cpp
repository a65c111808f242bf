#include "runtime/executor/takes.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace boardwright::runtime::executor {

namespace {

using ir::Instruction;
using ir::Op;

constexpr std::uint32_t kEveryone = 0xffffffff;

// Does operand x say where to go on?
bool jumps(Op op) {
  static constexpr std::array kRoles = {
#define X(name, roles, what) std::string_view(roles),
      BOARDWRIGHT_IR(X)
#undef X
  };
  return kRoles[static_cast<std::size_t>(op)][4] == 'j';
}

bool ends(Op op) {
  switch (op) {
  case Op::go:
  case Op::jump_table:
  case Op::ret:
  case Op::end_turn:
  case Op::halt:
  case Op::fault: return true;
  default: return false;
  }
}

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
    if (jumps(i.op)) todo.push_back(static_cast<std::uint32_t>(i.x));
    if (i.op == Op::jump_table)
      for (const std::uint32_t label : code.labels[static_cast<std::size_t>(i.x)]) todo.push_back(label);
    if (!ends(i.op)) todo.push_back(pc + 1);
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
