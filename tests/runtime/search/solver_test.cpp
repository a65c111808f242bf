#include "runtime/search/solver.hpp"

#include "runtime/search/alpha_beta.hpp"
#include "tests/paths.hpp"
#include "tests/runtime/search/searching.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace boardwright::runtime::search::solver_test {
namespace {

Solution solution_of(const std::shared_ptr<const Rules>& rules, SolverOptions options = {}) {
  auto solution = solve(Game(rules), options);
  if (!solution) FAIL(solution.error().message);
  return *solution;
}

// As `boardwright solve` asks.
SolverOptions judging(const std::shared_ptr<const Rules>& rules) {
  SolverOptions options;
  options.features = std::make_shared<const Features>(rules);
  options.weights = options.features->first_weights();
  return options;
}

} // namespace

TEST_CASE("what is proven is what looking at everything finds") {
  const std::vector<std::pair<std::string, interpreter::Settings>> games = {
      {"tictactoe", {}},         {"tictactoe", {{"misere", "true"}}},
      {"hexapawn", {}},          {"dots", {{"size", "1"}}},
      {"dots", {{"size", "2"}}}, {"breakthrough", {{"columns", "2"}, {"rows", "5"}}},
  };
  for (const auto& [name, settings] : games) {
    INFO(name);
    const auto rules = rules_of(name, settings);
    Game game(rules);
    std::map<std::uint64_t, int> known;
    const Proof truth = proof_of(result_of(game, known));
    for (const SolverOptions& options : {SolverOptions(), judging(rules)}) {
      const Solution solution = solution_of(rules, options);
      CHECK(solution.result == truth);
      CHECK(solution.repetitions == 0);
    }
  }
}

// Published: the second player wins, 11 to 3 (J. Feinstein, 1993, of 6x6; 4x4 is older).
TEST_CASE("4x4 Reversi is won by the second player, with a line that can be played to the end") {
  const auto rules = rules_of("reversi", {{"size", "4"}});
  const Solution solution = solution_of(rules);
  CHECK(solution.result == Proof::loss);
  CHECK(static_cast<int>(solution.line.size()) == solution.depth);
  Game game(rules);
  const int loser = game.to_move();
  for (const std::string& text : solution.line) {
    const auto move = game.find(text);
    REQUIRE(move);
    REQUIRE(*move);
    REQUIRE(game.play(**move));
  }
  const auto outcome = game.outcome();
  REQUIRE(outcome);
  REQUIRE(*outcome);
  CHECK((*outcome)->winners == std::uint32_t{1} << (1 - loser));
}

// The larger ones of this folder take longer than a test may: tests/bench/README.md.
TEST_CASE("small boards are proven, and alpha-beta says the same") {
  for (const char* name : {"tempo4x3", "scalus4x6"}) {
    INFO(name);
    const auto rules = rules_of(tests::source_root() + "/tests/small_boards/" + name + ".yaml");
    CHECK(solution_of(rules, judging(rules)).result == Proof::win);
    const auto thought = make_alpha_beta(rules)->think(Game(rules), nodes(5'000'000));
    REQUIRE(thought);
    CHECK(thought->proof == Proof::win);
  }
}

// A table that is far too small forgets, and still finds the truth.
TEST_CASE("a small table takes longer and says the same") {
  const auto rules = rules_of("dots", {{"size", "2"}});
  SolverOptions small;
  small.most_bytes = std::size_t{16} << 10;
  const Solution large = solution_of(rules), little = solution_of(rules, small);
  CHECK(large.result == little.result);
  CHECK(little.nodes >= large.nodes);
  CHECK(static_cast<int>(little.line.size()) == little.depth);
}

TEST_CASE("without enough time nothing is claimed") {
  const auto rules = rules_of("chess");
  SolverOptions options;
  options.limits.most_nodes = 100;
  const Solution solution = solution_of(rules, options);
  CHECK(solution.result == Proof::unknown);
  CHECK(solution.line.empty());
  CHECK(solution.nodes <= 101);
  CHECK_FALSE(solve(Game(rules_of("halma4")), {}));
}

TEST_CASE("a game that is over is known at once") {
  const auto rules = rules_of("tictactoe");
  Game game(rules);
  for (const char* text : {"a1", "a2", "b1", "b2", "c1"}) REQUIRE(game.play(**game.find(text)));
  const auto solution = solve(game, {});
  REQUIRE(solution);
  CHECK(solution->result == Proof::loss);
  CHECK(solution->nodes == 0);
}

} // namespace boardwright::runtime::search::solver_test
