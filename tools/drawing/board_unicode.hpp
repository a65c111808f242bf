// Positions drawn for a terminal that shows signs beyond ASCII.
#pragma once

#include "tools/drawing/draw_options.hpp"

#include "tools/drawing/board_scene.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// As draw_board says; `options.unicode` is set.
[[nodiscard]] std::string draw_board_unicode(const runtime::Program& program,
                                             const runtime::Position& position, const DrawOptions& options);

// How a piece is drawn. Without colours a letter tells whose it is.
[[nodiscard]] std::string terminal_sign(const Scene& scene, runtime::Piece piece, bool color);
// The signs of each kind where there are colours: one, if only the colours tell its owners apart, else
// "White ♔, Black ♚".
[[nodiscard]] std::vector<std::string> signs_of_kinds(const runtime::Program& program,
                                                      const interpreter::Look* look);

} // namespace boardwright::tools
