// The rule files of tests/library (its README.md): each loads without a diagnostic and passes its own tests,
// reaches the move counts of counts.jsonl, and is played alike by the engine and the walker.
//
// Counts of more than kMostLeaves are left out unless BOARDWRIGHT_FULL_COUNTS is set in the environment.
#include "compare_engines.hpp"
#include "rule_files.hpp"

#include "dsl/finder.hpp"
#include "interpreter/self_test.hpp"
#include "runtime/game/perft.hpp"
#include "tests/paths.hpp"
#include "tools/position_json.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace boardwright;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = tests::source_root() + "/tests/library";

// What a count may have to be reached in every run: today's slowest game counts some 700,000 in a second, so
// that no count takes more than about two. Sanitizers make that thirty times slower.
constexpr std::uint64_t kMostReleased = 1'500'000;
constexpr std::uint64_t kMostLeaves = tests::kSanitized ? 50'000 : kMostReleased;

// Positions to compare with the walker, one in kStride of random games.
constexpr int kPositions = tests::kSanitized ? 2 : 20;
constexpr std::uint64_t kStride = 5;

// Files that are compared in the set-up alone: soon afterwards a position has more moves than the walker
// lists (kMaxWalkDrafts).
const std::set<std::string> kOnlyTheSetUp{"arimaa"};

// Files that are compared on a smaller board, as the walker is slow on the whole one or gives up.
const std::map<std::string, interpreter::Settings> kSmaller{
    {"connect6", {{"size", "6"}}},
    {"slither", {{"size", "5"}}},
    {"symple", {{"size", "5"}}},
};

// A published or otherwise known number of move sequences.
struct Count {
  std::string game;
  int depth = 0;
  std::uint64_t leaves = 0;
  std::string position; // as JSON; "" for the set-up
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(kFolder))
    if (entry.path().extension() == ".yaml") all.push_back(entry.path().stem().string());
  std::sort(all.begin(), all.end());
  return all;
}

std::string file_of(const std::string& name) { return (kFolder / (name + ".yaml")).string(); }

std::vector<Count> read_counts() {
  std::ifstream in(kFolder / "counts.jsonl");
  std::vector<Count> counts;
  for (std::string line; std::getline(in, line);) {
    const json given = json::parse(line);
    counts.push_back({given.at("game"), given.at("depth"), given.at("count"),
                      given.contains("position") ? given.at("position").dump() : ""});
  }
  return counts;
}

bool left_out(const Count& count) {
  static const bool full = std::getenv("BOARDWRIGHT_FULL_COUNTS") != nullptr;
  return count.leaves > kMostLeaves && !full;
}

std::string title(const Count& count) {
  return count.game + " " + std::to_string(count.depth) + " " + std::to_string(count.leaves);
}

runtime::Game game_at(const std::shared_ptr<const runtime::Rules>& rules, const std::string& position) {
  if (position.empty()) return runtime::Game(rules);
  const auto read = tools::read_position(rules->program(), position);
  if (!read) FAIL(read.error());
  return {rules, *read};
}

} // namespace

TEST_CASE("library files load without a diagnostic") {
  REQUIRE_FALSE(names().empty());
  for (const auto& name : names()) {
    const auto loaded = interpreter::load(file_of(name));
    INFO(name << "\n" << loaded.errors());
    CHECK(loaded);
    CHECK(loaded.diagnostics.all().empty());
  }
}

TEST_CASE("library files pass their own tests") {
  std::size_t passed = 0;
  for (const auto& name : names()) {
    const auto loaded = interpreter::load(file_of(name));
    INFO(name << "\n" << loaded.errors());
    REQUIRE(loaded);
    const auto run = interpreter::run_tests(loaded, file_of(name), {}, dsl::standard_finder());
    INFO(dsl::render(run.diagnostics, loaded.sources, false));
    CHECK_FALSE(run.diagnostics.has_errors());
    for (const auto& result : run.results) {
      INFO(result.name);
      CHECK(result.passed);
      ++passed;
    }
  }
  CHECK(passed > 0);
}

TEST_CASE("library files reach the known move counts") {
  for (const auto& count : read_counts()) {
    if (left_out(count)) continue;
    INFO(title(count) << " " << count.position);
    const auto rules = tests::load_rules(file_of(count.game));
    auto game = game_at(rules, count.position);
    const auto counted = runtime::perft(game, {count.depth});
    if (!counted) FAIL_CHECK(counted.error().message);
    if (counted) CHECK(counted->leaves == count.leaves);
  }
}

// A count that is left out must not leave its position without any.
TEST_CASE("each position of the known move counts has one that is counted in every run") {
  const auto counts = read_counts();
  REQUIRE_FALSE(counts.empty());
  for (const auto& count : counts) {
    INFO(title(count) << " " << count.position);
    CHECK(std::any_of(counts.begin(), counts.end(), [&](const Count& other) {
      return other.game == count.game && other.position == count.position && other.leaves <= kMostReleased;
    }));
  }
}

TEST_CASE("the engine agrees with the walker on random positions of library files") {
  std::uint64_t seed = 1'000;
  for (const auto& name : names()) {
    ++seed;
    DYNAMIC_SECTION(name) {
      const bool set_up = kOnlyTheSetUp.contains(name);
      const auto smaller = kSmaller.find(name);
      const auto rules = tests::load_rules(file_of(name), smaller == kSmaller.end() ? interpreter::Settings{}
                                                                                    : smaller->second);
      tests::Comparison(rules, seed, set_up ? 1 : kStride).run(set_up ? 1 : kPositions);
    }
  }
}
