#include "runtime/passes/passes.hpp"

namespace boardwright::runtime::passes {

void run_all(ir::Code& code) {
  for (void (*const pass)(ir::Code&) :
       {remove_dead_stores, remove_idle_undos, remove_dead_values, replace_by_copies, set_loop_costs})
    pass(code);
}

} // namespace boardwright::runtime::passes
