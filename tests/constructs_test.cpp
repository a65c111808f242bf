// Small games that show one construct of the language each: tests/constructs/*.yaml. Each passes its own
// tests, whose results were worked out by hand, and the engine agrees with the walker on it.
#include "compare_engines.hpp"
#include "rule_files.hpp"

#include "dsl/finder.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace constructs_test {

using namespace boardwright;

namespace {

// A vocabulary is no game: no line of it begins like this.
bool is_game(const std::filesystem::path& path) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("game:") || line.starts_with("extends:")) return true;
  return false;
}

std::vector<std::filesystem::path> games() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(tests::source_root() + "/tests/constructs"))
    if (entry.path().extension() == ".yaml" && is_game(entry.path())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace

TEST_CASE("every construct does what its file says") {
  const auto files = games();
  REQUIRE(files.size() > 40);
  const auto find = dsl::standard_finder();
  for (const auto& path : tests::sampled(files, 4)) {
    DYNAMIC_SECTION(path.stem().string()) {
      const auto loaded = interpreter::load(path.string(), {}, find);
      INFO(loaded.errors());
      REQUIRE(loaded);
      const auto run = interpreter::run_tests(loaded, path.string(), {}, find);
      INFO(dsl::render(run.diagnostics, loaded.sources, false));
      CHECK_FALSE(run.results.empty());
      for (const auto& result : run.results) {
        INFO(result.name);
        CHECK(result.passed);
      }
    }
  }
}

TEST_CASE("the engine agrees with the walker on every construct") {
  constexpr int kPositions = tests::kSanitized ? 10 : 100;
  std::uint64_t seed = 4'711;
  for (const auto& path : tests::sampled(games(), 4)) {
    ++seed;
    DYNAMIC_SECTION(path.stem().string()) {
      tests::Comparison(tests::load_rules(path.string()), seed).run(kPositions);
    }
  }
}

} // namespace constructs_test
