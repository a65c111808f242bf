#include "runtime/passes/reads.hpp"

#include "runtime/ir/print.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace boardwright::runtime::passes {

namespace {

using ir::Code;
using ir::Instruction;
using ir::Op;
using ir::Reg;

// Walks of more instructions are given up.
constexpr std::size_t kLongestWalk = 20'000;

[[nodiscard]] std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

[[nodiscard]] bool has(const std::vector<Reg>& all, Reg r) {
  return std::find(all.begin(), all.end(), r) != all.end();
}

[[nodiscard]] bool chooses(const std::vector<ir::Choice>& choices, Reg number) {
  return std::any_of(choices.begin(), choices.end(), [&](const ir::Choice& c) {
    return c.from == ir::Choice::From::number && static_cast<Reg>(c.value) == number;
  });
}

// Behind tables: what moves are made of, keys, what calls keep.
[[nodiscard]] bool reads_by_table(const Code& code, const Instruction& i, char role, Reg reg) {
  switch (i.op) {
  case Op::leaf:
  case Op::leaf_one:
  case Op::leaf_key:
  case Op::leaf_keys:
  case Op::leaf_once: {
    const ir::Leaf& leaf = code.leaves[at(i.x)];
    return role == 'n' && (has(leaf.values, reg) || leaf.base == reg || chooses(leaf.choices, reg));
  }
  case Op::choices: return role == 'n' && chooses(code.choice_lists[at(i.x)], reg);
  case Op::keep: {
    const ir::Window& w = code.windows[at(i.x)];
    return has(role == 's' ? w.sets : w.numbers, reg);
  }
  case Op::path_enter:
  case Op::visit:
  case Op::memo_enter:
  case Op::outcomes_note:
  case Op::outcomes_test: // where the key stands depends on the operation
    for (const Reg key : {i.a, i.b, i.c})
      if (key < code.keys.size() && has(role == 's' ? code.keys[key].sets : code.keys[key].numbers, reg))
        return true;
    return false;
  default: return false;
  }
}

// Some numbers are the first of several.
[[nodiscard]] bool reads_behind(const Instruction& i, char role, Reg reg) {
  if (role != 'n') return false;
  const auto within = [&](Reg first, int count) { return reg >= first && reg < first + count; };
  switch (i.op) {
  case Op::undo: return within(i.a, 2);
  case Op::cut: return within(i.a, 4);
  case Op::best_test: return within(i.b, 3);
  case Op::best_end: return within(i.a, 3);
  default: return false;
  }
}

// What it writes is made of what was there.
[[nodiscard]] bool adds(Op op) { return op == Op::set_add || op == Op::set_join || op == Op::best_test; }

[[nodiscard]] bool reads(const Code& code, const Instruction& i, char role, Reg reg) {
  const char* roles = ir::roles_of(i.op);
  const Reg operands[] = {i.d, i.a, i.b, i.c};
  // Operands behind the first that are written are read too.
  for (std::size_t k = 0; k < 4; ++k)
    if (operands[k] == reg && (roles[k] == role || (roles[k] == role - 'a' + 'A' && (k > 0 || adds(i.op)))))
      return true;
  return reads_by_table(code, i, role, reg) || reads_behind(i, role, reg);
}

// On its way to the next instruction, and where it leads elsewhere: does it give the register a new value?
struct Writes {
  bool next = false, elsewhere = false;
};

[[nodiscard]] Writes writes(const Instruction& i, char role, Reg reg) {
  const char* roles = ir::roles_of(i.op);
  if (i.d != reg || roles[0] != role - 'a' + 'A') return {};
  switch (i.op) {
  case Op::take:
  case Op::next_member:
  case Op::next_set:
  case Op::bend: return {true, false};
  case Op::recall: return {false, true};
  case Op::hop:
  case Op::hop_by: return {true, true};
  default: break;
  }
  const bool always = roles[4] != 'j' && !adds(i.op);
  return {always, always};
}

} // namespace

bool is_plain(Op op) {
  switch (op) {
  case Op::set_copy:
  case Op::set_unite:
  case Op::set_meet:
  case Op::set_minus:
  case Op::set_shift:
  case Op::set_step:
  case Op::set_step_back:
  case Op::set_run:
  case Op::set_run_shift:
  case Op::set_flood:
  case Op::set_rays:
  case Op::set_slides:
  case Op::set_between:
  case Op::set_around:
  case Op::set_table:
  case Op::set_first:
  case Op::set_last:
  case Op::set_cell:
  case Op::copy:
  case Op::constant:
  case Op::add:
  case Op::subtract:
  case Op::count:
  case Op::first:
  case Op::last:
  case Op::table:
  case Op::place:
  case Op::step_to: return true;
  default: return false;
  }
}

bool is_read_from(const Code& code, std::size_t begin, char role, Reg reg) {
  std::vector<bool> seen(code.instructions.size(), false);
  std::vector<std::size_t> todo;
  std::size_t walked = 0;
  const auto go_to = [&](std::size_t k) {
    if (k >= seen.size() || seen[k]) return;
    seen[k] = true;
    todo.push_back(k);
  };
  go_to(begin);
  while (!todo.empty()) {
    const std::size_t k = todo.back();
    todo.pop_back();
    const Instruction& i = code.instructions[k];
    if (++walked > kLongestWalk || reads(code, i, role, reg)) return true;
    const Writes written = writes(i, role, reg);
    switch (i.op) {
    case Op::halt:
    case Op::fault:
    case Op::pick:
    case Op::end_turn:
    case Op::put_out: continue;
    case Op::ret: // wherever it has been called from
      for (std::size_t c = 0; c < seen.size(); ++c)
        if (code.instructions[c].op == Op::call) go_to(c + 1);
      continue;
    case Op::jump_table:
      for (const std::uint32_t label : code.labels[at(i.x)]) go_to(label);
      continue;
    case Op::drop:
    case Op::change: go_to(k + 2); break;
    default: break;
    }
    if (ir::roles_of(i.op)[4] == 'j' && !written.elsewhere) go_to(at(i.x));
    if (i.op != Op::go && i.op != Op::cut && !written.next) go_to(k + 1);
  }
  return false;
}

} // namespace boardwright::runtime::passes
