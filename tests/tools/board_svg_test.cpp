// Positions drawn as SVG.
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "interpreter/look/look.hpp"
#include "tests/rule_files.hpp"
#include "tests/tools/running.hpp"
#include "tools/drawing/board_svg.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace board_svg_test {

using namespace boardwright;

namespace {

std::string svg_of(const interpreter::Loaded& loaded, tools::SvgOptions options = {}) {
  const auto look = interpreter::look_of(loaded);
  options.look = &look;
  const auto& program = loaded.rules->program();
  return tools::board_svg(program, program.initial, options);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

interpreter::Loaded small(const std::string& more) {
  auto loaded = interpreter::load_text("drawn.yaml", "game: Drawn\nplayers: [Black, White]\n"
                                                     "turn: place(man, empty)\n" +
                                                         more);
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded;
}

} // namespace

TEST_CASE("squares are rectangles, hexes have six corners, points have lines") {
  const std::string squares = svg_of(small("board: { squares: 3 by 2 }\npieces: { man: x o }\n"));
  CHECK(count(squares, "<rect") == 6 + 1); // and the paper
  const std::string hexes = svg_of(small("board: { hexagon: 2 }\npieces: { man: x o }\n"));
  CHECK(count(hexes, "<polygon") == 7);
  const std::string points =
      svg_of(small("board: { squares: 3 by 2 }\npieces: { man: x o }\nlook: { cells: points }\n"));
  CHECK(count(points, "<polyline") == 2 + 3);
  const std::string hole =
      svg_of(small("board: { squares: 5 by 1, holes: c1 }\npieces: { man: x o }\nlook: { cells: points }\n"));
  CHECK(count(hole, "<polyline") == 2);
}

TEST_CASE("pieces have the shapes and signs that look gives them") {
  const std::string svg = svg_of(small("board: { squares: 3 by 1 }\npieces: { man: x o, king: K k }\n"
                                       "setup: { x: a1, K: b1, k: c1 }\n"
                                       "look: { man: triangle red, king: square ♔ ♚ }\n"));
  CHECK(count(svg, "fill=\"#c4301f\"") == 1);
  CHECK(count(svg, ">♔</text>") == 1);
  CHECK(count(svg, ">♚</text>") == 1);
}

TEST_CASE("a wall fills its cell, a hex too") {
  const std::string walls = "pieces: { man: x o }\nsetup: { x: a2 }\nlook: { man: bar }\n";
  const std::string squares = svg_of(small("board: { squares: 3 by 3 }\n" + walls));
  CHECK(count(squares, "<rect") == 9 + 1 + 1);
  const std::string hexes = svg_of(small("board: { hexes: 3 by 3 }\n" + walls));
  CHECK(count(hexes, "<polygon") == 9 + 1);
  CHECK(count(hexes, "<rect") == 1);
}

TEST_CASE("hexes lie on a corner or on a side, as `look` says") {
  const auto drawing_of = [](const std::string& look) {
    const auto loaded =
        small("board: { hexes: 2 by 3, names: by file }\npieces: { man: x o }\nsetup: { x: a1 }\n" + look);
    REQUIRE(loaded.rules);
    const auto seen = interpreter::look_of(loaded);
    tools::SvgOptions options;
    options.look = &seen;
    return tools::board_drawing(loaded.rules->program(), loaded.rules->program().initial, options);
  };
  const auto level = drawing_of(""), upright = drawing_of("look: { hexes: upright }\n");
  REQUIRE(level.places.size() == 6);
  CHECK(level.places[0].y == level.places[1].y); // a rank is level
  CHECK(level.places[0].x < level.places[2].x);
  CHECK(level.places[0].width == level.places[0].height);
  CHECK(upright.places[0].x == upright.places[2].x); // a file stands upright
  CHECK(upright.places[0].y > upright.places[1].y);
  CHECK(upright.places[0].width > upright.places[0].height);
}

TEST_CASE("a number that a piece begins with is drawn, unless it is 0") {
  const std::string pieces = "board: { squares: 3 by 1 }\npieces: { man: x o }\nsetup: { x: a1 | b1 }\n";
  const std::string fives =
      svg_of(small(pieces + "state: { n: { each piece: 5, range: 0..9, setup: { 0: b1 } } }\n"));
  CHECK(count(fives, ">5</text>") == 1);
  CHECK(count(fives, ">0</text>") == 1);
  const std::string zeros =
      svg_of(small(pieces + "state: { n: { each piece: 0, range: 0..9, setup: { 7: b1 } } }\n"));
  CHECK(count(zeros, ">0</text>") == 0);
  CHECK(count(zeros, ">7</text>") == 1);
}

TEST_CASE("moves are arrows, and what they take is struck through") {
  const auto loaded = small("board: { squares: 3 by 1 }\npieces: { man: x o }\nsetup: { x: a1, o: c1 }\n");
  tools::SvgOptions options;
  const std::size_t before = count(svg_of(loaded, options), "<polygon");
  options.moves.push_back({{0, 2}, runtime::CellSet::of(2)});
  const std::string svg = svg_of(loaded, options);
  CHECK(count(svg, "<polygon") == before + 1); // the head
  CHECK(count(svg, "<polyline") == 3);         // the shaft and a cross
}

TEST_CASE("text of a rule file can't break out of the picture") {
  const std::string svg =
      svg_of(small("board: { squares: 2 by 1 }\npieces: { man: '< &' }\nsetup: { <: a1 }\n"
                   "look: { man: letter }\n"));
  CHECK(svg.find(">&lt;</text>") != std::string::npos);
  CHECK(svg.find("><<") == std::string::npos);
}

TEST_CASE("scores, state that has changed and mixed stacks stand below the board") {
  auto loaded = small("board: { squares: 3 by 1, stacks: true }\npieces: { man: x o }\n"
                      "setup: { x: a1, o: c1 }\nstate: { passes: 0, idle: 0 }\n"
                      "end:\n  - score height(own) when passes > 1 and idle = 0\n");
  const auto& program = loaded.rules->program();
  const auto look = interpreter::look_of(loaded);
  runtime::Position position = program.initial;
  position.variables[0].number = 7;
  position.cells[0].push_back(position.cells[2].front());
  tools::SvgOptions options;
  options.look = &look;
  const std::string svg = tools::board_svg(program, position, options);
  CHECK(count(svg, ">Black to move, score: 0</text>") == 1);
  CHECK(count(svg, ">White, score: 3</text>") == 1);
  CHECK(count(svg, ">passes: 7</text>") == 1);
  CHECK(count(svg, "idle") == 0);
  CHECK(count(svg, ">stacks, bottom to top: a1\u00A0xo</text>") == 1);
  options.captions = false;
  CHECK(count(tools::board_svg(program, position, options), "score") == 0);
}

TEST_CASE("text below a picture is broken at blanks, or where there are none") {
  const auto loaded = small("board: { squares: 2 by 1 }\npieces: { man: x o }\n");
  tools::SvgOptions options;
  options.text = {std::string(20, 'a') + " " + std::string(20, 'b'), std::string(60, 'c'), ""};
  const std::string svg = svg_of(loaded, options);
  CHECK(count(svg, ">" + std::string(20, 'a') + "</text>") == 1);
  CHECK(count(svg, ">" + std::string(20, 'b') + "</text>") == 1);
  CHECK(count(svg, ">" + std::string(60, 'c') + "</text>") == 0);
  CHECK(count(svg, "c") >= 60);
}

TEST_CASE("a picture is its parts") {
  const auto loaded = small("board: { squares: 3 by 1 }\npieces: { man: x o }\nsetup: { x: a1 }\n");
  const auto& program = loaded.rules->program();
  const auto drawing = tools::board_drawing(program, program.initial);
  std::string body;
  for (const std::string& element : drawing.elements) {
    CHECK(element.starts_with("<"));
    CHECK(element.ends_with(">\n"));
    body += element;
  }
  const std::string svg = tools::board_svg(program, program.initial);
  CHECK(svg.ends_with(body + "</svg>\n"));
  CHECK(svg.starts_with(tools::svg_opening(drawing)));
}

TEST_CASE("what reached a crossing has a ring, since it hides the crossing") {
  const auto loaded = small("board: { squares: 3 by 3 }\npieces: { man: x o }\nsetup: { x: b2 }\n"
                            "look: { cells: points }\n");
  tools::SvgOptions options;
  options.marks.reached = runtime::CellSet::of(4);
  CHECK(count(svg_of(loaded, options), "fill=\"none\" stroke=\"#e8b400\"") == 1);
  CHECK(count(svg_of(loaded), "#e8b400") == 0);
}

TEST_CASE("boards that lie side by side have room between them, seen from either side") {
  const auto width = [](const std::string& look, bool flipped) {
    const auto loaded = small("board: { squares: 5 by 2 }\npieces: { man: x o }\nlook: { " + look + " }\n");
    const auto& program = loaded.rules->program();
    const auto drawn = interpreter::look_of(loaded);
    tools::SvgOptions options;
    options.look = &drawn;
    options.flipped = flipped;
    options.captions = false;
    const auto drawing = tools::board_drawing(program, program.initial, options);
    return drawing.right - drawing.left;
  };
  const double plain = width("cells: plain", false);
  CHECK(width("file(1 .. 3): wood", false) == plain + 10);
  CHECK(width("file(1 .. 3): wood", true) == plain + 10);
  CHECK(width("file(1) | file(3): wood", false) == plain);
}

TEST_CASE("labels of a hexagon don't lie on each other") {
  const std::string svg = svg_of(small("board: { hexagon: 3 }\npieces: { man: x o }\n"));
  CHECK(count(svg, "text-anchor=\"start\" fill=\"#3a3126\">4</text>") == 1); // at the right
  const std::string rhombus = svg_of(small("board: { hexes: 3 by 3 }\npieces: { man: x o }\n"));
  CHECK(count(rhombus, "text-anchor=\"end\" fill=\"#3a3126\">3</text>") == 1);
}

TEST_CASE("points that are all called by one letter have no letters at the edge") {
  const std::string named =
      "board: { squares: 3 by 2, names: { p1: a1, p2: b1, p3: c1, p6: a2, p5: b2, p4: c2 } }\n"
      "pieces: { man: x o }\n";
  CHECK(count(svg_of(small(named)), ">p</text>") == 0);
  CHECK(count(svg_of(small("board: { squares: 3 by 2 }\npieces: { man: x o }\n")), ">c</text>") == 1);
}

TEST_CASE("players that are named by a shade have it") {
  auto loaded = interpreter::load_text("drawn.yaml", "game: Drawn\nplayers: [Dark, Light]\n"
                                                     "turn: place(man, empty)\nboard: { squares: 2 by 1 }\n"
                                                     "pieces: { man: d l }\nsetup: { d: a1 }\n");
  REQUIRE(loaded.rules != nullptr);
  const std::string black = interpreter::colour_named("black");
  CHECK(count(svg_of(loaded), "r=\"18.7\" fill=\"" + black + "\"") == 1);
}

TEST_CASE("every bundled game has a picture, the same each time") {
  for (const std::string& name : tests::bundled_games()) {
    const auto loaded = interpreter::load(name);
    INFO(name);
    REQUIRE(loaded.rules != nullptr);
    const std::string svg = svg_of(loaded);
    CHECK(svg.starts_with("<svg "));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf") == std::string::npos);
    CHECK(svg == svg_of(loaded));
  }
}

} // namespace board_svg_test
