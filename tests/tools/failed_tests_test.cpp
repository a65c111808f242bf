// What check shows of a test that failed.
#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>

namespace failed_tests_test {

using namespace boardwright::tests;

namespace {

const std::string kGame = R"(game: Walk
players: { White: north, Black: south }
board: { squares: 5 by size }
options: { size: { default: 5, range: 4..9 } }
pieces: { man: w b }
setup: { w: rank(1), b: rank(size) }
turn: from own, (step(forward, empty) or step(ahead & diagonal, ~own))
end: [lose when no move]
tests:
)";

Run failing(const std::string& test, const std::string& options = "") {
  const std::string path = scratch().file("failing.yaml", kGame + "  - { name: t, " + test + " }\n");
  return run("check --no-games " + options + " " + path);
}

std::size_t boards(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find("a b c d e\n", at)) != std::string::npos; ++at) ++count;
  return count;
}

} // namespace

TEST_CASE("a failed test shows the board, and why moves are missing or too many") {
  const Run found =
      failing("position: { to_move: White, cells: { d3: w, d4: b, e4: b } }, moves: d3-c4 d3xd4");
  INFO(found.out);
  CHECK(found.status == 1);
  CHECK(has(found.out, "      4  . . . b b\n      3  . . . w .\n"));
  CHECK(has(found.out, "      White to move\n"));
  CHECK(has(found.out, "    d3xd4 is not legal; there is d3-c4 d3xe4\n    what stops it:\n"));
  CHECK(has(found.out, "what stops it:\n      d4 holds a man of Black's\n"));
  CHECK(has(found.out, "failing.yaml:7:18: step(forward, empty)\n"));
  CHECK(has(found.out, "    d3xe4 is legal, by\n"));
  CHECK(has(found.out, "failing.yaml:7:42: step(ahead & diagonal, ~own)\n"));
  CHECK(has(found.out, "    see: boardwright moves '"));
  CHECK(has(found.out, "' --position '5/3bb/3w1/5/5 w'\n"));
}

TEST_CASE("what is shown can be asked, with the options of the test") {
  const Run found = failing("set: { size: 4 }, count: 7");
  INFO(found.out);
  CHECK(has(found.out, "there are 13 moves, but the file says 7"));
  CHECK(has(found.out, "legal: a1-a2 a1-b2"));
  const std::size_t at = found.out.find("see: boardwright ") + 17;
  const std::string command = found.out.substr(at, found.out.find('\n', at) - at);
  CHECK(has(command, " --set 'size=4' "));
  const Run asked = run(command);
  CHECK(asked.status == 0);
  CHECK(has(asked.out, "a1-b2"));
  const Run deep = failing("perft: { 2: 3 }");
  CHECK(has(deep.out, "see: boardwright perft --depth 2 --divide '"));
}

TEST_CASE("of a failed test two positions are shown") {
  CHECK(boards(failing("after a1-a2: { count: 1 }, after b1-b2: { count: 1 }").out) == 2);
  CHECK(boards(
            failing("after a1-a2: { count: 1 }, after b1-b2: { count: 1 }, after c1-c2: { count: 1 }").out) ==
        2);
  CHECK(boards(failing("count: 13").out) == 0);
}

TEST_CASE("of the moves that are missing two are explained") {
  const Run found = failing("moves include: a1-a3 b1-b3 c1-c3");
  INFO(found.out);
  CHECK(has(found.out, "    a1-a3 is not legal"));
  CHECK(has(found.out, "    b1-b3 is not legal"));
  CHECK_FALSE(has(found.out, "    c1-c3 is not legal"));
  CHECK(has(failing("moves exclude: a1-a2").out, "    a1-a2 is legal, by\n"));
  CHECK(has(failing("after a1-a3: { count: 1 }").out, "    a1-a3 is not legal"));
}

TEST_CASE("details of a failed test as JSON") {
  const auto found = nlohmann::json::parse(failing("count: 7", "--json").out)["files"][0]["tests"][0];
  CHECK(has(found["details"].get<std::string>(), "White to move\n"));
  CHECK_FALSE(
      nlohmann::json::parse(failing("count: 13", "--json").out)["files"][0]["tests"][0].contains("details"));
}

TEST_CASE("of a move that is written in another way a failed test says how") {
  const Run found = failing("moves include: A1-A2");
  INFO(found.out);
  CHECK(has(found.out, "not legal: A1-A2"));
  CHECK(has(found.out, "    A1-A2 is written a1-a2: tests ask for every letter\n"));
  CHECK_FALSE(has(found.out, "A1-A2 is legal"));
}

} // namespace failed_tests_test
