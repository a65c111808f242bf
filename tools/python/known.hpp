// What a player has seen and read since a game began, as numbers: his information state.
//
// A row for the beginning and one for each move, of which so many have room. A row tells
//
//   whether there is such a row
//   whose move it was: a number for each player, from the one who looks on, and one for nature
//   how he reads the move: eight bits for each letter, the lowest first
//   what he sees behind it: the planes of the position
//
// Two games have the same rows exactly where the player can't tell them apart.
#pragma once

#include "runtime/sight/knowledge.hpp"
#include "tools/python/state.hpp"

#include <cstddef>

namespace boardwright::python {

class KnownRows {
public:
  // For games of up to so many moves.
  KnownRows(const Shared& shared, std::size_t most_moves);

  [[nodiscard]] std::size_t rows() const { return most_moves_ + 1; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  // Fills rows() times columns() numbers. A fault: the game has more moves, or one that is read by more
  // letters than any that has been met. Costs as much as to take the game back and to play it again.
  [[nodiscard]] tl::expected<void, runtime::Fault> write(const runtime::Game& game, int player,
                                                         float* to) const;

private:
  [[nodiscard]] tl::expected<void, runtime::Fault> write_move(const runtime::sight::Witnessed& move,
                                                              int player, float* to) const;

  const Shared& shared_;
  std::size_t most_moves_, players_, letters_, columns_ = 0;
};

} // namespace boardwright::python
