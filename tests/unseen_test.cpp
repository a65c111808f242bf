// The rule files of tests/unseen (its README.md): each loads without a diagnostic and passes its own tests.
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace unseen_test {

using namespace boardwright;

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = tests::source_root() + "/tests/unseen";

// As many as are on the list: none may be left out because it is slow or awkward.
constexpr std::size_t kDrawn = 15;

std::vector<std::string> files() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(kFolder))
    if (entry.path().extension() == ".yaml") all.push_back(entry.path().string());
  std::sort(all.begin(), all.end());
  return all;
}

} // namespace

TEST_CASE("every game of the list has a rule file") { CHECK(files().size() == kDrawn); }

TEST_CASE("unseen rule files load without a diagnostic and pass their own tests") {
  for (const auto& file : files()) {
    const auto loaded = interpreter::load(file);
    INFO(file << "\n" << loaded.errors());
    REQUIRE(loaded);
    CHECK(loaded.diagnostics.all().empty());
    const auto run = interpreter::run_tests(loaded, file, {}, dsl::standard_finder());
    INFO(dsl::render(run.diagnostics, loaded.sources, false));
    CHECK_FALSE(run.diagnostics.has_errors());
    CHECK_FALSE(run.results.empty());
    for (const auto& result : run.results) {
      INFO(result.name);
      CHECK(result.passed);
    }
  }
}

} // namespace unseen_test
