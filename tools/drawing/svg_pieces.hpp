// Pieces and stacks as parts of an SVG picture.
#pragma once

#include "tools/drawing/board_scene.hpp"
#include "tools/drawing/svg_text.hpp"

#include <string>

namespace boardwright::tools {

// `width` and `height` are those of the cell, which a bar fills.
[[nodiscard]] std::string svg_piece(const PieceSign& sign, Point centre, double width, double height);
// One piece or more, from bottom to top. What is all of one sort has its height as a number.
[[nodiscard]] std::string svg_stack(const Scene& scene, const runtime::Stack& stack, Point centre,
                                    double width, double height);
// Seeds in a pit, with their number.
[[nodiscard]] std::string svg_seeds(const Scene& scene, const runtime::Stack& stack, Point centre,
                                    double width);

} // namespace boardwright::tools
