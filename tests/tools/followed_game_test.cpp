// The past of a game in the words of a protocol, kept up to date.
#include "interpreter/notation/position_text.hpp"
#include "tests/rule_files.hpp"
#include "tools/engines/followed_game.hpp"

#include <catch2/catch.hpp>

namespace followed_game_test {

using namespace boardwright;
using namespace boardwright::tests;
using tools::FollowedGame;
using tools::Protocol;

namespace {

void play(runtime::Game& game, const std::string& moves) {
  std::istringstream in(moves);
  for (std::string word; in >> word;) {
    const auto move = game.find(word);
    REQUIRE(move);
    REQUIRE(*move);
    REQUIRE(game.play(**move));
  }
}

} // namespace

TEST_CASE("a game is followed, through moves that are taken back, to another one") {
  const auto rules = load_rules("chess");
  FollowedGame followed(Protocol::uci);
  runtime::Game game(rules);
  CHECK(followed.follow(game) == false); // there was none before
  CHECK(followed.command() == "position startpos");
  play(game, "e2-e4 e7-e5");
  CHECK(followed.follow(game) == true);
  CHECK(followed.command() == "position startpos moves e2e4 e7e5");
  CHECK(followed.follow(game) == true); // the same again
  play(game, "g1-f3 b8-c6");
  CHECK(followed.follow(game) == true);
  CHECK(followed.command() == "position startpos moves e2e4 e7e5 g1f3 b8c6");
  game.undo(), game.undo(), game.undo();
  play(game, "d7-d5");
  CHECK(followed.follow(game) == false);
  CHECK(followed.command() == "position startpos moves e2e4 d7d5");
  runtime::Game other(rules);
  CHECK(followed.follow(other) == false);
  CHECK(followed.command() == "position startpos");
  followed.forget();
  CHECK(followed.follow(other) == false);
}

TEST_CASE("a beginning that isn't the set-up is told as a position") {
  const auto rules = load_rules("breakthrough");
  auto read = interpreter::read_position(rules, "test", "8/3w4/8/8/8/8/1b6/8 White");
  REQUIRE(read.game);
  FollowedGame ugi(Protocol::ugi), uci(Protocol::uci);
  play(*read.game, "d7-d8");
  CHECK(ugi.follow(*read.game) == false);
  CHECK(ugi.command() == "position fen 8/3w4/8/8/8/8/1b6/8 w moves d7-d8");
  CHECK(uci.follow(*read.game) == false);
  CHECK(uci.command() == "position fen 8/3P4/8/8/8/8/1p6/8 w - - 0 1 moves d7d8");
  runtime::Game game(rules);
  CHECK(ugi.follow(game) == false);
  CHECK(ugi.command() == "position startpos");
}

} // namespace followed_game_test
