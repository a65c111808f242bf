// Moves that end the game: what `win`, `lose` and `draw` in a turn go by.
#pragma once

#include "interpreter/load.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// "A move can end the game: you win if the piece comes to the last row."
[[nodiscard]] std::vector<std::string> endings_by_moves(const interpreter::Loaded& loaded);

} // namespace boardwright::tools
