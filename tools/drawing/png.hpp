// Pictures as PNG, by a program that many systems have.
#pragma once

#include <string>

namespace boardwright::tools {

// Has `rsvg-convert` (Debian: librsvg2-bin) make a PNG of an SVG picture. "" or what went wrong.
[[nodiscard]] std::string write_png(const std::string& path, const std::string& svg);

} // namespace boardwright::tools
