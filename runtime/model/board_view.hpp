// What stands on the board, for those who look at one position after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boardwright::runtime {

// The present of a game when it was last looked at (Game::look). Every further look brings up to date what is
// here, and says which cells have changed; it doesn't matter how the game came from one to the other.
// Cells are those of Program::board, pieces are told by their codes (pieces.hpp).
struct BoardView {
  std::size_t levels = 1;           // pieces that a cell has room for
  std::vector<std::uint8_t> codes;  // by cell * levels + level, from the bottom; 0: none
  std::vector<std::uint8_t> height; // by cell
  std::vector<std::int32_t> hands;  // as Position::hands
  // What the pieces carry, by value * cells + cell: the code of Program::piece_values; of an empty cell the
  // first value's. Empty where pieces carry nothing.
  std::vector<std::uint32_t> values;
  std::vector<std::int16_t> changed; // by piece or by what it carries

  [[nodiscard]] std::uint8_t top(std::size_t cell) const {
    return height[cell] == 0 ? std::uint8_t{0} : codes[cell * levels + height[cell] - 1];
  }

  // What the engine has seen, in its own form.
  std::vector<std::uint64_t> seen;
  std::vector<std::uint8_t> seen_codes;
  std::vector<std::int16_t> cell_of; // by its own number of a cell
};

} // namespace boardwright::runtime
