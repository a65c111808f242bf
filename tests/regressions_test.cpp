// Rules that were once played wrongly, or that a single wrong line in an engine would play wrongly
// (tests/regressions): the walker, the list of moves, perft and random games all say what is right.
#include "compare_engines.hpp"
#include "rule_files.hpp"

#include "dsl/finder.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "tests/paths.hpp"
#include "tests/text_files.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace regressions_test {

using namespace boardwright;
using tests::required;

namespace {

using Rules = std::shared_ptr<const runtime::Rules>;

std::string regression(const std::string& name) {
  return tests::source_root() + "/tests/regressions/" + name + ".yaml";
}

std::vector<std::filesystem::path> regressions() {
  return tests::files_in(tests::source_root() + "/tests/regressions", ".yaml");
}

std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return sorted(std::move(all));
}

// Sequences of so many moves, as the walker alone sees them.
std::uint64_t walked(const Rules& rules, const runtime::Position& position,
                     std::vector<runtime::Position>& past, int depth) {
  if (depth == 0) return 1;
  const runtime::Walker walker(rules->program());
  runtime::Position seen = position;
  if (required(walker.outcome(seen, past), *rules)) return 0;
  std::uint64_t sum = 0;
  const auto moves = required(walker.derive(seen, past), *rules);
  past.push_back(seen);
  for (const auto& move : moves)
    if (!move.outcome || depth == 1) sum += walked(rules, move.after, past, depth - 1);
  past.pop_back();
  return sum;
}

std::uint64_t walked(const Rules& rules, int depth) {
  std::vector<runtime::Position> past;
  return walked(rules, rules->program().initial, past, depth);
}

std::uint64_t counted(const Rules& rules, int depth) {
  runtime::Game game(rules);
  runtime::PerftOptions options;
  options.depth = depth;
  return required(runtime::perft(game, options), *rules).leaves;
}

// How many moves a random game chooses among at its beginning.
std::uint64_t chosen_among(const Rules& rules, bool native) {
  runtime::RandomPlayer player(rules, native);
  runtime::Random random(1);
  return required(player.play(random, 1), *rules).moves;
}

runtime::PlayoutResult random_games(const Rules& rules, bool native) {
  runtime::PlayoutOptions options;
  options.count = tests::kSanitized ? 20 : 200;
  options.max_plies = 100;
  options.native = native;
  return required(runtime::playouts(rules, options), *rules);
}

} // namespace

TEST_CASE("rules that were once played wrongly: the moves at the beginning") {
  const std::vector<std::pair<std::string, std::string>> moves = {
      {"another_piece_in_the_air", "a1-a2-b3"},
      {"can_by_heading", "b1"},
      {"can_hop_by_heading", "pass"},
      {"can_put", "a1-a2 d1-d2"},
      {"decided_for_each", "a1"},
      {"drops_here_in_rounds", "a1 a1/a1"},
      {"empty_by_a_removal", "Wa1 Wa2 Wa4 Wa5 Wa6 Wa7 Wa8"},
      {"fly_onto_itself", "a1-a1 a1-b1 b1-a1 b1-b1"},
      {"fly_own", "a1-a1/a2 a1-a1/b2 a1-a1/c1 a1-b1/a1 a1-b1/a2 a1-b1/b2 a1-b1/c1 "
                  "b1-a1/a2 b1-a1/b1 b1-a1/b2 b1-a1/c1 b1-b1/a2 b1-b1/b2 b1-b1/c1"},
      {"here_chosen_in_rounds", "a1 a1-b1 b1"},
      {"lap", "a1-a1 a1-a2 a1-b1 a1-b2 a1-c1 a1-c2"},
      {"loop", "a1-a1 a1-b1 a1-c1"},
      {"otherwise_check", ""},
      {"otherwise_in_rounds", "c2-b2"},
      {"otherwise_in_the_air", ""},
      {"otherwise_or", "a1xa2 c1-b1"},
      {"otherwise_or_tail", "a4 c2-b2"},
      {"rounds_that_stay", "a1-a1 a1-a2 a1-a3"},
      {"second_lift", "a1-a2-b2 b1-b2-a2 b1-b2-c2 c1-c2-b2 c1-c2-d2 d1-d2-c2"},
  };
  for (const auto& [name, right] : moves) {
    DYNAMIC_SECTION(name) {
      const auto rules = tests::load_rules(regression(name));
      const auto expected = words(right);
      const runtime::Walker walker(rules->program());
      std::vector<std::string> by_walker;
      for (const auto& move : required(walker.derive(rules->program().initial, {}), *rules))
        by_walker.push_back(move.notation);
      CHECK(sorted(by_walker) == expected);
      runtime::Game game(rules);
      CHECK(sorted(required(game.notations(), *rules)) == expected);
      CHECK(counted(rules, 1) == expected.size());
      CHECK(chosen_among(rules, true) == expected.size());
      CHECK(chosen_among(rules, false) == expected.size());
    }
  }
}

TEST_CASE("rules that were once played wrongly: counts") {
  for (const std::string name : {"saturate", "constant_state"}) {
    DYNAMIC_SECTION(name) {
      const auto rules = tests::load_rules(regression(name));
      for (const auto& [depth, right] : {std::pair(1, 25U), std::pair(2, 600U)}) {
        CHECK(walked(rules, depth) == right);
        CHECK(counted(rules, depth) == right);
      }
      CHECK(chosen_among(rules, true) == 25);
      CHECK(chosen_among(rules, false) == 25);
      for (const bool native : {true, false}) { // all cells are filled, and nobody wins
        const auto result = random_games(rules, native);
        CHECK(result.draws == result.playouts);
        CHECK(result.plies == 25 * result.playouts);
      }
    }
  }
  const auto second_lift = tests::load_rules(regression("second_lift"));
  CHECK(walked(second_lift, 2) == 36);
  CHECK(counted(second_lift, 2) == 36);
}

TEST_CASE("rules that were once played wrongly: random positions") {
  for (const auto& path : tests::sampled(regressions(), 4)) {
    DYNAMIC_SECTION(path.stem().string()) {
      const auto rules = tests::load_rules(path.string());
      tests::Comparison(rules, 5).run(tests::kSanitized ? 8 : 40);
      const auto native = random_games(rules, true), interpreted = random_games(rules, false);
      CHECK(native.plies == interpreted.plies);
      CHECK(native.moves == interpreted.moves);
      CHECK(native.wins == interpreted.wins);
      CHECK(native.draws == interpreted.draws);
    }
  }
}

TEST_CASE("rules that were once played wrongly: the tests in their files") {
  for (const auto& file : tests::sampled(regressions(), 4)) {
    const std::string path = file.string();
    const auto loaded = interpreter::load(path);
    INFO(path << "\n" << loaded.errors());
    REQUIRE(loaded.rules != nullptr);
    const auto run = interpreter::run_tests(loaded, path, {}, dsl::standard_finder());
    for (const auto& result : run.results) {
      INFO(result.name);
      CHECK(result.passed);
    }
  }
}

namespace {

// The rule files that stand in one file, between lines `---`.
std::vector<std::string> documents(const std::string& text) {
  constexpr std::string_view kRuler = "\n---\n";
  std::vector<std::string> all;
  std::size_t begin = 0;
  for (std::size_t end = text.find(kRuler); end != std::string::npos; end = text.find(kRuler, begin)) {
    all.push_back(text.substr(begin, end - begin + 1));
    begin = end + kRuler.size();
  }
  all.push_back(text.substr(begin));
  return all;
}

} // namespace

// Each file of tests/spellings holds different constructs that come to one cause, with their right answers.
TEST_CASE("rules that were once played wrongly: other spellings of them") {
  for (const auto& file : tests::files_in(tests::source_root() + "/tests/spellings", ".yaml")) {
    for (const std::string& text : tests::sampled(documents(tests::read_file(file)), 4)) {
      const std::string name = "spelling.yaml";
      const auto loaded = interpreter::load_text(name, text);
      DYNAMIC_SECTION(file.stem().string() << ": " << (loaded.rules ? loaded.rules->program().game : text)) {
        INFO(loaded.errors());
        REQUIRE(loaded.rules != nullptr);
        const auto run = interpreter::run_tests(loaded, name, {}, dsl::finder_with(name, text));
        INFO(dsl::render(run.diagnostics, loaded.sources, false));
        CHECK_FALSE(run.results.empty());
        for (const auto& result : run.results) CHECK(result.passed);
        tests::Comparison(loaded.rules, 5).run(tests::kSanitized ? 8 : 40);
        const auto native = random_games(loaded.rules, true), interpreted = random_games(loaded.rules, false);
        CHECK(native.plies == interpreted.plies);
        CHECK(native.moves == interpreted.moves);
        CHECK(native.wins == interpreted.wins);
        CHECK(native.draws == interpreted.draws);
      }
    }
  }
}

// Which are found by their numbers among all of them.
TEST_CASE("moves that are only counted are all drawn, and none too often") {
  for (const char* name : {"sown_along_paths", "sown_in_parts", "three_steps", "spread_quietly"}) {
    DYNAMIC_SECTION(name) {
      const auto rules = tests::load_rules(regression(name));
      runtime::Position position = rules->program().initial;
      position.ply = 2;
      runtime::Game game(rules, position);
      std::map<std::string, int> moves, drawn; // by what they lead to
      const auto list = required(game.moves(), *rules);
      for (std::size_t i = 0; i < list.size(); ++i) {
        REQUIRE(game.play(list[i]));
        ++moves[tests::describe(rules->program(), game.position())];
        REQUIRE(game.undo());
      }
      constexpr int kEach = 40; // seven standard deviations of it are about as many
      for (const bool native : {true, false}) {
        runtime::Random random(11);
        drawn.clear();
        for (std::size_t i = 0; i < kEach * list.size(); ++i) {
          runtime::RandomPlayer player(rules, position, native);
          CHECK(required(player.play(random, 1), *rules).moves == list.size());
          ++drawn[tests::describe(rules->program(), player.position())];
        }
        CHECK(drawn.size() == moves.size());
        for (const auto& [after, times] : moves) {
          INFO(after);
          CHECK(drawn[after] > 0);
          CHECK(drawn[after] < 2 * kEach * times);
        }
      }
    }
  }
}

// Walks whose direction is chosen in each round.
TEST_CASE("a game of long walks over own pieces has the known number of moves") {
  const auto rules = tests::load_rules(tests::test_rules("camelot"));
  CHECK(counted(rules, 1) == 100);
  if (!tests::kSanitized) CHECK(counted(rules, 2) == 10'036);
}

TEST_CASE("positions are counted however often they come again") {
  constexpr int kOften = 1 << 16;
  for (const char* name : {"repeats_often", "board_repeats_often"}) {
    DYNAMIC_SECTION(name) {
      const auto rules = tests::load_rules(regression(name));
      runtime::PlayoutOptions options;
      options.count = 1;
      options.max_plies = kOften + 100;
      for (const bool native : {true, false}) {
        options.native = native;
        const auto result = required(runtime::playouts(rules, options), *rules);
        CHECK(result.draws == 1);
        CHECK(result.plies == kOften);
      }
      runtime::Game game(rules);
      for (int i = 0; i < kOften; ++i) {
        const auto moves = required(game.moves(), *rules);
        REQUIRE(moves.size() == 1);
        game.play(moves[0]);
      }
      CHECK(required(game.outcome(), *rules).has_value());
      REQUIRE(game.undo());
      CHECK_FALSE(required(game.outcome(), *rules).has_value());
    }
  }
}

} // namespace regressions_test
