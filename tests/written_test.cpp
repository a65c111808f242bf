// Whole rule files written at random (tests/written/), each loaded and judged.
//
//   BOARDWRIGHT_WRITTEN=N         so many files instead of those below
//   BOARDWRIGHT_WRITTEN_FIRST=S   from this seed on
//   BOARDWRIGHT_WRITTEN_PRINT=1   prints every file before it is tried, for those that end the process
//   BOARDWRIGHT_WRITTEN_STATISTICS=1   prints what became of them, and why files were refused
//   BOARDWRIGHT_WRITTEN_FOLDER=F   writes each failure into a file of this folder
//   BOARDWRIGHT_WRITTEN_REDUCE=0  failures as they were written, not cut down
#include "dsl/yaml.hpp"
#include "rule_files.hpp"
#include "tests/pages/page.hpp"
#include "tests/written/judge_file.hpp"
#include "tests/written/reduce.hpp"
#include "tests/written/splice.hpp"
#include "tests/written/writer.hpp"
#include "tools/pages/constructs.hpp"
#include "tools/pages/game_tables.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace written_test {

using namespace boardwright;

namespace {

std::uint64_t from_environment(const std::string& name, std::uint64_t otherwise) {
  const char* text = std::getenv(("BOARDWRIGHT_WRITTEN" + name).c_str());
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// So many characters of what is told of a file that is refused.
constexpr std::size_t kShown = 400;

struct Sums {
  int files = 0, loaded = 0, with_moves = 0, positions = 0, without_move = 0, faults = 0, too_long = 0,
      too_large = 0;
  std::map<std::string, std::vector<std::string>> refused; // what is told, by its first line

  void add(const tests::FileJudgement& file) {
    ++files;
    if (!file.loaded) {
      const auto begin = file.refused.find("error");
      refused[file.refused.substr(begin, file.refused.find('\n') - begin)].push_back(file.refused);
      return;
    }
    ++loaded;
    with_moves += file.judged.positions > file.judged.without_move ? 1 : 0;
    positions += file.judged.positions;
    without_move += file.judged.without_move;
    faults += file.judged.faults;
    too_long += file.judged.too_long ? 1 : 0;
    too_large += file.judged.too_large ? 1 : 0;
  }

  [[nodiscard]] std::string text() const {
    return std::to_string(files) + " files: " + std::to_string(loaded) + " loaded, " +
           std::to_string(with_moves) + " with moves, " + std::to_string(positions) + " positions, " +
           std::to_string(without_move) + " without a move, " + std::to_string(faults) + " faults, " +
           std::to_string(too_long) + " broken off, " + std::to_string(too_large) + " too large";
  }

  // The most frequent reasons first.
  void print_refused() const {
    std::multimap<std::size_t, std::string, std::greater<>> by_count;
    for (const auto& [why, all] : refused) by_count.emplace(all.size(), all.front().substr(0, kShown));
    int reasons = 0;
    for (const auto& [count, why] : by_count)
      if (++reasons <= 40) std::cerr << count << "  " << why << "\n";
  }
};

std::string cut_down(const std::string& text, std::uint64_t seed, const tests::FileJudgement& failed) {
  if (from_environment("_REDUCE", 1) == 0) return text;
  return tests::reduced(
      text, [&](const std::string& smaller) { return tests::judge_file(smaller, seed).kind == failed.kind; });
}

// With a first line that says what is wrong.
void write_down(const std::string& text, std::uint64_t seed, const tests::FileJudgement& failed) {
  const char* folder = std::getenv("BOARDWRIGHT_WRITTEN_FOLDER");
  if (folder == nullptr) return;
  std::string what = failed.detail;
  std::replace(what.begin(), what.end(), '\n', ' ');
  std::ofstream(std::string(folder) + "/" + failed.kind + "-" + std::to_string(seed) + ".yaml")
      << "# " << what << "\n"
      << text;
}

using Make = std::string (*)(std::uint64_t seed);

Sums try_files(std::uint64_t standard, Make make) {
  const std::uint64_t count =
      from_environment("", tests::kSanitized ? std::max<std::uint64_t>(14, standard / 100) : standard);
  const std::uint64_t first = from_environment("_FIRST", 1);
  const bool print = from_environment("_PRINT", 0) != 0;
  Sums sums;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = make(seed);
    if (print) std::cerr << "# seed " << seed << "\n" << text << std::endl;
    const auto judged = tests::judge_file(text, seed);
    sums.add(judged);
    if (judged.kind.empty()) continue;
    const std::string small = cut_down(text, seed, judged);
    const auto again = tests::judge_file(small, seed);
    write_down(small, seed, again);
    FAIL_CHECK("seed " << seed << ", " << judged.kind << ": " << again.detail << "\n"
                       << small << "\nas it was written:\n"
                       << text);
  }
  WARN(sums.text());
  if (from_environment("_STATISTICS", 0) != 0) sums.print_refused();
  return sums;
}

// Chapters of the reference that aren't about rules; and words that rules can't do without anything else, or
// that a file gives a meaning to.
const std::set<std::string> kOtherChapters{"about",     "tests",      "check",
                                           "look",      "versions",   "random-games",
                                           "positions", "yaml-traps", "extends-and-inherited"};
const std::set<std::string> kOtherWords{
    "about:", "check:", "boardwright:", "hide:", "clock", "overtime", "pressed"};

} // namespace

TEST_CASE("written rule files: the engine does what the walker does") {
  const Sums sums = try_files(5'000, tests::write_rule_file);
  CHECK(sums.loaded * 10 > sums.files * 9);
  CHECK(sums.with_moves * 10 > sums.loaded * 6);
  CHECK(sums.too_long < sums.files / 20);
}

TEST_CASE("spliced rule files: the engine does what the walker does") {
  const Sums sums = try_files(700, tests::splice_rule_file);
  CHECK(sums.loaded * 10 > sums.files * 5);
  CHECK(sums.with_moves * 10 > sums.loaded * 5);
  CHECK(sums.too_long < sums.files / 5);
}

TEST_CASE("written rule files use every word of the language") {
  if (tests::kSanitized) return; // a judgement on who writes them, and the others read hundreds of them
  std::set<std::string> used;
  for (std::uint64_t seed = 1; seed <= 6'000; ++seed) {
    dsl::Sources sources;
    dsl::Diagnostics diagnostics;
    const std::string text = tests::write_rule_file(seed);
    INFO(text);
    const auto file = dsl::read_yaml(sources, sources.add("file", text), diagnostics);
    REQUIRE(file);
    used.merge(tools::constructs_of(*file));
  }
  for (const auto& [word, chapter] : tools::index_of(tests::repository_text("dsl/README.md"))) {
    INFO(word << ", of " << chapter);
    CHECK((used.contains(word) || kOtherChapters.contains(chapter) || kOtherWords.contains(word)));
  }
}

TEST_CASE("a text that fails is cut down to what makes it fail") {
  const auto fails = [](const std::string& text) { return text.find("go north") != std::string::npos; };
  CHECK(tests::reduced("game: One\nturn: from own, lift, (go north){2}, put\n", fails) == "go north");
}

TEST_CASE("small changes of a text leave a rule") {
  runtime::Random random(1);
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(tests::changed_a_little("(go north, require some own)*", random));
  CHECK(seen.contains("(go south, require some own)*"));
  CHECK(seen.contains("(go north)*"));
  CHECK(seen.contains("(go north, require no own)+") == false);
  CHECK(tests::changed_a_little("never", random) == "never");
}

} // namespace written_test
