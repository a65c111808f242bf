// The move counts of bundled games that others know: tests/library/counts.jsonl (its README.md).
//
// Counts of more than kMostLeaves are left out unless BOARDWRIGHT_FULL_COUNTS is set in the environment.
#include "rule_files.hpp"

#include "interpreter/notation/position_text.hpp"
#include "runtime/game/perft.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace library_test {

using namespace boardwright;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = tests::source_root() + "/tests/library";

// What a count may have to be reached in every run: today's slowest game counts some 700,000 in a second, so
// that no count takes more than about two. Sanitizers make that thirty times slower.
constexpr std::uint64_t kMostReleased = 1'500'000;
constexpr std::uint64_t kMostLeaves = tests::kSanitized ? 50'000 : kMostReleased;

// A published or otherwise known number of move sequences.
struct Count {
  std::string game;
  int depth = 0;
  std::uint64_t leaves = 0;
  std::string position; // as JSON; "" for the set-up
};

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
  const auto read = interpreter::read_position(rules, "position", position);
  if (!read.game) FAIL(read.errors());
  return *read.game;
}

} // namespace

TEST_CASE("bundled games reach the move counts that others know") {
  for (const auto& count : read_counts()) {
    if (left_out(count)) continue;
    INFO(title(count) << " " << count.position);
    const auto rules = tests::load_rules(count.game);
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

} // namespace library_test
