// The subcommands that measure games by letting programs play them: what the command line asked for goes in,
// the exit status comes out.
#pragma once

#include "tools/commands/work_options.hpp"
#include "tools/console/console.hpp"
#include "tools/evaluate/sweep.hpp"
#include "tools/games/game_choice.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

struct EvaluateOptions {
  GameChoice game;
  EvaluationPlan plan;
  std::uint64_t effort = 1; // so many times as many games
  WorkOptions work;
  std::string html; // a file for a page; "-": standard output, instead of the answer; "": none
  bool json = false;
};
[[nodiscard]] Exit evaluate_game(const EvaluateOptions& options, Console& console);

struct SweepOptions {
  std::vector<std::string> games;
  std::vector<SweepAxis> axes;
  EvaluationPlan plan;
  std::optional<double> until; // half of an interval: games are added until it is as narrow
  std::string wanted;
  Wishes wishes; // the same
  WorkOptions work;
  std::string html;
  bool csv = false, json = false;
};
[[nodiscard]] Exit sweep_games(const SweepOptions& options, Console& console);

struct MergeOptions {
  std::vector<std::string> folders;
  std::string into; // "": nothing is written
  bool json = false;
};
[[nodiscard]] Exit merge_folders(const MergeOptions& options, Console& console);

} // namespace boardwright::tools
