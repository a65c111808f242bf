// Entry point: title_of.
#include "tools/records/formats/titles.hpp"

#include "tools/games/game_index.hpp"

#include <algorithm>

namespace boardwright::tools {
namespace {

std::string_view stripped(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(' ');
  return end == std::string_view::npos ? std::string_view() : text.substr(begin, end + 1 - begin);
}

} // namespace

std::string title_of(std::string_view format, std::string_view said) {
  const std::string bare = bare_title(said);
  const std::string wanted = std::string(format) + " " + (bare.empty() ? "-" : bare);
  const std::string_view text = titles_text();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos && stripped(line.substr(0, equals)) == wanted)
      return std::string(stripped(line.substr(equals + 1)));
    begin = end + 1;
  }
  return "";
}

} // namespace boardwright::tools
