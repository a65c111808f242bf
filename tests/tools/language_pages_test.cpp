// What the reference and the editors' grammar tell of the words of the language is what `ninja pages` writes.
#include "tools/pages/language_pages.hpp"

#include "tests/pages/page.hpp"
#include "tools/pages/game_tables.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace language_pages_test {

using namespace boardwright;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("the reference and the grammar for highlighting have all words of the language") {
  INFO("after a change to the words of the language: ninja -C build/release pages");
  const std::string reference = tests::repository_text("dsl/README.md");
  CHECK((tools::with_words(reference) == reference));
  const std::string grammar =
      tests::repository_text("tools/editors/vscode/syntaxes/boardwright.tmLanguage.json");
  CHECK((tools::with_coloured_words(grammar) == grammar));
}

TEST_CASE("a word without a row and an entry gets both") {
  const std::string page = tools::with_words("# a\n### Functions\n\n| function | value |\n| --- | --- |\n"
                                             "| `height(S)`, `abs(n)` | numbers |\n\n### Words\n\n"
                                             "| word | value |\n| --- | --- |\n| `me` | who |\n\n## Index\n\n"
                                             "**a** [`at`](#walking)\n\n**s** [`step()`](#walking)\n");
  CHECK(contains(page, "| `me` | who |\n"));
  CHECK(contains(page,
                 "**a** [`abs()`](#functions) · [`adjacent`](#words) · [`advance()`](#functions) · [`at`]"));
  CHECK(contains(page, "| `spread(S)` | the files, or if they are more the ranks"));
  CHECK(contains(page, "[`spread()`](#functions)"));
  CHECK(tools::with_words(page) == page);
}

TEST_CASE("words are put into the patterns of a grammar") {
  const std::string grammar = tools::with_coloured_words(R"json({ "keyword": { "match": "\\b(or)\\b" },
    "function": { "match": "\\bx(?=\\()" }, "word": { "name": "w", "match": "\\b(a|b)\\b" } })json");
  CHECK(contains(grammar, R"json("\\b(again|and|)json"));
  CHECK(contains(grammar, R"json("\\bx(?=\\()json"));
  CHECK(contains(grammar, "|board|board_repeats|"));
  CHECK_FALSE(contains(grammar, "a|b)"));
}

} // namespace language_pages_test
