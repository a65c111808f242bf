// Numbering the cells of a board so that steps of whole sets are shifts.
#pragma once

#include "runtime/model/program.hpp"

#include <map>
#include <optional>
#include <vector>

namespace boardwright::runtime {

// The cells that a step leads from, by how much farther its number the cell is that it leads to; `back`: the
// cells that it leads to, by how far it is back. Where there are few of them, a step of a whole set is a few
// shifts.
[[nodiscard]] std::map<int, CellSet> by_distance(const std::vector<std::int16_t>& to, bool back = false);
inline constexpr std::size_t kMostShifts = 3; // more are slower than one cell after the other

struct Numbering {
  std::vector<std::int16_t> of_cell; // by cell in board order
  int size = 0;                      // numbers in use, those of no cell included
};

// A numbering in which every step leads equally far from all cells, for a board where board order is none,
// and whose sets need no more than so many words. Where steps pass over holes there is none, but one in which
// they are few shifts will do, if they are many in board order. Nothing where there is no better one than
// board order. Where every other square is a cell, two rows share one number that is none.
[[nodiscard]] std::optional<Numbering> find_numbering(const Board& board, int words);

// The program with its cells numbered so. Numbers of no cell are outside of Board::all and lead nowhere.
void renumber(Program& program, const Numbering& numbering);

} // namespace boardwright::runtime
