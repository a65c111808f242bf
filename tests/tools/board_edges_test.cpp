// Sides of players, lines of players, star points: found in the rules, drawn in terminals and pictures.
#include "interpreter/load.hpp"
#include "interpreter/look/look.hpp"
#include "tools/drawing/board_edges.hpp"
#include "tools/drawing/board_svg.hpp"
#include "tools/drawing/board_text.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include <string>

namespace board_edges_test {

using namespace boardwright;

namespace {

struct Drawn {
  interpreter::Loaded loaded;
  interpreter::Look look;

  [[nodiscard]] const runtime::Program& program() const { return loaded.rules->program(); }
  [[nodiscard]] std::string text(tools::DrawOptions options = {}) const {
    options.unicode = true;
    options.look = &look;
    return "\n" + tools::draw_board(program(), program().initial, options);
  }
  [[nodiscard]] std::string svg() const {
    tools::SvgOptions options;
    options.look = &look;
    options.captions = false;
    return tools::board_svg(program(), program().initial, options);
  }
};

Drawn drawn(const std::string& sections) {
  Drawn made{interpreter::load_text("edges.yaml", "game: Edges\nplayers: { Red: north, Blue: east }\n"
                                                  "pieces: { man: r b }\n" +
                                                      sections),
             {}};
  INFO(made.loaded.errors());
  REQUIRE(made.loaded.rules != nullptr);
  made.look = interpreter::look_of(made.loaded);
  return made;
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

const std::string kJoins = "turn: place(man, empty), if connected(adjacent) then win\n";

} // namespace

TEST_CASE("sides that a player must join are his, as the rules ask for them") {
  const auto sides = [](const std::string& rules) { return drawn(rules).look.sides.size(); };
  const std::string board = "board: { squares: 3 by 3 }\n";
  CHECK(sides(board + kJoins) == 4);
  CHECK(sides(board + "define: { through(g): some g in row(1) and some g in last_row }\n"
                      "turn: place(man, empty), if through(group(here, own, all)) then win\n") == 4);
  CHECK(sides(board + "turn: place(man, empty),\n"
                      "  if some reach(own & row(1), (go all, at own)*) in last_row then win\n") == 4);
  // A race has a goal, and no side to begin from; what all must join is nobody's.
  CHECK(sides(board + "turn: place(man, empty), if some own in last_row then win\n") == 0);
  CHECK(sides(board + "turn: place(man, empty), if some group(rank(1), own, all) in rank(3) then win\n") ==
        0);
}

TEST_CASE("look can say whose a side is") {
  const Drawn made = drawn("board: { squares: 3 by 3 }\nturn: place(man, empty)\n"
                           "look: { row(1): side, row(-1): side }\n");
  CHECK(made.look.sides.size() == 4);
  const auto wrong = interpreter::load_text(
      "edges.yaml", "game: Edges\nplayers: [Red, Blue]\nboard: { squares: 3 by 3 }\npieces: { man: r b }\n"
                    "turn: place(man, empty)\nlook: { rank(1): side }\n");
  CHECK(wrong.errors().find("`rank(1)` is the same for all players") != std::string::npos);
}

TEST_CASE("without colours a side is made of its player's letter") {
  CHECK(drawn("board: { squares: 3 by 2 }\n" + kJoins).text() == R"(
    rrrrrrrrr
2  b ·  ·  · b
1  b ·  ·  · b
    rrrrrrrrr
     a  b  c
)");
  CHECK(drawn("board: { hexes: 3 by 3 }\n" + kJoins).text() == R"(
        rrrrrrrrrrrr
     3 b ·   ·   ·  b
   2 b ·   ·   ·  b
 1 b ·   ·   ·  b
    rrrrrrrrrrrr
 a   b   c
)");
}

TEST_CASE("with colours a side is a bar in its player's colour") {
  tools::DrawOptions options;
  options.color = true;
  const std::string text = drawn("board: { squares: 3 by 2 }\n" + kJoins).text(options);
  CHECK(times(text, "▄▄▄▄▄▄▄▄▄") == 1);
  CHECK(times(text, "▀▀▀▀▀▀▀▀▀") == 1);
  CHECK(times(text, "▐") == 2);
  CHECK(times(text, "▌") == 2);
}

TEST_CASE("a picture has the sides of players in their colours") {
  const Drawn made = drawn("board: { squares: 3 by 2 }\n" + kJoins);
  CHECK(times(made.svg(), "stroke=\"#c4301f\"") == 6); // an edge of each cell, above and below
  CHECK(times(made.svg(), "stroke=\"#1f6fb5\"") == 4);
  const Drawn hexes = drawn("board: { hexes: 3 by 3 }\n" + kJoins);
  CHECK(times(hexes.svg(), "stroke=\"#c4301f\"") == 12); // two edges of each
  const auto edges = tools::side_edges(tools::Scene(hexes.program(), &hexes.look));
  CHECK(std::count_if(edges.begin(), edges.end(), [](const auto& edge) { return edge.shared; }) == 4);
}

TEST_CASE("lines of two players are told apart") {
  const std::string rules = "board: { squares: 3 by 3 }\nturn: place(man, empty)\n"
                            "define:\n  up: { Red: file(2), Blue: file(1) | file(3) }\n"
                            "  along(c): if c in up then north | south else none\n"
                            "look: { cells: points, lines: along }\n";
  const Drawn made = drawn(rules);
  CHECK(made.look.owned_lines.size() == 6);
  CHECK(made.text() == R"(
3   ╻  ╷  ╻
2   ┃  │  ┃
1   ╹  ╵  ╹
    a  b  c
)");
  CHECK(times(made.svg(), "<polyline") == 6);
}

TEST_CASE("`lines` takes a definition with one parameter") {
  const auto wrong = interpreter::load_text(
      "edges.yaml", "game: Edges\nplayers: [Red, Blue]\nboard: { squares: 3 by 3 }\npieces: { man: r b }\n"
                    "turn: place(man, empty)\nlook: { cells: points, lines: alnog }\n");
  CHECK(wrong.errors().find("unknown name `alnog` in `look`") != std::string::npos);
}

TEST_CASE("large boards of points on which play begins without pieces have star points") {
  const auto stars = [](const std::string& board, const std::string& more = "") {
    const Drawn made = drawn("board: { squares: " + board + " }\nturn: place(man, empty)\n" + more +
                             "look: { cells: points }\n");
    std::string names;
    tools::star_points(tools::Scene(made.program(), &made.look)).each([&](int cell) {
      names += (names.empty() ? "" : " ") + made.program().board.name[static_cast<std::size_t>(cell)];
    });
    return names;
  };
  CHECK(stars("9 by 9") == "c3 g3 e5 c7 g7");
  CHECK(stars("13 by 13") == "d4 j4 g7 d10 j10");
  CHECK(stars("19 by 19") == "d4 j4 p4 d10 j10 p10 d16 j16 p16");
  CHECK(stars("8 by 8").empty());
  CHECK(stars("9 by 9", "setup: { r: a1 }\n").empty());
}

TEST_CASE("where the terminal has room the board is drawn larger") {
  tools::DrawOptions options;
  options.height = 40;
  const Drawn squares = drawn("board: { squares: 2 by 2 }\nturn: place(man, empty)\nsetup: { r: a1 }\n");
  CHECK(squares.text(options) == R"(

2     ·      ·


1     r      ·

      a      b
)");
  const Drawn points =
      drawn("board: { squares: 3 by 2 }\nturn: place(man, empty)\nlook: { cells: points }\n");
  CHECK(points.text(options) == R"(
2   ┌───┬───┐
    │   │   │
1   └───┴───┘
    a   b   c
)");
  options.height = 4;
  CHECK(squares.text(options) == squares.text());
}

} // namespace board_edges_test
