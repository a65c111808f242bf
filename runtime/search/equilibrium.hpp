// What becomes of a small game of two players in which something is hidden, if nobody errs: strategies
// against which neither can do better, and what the game is worth then.
//
// All lines of the game are written down once, with what each player knows at each of his decisions
// (sight/knowledge.hpp); then both learn from the regret of what they didn't do, round after round:
// counterfactual regret minimisation, in the variant CFR+ (M. Zinkevich, M. Johanson, M. Bowling, C.
// Piccione, Regret minimization in games with incomplete information, 2007; O. Tammelin, Solving large
// imperfect information games using CFR+, 2014). How far it has come is measured, not assumed: the best
// answer of each to the other's strategy is worked out.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/search/player.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime::search {

struct EquilibriumOptions {
  std::uint64_t most_nodes = 3'000'000; // of the tree: about 40 bytes each
  std::uint64_t most_rounds = 100'000;
  double close_enough = 1e-4; // of the exploitability: then it is over
  ThinkLimits limits;
};

// What a player does in one situation, as he knows it.
struct Strategy {
  int player = 0;
  std::string known;                                 // all that he has seen and read
  std::vector<std::pair<std::string, double>> moves; // with their probabilities
};

struct Equilibrium {
  bool complete =
      false; // false: the tree has more nodes than allowed, or there was no time; nothing else counts
  double value = 0.5; // what the first player has of the point, on average
  double exploitability =
      1; // what each could win more by the best answer to the other, on average of the two
  std::uint64_t nodes = 0, situations = 0, rounds = 0;
  std::vector<Strategy> strategies; // in the order in which situations are met
};

struct EquilibriumProgress {
  std::uint64_t nodes = 0, rounds = 0;
  double exploitability = 1; // 1: not known yet
};

// Of a game of two players that comes to an end. A fault: a rule went wrong, or the game has no two players.
[[nodiscard]] tl::expected<Equilibrium, Fault>
find_equilibrium(const Game& game, const EquilibriumOptions& options,
                 const std::function<void(const EquilibriumProgress&)>& on_progress = {});

} // namespace boardwright::runtime::search
