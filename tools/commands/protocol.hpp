// `ugi`, `uci`, `usi`, `xboard` and `gtp`: other programs ask for moves over standard input and output.
#pragma once

#include "tools/console/console.hpp"
#include "tools/engines/protocol_moves.hpp"
#include "tools/games/game_choice.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace boardwright::tools {

struct ProtocolOptions {
  GameChoice game;
  Protocol protocol = Protocol::ugi;
  std::string player = "auto"; // see opponents.hpp
  std::string weights;         // what was learnt; "": the file of the game's name, if there is one
  std::uint64_t seed = 1;
  int threads = 1;
  std::vector<std::string> variants; // games that UCI_Variant may choose, as far as they are told
};
[[nodiscard]] Exit serve(const ProtocolOptions& options, Console& console);

} // namespace boardwright::tools
