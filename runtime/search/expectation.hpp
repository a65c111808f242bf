// What a small game of chance is worth if nobody errs: the result to be expected, exactly.
//
// All positions that can come about are written down once; their values are worked out by going over all of
// them again and again until nothing changes: value iteration (R. Bellman, Dynamic Programming, 1957). So
// games that may go round in circles, as games of dice do, are no special case.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/search/player.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime::search {

struct ExpectationOptions {
  std::uint64_t most_positions = 3'000'000; // with their moves some hundred bytes each
  double close_enough = 1e-7;               // what lies between below and above
  ThinkLimits limits;
};

// What the first player has of the point, on average: not less than `low`, not more than `high`.
struct ExpectedShare {
  double low = 0, high = 1;
};

struct Expectation {
  ExpectedShare value;
  std::vector<std::pair<std::string, ExpectedShare>> moves; // of the position: the values behind each
  std::uint64_t positions = 0, rounds = 0;
  bool all = false; // no position was left out
};

// Of a game of one or two players, who play for their shares. A fault: a rule went wrong, or there are more.
[[nodiscard]] tl::expected<Expectation, Fault>
expectation_of(const std::shared_ptr<const Rules>& rules, const Game& game, const ExpectationOptions& options,
               const std::function<void(std::uint64_t positions, double between)>& on_progress = {});

} // namespace boardwright::runtime::search
