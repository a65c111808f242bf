// What an outcome is worth to each player, as searches count it.
#pragma once

#include "runtime/model/position.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace boardwright::runtime::search {

// A rule file declares at most so many players (dsl/).
inline constexpr int kMostPlayers = 8;

using Scores = std::array<float, kMostPlayers>; // by player

// 1 for who wins alone; shared by those who win together; a draw is shared by all. Whoever plays alone (a
// puzzle) wins or doesn't.
[[nodiscard]] inline float score_of(std::uint32_t winners, int player, int players) {
  if (winners == 0) return players == 1 ? 0.0F : 1.0F / static_cast<float>(players);
  return (winners >> player & 1) != 0 ? 1.0F / static_cast<float>(std::popcount(winners)) : 0.0F;
}

[[nodiscard]] inline Scores scores_of(std::uint32_t winners, int players) {
  Scores scores{};
  for (int p = 0; p < players; ++p) scores[static_cast<std::size_t>(p)] = score_of(winners, p, players);
  return scores;
}

} // namespace boardwright::runtime::search
