// The house rules that a compiler does not check: who may include whom, and that no game has a place in the
// engine.
#include "tests/paths.hpp"
#include "tests/text_files.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace house_test {

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = boardwright::tests::source_root();
constexpr std::array<std::string_view, 4> kFolders{"dsl", "interpreter", "runtime", "tools"};

// Names of games that are words of the trade too: a shape of cell, an action of the language, a coordinate.
const std::set<std::string> kOrdinaryWords{"hex", "go",   "atomic",     "dots", "y",      "2048",
                                           "can", "stop", "backgammon", "byte", "product"};

struct Line {
  std::string where; // "dsl/yaml.cpp:12"
  std::string text;
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_source(const fs::path& path) { return path.extension() == ".hpp" || path.extension() == ".cpp"; }

std::vector<Line> lines_of(std::string_view folder) {
  std::vector<Line> lines;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    if (!is_source(entry.path())) continue;
    std::istringstream text(boardwright::tests::read_file(entry.path()));
    const std::string name = fs::relative(entry.path(), kRoot).string();
    std::string line;
    for (int number = 1; std::getline(text, line); ++number)
      lines.push_back({name + ":" + std::to_string(number), line});
  }
  return lines;
}

// The value of the file's `game:` line, without quotes or comment; "" if it has none.
std::string title_of(const fs::path& rule_file) {
  static const std::regex pattern(R"(^game:[ \t]*["']?([^"'#\n]*[^"'#\s]))");
  const std::string text = "\n" + boardwright::tests::read_file(rule_file);
  const auto begin = text.find("\ngame:");
  if (begin == std::string::npos) return "";
  const std::string line = text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
  std::smatch match;
  return std::regex_search(line, match, pattern) ? match[1].str() : "";
}

// Of the bundled games and of those that only the tests play.
std::set<std::string> game_names() {
  std::set<std::string> names;
  for (const fs::path& folder :
       {kRoot / "game-defs", kRoot / "tests" / "rules", kRoot / "tests" / "unseen"}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const fs::path folder_name = entry.path().parent_path().filename();
      const bool is_game = folder_name != "std" && folder_name != "templates";
      if (entry.path().extension() != ".yaml" || !is_game) continue;
      names.insert(lower(entry.path().stem().string()));
      names.insert(lower(title_of(entry.path())));
    }
  }
  names.erase("");
  for (const auto& word : kOrdinaryWords) names.erase(word);
  return names;
}

// Whether `text` has `word` with neither a letter nor a digit beside it; both in lower case. An underscore
// separates, so that an identifier hides nothing.
bool has_word(const std::string& text, const std::string& word) {
  const auto inside = [&](std::size_t i) {
    return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0;
  };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !inside(at - 1);
    if (begins && !inside(at + word.size())) return true;
  }
  return false;
}

// The folder of the repository that the line includes a header of; "" for any other line.
std::string included_folder(const std::string& line) {
  static const std::regex pattern(R"(^\s*#\s*include\s*["<](?:boardwright/)?(?:\.\./)*([a-z-]+)/)");
  std::smatch match;
  if (line.find("#") == std::string::npos || !std::regex_search(line, match, pattern)) return "";
  const std::string folder = match[1];
  return std::find(kFolders.begin(), kFolders.end(), folder) != kFolders.end() ? folder : "";
}

// Fails for each line of `folder` that includes a header of a folder outside `allowed`.
void check_includes(std::string_view folder, const std::set<std::string>& allowed) {
  for (const auto& [where, text] : lines_of(folder)) {
    const std::string target = included_folder(text);
    if (!target.empty() && !allowed.contains(target)) FAIL_CHECK(where << ": " << text);
  }
}

// The folders that a README's tables link, in their order: "model", "reference", …
std::vector<std::string> folders_in_order(const std::string& readme) {
  static const std::regex row(R"(^\| \[`([a-z_]+)/`\]\()");
  std::vector<std::string> folders;
  std::istringstream text(readme);
  std::smatch match;
  for (std::string line; std::getline(text, line);)
    if (std::regex_search(line, match, row)) folders.push_back(match[1].str());
  return folders;
}

// Its place in the order; the number of folders for what isn't among them.
std::size_t rank_of(const std::vector<std::string>& order, const std::string& folder) {
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), folder) - order.begin());
}

// The folder of `parent` that a line includes a header of: "ir" for `#include "runtime/ir/ir.hpp"`; "" else.
std::string included_part(const std::string& line, const std::string& parent) {
  if (line.find('#') == std::string::npos) return "";
  const std::regex pattern(R"(^\s*#\s*include\s*["<](?:boardwright/)?)" + parent + R"(/([a-z_]+)/)");
  std::smatch match;
  return std::regex_search(line, match, pattern) ? match[1].str() : "";
}

bool goes_down(const std::vector<std::string>& order, const std::string& from, const std::string& to) {
  return rank_of(order, to) > rank_of(order, from);
}

// Fails for each folder that the README of `parent` leaves out, and for each include of a folder further down
// its table.
void check_order(const std::string& parent) {
  const auto order = folders_in_order(boardwright::tests::read_file(kRoot / parent / "README.md"));
  REQUIRE(order.size() > 5);
  std::set<std::string> unknown;
  for (const auto& [where, text] : lines_of(parent)) {
    const fs::path path(where);
    if (path.parent_path() == parent) continue; // beside the folders, such as main.cpp
    const std::string folder = path.lexically_relative(parent).begin()->string();
    if (rank_of(order, folder) == order.size()) unknown.insert(folder);
    const std::string to = included_part(text, parent);
    if (!to.empty() && goes_down(order, folder, to)) FAIL_CHECK(where << ": " << text);
  }
  for (const auto& folder : unknown) FAIL_CHECK(parent << "/README.md says nothing of " << folder);
}

// What protocols and files of other programs call an option or a key, and a game is called, too.
std::string without_words_of_formats(std::string line) {
  for (const std::string word : {"uci_chess960", "keyrow{\"chess960\""})
    if (const auto at = line.find(word); at != std::string::npos) line.erase(at, word.size());
  return line;
}

} // namespace

TEST_CASE("no source names a game") {
  const auto names = game_names();
  for (const auto folder : kFolders)
    for (const auto& [where, text] : lines_of(folder))
      for (const auto& name : names)
        if (has_word(without_words_of_formats(lower(text)), name))
          FAIL_CHECK(where << " names " << name << ": " << text);
}

TEST_CASE("a game's name is found as a word, whatever its case") {
  CHECK(has_word("the queen of chess", "chess"));
  CHECK(has_word("chess_rules", "chess"));
  CHECK_FALSE(has_word("chessboard", "chess"));
  CHECK_FALSE(has_word("duchess", "chess"));
  CHECK(has_word("duchess, chess", "chess"));
}

TEST_CASE("folders include only what they may know") {
  check_includes("dsl", {"dsl"});
  check_includes("runtime", {"runtime"});
  check_includes("interpreter", {"dsl", "runtime", "interpreter"});
}

TEST_CASE("inside interpreter, runtime, lowering and tools, folders include only those above them in the "
          "README's table") {
  check_order("interpreter");
  check_order("runtime");
  check_order("runtime/lowering");
  check_order("tools");
}

TEST_CASE("an include against the order of the table is noticed") {
  const auto order =
      folders_in_order("| folder | what |\n| --- | --- |\n| [`model/`](model/README.md) | x |\n"
                       "| `codegen/` | x |\n| [`game/`](game/README.md) | x |\n");
  REQUIRE(order == std::vector<std::string>{"model", "game"});
  CHECK(included_part("#include \"runtime/game/game.hpp\"", "runtime") == "game");
  CHECK(included_part("#include \"tools/game/game.hpp\"", "runtime").empty());
  CHECK(goes_down(order, "model", "game"));
  CHECK_FALSE(goes_down(order, "game", "model"));
  CHECK_FALSE(goes_down(order, "game", "game"));
  CHECK(goes_down(order, "game", "elsewhere"));
}

TEST_CASE("every folder with sources has a README") {
  std::set<fs::path> folders;
  for (const auto folder : kFolders)
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
      if (is_source(entry.path())) folders.insert(entry.path().parent_path());
  CHECK(folders.size() > 20);
  for (const auto& folder : folders)
    if (!fs::exists(folder / "README.md")) FAIL_CHECK(fs::relative(folder, kRoot).string() << " has none");
}

TEST_CASE("an include is recognised in every spelling") {
  CHECK(included_folder("#include \"dsl/yaml.hpp\"") == "dsl");
  CHECK(included_folder(" # include <boardwright/runtime/game.hpp>") == "runtime");
  CHECK(included_folder("#include \"../tools/io.hpp\"") == "tools");
  CHECK(included_folder("#include <boost/spirit/home/x3.hpp>").empty());
  CHECK(included_folder("// #include \"dsl/yaml.hpp\"").empty());
}

} // namespace house_test
