// Move counts by depth (perft), the way move generators are compared.
#pragma once

#include "runtime/game/game.hpp"

#include <atomic>
#include <functional>
#include <vector>

namespace boardwright::runtime {

struct PerftOptions {
  int depth = 1;
  bool distinct = false; // merges moves that lead to equal positions
  const std::atomic<bool>* stop = nullptr;
};

struct PerftCount {
  std::uint64_t leaves = 0;
  bool stopped = false;
};

// The number of sequences of `depth` moves from the game's position; lines in which the game ends earlier
// count nothing below their end. The game is as before afterwards.
[[nodiscard]] tl::expected<PerftCount, Fault> perft(Game& game, const PerftOptions& options);

struct WeighedCount {
  double leaves = 0;
  bool stopped = false;
};

// The same, each sequence weighed with the probability that nature's moves in it come so: how many sequences
// of `depth` moves the players have on average, whatever is rolled. A ply of nature alone makes them no more.
// `distinct` has no meaning here.
[[nodiscard]] tl::expected<WeighedCount, Fault> weighed_perft(Game& game, const PerftOptions& options);

} // namespace boardwright::runtime
