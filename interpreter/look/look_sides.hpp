// Sides of the board that belong to players, found in the rules: who must join two sides has them.
#pragma once

#include "dsl/ast.hpp"
#include "interpreter/look/look.hpp"
#include "runtime/model/board.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace boardwright::interpreter {

// A set of cells from the sight of each player, or one where all see the same; none where it isn't constant.
using SeenCells = std::function<std::vector<runtime::CellSet>(const dsl::Ast&)>;

// The sides that conditions among these trees ask pieces to join: `some group(SIDE, …) in SIDE`, or the same
// `some g in SIDE` asked of two of them. What all players see alike is nobody's.
[[nodiscard]] std::vector<Side> joined_sides(const std::vector<const dsl::Ast*>& trees,
                                             const runtime::Board& board, const SeenCells& seen);

// Cells that no cell of the board lies beyond in this direction.
[[nodiscard]] bool is_outermost(const runtime::Board& board, const runtime::CellSet& cells, int dx, int dy);
// The neighbours of a cell, as displacements: four on squares, six on hexes.
[[nodiscard]] std::vector<std::pair<int, int>> neighbour_steps(const runtime::Board& board);

} // namespace boardwright::interpreter
