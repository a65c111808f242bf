#include "tools/console/wrapped.hpp"

#include "dsl/text.hpp"

#include <algorithm>
#include <sstream>

namespace boardwright::tools {

std::string wrapped(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::string result, word;
  std::size_t column = 0;
  while (words >> word) {
    const std::size_t columns = dsl::characters_in(word);
    const bool fits = column + 1 + columns <= width;
    if (column > 0) result += fits ? " " : "\n";
    column = column > 0 && fits ? column + 1 + columns : columns;
    result += word;
  }
  return result;
}

std::string wrapped_lines(const std::string& text, std::size_t width) {
  constexpr std::size_t kLeast = 20; // columns that are left beside what a line is indented by
  std::string result;
  for (const std::string& line : lines_of(text)) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const bool fits = dsl::characters_in(line) <= width || width < indent + kLeast;
    const std::string all = fits ? line.substr(indent) : wrapped(line.substr(indent), width - indent);
    for (const std::string& part : lines_of(all)) result += std::string(indent, ' ') + part + "\n";
    if (all.empty()) result += "\n";
  }
  if (!text.empty() && text.back() != '\n') result.pop_back();
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
