// Numbering the cells of a board so that steps of whole sets are shifts.
#pragma once

#include "runtime/program.hpp"

#include <optional>
#include <vector>

namespace boardwright::runtime {

struct Numbering {
  std::vector<std::int16_t> of_cell; // by cell in board order
  int size = 0;                      // numbers in use, those of no cell included
};

// A numbering in which every step leads equally far from all cells, for a board where board order is none,
// and whose sets need no more than so many words. Nothing where there is none, or board order will do. Where
// every other square is a cell, two rows share one number that is none.
[[nodiscard]] std::optional<Numbering> find_numbering(const Board& board, int words);

// The program with its cells numbered so. Numbers of no cell are outside of Board::all and lead nowhere.
void renumber(Program& program, const Numbering& numbering);

} // namespace boardwright::runtime
