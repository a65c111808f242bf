// Positions drawn with characters.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"
#include "tools/drawing/draw_options.hpp"

#include <string>

namespace boardwright::tools {

// The board with its coordinates, ending in a line break. A piece is its letter, a stack the letter of its
// top piece and its height, an empty cell a dot; holes stay blank. Hexes are sheared: each rank is half a
// cell aside of the one below. Stacks of more than one sort of piece are listed below from bottom to top, and
// so are cells with names of their own. `color` paints pieces in the colour of their owner.
[[nodiscard]] std::string draw_board(const runtime::Program& program, const runtime::Position& position,
                                     const DrawOptions& options = {});

} // namespace boardwright::tools
