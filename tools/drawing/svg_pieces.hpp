// Pieces and stacks as parts of an SVG picture.
#pragma once

#include "tools/drawing/board_scene.hpp"
#include "tools/drawing/svg_text.hpp"

#include <string>

namespace boardwright::tools {

// Of a cell, which a bar fills; a hex is as wide as `width`.
struct CellSize {
  double width = 0, height = 0;
  bool hex = false;
  bool upright = false; // a hex with sides above and below
};
[[nodiscard]] std::string svg_piece(const PieceSign& sign, Point centre, CellSize size);
// One piece or more, from bottom to top. What is all of one sort has its height as a number.
[[nodiscard]] std::string svg_stack(const Scene& scene, const runtime::Stack& stack, Point centre,
                                    CellSize size);
// What a piece carries: a tick on its edge in a direction (a vector of length 1), a dot or a few letters in a
// corner: 0 is the lower right one, the others follow clockwise.
[[nodiscard]] std::string svg_tick(const PieceSign& sign, Point centre, double side, Point direction);
[[nodiscard]] std::string svg_dot(Point centre, double side, int corner, const std::string& colour);
[[nodiscard]] std::string svg_note(Point centre, double side, int corner, const std::string& text);
// A diamond in a corner, or on `centre` itself where `side` is 0.
[[nodiscard]] std::string svg_diamond(Point centre, double side, int corner, const std::string& colour);
// Seeds in a pit, with their number.
[[nodiscard]] std::string svg_seeds(const Scene& scene, const runtime::Stack& stack, Point centre,
                                    double width);

} // namespace boardwright::tools
