// The language as a whole: rule files of many kinds load and give the move counts that are known for them.
#include "rule_files.hpp"

#include "runtime/game/perft.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace language_test {

using namespace boardwright;
using tests::load_rules;
using tests::required;
using tests::test_rules;

namespace {

// Where the counts come from.
enum class From {
  published, // widely published, or agreeing with a published count at a greater depth
  oracle,    // of a program that agrees with every position of tests/oracles
  trial,     // of an independent, slow interpreter of the language
};

struct Counts {
  std::string file;
  interpreter::Settings settings;
  From from;
  std::vector<std::uint64_t> by_depth;
};

const std::vector<Counts>& known_counts() {
  static const std::vector<Counts> counts = {
      {"antigrid", {}, From::oracle, {100, 9'650, 969'630}},
      {"antigrid", {{"gems", "15"}}, From::oracle, {196, 37'534}},
      {"eximo", {}, From::oracle, {40, 1'600, 60'284, 2'093'190}},
      {"intermedium", {}, From::oracle, {250, 62'500}},
      {"intermedium", {{"opening", "off"}}, From::oracle, {500, 250'000}},
      {"intermedium", {{"opening", "all_forward"}}, From::oracle, {114, 12'996, 1'388'520}},
      {"scalus", {}, From::oracle, {248, 61'504}},
      {"tempo", {}, From::oracle, {33, 940, 25'549, 619'182}},
      {"tempo", {{"long_capture", "true"}}, From::oracle, {33, 980, 29'169}},
      {test_rules("amazons"), {}, From::published, {2'176}},
      {test_rules("breakthrough"), {}, From::published, {22, 484, 11'132, 256'036}},
      {test_rules("chess"), {}, From::published, {20, 400, 8'902, 197'281}},
      {test_rules("draughts"), {}, From::published, {9, 81, 658, 4'265, 27'117, 167'140}},
      {test_rules("epaminondas"), {}, From::trial, {114, 12'996}},
      {test_rules("go"), {}, From::published, {82, 6'643}},
      {test_rules("hex"), {}, From::published, {121, 14'520}},
      {test_rules("konane"), {}, From::trial, {4, 12, 28, 172, 892, 7'124}},
      {test_rules("lasca"), {}, From::trial, {6, 6, 18, 54, 116, 324, 846, 2'148}},
      {test_rules("loa"), {}, From::trial, {36, 1'244, 44'952}},
      {test_rules("oware"), {}, From::trial, {6, 36, 190, 1'014, 5'219, 27'332}},
      {test_rules("reversi"), {}, From::published, {4, 12, 56, 244, 1'396, 8'200, 55'092}},
      {test_rules("tablut"), {}, From::trial, {80, 4'400}},
  };
  return counts;
}

std::string source_of(From from) {
  switch (from) {
  case From::published: return "published";
  case From::oracle: return "oracle";
  case From::trial: return "trial";
  }
  return "";
}

std::string title(const Counts& counts) {
  std::string text = counts.file;
  for (const auto& [option, value] : counts.settings) text += " " + option + "=" + value;
  return text + " (" + source_of(counts.from) + ")";
}

std::uint64_t leaves(runtime::Game& game, int depth, bool distinct) {
  runtime::PerftOptions options;
  options.depth = depth;
  options.distinct = distinct;
  return required(runtime::perft(game, options), game.rules()).leaves;
}

} // namespace

TEST_CASE("rule files give the move counts that are known") {
  constexpr std::uint64_t kLargest = tests::kSanitized ? 20'000 : 10'000'000;
  for (const auto& counts : known_counts()) DYNAMIC_SECTION(title(counts)) {
      runtime::Game game(load_rules(counts.file, counts.settings));
      for (std::size_t i = 0; i < counts.by_depth.size(); ++i) {
        if (counts.by_depth[i] > kLargest) break;
        INFO("depth " << i + 1);
        CHECK(leaves(game, static_cast<int>(i + 1), false) == counts.by_depth[i]);
      }
    }
}

TEST_CASE("moves with equal results can be counted as one") {
  runtime::Game game(load_rules("scalus"));
  CHECK(leaves(game, 1, false) == 248);
  CHECK(leaves(game, 1, true) == 212);
  CHECK(leaves(game, 2, true) == 44'944);
}

} // namespace language_test
