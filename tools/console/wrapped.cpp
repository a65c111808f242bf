#include "tools/console/wrapped.hpp"

#include <sstream>

namespace boardwright::tools {

std::string wrapped(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::string result, word;
  std::size_t column = 0;
  while (words >> word) {
    const bool fits = column + 1 + word.size() <= width;
    if (column > 0) result += fits ? " " : "\n";
    column = column > 0 && fits ? column + 1 + word.size() : word.size();
    result += word;
  }
  return result;
}

} // namespace boardwright::tools
