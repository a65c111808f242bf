// Why a game is over, or isn't: what each line of `end` answered.
#pragma once

#include "runtime/examine/why.hpp"

#include <span>
#include <vector>

namespace boardwright::runtime {

struct LineAsked {
  std::uint32_t origin = 0; // of the line
  bool holds = false;
  // Where it doesn't hold, the innermost parts of its condition that decided that: several only of what is
  // joined by `or`.
  std::vector<Stop> stops;
};

// The lines as they are asked of the player to move, up to the one that holds. A fault where a rule goes
// wrong, or the walker takes more steps than this.
[[nodiscard]] tl::expected<std::vector<LineAsked>, Fault> why_end(const Program& program,
                                                                  const Position& position,
                                                                  std::span<const Position> past,
                                                                  std::uint64_t most_steps = kMaxWhySteps);

} // namespace boardwright::runtime
