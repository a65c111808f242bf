#include "runtime/search/leaf_games.hpp"

#include "tests/rule_files.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace boardwright::runtime::search::leaf_games_test {

using tests::load_rules;

namespace {

const auto in_time = [] { return false; };
const auto no_time = [] { return true; };

// A man each that steps about: nothing is ever decided.
const char* const kEndless = R"(game: Endless
players: { Black: north, White: south }
board: { squares: 4 by 4 }
pieces: { man: b w }
setup: { b: a1, w: d4 }
turn: from own, step(all, empty)
)";

Judge::Pieces pieces(std::int32_t first, std::int32_t second) { return {first, second, 0}; }

} // namespace

TEST_CASE("a judge begins with more is better, and even is even") {
  const Judge judge(load_rules("breakthrough")->program());
  CHECK(judge.chances(pieces(16, 16))[0] == Approx(0.5));
  CHECK(judge.chances(pieces(16, 10))[0] > 0.6);
  CHECK(judge.chances(pieces(10, 16))[0] == Approx(1 - judge.chances(pieces(16, 10))[0]));
  CHECK(judge.chances(pieces(16, 10))[0] + judge.chances(pieces(16, 10))[1] == Approx(1));
  CHECK(judge.skill() == 0);
}

TEST_CASE("a judge learns what pieces are worth, also that they are a burden") {
  const auto rules = load_rules("breakthrough");
  for (const bool burden : {false, true}) {
    Judge judge(rules->program());
    Random random(5);
    for (int k = 0; k < 3000; ++k) {
      const auto first = static_cast<std::int32_t>(random.below(17)),
                 second = static_cast<std::int32_t>(random.below(17));
      judge.learn(pieces(first, second), scores_of((first > second) != burden ? 1 : 2, 2));
    }
    CHECK(judge.positions() == 3000);
    CHECK(judge.skill() > 0.5);
    CHECK((judge.chances(pieces(12, 6))[0] > 0.8) == !burden);
  }
}

TEST_CASE("a judge that pieces tell nothing has no skill") {
  Judge judge(load_rules("breakthrough")->program());
  Random random(5);
  for (int k = 0; k < 3000; ++k)
    judge.learn(pieces(static_cast<std::int32_t>(random.below(17)), 8),
                scores_of(random.below(2) == 0 ? 1 : 2, 2));
  CHECK(judge.skill() < 0.1);
}

TEST_CASE("random games of a leaf are as random games of the rules are") {
  const auto rules = load_rules("tictactoe");
  LeafGames games(rules, {});
  const Game game(rules);
  Random random(3);
  Scores sum{};
  constexpr int kGames = 4000;
  for (int k = 0; k < kGames; ++k) {
    const auto scores = games.play(game, random, in_time);
    REQUIRE(scores);
    for (std::size_t p = 0; p < 2; ++p) sum[p] += (*scores)[p];
  }
  // 58.5 % are won by who begins, 28.8 % by the other, 12.7 % are drawn: of all games, counted.
  CHECK(static_cast<double>(sum[0]) / kGames == Approx(0.585 + 0.127 / 2).margin(0.03));
  CHECK(games.games == kGames);
  CHECK_FALSE(games.judges());
}

TEST_CASE("games that never end are judged, after a few that were given up") {
  const auto loaded = interpreter::load_text("endless.yaml", kEndless);
  INFO(loaded.errors());
  REQUIRE(loaded.rules);
  LeafGamesOptions options;
  options.most_plies = 300;
  LeafGames games(loaded.rules, options);
  const Game game(loaded.rules);
  Random random(3);
  for (int k = 0; k < 50; ++k) {
    const auto scores = games.play(game, random, in_time);
    REQUIRE(scores);
    CHECK((*scores)[0] == Approx(0.5));
  }
  CHECK(games.judges());
  CHECK(games.judged > 30);
  CHECK(games.cut_off >= 1);
  LeafGamesOptions never = options;
  never.judging = Judging::never;
  LeafGames others(loaded.rules, never);
  for (int k = 0; k < 10; ++k) REQUIRE(others.play(game, random, in_time));
  CHECK(others.judged == 0);
  CHECK(others.cut_off == 10);
}

TEST_CASE("without time a game is given up, but for one that is over at once") {
  const auto rules = load_rules("breakthrough");
  LeafGames games(rules, {});
  Random random(3);
  CHECK_FALSE(games.play(Game(rules), random, no_time));
}

} // namespace boardwright::runtime::search::leaf_games_test
