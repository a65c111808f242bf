// Boards drawn with characters.
#include "interpreter/load.hpp"
#include "interpreter/look/look.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/game.hpp"
#include "tools/drawing/board_rest.hpp"
#include "tools/drawing/board_text.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace board_text_test {

using namespace boardwright;

namespace {

std::shared_ptr<const runtime::Rules> rules(const std::string& board, const std::string& more = "") {
  const auto loaded = interpreter::load_text(
      "drawn.yaml", "game: Drawn\nplayers: [Black, White]\nboard: " + board + "\npieces: { man: x o }\n" +
                        more + "turn: place(man, empty)\n");
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded.rules;
}

// The board after its first line break, so that expected texts begin on a line of their own.
std::string drawn(const std::string& board, const std::string& cells = "{}", bool color = false) {
  const auto made = rules(board);
  const auto read =
      interpreter::read_position(made, "position", R"({"to_move": "Black", "cells": )" + cells + "}");
  if (!read.game) FAIL(read.errors());
  tools::DrawOptions options;
  options.color = color;
  return "\n" + tools::draw_board(made->program(), read.game->position(), options);
}

} // namespace

TEST_CASE("squares are drawn with files below and ranks at the left") {
  CHECK(drawn("{ squares: 4 by 3 }", R"({"a1": "x", "d3": "o"})") == R"(
3  . . . o
2  . . . .
1  x . . .
   a b c d
)");
}

TEST_CASE("labels are padded to the widest") {
  CHECK(drawn("{ squares: 2 by 10 }").substr(0, 25) == "\n10  . .\n 9  . .\n 8  . .\n");
}

TEST_CASE("rows and columns are labelled where cells are named by them") {
  CHECK(drawn("{ squares: 3 by 2, names: row column }", R"({"11": "x"})") == R"(
1  x . .
2  . . .
   1 2 3
)");
}

TEST_CASE("holes stay blank") {
  CHECK(drawn("{ squares: 3 by 3, holes: b2 | c3 }") == R"(
3  . .
2  .   .
1  . . .
   a b c
)");
}

TEST_CASE("stacks show their top and height, and what is mixed is listed") {
  CHECK(drawn("{ squares: 3 by 2, stacks: true }", R"({"a1": "xxxx", "b2": "xo", "c1": "x"})") == R"(
2  .  o2 .
1  x4 .  x
   a  b  c
stacks, bottom to top: b2 xo
)");
}

TEST_CASE("hexes are sheared to the left or to the right") {
  CHECK(drawn("{ hexes: 3 by 3 }", R"({"a1": "x", "c3": "o"})") == R"(
3     . . o
2    . . .
1   x . .
   a b c
)");
  CHECK(drawn("{ hexes: 3 by 3, slant: right }", R"({"a1": "x", "c3": "o"})") == R"(
3  . . o
2   . . .
1    x . .
      a b c
)");
}

TEST_CASE("a hexagon has its files along its lower sides") {
  CHECK(drawn("{ hexagon: 2 }", R"({"b2": "x"})") == R"(
3    . .
2   . x .
1  a . .
    b c
)");
}

TEST_CASE("cells with names of their own are listed") {
  CHECK(drawn("{ squares: 3 by 1, names: { middle: b1 } }") ==
        "\n1  . . .\n   a   c\nnamed: middle at 2, 1\n");
}

TEST_CASE("a board is seen from its other side, with its labels") {
  const auto flipped = [](const std::string& board, const std::string& setup) {
    const auto made = rules(board, "setup: " + setup + "\n");
    tools::DrawOptions options;
    options.flipped = true;
    return "\n" + tools::draw_board(made->program(), made->program().initial, options);
  };
  CHECK(flipped("{ squares: 4 by 3 }", "{ x: a1, o: d3 }") == R"(
1  . . . x
2  . . . .
3  o . . .
   d c b a
)");
  CHECK(flipped("{ hexes: 3 by 3 }", "{ x: a1, o: b1 }") == R"(
1     . o x
2    . . .
3   . . .
   c b a
)");
}

namespace {

std::string drawn_upright(const std::string& board, const std::string& setup, bool flipped) {
  const auto made = rules(board, "setup: " + setup + "\n");
  interpreter::Look look;
  look.upright = true;
  tools::DrawOptions options;
  options.flipped = flipped;
  options.look = &look;
  return "\n" + tools::draw_board(made->program(), made->program().initial, options);
}

} // namespace

TEST_CASE("hexes stand upright, with letters where files begin") {
  const std::string board = "{ hexagon: 2, slant: right, names: by file, letters: without b }";
  CHECK(drawn_upright(board, "{ x: c1, o: d2 }", false) == R"(
3    .
2  .   o
     .
1  .   .
     x
   a   d
     c
)");
  CHECK(drawn_upright(board, "{ x: c1, o: d2 }", true) == R"(
     c
   d   a
     x
1  .   .
     .
2  o   .
3    .
)");
  CHECK(drawn_upright("{ hexes: 3 by 2 }", "{ x: a1, o: c1 }", false) == R"(
       .
     .
2  .   o
     .
1  x   c
     b
   a
)");
}

TEST_CASE("files that count by themselves have their numbers where no cell stands") {
  CHECK(drawn("{ hexagon: 2, names: by file }", R"({"a1": "x", "c2": "o"})") == R"(
  . . 3
 x . o 2
a . . 1
 b c
)");
}

TEST_CASE("boards that lie side by side have room between them, cells of many colours have none") {
  const auto with_look = [](const std::string& look, bool flipped) {
    const auto loaded = interpreter::load_text(
        "drawn.yaml", "game: Drawn\nplayers: [Black, White]\nboard: { squares: 5 by 2 }\n"
                      "pieces: { man: x o }\nsetup: { x: a1 }\nturn: place(man, empty)\nlook: { " +
                          look + " }\n");
    INFO(loaded.errors());
    REQUIRE(loaded.rules != nullptr);
    const auto drawn = interpreter::look_of(loaded);
    tools::DrawOptions options;
    options.look = &drawn;
    options.flipped = flipped;
    return "\n" + tools::draw_board(loaded.rules->program(), loaded.rules->program().initial, options);
  };
  CHECK(with_look("file(1 .. 3): wood", false) == R"(
2  . . .  . .
1  x . .  . .
   a b c  d e
)");
  CHECK(with_look("file(1 .. 3): wood", true) == R"(
1  . .  . . x
2  . .  . . .
   e d  c b a
)");
  CHECK(with_look("file(1) | file(3) | file(5): wood", false) == R"(
2  . . . . .
1  x . . . .
   a b c d e
)");
}

TEST_CASE("what is pushed isn't taken; what changes hands is") {
  const auto made = rules("{ squares: 3 by 1, stacks: true }");
  const auto marks = [&](const std::string& before, const std::string& after) {
    const auto at = [&](const std::string& cells) {
      const auto read =
          interpreter::read_position(made, "position", R"({"to_move": "Black", "cells": )" + cells + "}");
      REQUIRE(read.game);
      return read.game->position();
    };
    return tools::marks_between(at(before), at(after));
  };
  const auto pushed = marks(R"({"a1": "x", "b1": "o"})", R"({"b1": "x", "c1": "o"})");
  CHECK_FALSE(pushed.taken.any());
  CHECK(pushed.left == runtime::CellSet::of(0));
  const auto prisoner = marks(R"({"a1": "x", "b1": "o"})", R"({"c1": "ox"})");
  CHECK(prisoner.taken == runtime::CellSet::of(1));
}

TEST_CASE("pieces have their owner's colour where colours are wanted") {
  CHECK(drawn("{ squares: 2 by 1 }", R"({"a1": "x"})", true) == "\n1  \x1b[1;36mx\x1b[0m .\n   a b\n");
}

TEST_CASE("what the board does not show stands below it") {
  const auto made =
      rules("{ squares: 2 by 1 }", "hands: { man: { Black: 3, White: 2 } }\n"
                                   "state: { passes: 0, marked: a1 | b1, store: { each: 4 } }\n");
  CHECK("\n" + tools::describe_rest(made->program(), made->program().initial) == R"(
in hand: Black: 3 men; White: 2 men
state: passes = 0, marked = a1 b1, Black.store = 4, White.store = 4
Black to move
)");
}

TEST_CASE("what all pieces carry is told of all, what some carry of these") {
  const auto rest = [](const std::string& setup) {
    const auto made =
        rules("{ squares: 2 by 1 }", "setup: { x: a1, o: b1 }\nstate:\n  size: { each piece: 1, range: 1..8" +
                                         setup + " }\n  turned: { each piece: false }\n");
    return tools::describe_rest(made->program(), made->program().initial);
  };
  CHECK(rest("") == "state: size = 1 for every piece, turned = false for every piece\nBlack to move\n");
  CHECK(rest(", setup: { 3: b1 }") == "state: size = 3:b1, turned = false for every piece\nBlack to move\n");
}

TEST_CASE("what the rules count stands below the board, unless look hides it") {
  const auto rest = [](const std::string& look) {
    const auto loaded = interpreter::load_text(
        "drawn.yaml", "game: Drawn\nplayers: [Black, White]\nboard: { squares: 2 by 1 }\n"
                      "pieces: { man: x o }\nsetup: { x: a1 }\nturn: place(man, empty)\n"
                      "define: { men: count(own) }\nend:\n  - win when men > 9\n"
                      "  - draw when count(empty) = 0\n" +
                          look);
    INFO(loaded.errors());
    REQUIRE(loaded.rules != nullptr);
    const auto drawn = interpreter::look_of(loaded);
    return tools::describe_rest(loaded.rules->program(), loaded.rules->program().initial, &drawn);
  };
  CHECK(rest("") == "counted: Black men: 1; White men: 0; empty cells: 1\nBlack to move\n");
  CHECK(rest("look: { hide: men }\n") == "counted: empty cells: 1\nBlack to move\n");
}

TEST_CASE("what a move left, reached and took is told by the positions before and after it") {
  const auto made = rules("{ squares: 3 by 1, stacks: true }");
  const auto at = [&](const std::string& cells) {
    auto read =
        interpreter::read_position(made, "position", R"({"to_move": "Black", "cells": )" + cells + "}");
    if (!read.game) FAIL(read.errors());
    return read.game->position();
  };
  const auto cell = [&](const char* name) {
    return runtime::CellSet::of(made->program().board.cell_named(name));
  };
  const auto captured = tools::marks_between(at(R"({"a1": "x", "c1": "oo"})"), at(R"({"c1": "x"})"));
  CHECK(captured.left == cell("a1"));
  CHECK(captured.reached == cell("c1"));
  CHECK(captured.taken == cell("c1"));
  const auto sown = tools::marks_between(at(R"({"a1": "xx", "b1": "x"})"), at(R"({"a1": "x", "b1": "xx"})"));
  CHECK(sown.left == cell("a1"));
  CHECK(sown.reached == cell("b1"));
  CHECK_FALSE(sown.taken.any());
  CHECK_FALSE(tools::marks_between(at(R"({"a1": "x"})"), at(R"({"a1": "x"})")).any());
}

} // namespace board_text_test
