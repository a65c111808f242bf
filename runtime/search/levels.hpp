// Ten levels of strength. A level is a search that looks at few positions, and that doesn't always play what
// it thinks best, but something that looked nearly as good to it: it errs where a person would, in what is
// hard to see.
#pragma once

#include "runtime/search/make_player.hpp"

namespace boardwright::runtime::search {

inline constexpr int kFirstLevel = 1, kLastLevel = 10;

struct Level {
  std::uint64_t nodes; // random games for a move, or positions, at the most
  double tolerance;    // moves may be played whose value is so much less than the best one's
};
[[nodiscard]] Level level_of(int level);

// A tree search for the lower levels, which choose among the moves that it tried; the highest ones, which
// don't err on purpose, play as `strongest`.
[[nodiscard]] std::unique_ptr<Player> make_level_player(const std::shared_ptr<const Rules>& rules, int level,
                                                        std::uint64_t seed,
                                                        std::unique_ptr<Player> strongest);
[[nodiscard]] inline bool plays_its_best(int level) { return level_of(level).tolerance <= 0; }

} // namespace boardwright::runtime::search
