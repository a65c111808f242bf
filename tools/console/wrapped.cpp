#include "tools/console/wrapped.hpp"

#include <algorithm>
#include <sstream>

namespace boardwright::tools {

namespace {

// Signs, not bytes: those that go on within a sign of UTF-8 take no room.
std::size_t columns_of(const std::string& word) {
  return static_cast<std::size_t>(std::count_if(
      word.begin(), word.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace

std::string wrapped(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::string result, word;
  std::size_t column = 0;
  while (words >> word) {
    const std::size_t columns = columns_of(word);
    const bool fits = column + 1 + columns <= width;
    if (column > 0) result += fits ? " " : "\n";
    column = column > 0 && fits ? column + 1 + columns : columns;
    result += word;
  }
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

} // namespace boardwright::tools
