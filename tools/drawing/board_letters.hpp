// Positions drawn with letters.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"
#include "tools/drawing/draw_options.hpp"

#include <string>

namespace boardwright::tools {

// As draw_board says (board_text.hpp), whatever `options.unicode`.
[[nodiscard]] std::string draw_board_letters(const runtime::Program& program,
                                             const runtime::Position& position, const DrawOptions& options);

// Cells whose names the labels at the board's sides don't tell; "" where there are none.
[[nodiscard]] std::string named_cells_text(const runtime::Board& board, bool flipped = false);

} // namespace boardwright::tools
