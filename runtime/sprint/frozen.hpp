// State variables that no rule changes: what they were in the beginning they are all game long.
#pragma once

#include "runtime/model/program.hpp"

#include <utility>
#include <vector>

namespace boardwright::runtime {

using Frozen = std::vector<std::pair<std::int32_t, std::int32_t>>; // variable, value

// The variables that hold a number or a truth and that nothing the turns do can change, with their values in
// the initial position.
[[nodiscard]] Frozen find_frozen(const Program& program);

// Puts those values in the place of the variables, and leaves out what can't be met any more. The program is
// then right for games that begin with these values.
void put_in(const Frozen& frozen, Program& program);

} // namespace boardwright::runtime
