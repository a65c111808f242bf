// The page of errors and warnings: it explains all there are, and its examples do what it says.
#include "dsl/explanations.hpp"

#include "dsl/codes.hpp"
#include "dsl/finder.hpp"
#include "interpreter/examine.hpp"
#include "interpreter/load.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "tests/pages/examples.hpp"
#include "tests/pages/page.hpp"
#include "tests/rule_files.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>

namespace explanations_test {

using namespace boardwright;

namespace {

const std::string kPage = "dsl/DIAGNOSTICS.md";
// Examples of these can't stand on a page: bytes that are no text, and a file of a megabyte.
const std::set<std::string_view> kNoExample{"encoding", "file-size"};

// The codes of all that loading an example and running its tests tells; with what `check` finds in it, if
// `lint` is one of its findings: all those of the text, or else of random games, in which a note about
// something else may well be right.
std::set<std::string> codes_told(const std::string& text, const interpreter::Lint* lint) {
  const char* name = "mygame.yaml";
  const auto find = dsl::finder_with(name, text);
  auto loaded = interpreter::load(name, {}, find);
  std::set<std::string> codes;
  for (const auto& d : loaded.diagnostics.all()) codes.emplace(d.code.name());
  if (!loaded) return codes;
  const auto run = interpreter::run_tests(loaded, name, {}, find);
  for (const auto& d : run.diagnostics.all()) codes.emplace(d.code.name());
  if (lint == nullptr) return codes;
  interpreter::ExamineOptions options;
  options.games = lint->source == interpreter::LintSource::games;
  options.effort = lint->name == "nothing-depends" ? 2 : 1; // asked for more, `check` tells this one
  const auto found = interpreter::examine(loaded, {}, options).findings;
  for (const auto& d : found.all())
    if (d.severity != dsl::Severity::note || d.code == lint->name) codes.emplace(d.code.name());
  return codes;
}

std::string summary_of(std::string_view page) { return dsl::read_explanations(page).at(0).summary; }

} // namespace

TEST_CASE("every error and warning is explained, in order") {
  std::vector<std::string> names;
  for (const auto& entry : dsl::explanations()) names.push_back(entry.name);
  CHECK(names == std::vector<std::string>(dsl::kCodes.begin(), dsl::kCodes.end()));
  for (const auto& entry : dsl::explanations()) {
    INFO(entry.name);
    CHECK_FALSE(entry.summary.empty());
    CHECK(entry.summary.size() <= 80); // the list shows one a line
    CHECK_FALSE(entry.text.empty());
  }
  CHECK(dsl::explanation_of("syntax")->name == "syntax");
  CHECK(dsl::explanation_of("sintax") == nullptr);
}

TEST_CASE("the page in the program is that of the repository") {
  CHECK(dsl::diagnostics_page() == tests::repository_text(kPage));
}

TEST_CASE("every wrong example gives its own error, and every right one loads") {
  std::vector<tests::Block> blocks;
  for (const auto& block : tests::blocks_of(kPage))
    if (block.word(0) == "yaml") blocks.push_back(block);
  std::size_t next = 0;
  for (const auto& entry : dsl::explanations()) {
    INFO(entry.name);
    CHECK(entry.wrong.empty() == kNoExample.contains(entry.name));
    CHECK(entry.right.empty() == entry.wrong.empty());
    if (entry.wrong.empty()) continue;
    REQUIRE(next + 1 < blocks.size());
    const auto& wrong = blocks[next++];
    const auto& right = blocks[next++];
    CHECK(wrong.text == entry.wrong);
    CHECK(right.text == entry.right);
    if (tests::kSanitized && next % 8 != 0) continue;
    // A section `check` that makes no sense is told with the findings of the text.
    const auto* lint = interpreter::find_lint(entry.name == "lint" ? "unused-definition" : entry.name);
    CHECK(codes_told(tests::example_file(wrong), lint) == std::set<std::string>{entry.name});
    CHECK(codes_told(tests::example_file(right), lint).empty());
  }
  CHECK(next == blocks.size());
}

TEST_CASE("an entry of the page is read") {
  const auto entries =
      dsl::read_explanations("# Page\n\nabout it\n\n```text\n## no entry\n```\n\n"
                             "## one\n\nwhat it is\n\nsee [here](a.md#b) and [there](c).\n\n"
                             "```yaml wrong\na: 1\n\nb: 2\n```\n\n```yaml right frame\nc: 3\n```\n"
                             "## two\n\nshort\n");
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].name == "one");
  CHECK(entries[0].summary == "what it is");
  CHECK(entries[0].text == std::vector<std::string>{"see here and there."});
  CHECK(entries[0].wrong == "a: 1\n\nb: 2\n");
  CHECK(entries[0].right == "c: 3\n");
  CHECK(entries[1].name == "two");
  CHECK(entries[1].wrong.empty());
}

TEST_CASE("brackets that are no link stay") {
  CHECK(summary_of("## a\n\nof [x] and (y)") == "of [x] and (y)");
  CHECK(summary_of("## a\n\n[open](never") == "[open](never");
  CHECK(summary_of("## a\n\n[x](y) [z") == "x [z");
}

} // namespace explanations_test
