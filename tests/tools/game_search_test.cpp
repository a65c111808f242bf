// Which games are meant by what somebody types, at the command line and where a game is chosen.
#include "tests/tools/running.hpp"
#include "tools/games/game_search.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace game_search_test {

using namespace boardwright::tests;
using namespace boardwright::tools;

namespace {

GameEntry entry(const std::string& name, const std::string& family, const std::string& title, int effort = 1,
                const std::string& summary = "", const std::string& also = "") {
  GameEntry game;
  game.name = name;
  game.family = family;
  game.title = title;
  game.players = {"White", "Black"};
  game.effort = effort;
  if (!summary.empty()) game.about.emplace_back("summary", summary);
  if (!also.empty()) game.about.emplace_back("also", also);
  return game;
}

std::vector<GameEntry> some_games() {
  return {entry("fourrow", "rows", "Four Row", 5, "All stones fall."), entry("sixrow", "rows", "Six Row", 9),
          entry("ladder", "climbs", "Ladder", 3, "Balls and castles; frogs may leap."),
          entry("oldladder", "climbs", "Old Ladder", 2, "", "Steps, Stairs of Old")};
}

std::string names(const std::vector<GameEntry>& games) {
  std::string text;
  for (const GameEntry& game : games) text += (text.empty() ? "" : " ") + game.name;
  return text;
}

} // namespace

TEST_CASE("digits are read as the words of numbers") {
  CHECK(plain_title("Connect4") == "connect four");
  CHECK(plain_title("3-check!") == "three check");
  CHECK(plain_title("Chess960") == "chess 960"); // larger ones stay
  CHECK(plain_title("  ") == "");
  CHECK(names(games_meant(some_games(), "4 row").games) == "fourrow");
  CHECK(games_meant(some_games(), "Four-Row").called);
}

TEST_CASE("words of a text are found where they begin, short ones whole, and are no name") {
  const auto all = some_games();
  CHECK(names(games_meant(all, "frog").games) == "ladder");
  CHECK(games_meant(all, "frog").surely == 0);
  CHECK(games_meant(all, "row").surely == 2);
  CHECK(names(games_meant(all, "all").games) == "fourrow"); // neither `Balls`
  CHECK(names(games_meant(all, "stl").games).empty());
  CHECK(names(games_meant(all, "climbs").games) == "ladder oldladder");
  CHECK(games_meant(all, "two players").surely == 4);
  CHECK(games_meant(all, "3 players").games.empty());
  CHECK(names(games_meant(all, "stairs of old").games) == "oldladder"); // what else it is called
}

TEST_CASE("games are proposed for what is no game's name") {
  const auto all = some_games();
  CHECK(names(likely_games(all, "laddr")) == "ladder");
  CHECK(names(likely_games(all, "ROW 6")) == "sixrow");
  CHECK(names(likely_games(all, "frogs")) == "ladder");
  CHECK(names(likely_games(all, "zzzzzz")).empty());
  CHECK(names(simple_games(all)) == "oldladder fourrow"); // one of each family, the simplest first
  CHECK(names(games_like(all, "ladder")) == "oldladder ladder");
  CHECK(names(games_like(all, "nothing of the kind")).empty());
}

TEST_CASE("a name that is none says which games may be meant, and how to play them") {
  const Run four = run("play Connect4");
  CHECK(four.status == 3);
  CHECK(has(four.err, "no rule file or game named `Connect4`; did you mean `connectfour`?"));
  const Run several = run("moves checkers");
  CHECK(several.status == 3);
  CHECK(has(several.err, "did you mean one of these?"));
  CHECK(has(several.err, "  boardwright play englishdraughts  English Draughts\n"));
}

TEST_CASE("a vocabulary that is asked for as a game says which games use it") {
  const Run bundled = run("play draughts");
  CHECK(bundled.status == 1);
  CHECK(has(bundled.err, "`draughts` is a vocabulary for rule files, not a game; games that use it are\n"));
  CHECK(has(bundled.err, "  boardwright play "));
  CHECK_FALSE(has(bundled.err, "missing-section"));
  const Run own = run("moves '" + scratch().file("mine.yaml", "define:\n  near: next(here, all)\n") + "'");
  CHECK(own.status == 1);
  CHECK(has(own.err, "not a game; a game names it in its section `use`\n"));
}

} // namespace game_search_test
