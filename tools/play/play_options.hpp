// What `play` was asked for.
#pragma once

#include "tools/games/game_choice.hpp"
#include "tools/games/game_index.hpp"
#include "tools/play/clocks.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

struct PlayOptions {
  GameChoice game;                             // where none is named, one is chosen
  std::vector<GameEntry> (*known)() = nullptr; // from these
  std::vector<std::string> random;             // who plays at random: names, ordinals, `all`
  std::vector<std::string> players;            // NAME=person, NAME=random, or a player that thinks
  std::string weights; // what was learnt; "": the file of the game's name, if there is one
  std::optional<std::uint64_t> seed;
  std::optional<double> seconds;      // for a move of somebody who thinks; nothing: 1, or as nodes are
  std::optional<std::uint64_t> nodes; // positions that he may look at
  std::optional<ClockSetting> clock;  // for whole games, people's too
  std::string record;                 // the game is written to this file
  bool dice_by_hand = false;          // people roll dice of their own, and type what these show
  bool ascii = false;                 // draws the board without other signs
  bool resume = false;                // goes on with the latest unfinished game, without a question
  bool fresh = false;                 // asks about none
};

} // namespace boardwright::tools
