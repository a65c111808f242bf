// Turns that a search skips.
#include "runtime/game/for_search.hpp"
#include "runtime/search/alpha_beta.hpp"
#include "tests/runtime/search/searching.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

namespace boardwright::runtime::search::skip_test {

namespace {

// How many positions were left out since a turn could be skipped.
int left_out(const std::string& name, std::uint64_t most_nodes) {
  const auto rules = rules_of(name);
  AlphaBetaOptions options;
  options.counts = true;
  const auto thought = make_alpha_beta(std::make_shared<const Features>(rules), options)
                           ->think(Game(rules), nodes(most_nodes));
  REQUIRE(thought);
  const std::size_t at = thought->remark.find("first move; ");
  REQUIRE(at != std::string::npos);
  return std::stoi(thought->remark.substr(at + 12));
}

} // namespace

TEST_CASE("a turn that is skipped is the other player's, and is taken back like a move") {
  Game game(rules_of("chess"));
  const std::uint64_t before = game.key();
  REQUIRE(skip_turn(game));
  CHECK(game.to_move() == 1);
  CHECK(game.length() == 1);
  CHECK(game.key() != before);
  CHECK(game.moves()->size() == 20);
  CHECK(game.position().turns == std::vector<std::int32_t>{1, 0});
  const auto move = game.find("e7-e5");
  REQUIRE(move);
  REQUIRE(game.play(**move));
  CHECK(game.to_move() == 0);
  CHECK(game.undo());
  CHECK(game.undo());
  CHECK(game.key() == before);
  CHECK(game.to_move() == 0);
  CHECK(game.moves()->size() == 20);
  CHECK_FALSE(game.undo());
}

TEST_CASE("where the game is over no turn is skipped") {
  Game game(rules_of("tictactoe"));
  for (const char* text : {"a1", "a2", "b1", "b2"}) REQUIRE(game.play(**game.find(text)));
  CHECK(skip_turn(game));
  CHECK(game.undo());
  REQUIRE(game.play(**game.find("c1")));
  const std::uint64_t over = game.key();
  CHECK_FALSE(skip_turn(game));
  CHECK(game.key() == over);
  CHECK(game.length() == 5);
}

TEST_CASE(
    "turns are skipped where that was found to be worse than to move, and not where captures are forced") {
  CHECK(left_out("chess", 100'000) > 0);
  CHECK(left_out("englishdraughts", 20'000) == 0);
  CHECK(left_out("backgammon", 2'000) == 0);
}

TEST_CASE("the game that is thought about knows nothing of skipped turns") {
  const auto rules = rules_of("xiangqi");
  Game game(rules);
  const std::uint64_t before = game.key();
  const auto thought = make_alpha_beta(rules)->think(game, nodes(30'000));
  REQUIRE(thought);
  CHECK(game.key() == before);
  for (const std::string& text : thought->line) { // each is a move of the player to move
    const auto move = game.find(text);
    REQUIRE(move);
    REQUIRE(*move);
    REQUIRE(game.play(**move));
  }
}

// Where a turn was skipped whoever moved last finds his own man on that cell, and drops nothing.
TEST_CASE("a rule that goes wrong where a turn was skipped is no fault of the game") {
  const auto loaded = interpreter::load_text(
      "no_skips.yaml", "extends: breakthrough\n"
                       "state: { last: none }\n"
                       "turn: from own, (if count(last & own) > 0 then (drop kind(b4) on b4)),\n"
                       "  (step(forward, empty) or step(ahead & diagonal, ~own)), set last = here,\n"
                       "  if here in last_row then win\n");
  if (!loaded) FAIL(loaded.errors());
  Game game(loaded.rules);
  REQUIRE(game.play(**game.find("a2-a3")));
  REQUIRE(skip_turn(game));
  CHECK_FALSE(game.moves());
  CHECK(game.undo());
  CHECK(game.moves()->size() == 22);
  const auto thought = make_alpha_beta(loaded.rules)->think(game, nodes(60'000));
  REQUIRE(thought);
  CHECK(thought->remark.empty());
  CHECK(thought->nodes > 60'000 - 2);
}

} // namespace boardwright::runtime::search::skip_test
