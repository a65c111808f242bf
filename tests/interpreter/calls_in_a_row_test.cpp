// A definition that is called again and again with the same action is unfolded once, where written out it
// would be much, and means the same.
#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"
#include "runtime/game/inspect.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace calls_in_a_row_test {

using namespace boardwright;

namespace {

interpreter::Loaded load(const std::string& turn, const std::string& definitions) {
  return interpreter::load_text("row.yaml", "game: Row\nplayers: { White: north, Black: south }\n"
                                            "board: { squares: 3 by 3 }\npieces: { man: w b }\n"
                                            "setup: { w: a1 | b1, b: a3 }\nstate: { n: 0 }\nturn: " +
                                                turn + "\ndefine:\n" + definitions);
}

// `times` calls in a row at each of the levels.
std::string levels(int levels, int times) {
  std::string text = "  g0(A): A, set n = n + 1\n";
  for (int level = 1; level <= levels; ++level) {
    text += "  g" + std::to_string(level) + "(A): ";
    for (int k = 0; k < times; ++k) text += (k > 0 ? ", g" : "g") + std::to_string(level - 1) + "(A)";
    text += "\n";
  }
  return text;
}

std::vector<std::string> moves_of(const interpreter::Loaded& loaded) {
  INFO(loaded.errors());
  REQUIRE(loaded);
  runtime::Game game(loaded.rules);
  const auto moves = game.notations();
  REQUIRE(moves);
  return *moves;
}

std::size_t size_of(const interpreter::Loaded& loaded) {
  REQUIRE(loaded);
  return runtime::inspect(*loaded.rules).instructions;
}

const std::string kStep = "(if here in row(1) then go forward else go backward)";

} // namespace

TEST_CASE("calls in a row that unfold into very much are rounds of one") {
  const auto four = load("from own, lift, g4(" + kStep + "), at row(1), put, say n", levels(4, 8));
  const auto rounds = load("from own, lift, (" + kStep + ", set n = n + 1){4096}, at row(1), put, say n",
                           "  none_of_it: empty\n");
  CHECK(moves_of(four) == moves_of(rounds));
  CHECK(size_of(four) < 10'000);
  const auto ten = load("from own, lift, g10(" + kStep + "), at row(1), put, say n", levels(10, 2));
  CHECK(moves_of(ten) ==
        moves_of(load("from own, lift, (" + kStep + ", set n = n + 1){1024}, at row(1), put, say n",
                      "  none_of_it: empty\n")));
}

TEST_CASE("few calls in a row stay what they are") {
  const auto twice = load("from own, lift, g1(go forward), at empty, put", levels(1, 2));
  const auto written =
      load("from own, lift, go forward, set n = n + 1, go forward, set n = n + 1, at empty, put",
           "  none_of_it: empty\n");
  CHECK(moves_of(twice) == moves_of(written));
  CHECK(size_of(twice) == size_of(written));
}

} // namespace calls_in_a_row_test
