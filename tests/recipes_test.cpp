// The recipes, game-defs/RECIPES.md: every example on the page is run, and every recipe has an example with
// tests and a bundled game that shows more of it.
#include "tests/pages/examples.hpp"
#include "tests/pages/page.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace recipes_test {

using namespace boardwright;

namespace {

const std::string kPage = "game-defs/RECIPES.md";

struct Recipe {
  std::string title;
  tests::Lines text;

  [[nodiscard]] bool has(const std::string& what) const {
    return std::any_of(text.begin(), text.end(),
                       [&](const std::string& line) { return line.find(what) != std::string::npos; });
  }
};

std::vector<Recipe> recipes() {
  constexpr std::string_view kMark = "### ";
  std::vector<Recipe> found;
  for (const auto& line : tests::page_lines(kPage)) {
    if (line.starts_with(kMark))
      found.push_back({line.substr(kMark.size()), {}});
    else if (!found.empty())
      found.back().text.push_back(line);
  }
  return found;
}

} // namespace

TEST_CASE("every recipe does what it says") { tests::check_examples(kPage); }

TEST_CASE("every recipe is tested, names a game and is in the contents") {
  CHECK(recipes().size() >= 35);
  const std::string page = tests::repository_text(kPage);
  for (const auto& recipe : recipes()) {
    INFO(recipe.title);
    const bool in_contents = page.find("](#" + tests::anchor_of(recipe.title) + ")") != std::string::npos;
    CHECK(in_contents);
    CHECK(recipe.has("tests:"));
    CHECK(recipe.has(".yaml)"));
  }
}

} // namespace recipes_test
