// The limits of deriving moves (runtime/model/limits.hpp), each on both sides: in steps, moves and bytes,
// which are the same on every machine, never in time.
#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/model/limits.hpp"
#include "tests/rule_files.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace limits_test {

using namespace boardwright;

namespace {

runtime::Game game_of(const std::string& turn) {
  const auto loaded =
      interpreter::load_text("limits.yaml", "game: Limits\nplayers: [A, B]\nboard: { squares: 3 by 3 "
                                            "}\npieces: { man: a b }\nstate: { n: 0 }\nturn: " +
                                                turn + "\n");
  INFO(turn << "\n" << loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return runtime::Game(loaded.rules);
}

template <class T>
std::string size_or_fault(const tl::expected<T, runtime::Fault>& found) {
  if (found) return std::to_string(found->size());
  CHECK(found.error().origin != 0);
  return found.error().message;
}

// How many moves there are, or the fault's message.
std::string moves_of(const std::string& turn) {
  auto game = game_of(turn);
  return size_or_fault(game.moves());
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

namespace {

const std::string kTooLong = "this takes too long: more than 1000000000 steps for one position";

// A move that is there if a sum over so many pairs is right. It begins with `ply`, so that it isn't known
// before.
std::string sum_over(std::uint64_t times) {
  return "require sum(a for a in ply .. 50000, b in 1 .. " + std::to_string(times) + ") > ply, pass";
}

std::uint64_t steps_of(std::uint64_t times) {
  auto game = game_of(sum_over(times));
  REQUIRE(game.moves().has_value());
  return game.steps();
}

} // namespace

TEST_CASE("the steps of an answer are limited, and counted the same each time") {
  if (tests::kSanitized) return; // so many steps take minutes there
  const std::uint64_t ten = steps_of(10), twenty = steps_of(20);
  CHECK(ten == steps_of(10));
  REQUIRE(twenty > ten + 500'000); // each round of the inner loop is counted
  const std::uint64_t one = (twenty - ten) / 10, most = 10 + (runtime::kMaxWork - ten) / one;
  CHECK(steps_of(most - 1) <= runtime::kMaxWork + 1'000);
  CHECK(moves_of(sum_over(most + 2)) == kTooLong);
}

TEST_CASE("the moves of a position are found and written within the steps of one answer") {
  if (tests::kSanitized) return; // so many steps take minutes there
  // Each move is worked out anew where it is written: a tenth of what an answer may take, about.
  const std::uint64_t times = (runtime::kMaxWork / 10) / ((steps_of(20) - steps_of(10)) / 10);
  const auto written = [&](int moves) {
    auto game = game_of("choose m in 1 .. " + std::to_string(moves) +
                        ", say m, say \"/\", say sum(a + m for a in ply .. 50000, b in 1 .. " +
                        std::to_string(times) + ")");
    return size_or_fault(game.notations());
  };
  CHECK(written(2) == "2");
  CHECK(written(40) == kTooLong);
}

TEST_CASE("the bytes that an answer needs are limited") {
  // What is set is noted, to be taken back: 16 bytes each time, in a row that doubles.
  const auto set = [](int times) {
    return "each a in 1 .. 60000 do (each b in 1 .. " + std::to_string(times) + " do set n = n + 1), pass";
  };
  CHECK(moves_of(set(270)) == "1");
  CHECK(moves_of(set(285)) == "this takes too much memory: more than 469762048 bytes for one position");
}

TEST_CASE("counting has the same limits as listing, but for the number of moves") {
  if (tests::kSanitized) return; // so many steps take minutes there
  auto many = game_of("choose a in 1 .. 65536, choose b in 1 .. 64, say a, say \"/\", say b");
  CHECK(runtime::perft(many, {}).value().leaves == 2 * runtime::kMaxMoves);
  // Writings that may be alike are compared by keys: a table that doubles.
  auto alike = game_of("choose a in 1 .. 65536, choose b in 1 .. 65536, say a, say b");
  const auto counted = runtime::perft(alike, {});
  REQUIRE_FALSE(counted);
  CHECK(counted.error().message.find("this takes too ") == 0);
}

TEST_CASE("the bytes of the notations of a position are limited") {
  const auto written = [](int moves) {
    auto game = game_of("choose a in 1 .. " + std::to_string(moves) + ", say \"" + std::string(4'000, 'x') +
                        "\", say a");
    return size_or_fault(game.notations());
  };
  CHECK(written(33'000) == "33000");
  CHECK(written(33'500) == "to write the moves of a position takes more than 134217728 bytes");
}

TEST_CASE("an answer that met a limit leaves the game as it was") {
  if (tests::kSanitized) return; // so many steps take minutes there
  auto game = game_of("(require n = 1, pass) or (require n = 0, each a in 1 .. 60000 do (each b in 1 .. 400 "
                      "do set n = n + 1))"
                      " or (require n = 0, set n = 1)");
  const std::uint64_t key = game.key();
  for (int i = 0; i < 2; ++i) {
    REQUIRE_FALSE(game.moves());
    CHECK(game.key() == key);
    CHECK(game.length() == 0);
  }
}

} // namespace limits_test
