// Boards drawn for a terminal that shows more than ASCII.
#include "interpreter/load.hpp"
#include "interpreter/look/look.hpp"
#include "interpreter/notation/position_text.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/drawing/terminal_canvas.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>
#include <string>

namespace board_unicode_test {

using namespace boardwright;

namespace {

struct Game {
  interpreter::Loaded loaded;
  interpreter::Look look;
};

Game game(const std::string& sections) {
  Game made{interpreter::load_text("drawn.yaml", "game: Drawn\nplayers: { Black: north, White: south }\n"
                                                 "turn: place(man, empty)\n" +
                                                     sections),
            {}};
  INFO(made.loaded.errors());
  REQUIRE(made.loaded.rules != nullptr);
  made.look = interpreter::look_of(made.loaded);
  return made;
}

// The board after a line break, so that expected texts begin on a line of their own.
std::string drawn(const Game& made, const std::string& cells, tools::DrawOptions options = {}) {
  const auto read = interpreter::read_position(made.loaded.rules, "position",
                                               R"({"to_move": "Black", "cells": )" + cells + "}");
  if (!read.game) FAIL(read.errors());
  options.unicode = true;
  options.look = &made.look;
  return "\n" + tools::draw_board(made.loaded.rules->program(), read.game->position(), options);
}

std::string drawn(const std::string& sections, const std::string& cells, tools::DrawOptions options = {}) {
  return drawn(game(sections), cells, options);
}

constexpr const char* kSmall = "board: { squares: 4 by 3 }\npieces: { man: x o }\n";

} // namespace

TEST_CASE("what pieces carry stands behind them: arms and arrows, numbers, marks of what is true") {
  const std::string text = drawn("board: { squares: 3 by 2 }\npieces: { man: x o }\n"
                                 "state:\n  arms: { each piece: none, some of: all }\n"
                                 "  size: { each piece: 0, range: 0..9 }\n"
                                 "  hot: { each piece: false }\n",
                                 R"({"a1": "x", "b1": "x", "c2": "o", "a2": "o"}, "state": {
                                   "arms": {"N": "a1", "N E S W": "b1", "NE SW": "c2", "N NE NW": "a2"},
                                   "size": {"3": "b1", "5": "a2"}, "hot": {"true": "c2 | a2"}})");
  INFO(text);
  const std::string board = R"(
2   o↑↗↖5'    ·      o╱'
1     x↑     x┼3      ·
      a       b       c
)";
  CHECK(text.substr(0, board.size()) == board);
}

TEST_CASE("a number that a piece begins with stands behind it, unless it is 0") {
  const std::string text = drawn("board: { squares: 3 by 1 }\npieces: { man: x o }\n"
                                 "state:\n  size: { each piece: 5, range: 0..9 }\n"
                                 "  moved: { each piece: 0, range: 0..3 }\n",
                                 R"({"a1": "x", "b1": "x", "c1": "o"}, "state": {
                                   "size": {"0": "b1"}, "moved": {"2": "c1"}})");
  INFO(text);
  CHECK(text.find("x5 ") != std::string::npos);
  CHECK(text.find("x0 ") != std::string::npos);
  CHECK(text.find("o5,2") != std::string::npos);
}

TEST_CASE("what faces a way is seen from the other side, too") {
  tools::DrawOptions options;
  options.flipped = true;
  const std::string text =
      drawn("board: { squares: 2 by 1 }\npieces: { man: x o }\n"
            "state: { arms: { each piece: none, some of: all } }\n",
            R"({"a1": "x", "b1": "o"}, "state": {"arms": {"N": "a1", "NE": "b1"}})", options);
  CHECK(text.find("x↓") != std::string::npos);
  CHECK(text.find("o↙") != std::string::npos);
}

TEST_CASE("squares are three columns wide, and letters tell whose a piece is where there are no colours") {
  CHECK(drawn(kSmall, R"({"a1": "x", "d3": "o"})") == R"(
3   ·  ·  ·  o
2   ·  ·  ·  ·
1   x  ·  ·  ·
    a  b  c  d
)");
}

TEST_CASE("a board is seen from its other side") {
  tools::DrawOptions options;
  options.flipped = true;
  CHECK(drawn(kSmall, R"({"a1": "x", "d3": "o"})", options) == R"(
1   ·  ·  ·  x
2   ·  ·  ·  ·
3   o  ·  ·  ·
    d  c  b  a
)");
}

TEST_CASE("the last move is marked by signs, too") {
  tools::DrawOptions options;
  options.marks.left = runtime::CellSet::of(0);
  options.marks.reached = runtime::CellSet::of(2);
  options.marks.taken = runtime::CellSet::of(1);
  CHECK(drawn(kSmall, R"({"c1": "x"})", options) == R"(
3   ·  ·  ·  ·
2   ·  ·  ·  ·
1   ∘  × ‹x› ·
    a  b  c  d
)");
}

TEST_CASE("regions that the rules name are marked and told") {
  CHECK(drawn("board: { squares: 4 by 3 }\npieces: { man: x o }\n"
              "define: { goal: { Black: d3, White: mirror }, centre: b2 | c2, unused: a2 }\n"
              "end: [win when own in goal, draw when no empty & centre]\n",
              R"({"a1": "x"})") == R"(
3   ·  ·  ·  ▫     ▫ goal of Black: d3
2   ·  ▫  ▫  ·     ▫ goal of White: d1
1   x  ·  ·  ▫     ▫ centre: b2 c2
    a  b  c  d
)");
}

TEST_CASE("stacks show their height, and what is mixed is spelled out") {
  CHECK(drawn("board: { squares: 3 by 2, stacks: true }\npieces: { man: x o }\n",
              R"({"a1": "xxxx", "b2": "xo", "c1": "x"})") == R"(
2   ·   o2  ·
1   x4  ·   x
    a   b   c
stacks, bottom to top: b2 xo
)");
}

TEST_CASE("boards of lines have them between their points") {
  CHECK(drawn("board: { squares: 3 by 3, lines: [ranks, files, a1..c3] }\npieces: { man: x o }\n",
              R"({"b3": "x"})") == R"(
3   ∙───x───∙
    │   │ ╱ │
2   ∙───∙───∙
    │ ╱ │   │
1   ∙───∙───∙
    a   b   c
)");
}

TEST_CASE("points have crossings of lines") {
  CHECK(drawn(std::string(kSmall) + "look: { cells: points }\n", R"({"b2": "x"})") == R"(
3   ┌──┬──┬──┐
2   ├──x──┼──┤
1   └──┴──┴──┘
    a  b  c  d
)");
}

TEST_CASE("files of grooves are narrow, and walls fill them") {
  CHECK(drawn("board: { squares: 3 by 3 }\npieces: { man: x o, wall: neutral w }\n"
              "look: { '(c in board where x(c) = 2 or y(c) = 2)': narrow, wall: bar }\n",
              R"({"a1": "x", "b1": "w", "b2": "w", "c2": "w"})") == R"(
3   · · ·
2   · ████
1   x █ ·
    a b c
)");
}

TEST_CASE("hexes have their labels beside them") {
  CHECK(drawn("board: { hexes: 3 by 2 }\npieces: { man: x o }\n", R"({"a1": "x", "c2": "o"})") == R"(
   2  ·   ·   o
 1  x   ·   ·
  a   b   c
)");
}

TEST_CASE("what is wider than the terminal has narrower cells, and then comes in parts") {
  const Game made = game("board: { squares: 12 by 1 }\npieces: { man: x o }\n");
  tools::DrawOptions options;
  options.width = 30;
  CHECK(drawn(made, R"({"a1": "x"})", options) ==
        "\n1  x · · · · · · · · · · ·\n   a b c d e f g h i j k l\n");
  options.width = 16;
  CHECK(drawn(made, R"({"a1": "x"})", options) ==
        "\n1  x · · · · ·\n   a b c d e f\n\n1  · · · · · ·\n   g h i j k l\n");
}

TEST_CASE("the parts of a wide board are about as wide") {
  const Game made = game("board: { squares: 7 by 1 }\npieces: { man: x o }\n");
  tools::DrawOptions options;
  options.width = 15;
  CHECK(drawn(made, "{}", options) == "\n1  · · · ·\n   a b c d\n\n1  · · ·\n   e f g\n");
}

TEST_CASE("labels of a hexagon's ranks stand where those of its files don't") {
  CHECK(drawn("board: { hexagon: 3 }\npieces: { man: x o }\n", R"({"c3": "x"})") == R"(
        ·   ·   ·   5
      ·   ·   ·   ·   4
    ·   ·   x   ·   ·   3
  a   ·   ·   ·   ·   2
    b   ·   ·   ·   1
      c   d   e
)");
}

TEST_CASE("colours come as escape sequences, of a table or in full") {
  tools::DrawOptions options;
  options.color = true;
  const std::string table =
      drawn("board: { squares: 1 by 1 }\npieces: { man: x o }\n", R"({"a1": "x"})", options);
  CHECK(table.find("\x1b[0;1;38;5;235;48;5;") != std::string::npos);
  CHECK(table.find("●") != std::string::npos);
  CHECK(table.find("\x1b[0m\n") != std::string::npos);
  options.true_color = true;
  const std::string full =
      drawn("board: { squares: 1 by 1 }\npieces: { man: x o }\n", R"({"a1": "x"})", options);
  CHECK(full.find("38;2;38;38;38") != std::string::npos);
}

TEST_CASE("who is to move, hands and state stand beside the board, or below where there is no room") {
  const Game made = game("board: { squares: 2 by 3 }\npieces: { man: x o }\n"
                         "hands: { man: { Black: 3, White: 0 } }\n"
                         "state: { passes: 0, secret: 1, store: { each: 4 } }\nlook: { hide: secret }\n");
  tools::DrawOptions options;
  options.rest = true;
  CHECK(drawn(made, "{}", options) == R"(
3   ·  ·   ▸ Black to move
2   ·  ·       in hand: 3 men
1   ·  ·       store: 4
    a  b     White
               in hand: nothing
               store: 4
             passes: 0
)");
  options.width = 20;
  CHECK(drawn(made, "{}", options).find("    a  b\n▸ Black to move\n") != std::string::npos);
}

TEST_CASE("long lines beside the board are broken where they fit then") {
  const Game made =
      game("board: { squares: 2 by 6 }\npieces: { man: x o }\nhands: { man: { Black: 3, White: 0 } }\n");
  tools::DrawOptions options;
  options.rest = true;
  options.width = 28;
  CHECK(drawn(made, "{}", options) == R"(
6   ·  ·   ▸ Black to move
5   ·  ·       in hand: 3
4   ·  ·         men
3   ·  ·     White
2   ·  ·       in hand:
1   ·  ·         nothing
    a  b
)");
}

TEST_CASE("of a narrow board the last move is marked on one side") {
  const Game made = game("board: { squares: 12 by 1 }\npieces: { man: x o }\n");
  tools::DrawOptions options;
  options.width = 30;
  options.marks.reached.set(2);
  CHECK(drawn(made, R"({"b1": "o", "c1": "x", "d1": "o"})", options) ==
        "\n1  · o x‹o · · · · · · · ·\n   a b c d e f g h i j k l\n");
}

TEST_CASE("signs that take two columns are counted as two") {
  CHECK(tools::columns_of("abc") == 3);
  CHECK(tools::columns_of("●4") == 2);
  CHECK(tools::columns_of("將") == 2);
  CHECK(tools::columns_of("e\xCC\x81") == 1);
}

TEST_CASE("no bundled game's board is wider than the terminal, whatever its width") {
  for (const std::string name :
       {"chess", "xiangqi", "quoridor", "hex", "morris", "kalah", "tzaar", "qubic"}) {
    const auto loaded = interpreter::load(name);
    REQUIRE(loaded.rules != nullptr);
    const auto look = interpreter::look_of(loaded);
    for (const int width : {40, 80, 200}) {
      tools::DrawOptions options;
      options.unicode = true;
      options.width = width;
      options.look = &look;
      std::istringstream lines(
          tools::draw_board(loaded.rules->program(), loaded.rules->program().initial, options));
      int widest = 0;
      for (std::string line; std::getline(lines, line);) widest = std::max(widest, tools::columns_of(line));
      INFO(name << " at " << width);
      CHECK(widest <= width);
      CHECK(widest > 10);
    }
  }
}

} // namespace board_unicode_test
