// Standard algebraic notation, written and read.
#include "interpreter/load.hpp"
#include "interpreter/notation/position_text.hpp"
#include "tests/rule_files.hpp"
#include "tools/games/algebraic.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace algebraic_test {

using namespace boardwright;

namespace {

runtime::Game at(const std::string& game, const std::string& fen) {
  static std::map<std::string, interpreter::Loaded> known;
  auto& loaded = known.try_emplace(game, interpreter::load(game)).first->second;
  REQUIRE(loaded.rules != nullptr);
  const auto read = interpreter::read_position(loaded.rules, "position", fen);
  if (!read.game) FAIL(read.errors());
  return *read.game;
}

// The moves that are written so in the rules' own notation, each as SAN with its sign.
std::string written(runtime::Game game, const std::string& own) {
  const auto texts = tools::algebraic_moves(game);
  REQUIRE(texts);
  const auto move = game.find(own);
  REQUIRE(move);
  REQUIRE(*move);
  std::string text = (*texts)[(*move)->index()];
  REQUIRE(game.play(**move));
  return text + tools::check_sign(game);
}

// The moves that are meant, in the rules' own notation.
std::string meant(runtime::Game game, const std::string& text) {
  const auto found = tools::algebraic_meant(game, text);
  REQUIRE(found);
  const auto own = game.notations();
  REQUIRE(own);
  std::string all;
  for (const std::size_t i : *found) all += (all.empty() ? "" : " ") + (*own)[i];
  return all;
}

} // namespace

TEST_CASE("moves are written as players of chess write them") {
  const auto begin = at("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w");
  CHECK(written(begin, "e2-e4") == "e4");
  CHECK(written(begin, "g1-f3") == "Nf3");
  const auto castles = at("chess", "r3k2r/8/8/8/8/8/8/R3K2R w");
  CHECK(written(castles, "e1-g1") == "O-O");
  CHECK(written(castles, "e1-c1") == "O-O-O");
  CHECK(written(castles, "a1xa8") == "Rxa8+");
  const auto many = at("chess", "4k3/P2p4/2P5/8/1Q5Q/8/1N5Q/4K2N w");
  CHECK(written(many, "c6xd7") == "cxd7+");
  CHECK(written(many, "a7-a8=Q") == "a8=Q+");
  CHECK(written(many, "a7-a8=N") == "a8=N");
  const auto queens = at("chess", "6k1/8/8/8/4Q2Q/8/8/K6Q w");
  CHECK(written(queens, "h4-e1") == "Qh4e1");
  CHECK(written(queens, "e4-b1") == "Qeb1");
  CHECK(written(at("chess", "k7/8/1K6/8/8/8/8/7R w"), "h1-h8") == "Rh8#");
}

TEST_CASE("what is typed in algebraic notation is understood with signs and without") {
  const auto begin = at("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w");
  CHECK(meant(begin, "e4") == "e2-e4");
  CHECK(meant(begin, "Nf3") == "g1-f3");
  CHECK(meant(begin, "nf3") == "g1-f3");
  CHECK(meant(begin, "Ngf3!") == "g1-f3");
  CHECK(meant(begin, "Nf4").empty());
  CHECK(meant(begin, "moves").empty());
  const auto castles = at("chess", "r3k2r/8/8/8/8/8/8/R3K2R w");
  CHECK(meant(castles, "0-0") == "e1-g1");
  CHECK(meant(castles, "o-o-o") == "e1-c1");
  const auto two = at("chess", "4k3/8/2p5/1P1B4/8/1N3N2/8/4K3 w");
  CHECK(meant(two, "bxc6") == "b5xc6");
  CHECK(meant(two, "Bxc6+") == "d5xc6");
  CHECK(meant(two, "Nd2") == "b3-d2 f3-d2");
  CHECK(meant(two, "Nbd2") == "b3-d2");
  CHECK(meant(at("chess", "4k3/P7/8/8/8/8/8/4K3 w"), "a8Q") == "a7-a8=Q");
}

TEST_CASE("what names two cells may be a piece of that letter, too") {
  const auto loaded = interpreter::load("chess");
  const auto& chess = loaded.rules->program();
  CHECK(tools::first_of_two_cells(chess, "b8e5") == "b8");
  CHECK(tools::first_of_two_cells(chess, "b8-e5") == "b8");
  CHECK(tools::first_of_two_cells(chess, "B8e5").empty());
  CHECK(tools::first_of_two_cells(chess, "be5").empty());
  CHECK(tools::first_of_two_cells(chess, "e5").empty());
  CHECK(tools::first_of_two_cells(chess, "").empty());
}

TEST_CASE("pieces from a hand are dropped with @, and other games of pieces have the same notation") {
  CHECK(written(at("crazyhouse", "4k3/8/8/8/8/8/8/4K3[N] w"), "Nf3") == "N@f3");
  CHECK(tools::has_algebraic(interpreter::load("xiangqi").rules->program()));
  CHECK_FALSE(tools::has_algebraic(interpreter::load("hex").rules->program()));
  CHECK_FALSE(tools::has_algebraic(interpreter::load("gomoku").rules->program()));
  CHECK_FALSE(tools::has_algebraic(interpreter::load("tak").rules->program()));
}

TEST_CASE("each move of a game of chess means itself in algebraic notation") {
  runtime::Game game = at("chess", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w");
  for (int ply = 0; ply < 8; ++ply) {
    const auto texts = tools::algebraic_moves(game);
    const auto moves = game.moves();
    REQUIRE(texts);
    REQUIRE(moves);
    for (std::size_t i = 0; i < texts->size(); ++i) {
      INFO((*texts)[i]);
      const auto found = tools::algebraic_meant(game, (*texts)[i]);
      REQUIRE(found);
      CHECK(*found == std::vector<std::size_t>{i});
    }
    REQUIRE(game.play((*moves)[moves->size() / 2]));
  }
}

} // namespace algebraic_test
