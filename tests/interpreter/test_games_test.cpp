// What the tests of a file expect of random games.
#include "interpreter/self_tests/test_games.hpp"

#include "dsl/finder.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "runtime/game/playout.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <string>

namespace test_games_test {

using namespace boardwright;
using namespace boardwright::interpreter;

namespace {

// Three in a row: never longer than nine moves, nor shorter than five.
const std::string kRow = R"(game: Row
players: { White: north, Black: south }
board: { squares: 3 by 3 }
pieces: { man: w b }
turn: place(man, empty), if in_row(3) then win
end:
  - draw when no empty
)";
// Never over.
const std::string kForever = R"(game: Forever
players: [White, Black]
board: { squares: 2 by 1 }
pieces: { man: w b }
turn: pass
)";

std::string failures(const std::string& game, const std::string& test) {
  const auto find = dsl::finder_with("game", game + "tests:\n  - { name: t, " + test + " }\n");
  const Loaded loaded = load("game", {}, find);
  if (!loaded) return loaded.errors();
  const TestRun run = run_tests(loaded, "game", {}, find);
  REQUIRE(run.results.size() == 1);
  CHECK(run.results[0].passed == run.diagnostics.all().empty());
  return dsl::render(run.diagnostics, loaded.sources, false);
}

std::string of_row(const std::string& games) { return failures(kRow, "games: { " + games + " }"); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("shares of random games are those of playouts") {
  const auto loaded = load_text("game", kRow);
  REQUIRE(loaded);
  runtime::PlayoutOptions options;
  options.count = 400;
  options.seed = 5;
  const auto played = runtime::playouts(loaded.rules, options);
  REQUIRE(played);
  CHECK(has(of_row("count: 400, seed: 5, White wins: none"),
            std::to_string(played->wins[0]) + " of 400 random games are won by White"));
  CHECK(has(of_row("count: 400, seed: 5, Black wins: none"),
            std::to_string(played->wins[1]) + " of 400 random games are won by Black"));
  CHECK(has(of_row("count: 400, seed: 5, draws: none"),
            std::to_string(played->draws) + " of 400 random games are drawn"));
}

TEST_CASE("bounds of shares belong to what is allowed") {
  // 9 of 16 games are 56.25 %: found by what the first failure says.
  const std::string told = of_row("count: 16, White wins: none");
  const int won = std::stoi(told.substr(told.find("error: ") + 7));
  REQUIRE((won > 0 && won < 16));
  const int exact = won * 625; // hundredths of a percent
  const auto percent = [](int hundredths) {
    const std::string rest = std::to_string(100 + hundredths % 100).substr(1);
    return std::to_string(hundredths / 100) + "." + rest + " %";
  };
  const std::string games = "count: 16, White wins: ";
  CHECK(of_row(games + "at least " + percent(exact)).empty());
  CHECK_FALSE(of_row(games + "at least " + percent(exact + 1)).empty());
  CHECK(of_row(games + "at most " + percent(exact)).empty());
  CHECK_FALSE(of_row(games + "at most " + percent(exact - 1)).empty());
  CHECK(of_row(games + percent(exact) + " .. " + percent(exact)).empty());
  CHECK(of_row(games + "some").empty());
  CHECK_FALSE(of_row(games + "all").empty());
  CHECK(of_row("draws: 0 .. 100 %").empty());
}

TEST_CASE("every random game is as long as `plies` says") {
  CHECK(of_row("plies: 5 .. 9").empty());
  CHECK(of_row("plies: at least 5").empty());
  CHECK(of_row("plies: at most 9").empty());
  CHECK(has(of_row("plies: at most 8"), "is over after 9 plies, but the file says `at most 8`"));
  CHECK(has(of_row("plies: at least 6"), "is over after 5 plies, but the file says `at least 6`"));
  CHECK(has(failures(kForever, "games: { plies: at most 30 }"), "isn't over after 31 plies"));
  CHECK(failures(kForever, "games: { count: 1, plies: at least 3000 }").empty());
}

TEST_CASE("games that are over in time") {
  CHECK(of_row("end within 9 plies: all").empty());
  CHECK(of_row("end within 4 plies: none").empty());
  // However far games are played, it is the same games that are over by then.
  const std::string cut = of_row("end within 7 plies: none");
  const std::string played = of_row("end within 7 plies: none, end within 9 plies: all");
  CHECK(has(cut, "random games are over within 7 plies"));
  CHECK(cut.substr(0, cut.find('\n')) == played.substr(0, played.find('\n')));
  CHECK(failures(kForever, "games: { end within 50 plies: none, draws: none, first player wins: none }")
            .empty());
  CHECK(has(failures(kForever, "games: { end within 50 plies: at least 1 % }"), "0 of 200 random games"));
}

TEST_CASE("random games begin in the test's position, with its options") {
  const std::string won = "position: { to_move: Black, cells: { a1: w, b1: w, a3: b, b3: b } }, ";
  CHECK(failures(kRow, won + "games: { Black wins: at least 50 %, plies: 1 .. 5 }").empty());
  CHECK(failures(kRow, won + "games: { first player wins: at least 50 % }").empty());
  CHECK_FALSE(failures(kRow, won + "games: { White wins: at least 50 % }").empty());
  CHECK(failures(kRow, "position: { fen: wbw/bwb/bwb w }, games: { draws: all, plies: at most 0 }").empty());
}

TEST_CASE("a player that games ask for is one of the players") {
  CHECK(has(of_row("Whit wins: all"), "there is no player `Whit`"));
  CHECK(has(of_row("Whit wins: all"), "did you mean `White`?"));
}

TEST_CASE("random games of a test take no more than so many moves") {
  // 250 games of 2,000 moves are as many as a test may take, 251 are more.
  CHECK(failures(kForever, "games: { count: 250, draws: none }").empty());
  CHECK(has(failures(kForever, "games: { count: 251, draws: none }"),
            "251 of 251 random games have taken 502000 moves, and a test may take 500000"));
}

TEST_CASE("how many random games there may be") {
  CHECK(of_row("count: 100001, draws: none").find("expected a whole number from 1 to 100000") !=
        std::string::npos);
  CHECK(has(of_row("count: 0, draws: none"), "`count` can't be `0`"));
  CHECK(failures(kRow, "position: { fen: wbw/bwb/bwb w }, games: { count: 100000, draws: all }").empty());
  CHECK(has(of_row("end within 100001 plies: all"), "expected a whole number from 1 to 100000"));
  CHECK(of_row("end within 100000 plies: all").empty());
  CHECK(has(of_row("end within 0 plies: all"), "is no bound"));
  CHECK(has(of_row("plies: at most 100001"), "is not a number of moves"));
  CHECK(of_row("plies: at most 100000").empty());
}

TEST_CASE("a fault in a random game fails the test") {
  const std::string rules = "game: F\nplayers: [A, B]\nboard: { squares: 3 by 1 }\npieces: { man: a b }\n"
                            "setup: { a: a1 | b1, b: c1 }\nturn: (require ply < 2, pass)"
                            " or (require ply = 2, from own, lift, go east, lift, put)\n";
  const std::string told = failures(rules, "games: { draws: none }");
  CHECK(has(told, "of seed 1: "));
  CHECK(has(told, "at game:"));
}

TEST_CASE("random games are stopped") {
  const auto loaded = load_text("game", kForever);
  REQUIRE(loaded);
  dsl::GamesEntry games;
  games.claims.emplace_back();
  const std::atomic<bool> stop = true;
  CHECK(check_games(loaded.rules, loaded.rules->program().initial, games, &stop).stopped);
}

} // namespace test_games_test
