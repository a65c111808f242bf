// Parts of an SVG picture as text.
#pragma once

#include "tools/drawing/board_scene.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

struct Point {
  double x = 0, y = 0; // y grows downwards
};

// How a part is painted; an empty colour: not at all.
struct Paint {
  std::string fill, stroke;
  double width = 1;   // of the stroke
  double opacity = 1; // of all
};

// A number with a digit behind the point at most: the same everywhere.
[[nodiscard]] std::string svg_number(double value);
[[nodiscard]] std::string svg_circle(Point centre, double radius, const Paint& paint);
[[nodiscard]] std::string svg_ellipse(Point centre, double rx, double ry, const Paint& paint);
[[nodiscard]] std::string svg_rectangle(Point corner, double width, double height, const Paint& paint,
                                        double rounding = 0);
[[nodiscard]] std::string svg_polygon(const std::vector<Point>& points, const Paint& paint);
// Open: its ends are round.
[[nodiscard]] std::string svg_polyline(const std::vector<Point>& points, const Paint& paint);
enum class Anchor : std::uint8_t { start, middle, end };
// `at` is the middle of its height.
[[nodiscard]] std::string svg_label(Point at, double size, std::string_view text, const Paint& paint,
                                    Anchor anchor = Anchor::middle, bool bold = false);

} // namespace boardwright::tools
