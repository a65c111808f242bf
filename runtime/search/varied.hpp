// A player for games that are to differ, and to be as good as so many positions allow: it plays any of the
// moves that look nearly as good to it as the best one, the likelier the better they look, and tells which
// these are. Levels (levels.hpp) err more than that, so that people can beat them; who asks what a game is
// like among equals wants to see the game, and not who erred.
#pragma once

#include "runtime/search/player.hpp"

#include <memory>

namespace boardwright::runtime::search {

struct Variety {
  std::uint64_t nodes; // random games for a move, or positions, at the most
  double tolerance;    // moves may be played whose value is so much less than the best one's
};
inline constexpr int kLastVariety = 8; // from 1
[[nodiscard]] Variety variety_of(int strength);

// `search` is asked for a move; where it tells no others that it looked at, it is asked for the best one
// without those, a few times.
[[nodiscard]] std::unique_ptr<Player> make_varied_player(const Variety& variety, std::uint64_t seed,
                                                         std::unique_ptr<Player> search);

} // namespace boardwright::runtime::search
