// Entry point of the lowering: a program becomes code.
#pragma once

#include "runtime/ir/ir.hpp"
#include "runtime/model/program.hpp"

namespace boardwright::runtime::lowering {

// Compiles every turn and every line of `end`. The board may be numbered anew, so that steps of whole sets
// are shifts: `program` is changed accordingly, and Code::of_cell says how.
[[nodiscard]] ir::Code lower(Program& program);

} // namespace boardwright::runtime::lowering
