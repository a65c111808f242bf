// The limits of deriving moves (runtime/model/limits.hpp), each on both sides: in steps, moves and bytes,
// which are the same on every machine, never in time.
#include "interpreter/load.hpp"
#include "runtime/executor/key_set.hpp"
#include "runtime/game/game.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/model/limits.hpp"
#include "tests/rule_files.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>

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
    return "each a in 1 .. 60000 do (each b in 1 .. " + std::to_string(times) +
           " do set n = n + 1), require n > 0, pass";
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

// ---------------------------------------------------------------- ways that meet

namespace {

// A piece on a1 walks over others in all directions, each of them once; they are taken at the end. On four by
// four cells there are so many ways over fourteen of them, by a count of every cell with every set of those
// that were met: 106,265 of these, and 708,471,432 ways.
std::string taken(int others, const std::string& turn) {
  constexpr int kColumns = 4;
  std::string cells;
  for (int cell = 1; cell <= others; ++cell) {
    if (cell > 1) cells += " | ";
    cells += static_cast<char>('a' + cell % kColumns);
    cells += std::to_string(cell / kColumns + 1);
  }
  const auto loaded = interpreter::load_text(
      "taken.yaml", "game: Taken\nplayers: [A, B]\nboard: { squares: 4 by 4 }\npieces: { man: a b }\n"
                    "setup: { a: a1, b: " +
                        cells + " }\nturn: |\n  let hit = none, " + turn + "\n");
  INFO(turn << "\n" << loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  runtime::Game game(loaded.rules);
  const auto found = size_or_fault(game.moves());
  CHECK(game.steps() < runtime::kMaxWork / 2);
  return found;
}

const std::string kRound = "choose d in all, (go d)+, at enemy - hit, set hit = hit | here";
const std::string kEnd = ", put, remove hit - here";

} // namespace

TEST_CASE("ways that meet, with the same written, are followed once where there are many") {
  const std::string most = "most -count(enemy) of (from own, lift, (" + kRound + ")";
  // 26 ways, 3,315, and those; so many end somewhere else with all that can be taken
  for (const auto& [others, each_end] : {std::pair(4, "3"), std::pair(7, "7"), std::pair(14, "14")}) {
    INFO(others);
    CHECK(taken(others, most + "+" + kEnd + ")") == each_end);
    if (others < 14) CHECK(taken(others, most + "{1 .. 7}" + kEnd + ")") == each_end);
    CHECK(taken(others, most + "*!" + kEnd + ")") == each_end);
    // what comes behind may fail, so the greatest value is found first
    CHECK(taken(others, most + "+" + kEnd + "), choose n in 1 .. 2, require n < 2, say n") == each_end);
  }
}

TEST_CASE("ways on which something else is written are different moves, wherever they meet") {
  const std::string most = "most -count(enemy) of (from own, lift, (" + kRound + ", say (\"/\", here))+";
  CHECK(taken(4, most + kEnd + ")") == "4");
  CHECK(taken(7, most + kEnd + ")") == "972");
}

TEST_CASE("the latest keys are known as long as there is room for them") {
  using runtime::executor::LatestKeys;
  const auto key = [](std::uint64_t k) { return k * 0x9e3779b97f4a7c15U; };
  LatestKeys keys(4096);
  for (std::uint64_t k = 0; k < 1024; ++k) REQUIRE(keys.add(key(k)));
  for (std::uint64_t k = 0; k < 1024; ++k) REQUIRE_FALSE(keys.add(key(k)));
  for (std::uint64_t k = 1024; k < 100'000; ++k) REQUIRE(keys.add(key(k))); // none is taken for another
  CHECK_FALSE(keys.add(key(99'999)));
  CHECK(keys.bytes_needed() == 4096 * sizeof(std::uint64_t) * 3 / 2);
  int forgotten = 0;
  for (std::uint64_t k = 0; k < 1024; ++k) forgotten += keys.add(key(k)) ? 1 : 0;
  CHECK(forgotten > 900);
  keys.clear();
  CHECK(keys.add(key(99'999)));
}

} // namespace limits_test
