// Random games in the `tests:` of a rule file.
#pragma once

#include "dsl/rule_file.hpp"
#include "runtime/game/rules.hpp"
#include "runtime/model/position.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace boardwright::interpreter {

// All games of one test together play no more moves: a test is to be run at every save. This is half a second
// to half a minute, by how much there is to choose from.
inline constexpr std::uint64_t kMaxTestPlies = 500'000;
// A game is broken off after so many moves, unless `end within` asks for more: as many as `playouts` plays.
inline constexpr std::uint64_t kUsualGamePlies = 2'000;

// Something that random games didn't keep to.
struct GamesFailure {
  dsl::Span span;
  std::string message, help;
};

struct GamesChecked {
  std::vector<GamesFailure> failures;
  bool stopped = false;
};

// Plays the games, which are those of `playouts` with the same seed, from a position that fits the rules.
[[nodiscard]] GamesChecked check_games(const std::shared_ptr<const runtime::Rules>& rules,
                                       const runtime::Position& from, const dsl::GamesEntry& expected,
                                       const std::atomic<bool>* stop = nullptr);

} // namespace boardwright::interpreter
