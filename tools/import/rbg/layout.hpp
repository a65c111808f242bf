// Where the cells of a graph lie on a board of squares or hexes, and which directions its labels are there.
#pragma once

#include "tools/import/cells.hpp"
#include "tools/import/rbg/game.hpp"
#include "tools/import/rbg/names.hpp"

namespace boardwright::tools {

struct RbgTrack {
  std::string name;
  std::vector<int> vertices; // the last one is the first where it is closed
};

struct RbgLayout {
  bool hexes = false;
  BoardSize size;
  std::vector<std::pair<int, int>> cells; // (rank, file) of each vertex
  std::vector<std::string> directions;    // of each label: `north + west`, or a name
  std::vector<RbgTrack> tracks;           // for labels that are no direction of such a board
  std::vector<std::pair<std::string, std::string>> definitions; // labels of several tracks

  [[nodiscard]] CellSet holes() const;
  // `rank(1) | c3`; `board` where it is all of them.
  [[nodiscard]] std::string cells_text(const CellSet& cells) const;
};

[[nodiscard]] tl::expected<RbgLayout, ImportFault> lay_out(const RbgBoard& board, RbgNames& names);

} // namespace boardwright::tools
