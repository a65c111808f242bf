// What is drawn around and between cells: sides that belong to players, lines of players, star points.
#pragma once

#include "tools/drawing/board_scene.hpp"

#include <array>
#include <vector>

namespace boardwright::tools {

// An edge of a cell, towards a neighbour that it doesn't have, on a side that belongs to a player.
struct SideEdge {
  int cell = 0, dx = 0, dy = 0, player = 0;
  bool shared = false; // another player's side has it, too: the corner of a board of hexes
};
[[nodiscard]] std::vector<SideEdge> side_edges(const Scene& scene);

// The lines that meet on a cell of a board of points, north, east, south and west: whose, -1 for everybody's.
inline constexpr int kNoLine = -2;
using Arms = std::array<int, 4>;
[[nodiscard]] std::vector<Arms> arms_of(const Scene& scene);

// Of a large board of points on which play begins without pieces: dots to find one's way by.
[[nodiscard]] runtime::CellSet star_points(const Scene& scene);

} // namespace boardwright::tools
