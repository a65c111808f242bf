// The engine against the walker on the bundled games and on those of tests/rules, with their options.
#include "compare_engines.hpp"
#include "rule_files.hpp"

#include "dsl/finder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace engines_test {

using namespace boardwright;
using tests::load_rules;
using tests::test_rules;

namespace {

struct Subject {
  std::string file;
  interpreter::Settings settings;
  int positions; // to compare; fewer where the walker is slow
};

// One position in so many is compared, so that few comparisons still see much of a game.
constexpr std::uint64_t kStride = 5;

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = {
      {"antigrid", {}, 100},
      {"antigrid", {{"gems", "15"}, {"blockade", "any"}, {"loses_with", "one_left"}}, 25},
      {"antigrid", {{"multi_turn", "true"}}, 60},
      {"antigrid", {{"run_capture", "false"}}, 60},
      {"amazons", {{"size", "6"}}, 20},
      {"breakthrough", {}, 600},
      {"breakthrough", {{"columns", "5"}, {"rows", "9"}}, 200},
      {"connectfour", {}, 300},
      {"connectfour", {{"columns", "8"}, {"rows", "8"}, {"goal", "5"}}, 200},
      {"connectfour", {{"popout", "true"}}, 100},
      {"englishdraughts", {}, 600},
      {"englishdraughts", {{"backward_capture", "true"}, {"longest", "true"}}, 200},
      {"englishdraughts", {{"compulsory", "false"}, {"size", "10"}}, 100},
      {"gomoku", {{"size", "7"}}, 150},
      {"gomoku", {{"size", "6"}, {"row", "exact"}, {"opening", "swap2"}}, 100},
      {"hasami", {}, 60},
      {"arimaa", {}, 1}, // soon a position has more moves than the walker lists (kMaxWalkDrafts)
      {"connect6", {{"size", "6"}}, 20},
      {"slither", {{"size", "5"}}, 20},
      {"symple", {{"size", "5"}}, 20},
      {"internationaldraughts", {}, 200},
      {"internationaldraughts", {{"flying_kings", "false"}, {"size", "8"}}, 200},
      {"knightthrough", {}, 300},
      {"konane", {}, 200},
      {"loa", {}, 80},
      {"reversi", {{"size", "6"}}, 200},
      {"tictactoe", {{"size", "4"}}, 200},
      {"tictactoe", {{"misere", "true"}}, 200},
      {test_rules("breakthrough_own_words"), {}, 300},
      {test_rules("draughts_own_words"), {}, 300},
      {"eximo", {}, 1000},
      {"eximo", {{"full_zone", "forbid"}, {"supply", "16"}, {"repetition", "2"}}, 400},
      {"intermedium", {}, 25},
      {"intermedium", {{"opening", "all_forward"}, {"single_before_move", "true"}}, 12},
      {"intermedium", {{"part_of_stack", "true"}, {"city_needs_single_landing", "false"}}, 8},
      {"scalus", {}, 25},
      {"scalus", {{"diag_long", "true"}, {"gap", "path"}, {"hq", "both"}}, 10},
      {"scalus", {{"rescale", "true"}}, 15},
      {"sixtiles", {{"tiles", "8"}}, 60}, // with more the walker looks for groups behind thousands of moves
      {"tempo", {}, 1500},
      {"tempo", {{"long_capture", "true"}, {"repetition", "2"}}, 400},
      {test_rules("amazons"), {}, 8},
      {test_rules("breakthrough"), {}, 1000},
      {test_rules("chess"), {}, 300},
      {test_rules("draughts"), {}, 1500},
      {test_rules("epaminondas"), {}, 8},
      {test_rules("go"), {}, 300},
      {test_rules("go"), {{"size", "3"}, {"suicide", "true"}}, 1000},
      {test_rules("groups_in_many_words"), {}, 200},
      {test_rules("rows_in_many_words"), {}, 150},
      {test_rules("hex"), {{"size", "6"}, {"swap", "true"}}, 1000},
      {test_rules("konane"), {}, 1000},
      {test_rules("lasca"), {}, 2000},
      {test_rules("loa"), {}, 600},
      {test_rules("oware"), {}, 2000},
      {test_rules("reversi"), {}, 400},
      {test_rules("tablut"), {}, 60},
  };
  return all;
}

// Every bundled game that isn't listed above, as its file is.
std::vector<Subject> others() {
  std::vector<Subject> rest;
  for (const auto& name : tests::bundled_games()) {
    const auto& listed = subjects();
    const bool known =
        std::any_of(listed.begin(), listed.end(), [&](const Subject& s) { return s.file == name; });
    if (!known) rest.push_back({name, {}, 8});
  }
  return rest;
}

std::string title(const Subject& subject) {
  std::string text = subject.file.substr(subject.file.rfind('/') + 1);
  for (const auto& [option, value] : subject.settings) text += " " + option + "=" + value;
  return text;
}

} // namespace

TEST_CASE("the engine agrees with the walker on random positions") {
  constexpr int kFewer = tests::kSanitized ? 20 : 1;
  std::uint64_t seed = 20'240;
  auto all = subjects();
  for (auto& other : others()) all.push_back(std::move(other));
  for (const auto& subject : tests::sampled(all, 3)) {
    ++seed;
    DYNAMIC_SECTION(title(subject)) {
      tests::Comparison(load_rules(subject.file, subject.settings), seed,
                        subject.positions == 1 ? 1 : kStride)
          .run(std::max(std::min(5, subject.positions), subject.positions / kFewer));
    }
  }
}

} // namespace engines_test
