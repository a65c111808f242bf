// Drawings of boards without edges show what is there, with some room around it.
#include "interpreter/load.hpp"
#include "interpreter/look.hpp"
#include "interpreter/position_text.hpp"
#include "tools/drawing/board_svg.hpp"
#include "tools/drawing/board_text.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace board_window_test {

using namespace boardwright;

namespace {

interpreter::Loaded loaded(const std::string& board) {
  auto made = interpreter::load_text(
      "drawn.yaml", "game: Drawn\nplayers: [Black, White]\nboard: " + board +
                        "\npieces: { man: x o }\nturn: place(man, empty)\ndefine: { home: origin }\n"
                        "end: [win when own & home = origin]\n");
  INFO(made.errors());
  REQUIRE(made.rules != nullptr);
  return made;
}

runtime::Position position(const interpreter::Loaded& made, const std::string& cells) {
  const auto read =
      interpreter::read_position(made.rules, "position", R"({"to_move": "Black", "cells": )" + cells + "}");
  if (!read.game) FAIL(read.errors());
  return read.game->position();
}

// After a line break, so that expected texts begin on a line of their own.
std::string drawn(const std::string& board, const std::string& cells, tools::DrawOptions options = {}) {
  const auto made = loaded(board);
  return "\n" + tools::draw_board(made.rules->program(), position(made, cells), options);
}

} // namespace

TEST_CASE("without edges only a part is drawn, with the names of its files and ranks") {
  CHECK(drawn("{ squares: endless }", R"({"f6": "x", "h7": "o"})") == R"(
9  . . . . . . .
8  . . . . . . .
7  . . . . o . .
6  . . x . . . .
5  . . . . . . .
4  . . . . . . .
   d e f g h i j
)");
}

TEST_CASE("what lies across the seam is drawn together") {
  CHECK(drawn("{ squares: endless, reach: 6, margin: 1 }", R"({"g1": "x", "a7": "o", "b7": "x"})") == R"(
2  . . . . .
1  . x . . .
7  . . o x .
6  . . . . .
   f g a b c
)");
}

TEST_CASE("an empty board is drawn around its origin") {
  CHECK(drawn("{ squares: endless, reach: 8, margin: 1 }", "{}") == R"(
6  . . .
5  . . .
4  . . .
   d e f
)");
}

TEST_CASE("hexes are cropped along their third axis, too") {
  CHECK(drawn("{ hexes: endless }", R"({"f6": "x", "g6": "o"})") == R"(
8     . . . .
7    . . . . .
6   . . x o . .
5  d . . . . .
4   e . . . .
     f g h i
)");
}

TEST_CASE("signs, turned round and with marks, show the same part") {
  tools::DrawOptions options;
  options.unicode = true;
  options.flipped = true;
  CHECK(drawn("{ squares: endless, reach: 6, margin: 1 }", R"({"g1": "x", "a7": "o"})", options) == R"(
6   ·  ·  ·  ·
7   ·  o  ·  ·
1   ·  ·  x  ·
2   ·  ·  ·  ·
    b  a  g  f
)");
}

TEST_CASE("a picture is as large as what is there") {
  const auto made = loaded("{ hexes: endless }");
  const auto look = interpreter::look_of(made);
  tools::SvgOptions options;
  options.look = &look;
  const auto width = [&](const std::string& cells) {
    const auto drawing = tools::board_drawing(made.rules->program(), position(made, cells), options);
    return drawing.right - drawing.left;
  };
  const double one = width(R"({"f6": "x"})"), two = width(R"({"f6": "x", "i6": "o"})");
  CHECK(one < 400);
  CHECK(two == Approx(one + 3 * 48).margin(1));
  // Across the seam as elsewhere.
  CHECK(width(R"({"w3": "x", "b3": "o"})") == Approx(two).margin(1));
  // What a move reaches, and what the caller asks for, is seen as well.
  options.moves.push_back(
      {{made.rules->program().board.cell_named("f6"), made.rules->program().board.cell_named("i6")}, {}});
  CHECK(width(R"({"f6": "x"})") == Approx(two).margin(1));
  options.moves.clear();
  options.shown.set(made.rules->program().board.cell_named("i6"));
  CHECK(width(R"({"f6": "x"})") == Approx(two).margin(1));
}

} // namespace board_window_test
