// How much code rules become: what comes after a condition isn't written once for each way there is to it.
#include "runtime/game/compiled.hpp"
#include "tests/rule_files.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace code_size_test {

using namespace boardwright;
using namespace boardwright::runtime;

namespace {

// A stone that has come shoves away what stands beside it, in so many directions.
std::shared_ptr<const Rules> shoving(int directions) {
  const std::vector<std::string> all{"north",      "south",      "east",       "west",
                                     "north+east", "north+west", "south+east", "south+west"};
  std::string turn = "  from own, choose d in orthogonal, lift, (go d, at empty)+!, put";
  for (int k = 0; k < directions; ++k) turn += ",\n  shove(" + all[static_cast<std::size_t>(k)] + ")";
  const auto loaded = interpreter::load_text("shoving.yaml", R"(game: Shoving
players: { White: north, Black: south }
board: { squares: 5 by 5 }
pieces: { stone: w b }
setup: { w: rank(1), b: rank(5) }
define:
  shove(e): |
    if next(here, e) in enemy then
      (if some next(here, 2 * e) & empty then move next(here, e) by shift(here, next(here, e))
       else if no next(here, 2 * e) then remove next(here, e))
turn: |
)" + turn + "\nend:\n  - lose when no move\n");
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded.rules;
}

} // namespace

TEST_CASE("conditions one after the other become code in proportion", "[code_size]") {
  const auto few = shoving(4), many = shoving(8);
  // Four ways on for each condition: 2 players, 4 directions, and all that isn't shared of 256 ways behind
  // them.
  CHECK(few->compiled().code.leaves.size() < 1000);
  CHECK(many->compiled().code.leaves.size() < 2 * few->compiled().code.leaves.size() + 1);
  CHECK(many->compiled().code.instructions.size() < 4 * few->compiled().code.instructions.size());
  // Where a stone stops and what it shoves goes by the position: nothing is to be compared.
  CHECK_FALSE(few->compiled().code.compares.at(0));
  CHECK_FALSE(many->compiled().code.compares.at(0));
}

// Three conditions have 64 ways, four have 256: kMostWays of lowering/actions/shared.cpp lies between.
TEST_CASE("few ways behind conditions are written out, many are not", "[code_size]") {
  const auto leaves = [](int directions) { return shoving(directions)->compiled().code.leaves.size(); };
  const std::size_t two = leaves(2), three = leaves(3);
  CHECK(three == 4 * two);
  CHECK(leaves(4) == three);
}

} // namespace code_size_test
