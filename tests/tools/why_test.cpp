// `why`: which rule allows a move, or what stops it, down to the words of the file.
#include "interpreter/load.hpp"
#include "tools/english/reasons.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

namespace why_test {

using namespace boardwright;

namespace {

constexpr const char* kRules = R"(
game: Test
players: { White: north, Black: south }
board: { squares: 4 by 4 }
pieces: { man: w b, king: W B }
setup: { w: a1 | b1, W: d1, b: a2 | c2, B: d4 }
define:
  hop: lift, go forward, at enemy, go forward, at empty, put
  guarded: some enemy man & next(d4, all)
turn: |
  (from own man, (step(forward, empty) or hop))
  or (from own king, step(all, ~own), require not guarded)
end:
  - lose when no own king
)";

// The answer as text, without the name of the file.
std::string why(const std::string& asked, const std::string& rules = kRules) {
  const auto loaded = interpreter::load_text("game.yaml", rules);
  REQUIRE(loaded);
  runtime::Game game(loaded.rules);
  const auto text = tools::reasons_text(loaded, game, asked);
  REQUIRE(text);
  return *text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("why tells the rule that allows a move", "[why]") {
  CHECK(why("b1-b2") == "b1-b2 is legal, by\n  game.yaml:11:19: step(forward, empty)\n");
  CHECK(why("A1-A3") ==
        "A1-A3 is legal, by\n  game.yaml:8:8: lift, go forward, at enemy, go forward, at empty, put\n");
}

TEST_CASE("why takes moves as players of chess write them", "[why]") {
  const auto loaded = interpreter::load("chess");
  REQUIRE(loaded);
  runtime::Game game(loaded.rules);
  const auto text = tools::reasons_text(loaded, game, "Nf3");
  REQUIRE(text);
  CHECK(has(*text, "Nf3 is written g1-f3, which is legal"));
}

TEST_CASE("why tells what the piece carries that a move may go by", "[why]") {
  const std::string rules = "game: T\nplayers: { White: north, Black: south }\nboard: { squares: 3 by 3 }\n"
                            "pieces: { man: w b }\nsetup: { w: a1, b: c3 }\nstate:\n"
                            "  looks: { each piece: none, some of: all, setup: { forward: own } }\n"
                            "  steps: { each piece: 0, range: 0..9, setup: { 4: a1 } }\n"
                            "turn: from own, require steps < 5, step(looks, empty), set steps = steps + 1\n"
                            "end: [lose when no move]\n";
  const std::string answer = why("a1-b1", rules);
  INFO(answer);
  CHECK(has(answer, "a1-b1 is not legal"));
  CHECK(has(answer, " (a1 carries looks N, steps 4)"));
  CHECK(has(why("a1", rules), "a1 holds a man of White's (a1 carries looks N, steps 4), and can move"));
}

TEST_CASE("why tells the beginning of moves, and moves that begin like what was asked", "[why]") {
  const std::string rules = "game: T\nplayers: { White: north, Black: south }\nboard: { squares: 3 by 14 }\n"
                            "pieces: { man: w b }\nsetup: { w: a1, b: a13 | c1 }\n"
                            "turn: from own, step(all, empty), (step(all, empty) or ride(east, empty))\n"
                            "end: [lose when no move]\n";
  CHECK(why("a1-b1", rules) ==
        "a1-b1 is the beginning of 4 legal moves: a1-b1-a1 a1-b1-a2 a1-b1-b2 a1-b1-c2\n");
  const std::string other = why("a1-b2-c7", rules);
  INFO(other);
  CHECK(has(other, "a1-b2-c7 is not legal"));
  CHECK(has(other, "; a1-b2 can go on: a1-b2-a1 a1-b2-a2 "));
  CHECK_FALSE(has(other, "a1-a2-"));
  CHECK(has(why("a1-b15", rules), ": there is no cell b15"));
  CHECK(why("z", rules) == "there is no piece with the letter `z`\n");
  CHECK(has(why("a13-a12", rules), "a13 holds a man of Black's"));
}

TEST_CASE("why names what stands in the way", "[why]") {
  const auto loaded = interpreter::load("chess");
  REQUIRE(loaded);
  runtime::Game game(loaded.rules);
  const auto text = tools::reasons_text(loaded, game, "a1-a8");
  REQUIRE(text);
  CHECK(has(*text, "\n  on the way to a8, a2 holds a pawn of White's\n"));
  const auto many = tools::reasons_text(loaded, game, "b1-e6");
  CHECK(has(*many, "e6 is not among the cells to go to"));
}

TEST_CASE("why knows a move whose notation is empty", "[why]") {
  const std::string rules = "game: T\nplayers: [White, Black]\nboard: { squares: 2 by 2 }\n"
                            "pieces: { man: w b }\nstate: { n: 0 }\nturn: (set n = 1) or (pass, say \"x\")\n"
                            "end: [lose when no move]\n";
  CHECK(has(why("", rules), " is legal, by\n  game.yaml:6:8: set n = 1\n"));
  CHECK(has(why("passy", rules), "passy is not legal"));
}

TEST_CASE("why tells what stands in the way of each rule", "[why]") {
  const std::string stopped = why("b1-c2");
  INFO(stopped);
  CHECK(has(stopped, "b1-c2 is not legal"));
  CHECK(has(stopped, "b1-b2")); // what there is instead
  CHECK(has(stopped, "  b2 is empty\n      game.yaml:8:26: at enemy\n"));
}

TEST_CASE("why goes down into words of the vocabulary, and tells conditions", "[why]") {
  const std::string man = why("a1-a2");
  INFO(man);
  CHECK(has(man, "  a2 holds a man of Black's\n"));
  CHECK(has(man, "(in `step`)\n      game.yaml:11:19: step(forward, empty)\n"));
  std::string rules = kRules;
  rules.replace(rules.find("b: a2 | c2"), 10, "b: a2 | c3");
  const std::string king = why("d1-c2", rules);
  INFO(king);
  CHECK(has(
      king,
      "  Black has a man on cells straight or diagonally beside d4 (c3)\n      `not guarded` doesn't hold"));
}

TEST_CASE("why tells what goes before a move, and of a move that is made and refused only that", "[why]") {
  std::string rules = kRules;
  const std::string turn = "or (from own king, step(all, ~own), require not guarded)";
  rules.replace(rules.find("(from own man, (step(forward, empty) or hop))"), 45,
                "((from own man, hop) otherwise (from own man, step(forward, empty)))");
  const std::string first = why("b1-b2", rules);
  INFO(first);
  CHECK(has(first, "b1-b2 is not legal"));
  CHECK(has(first, "  this can be done, and goes before what stands behind `otherwise`: a1-a3\n      "
                   "game.yaml:11:5: from own man, hop\n"));
  std::string refused = kRules;
  refused.replace(refused.find(turn), turn.size(),
                  "or (from own king, step(all, ~own), require no enemy man & a2)");
  const std::string king = why("d1-d2", refused);
  INFO(king);
  CHECK(has(king, "`no enemy man & a2` doesn't hold, because of a2\n"));
  CHECK_FALSE(has(king, "from own man"));
}

TEST_CASE("why tells what is about the move, and not about others from its cell", "[why]") {
  const std::string castle = R"(
game: Test
players: { White: north, Black: south }
board: { squares: 4 by 4 }
pieces: { king: W B, rook: R r }
setup: { W: a1, R: d1, B: d4, r: b4 }
turn: |
  (from own king, step(north | east, empty), require no own king & file(2))
  or (from own king, require some own rook & d2, lift, go 2 * east, put)
end: [lose when no own king]
)";
  const std::string text = why("a1-c1", castle);
  INFO(text);
  CHECK(has(text, "require some own rook & d2"));
  CHECK_FALSE(has(text, "require no own king & file(2)")); // this one alone stands in the way
}

TEST_CASE("why takes a cell, or a piece's letter", "[why]") {
  CHECK(has(why("b1"), "b1 holds a man of White's, and can move: b1-b2\n"));
  CHECK(has(why("c3"), "c3 is empty; no move begins here\n"));
  const std::string men = why("w");
  CHECK(has(men, "a1 holds a man of White's"));
  CHECK(has(men, "b1 holds a man of White's"));
  CHECK(why("x") == "there is no piece with the letter `x`\n");
  CHECK(why("Man") == men);
}

TEST_CASE("why asks of a letter's pieces no longer than one question may take", "[why]") {
  const auto answer = [](const char* game, const char* letter) {
    const interpreter::Loaded loaded = interpreter::load(game);
    runtime::Game begun(loaded.rules);
    const auto text = tools::reasons_text(loaded, begun, letter);
    REQUIRE(text);
    return *text;
  };
  CHECK(has(answer("fanorona", "w"), "more `w` have not been asked: name the cell\n"));
  CHECK_FALSE(has(answer("chess", "P"), "have not been asked"));
}

TEST_CASE("why tells how a game ended", "[why]") {
  std::string over = kRules;
  over.replace(over.find("W: d1, "), 7, "");
  CHECK(has(why("b1-b2", over), "the game is over here: Black wins: no own king; see game.yaml:14:5"));
}

TEST_CASE("why tells where no rule leads", "[why]") {
  CHECK(has(why("b1-b4"), "b1-b4 is not legal: no rule leads from b1 to b4; there is b1-b2\n"));
  // A rule leads there, and something stops it.
  CHECK_FALSE(has(why("a1-a2"), "no rule leads"));
  // Nobody sets out from there.
  CHECK_FALSE(has(why("c3-c4"), "no rule leads"));
}

TEST_CASE("why knows the positions that were before", "[why]") {
  const std::string rules = R"(
game: Test
players: { White: north, Black: south }
board: { squares: 3 by 3 }
pieces: { man: w b }
setup: { w: a1, b: c3 }
turn: from own, step(orthogonal, empty), require board_repeats = 0
end: [lose when no move]
)";
  const auto loaded = interpreter::load_text("game.yaml", rules);
  REQUIRE(loaded);
  runtime::Game game(loaded.rules);
  for (const char* move : {"a1-a2", "c3-c2", "a2-a1"}) {
    const auto found = game.find(move);
    REQUIRE((found && *found));
    REQUIRE(game.play(**found));
  }
  const auto text = tools::reasons_text(loaded, game, "c2-c3");
  REQUIRE(text);
  CHECK(has(*text, "c2-c3 is not legal"));
  CHECK(has(*text, "`board_repeats = 0` doesn't hold: the board has been like this before"));
}

TEST_CASE("why tells which part of a set a cell is not in", "[why]") {
  const std::string pits = R"(
game: Test
players: { South: north, North: south }
board: { squares: 3 by 2, stacks: true }
pieces: { seed: neutral s }
setup: { ss: board }
define: { pits: { South: rank(1), North: rank(2) } }
turn: from pits & seed, lift, go east, put
end: [lose when no move]
)";
  const std::string text = why("a2-b2", pits);
  INFO(text);
  CHECK(has(text,
            "a2 holds 2 pieces, a neutral seed on top, which is not in `rank(1)`; it could be a1, b1, c1"));
}

namespace {

// Sowing along a ring of six pits: on from the last one until that was empty.
constexpr const char* kSowing = R"(
game: Test
players: [South, North]
board: { squares: 3 by 2, stacks: true, tracks: { ring: a1 b1 c1 c2 b2 a2 a1 } }
pieces: { seed: neutral s }
setup: { ss: a1 | c1, s: b1 | c2 }
define:
  sow: let n = height(here), quietly (lift, (go ring, put 1){n})
turn: from seed, (sow)+! until height(here) = 1
end: [draw when ply = 50]
)";

} // namespace

TEST_CASE("why tells which test ended a loop, what stood there, and where it went on", "[why]") {
  // a1: b1, c1, and on with its three: c2, b2, a2
  const std::string until = why("a1", kSowing);
  INFO(until);
  CHECK(has(until, "a1 is legal, by\n"));
  CHECK(has(until,
            "  it ends on a2, where `height(here) = 1` holds: a2 holds a neutral seed; it went on from c1\n"
            "      game.yaml:9:18: (sow)+! until height(here) = 1\n"));
}

TEST_CASE("why tells how often a loop went round", "[why]") {
  std::string rules = kSowing;
  rules.replace(rules.find("(sow)+! until height(here) = 1"), 30, "sow");
  const std::string times = why("a1", rules);
  INFO(times);
  CHECK(has(times, "  it goes round 2 times, and ends on c1: c1 holds 3 pieces, a neutral seed on top\n"
                   "      game.yaml:8:45: (go ring, put 1){n}\n"));
}

TEST_CASE("why tells what kept a loop from going on", "[why]") {
  std::string rules = kRules;
  rules.replace(rules.find("step(forward, empty) or hop"), 27, "lift, (go forward, at empty)+!, put");
  const std::string text = why("b1-b4", rules);
  INFO(text);
  CHECK(has(text, "b1-b4 is legal, by\n"));
  CHECK(has(text,
            "it ends on b4, for it can't go on: b4 is empty; at `go forward` no cell lies in that direction "
            "from b4; it went on from b1, b2, b3\n"));
  // One that may stop anywhere has no reason to.
  rules.replace(rules.find(")+!, put"), 8, ")+, put");
  CHECK_FALSE(has(why("b1-b3", rules), "it ends on"));
}

TEST_CASE("why tells that a loop had ended before the cell that is asked for", "[why]") {
  std::string rules = kRules;
  rules.replace(rules.find("step(forward, empty) or hop"), 27,
                "lift, (go forward, at empty)+ until here in rank(2), put");
  const std::string text = why("b1-b4", rules);
  INFO(text);
  CHECK(has(text, "b1-b4 is not legal"));
  CHECK(has(text, "it ends on b2, where `here in rank(2)` holds: b2 is empty"));
}

TEST_CASE("why tells sixteen places where a loop went on, and no more", "[why]") {
  const auto up_to = [](int cells) {
    const std::string last = "a" + std::to_string(cells);
    return why("a1-" + last,
               "game: T\nplayers: { White: north, Black: south }\nboard: { squares: 1 by " +
                   std::to_string(cells) +
                   " }\npieces: { man: w b }\nsetup: { w: a1 }\n"
                   "turn: from own, lift, (go forward, at empty)+!, put\nend: [lose when no move]\n");
  };
  CHECK(has(up_to(17), "a15, a16\n")); // from a1
  CHECK(has(up_to(18), "a15, a16\n"));
}

namespace {

constexpr const char* kDraughts = R"(
game: T
players: { White: north, Black: south }
board: { squares: 6 by 6 }
pieces: { man: w b }
setup: { w: b2 | e1, b: c3 | e5 | c5 }
define:
  free(c): no next(c, orthogonal) & own
turn: (from own, (capture(diagonal, enemy))+!) otherwise (from own, step(ahead, empty), require free(here))
end: [lose when no move]
)";

} // namespace

TEST_CASE("why tells first, and alone, that a capture is compulsory or must go on", "[why]") {
  CHECK(why("e1-e2", kDraughts) ==
        "e1-e2 is not legal\nwhat stops it:\n  a capture is compulsory: b2xd4xb6 b2xd4xf6\n"
        "      game.yaml:9:8: from own, (capture(diagonal, enemy))+!\n");
  const std::string short_way = why("b2xd4", kDraughts);
  INFO(short_way);
  CHECK(has(short_way, "b2xd4 is the beginning of 2 legal moves"));
}

TEST_CASE("why opens bodies down to the words that failed, with the numbers that were compared", "[why]") {
  std::string rules = kDraughts;
  rules.replace(rules.find("c3 | e5 | c5"), 12, "a6");
  rules.replace(rules.find("b2 | e1"), 7, "b2 | c1");
  const std::string text = why("c1-c2", rules);
  INFO(text);
  CHECK(has(text, "  `no next(c, orthogonal) & own` doesn't hold, because of b2\n      game.yaml:9:89: "
                  "require free(here)\n"));
  rules.replace(rules.find("no next(c, orthogonal) & own"), 28, "count(next(c, all) & own) < 1");
  const std::string numbers = why("c1-c2", rules);
  INFO(numbers);
  CHECK(has(numbers, "`count(next(c, all) & own) < 1` doesn't hold: it is 1\n"));
}

TEST_CASE("why doesn't tell of placements where one's own piece stands", "[why]") {
  const std::string rules =
      "game: T\nplayers: [White, Black]\nboard: { squares: 3 by 3 }\npieces: { man: w b }\n"
      "setup: { w: a1 | b1, b: a2 | b2 }\nturn: (from own, step(north, empty)) or place(man, empty)\n"
      "end: [lose when no move]\n";
  for (const char* asked : {"a1-c3", "a1"}) {
    const std::string text = why(asked, rules);
    INFO(text);
    CHECK_FALSE(has(text, "place(man, empty)"));
  }
  CHECK(has(why("a1-a2", rules), "step(north, empty)"));
}

TEST_CASE("why tells of placements what the cell lacks", "[why]") {
  const std::string rules =
      "game: T\nplayers: [White, Black]\nboard: { squares: 3 by 3 }\n"
      "pieces: { man: w b }\nturn: place(man, empty & rank(1))\nend: [lose when no move]\n";
  for (const char* asked : {"b2", "b2=w"}) {
    const std::string text = why(asked, rules);
    INFO(text);
    CHECK(has(text, ": place(man, empty & rank(1))\n"));
    CHECK(has(text, "  b2 is empty, and isn't one of these cells; it could be a1, b1, c1\n"));
  }
}

TEST_CASE("why doesn't tell the end of a loop that may end as an obstacle", "[why]") {
  std::string rules = kDraughts;
  rules.replace(rules.find("c3 | e5 | c5"), 12, "c3 | e6");
  rules.replace(rules.find("require free(here)"), 18, "require here in rank(5)");
  const std::string text = why("b2xd4xf6", rules);
  INFO(text);
  CHECK(has(text, "b2xd4xf6 is not legal"));
}

TEST_CASE("why end tells of each line why the game isn't over, or which one has ended it", "[why]") {
  const std::string open = why("end");
  INFO(open);
  CHECK(has(open, "the game is not over; White is to move\nthe lines of `end`:\n"));
  CHECK(has(open,
            "\n  `no own king` doesn't hold, because of d1\n      game.yaml:14:5: lose when no own king\n"));
  CHECK(has(open, "because of d1"));
  const std::string rules = "game: T\nplayers: { White: north, Black: south }\nboard: { squares: 3 by 3 }\n"
                            "pieces: { man: w b }\nsetup: { w: a1, b: c3 }\nstate: { idle: 0 }\n"
                            "define: { tired: idle >= 7 }\n"
                            "turn: from own, step(all, empty), set idle = idle + 1\n"
                            "end: [lose when no move, draw when tired, win when count(enemy) < 1]\n";
  const std::string lines = why("END", rules);
  INFO(lines);
  CHECK(has(lines, "\n  `no move` doesn't hold: there is a1-"));
  CHECK(has(
      lines,
      "  `idle >= 7` doesn't hold: it is 0\n      game.yaml:9:26: draw when tired\n")); // the body is opened
  CHECK(has(lines, "`count(enemy) < 1` doesn't hold: it is 1\n"));
  // What a move decides is told beside them.
  const std::string deciding = "game: T\nabout: { aim: Be first. }\nplayers: { White: north, Black: south }\n"
                               "board: { squares: 3 by 3 }\npieces: { man: w b }\nsetup: { w: a1, b: c3 }\n"
                               "turn: from own, step(all, empty), if here in last_row then win\n";
  CHECK(has(why("end", deciding), "White is to move. A move can end the game: you win if the piece comes to "
                                  "the last row. The aim: Be first.\n"));
  std::string over = rules;
  over.replace(over.find("b: c3"), 5, "b: none");
  const std::string ended = why("end", over);
  INFO(ended);
  CHECK(has(ended, "the game is over here: "));
  CHECK(has(ended, "  this holds\n      game.yaml:9:43: win when count(enemy) < 1\n"));
  CHECK(has(ended, "`no move` doesn't hold"));
}

TEST_CASE("why tells a condition as a player would say it first, and the words of the file last") {
  const auto loaded = interpreter::load("chess");
  REQUIRE(loaded);
  runtime::Game game(loaded.rules);
  for (const char* move : {"e2-e4", "e7-e5", "d2-d4", "f8-b4"}) {
    const auto found = game.find(move);
    REQUIRE((found && *found));
    REQUIRE(game.play(**found));
  }
  const auto text = tools::reasons_text(loaded, game, "b1-a3");
  REQUIRE(text);
  INFO(*text);
  CHECK(has(*text, "what stops it:\n  White is in check (e1)\n      `not checked` doesn't hold: "));
  CHECK(has(*text, ": require not checked\n"));
}

TEST_CASE("why tells how far a move goes as legal ones do, and how these go on") {
  const auto loaded = interpreter::load("intermedium");
  REQUIRE(loaded);
  runtime::Game game(loaded.rules);
  const auto back = tools::reasons_text(loaded, game, "a4-b3-a4");
  REQUIRE(back);
  CHECK(*back == "a4-b3-a4 is not legal: no rule leads on so from a4-b3; a4-b3 can go on: a4-b3-c4\n");
  const auto far = tools::reasons_text(loaded, game, "c4-d6");
  REQUIRE(far);
  INFO(*far);
  CHECK(has(*far, "; c4 can go on: c4-b3 c4-b5 c4-d3 c4-d5\n")); // not a list of thirty moves
  CHECK_FALSE(has(*far, "well_opened"));                         // which is asked of moves to other cells
}

TEST_CASE("where no move is left why still tells what stops one") {
  const std::string stuck = "game: Stuck\nplayers: [White, Black]\nboard: { squares: 5 by 5 }\n"
                            "pieces: { man: w b }\nsetup: { w: a1, b: e5 }\n"
                            "turn: from own, step(north, empty), require count(own) > 3\n";
  const std::string answer = why("a1-a2", stuck);
  CHECK(has(answer, "the game is over here: a draw: no move\na1-a2 is not legal\n"));
  CHECK(has(answer, "`count(own) > 3` doesn't hold: it is 1\n"));
  CHECK_FALSE(has(why("end", stuck), "is not legal"));
}

namespace {

std::string of_game(const char* game, const char* asked) {
  const interpreter::Loaded loaded = interpreter::load(game);
  REQUIRE(loaded);
  runtime::Game begun(loaded.rules);
  const auto text = tools::reasons_text(loaded, begun, asked);
  REQUIRE(text);
  return *text;
}

int times(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

} // namespace

TEST_CASE("why tells of what stands on a straight way only to pieces that go it") {
  CHECK(has(of_game("chess", "a1-a8"), "on the way to a8, a2 holds a pawn of White's"));
  const std::string knight = of_game("chess", "b1-b4");
  INFO(knight);
  CHECK(has(knight, "b4 is not among the cells to go to"));
  CHECK_FALSE(has(knight, "on the way"));
  CHECK_FALSE(has(of_game("chess", "c2-a2"), "on the way"));
  const std::string leap = of_game("englishdraughts", "c3xe5");
  INFO(leap);
  CHECK(has(leap, "d4 is empty"));
  CHECK_FALSE(has(leap, "b4 is empty"));
}

TEST_CASE("why tells once whose turn it is, and once that a cell is empty") {
  const std::string black = of_game("chess", "e7-e5");
  INFO(black);
  CHECK(has(black, "e7-e5 is not legal: it is the turn of White\n"));
  CHECK(times(black, "e7 holds a pawn of Black's") == 1);
  const std::string empty = of_game("chess", "e4-e5");
  INFO(empty);
  CHECK(times(empty, "e4 is empty") == 1);
  CHECK_FALSE(has(empty, "it is the turn"));
}

TEST_CASE("why says that nothing passes, or what goes before a pass") {
  CHECK(of_game("chess", "pass") == "pass is not legal: no rule of this game passes\n");
  const std::string rules = "game: T\nplayers: [White, Black]\nboard: { squares: 3 by 3 }\n"
                            "pieces: { man: w b }\nsetup: { w: a1, b: c3 }\n"
                            "turn: (from own, step(all, empty)) otherwise pass\nend: [lose when no own]\n";
  const std::string text = why("pass", rules);
  INFO(text);
  CHECK(has(text, "pass is not legal\n"));
  CHECK(has(text, "this can be done, and goes before what stands behind `otherwise`: a1-"));
  CHECK_FALSE(has(text, "nowhere"));
}

TEST_CASE("why tells of words that no rule writes, and how a move is written") {
  CHECK(has(of_game("chess", "e2 foo e4"), "e2 foo e4 is not legal: foo is nothing that these rules write"));
  CHECK_FALSE(has(of_game("chess", "e2 pawn e5"), "nothing that these rules write"));
  CHECK(has(of_game("chess", "e2xe4"), "e2xe4 is written e2-e4, which is legal"));
  CHECK(has(of_game("chess", "e2-e4"), "e2-e4 is legal, by"));
}

TEST_CASE("why tells that nature moves first") {
  const std::string rules = "game: T\nplayers: [White, Black]\nboard: { squares: 3 by 3 }\n"
                            "pieces: { man: w b }\nsetup: { w: a1, b: c3 }\n"
                            "turn: roll n in 1 .. 2, from own, (step(north, empty)){n}\n";
  CHECK(has(why("a1-a2", rules), "a1-a2 is not legal: it is for nature to move; there is (1) (2)\n"));
}

TEST_CASE("why blames the edge of the board only where a move was to go over it") {
  const std::string rules = "game: T\nplayers: [White, Black]\nboard: { squares: 5 by 5, holes: c3 }\n"
                            "pieces: { man: w b }\nsetup: { w: a1 | c2, b: e5 }\n"
                            "turn: from own, choose d in orthogonal, lift, (go d){1}, put\n"
                            "end: [lose when no own]\n";
  const std::string inside = why("a1-a3", rules);
  INFO(inside);
  CHECK(has(inside, "a1-a3 is not legal: no rule leads from a1 to a3"));
  CHECK_FALSE(has(inside, "no cell lies in that direction"));
  CHECK(has(why("c2-c4", rules), "no cell lies in that direction from c2"));
}

TEST_CASE("why doesn't take a walk of other pieces for one of the piece that is asked about") {
  const std::string text = of_game("janggi", "a4xh4");
  INFO(text);
  CHECK(has(text, "a4xh4 is not legal: no rule leads from a4 to h4"));
}

} // namespace why_test
