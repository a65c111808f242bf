#include "interpreter/self_tests/self_test.hpp"

#include "dsl/finder.hpp"
#include "interpreter/notation/position_text.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <string>

namespace self_test_test {

using namespace boardwright;
using namespace boardwright::interpreter;

namespace {

// Men step forward on a narrow board; who comes to the last row wins.
const std::string kGame = R"(game: Walk
players: { White: north, Black: south }
board: { squares: width by 4 }
pieces: { man: w b }
options:
  width: { default: 3, range: 2..5 }
setup: { w: rank(1), b: rank(4) }
state: { last: none, count: 0, calm: true, store: { each: 0 } }
hands: { man: { White: 2, Black: 1 } }
turn: |
  from own, step(forward, empty), set last = here, set count = count + 1, set store = store + 1,
  if here in last_row then win
end:
  - draw when count = 100
  - lose when no move
)";

struct Ran {
  Loaded loaded;
  TestRun run;

  explicit Ran(const std::string& tests, const Settings& settings = {}, const TestRunOptions& options = {}) {
    const auto find = dsl::finder_with("walk", kGame + "tests:\n" + tests);
    loaded = load("walk", settings, find);
    INFO(loaded.errors());
    REQUIRE(loaded);
    run = run_tests(loaded, "walk", settings, find, options);
  }

  [[nodiscard]] std::string failures() const { return dsl::render(run.diagnostics, loaded.sources, false); }
};

struct Case {
  const char* test;    // what stands after the name
  const char* failure; // part of the message; "" if the test passes
};

void check_cases(std::initializer_list<Case> cases) {
  for (const auto& [test, failure] : cases) {
    const Ran ran("  - { name: t, " + std::string(test) + " }\n");
    INFO(test);
    INFO(ran.failures());
    REQUIRE(ran.run.results.size() == 1);
    CHECK(ran.run.results[0].passed == std::string(failure).empty());
    CHECK(ran.failures().find(failure) != std::string::npos);
    CHECK(ran.failures().empty() == std::string(failure).empty());
  }
}

} // namespace

TEST_CASE("tests of moves") {
  check_cases({{"moves: a1-a2 b1-b2 c1-c2", ""},
               {"moves: c1-c2 a1-a2 b1-b2", ""},
               {"moves: a1-a2 b1-b2", "the legal moves are different: also legal: c1-c2"},
               {"moves: a1-a2 b1-b2 c1-c2 a1-a3", "not legal: a1-a3"},
               {"moves: a1-a2 a1-a2 b1-b2 c1-c2", "named more often than"},
               {"moves: []", "also legal: a1-a2 b1-b2 c1-c2"},
               {"moves include: a1-a2", ""},
               {"moves include: a1-a3", "not legal: a1-a3"},
               {"moves exclude: a1-a3", ""},
               {"moves exclude: a1-a3 a1-a2", "legal, though excluded: a1-a2"},
               {"count: 3", ""},
               {"count: 4", "there are 3 moves, but the file says 4"},
               {"count: a1", "`count` is a whole number"},
               {"perft: [3, 9]", ""},
               {"perft: [3, 8]", "perft 2 is 9, but the file says 8"},
               {"perft: { 2: 9 }", ""},
               {"perft: { 2: 8 }", "perft 2 is 9, but the file says 8"},
               {"perft: { 1: 3, 3: 27 }", "perft 3 is "},
               {"moves: none", "also legal: a1-a2 b1-b2 c1-c2"},
               {"position: { to_move: White, cells: { a4: w, b1: b } }, moves: none", ""},
               {"moves: [none]", "not legal: none"}});
}

TEST_CASE("the entry of a list that is wrong is the one that is shown") {
  const Ran ran("  - { name: t, moves include: a1-a2 a1-a3 }\n");
  CHECK(ran.failures().find(":37: error: not legal: a1-a3") != std::string::npos);
}

TEST_CASE("a draw is nobody's win") {
  check_cases({{"winner: draw", "a game that is drawn has `winner: nobody`"},
               {"winner: drawn", "`winner: none`"},
               {"winner: Red", "there is no player `Red`"}});
}

TEST_CASE("a move with a space that was taken for several") {
  const std::string game = R"(game: Pairs
players: [White, Black]
board: { squares: 2 by 2 }
pieces: { man: w b }
setup: { w: a1 | b1, b: a2 | b2 }
turn: (from a1, lift, put, from b1, lift, put) or (pass)
tests:
)";
  const std::string help = "a move with a space stands in a list, in quotes: [\"a1-a1 b1-b1\"]";
  for (const char* test : {"moves: a1-a1 b1-b1 pass", "moves include: pass a1-a1 b1-b1",
                           "position: { play: pass a1-a1 b1-b1 pass }, count: 2"}) {
    const auto find = dsl::finder_with("pairs", game + "  - { name: t, " + test + " }\n");
    const Loaded loaded = load("pairs", {}, find);
    REQUIRE(loaded);
    const TestRun run = run_tests(loaded, "pairs", {}, find, {});
    INFO(test);
    CHECK(dsl::render(run.diagnostics, loaded.sources, false).find(help) != std::string::npos);
  }
}

TEST_CASE("the move that was meant") {
  check_cases({{"moves include: a1a2", "did you mean `a1-a2`?"},
               {"moves include: a2", "did you mean `a1-a2`?"},
               {"moves include: b1-c2", "did you mean `b1-b2`?"},
               {"moves: a1a2 b1-b2 c1-c2", "did you mean `a1-a2`?"},
               {"after c1c2: { count: 3 }", "did you mean `c1-c2`?"},
               {"position: { play: b1b2 }, count: 3", "did you mean `b1-b2`?"}});
  CHECK(move_meant("b4", {"b2xb4", "b2-b3", "c2-b4"}) == "legal are b2xb4, c2-b4");
  CHECK(move_meant("b2a3", {"b2xa3", "b4"}) == "did you mean `b2xa3`?");
  CHECK(move_meant("b2-b3", {"b2xa3", "b2xc3", "b4"}) == "legal are b2xa3, b2xc3");
  CHECK(move_meant("pas", {"pass", "b4"}) == "did you mean `pass`?");
  CHECK(move_meant("z9", {"pass", "b4"}).empty());
}

TEST_CASE("depths of counts are numbers from 1 to 100") {
  for (const char* depth : {"0", "101", "-1", "two", "1.5"}) {
    const auto find = dsl::finder_with("walk", kGame + "tests: [{ name: t, perft: { " + depth + ": 3 } }]\n");
    const auto loaded = load("walk", {}, find);
    INFO(depth << loaded.errors());
    CHECK(loaded.errors().find("is not a depth") != std::string::npos);
  }
  check_cases({{"position: { cells: { a3: w } }, perft: { 100: 0 }", ""}});
}

TEST_CASE("what a test excludes could be a move's text") {
  check_cases({{"moves exclude: a1-a3 b2-b1 a1xb1", ""},
               {"moves exclude: a1-a5", "no move of this game is written `a1-a5`"},
               {"moves exclude: d1-d2", "`d1` is neither a cell nor anything that it writes"},
               {"moves exclude: hello", "no move of this game is written `hello`"},
               {"moves exclude: [a1-a3 hello]", "`hello` is neither a cell nor anything that it writes"},
               {"moves exclude: pass wb2", ""},
               {"moves exclude: a12", "no move of this game is written `a12`"}});
}

TEST_CASE("a test that excludes moves where the game is over passes with a warning") {
  const Ran ran("  - { name: t, position: { state: { count: 100 } }, moves exclude: a1-a3 }\n");
  CHECK(ran.run.results[0].passed);
  CHECK(ran.failures().find("warning: the game is over here: it is drawn") != std::string::npos);
}

TEST_CASE("a test that expects no move where the game is over passes with a warning") {
  for (const char* expected : {"moves: none", "count: 0"}) {
    const Ran ran("  - { name: t, position: { state: { count: 100 } }, " + std::string(expected) + " }\n");
    CHECK(ran.run.results[0].passed);
    CHECK(ran.failures().find("warning: the game is over here: it is drawn") != std::string::npos);
    CHECK(ran.failures().find("`winner:` says that this is meant") != std::string::npos);
  }
}

TEST_CASE("a test of a position in which the game is over says so") {
  const char* over = "position: { state: { count: 100 } }, ";
  const auto with = [&](const char* entry) { return over + std::string(entry); };
  for (const auto& entry : {with("moves: a1-a2"), with("moves include: a1-a2"), with("count: 3"),
                            with("perft: 3"), with("after a1-a2: { count: 3 }"),
                            std::string("position: { state: { count: 100 }, play: a1-a2 }, count: 3")})
    check_cases({{entry.c_str(), "the game is over here: it is drawn"}, {entry.c_str(), "see walk:"}});
  check_cases(
      {{with("moves: none, winner: nobody").c_str(), ""},
       {with("count: 0, winner: nobody").c_str(), ""},
       {with("perft: 0").c_str(), ""},
       {"position: { to_move: Black, cells: { b4: w } }, moves: b4-b3", "the game is over here: White wins"},
       {"position: { to_move: Black, cells: { b4: w } }, moves: b4-b3", "; there is no move"}});
}

TEST_CASE("tests of positions") {
  check_cases({{"position: { cells: { a2: w } }, moves: a2-a3", ""},
               {"position: { cells: { a2: w, a3: } }, moves: a2-a3", ""},
               {"position: { to_move: Black, cells: { a2: w, b3: b } }, moves: b3-b2", ""},
               {"position: { to_move: Black }, moves: a4-a3 b4-b3 c4-c3", ""},
               {"position: { play: a1-a2 b4-b3 }, to_move: White, state: { count: 2, last: b3 }", ""},
               {"position: { cells: { a1: w, c4: b }, play: a1-a2 }, moves: c4-c3", ""},
               {"position: { ply: 1000000000 }, count: 3", ""},
               {"position: { ply: 1000000001 }, count: 3", "`ply` is above 1000000000"},
               {"position: { ply: 2147483647 }, count: 3", "`ply` is above 1000000000"},
               {"position: { turns: { White: 1000000001 } }, count: 3", "`turns` is above 1000000000"},
               {"position: { play: a1-a3 }, count: 3", "there is no legal move `a1-a3`"},
               {"position: { cells: { a9: w } }, count: 1", "there is no cell `a9`"},
               {"position: { cells: { a2: q } }, count: 1", "no piece has the letter `q`"},
               {"position: { cells: { a2: ww } }, count: 1", "a2"},
               {"position: { to_move: Whte }, count: 3", "did you mean `White`?"},
               {"position: { hands: { White: { king: 1 } } }, count: 3", "there is no kind of piece `king`"},
               {"position: { hands: { White: { man: -1 } } }, count: 3", "this number is below 0"},
               {"position: { hands: none }, hands: { White: { man: 0 }, Black: { man: 0 } }", ""},
               {"position: { hands: { White: none } }, hands: { White: none, Black: { man: 1 } }", ""},
               {"hands: none", "White has 2 `man` in hand, but the file says 0"},
               {"position: { state: { last: [b2, c2] } }, state: { last: b2 | c2 }", ""},
               {"state: { last: [] }", ""},
               {"position: { state: { count: [b2] } }, count: 3", "a list of cells can't be given here"},
               {"position: { fen: bbb/3/1w1/3 w }, moves: b2-b3", ""},
               {"position: bbb/3/1w1/3 w, moves: b2-b3", ""},
               {"position: { fen: bbb/3/1w1/3 b, to_move: White, ply: 7 }, moves: b2-b3", ""},
               {"position: { fen: bbb/3/1w1 w }, moves: b2-b3", "this FEN has 3 ranks, but the board has 4"},
               {"position: { out: Black }, count: 3", ""},
               {"position: { state: { cont: 1 } }, count: 3", "did you mean `count`?"},
               {"position: { state: { count: a1 } }, count: 3", "expected a whole number"},
               {"position: { state: { count: 100 } }, winner: nobody, moves: []", ""},
               {"position: { state: { count: { White: 1 } } }, count: 3", "one value for all players"}});
}

TEST_CASE("a position as a picture") {
  const Ran good(
      "  - name: t\n    position: |\n      ..b\n      w..\n      ...\n      ...\n    moves: a3-a4\n");
  CHECK(good.failures().empty());
  const Ran rows("  - name: t\n    position: |\n      ..b\n    moves: a3-a4\n");
  CHECK(rows.failures().find("the board has 4 ranks, but the picture shows 1") != std::string::npos);
  const Ran row("  - name: t\n    position: |\n      ..b.\n      ...\n      ...\n      ...\n    count: 0\n");
  CHECK(row.failures().find("this row has 4 symbols, but the board has 3 files") != std::string::npos);
}

TEST_CASE("tests of what follows a move") {
  check_cases(
      {{"after a1-a2: { cells: { a2: w, b1: w, c1: w, a4: b, b4: b, c4: b } }", ""},
       {"after a1-a2: { cells: { b2: w, b1: w, c1: w, a4: b, b4: b, c4: b } }",
        "the board is different: a2 holds `w`, not nothing, b2 holds nothing, not `w`"},
       {"after a1-a2: { to_move: Black, winner: none }", ""},
       {"after a1-a2: { to_move: White }", "Black is to move, but the file says White"},
       {"after a1-a2: { winner: White }", "the game goes on, but the file says `White`"},
       {"after a1-a2: { moves: a4-a3 b4-b3 c4-c3 }", ""},
       {"after a1-a3: { winner: none }", "there is no legal move `a1-a3`"},
       {"after a1-a2: { state: { last: a2, calm: true, store: { White: 1, Black: 0 } } }", ""},
       {"after a1-a2: { state: { last: a2 | b2 } }", "`last` is a2, but the file says a2 | b2"},
       {"after a1-a2: { state: { last: a1..b2 } }", "the file says a1 | b1 | a2 | b2"},
       {"after a1-a2: { state: { calm: false } }", "`calm` is true, but the file says false"},
       {"after a1-a2: { state: { store: { White: 2 } } }", "`White.store` is 1, but the file says 2"},
       {"after a1-a2: { hands: { White: { man: 2 } } }", ""},
       {"after a1-a2: { hands: { Black: { man: 2 } } }", "Black has 1 `man` in hand, but the file says 2"},
       {"position: { cells: { a3: w } }, after a3-a4: { winner: White }", ""},
       {"position: { cells: { a3: w } }, after a3-a4: { winner: nobody }", "the winner is White"},
       {"winner: none, to_move: White, state: { count: 0 }", ""}});
}

TEST_CASE("settings load the file again") {
  const Ran ran("  - { name: a, set: { width: 5 }, count: 5 }\n"
                "  - { name: b, set: { width: 5 }, position: { cells: { e2: w } }, moves: e2-e3 }\n"
                "  - { name: c, set: { width: 9 }, count: 5 }\n"
                "  - { name: d, count: 4 }\n",
                {{"width", "4"}});
  REQUIRE(ran.run.results.size() == 4);
  CHECK(ran.run.results[0].passed);
  CHECK(ran.run.results[1].passed);
  CHECK_FALSE(ran.run.results[2].passed);
  CHECK(ran.run.results[3].passed); // the user's settings hold where the test sets nothing
  CHECK(ran.failures().find("the file can't be loaded with these settings") != std::string::npos);
}

TEST_CASE("a failure points at the line that expects something else") {
  const Ran ran("  - name: t\n    moves include: a1-a2\n    perft: [3, 8]\n");
  REQUIRE(ran.run.diagnostics.all().size() == 1);
  const auto span = ran.run.diagnostics.all()[0].span;
  CHECK(ran.loaded.sources.text(span.file).substr(span.begin, span.end - span.begin) == "8");
}

TEST_CASE("a run of tests can be followed and stopped") {
  std::atomic<bool> stop = false;
  TestRunOptions options;
  options.stop = &stop;
  int seen = 0;
  options.progress = [&](const TestResult&) { stop = ++seen == 2; };
  const Ran ran("  - { name: a, count: 3 }\n  - { name: b, count: 4 }\n  - { name: c, count: 3 }\n", {},
                options);
  CHECK(ran.run.stopped);
  REQUIRE(ran.run.results.size() == 2);
  CHECK(ran.run.results[0].passed);
  CHECK_FALSE(ran.run.results[1].passed);
}

} // namespace self_test_test
