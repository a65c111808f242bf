// What each player has of a game that is over: the one point that it is worth, divided among them.
//
// Mostly those who win have it, or all have the same of a draw. A line `share 3/4 to White, 1/4 to Black when
// …` divides it otherwise. All that counts results asks `share` here, and nothing else.
#pragma once

#include "runtime/model/position.hpp"

#include <bit>
#include <cstdint>
#include <string>

namespace boardwright::runtime {

struct Program;

// A rule file declares at most so many players (dsl/).
inline constexpr int kMostPlayers = 8;
// Shares are parts of a whole of so many at the most: 1/255 is the least one. Each is a byte.
inline constexpr int kMostShareParts = 255;

// An outcome as a number, without what decided: bits of those who win (none: a draw), or the parts of each
// player, a byte for each. Where the parts differ at least two players have some, so that one of the higher
// bytes isn't 0, and no bits of winners look like it.
using Result = std::uint64_t;

[[nodiscard]] inline bool is_shared(Result result) { return result >> kMostPlayers != 0; }

[[nodiscard]] inline Result result_of(const Outcome& outcome) {
  return outcome.shares != 0 ? outcome.shares : Result{outcome.winners};
}

[[nodiscard]] inline int parts_of(Result result, int player) {
  return static_cast<int>(result >> (8 * player) & kMostShareParts);
}

[[nodiscard]] inline int whole_of(Result result) {
  int whole = 0;
  for (int player = 0; player < kMostPlayers; ++player) whole += parts_of(result, player);
  return whole;
}

// From 0 to 1. 1 for who wins alone; shared by those who win together; a draw is shared by all. Whoever plays
// alone (a puzzle) wins or doesn't.
[[nodiscard]] inline float share(Result result, int player, int players) {
  if (is_shared(result))
    return static_cast<float>(parts_of(result, player)) / static_cast<float>(whole_of(result));
  if (result == 0) return players == 1 ? 0.0F : 1.0F / static_cast<float>(players);
  return (result >> player & 1) != 0 ? 1.0F / static_cast<float>(std::popcount(result)) : 0.0F;
}
[[nodiscard]] inline float share(const Outcome& outcome, int player, int players) {
  return share(result_of(outcome), player, players);
}

// What remains of parts: where those who have some have the same they win, and where all have it is a draw.
[[nodiscard]] Result result_of_parts(Result parts, int players);
// Bits of those who have the most of it.
[[nodiscard]] std::uint32_t who_have_most(Result result);

[[nodiscard]] Outcome outcome_of(Result result, std::uint32_t origin, Outcome::By by);

// "3/4"
[[nodiscard]] std::string fraction_text(int parts, int whole);
// "1/4 to White, 3/4 to Black", as a line of `end` says it; "" where the result isn't shared.
[[nodiscard]] std::string shares_text(const Program& program, Result result);

} // namespace boardwright::runtime
