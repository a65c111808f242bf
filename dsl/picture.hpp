// Pictures: a board or a set-up drawn with one sign for each cell, top row first.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/yaml.hpp"

#include <vector>

namespace boardwright::dsl {

// A picture of pieces (`setup`, a test's position). In a row with blanks between its signs every word is the
// sign of a cell (several letters: a stack, from the bottom); in one without, every character. Blanks around
// a row mean nothing (rows of a hex board may be shifted), nor do blank rows.
[[nodiscard]] std::vector<PictureRow> read_piece_picture(const Yaml& block, Diagnostics& diagnostics);

// A picture of a board, where a blank is a hole: what counts is the column at which a sign stands. If in the
// whole picture all signs stand an even number of columns apart, and some row has two signs, the picture is
// drawn with blanks between and every second column counts; else every column does. The leftmost sign stands
// in the first column. Rows may end early; blank rows between others are rows of holes.
[[nodiscard]] std::vector<PictureRow> read_board_picture(const Yaml& block, Diagnostics& diagnostics);

} // namespace boardwright::dsl
