// Golden files of findings: tests/warnings/*.golden hold a rule file that loads, a line `-----`, and what
// `check` finds in it. One mistake is one finding. The files of tests/warnings/right are odd and right:
// nothing is found in them. With BOARDWRIGHT_REBASE=1 in the environment the second part is written anew;
// read the difference before keeping it.
#include "interpreter/examine.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

using namespace boardwright;

namespace {

constexpr const char* kRuler = "-----\n";

std::vector<std::filesystem::path> files_in(const std::string& folder, const std::string& extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(tests::source_root() + folder))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Without the lines that bundled files have today: they move whenever somebody edits one.
std::string without_bundled_lines(const std::string& printed) {
  static const std::regex kPlace("(<bundled>/[^:]*):[0-9]+:[0-9]+:"), kGutter("^ *[0-9]+ \\|");
  std::istringstream in(printed);
  std::string text;
  bool bundled = false;
  for (std::string line; std::getline(in, line);) {
    const bool heads = line.rfind(' ', 0) != 0; // the others show the text that it is about
    if (heads) bundled = line.rfind("<bundled>/", 0) == 0;
    if (bundled) line = std::regex_replace(std::regex_replace(line, kPlace, "$1:"), kGutter, "      |");
    text += line + "\n";
  }
  return text;
}

} // namespace

TEST_CASE("every mistake that loads is told once, at its line", "[warnings]") {
  const bool rebase = std::getenv("BOARDWRIGHT_REBASE") != nullptr;
  std::set<std::string> met;
  for (const auto& path : files_in("/tests/warnings", ".golden")) {
    INFO(path.stem().string());
    const std::string golden = read(path);
    const std::size_t ruler = golden.find(kRuler);
    REQUIRE(ruler != std::string::npos);
    const std::string input = golden.substr(0, ruler);
    auto loaded = interpreter::load_text("game.yaml", input);
    REQUIRE(loaded);
    const auto found = interpreter::examine(loaded, {});
    CHECK(found.all().size() == 1);
    for (const auto& diagnostic : found.all()) {
      met.emplace(diagnostic.code.name());
      CHECK((!diagnostic.help.empty() || diagnostic.severity == dsl::Severity::note));
    }
    const std::string printed = without_bundled_lines(dsl::render(found, loaded.sources, false));
    if (rebase)
      std::ofstream(path, std::ios::binary) << input << kRuler << printed;
    else
      CHECK(printed == golden.substr(ruler + std::string(kRuler).size()));
  }
  for (const auto& lint : interpreter::kLints) {
    INFO(lint.name);
    CHECK(met.contains(std::string(lint.name)));
  }
}

TEST_CASE("what is odd and right is not told", "[warnings]") {
  const auto files = files_in("/tests/warnings/right", ".yaml");
  REQUIRE(files.size() > 10);
  for (const auto& path : files) {
    INFO(path.stem().string());
    auto loaded = interpreter::load_text("game.yaml", read(path));
    CHECK(loaded.errors() == "");
    REQUIRE(loaded);
    CHECK(dsl::render(interpreter::examine(loaded, {}), loaded.sources, false) == "");
  }
}

TEST_CASE("the reference has a row for every finding", "[warnings]") {
  const std::string page = read(tests::source_root() + "/dsl/README.md");
  const auto word = [](interpreter::LintLevel level) {
    return level == interpreter::LintLevel::note   ? "note"
           : level == interpreter::LintLevel::warn ? "warn"
                                                   : "deny";
  };
  for (const auto& lint : interpreter::kLints) {
    INFO(lint.name);
    const std::string row = "| `" + std::string(lint.name) + "` | " + word(lint.level) + " | " +
                            std::string(lint.meaning) + " |\n";
    CHECK(page.find(row) != std::string::npos);
  }
}

TEST_CASE("levels come from the file, then from the caller, then from the table", "[warnings]") {
  const std::string rules = "game: Test\nplayers: [White, Black]\nboard: { squares: 3 by 3 }\n"
                            "pieces: { man: w b }\nsetup: { w: a1, b: c3 }\ndefine: { a: a1, b: b1 }\n"
                            "turn: from own, step(all, ~own)\nend: [lose when no own]\n";
  const auto told = [&](const std::string& section, std::vector<interpreter::LevelSetting> levels) {
    auto loaded = interpreter::load_text("game.yaml", rules + section);
    REQUIRE(loaded);
    std::string all;
    interpreter::ExamineOptions options;
    options.levels = std::move(levels);
    options.games = false;
    const auto found = interpreter::examine(loaded, {}, options);
    for (const auto& d : found.all())
      all += std::string(name_of(d.severity)) + " " + std::string(d.code.name()) + "\n";
    return all;
  };
  using interpreter::LintLevel;
  const std::string both = "warning unused-definition\nwarning unused-definition\n";
  CHECK(told("", {}) == both);
  CHECK(told("", {{"unused-definition", LintLevel::allow}}) == "");
  CHECK(told("", {{"all", LintLevel::deny}}) == "error unused-definition\nerror unused-definition\n");
  CHECK(told("", {{"warnings", LintLevel::deny}, {"unused-definition", LintLevel::warn}}) == both);
  CHECK(told("check: { allow: { unused-definition: a reason } }\n", {{"all", LintLevel::deny}}) == "");
  CHECK(told("check: { allow: { unused-definition in a: a reason } }\n", {{"all", LintLevel::deny}}) ==
        "error unused-definition\n");
  CHECK(told("check: { deny: unused-definition, note: [unused-definition in b] }\n", {}) ==
        "error unused-definition\nnote unused-definition\n");
  CHECK(told("check: { allow: { unused-definition: } }\n", {}) == "error lint\n");
  CHECK(told("check: { deny: unused-definitions }\n", {}) == "error lint\n" + both);
  CHECK(told("check: { deny: unused-definition in c }\n", {}) == "error lint\n" + both);
  CHECK(told("check: { allow: unused-definition }\n", {}) == "error lint\n" + both);
}
