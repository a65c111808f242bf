// Words for a board and for directions.
#pragma once

#include "runtime/model/program.hpp"

#include <string>

namespace boardwright::tools {

// "8 by 8 squares", "11 by 11 hexes, 91 cells, stacks".
[[nodiscard]] std::string board_shape(const runtime::Board& board);
// "north" …, or "" where a player has no direction.
[[nodiscard]] std::string forward_of(const runtime::Player& player);

} // namespace boardwright::tools
