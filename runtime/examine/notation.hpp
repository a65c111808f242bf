// Notations as they are compared where somebody has typed one.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace boardwright::runtime {

// Without blanks and case, and without telling a step from a capture, which only the end of a leg decides.
[[nodiscard]] inline std::string bare_notation(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0)
      result += c == 'x' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

} // namespace boardwright::runtime
