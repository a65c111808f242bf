// Long texts at the prompt of `play`, a screen at a time.
#pragma once

#include "tools/console/console.hpp"
#include "tools/console/line_reader.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// A text in pieces of so many rows of a terminal that is so wide, longer lines counted as they are broken
// there. A single line is never cut.
[[nodiscard]] std::vector<std::string> pages_of(const std::string& text, int rows, int width);

// Shows a text; where it has more rows than the terminal of a person, screen by screen: Enter goes on, `q`
// goes back to the prompt. Anything else ends it, too, and is what is returned: a line to be obeyed. "":
// nothing is.
[[nodiscard]] std::string show_pages(const std::string& text, LineReader& reader, Console& console);

} // namespace boardwright::tools
