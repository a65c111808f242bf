// What the values of a search are worth as chances: of positions that are called 90 % nine in ten are to be
// won.
//
// A search says how the pieces lie; how often that wins differs from game to game, and where one player has
// more pieces from the beginning it says nothing of who is favoured. So the program learns from games that it
// plays against itself how much of what it says comes true. It needs few of them, for until they say
// otherwise it is taken for what was measured in many games.
#pragma once

#include "runtime/search/player.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace boardwright::runtime::search {

// Chances beyond this are told of nobody: only a proof is a certainty.
inline constexpr double kMostCertain = 0.97;

// Of the logarithm of the odds: how much of it comes true, and what the first of two players has besides.
struct Calibration {
  double scale = 0.5; // of games of which nothing is known: measured, see tests/bench
  double offset = 0;
  std::uint64_t games = 0; // from which it was learnt

  // The chances of a player, of so many, of whom a search says this.
  [[nodiscard]] double chance(double value, int player, int players = 2) const;
};
// All that a player thought of a position, who was to move in it; what is proven stays as it is.
void calibrate(Thought& thought, const Calibration& calibration, int player, int players);

// What a search has said in a game, of the first player, and what he got in the end.
struct SaidInGame {
  std::vector<double> values;
  double result = 0.5;
};
[[nodiscard]] Calibration fit_calibration(const std::vector<SaidInGame>& games);

struct CalibrationLimits {
  std::uint64_t most_nodes = 0; // for all games together
  std::uint64_t seed = 1;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const std::atomic<bool>* stop = nullptr;
};
// Plays games of two, short thoughts after some moves by chance, from the set-up. A game that isn't over when
// a limit is met doesn't count; nor does one in which a rule goes wrong. `player` plays both sides, and
// thinks as the one does whose values are to be told.
[[nodiscard]] Calibration learn_calibration(const std::shared_ptr<const Rules>& rules, Player& player,
                                            const CalibrationLimits& limits);

} // namespace boardwright::runtime::search
