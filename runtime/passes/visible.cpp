#include "runtime/passes/visible.hpp"

#include <cstddef>

namespace boardwright::runtime::passes {

namespace {

using Ir = ir::Op;

} // namespace

bool changes_one_set(Ir op) {
  return op == Ir::put_in || op == Ir::take_out || op == Ir::join_set || op == Ir::leave_set;
}

bool tells_what_it_reads(Ir op) {
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
  case Ir::set_between:
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
  case Ir::divide:
  case Ir::modulo:
  case Ir::shift_down:
  case Ir::low_bits:
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
  case Ir::best_test:
  case Ir::call:
  case Ir::ret:
  case Ir::keep:
  case Ir::restore:
  case Ir::choices:
  case Ir::leaf:
  case Ir::leaf_one: return true;
  default: return false;
  }
}

bool reads_set(const ir::Instruction& i, ir::Reg set) {
  const ir::Operation& o = ir::about(i.op);
  const ir::Reg operands[] = {i.d, i.a, i.b, i.c};
  for (std::size_t k = 0; k < ir::kRegisterOperands; ++k)
    if (operands[k] == set && (o.roles[k] == 's' || (o.roles[k] == 'S' && (k > 0 || o.reads_d)))) return true;
  return false;
}

} // namespace boardwright::runtime::passes
