// What `fmt` changes, and that it never changes more than the look of a file.
#include "dsl/finder.hpp"
#include "tests/tools/running.hpp"
#include "tools/format/format.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <string>

namespace format_test {

using namespace boardwright;

namespace {

std::string formatted(const std::string& text) {
  const auto result = tools::format_rule_file("game.yaml", text);
  INFO(dsl::render(result.diagnostics, result.sources, false));
  REQUIRE_FALSE(result.diagnostics.has_errors());
  CHECK(tools::same_content(text, result.text));
  CHECK(tools::format_rule_file("game.yaml", result.text).text == result.text);
  return result.text;
}

constexpr const char* kUntidy = "\n\ngame: X  \n"
                                "players: {White: north,Black: south}   # who\n\n\n"
                                "setup: |\n  w.  \n  .b\n"
                                "define:\n"
                                "    near : go  all|forward # near by\n"
                                "    # of kinds\n"
                                "    far(a,b) :\n"
                                "        man: if a=b then   win\n"
                                "end:\n- lose when  no  move\n\n\n";
constexpr const char* kTidy = "game: X\n"
                              "players: { White: north, Black: south }   # who\n\n"
                              "setup: |\n  w.  \n  .b\n"
                              "define:\n"
                              "  near : go all | forward # near by\n"
                              "  # of kinds\n"
                              "  far(a,b) :\n"
                              "    man: if a = b then win\n"
                              "end:\n  - lose when no move\n";

} // namespace

TEST_CASE("fmt sets blanks, indentation and empty lines, and keeps comments and pictures") {
  CHECK(formatted(kUntidy) == kTidy);
}

TEST_CASE("fmt changes no bundled file") {
  for (const auto* files : {&dsl::bundled_files(), &dsl::bundled_templates()})
    for (const auto& file : *files) {
      INFO(file.name);
      CHECK(formatted(std::string(file.text)) == file.text);
    }
}

TEST_CASE("fmt writes files, or says which it would write") {
  using namespace boardwright::tests;
  const Scratch& folder = scratch();
  const std::string file = folder.file("untidy.yaml", kUntidy);
  CHECK(run("fmt --check " + file).status == 1);
  CHECK(run("fmt --diff " + file).out.find("+ end:") == std::string::npos);
  CHECK(run("fmt - < " + file).out == kTidy);
  CHECK(run("fmt " + file).status == 0);
  std::ifstream in(file, std::ios::binary);
  CHECK(std::string{std::istreambuf_iterator<char>(in), {}} == kTidy);
  CHECK(run("fmt --check " + file).status == 0);
  CHECK(run("fmt " + folder.file("open.yaml", "game: [\n")).status == 1);
  CHECK(run("fmt /no/such/file.yaml").status == 3);
}

} // namespace format_test
