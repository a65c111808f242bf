// The limits of deriving moves (runtime/model/limits.hpp), each on both sides.
#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"
#include "runtime/model/limits.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace boardwright;

namespace {

// How many moves there are, or the fault's message.
std::string moves_of(const std::string& turn) {
  const auto loaded = interpreter::load_text(
      "limits.yaml",
      "game: Limits\nplayers: [A, B]\nboard: { squares: 3 by 3 }\npieces: { man: a b }\nturn: " + turn +
          "\n");
  INFO(turn << "\n" << loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  runtime::Game game(loaded.rules);
  const auto moves = game.moves();
  return moves ? std::to_string(moves->size()) : moves.error().message;
}

} // namespace

TEST_CASE("the number of moves of a position is limited") {
  // 65,536 are as many as a list may have
  CHECK(moves_of("choose a in 1 .. 65536, choose b in 1 .. 32, say a, say \"/\", say b") ==
        std::to_string(runtime::kMaxMoves));
  CHECK(moves_of("(choose a in 1 .. 65536, choose b in 1 .. 32, say a, say \"/\", say b) or pass") ==
        "a position has more than 2097152 moves");
}

TEST_CASE("the number of choices of all moves of a position is limited") {
  // In a repetition going on is a choice, too: 2^19 moves of 39 numbers, and 2^20 of 41.
  CHECK(moves_of("(choose a in 1 .. 2, say a){19}") == "524288");
  CHECK(moves_of("(choose a in 1 .. 2, say a){20}") ==
        "the moves of a position have more than 33554432 choices together");
}
