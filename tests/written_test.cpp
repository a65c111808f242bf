// Whole rule files written at random (tests/written/), each loaded and judged.
//
//   BOARDWRIGHT_WRITTEN=N         so many files instead of those below
//   BOARDWRIGHT_WRITTEN_FIRST=S   from this seed on
//   BOARDWRIGHT_WRITTEN_PRINT=1   prints every file before it is tried, for those that end the process
//   BOARDWRIGHT_WRITTEN_STATISTICS=1   prints what became of them, and why files were refused
//   BOARDWRIGHT_WRITTEN_FOLDER=F   writes each failure into a file of this folder
//   BOARDWRIGHT_WRITTEN_REDUCE=0  failures as they were written, not cut down
#include "rule_files.hpp"
#include "tests/written/judge_file.hpp"
#include "tests/written/reduce.hpp"
#include "tests/written/writer.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

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

} // namespace

TEST_CASE("written rule files: the engine does what the walker does") {
  const std::uint64_t count = from_environment("", tests::kSanitized ? 100 : 5'000);
  const std::uint64_t first = from_environment("_FIRST", 1);
  const bool print = from_environment("_PRINT", 0) != 0;
  Sums sums;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = tests::write_rule_file(seed);
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
  CHECK(sums.loaded * 10 > sums.files * 7);
  CHECK(sums.with_moves * 10 > sums.loaded * 6);
  CHECK(sums.too_long < sums.files / 5);
}
