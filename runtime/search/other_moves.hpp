// What those share who now and then play another move than the best one.
#pragma once

#include "runtime/model/random.hpp"
#include "runtime/search/player.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace boardwright::runtime::search {

// Of more moves the list alone would take its time.
inline constexpr std::uint64_t kMostListed = 2000;

// The moves that may be played, of a list of so many.
[[nodiscard]] inline std::vector<std::uint32_t> allowed_moves(const ThinkLimits& limits, std::size_t count) {
  if (!limits.only.empty()) return limits.only;
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

// From 0 up to 1, 1 left out.
[[nodiscard]] inline double fraction(Random& random) {
  return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

// A tree search has looked at all moves at once; alpha-beta knows only that they aren't better.
[[nodiscard]] inline bool knows_others(const Thought& thought) {
  return std::any_of(thought.candidates.begin(), thought.candidates.end(),
                     [](const Candidate& c) { return c.visits > 0; });
}

[[nodiscard]] inline bool has_no_time(const ThinkLimits& limits) {
  return (limits.stop != nullptr && *limits.stop) ||
         (limits.cpu_time && *limits.cpu_time <= std::chrono::nanoseconds(0)) ||
         (limits.deadline && std::chrono::steady_clock::now() >= *limits.deadline);
}

// One of the candidates is played in place of the first one.
inline void play_instead(const Game& game, std::size_t candidate, Thought& thought) {
  std::swap(thought.candidates[0], thought.candidates[candidate]);
  const Candidate& chosen = thought.candidates.front();
  thought.move = chosen.move;
  thought.value = chosen.value;
  thought.line.clear();
  Game copy = game;
  if (auto text = copy.notation(chosen.move)) thought.line.push_back(std::move(*text));
}

} // namespace boardwright::runtime::search
