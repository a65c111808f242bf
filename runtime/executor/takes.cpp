#include "runtime/executor/takes.hpp"

#include "runtime/ir/operations.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace boardwright::runtime::executor {

namespace {

using ir::File;
using ir::Instruction;
using ir::Op;
using ir::Reg;

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

// Code that is longer isn't looked into: to play the move tells as well.
constexpr std::size_t kMostInstructions = 500;
// To look at more cells takes longer than to play the move.
constexpr std::size_t kMostCells = 8;

// The code that plays the moves of a leaf. `seen` has a place for each instruction, and no `round` twice.
class MoveCode {
public:
  MoveCode(const ir::Code& code, std::uint32_t entry, std::vector<std::uint32_t>& seen, std::uint32_t round)
      : code_(code) {
    std::vector<std::uint32_t> todo = {entry};
    while (!todo.empty() && (straight_ || losers_ != kEveryone)) {
      const std::uint32_t pc = todo.back();
      todo.pop_back();
      if (pc >= seen.size() || seen[pc] == round) continue;
      seen[pc] = round;
      parts_.push_back(pc);
      const Instruction& i = code.instructions[pc];
      losers_ |= losers(i, code.layout);
      // What may be carried out twice, or is called, isn't followed: a register would have several values.
      const bool leaves_registers = i.op != Op::call && i.op != Op::restore && i.op != Op::cut;
      if (!leaves_registers || parts_.size() > kMostInstructions) straight_ = false;
      if (i.op == Op::call) todo.push_back(static_cast<std::uint32_t>(i.x));
      ir::each_next(code, pc, [&](std::size_t next) {
        straight_ = straight_ && next > pc;
        todo.push_back(static_cast<std::uint32_t>(next));
      });
    }
  }

  [[nodiscard]] Takes takes() const {
    Takes takes{losers_, straight_, {}};
    for (std::size_t k = 0; k < parts_.size() && takes.told; ++k) {
      const Instruction& i = code_.instructions[parts_[k]];
      if (losers(i, code_.layout) == 0) continue;
      auto cell = changed_cell(i, parts_[k]);
      takes.told = cell.has_value() && takes.cells.size() < kMostCells;
      if (takes.told && std::find(takes.cells.begin(), takes.cells.end(), *cell) == takes.cells.end())
        takes.cells.push_back(std::move(*cell));
    }
    if (!takes.told) takes.cells.clear();
    return takes;
  }

private:
  [[nodiscard]] std::optional<NamedCell> changed_cell(const Instruction& i, std::uint32_t pc) const {
    switch (i.op) {
    case Op::take_out:
    case Op::lift:
    case Op::put:
    case Op::set_piece: return cell_in(i.a, pc);
    case Op::remove:
    case Op::drop:
    case Op::change: {
      const auto from = writer(File::sets, i.a, pc);
      if (!from || code_.instructions[*from].op != Op::set_cell) return {};
      return cell_in(code_.instructions[*from].a, *from);
    }
    default: return {};
    }
  }

  // Which cell a number is for the instruction that reads it.
  [[nodiscard]] std::optional<NamedCell> cell_in(Reg number, std::uint32_t reader) const {
    NamedCell cell;
    while (const auto from = writer(File::numbers, number, reader)) {
      const Instruction& i = code_.instructions[*from];
      if (i.op == Op::choice) {
        cell.value = i.x;
        std::reverse(cell.ways.begin(), cell.ways.end());
        return cell;
      }
      if (i.op == Op::place) {
        cell.ways.push_back({false, i.x});
      } else if (i.op == Op::step_to) {
        const auto step = constant(i.b);
        if (!step) return {};
        cell.ways.push_back({true, *step});
      } else if (i.op != Op::copy) {
        return {};
      }
      number = i.a;
      reader = *from;
    }
    return {};
  }

  // What has written a register before it is read, if only one instruction writes it at all.
  [[nodiscard]] std::optional<std::uint32_t> writer(File file, Reg reg, std::uint32_t reader) const {
    std::optional<std::uint32_t> found;
    for (const std::uint32_t pc : parts_) {
      bool writes = false;
      ir::each_use(code_, code_.instructions[pc], [&](const ir::Use& use) {
        writes = writes || (use.written && use.file == file && use.reg == reg);
      });
      if (!writes) continue;
      if (found || pc >= reader) return {};
      found = pc;
    }
    return found;
  }

  [[nodiscard]] std::optional<std::int32_t> constant(Reg number) const {
    const std::size_t first = code_.layout.draft_numbers;
    if (number < first || number >= first + code_.number_constants.size()) return {};
    return code_.number_constants[number - first];
  }

  const ir::Code& code_;
  std::vector<std::uint32_t> parts_;
  std::uint32_t losers_ = 0;
  bool straight_ = true;
};

} // namespace

std::vector<Takes> takes_by_leaf(const ir::Code& code) {
  std::vector<Takes> all;
  std::vector<std::uint32_t> seen(code.instructions.size(), 0);
  std::uint32_t round = 0;
  for (const ir::Leaf& leaf : code.leaves)
    all.push_back(code.layout.stacks ? Takes{kEveryone, false, {}}
                                     : MoveCode(code, leaf.entry, seen, ++round).takes());
  return all;
}

} // namespace boardwright::runtime::executor
