// Entry points: title_of, name_in_format, names_in_format.
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

struct Row {
  std::string_view said, title; // "sgf 1", and the title here
};

std::vector<Row> rows() {
  std::vector<Row> rows;
  const std::string_view text = titles_text();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (const std::size_t equals = line.find('='); equals != std::string_view::npos)
      rows.push_back({stripped(line.substr(0, equals)), stripped(line.substr(equals + 1))});
    begin = end + 1;
  }
  return rows;
}

} // namespace

std::string title_of(std::string_view format, std::string_view said) {
  const std::string bare = bare_title(said);
  const std::string wanted = std::string(format) + " " + (bare.empty() ? "-" : bare);
  for (const Row& row : rows())
    if (row.said == wanted) return std::string(row.title);
  return "";
}

std::string name_in_format(std::string_view format, std::string_view title) {
  const std::string begin = std::string(format) + " ";
  for (const Row& row : rows())
    if (row.said.starts_with(begin) && row.title == title)
      return std::string(stripped(row.said.substr(begin.size())));
  return "";
}

std::vector<std::string> names_in_format(std::string_view format) {
  const std::string begin = std::string(format) + " ";
  std::vector<std::string> names;
  for (const Row& row : rows())
    if (row.said.starts_with(begin)) names.emplace_back(stripped(row.said.substr(begin.size())));
  return names;
}

} // namespace boardwright::tools
