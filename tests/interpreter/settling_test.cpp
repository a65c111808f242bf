// Positions from outside are those that play leads to: rights that are gone, and cells in `passant` that
// nobody may take, don't count.
#include "interpreter/load.hpp"
#include "interpreter/notation/position_text.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace settling_test {

using namespace boardwright;

namespace {

runtime::Game read(const std::string& game, const std::string& text) {
  const auto loaded = interpreter::load(game);
  REQUIRE(loaded);
  auto found = interpreter::read_position(loaded.rules, "position", text);
  INFO(text << "\n" << found.errors());
  REQUIRE(found.game);
  return std::move(*found.game);
}

std::size_t cells_in(const runtime::Game& game, const std::string& variable) {
  const auto& variables = game.rules().program().variables;
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (variables[i].name == variable)
      return static_cast<std::size_t>(game.position().variables[i].cells.count());
  FAIL("no such variable");
  return 0;
}

std::size_t rights(const std::string& game, const std::string& text) {
  return cells_in(read(game, text), "rights");
}

} // namespace

TEST_CASE("rights of pieces that are gone are dropped where other programs wrote them") {
  CHECK(rights("chess", "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1") == 0);
  CHECK(rights("chess", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1") == 4);
  CHECK(rights("chess", "play: e2-e4") == 6);
  // Whole first rows, but for kings and rooks that have moved.
  CHECK(rights("chess960", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1") == 16);
}

TEST_CASE("our own spellings say exactly what holds") {
  CHECK(rights("chess",
               "{ to_move: White, cells: { e1: K, a1: R, e8: k }, state: { rights: a1 | e1 | h1 } }") == 3);
  CHECK(rights("chess", "4k3/8/8/8/8/8/8/R3K3 White rights=a1,e1,h1") == 3);
}

TEST_CASE("rights of pieces that are still to be placed stay") {
  CHECK(rights("placementchess", "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w") == 6);
  CHECK(rights("placementchess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") == 6);
}

TEST_CASE("a cell in passing that nobody may take is none, and the position is the one that play leads to") {
  const std::string cells = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
  runtime::Game played = read("chess", "play: e2-e4");
  runtime::Game common = read("chess", cells + " b KQkq e3 0 1");
  CHECK(cells_in(common, "passant") == 0);
  CHECK(common.position().variables == played.position().variables);
  const std::string taken = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR";
  CHECK(cells_in(read("chess", taken + " Black passant=e3"), "passant") == 1);
}

TEST_CASE("what a file doesn't drop by these names stays as it is given") {
  const auto loaded = interpreter::load_text("kept.yaml", R"(game: Kept
players: { White: north, Black: south }
board: { squares: 3 by 3 }
pieces: { man: w b }
setup: { w: a1, b: c3 }
state: { rights: a1 | b2, passant: none }
turn: from own, lift, go forward, at empty, put
)");
  REQUIRE(loaded);
  const auto found = interpreter::read_position(
      loaded.rules, "position",
      "{ to_move: White, cells: { a1: w }, state: { rights: c1 | c2, passant: c3 } }");
  REQUIRE(found.game);
  CHECK(cells_in(*found.game, "rights") == 2);
  CHECK(cells_in(*found.game, "passant") == 1);
}

} // namespace settling_test
