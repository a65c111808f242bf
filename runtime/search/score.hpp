// What an outcome is worth to each player, as searches count it.
#pragma once

#include "runtime/model/shares.hpp"

#include <array>
#include <cstddef>

namespace boardwright::runtime::search {

using Scores = std::array<float, kMostPlayers>; // by player

[[nodiscard]] inline Scores scores_of(Result result, int players) {
  Scores scores{};
  for (int p = 0; p < players; ++p) scores[static_cast<std::size_t>(p)] = share(result, p, players);
  return scores;
}

} // namespace boardwright::runtime::search
