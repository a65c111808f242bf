// `go` of UGI, UCI and USI: for how long to think.
#pragma once

#include "tools/engines/protocol_moves.hpp"
#include "tools/engines/think_time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

struct GoCommand {
  bool infinite = false;              // the answer waits for `stop`
  bool ponder = false;                // likewise, or for `ponderhit`, from which on the time counts
  std::optional<std::int64_t> time;   // milliseconds
  std::optional<std::int64_t> latest; // as ThinkLimits::latest, where the time is a share of a clock's
  std::optional<std::uint64_t> nodes;
  std::optional<int> depth;        // moves ahead, after which it is enough
  bool mate = false;               // a proven win is enough, too
  std::optional<int> perft;        // nothing is thought: moves are counted to this depth
  bool asks_for_mate = false;      // USI: nothing but a mate is asked for, and time is all that limits it
  std::vector<std::string> only;   // moves as the protocol writes them; empty: all
  std::vector<std::string> faults; // a sentence about each word that is left out
};
// The words behind `go`. In USI black begins, `byoyomi` comes on top of a clock, and behind `mate` stands a
// time. Who says `infinite` has it think until it is stopped; with nothing that is understood it thinks for
// a second.
[[nodiscard]] GoCommand read_go(const std::vector<std::string>& words, bool first_to_move, Protocol protocol);

} // namespace boardwright::tools
