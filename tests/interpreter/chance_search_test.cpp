// Alpha-beta search of games with rolls, against what they are worth by value iteration, which shares nothing
// with it but the rules.
#include "interpreter/load.hpp"
#include "runtime/search/expectation.hpp"
#include "runtime/search/make_player.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

namespace chance_search_test {

using namespace boardwright;
using runtime::Game;

namespace {

// Stones run for the corner of the other side; a two is a step to its corner, where there is one. Each ply
// goes on, so that no position comes back and a search may come to all ends.
const std::string kCorners =
    "game: Corners\nplayers: { Red: north, Blue: south }\nboard: { squares: 3 by 3 }\npieces: { stone: a A "
    "}\n"
    "setup: { a: a1 | b1 | a2, A: c3 | b3 | c2 }\n"
    "define:\n  goal: { Red: c3, Blue: a1 }\n"
    "turn: |\n  roll n in 1 .. 2 by WEIGHT, from own, lift,\n"
    "  ((require n = 2, go forward + right) otherwise (go forward | right)), put, if here in goal then win\n"
    "end:\n  - lose when no own\n";

std::string with_weight(const std::string& weight) {
  std::string text = kCorners;
  return text.replace(text.find("WEIGHT"), 6, weight);
}

// The greatest distance between what alpha-beta thinks of positions of random games and what they are worth.
double farthest_off(const std::string& text, const std::string& player) {
  const auto loaded = interpreter::load_text("corners.yaml", text, {});
  REQUIRE(loaded);
  runtime::Random random(3);
  double farthest = 0;
  int compared = 0;
  while (compared < 6) {
    Game game(loaded.rules);
    for (int ply = 0; ply < 9; ++ply) {
      const auto outcome = game.outcome();
      REQUIRE(outcome);
      if (*outcome) break;
      if (!game.is_chance() && ply > 0) {
        const auto worth = runtime::search::expectation_of(loaded.rules, game, {});
        REQUIRE(worth);
        const auto who = runtime::search::make_player(player, loaded.rules);
        REQUIRE(who);
        runtime::search::ThinkLimits limits;
        limits.most_nodes = 400'000;
        const auto thought = (*who)->think(game, limits);
        REQUIRE(thought);
        const double mine = game.to_move() == 0 ? worth->value.low : 1 - worth->value.low;
        farthest = std::max(farthest, std::abs(thought->value - mine));
        CHECK(thought->proof != runtime::search::Proof::draw);
        if (thought->proof == runtime::search::Proof::win) CHECK(mine > 0.9999);
        if (thought->proof == runtime::search::Proof::loss) CHECK(mine < 0.0001);
        ++compared;
      }
      const auto move = game.draw(random);
      REQUIRE((move && *move));
      REQUIRE(game.play(**move));
    }
  }
  return farthest;
}

} // namespace

TEST_CASE("alpha-beta takes the mean of what may be rolled") {
  constexpr double kRounding = 0.002; // of scores, at each of some plies
  CHECK(farthest_off(with_weight("1"), "alphabeta") < kRounding);
  CHECK(farthest_off(with_weight("n"), "alphabeta") < kRounding);
  CHECK(farthest_off(with_weight("10 - 9 * (n - 1)"), "alphabeta") < kRounding);
}

TEST_CASE("alpha-beta plays games that go on by rolls alone, and bundled ones") {
  for (const char* const name : {"pig", "einstein", "royalur", "2048", "cantstop"}) {
    INFO(name);
    const auto loaded = interpreter::load(name);
    REQUIRE(loaded);
    const auto who = runtime::search::make_player("alphabeta", loaded.rules);
    REQUIRE(who);
    Game game(loaded.rules);
    runtime::search::ThinkLimits limits;
    limits.most_nodes = 2000;
    for (int ply = 0; ply < 10; ++ply) {
      const auto outcome = game.outcome();
      REQUIRE(outcome);
      if (*outcome) break;
      const auto thought = (*who)->think(game, limits);
      REQUIRE(thought);
      REQUIRE(thought->move);
      CHECK(thought->value >= 0);
      CHECK(thought->value <= 1);
      REQUIRE(game.play(*thought->move));
    }
  }
}

} // namespace chance_search_test
