// What is understood of the sentences by which authors tell people how pieces move and who loses.
#include "interpreter/findings/claims.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace claims_test {

using namespace boardwright::interpreter;

namespace {

PieceWays set_of(std::initializer_list<PieceWay> ways) {
  PieceWays all = 0;
  for (const PieceWay way : ways) all |= 1U << static_cast<unsigned>(way);
  return all;
}

std::optional<Stuck> told(const std::string& text) { return stuck_told(text, {"Fox", "goose"}); }

} // namespace

TEST_CASE("plain words about how a kind moves are understood", "[claims]") {
  using enum PieceWay;
  CHECK(ways_told("one step diagonally forward; takes by leaping") == set_of({ahead_aslant}));
  CHECK(ways_told("moves diagonally") == set_of({ahead_aslant, back_aslant}));
  CHECK(ways_told("one step forward or sideways") == set_of({ahead, ahead_aslant, aside}));
  CHECK(ways_told("slides orthogonally") == std::nullopt); // how far, and past what, nobody knows
  CHECK(ways_told("steps orthogonally") == set_of({ahead, aside, back}));
  CHECK(ways_told("one step straight or diagonally forward") == set_of({ahead, aside, back, ahead_aslant}));
  CHECK(ways_told("one step diagonally or backward") == set_of({ahead_aslant, back, back_aslant}));
  CHECK(ways_told("one step forward, to an empty cell") == set_of({ahead, ahead_aslant}));
}

TEST_CASE("words that may mean something else say nothing of ways", "[claims]") {
  for (const char* text : {"one step in any direction", "never moves backward", "leaps diagonally", "placed",
                           "one step forward when it is free", "one step forward or up"})
    CHECK(ways_told(text) == std::nullopt);
}

TEST_CASE("who loses without a move is understood from either side", "[claims]") {
  CHECK(told("Whoever can't move loses.") == Stuck::loses);
  CHECK(told("You win when your opponent cannot move.") == Stuck::loses);
  CHECK(told("A player who has no move wins.") == Stuck::wins);
  CHECK(told("If you can't move, your opponent wins.") == Stuck::loses);
  CHECK(told("Men step forward. Who can't move has lost.") == Stuck::loses);
}

TEST_CASE("sentences about one side, or about more than that, say nothing", "[claims]") {
  for (const char* text : {"The fox loses when it can't move.", "Who can't move passes and doesn't lose.",
                           "They win when he can't move.", "Who can't move loses, or draws in check.",
                           "Whoever takes the king wins.", "Who can't move loses. Who has no move wins."})
    CHECK(told(text) == std::nullopt);
}

} // namespace claims_test
