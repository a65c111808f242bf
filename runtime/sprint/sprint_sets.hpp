// Sets of the width that a board needs.
#pragma once

#include "runtime/model/bits.hpp"
#include "runtime/model/board.hpp"
#include "runtime/model/value.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace boardwright::runtime::machine {

template <int W>
[[nodiscard]] Bits<W> narrow(const CellSet& wide) {
  Bits<W> set;
  for (unsigned i = 0; i < W; ++i) set.word[i] = wide.word[i];
  return set;
}

// Words of 64 bits that hold a set of the board's cells, and one of its steps.
[[nodiscard]] inline int words_for(const Board& board) {
  const int members = std::max(board.cells, static_cast<int>(board.steps.size()));
  for (const int words : {1, 2, 3, 4, 6})
    if (members <= words * 64) return words;
  return 8;
}

[[nodiscard]] constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

} // namespace boardwright::runtime::machine
