// What stands in a position, and whether it could: what a move leaves can be written and read back.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <string>

namespace boardwright::runtime {

// What is wrong with the pieces, hands and variables of a position ("2 pieces on a1, and the board has no
// stacks", a value where no piece stands), or "".
[[nodiscard]] std::string check_state(const Program& program, const Position& position);

} // namespace boardwright::runtime
