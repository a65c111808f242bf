// `ugi` and `uci`: other programs ask for moves over standard input and output.
#pragma once

#include "tools/console.hpp"
#include "tools/game_choice.hpp"
#include "tools/protocol_moves.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace boardwright::tools {

struct ProtocolOptions {
  GameChoice game;
  Protocol protocol = Protocol::ugi;
  std::string player = "auto"; // see opponents.hpp
  std::uint64_t seed = 1;
  int threads = 1;
  std::vector<std::string> variants; // games that UCI_Variant may choose, as far as they are told
};
[[nodiscard]] Exit serve(const ProtocolOptions& options, Console& console);

// What is left on a clock, in milliseconds.
struct Clock {
  std::int64_t left = 0, increment = 0;
  int moves_to_go = 0; // until more time comes; 0: nobody says
};
// How long to think about one move: a share of what is left, never all of it.
[[nodiscard]] std::int64_t share_of(const Clock& clock);

} // namespace boardwright::tools
