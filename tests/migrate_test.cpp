// What `migrate` rewrites: golden files in tests/migrate, and all bundled files, which stay as they are or
// keep their tests.
#include "dsl/finder.hpp"
#include "dsl/migrate.hpp"
#include "interpreter/load.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "tests/paths.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace migrate_test {

using namespace boardwright;

namespace {

const std::string kRuler = "-----\n";

// What the golden file of a variant extends.
constexpr const char* kParent = R"(
game: Parent
players: { White: north, Black: south }
board: { squares: 8 by 8 }
pieces: { pawn: P p, knight: N n, bishop: B b, king: K k }
define: { hit: { pawn: go forward, others: go all }, walk: { pawn: go forward, others: go all } }
turn: pass
)";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

dsl::FileFinder finder(const std::string& text) {
  return [text](const std::string& reference, const std::string& beside) -> std::optional<dsl::FoundFile> {
    if (reference == "file") return dsl::FoundFile{"file", text};
    if (reference == "parent") return dsl::FoundFile{"parent", kParent};
    return dsl::bundled_finder()(reference, beside);
  };
}

std::string migrated(const std::string& text) {
  const auto migration = dsl::migration_of("file", text, finder(text));
  INFO(dsl::render(migration.diagnostics, migration.sources, false));
  REQUIRE_FALSE(migration.diagnostics.has_errors());
  return dsl::edited(text, migration.edits);
}

std::size_t failed_tests(const std::string& text) {
  const auto find = finder(text);
  const auto loaded = interpreter::load("file", {}, find);
  INFO(loaded.errors());
  REQUIRE(loaded);
  const auto run = interpreter::run_tests(loaded, "file", {}, find);
  INFO(dsl::render(run.diagnostics, loaded.sources, false));
  return static_cast<std::size_t>(
      std::count_if(run.results.begin(), run.results.end(), [](const auto& r) { return !r.passed; }));
}

} // namespace

TEST_CASE("old spellings are rewritten, and nothing else") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(tests::source_root() + "/tests/migrate")) {
    const std::string golden = text_of(entry.path());
    const std::size_t ruler = golden.find(kRuler);
    INFO(entry.path().stem().string());
    REQUIRE(ruler != std::string::npos);
    const std::string expected = golden.substr(ruler + kRuler.size());
    CHECK(migrated(golden.substr(0, ruler)) == expected);
    CHECK(migrated(expected) == expected);
    ++files;
  }
  CHECK(files == 2);
}

TEST_CASE("bundled files keep their tests when they are migrated, once and for all") {
  for (const auto& file : dsl::bundled_files()) {
    INFO(file.name);
    const std::string text(file.text), fresh = migrated(text);
    CHECK(migrated(fresh) == fresh);
    if (fresh != text && dsl::is_game(text)) CHECK(failed_tests(fresh) == 0);
  }
}

TEST_CASE("a file that is not YAML is not rewritten") {
  for (const char* text : {"game: [", "", "a: 'b", "\xff"}) {
    const auto migration = dsl::migration_of("file", text, finder(text));
    CHECK(migration.diagnostics.has_errors());
    CHECK(migration.edits.empty());
  }
}

TEST_CASE("versions of the language") {
  const auto errors = [](const std::string& version) {
    const auto loaded = interpreter::load_text("g", version + kParent);
    CHECK(static_cast<bool>(loaded) == loaded.errors().empty());
    return loaded.errors();
  };
  CHECK(errors("boardwright: 1").empty());
  CHECK(errors("boardwright: 2").empty());
  CHECK(errors("boardwright:").empty());
  CHECK(errors("boardwright: 3")
            .find("g:1:14: error: this file is written for version 3 of the language, and this "
                  "program reads versions up to 2") == 0);
  for (const char* none : {"0", "two", "2.5", "[2]", "-1"})
    CHECK(errors("boardwright: " + std::string(none))
              .find("`boardwright` is the version of the language, a whole "
                    "number") != std::string::npos);
}

} // namespace migrate_test
