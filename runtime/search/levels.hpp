// Ten levels of strength. A level is the search that plays these rules best, looks at fewer positions, and
// now and then plays another move than the best that it sees: so that it gives away, over a game, as much as
// the steps are that it is below full strength, in logarithms of the odds to win, as strength is counted.
// What so many positions less are worth differs much between games: four times as many are 400 Elo in one and
// 50 in another. What is given away is the same in all, however long they are and however much a single move
// decides. How far levels are apart is measured in tests/bench/README.md.
#pragma once

#include "runtime/search/make_player.hpp"

namespace boardwright::runtime::search {

inline constexpr int kFirstLevel = 1, kLastLevel = 10;

struct Level {
  std::uint64_t nodes; // random games for a move, or positions, at the most
  int steps_given;     // away in a game: none at full strength
};
[[nodiscard]] Level level_of(int level);
// What each of them is, in logarithms of the odds to win.
inline constexpr double kGivenOfStep = 1.2;

// `search` is asked for a move; where it is to be another one, and it tells of none that it looked at, it is
// asked what a few others are worth. `plies`: of a game.
[[nodiscard]] std::unique_ptr<Player> make_level_player(int level, double plies, std::uint64_t seed,
                                                        std::unique_ptr<Player> search);
// The highest one doesn't err on purpose.
[[nodiscard]] inline bool plays_its_best(int level) { return level_of(level).steps_given == 0; }

// Levels as points of a scale on which a hundred more are 64 % of the points, as programs ask for them: what
// lies between two of them was measured in four games (tests/bench/README.md), some 110 on average. Where the
// scale begins is agreed on: a beginner.
inline constexpr int kFirstElo = 600, kEloOfLevel = 110;
inline constexpr int kLastElo = kFirstElo + (kLastLevel - kFirstLevel) * kEloOfLevel;
[[nodiscard]] int level_of_elo(int elo); // the nearest one

} // namespace boardwright::runtime::search
