// Moves as people read them.
#pragma once

#include <string>
#include <vector>

namespace boardwright::tools {

// As people look for them: by text, but runs of digits by their value, so that a2 comes before a10.
[[nodiscard]] std::vector<std::string> in_order(std::vector<std::string> texts);

// The texts in columns as wide as the longest, row by row, in lines of at most `width` characters where one
// text allows it. Ends in a line break unless there are no texts.
[[nodiscard]] std::string in_columns(const std::vector<std::string>& texts, int width);

} // namespace boardwright::tools
