// Over how many files and ranks something spreads, and how far it may on a board without edges.
#pragma once

#include "runtime/model/bits.hpp"
#include "runtime/model/board.hpp"

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <string>

namespace boardwright::runtime {

namespace spreads {

inline constexpr int kMostLines = 512; // of one sort: what a board's bounding box has at the most

using Lines = std::bitset<kMostLines>;

// Lines from the first to the last that has a member. Where the last is beside the first, from behind the
// longest gap.
[[nodiscard]] inline int extent(const Lines& lines, int count, bool round) {
  int first = -1, last = -1, gap = 0;
  for (int line = 0; line < count; ++line) {
    if (!lines.test(static_cast<std::size_t>(line))) continue;
    if (first < 0) first = line;
    if (last >= 0) gap = std::max(gap, line - last - 1);
    last = line;
  }
  if (first < 0) return 0;
  if (!round) return last - first + 1;
  return count - std::max(gap, count - 1 - last + first);
}

} // namespace spreads

// The longer side of the smallest rectangle around a set; 0 for none.
template <int W>
[[nodiscard]] int spread(const Board& board, const Bits<W>& cells) {
  spreads::Lines files, ranks;
  cells.each([&](int cell) {
    files.set(static_cast<std::size_t>(board.x[static_cast<std::size_t>(cell)] - 1));
    ranks.set(static_cast<std::size_t>(board.y[static_cast<std::size_t>(cell)] - 1));
  });
  return std::max(spreads::extent(files, board.files, board.endless()),
                  spreads::extent(ranks, board.ranks, board.endless()));
}

// What goes wrong where pieces spread farther than a board without edges allows.
[[nodiscard]] std::string too_far(const Board& board);

} // namespace boardwright::runtime
