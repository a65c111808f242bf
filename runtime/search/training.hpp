// Learns what features of a game weigh, by playing it against itself.
//
// In rounds: games are played with what is known so far, each move after a short look ahead, the first moves
// and some others at random; then weights are fitted to how they ended, by logistic regression on quiet
// positions (M. Buro, From simple features to sophisticated evaluation functions, 1998; the results of short
// searches are mixed in as in temporal differences, R. Sutton, Learning to predict by the methods of temporal
// differences, 1988; J. Baxter, A. Tridgell, L. Weaver, KnightCap, 1998). New weights play against the
// untrained and the last ones.
#pragma once

#include "runtime/search/features.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace boardwright::runtime::search {

struct TrainingOptions {
  std::uint64_t seed = 1;
  int games = 2000; // of all rounds together
  int rounds = 5;
  std::uint64_t nodes = 150;       // for a move of a game that is learnt from
  std::uint64_t match_nodes = 600; // for a move of a match
  int match_games = 40;            // with each of the two opponents; pairs with sides changed
  int last_match_games = 400;      // at the most: see `enough`
  int most_plies = 300;            // a game that isn't over by then is a draw
  // When it is due, it ends with the round that is being played; the same seed then doesn't mean the same
  // result.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const std::atomic<bool>* stop = nullptr;
};

struct MatchResult {
  int wins = 0, draws = 0, losses = 0;
  [[nodiscard]] int games() const { return wins + draws + losses; }
  [[nodiscard]] double score() const { return games() == 0 ? 0.5 : (wins + 0.5 * draws) / games(); }
};

// A sequential test of the games of a match (A. Wald, 1945; the generalised likelihood ratio of the score, M.
// Van den Bergh, 2017), at 5 %: whether the first player is rather 30 Elo points stronger than 10 weaker.
[[nodiscard]] bool surely_stronger(const MatchResult& match);
// That is known, or the opposite.
[[nodiscard]] bool enough(const MatchResult& match);

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

// Pairs of games from openings drawn at random, each played twice with sides changed, with so many nodes for
// a move.
[[nodiscard]] tl::expected<MatchResult, Fault>
play_match(const std::shared_ptr<const Features>& features, const std::vector<double>& one,
           const std::vector<double>& other, int games, std::uint64_t nodes, std::uint64_t seed,
           const TrainingOptions& options, bool until_enough = false);

} // namespace boardwright::runtime::search
