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

} // namespace boardwright::runtime
