// A move that takes something of another player.
#pragma once

#include <cstdint>

namespace boardwright::runtime {

struct Capture {
  std::uint32_t move = 0; // its place in the list of its position
  // What it does to what lies on top of the board, by the worth of each piece for who has it.
  std::int32_t gain = 0;
  // The most that it puts where others may take it back: what of one's own lies where something was taken.
  std::int32_t risk = 0;
};

} // namespace boardwright::runtime
