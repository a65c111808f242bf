// Text in lines that fit a page.
#pragma once

#include <cstddef>
#include <string>

namespace boardwright::tools {

// Lines are broken at blanks; longer words stay whole.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width = 78);

} // namespace boardwright::tools
