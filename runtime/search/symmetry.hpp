// Which reflections and turns of the board, with or without the players changing places, leave a game as it
// is. Nothing in the rules says so: they are tried on positions of random games.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/search/sample.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace boardwright::runtime::search {

struct Symmetry {
  std::vector<std::int16_t> to; // by cell
  bool swaps = false;           // the two players change places
};

// Symmetries of the board that the sample's positions don't contradict: the mirrored position has as many
// moves, and as many that win, lose and draw at once. Without the one that changes nothing.
[[nodiscard]] std::vector<Symmetry> find_symmetries(const std::shared_ptr<const Rules>& rules,
                                                    const Sample& sample);

// By direction of a value that pieces carry: which one it is in the mirror. Nothing where one can't be
// carried.
[[nodiscard]] std::optional<std::vector<unsigned>> turned_steps(const Board& board, const PieceValue& value,
                                                                const Symmetry& symmetry);

// Nothing where the other player has no such piece, hand or variable.
[[nodiscard]] std::optional<Position> mirrored(const Program& program, const Position& position,
                                               const Symmetry& symmetry);

} // namespace boardwright::runtime::search
