// Drawings of boards without edges show what is there, with some room around it; those of boards that are
// larger than the terminal a part, with signs where the board goes on.
#include "interpreter/load.hpp"
#include "interpreter/look/look.hpp"
#include "interpreter/notation/position_text.hpp"
#include "tools/drawing/board_svg.hpp"
#include "tools/drawing/board_text.hpp"
#include "tools/drawing/terminal_canvas.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

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

// --- boards that are larger than the terminal

namespace {

struct Shown {
  interpreter::Loaded loaded;
  interpreter::Look look;
  runtime::Position position;
};

Shown shown(interpreter::Loaded loaded, const std::string& position = "") {
  if (!loaded) FAIL(loaded.errors());
  Shown one{std::move(loaded), {}, {}};
  one.look = interpreter::look_of(one.loaded);
  one.position = one.loaded.rules->program().initial;
  if (position.empty()) return one;
  const auto read = interpreter::read_position(one.loaded.rules, "position", position);
  if (!read.game) FAIL(read.errors());
  one.position = read.game->position();
  return one;
}

Shown small(const std::string& board, const std::string& cells = "{}") {
  return shown(interpreter::load_text(
                   "drawn.yaml", "game: Drawn\nplayers: { Black: north, White: south }\nboard: " + board +
                                     "\npieces: { man: x o }\nturn: place(man, empty)\n"),
               R"({"to_move": "Black", "cells": )" + cells + "}");
}

std::string part_drawn(const Shown& one, tools::BoardPart& part, int columns, bool unicode = true,
                       bool flipped = false) {
  tools::DrawOptions options;
  options.unicode = unicode;
  options.flipped = flipped;
  options.width = columns;
  options.look = &one.look;
  options.part = &part;
  return "\n" + tools::draw_board(one.loaded.rules->program(), one.position, options);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

runtime::CellSet cell(const Shown& one, const char* name) {
  const int found = one.loaded.rules->program().board.cell_named(name);
  REQUIRE(found >= 0);
  return runtime::CellSet::of(found);
}

// Terminals: columns and rows.
constexpr std::pair<int, int> kSizes[] = {{80, 24}, {60, 16}, {36, 11}};

} // namespace

TEST_CASE("what is around a cell is drawn, with its files and ranks, and signs where the board goes on") {
  const Shown one = small("{ squares: 9 by 9 }", R"({"e5": "x", "h8": "o"})");
  tools::BoardPart part;
  part.rows = 6;
  part.wanted = cell(one, "e5");
  CHECK(part_drawn(one, part, 16) == R"(
↑ 3 more ranks
… 6  · · · · …
… 5  · · x · …
… 4  · · · · …
     c d e f
↓ 3 more ranks
)");
  // In letters there is one column less between the cells of a file and the next.
  CHECK(part_drawn(one, part, 16, false) == R"(
^ 3 more ranks
< 6  . . . . . >
< 5  . . x . . >
< 4  . . . . . >
     c d e f g
v 3 more ranks
)");
  CHECK(part_drawn(one, part, 16, true, true) == R"(
↑ 3 more ranks
… 4  · · · · …
… 5  · x · · …
… 6  · · · · …
     f e d c
↓ 3 more ranks
)");
}

TEST_CASE("a part stays where it is as long as what is to be seen lies in it") {
  const Shown one = small("{ squares: 9 by 9 }");
  tools::BoardPart part;
  part.rows = 6;
  const auto begins = [&](const char* seen) {
    part.wanted = seen == nullptr ? runtime::CellSet() : cell(one, seen);
    static_cast<void>(part_drawn(one, part, 16));
    return std::pair(part.file, part.rank);
  };
  CHECK(begins("e5") == std::pair(3, 4));
  CHECK(begins("f6") == std::pair(3, 4));
  CHECK(begins("g6") == std::pair(5, 5));
  CHECK(begins("h6") == std::pair(5, 5));
  CHECK(begins("i9") == std::pair(6, 7)); // as far as the board goes
  CHECK(begins(nullptr) == std::pair(6, 7));
  part.file = part.rank = -20; // moved by somebody, too far
  CHECK(begins(nullptr) == std::pair(1, 1));
  CHECK(begins("a1") == std::pair(1, 1));
  part.files = part.ranks = 0; // none yet: the middle
  CHECK(begins(nullptr) == std::pair(3, 4));
}

TEST_CASE("where there is room for all of it, all of it is drawn") {
  const Shown one = small("{ squares: 9 by 9 }");
  tools::BoardPart part;
  part.rows = 10;
  tools::DrawOptions whole;
  whole.unicode = true;
  whole.look = &one.look;
  CHECK(part_drawn(one, part, 80) ==
        "\n" + tools::draw_board(one.loaded.rules->program(), one.position, whole));
  CHECK(part.is_all());
  part.rows = 9; // the letters of the files take a row
  static_cast<void>(part_drawn(one, part, 80));
  CHECK_FALSE(part.is_all());
  CHECK(part.files == 9);
  CHECK(part.ranks == 6); // two rows are for signs
}

TEST_CASE("large boards fit in terminals of three sizes, wherever somebody looks") {
  const std::vector<Shown> boards = [] {
    std::vector<Shown> all;
    all.push_back(shown(interpreter::load("go", {{"size", "19"}})));
    all.push_back(shown(interpreter::load("chushogi")));
    all.push_back(shown(interpreter::load("hex", {{"size", "19"}})));
    all.push_back(shown(interpreter::load("glinski")));
    all.push_back(small("{ squares: endless }", R"({"c3": "x", "v20": "o", "k9": "x"})"));
    all.push_back(small("{ hexes: endless }", R"({"c3": "x", "k20": "o"})"));
    return all;
  }();
  for (const Shown& one : boards)
    for (const auto& [columns, rows] : kSizes)
      for (const bool unicode : {true, false})
        for (const int where : {0, 1, 2}) {
          const auto& board = one.loaded.rules->program().board;
          INFO(one.loaded.rules->program().game << ", " << columns << " by " << rows << ", " << where);
          tools::BoardPart part;
          part.rows = rows;
          const int seen = where * (board.cells - 1) / 2;
          part.wanted = runtime::CellSet::of(seen);
          const auto lines = lines_of(part_drawn(one, part, columns, unicode));
          INFO(part_drawn(one, part, columns, unicode));
          CHECK(static_cast<int>(lines.size()) <= rows + 1); // the first one is empty
          for (const std::string& line : lines) CHECK(tools::columns_of(line) <= columns);
          if (part.is_all() || board.endless()) continue;
          const auto i = static_cast<std::size_t>(seen);
          CHECK((board.x[i] >= part.file && board.x[i] < part.file + part.files));
          CHECK((board.y[i] >= part.rank && board.y[i] < part.rank + part.ranks));
        }
}

TEST_CASE("what lies beyond the part is neither edge nor star, and keeps the shade of its cell") {
  Shown one = small("{ squares: 9 by 9 }\nlook: { cells: points }");
  tools::BoardPart part;
  part.rows = 5;
  part.wanted = cell(one, "g7");
  CHECK(part_drawn(one, part, 14) == R"(
↑ 1 more rank
… 8  ┼─┼─┼─ …
… 7  ┼─•─┼─ …
… 6  ┼─┼─┼─ …
     f g h
↓ 5 more ranks
)");
}

TEST_CASE("without edges a part is of what is there") {
  const Shown one = small("{ squares: endless }", R"({"c3": "x", "v3": "o"})");
  tools::BoardPart part;
  part.rows = 20;
  part.wanted = cell(one, "v3");
  const std::string text = part_drawn(one, part, 16);
  INFO(text);
  CHECK(text.find('o') != std::string::npos);
  CHECK(text.find('x') == std::string::npos);
  CHECK(text.find("more rank") == std::string::npos);
  part.files = part.ranks = 0;
  part.wanted = cell(one, "c3");
  CHECK(part_drawn(one, part, 16).find('x') != std::string::npos);
}

} // namespace board_window_test
