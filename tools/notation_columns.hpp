// Moves as people read them.
#pragma once

#include <string>
#include <vector>

namespace boardwright::tools {

// The texts in columns as wide as the longest, row by row, in lines of at most `width` characters where one
// text allows it. Ends in a line break unless there are no texts.
[[nodiscard]] std::string in_columns(const std::vector<std::string>& texts, int width);

} // namespace boardwright::tools
