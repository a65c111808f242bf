// The examples of the language's reference, dsl/README.md: every block in it is run. The page says at its top
// how its blocks are written.
#include "rule_files.hpp"

#include "dsl/finder.hpp"
#include "dsl/grammar.hpp"
#include "dsl/sections.hpp"
#include "dsl/tokens.hpp"
#include "dsl/yaml.hpp"
#include "interpreter/board/geometry.hpp"
#include "interpreter/meaning/builder.hpp"
#include "interpreter/meaning/elaborator.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "interpreter/self_tests/test_games.hpp"
#include "runtime/examine/survey.hpp"
#include "runtime/model/limits.hpp"
#include "runtime/model/meter.hpp"
#include "tests/pages/examples.hpp"
#include "tests/pages/page.hpp"
#include "tools/pages/game_tables.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace reference_test {

using namespace boardwright;

namespace {

const std::string kPage = "dsl/README.md";

bool is_one_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
}

tests::Lines keywords() {
  tests::Lines words;
  for (std::size_t i = 0; i < dsl::kTokCount; ++i)
    if (const auto word = dsl::spelling(static_cast<dsl::Tok>(i)); is_one_word(word))
      words.emplace_back(word);
  return words;
}

// The entries that sections have: `{"stacks", stacks}` in a table of dsl/section_board.cpp.
std::set<std::string> entries_in_sources() {
  static const std::regex kEntry(R"re(\{"([a-z_ ]+)", [a-z_]+\},)re");
  std::set<std::string> entries;
  for (const char* name :
       {"section_board", "section_pieces", "section_rules", "section_tests", "section_games", "position"}) {
    const std::string source = tests::repository_text("dsl/" + std::string(name) + ".cpp");
    for (auto at = std::sregex_iterator(source.begin(), source.end(), kEntry); at != std::sregex_iterator();
         ++at)
      entries.insert((*at)[1]);
  }
  return entries;
}

// ---------------------------------------------------------------- limits

struct Limit {
  std::string name;
  std::uint64_t value;
};

std::vector<Limit> limits() {
  return {{"kMaxFileBytes", dsl::kMaxFileBytes},
          {"kMaxYamlDepth", dsl::kMaxYamlDepth},
          {"kMaxExtends", dsl::kMaxExtends},
          {"kMaxRuleBytes", dsl::kMaxRuleBytes},
          {"kMaxRuleDepth", dsl::kMaxRuleDepth},
          {"kMaxTreeHeight", dsl::kMaxTreeHeight},
          {"kMaxCopiedRules", dsl::kMaxCopiedRules},
          {"kMaxDiagnostics", dsl::kMaxDiagnostics},
          {"kMaxTestDepth", dsl::kMaxTestDepth},
          {"kMaxTestGames", dsl::kMaxTestGames},
          {"kMaxGamePlies", dsl::kMaxGamePlies},
          {"kMaxTestPlies", interpreter::kMaxTestPlies},
          {"kMaxSyntaxErrors", dsl::kMaxSyntaxErrors},
          {"kMaxSide", interpreter::kMaxSide},
          {"kMaxCells", runtime::kMaxCells},
          {"kMaxSteps", runtime::kMaxSteps},
          {"kMaxHeight", runtime::kMaxHeight},
          {"kMaxUnfolding", interpreter::kMaxUnfolding},
          {"kMaxNodes", interpreter::kMaxNodes},
          {"kMaxWork", runtime::kMaxWork},
          {"kMaxMoves", runtime::kMaxMoves},
          {"kMaxChoices", runtime::kMaxChoices},
          {"kMaxDepth", runtime::kMaxDepth},
          {"kMaxList", runtime::kMaxList},
          {"kMaxNotation", runtime::kMaxNotation},
          {"kMaxBytes", runtime::kMaxBytes},
          {"kMaxTextBytes", runtime::kMaxTextBytes},
          {"kMaxSurveySteps", runtime::kMaxSurveySteps},
          {"kMaxCommandSteps", runtime::kMaxCommandSteps}};
}

// "1,048,576"
std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string using_vocabulary(const std::string& name) {
  return "use: " + name +
         "\ngame: G\nplayers: [A, B]\nboard: { squares: 3 by 3 }\npieces: { man: a b }\nturn: pass\n";
}

} // namespace

TEST_CASE("every example of the reference does what the page says") { tests::check_examples(kPage); }

TEST_CASE("the index of the reference has every word of the language") {
  const auto listed = tests::quoted_in(tests::chapter(tests::page_lines(kPage), "Index"));
  const dsl::RuleFile empty;
  const interpreter::Symbols symbols(empty);
  for (const auto& word : keywords())
    if (!listed.contains(word)) FAIL_CHECK("no entry for " << word);
  for (const auto& word : symbols.known_names(false))
    if (!listed.contains(word)) FAIL_CHECK("no entry for the word " << word);
  for (const auto& function : symbols.known_names(true))
    if (!listed.contains(function + "()")) FAIL_CHECK("no entry for " << function << "()");
  for (const auto& section : dsl::section_names())
    if (!listed.contains(section + ":")) FAIL_CHECK("no entry for the section " << section);
}

TEST_CASE("the index of the reference has every word once") {
  std::set<std::string> seen;
  for (const auto& [word, chapter] : tools::index_of(tests::repository_text(kPage)))
    if (!seen.insert(word).second) FAIL_CHECK("two entries for " << word);
}

TEST_CASE("the index of the reference has every entry of a section") {
  const auto listed = tests::quoted_in(tests::chapter(tests::page_lines(kPage), "Index"));
  const auto entries = entries_in_sources();
  CHECK(entries.size() > 25);
  for (const auto& entry : entries)
    if (!listed.contains(entry + ":")) FAIL_CHECK("no entry for " << entry << ":");
}

TEST_CASE("the reference tells every definition of the bundled vocabularies") {
  const auto listed = tests::quoted_in(tests::chapter(tests::page_lines(kPage), "Index"));
  for (const auto& name : dsl::bundled_vocabularies()) {
    const auto loaded = interpreter::load_text("game.yaml", using_vocabulary(name));
    INFO(name << "\n" << loaded.errors());
    REQUIRE(loaded.file);
    for (const auto& definition : loaded.file->vocabularies.back()) {
      const std::string entry = definition.name.text + (definition.parameters.empty() ? "" : "()");
      if (!listed.contains(entry)) FAIL_CHECK("no entry for " << entry << " of " << name);
    }
  }
}

TEST_CASE("the reference tells the limits as they are") {
  const tests::Lines table = tests::chapter(tests::page_lines(kPage), "Limits");
  for (const auto& [name, value] : limits()) {
    const std::string row = "| `" + name + "` | " + with_commas(value) + " |";
    const bool told = std::any_of(table.begin(), table.end(),
                                  [&](const std::string& line) { return line.starts_with(row); });
    if (!told) FAIL_CHECK("the limits have no row " << row);
  }
}

} // namespace reference_test
