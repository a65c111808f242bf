// Learns what features of a game weigh, by playing it against itself.
//
// In rounds: games are played with what is known so far, each move after a short look ahead, the first moves
// and some others at random; then weights are fitted to how they ended, by logistic regression on quiet
// positions (M. Buro, From simple features to sophisticated evaluation functions, 1998; the results of short
// searches are mixed in as in temporal differences, R. Sutton, Learning to predict by the methods of temporal
// differences, 1988; J. Baxter, A. Tridgell, L. Weaver, KnightCap, 1998). New weights play against the
// untrained and the last ones.
#pragma once

#include "runtime/search/self_play.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace boardwright::runtime::search {

// When its deadline is due, training ends with the round that is being played.
struct TrainingOptions : SelfPlayOptions {
  int games = 2000; // of all rounds together
  int rounds = 5;
  int match_games = 40;       // with each of the two opponents; pairs with sides changed
  int last_match_games = 400; // at the most: see `enough`
};

struct Round {
  int number = 0;                     // from 1
  int games = 0;                      // played so far
  std::size_t positions = 0;          // learnt from
  double error_before = 0, error = 0; // logarithmic loss of the results, by the old weights and the new ones
  double length = 0;                  // plies of a game
  double draws = 0;                   // share of the games
  MatchResult untrained, previous;    // of the new weights against them
};

struct Training {
  std::vector<double> weights; // by feature: the strongest ones
  std::vector<Round> rounds;
  int games = 0;
  MatchResult last_match; // of the weights that did best in the rounds against the untrained ones
  bool improved = false;  // surely stronger in that; else the weights are the untrained ones
  bool stopped = false;
};

struct TrainingProgress {
  int round = 0, rounds = 0, games = 0, of = 0;
  bool matching = false;
};

// For two players. A fault: a rule went wrong.
[[nodiscard]] tl::expected<Training, Fault>
train(const std::shared_ptr<const Features>& features, const TrainingOptions& options,
      const std::function<void(const TrainingProgress&)>& on_progress = {},
      const std::function<void(const Round&)>& on_round = {});

} // namespace boardwright::runtime::search
