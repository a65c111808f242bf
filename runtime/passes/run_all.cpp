#include "runtime/passes/passes.hpp"

#include "runtime/ir/verify.hpp"

#include <cassert>

namespace boardwright::runtime::passes {

void run_all(ir::Code& code) {
  assert(ir::verify(code).empty() && "the lowering has written what is no code");
  for (void (*const pass)(ir::Code&) :
       {remove_dead_stores, remove_idle_undos, remove_dead_values, replace_by_copies, set_loop_costs}) {
    pass(code);
    assert(ir::verify(code).empty() && "a pass has made what is no code");
  }
}

} // namespace boardwright::runtime::passes
