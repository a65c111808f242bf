// What the rules count to decide a game: the scores of `score … when …`, and numbers that lines of `end`
// compare, such as `win when captured >= 5`. Drawings tell them beside the board.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::interpreter {

struct Loaded;

// Numbers of Loaded::rules->program(), by player.
struct Count {
  std::string name; // a definition's, "score", or the expression as it is written
  std::vector<runtime::NodeId> nodes;
  bool shared = false; // the same for everybody
};

// More of them would make no position clearer.
inline constexpr std::size_t kMaxCounts = 4;
// Longer expressions are no names.
inline constexpr std::size_t kMaxCountName = 24;
// Steps of the walker for all counts of a position: up to a tenth of a second. What takes more isn't told.
inline constexpr std::uint64_t kMaxCountSteps = 200'000;

// What variables and hands tell anyway is left out.
[[nodiscard]] std::vector<Count> counts_of(const Loaded& loaded);

// By player; nothing for what can't be counted, or not in so many steps. `steps` is what is left of them.
[[nodiscard]] std::vector<std::optional<std::int64_t>> values_of(const Count& count,
                                                                 const runtime::Program& program,
                                                                 const runtime::Position& position,
                                                                 std::uint64_t& steps);

} // namespace boardwright::interpreter
