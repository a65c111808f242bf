// Ten levels of strength. A level is the search that plays these rules best, looks at few positions, and
// doesn't always play what it thinks best, but something that looked nearly as good to it: it errs where a
// person would, in what is hard to see. How far they are apart is measured in tests/bench/README.md.
#pragma once

#include "runtime/search/make_player.hpp"

namespace boardwright::runtime::search {

inline constexpr int kFirstLevel = 1, kLastLevel = 10;

struct Level {
  std::uint64_t nodes; // random games for a move, or positions, at the most
  double tolerance;    // moves may be played whose value is so much less than the best one's
};
[[nodiscard]] Level level_of(int level);

// `search` is asked for a move; where it tells no others that it looked at, it is asked for the best one
// without those, a few times.
[[nodiscard]] std::unique_ptr<Player> make_level_player(int level, std::uint64_t seed,
                                                        std::unique_ptr<Player> search);
// The highest ones don't err on purpose.
[[nodiscard]] inline bool plays_its_best(int level) { return level_of(level).tolerance <= 0; }

// Levels as points of a scale on which a hundred more are 64 % of the points, as programs ask for them: what
// lies between two of them was measured in four games (tests/bench/README.md), 140 on average. Where the
// scale begins is agreed on: a beginner.
inline constexpr int kFirstElo = 600, kEloOfLevel = 150;
inline constexpr int kLastElo = kFirstElo + (kLastLevel - kFirstLevel) * kEloOfLevel;
[[nodiscard]] int level_of_elo(int elo); // the nearest one

} // namespace boardwright::runtime::search
