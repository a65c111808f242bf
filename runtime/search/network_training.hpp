// Learns a network (network.hpp) on top of what features weigh, by playing.
//
// In rounds, as in training.hpp: games are played with what is known so far, and a network is fitted to all
// of them from nothing. At last it plays against the weights alone, with as many positions a move for both.
#pragma once

#include "runtime/search/self_play.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace boardwright::runtime::search {

// So many positions are kept in memory, some 100 bytes each; more would hardly be learnt from.
inline constexpr std::size_t kMostPositions = 2'000'000;

// When its deadline is due, training ends with the round that is being played.
struct NetworkTrainingOptions : SelfPlayOptions {
  int games = 5000; // of all rounds together
  int rounds = 3;
  int last_match_games = 400; // at the most: see `enough`
  // No game begins when there are as many.
  std::size_t most_positions = kMostPositions;
};

struct NetworkRound {
  int number = 0;            // from 1
  int games = 0;             // played so far
  std::size_t positions = 0; // learnt from
  double error_before = 0,
         error = 0;  // logarithmic loss on games kept apart: by the weights, with the network
  double length = 0; // plies of a game
  double draws = 0;  // share of the games
};

struct NetworkTraining {
  std::shared_ptr<const Network> network; // null: nothing was learnt that is surely stronger
  std::vector<NetworkRound> rounds;
  int games = 0;
  MatchResult last_match; // of the network against the weights alone
  bool stopped = false;
};

struct NetworkProgress {
  int round = 0, rounds = 0, games = 0;
  bool fitting = false, matching = false;
};

// `weights` by feature. A fault: a rule went wrong, or the game has no network (NetworkInputs::units).
[[nodiscard]] tl::expected<NetworkTraining, Fault>
train_network(const std::shared_ptr<const Features>& features, const std::vector<double>& weights,
              const NetworkTrainingOptions& options,
              const std::function<void(const NetworkProgress&)>& on_progress = {},
              const std::function<void(const NetworkRound&)>& on_round = {});

} // namespace boardwright::runtime::search
