// The types of values in a program.
#pragma once

#include "runtime/model/bits.hpp"

#include <cstdint>

namespace boardwright::runtime {

enum class Type : std::uint8_t {
  number,     // 32 bit, saturating; `/` and `%` round down; by zero gives 0
  truth,      // 0 or 1
  cells,      // a set of cells
  directions, // a set of steps (indices into Board::steps)
  kind,       // an index into Program::kinds; -1 is `none`
  player,     // an index into Program::players
  map,        // takes cells to cells, or nowhere
  numbers,
  sets,
  kinds,
  players, // lists: ordered, without repeats
  action,
};

// A board has at most this many cells: a set of them is nine machine words at the most, and 24x24 fits.
inline constexpr int kMaxCells = 576;
// A game has at most this many different steps (kinds of displacement, and two for each track).
inline constexpr int kMaxSteps = 512;

using CellSet = Bits<kMaxCells / 64>;
using StepSet = Bits<kMaxSteps / 64>;

// A map between cells: (x, y) goes to ((xx*u + xy*v)/over + px, (yx*u + yy*v)/over + py) / 2, where u = 2x -
// px and v = 2y - py; nowhere if a division leaves a remainder or the place is no cell. (px, py) is twice the
// centre. A shift has centre 0, the unit matrix and (dx, dy).
struct CellMap {
  bool valid = false; // a map made from an empty set leads nowhere
  std::int32_t xx = 1, xy = 0, yx = 0, yy = 1;
  std::int32_t over = 1;
  std::int32_t px = 0, py = 0;
  std::int32_t dx = 0, dy = 0;
  // Does it take all cells as far, by dx files and dy ranks?
  [[nodiscard]] bool shifts() const { return valid && xx == over && yy == over && xy == 0 && yx == 0; }
  friend bool operator==(const CellMap&, const CellMap&) = default;
};

} // namespace boardwright::runtime
