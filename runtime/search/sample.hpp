// Positions of random games: what there is to see of rules that nobody has read.
#pragma once

#include "runtime/game/game.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace boardwright::runtime::search {

struct SampleOptions {
  std::uint64_t seed = 1;
  int games = 12;
  int most_plies = 150; // of a game
  int apart = 7;        // plies from one position that is kept to the next; the last two of a game always are
  // A list with more moves ends its game: it takes long to make, and a search will see little of it anyway.
  std::uint64_t most_moves = 2000;
};

// What games of these rules are like, as far as random ones tell.
struct Sample {
  std::vector<Position> positions;
  double moves = 0;       // to choose from, on average
  double plies = 0;       // of a game; those that were cut off count as long as they were
  double finished = 0;    // share of the games that came to an end
  double decisive = 0;    // share of these that somebody won
  double captures = 0;    // share of the moves played that took something
  double forced = 0;      // share of the positions where every move takes something
  double filling = 0;     // share of the moves played after which there are more pieces on the board
  bool wide = false;      // a position had more moves than the limit
  std::uint64_t seen = 0; // positions that the averages are of
};

// The same for the same options. What goes wrong in a game ends it.
[[nodiscard]] Sample sample_games(const std::shared_ptr<const Rules>& rules,
                                  const SampleOptions& options = {});

} // namespace boardwright::runtime::search
