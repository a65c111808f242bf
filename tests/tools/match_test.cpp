// match and analyse: the arithmetic of matches, and the two commands.
#include "tests/rule_files.hpp"
#include "tests/tools/running.hpp"
#include "tools/match_games.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

using namespace boardwright::tests;
using namespace boardwright::tools;
using nlohmann::json;

TEST_CASE("Elo and score are each other's inverse, with known values") {
  CHECK(elo_of_score(0.5) == Approx(0).margin(1e-9));
  CHECK(elo_of_score(0.75) == Approx(190.848).epsilon(1e-5));
  CHECK(elo_of_score(10.0 / 11) == Approx(400));
  CHECK(std::isinf(elo_of_score(1)));
  CHECK(elo_of_score(0) < 0);
  for (const double elo : {-300.0, -5.0, 0.0, 40.0, 700.0})
    CHECK(elo_of_score(score_of_elo(elo)) == Approx(elo).margin(1e-9));
}

TEST_CASE("the interval of a score counts pairs, not games") {
  // Ten pairs of one point each: as if ten games had been drawn, of which nobody knows how they vary.
  const Estimate even = score_of_pairs({0, 0, 10, 0, 0});
  CHECK(even.value == Approx(0.5));
  CHECK(even.low == Approx(0.2366).epsilon(1e-3)); // Wilson's for 5 of 10
  CHECK(even.high == Approx(0.7634).epsilon(1e-3));
  // All won: Wilson's for 20 of 20.
  CHECK(score_of_pairs({0, 0, 0, 0, 20}).low == Approx(0.8389).epsilon(1e-3));
  CHECK(score_of_pairs({0, 0, 0, 0, 20}).high == 1);
  CHECK(score_of_pairs({20, 0, 0, 0, 0}).low == 0);
  // 50 pairs won and 50 lost: the variance of a pair is 1/4, so these are 99 trials.
  const Estimate split = score_of_pairs({50, 0, 0, 0, 50});
  CHECK(split.low == Approx(0.4034).epsilon(1e-3));
  // Pairs in which each side wins once are better known than that.
  CHECK(score_of_pairs({5, 0, 90, 0, 5}).low > 0.46);
  CHECK(score_of_pairs({}).low == 0);
  CHECK(score_of_pairs({}).high == 1);
}

TEST_CASE("the sequential test: known values, symmetry, and what ends it") {
  CHECK(sprt_bound() == Approx(2.9444).epsilon(1e-4));
  const Sprt even{-20, 20};
  CHECK(log_likelihood_ratio({}, even) == Approx(0).margin(1e-12));
  CHECK(log_likelihood_ratio({7, 0, 9, 0, 7}, even) == Approx(0).margin(1e-9));
  CHECK(log_likelihood_ratio({1, 0, 2, 0, 9}, even) == Approx(-log_likelihood_ratio({9, 0, 2, 0, 1}, even)));
  // By hand: 101 pairs with the made-up one, mean (49.8*0 + …): see the formula in match_statistics.cpp.
  // Scores 0, 1/4, 1/2, 3/4, 1 with 20.2, 20.2, 20.2, 20.2, 20.2 pairs have mean 1/2 and variance 1/8;
  // against 0 and 40 Elo (scores 0.5 and 0.557312): 100 * 0.057312 * (1 - 1.057312) / (2 / 8).
  CHECK(log_likelihood_ratio({20, 20, 20, 20, 20}, {0, 40}) == Approx(-1.3139).epsilon(1e-3));
  CHECK(verdict_of({0, 0, 0, 0, 3}, {0, 40}) == Verdict::unknown);
  CHECK(verdict_of({0, 0, 0, 0, 30}, {0, 40}) == Verdict::high);
  CHECK(verdict_of({30, 0, 0, 0, 0}, {0, 40}) == Verdict::low);
}

TEST_CASE("openings are the same for a seed, and leave the game open") {
  const auto rules = load_rules("tictactoe");
  const boardwright::runtime::Game begin(rules);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto one = drawn_opening(begin, 4, seed), two = drawn_opening(begin, 4, seed);
    REQUIRE(one);
    CHECK(one->key() == two->key());
    CHECK(one->length() == 4);
    auto late = drawn_opening(begin, 9, seed); // after nine moves it would be over
    REQUIRE(late);
    CHECK_FALSE(*late->outcome());
  }
}

TEST_CASE("match: the same games for a seed and a limit of nodes, whatever the number of jobs") {
  const std::string wanted = "match breakthrough mcts random --games 8 --nodes 20 --seed 5 --json";
  const json one = json::parse(run(wanted).out), two = json::parse(run(wanted + " --jobs 3").out);
  CHECK(one["games"] == 8);
  CHECK(one["pairs"] == two["pairs"]);
  CHECK(one["plies"] == two["plies"]);
  CHECK(one["side_wins"] == two["side_wins"]);
  std::uint64_t pairs = 0;
  for (const json& n : one["pairs"]) pairs += n.get<std::uint64_t>();
  CHECK(pairs == 4);
  CHECK(one["players"][0]["player"] == "mcts");
  CHECK(one["players"][0]["wins"].get<int>() + one["players"][1]["wins"].get<int>() +
            one["draws"].get<int>() ==
        8);
}

TEST_CASE("match: as text, ended by the sequential test") {
  const Run match = run("match breakthrough mcts random --games 400 --nodes 100 --sprt 0,200");
  CHECK(match.status == 0);
  CHECK(has(match.out, "Breakthrough: mcts against random, 100 nodes a move, seed 1"));
  CHECK(has(match.out, "`mcts` is stronger"));
  CHECK_FALSE(has(match.out, "  400 games"));
  CHECK(has(match.out, "score"));
  CHECK(has(match.out, "Elo"));
}

TEST_CASE("match: what is wrong is said") {
  CHECK(run("match breakthrough mcts").status == 2);
  const Run four = run("match halma4 mcts random");
  CHECK(four.status == 2);
  CHECK(has(four.err, "a match is between two players"));
  const Run nobody = run("match breakthrough mcts nobody");
  CHECK(nobody.status == 2);
  CHECK(has(nobody.err, "there is no player `nobody`"));
  CHECK(has(run("match breakthrough mcts random --sprt 40,0").err, "is not of the form"));
}

TEST_CASE("match: a game that doesn't end is a draw, and is told") {
  const Run match = run("match breakthrough random random --games 2 --max-plies 5 --nodes 1");
  CHECK(has(match.out, "2 games: 0 won, 2 drawn, 0 lost"));
  CHECK(has(match.out, "2 games cut off after 5 moves"));
}

TEST_CASE("analyse: the best line, the value, what is proven") {
  const json draw = json::parse(run("analyse tictactoe --nodes 200000 --json").out);
  CHECK(draw["proof"] == "draw");
  CHECK(draw["value"] == 0.5);
  CHECK(draw["line"].size() == 9);
  CHECK(draw["candidates"].size() == 9);
  CHECK(draw["candidates"][0]["move"] == draw["move"]);
  const Run win = run("analyse tictactoe --position 'play: a1 a2 b1 b2' --nodes 10");
  CHECK(win.status == 0);
  CHECK(has(win.out, "a win, proven"));
  CHECK(has(win.out, "best line: c1"));
  CHECK(has(run("analyse tictactoe --position 'play: a1 a2 b1 b2 c1'").out, "wins"));
  CHECK(run("analyse tictactoe --player nobody").status == 2);
}
