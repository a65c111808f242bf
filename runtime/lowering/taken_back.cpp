// Changes that nobody sees: what is taken back before anything reads the set needn't be done. While moves are
// searched a piece is put down, a test asks for one of the sets that tell so, and all of them are taken back.
#include "runtime/lowering/emitter.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

namespace {

// Walks of more instructions are given up.
constexpr std::size_t kLongestLook = 100;

[[nodiscard]] bool changes_one_set(Ir op) {
  return op == Ir::put_in || op == Ir::take_out || op == Ir::join_set || op == Ir::leave_set;
}

// Do its operands tell all sets that it reads?
[[nodiscard]] bool tells_what_it_reads(Ir op) {
  switch (op) {
  case Ir::set_copy:
  case Ir::set_unite:
  case Ir::set_meet:
  case Ir::set_minus:
  case Ir::set_shift:
  case Ir::set_step:
  case Ir::set_step_back:
  case Ir::set_run:
  case Ir::set_run_shift:
  case Ir::set_flood:
  case Ir::set_rays:
  case Ir::set_slides:
  case Ir::set_around:
  case Ir::set_first:
  case Ir::set_last:
  case Ir::set_cell:
  case Ir::set_add:
  case Ir::set_join:
  case Ir::copy:
  case Ir::constant:
  case Ir::add:
  case Ir::subtract:
  case Ir::multiply:
  case Ir::least:
  case Ir::greatest:
  case Ir::absolute:
  case Ir::count:
  case Ir::first:
  case Ir::last:
  case Ir::table:
  case Ir::place:
  case Ir::step_to:
  case Ir::go:
  case Ir::if_none:
  case Ir::if_some:
  case Ir::if_apart:
  case Ir::if_meet:
  case Ir::if_in:
  case Ir::if_out:
  case Ir::if_part:
  case Ir::if_not_part:
  case Ir::if_same:
  case Ir::if_not_same:
  case Ir::if_less:
  case Ir::if_not_less:
  case Ir::if_equal:
  case Ir::if_not_equal:
  case Ir::if_row:
  case Ir::if_no_row:
  case Ir::if_no_move:
  case Ir::if_move:
  case Ir::take:
  case Ir::hop:
  case Ir::hop_by:
  case Ir::mark:
  case Ir::undo:
  case Ir::put_in:
  case Ir::take_out:
  case Ir::join_set:
  case Ir::leave_set:
  case Ir::write:
  case Ir::leaf:
  case Ir::leaf_one: return true;
  default: return false;
  }
}

[[nodiscard]] bool reads_set(const ir::Instruction& i, Reg set) {
  const char* roles = ir::roles_of(i.op);
  const Reg operands[] = {i.d, i.a, i.b, i.c};
  for (std::size_t k = 0; k < 4; ++k)
    if (operands[k] == set && (roles[k] == 's' || (k > 0 && roles[k] == 'S'))) return true;
  return (i.op == Ir::set_add || i.op == Ir::set_join) && i.d == set;
}

} // namespace

// Is what an instruction changes taken back on every way from there, and is its set read on none of them?
bool Emitter::is_unseen(std::size_t change, const std::vector<bool>& gone) const {
  const Reg set = code_.instructions[change].d;
  std::vector<std::size_t> seen, todo{change + 1};
  std::vector<Reg> marks, back;
  while (!todo.empty()) {
    const std::size_t k = todo.back();
    todo.pop_back();
    if (std::find(seen.begin(), seen.end(), k) != seen.end()) continue;
    if (k >= code_.instructions.size() || seen.size() >= kLongestLook) return false;
    seen.push_back(k);
    if (gone[k]) {
      todo.push_back(k + 1);
      continue;
    }
    const ir::Instruction& i = code_.instructions[k];
    if (!tells_what_it_reads(i.op) || reads_set(i, set)) return false;
    if (i.op == Ir::mark) marks.push_back(i.d);
    if (i.op == Ir::undo) {
      back.push_back(i.a);
      continue;
    }
    if (jumps(i.op)) todo.push_back(labels_[at(i.x)]);
    if (i.op != Ir::go) todo.push_back(k + 1);
  }
  // A mark that was made after the change doesn't take it back.
  return std::none_of(back.begin(), back.end(),
                      [&](Reg m) { return std::find(marks.begin(), marks.end(), m) != marks.end(); });
}

void Emitter::remove_unseen() {
  std::vector<bool> gone(code_.instructions.size() + 1, false);
  for (const std::size_t i : dead_) gone[i] = true;
  for (std::size_t k = 0; k < code_.instructions.size(); ++k)
    if (!gone[k] && changes_one_set(code_.instructions[k].op) && is_unseen(k, gone)) forget(k);
}

} // namespace boardwright::runtime::lowering
