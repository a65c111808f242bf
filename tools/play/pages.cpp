#include "tools/play/pages.hpp"

#include "dsl/text.hpp"
#include "tools/drawing/terminal_canvas.hpp"

#include <algorithm>
#include <sstream>

namespace boardwright::tools {
namespace {

constexpr const char* kMore = "-- more: Enter; back: q -- ";

int rows_of(const std::string& line, int width) {
  return std::max(1, (columns_of(line) + width - 1) / width);
}

} // namespace

std::vector<std::string> pages_of(const std::string& text, int rows, int width) {
  std::vector<std::string> pages;
  std::istringstream in(text);
  int used = 0;
  for (std::string line; std::getline(in, line);) {
    const int needed = rows_of(line, std::max(width, 1));
    if (pages.empty() || used + needed > rows) {
      pages.emplace_back();
      used = 0;
    }
    pages.back() += line + "\n";
    used += needed;
  }
  return pages;
}

std::string show_pages(const std::string& text, LineReader& reader, Console& console) {
  const int rows = console.height() - 1; // the last one is for the question
  if (!reader.interactive() || rows < 1) {
    console.out(text);
    return "";
  }
  const auto pages = pages_of(text, rows, console.width());
  for (std::size_t i = 0; i < pages.size(); ++i) {
    console.out(pages[i]);
    if (i + 1 == pages.size() || !console.flush()) break;
    const auto line = reader.read(kMore);
    if (!line) break; // the next question ends the game
    const std::string word = dsl::to_lower(*line);
    if (word.find_first_not_of(" \t") == std::string::npos) continue;
    return word == "q" || word == "back" ? "" : *line;
  }
  return "";
}

} // namespace boardwright::tools
