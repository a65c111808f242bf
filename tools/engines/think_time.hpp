// How long to think about a move, by the clock that another program tells.
#pragma once

#include "runtime/search/player.hpp"

#include <chrono>
#include <cstdint>

namespace boardwright::tools {

// Where nothing limits the thinking.
inline constexpr std::chrono::milliseconds kUsualTime{1000};
// A month; so much isn't thought, and sums of it fit.
inline constexpr std::chrono::milliseconds kLongestTime = std::chrono::hours{31 * 24};

// The thinking begins now, and takes so many seconds; more than kLongestTime are no limit.
void limit_by(runtime::search::ThinkLimits& limits, double seconds);

// What is left on a clock, in milliseconds.
struct Clock {
  std::int64_t left = 0, increment = 0; // the increment comes after each move
  int moves_to_go = 0;                  // until more time comes; 0: nobody says
  std::int64_t overtime = 0;            // for each move, once nothing is left: byoyomi
};

// How long to think about one move: a share of what is left, never all of it.
[[nodiscard]] std::int64_t share_of(const Clock& clock);
// Where it matters more than elsewhere: some times as long.
[[nodiscard]] std::int64_t most_of(const Clock& clock);

// The thinking begins then, and the clock runs for the whole game.
void limit_by(runtime::search::ThinkLimits& limits, std::chrono::steady_clock::time_point begin,
              const Clock& clock);

// How many moves a player has made in a game, whoever entered them.
[[nodiscard]] int moves_made(runtime::Game game, int player);
// Time comes for so many moves, again and again: how many of these are left after so many.
[[nodiscard]] int moves_until_more(int session, int made);

} // namespace boardwright::tools
