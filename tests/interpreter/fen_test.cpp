// Positions in one line: what is read, what is refused, what is written.
#include "interpreter/fen.hpp"

#include "interpreter/load.hpp"
#include "interpreter/position_text.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fen_test {

using namespace boardwright;

namespace {

// All that a FEN can hold; the rules ask for `ply` and `turns`.
constexpr const char* kRules = R"(
game: Everything
players: { Black: north, White: south, Brown: east }
board: { squares: 4 by 3, holes: d1 }
pieces: { man: b w n, king: { Black: B, White: W }, wall: neutral x }
hands: { man: 5, wall: { White: 2, Black: 0, Brown: 0 } }
setup: { b: a1, w: c3 }
state:
  passes: 0
  open: false
  marked: a1 | b2
  favourite: man
  host: White
  store: { each: 0 }
turn: from own, step(forward, empty), require ply >= 0 and turns >= 0
)";

std::shared_ptr<const runtime::Rules> rules_of(const std::string& text) {
  const auto loaded = interpreter::load_text("everything.yaml", text);
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded.rules;
}

const std::shared_ptr<const runtime::Rules>& rules() {
  static const auto made = rules_of(kRules);
  return made;
}

interpreter::PositionText tried(const std::string& text) {
  return interpreter::read_position(rules(), "position", text);
}

runtime::Position read(const std::string& text) {
  const auto result = tried(text);
  INFO(result.errors());
  REQUIRE(result.game);
  return result.game->position();
}

std::string written(const std::string& text) {
  return interpreter::write_fen(rules()->program(), read(text)).value_or("none");
}

} // namespace

TEST_CASE("a FEN is read and written") {
  for (const std::string text : {
           "2w1/4/b2[] 1",
           "2w1/4/b2[bbbbbwwwwwnnnnn] w ply=0",
           "x3/1BW1/n2[bw12n] 3 ply=3",
           "4/4/3[] w hands.White.wall=2 passes=-3 open=true marked=none favourite=none host=Brown ply=7",
           "4/4/3[b] w marked=a1,b2,c2 favourite=king store.White=4 ply=7 turns.Black=0 out=Black",
       }) {
    INFO(text);
    CHECK(written(text) == text);
  }
  CHECK(interpreter::write_fen(rules()->program(), rules()->program().initial) ==
        "2w1/4/b2[bbbbbwwwwwnnnnn] 1 hands.White.wall=2 ply=0");
}

TEST_CASE("a FEN is read in several spellings") {
  const auto same = [](const std::string& one, const std::string& other) {
    INFO(one << " " << other);
    CHECK(read(one).same_as(read(other)));
  };
  same("2w1/4/b2 w", "2w1/4/b2 White");
  same("2w1/4/b2 w", "2w1/4/b2 W");
  same("2w1/4/b2 w", "2w1/4/b2 2");
  same("2w1/4/b2 w", "..w./4/b..# w");
  same("2w1/4/b2 w", "fen: 2w1/4/b2 w");
  same("2w1/4/b2 w", "{\"fen\": \"2w1/4/b2\", \"to_move\": \"White\"}");
  same("2w1/4/b2[2b] w", "2w1/4/b2[bb] w");
  same("2w1/4/b2[] w", "2w1/4/b2[-] w");
  same("2w1/4/b2 w", "cells: { c3: w, a1: b }\nto_move: White");
  CHECK(read("2w1/4/b2").to_move == 0);
  CHECK(read("2w1/4/b2 w").ply == 1000);
  CHECK(read("2w1/4/b2 w").hands == rules()->program().initial.hands);
}

TEST_CASE("on a board with one rank a FEN has no `/`, and perhaps as many words as there are cells") {
  const auto loaded = interpreter::load_text(
      "game.yaml", "game: T\nplayers: [A]\nboard: { squares: 3 by 1 }\npieces: { peg: n }\nsetup: { n: a1 }\n"
                   "turn: from own, to empty\nend: [draw when ply > 6]\n");
  REQUIRE(loaded.rules != nullptr);
  const auto fen_of = [&](const std::string& text) {
    const auto result = interpreter::read_position(loaded.rules, "position", text);
    INFO(text);
    REQUIRE(result.game);
    return interpreter::write_fen(loaded.rules->program(), result.game->position()).value_or("none");
  };
  CHECK(fen_of("n2 a ply=0") == "n2 a ply=0");
  CHECK(fen_of("nnn a ply=0") == "nnn a ply=0");
  CHECK(fen_of(". n .") == "1n1 a"); // a picture
}

TEST_CASE("a FEN that is none is refused with its place") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"4/4 w", "position:1:1: error: this FEN has 2 ranks, but the board has 3"},
      {"4/4/3/3 w", "this FEN has 4 ranks"},
      {"5/4/3 w", "position:1:1: error: 5 empty cells, and the board has 4 files"},
      {"4/bbbbb/3 w", "position:1:3: error: this row has 5 symbols, but the board has 4 files"},
      {"4/2/3 w", "position:1:3: error: this row has 2 symbols, but the board has 4 files"},
      {"4/3q/3 w", "position:1:4: error: no piece has the letter `q`"},
      {"4/4/b2x w", "there is a piece on a hole"},
      {"4/4/3 b", "`b` says of no player that he is to move"},
      {"4/4/3 b", "write `1` (Black) or `w` (White) or `3` (Brown)"},
      {"4/4/3 4", "`4` says of no player"},
      {"4/4/3[b w", "the pieces in hand aren't closed"},
      {"4/4/3[q] w", "`q` is not a piece in hand"},
      {"4/4/3[2] w", "`2` is not a piece in hand"},
      {"4/4/3[B] w", "nobody has `king` in hand by the letter `B`"},
      {"4/4/3[x] w", "nobody has `wall` in hand by the letter `x`"},
      {"4/4/3[9999999999b] w", "`9999999999b` is not a piece in hand"},
      {"4/4/3 w lap=3", "position:1:9: error: the game has no state `lap`"},
      {"4/4/3 w lap=3", "its state is passes, open, marked, favourite, host, store; write `passes=VALUE`"},
      {"4/4/3 w passes=a1", "expected a whole number"},
      {"4/4/3 w passes=", "position:1:16: error"},
      {"4/4/3 w store=1,2", "position:1:"},
      {"4/4/3 w marked=a1,z9", "position:1:"},
      {"4/4/3 w ply=-1", "this number is below 0"},
      {"4/4/3 w turns.Red=1", "there is no player `Red`"},
      {"4/4/3 w hands.White.king=1", "the supply of `king` is unlimited"},
      {"4/4/3 w out=Red", "there is no player `Red`"},
      {"4/4/3 w out=White", "White is to move and has been put out"},
  };
  for (const auto& [text, trouble] : cases) {
    const auto result = tried(text);
    INFO(text << "\n" << result.errors());
    CHECK_FALSE(result.game);
    CHECK(result.errors().find(trouble) != std::string::npos);
  }
}

TEST_CASE("fields that mean nothing are left out with a word") {
  const auto result = tried("2w1/4/b2 w KQkq - 0 1 passes=2");
  REQUIRE(result.game);
  CHECK(result.game->position().variables[0].number == 2);
  CHECK(
      result.errors().find("warning: the fields `KQkq - 0 1` mean nothing to this game, and are left out") !=
      std::string::npos);
  CHECK(tried("2w1/4/b2 w -").errors().find("the field `-` means nothing to this game, and is left out") !=
        std::string::npos);
}

TEST_CASE("some games have no FEN") {
  for (const std::string board : {"{ squares: 2 by 2, stacks: true }", "{ squares: 2 by 2 }"}) {
    const bool stacks = board.find("stacks") != std::string::npos;
    const auto made = rules_of("game: G\nplayers: [Black, White]\nboard: " + board + "\npieces: { man: b " +
                               (stacks ? "w" : "2") + " }\nturn: place(man, empty)\n");
    CHECK_FALSE(interpreter::write_fen(made->program(), made->program().initial));
    const auto read = interpreter::read_position(made, "position", "2/2 b");
    CHECK_FALSE(read.game);
    CHECK(read.errors().find(stacks ? "this board has stacks" : "has a meaning of its own in a FEN") !=
          std::string::npos);
  }
}

} // namespace fen_test
