// Ten levels of strength. A level is a search that looks at few positions, and that doesn't always play what
// it thinks best, but something that looked nearly as good to it: it errs where a person would, in what is
// hard to see.
#pragma once

#include "runtime/search/make_player.hpp"

namespace boardwright::runtime::search {

inline constexpr int kFirstLevel = 1, kLastLevel = 10;

struct Level {
  std::uint64_t nodes; // random games for a move, at the most
  double tolerance;    // moves may be played whose value is so much less than the best one's
};
[[nodiscard]] Level level_of(int level);

[[nodiscard]] std::unique_ptr<Player> make_level_player(std::shared_ptr<const Rules> rules, int level,
                                                        const PlayerChoice& choice);

} // namespace boardwright::runtime::search
