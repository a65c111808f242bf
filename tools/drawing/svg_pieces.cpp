#include "tools/drawing/svg_pieces.hpp"

#include "dsl/text.hpp"
#include "tools/drawing/board_rest.hpp"
#include "tools/drawing/terminal_canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace boardwright::tools {
namespace {

using interpreter::Shape;

// Of a cell's smaller side.
constexpr double kRadius = 0.39;
// Seeds that are drawn one by one; of more the number tells.
constexpr std::size_t kMaxSeeds = 24;

std::string darker(Colour c, double share) { return colour_text(mixed(c, {0, 0, 0}, share)); }

std::vector<Point> star(Point c, double radius) {
  std::vector<Point> points;
  constexpr int kCorners = 10;
  for (int i = 0; i < kCorners; ++i) {
    const double r = i % 2 == 0 ? radius : radius * 0.45;
    const double angle = std::numbers::pi * 2 * i / kCorners;
    points.push_back({c.x + r * std::sin(angle), c.y - r * std::cos(angle)});
  }
  return points;
}

// A wall fills its cell, a hex too.
std::string wall(const PieceSign& sign, Point c, CellSize size) {
  const Paint paint{colour_text(sign.fill), darker(sign.fill, 0.4), 0.6, 1};
  if (!size.hex)
    return svg_rectangle({c.x - size.width / 2, c.y - size.height / 2}, size.width, size.height, paint, 1);
  const double r = size.width / std::numbers::sqrt3;
  std::vector<Point> points;
  constexpr int kCorners = 6;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = std::numbers::pi / 3 * (size.upright ? i + 0.5 : i);
    points.push_back({c.x + r * std::sin(angle), c.y - r * std::cos(angle)});
  }
  return svg_polygon(points, paint);
}

std::string shape(const PieceSign& sign, Point c, double r, CellSize size) {
  const Paint paint{colour_text(sign.fill), darker(sign.fill, 0.6), r * 0.09, 1};
  switch (sign.shape) {
  case Shape::ring: {
    const Paint edge{"", darker(sign.fill, 0.6), r * 0.4, 1}, inside{"", colour_text(sign.fill), r * 0.26, 1};
    return svg_circle(c, r * 0.82, edge) + svg_circle(c, r * 0.82, inside);
  }
  case Shape::square:
    return svg_rectangle({c.x - r * 0.85, c.y - r * 0.85}, r * 1.7, r * 1.7, paint, r * 0.15);
  case Shape::diamond:
    return svg_polygon(
        {{c.x, c.y - r * 1.1}, {c.x + r * 1.1, c.y}, {c.x, c.y + r * 1.1}, {c.x - r * 1.1, c.y}}, paint);
  case Shape::triangle:
    return svg_polygon({{c.x, c.y - r * 1.05}, {c.x + r, c.y + r * 0.8}, {c.x - r, c.y + r * 0.8}}, paint);
  case Shape::star: return svg_polygon(star(c, r * 1.15), paint);
  case Shape::bar: return wall(sign, c, size);
  case Shape::letter: return "";
  default:
    if (sign.rim != sign.fill) // the owner's, around a colour of its own
      return svg_circle(c, r, {colour_text(sign.rim), darker(sign.rim, 0.6), r * 0.09, 1}) +
             svg_circle(c, r * 0.72, {colour_text(sign.fill), darker(sign.fill, 0.4), r * 0.05, 1});
    return svg_circle(c, r, paint) +
           svg_circle(c, r * 0.74, {"", colour_text(mixed(sign.fill, sign.ink, 0.3)), r * 0.05, 1});
  }
}

// Alone it must stand out from any ground: its edge is drawn first.
std::string text_of(const PieceSign& sign, Point c, double r) {
  if (sign.text.empty()) return "";
  const auto columns = static_cast<double>(columns_of(sign.text));
  const bool wide_sign = dsl::characters_in(sign.text) == 1;
  const double fitting = columns < 2 || wide_sign ? 1.15 : columns < 3 ? 0.95 : 2.4 / columns;
  if (sign.shape != Shape::letter)
    return svg_label(c, r * fitting, sign.text, {colour_text(sign.ink), "", 0, 1}, Anchor::middle, true);
  const double alone = static_cast<unsigned char>(sign.text[0]) < 0x80 ? 1.7 : 2.2;
  const double size = r * (columns < 3 || wide_sign ? alone : alone * 2 / columns);
  const bool light = contrast(sign.fill, {0, 0, 0}) > 6;
  const std::string edge = light ? "#1c1c1c" : "#f7efdd";
  return svg_label(c, size, sign.text, {edge, edge, r * (light ? 0.13 : 0.1), 1}) +
         svg_label(c, size, sign.text, {colour_text(sign.fill), "", 0, 1});
}

// Seen from the side, so that every piece shows.
std::string tower(const Scene& scene, const runtime::Stack& stack, Point c, double side) {
  const double rx = side * 0.36, ry = side * 0.12;
  const double step = std::min(side * 0.15, side * 0.62 / static_cast<double>(stack.size()));
  double y = c.y + step * static_cast<double>(stack.size()) / 2;
  std::string text;
  for (const runtime::Piece piece : stack) {
    const PieceSign& sign = scene.sign(piece);
    const Paint paint{colour_text(sign.fill), darker(sign.fill, 0.6), side * 0.02, 1};
    const Paint rim{darker(sign.fill, 0.25), darker(sign.fill, 0.6), side * 0.02, 1};
    text += svg_ellipse({c.x, y}, rx, ry, rim);
    y -= step;
    text += svg_ellipse({c.x, y}, rx, ry, paint);
    const bool is_top = &piece == &stack.back();
    if (!sign.text.empty() && is_top)
      text += svg_label({c.x, y}, ry * 2, sign.text, {colour_text(sign.ink), "", 0, 1}, Anchor::middle, true);
  }
  return text;
}

std::string pile(const Scene& scene, const runtime::Stack& stack, Point c, double side) {
  const PieceSign& sign = scene.sign(stack.back());
  const double r = side * kRadius * 0.92, step = side * 0.045;
  PieceSign bare = sign;
  bare.text.clear();
  const auto layers = static_cast<int>(std::min<std::size_t>(stack.size(), 3));
  std::string text;
  for (int i = 0; i < layers; ++i)
    text += shape(bare, {c.x, c.y + step * (layers / 2.0 - i)}, r, {side, side});
  const Point top{c.x, c.y + step * (layers / 2.0 - layers + 1)};
  const std::string height = sign.text + std::to_string(stack.size());
  return text + svg_label(top, r * (height.size() > 1 ? 0.9 : 1.1), height, {colour_text(sign.ink), "", 0, 1},
                          Anchor::middle, true);
}

} // namespace

std::string svg_piece(const PieceSign& sign, Point centre, CellSize size) {
  const double r = std::min(size.width, size.height) * kRadius;
  return shape(sign, centre, r, size) + text_of(sign, centre, r);
}

std::string svg_stack(const Scene& scene, const runtime::Stack& stack, Point centre, CellSize size) {
  if (stack.empty()) return "";
  if (stack.size() == 1) return svg_piece(scene.sign(stack.back()), centre, size);
  const double side = std::min(size.width, size.height);
  return is_mixed(stack) ? tower(scene, stack, centre, side) : pile(scene, stack, centre, side);
}

namespace {

Point corner_of(Point centre, double side, int corner) {
  const double x = corner == 0 || corner == 3 ? 1 : -1, y = corner == 0 || corner == 1 ? 1 : -1;
  return {centre.x + x * side * 0.36, centre.y + y * side * 0.36};
}

} // namespace

std::string svg_tick(const PieceSign& sign, Point c, double side, Point d) {
  const double tip = side * 0.47, base = side * 0.33, half = side * 0.085;
  return svg_polygon({{c.x + d.x * tip, c.y + d.y * tip},
                      {c.x + d.x * base - d.y * half, c.y + d.y * base + d.x * half},
                      {c.x + d.x * base + d.y * half, c.y + d.y * base - d.x * half}},
                     {darker(sign.fill, 0.75), "#f7efdd", side * 0.02, 1});
}

std::string svg_dot(Point centre, double side, int corner, const std::string& colour) {
  return svg_circle(corner_of(centre, side, corner), side * 0.075, {colour, "#f7efdd", side * 0.02, 1});
}

std::string svg_diamond(Point centre, double side, int corner, const std::string& colour) {
  const Point c = side > 0 ? corner_of(centre, side, corner % 4) : centre;
  const double r = side > 0 ? side * 0.11 : 6;
  return svg_polygon({{c.x, c.y - r}, {c.x + r, c.y}, {c.x, c.y + r}, {c.x - r, c.y}},
                     {colour, "#f7efdd", r * 0.2, 1});
}

std::string svg_note(Point centre, double side, int corner, const std::string& text) {
  const Point at = corner_of(centre, side, corner);
  const double width = side * (0.11 + 0.11 * static_cast<double>(text.size()));
  return svg_rectangle({at.x - width / 2, at.y - side * 0.11}, width, side * 0.22,
                       {"#f7efdd", "#1c1c1c", 0.6, 1}, side * 0.06) +
         svg_label(at, side * 0.2, text, {"#1c1c1c", "", 0, 1}, Anchor::middle, true);
}

// Each a golden angle further than the one before: none lies on another.
std::string svg_seeds(const Scene& scene, const runtime::Stack& stack, Point centre, double width) {
  constexpr double kGoldenAngle = 2.39996;
  const double seed = width * 0.06;
  std::string text;
  for (std::size_t i = 0; i < std::min(stack.size(), kMaxSeeds); ++i) {
    const double distance = seed * 1.15 * std::sqrt(static_cast<double>(i) * 1.25);
    const double angle = kGoldenAngle * static_cast<double>(i);
    const PieceSign& sign = scene.sign(stack[i]);
    text +=
        svg_circle({centre.x + distance * std::cos(angle), centre.y + distance * std::sin(angle)}, seed,
                   {colour_text(mixed(sign.fill, {255, 255, 255}, 0.45)), darker(sign.fill, 0.6), 0.7, 1});
  }
  return text + svg_label({centre.x + width * 0.36, centre.y + width * 0.38}, width * 0.24,
                          std::to_string(stack.size()), {"#2b2118", "", 0, 1}, Anchor::middle, true);
}

} // namespace boardwright::tools
