// Text in lines: broken so that they fit a page, or taken apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace boardwright::tools {

// Lines are broken at blanks; longer words stay whole.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width = 78);

// Lines that are longer than that are broken at blanks, and go on as far in as they began; all others stay as
// they are.
[[nodiscard]] std::string wrapped_lines(const std::string& text, std::size_t width);

// Lines of a text, from 0 on, without their `\n`.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

} // namespace boardwright::tools
