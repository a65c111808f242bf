#include "tools/drawing/svg_text.hpp"

#include "tools/console/xml.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace boardwright::tools {
namespace {

std::string attributes(const Paint& paint) {
  std::string text = fmt::format(" fill=\"{}\"", paint.fill.empty() ? "none" : paint.fill);
  if (!paint.stroke.empty())
    text += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", paint.stroke, svg_number(paint.width));
  if (paint.opacity < 1) text += fmt::format(" opacity=\"{:.2f}\"", paint.opacity);
  return text;
}

std::string listed(const std::vector<Point>& points) {
  std::string text;
  for (const Point& p : points) text += (text.empty() ? "" : " ") + svg_number(p.x) + "," + svg_number(p.y);
  return text;
}

} // namespace

std::string svg_number(double value) {
  const long tenths = std::lround(value * 10);
  const long whole = std::labs(tenths) / 10, rest = std::labs(tenths) % 10;
  return fmt::format("{}{}{}", tenths < 0 ? "-" : "", whole, rest == 0 ? "" : fmt::format(".{}", rest));
}

std::string svg_circle(Point centre, double radius, const Paint& paint) {
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", svg_number(centre.x), svg_number(centre.y),
                     svg_number(radius), attributes(paint));
}

std::string svg_ellipse(Point centre, double rx, double ry, const Paint& paint) {
  return fmt::format("<ellipse cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\"{}/>\n", svg_number(centre.x),
                     svg_number(centre.y), svg_number(rx), svg_number(ry), attributes(paint));
}

std::string svg_rectangle(Point corner, double width, double height, const Paint& paint, double rounding) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}/>\n", svg_number(corner.x),
                     svg_number(corner.y), svg_number(width), svg_number(height),
                     rounding > 0 ? fmt::format(" rx=\"{}\"", svg_number(rounding)) : "", attributes(paint));
}

std::string svg_polygon(const std::vector<Point>& points, const Paint& paint) {
  return fmt::format("<polygon points=\"{}\"{}/>\n", listed(points), attributes(paint));
}

std::string svg_polyline(const std::vector<Point>& points, const Paint& paint) {
  return fmt::format("<polyline points=\"{}\"{} stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n",
                     listed(points), attributes(paint));
}

std::string svg_label(Point at, double size, std::string_view text, const Paint& paint, Anchor anchor,
                      bool bold) {
  constexpr std::array kAnchors = {"start", "middle", "end"};
  constexpr double kDown = 0.36; // from the middle of a line to its base, of the size
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\"{}{}>{}</text>\n",
                     svg_number(at.x), svg_number(at.y + size * kDown), svg_number(size),
                     kAnchors[static_cast<std::size_t>(anchor)], bold ? " font-weight=\"bold\"" : "",
                     attributes(paint), xml_text(text));
}

} // namespace boardwright::tools
