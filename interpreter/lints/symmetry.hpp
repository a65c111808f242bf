// How a board lies on itself: the mirror images and the half turn that take cells to cells. For lints about
// what should be the same for both of two players.
#pragma once

#include "runtime/model/program.hpp"

#include <utility>
#include <vector>

namespace boardwright::interpreter {

using Image = std::vector<int>; // by cell: where it goes

// Those that players who face one another may have changed places by: across the middle, and by half a turn.
// With `any` those along the diagonals, too, and the mirror image from side to side. All are their own
// inverse.
[[nodiscard]] std::vector<Image> images_of(const runtime::Board& board, bool upright, bool any);

[[nodiscard]] runtime::CellSet image_of(const Image& image, const runtime::CellSet& cells);

// Pieces of a position that have no counterpart where an image takes their cell, if the first two players
// change places (`swapped`): the cell of the piece, and whether nothing stands where the counterpart should.
struct Lacking {
  int cell = 0;
  bool nothing = false;
};
[[nodiscard]] std::vector<Lacking> lacking(const Image& image, const runtime::Position& position,
                                           bool swapped = true);

// The cells whose pieces carry another value than their counterparts in the image: directions are turned with
// it, players change places. All cells where a direction has no counterpart that can be carried.
[[nodiscard]] runtime::CellSet unlike_values(const runtime::Program& program,
                                             const runtime::PieceValue& value, const Image& image,
                                             const runtime::Position& position);

} // namespace boardwright::interpreter
