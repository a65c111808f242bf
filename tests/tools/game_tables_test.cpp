// The tables of game-defs/README.md are those that the program writes.
#include "tools/pages/game_tables.hpp"

#include "dsl/yaml.hpp"
#include "tests/pages/page.hpp"
#include "tools/pages/constructs.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace game_tables_test {

using namespace boardwright;

namespace {

const std::string kPage = "game-defs/README.md";

std::set<std::string> constructs_in(const std::string& text, bool is_vocabulary = false) {
  dsl::Sources sources;
  dsl::Diagnostics diagnostics;
  const auto file = dsl::read_yaml(sources, sources.add("file", text), diagnostics);
  INFO(dsl::render(diagnostics, sources, false) << text);
  REQUIRE(file);
  return tools::constructs_of(*file, is_vocabulary);
}

} // namespace

TEST_CASE("the tables of the page on the games are up to date") {
  const std::string page = tests::repository_text(kPage);
  const std::string reference = tests::repository_text("dsl/README.md");
  INFO("after a change to the bundled games or to the index of the reference: ninja -C build/release pages");
  const bool up_to_date = page == tools::with_tables(page, reference, dsl::bundled_files());
  CHECK(up_to_date);
}

TEST_CASE("the constructs of a rule file are found") {
  const auto found = constructs_in("game: One\n"
                                   "board: { squares: 3 by 3, stacks: true }\n"
                                   "setup: |\n"
                                   "  a.b\n"
                                   "define:\n"
                                   "  ride(D): lift, (go D)+!, put\n"
                                   "  dark: none\n"
                                   "  walk: { man: \"step(all, empty)\", others: never }\n"
                                   "turn: from own & dark, let light = here, say light, ride(north)\n"
                                   "end: [lose when no move]\n"
                                   "tests:\n"
                                   "  - { name: most, after a1-a2: { moves include: b1 } }\n");
  for (const char* word : {"board:", "stacks:", "go", "+", "!", "step()", "others:", "{ man: … }", "none",
                           "&", "no", "lose", "moves include:", "after:"}) {
    INFO(word);
    CHECK(found.contains(word));
  }
  // text, a picture, and names that are the file's own
  for (const char* word : {"most", ".", "{ White: … }", "ride()", "dark", "light", "man:", "*"}) {
    INFO(word);
    CHECK_FALSE(found.contains(word));
  }
}

TEST_CASE("the index of the reference is read") {
  const auto words = tools::index_of("# a\n## Index\n\n**a** [`at`](#walking) · [`x()`](#functions)\n");
  REQUIRE(words.size() == 2);
  CHECK(words[0].word == "at");
  CHECK(words[1].chapter == "functions");
}

TEST_CASE("a page without markers has no tables") {
  CHECK(tools::with_tables("# a page\n", "## Index\n", {}).empty());
  CHECK(tools::with_tables("<!-- families: x -->\n<!-- end of families -->\n", "## Index\n", {}).empty());
}

// ---------------------------------------------------------------- what nothing uses

namespace {

// Words of the index that neither a bundled game nor a recipe uses, and why they are there.
const std::map<std::string, std::string> kUnused{
    {"#", "begins a comment"},
};

// The vocabularies are the games', too.
std::set<std::string> used_in_games() {
  std::set<std::string> used;
  for (const auto& file : dsl::bundled_files())
    used.merge(constructs_in(std::string(file.text), !dsl::is_game(file.text)));
  return used;
}

std::set<std::string> used_in_recipes() {
  std::set<std::string> used;
  for (const auto& block : tests::blocks_of("game-defs/RECIPES.md"))
    if (block.word(0) == "yaml") used.merge(constructs_in(block.text));
  return used;
}

} // namespace

TEST_CASE("every word of the language is used by a game or a recipe") {
  auto used = used_in_games();
  used.merge(used_in_recipes());
  for (const auto& [word, chapter] : tools::index_of(tests::repository_text("dsl/README.md"))) {
    INFO(word);
    CHECK(used.contains(word) != kUnused.contains(word));
  }
}

} // namespace game_tables_test
