// check --update: writes moves and counts into tests that expect nothing, and nothing else.
#include "interpreter/self_tests/test_update.hpp"

#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

namespace update_tests_test {

using namespace boardwright;
using namespace boardwright::tests;

namespace {

const std::string kGame = R"(# a game
game: Walk
players: { White: north, Black: south }
board: { squares: width by 4 }   # narrow
pieces: { man: w b }
options: { width: { default: 3, range: 2..60 } }
setup: { w: rank(1), b: rank(4) }
turn: from own, step(forward, empty), if here in last_row then win
end: [lose when no move]
tests:
)";

struct Updated {
  Run run;
  std::string text; // of the file, from `tests:` on
};

Updated updated(const std::string& game, const std::string& tests) {
  const std::string path = scratch().file("updated.yaml", game + tests);
  Updated result{run("check --update --no-games " + path), read(path)};
  CHECK(result.text.starts_with(game));
  result.text.erase(0, std::min(game.size(), result.text.size()));
  return result;
}

} // namespace

TEST_CASE("tests that expect nothing are filled in, and their layout is kept") {
  const Updated result = updated(kGame, R"(  - name: opening   # nothing yet

  # a comment
  - name: in the middle
    position:
      cells: |
        . . .
        . w .
        . . .
        b . .
      to_move: White # the last entry
  - name: a picture comes last
    position: |
        . . .
        . w .
        . . .
        b . .
  - { name: flow, set: { width: 5 } }
  - { name: flow over lines,
      position: { to_move: Black, cells: { a3: b } }, } # with a comment
  - name: over
    position: { to_move: White, cells: { a4: w } }
  - name: kept
    count: 3
)");
  INFO(result.run.err);
  CHECK(result.run.status == 0);
  CHECK(result.text == R"(  - name: opening   # nothing yet
    moves: a1-a2 b1-b2 c1-c2
    perft: [3, 9, 24]

  # a comment
  - name: in the middle
    position:
      cells: |
        . . .
        . w .
        . . .
        b . .
      to_move: White # the last entry
    moves: b3-b4
  - name: a picture comes last
    position: |
        . . .
        . w .
        . . .
        b . .
    moves: b3-b4
  - { name: flow, set: { width: 5 }, moves: a1-a2 b1-b2 c1-c2 d1-d2 e1-e2, perft: [5, 25, 120] }
  - { name: flow over lines,
      position: { to_move: Black, cells: { a3: b } }, moves: a3-a2 } # with a comment
  - name: over
    position: { to_move: White, cells: { a4: w } }
    winner: Black
  - name: kept
    count: 3
)");
  CHECK(has(result.run.err, ":11: wrote into `opening`: moves: a1-a2 b1-b2 c1-c2; perft: [3, 9, 24]\n"));
  CHECK(has(result.run.out, "7 tests, passed"));
  const std::string again = read(scratch().path("updated.yaml"));
  CHECK(run("check --update --no-games " + scratch().path("updated.yaml")).err.find("wrote") ==
        std::string::npos);
  CHECK(read(scratch().path("updated.yaml")) == again);
}

TEST_CASE("a file without a line break at its end, and one with Windows' line breaks") {
  CHECK(updated(kGame, "  - name: opening").text ==
        "  - name: opening\n    moves: a1-a2 b1-b2 c1-c2\n    perft: "
        "[3, 9, 24]");
  const Updated windows = updated(kGame, "  - name: opening\r\n  - { name: kept, count: 3 }\r\n");
  CHECK(windows.run.status == 0);
  CHECK(has(windows.text,
            "  - name: opening\n    moves: a1-a2 b1-b2 c1-c2\n    perft: [3, 9, 24]\r\n  - { name"));
}

TEST_CASE("moves that a plain value can't hold are put in quotes") {
  const std::string game = R"(game: Pairs
players: [White, Black]
board: { squares: 2 by 2 }
pieces: { man: w b }
setup: { w: a1 | b1, b: a2 | b2 }
turn: (from a1, lift, put, from b1, lift, put) or (pass) or (pass, say "#")
end: [draw when ply = 3]
tests:
)";
  const Updated result = updated(game, "  - name: opening\n");
  INFO(result.run.err);
  CHECK(result.run.status == 0);
  CHECK(has(result.text, "    moves: [\"a1-a1 b1-b1\", "));
}

TEST_CASE("forty moves are written, of more only how many there are") {
  const Updated forty = updated(kGame, "  - { name: wide, set: { width: 40 } }\n");
  CHECK(has(forty.text, "moves: a1-a2"));
  CHECK(has(forty.text, "perft: [40, 1600]"));
  CHECK(std::count(forty.text.begin(), forty.text.end(), '-') == 41); // the list's own, and forty moves
  for (std::size_t at = 0, end = 0; at < forty.text.size(); at = end + 1) {
    end = std::min(forty.text.find('\n', at), forty.text.size());
    CHECK(end - at <= 100);
  }
  const Updated more = updated(kGame, "  - { name: wide, set: { width: 41 } }\n");
  CHECK_FALSE(has(more.text, "moves:"));
  CHECK(has(more.text, "perft: [41, 1681]"));
}

TEST_CASE("counts are written as far as they are quick, and no deeper than three moves") {
  static_assert(interpreter::kMaxWrittenLeaves == 20'000 && interpreter::kMaxWrittenDepth == 3);
  // 27 times 27 times 27 is below the limit, 28 times 28 times 28 above.
  CHECK(has(updated(kGame, "  - { name: t, set: { width: 27 } }\n").text, "perft: [27, 729, "));
  CHECK(has(updated(kGame, "  - { name: t, set: { width: 28 } }\n").text, "perft: [28, 784] }"));
  const std::string drops = "game: D\nplayers: [A, B]\nboard: { squares: 16 by 16 }\npieces: { man: a b }\n"
                            "turn: place(man, empty)\nend: [draw when no empty]\ntests:\n";
  CHECK(has(updated(drops, "  - name: opening\n").text, "    count: 256\n"));
}

TEST_CASE("what can't be updated is refused, and left as it is") {
  const std::string broken = scratch().file("broken.yaml", kGame + "  - { name: t, moves }\n");
  const std::string before = read(broken);
  const Run refused = run("check --update " + broken);
  CHECK(refused.status == 1);
  CHECK(has(refused.err, "it has errors"));
  CHECK(read(broken) == before);
  CHECK(run("check --update - < " + broken).status == 2);
  CHECK(run("check --update --watch " + broken).status == 2);
  const std::string good = scratch().file("good.yaml", kGame + "  - name: t\n");
  CHECK(run("check --update --set width=4 " + good).status == 2);
  CHECK(run("check --update nosuchgame").status == 3);
  CHECK(run("check --update " + scratch().path("")).status == 3);
  CHECK(read(good) == kGame + "  - name: t\n");
  // A test whose position is wrong is told, and the others are filled in.
  const std::string partly =
      scratch().file("partly.yaml", kGame + "  - { name: bad, position: { play: a1-a3 } }\n  - name: good\n");
  const Run some = run("check --update --no-games " + partly);
  CHECK(some.status == 1);
  CHECK(has(read(partly), "  - { name: bad, position: { play: a1-a3 } }\n  - name: good\n    moves: "));
}

} // namespace update_tests_test
