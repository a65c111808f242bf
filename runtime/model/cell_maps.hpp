// Maps of cells: about the middle of a set, turned, reflected.
#pragma once

#include "runtime/model/bits.hpp"
#include "runtime/model/board.hpp"
#include "runtime/model/value.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace boardwright::runtime {

namespace maps {

// The map that leaves every cell where it is, about the middle of the bounding box of a set.
template <int W>
CellMap about_middle(const Board& board, const Bits<W>& cells) {
  CellMap map;
  int left = board.files, right = 1, bottom = board.ranks, top = 1;
  cells.each([&](int cell) {
    left = std::min(left, board.x[static_cast<std::size_t>(cell)]),
    right = std::max(right, board.x[static_cast<std::size_t>(cell)]);
    bottom = std::min(bottom, board.y[static_cast<std::size_t>(cell)]),
    top = std::max(top, board.y[static_cast<std::size_t>(cell)]);
  });
  // Without edges the middle of more than two cells depends on where the board is cut.
  map.valid = cells.any() && (!board.endless() || cells.count() <= 2);
  map.px = left + right;
  map.py = bottom + top;
  return map;
}

struct Vector {
  std::int64_t x = 0, y = 0;
};

[[nodiscard]] inline Vector turned_once(Vector v, const Board& board) {
  if (!board.hexes) return {v.y, -v.x};
  return board.slant_right ? Vector{v.y, v.y - v.x} : Vector{v.x + v.y, -v.x};
}

// The columns of the matrix are where (1, 0) and (0, 1) turn to.
[[nodiscard]] inline CellMap rotated(CellMap map, const Board& board, std::int64_t degrees) {
  const std::int64_t unit = board.hexes ? 60 : 90, whole = 360 / unit;
  std::int64_t turns = degrees / unit - (degrees % unit < 0 ? 1 : 0);
  turns = (turns % whole + whole) % whole;
  Vector x{1, 0}, y{0, 1};
  for (; turns > 0; --turns) x = turned_once(x, board), y = turned_once(y, board);
  map.xx = static_cast<std::int32_t>(x.x), map.xy = static_cast<std::int32_t>(y.x);
  map.yx = static_cast<std::int32_t>(x.y), map.yy = static_cast<std::int32_t>(y.y);
  return map;
}

// The reflection in the line along v takes p to 2 <p,v> / <v,v> v - p. On hexes the axes are not at right
// angles: twice <(a,b),(c,d)> is 2ac + 2bd + s (ad + bc), where s is 1, or -1 for the other slant.
[[nodiscard]] inline CellMap reflected(CellMap map, const Board& board, Vector v) {
  const std::int64_t s = !board.hexes ? 0 : board.slant_right ? -1 : 1;
  const std::int64_t square = v.x * v.x + v.y * v.y + s * v.x * v.y;
  const std::int64_t along_x = 2 * v.x + s * v.y, along_y = 2 * v.y + s * v.x;
  map.valid = map.valid && square != 0;
  map.over = static_cast<std::int32_t>(square);
  map.xx = static_cast<std::int32_t>(v.x * along_x - square);
  map.xy = static_cast<std::int32_t>(v.x * along_y);
  map.yx = static_cast<std::int32_t>(v.y * along_x);
  map.yy = static_cast<std::int32_t>(v.y * along_y - square);
  return map;
}

} // namespace maps

} // namespace boardwright::runtime
