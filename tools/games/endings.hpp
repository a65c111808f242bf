// How random games ended: by which line of `end`, or what else.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/game/playout.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

struct EndingCount {
  std::string by;   // in a few words, as reason_of has it: "no move", "count(own) = 0", "the move"
  std::string rule; // the line of `end`, "lose when no move"; "" if it was none
  std::string at;   // where that stands; "" where no place of the file decided
  std::uint64_t games = 0, draws = 0;
  std::vector<std::uint64_t> wins; // by player
};

// All lines of `end` in their order, also those that no game came to; then what else ended games, the most
// frequent first.
[[nodiscard]] std::vector<EndingCount> endings_of(const interpreter::Loaded& loaded,
                                                  const runtime::PlayoutResult& result);

} // namespace boardwright::tools
