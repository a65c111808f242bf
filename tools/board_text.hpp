// Positions drawn with characters.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <string>

namespace boardwright::tools {

// The board with its coordinates, ending in a line break. A piece is its letter, a stack the letter of its
// top piece and its height, an empty cell a dot; holes stay blank. Hexes are sheared: each rank is half a
// cell aside of the one below. Stacks of more than one sort of piece are listed below from bottom to top, and
// so are cells with names of their own. `color` paints pieces in the colour of their owner (ANSI).
[[nodiscard]] std::string draw_board(const runtime::Program& program, const runtime::Position& position,
                                     bool color);

// What the board doesn't show, a line each: hands, state, players who are out; then who is to move.
[[nodiscard]] std::string describe_rest(const runtime::Program& program, const runtime::Position& position);

// A player's name, in his colour where `color` is set.
[[nodiscard]] std::string player_text(const runtime::Program& program, int player, bool color);

} // namespace boardwright::tools
