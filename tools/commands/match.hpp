// The subcommands that let programs think: what the command line asked for goes in, the exit status comes
// out.
#pragma once

#include "tools/commands/work_options.hpp"
#include "tools/console/console.hpp"
#include "tools/games/game_choice.hpp"
#include "tools/match/match_statistics.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

struct MatchOptions {
  GameChoice game;
  std::vector<std::string> players; // two descriptions: see opponents.hpp
  std::uint64_t games = 100;
  std::uint64_t from = 0;        // number of the first game, which is even
  std::optional<double> seconds; // for a move
  std::uint64_t nodes = 0;       // 0: no such limit
  bool cpu_time = false;
  std::uint64_t seed = 1;
  WorkOptions work; // threads: games at a time
  int opening_plies = 4;
  int max_plies = 500;
  bool tests = false; // ends when the sequential test knows
  Sprt sprt;
  std::string weights; // a file; "": that of the game's name, if there is one
  std::string record;  // the games are written to this file
  bool json = false;
};
[[nodiscard]] Exit play_match_command(const MatchOptions& options, Console& console);

struct AnalyseOptions {
  GameChoice game;
  std::string player = "auto";
  std::optional<double> seconds; // neither this nor nodes: two
  std::uint64_t nodes = 0;       // 0: no such limit
  std::size_t lines = 5;         // moves whose values are told
  std::uint64_t seed = 1;
  int threads = 1;
  std::string weights; // likewise
  bool json = false;
};
[[nodiscard]] Exit analyse(const AnalyseOptions& options, Console& console);

} // namespace boardwright::tools
