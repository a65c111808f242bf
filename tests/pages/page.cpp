#include "tests/pages/page.hpp"

#include "tests/paths.hpp"
#include "tests/text_files.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

namespace boardwright::tests {
namespace {

namespace fs = std::filesystem;

std::string after_hashes(const std::string& line) {
  const auto begin = line.find_first_not_of('#');
  return begin == std::string::npos ? "" : trimmed(line.substr(begin));
}

std::set<std::string> anchors_of(const Lines& lines) {
  std::set<std::string> anchors;
  for (const auto& line : lines)
    if (line.starts_with("#")) CHECK(anchors.insert(anchor_of(after_hashes(line))).second);
  return anchors;
}

bool leads_somewhere(const fs::path& folder, const std::set<std::string>& anchors,
                     const std::string& target) {
  if (target.starts_with("http")) return true;
  if (target.starts_with("#")) return anchors.contains(target.substr(1));
  return fs::exists(folder / target.substr(0, target.find('#')));
}

} // namespace

std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '_' || c == '-' || byte >= 0x80)
      anchor += static_cast<char>(std::tolower(byte));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string repository_text(const std::string& name) { return read_file(fs::path(source_root()) / name); }

Lines page_lines(const std::string& name) {
  const std::string text = repository_text(name);
  INFO(name);
  REQUIRE_FALSE(text.empty());
  return lines_of(text);
}

Lines words_of(const std::string& text) {
  Lines words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<Block> blocks_of(const std::string& page) {
  const Lines lines = page_lines(page);
  constexpr std::string_view kFence = "```";
  std::vector<Block> blocks;
  bool inside = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with(kFence)) {
      if (inside) blocks.back().text += lines[i] + "\n";
      continue;
    }
    inside = !inside;
    if (inside)
      blocks.push_back({page, static_cast<int>(i) + 2, words_of(lines[i].substr(kFence.size())), ""});
  }
  REQUIRE_FALSE(inside);
  return blocks;
}

Lines prose(const Lines& lines) {
  Lines result;
  bool inside = false;
  for (const auto& line : lines) {
    if (line.starts_with("```")) inside = !inside;
    if (!inside) result.push_back(line);
  }
  return result;
}

Lines chapter(const Lines& lines, const std::string& heading) {
  const auto begin = std::find(lines.begin(), lines.end(), "## " + heading);
  INFO(heading);
  REQUIRE(begin != lines.end());
  const auto end =
      std::find_if(begin + 1, lines.end(), [](const std::string& line) { return line.starts_with("## "); });
  return Lines(begin + 1, end);
}

std::set<std::string> quoted_in(const Lines& lines) {
  std::set<std::string> words;
  for (const auto& line : lines) {
    std::size_t end = 0;
    for (auto at = line.find('`'); at != std::string::npos; at = line.find('`', end + 1)) {
      end = line.find('`', at + 1);
      if (end == std::string::npos) break;
      words.insert(line.substr(at + 1, end - at - 1));
    }
  }
  return words;
}

void check_links(const std::string& page) {
  const Lines lines = prose(page_lines(page));
  const fs::path folder = (fs::path(source_root()) / page).parent_path();
  const auto anchors = anchors_of(lines);
  INFO(page);
  for (const auto& line : lines)
    for (auto at = line.find("]("); at != std::string::npos; at = line.find("](", at + 1))
      if (const std::string target = line.substr(at + 2, line.find(')', at) - at - 2);
          !leads_somewhere(folder, anchors, target))
        FAIL_CHECK("nothing is behind the link " << target);
}

} // namespace boardwright::tests
