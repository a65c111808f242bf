// A page of the documentation as tests read it: its lines, its blocks of code, its headings and links.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace boardwright::tests {

using Lines = std::vector<std::string>;

[[nodiscard]] Lines lines_of(const std::string& text);
[[nodiscard]] Lines words_of(const std::string& text);
[[nodiscard]] std::string trimmed(const std::string& text);

// The text of a file of the repository: "dsl/README.md".
[[nodiscard]] std::string repository_text(const std::string& name);
// The lines of a page, which fails the test where it is empty.
[[nodiscard]] Lines page_lines(const std::string& name);

struct Block {
  std::string page; // "dsl/README.md"
  int line = 0;     // of its first line of text
  Lines info;       // the words behind the fence
  std::string text;

  [[nodiscard]] std::string word(std::size_t i) const { return i < info.size() ? info[i] : ""; }
  [[nodiscard]] std::string place() const { return page + ":" + std::to_string(line); }
};
[[nodiscard]] std::vector<Block> blocks_of(const std::string& page);

// The lines of a page that stand in no block.
[[nodiscard]] Lines prose(const Lines& lines);
// What stands below a heading of the second level.
[[nodiscard]] Lines chapter(const Lines& lines, const std::string& heading);
// The words between backticks.
[[nodiscard]] std::set<std::string> quoted_in(const Lines& lines);

// GitHub's name of a heading, which links end in: "sets-of-cells".
[[nodiscard]] std::string anchor_of(const std::string& heading);

// Fails the test where a link of the page leads to a heading or a file that isn't there.
void check_links(const std::string& page);

} // namespace boardwright::tests
