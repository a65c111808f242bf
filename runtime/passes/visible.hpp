// What passes over changes of sets ask of an operation.
#pragma once

#include "runtime/ir/operations.hpp"

namespace boardwright::runtime::passes {

// put_in, take_out, join_set, leave_set: changes of the one set that they name.
[[nodiscard]] bool changes_one_set(ir::Op op);
// Do its operands tell all sets that it reads? Others may look at the whole state.
[[nodiscard]] bool tells_what_it_reads(ir::Op op);
[[nodiscard]] bool reads_set(const ir::Instruction& i, ir::Reg set);

} // namespace boardwright::runtime::passes
