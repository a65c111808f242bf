// How long the bundled rule files are: a game must stay short enough to be read at one go.
//
// What counts are the lines of the rules: without `about`, `tests`, the options' `help`, comments and blank
// lines.
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace library_size_test {

namespace {

namespace fs = std::filesystem;

const fs::path kLibrary = fs::path(boardwright::tests::source_root()) / "game-defs";

// What the library set out to be. Below them nothing is gained by going on.
constexpr std::size_t kMostOfHalf = 20;
constexpr std::size_t kMostOfChess = 40;
constexpr std::size_t kMostColumns = 100;

struct File {
  std::string name; // "rows/gomoku"
  std::vector<std::string> rules;
};

std::size_t indentation(const std::string& line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// A `#` begins a comment, but in a picture it is a hole: there another sign stands alone behind it.
bool is_comment(const std::string& line) {
  static const std::regex row(R"(\s*#( \S)+\s*)");
  return line[indentation(line)] == '#' && !std::regex_match(line, row);
}

bool says_nothing(const std::string& line) { return indentation(line) == line.size() || is_comment(line); }

// Does this line begin an entry that is no rule, whose further lines stand to the right of it?
bool is_no_rule(const std::string& line, const std::string& section) {
  if (line.starts_with("about:") || line.starts_with("tests:")) return true;
  return section == "options" && line.compare(indentation(line), 5, "help:") == 0;
}

std::vector<std::string> rules_in(std::istream& text) {
  std::vector<std::string> rules;
  std::string section;
  std::size_t left_out = std::string::npos; // the indentation of what is no rule; npos: none
  for (std::string line; std::getline(text, line);) {
    if (says_nothing(line)) continue;
    if (left_out != std::string::npos && indentation(line) > left_out) continue;
    left_out = std::string::npos;
    if (indentation(line) == 0) section = line.substr(0, line.find(':'));
    if (is_no_rule(line, section))
      left_out = indentation(line);
    else
      rules.push_back(line);
  }
  return rules;
}

// What a reader counts: in UTF-8 a letter with an accent has several bytes.
std::size_t characters(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(
      line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::vector<File> library() {
  std::vector<File> files;
  for (const auto& folder : fs::directory_iterator(kLibrary)) {
    const fs::path family = folder.path().filename();
    if (!folder.is_directory() || family == "std" || family == "tutorial" || family == "templates") continue;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() != ".yaml") continue;
      std::ifstream text(entry.path());
      files.push_back({(family / entry.path().stem()).string(), rules_in(text)});
    }
  }
  return files;
}

} // namespace

TEST_CASE("half of the bundled games are said in twenty lines") {
  std::vector<std::size_t> lengths;
  for (const File& file : library()) {
    lengths.push_back(file.rules.size());
    INFO(file.name);
    CHECK(file.rules.size() >= 2); // it was read
    if (file.name == "chess/chess") CHECK(file.rules.size() <= kMostOfChess);
  }
  REQUIRE(lengths.size() > 100);
  std::sort(lengths.begin(), lengths.end());
  CHECK(lengths[lengths.size() / 2] <= kMostOfHalf);
}

// Vocabularies and the tutorial's files included, and text, comments and tests as well as rules.
TEST_CASE("no line of a bundled file is long") {
  CHECK(characters("Mū Tōrere") == 9);
  for (const auto& entry : fs::recursive_directory_iterator(kLibrary)) {
    if (entry.path().extension() != ".yaml") continue;
    std::ifstream text(entry.path());
    for (std::string line; std::getline(text, line);)
      if (characters(line) > kMostColumns) FAIL_CHECK(entry.path().string() << ": " << line);
  }
}

// `others: inherited` says it, and goes on saying it when a kind is added.
TEST_CASE("no bundled game lists what it inherits") {
  const std::regex list(R"(^\s*"?\w+( \w+)+"?: inherited\s*$)");
  CHECK(std::regex_match("    pawn king: inherited", list));
  for (const File& file : library())
    for (const std::string& line : file.rules)
      if (std::regex_match(line, list)) FAIL_CHECK(file.name << ": " << line);
}

} // namespace library_size_test
