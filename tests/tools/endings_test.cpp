// playouts: by which line of `end` random games ended, or what else.
#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace endings_test {

using namespace boardwright::tests;
using nlohmann::json;

namespace {

// A man each, on a board of one file: they step towards each other, or the game ends by what the turn says.
std::string rules(const std::string& turn, const std::string& end) {
  return scratch().file("ending.yaml", "game: Ending\nplayers: { Black: north, White: south }\n"
                                       "board: { squares: 1 by 6 }\npieces: { man: b w }\n"
                                       "setup: { b: a1, w: a6 }\nturn: " +
                                           turn + "\n" + (end.empty() ? "" : "end:\n" + end));
}

json endings(const std::string& file) {
  const json result = json::parse(run("playouts " + file + " --count 100 --seed 3 --json").out);
  std::uint64_t games = result["unfinished"], draws = 0;
  std::map<std::string, std::uint64_t> wins;
  for (const json& ending : result["endings"]) {
    games += ending["games"].get<std::uint64_t>();
    draws += ending["draws"].get<std::uint64_t>();
    for (const auto& [player, count] : ending["wins"].items()) wins[player] += count.get<std::uint64_t>();
    CHECK(ending["share"].get<double>() == Approx(ending["games"].get<double>() / 100));
  }
  CHECK(games == result["playouts"]);
  CHECK(draws == result["draws"]);
  for (const auto& [player, count] : wins) CHECK(count == result["wins"][player]);
  return result["endings"];
}

} // namespace

TEST_CASE("every line of end is told, with the games that it ended") {
  const std::string file =
      rules("from own, step(forward, empty)", "  - win when count(own) = 3\n  - lose when no move\n");
  const json told = endings(file);
  REQUIRE(told.size() == 2);
  CHECK(told[0]["rule"] == "win when count(own) = 3");
  CHECK(told[0]["by"] == "count(own) = 3");
  CHECK(told[0]["games"] == 0);
  CHECK(told[1]["rule"] == "lose when no move");
  CHECK(told[1]["at"] == file + ":9:5");
  CHECK(told[1]["games"] == 100);
  CHECK(told[1]["wins"]["White"] == 100); // four cells between them
  const Run text = run("playouts " + file + " --count 100 --seed 3");
  CHECK(has(text.out, "  ended by\n    win when count(own) = 3           0    0.0 %  " + file + ":8:5\n" +
                          "    lose when no move               100  100.0 %  " + file + ":9:5\n"));
}

TEST_CASE("so is what ends games without a line of end") {
  const json moves =
      endings(rules("(from own, step(forward, empty), if here = a3 then win) or (pass, draw)", ""));
  REQUIRE(moves.size() == 2);
  for (const json& ending : moves) {
    CHECK(ending["by"] == "the move");
    CHECK_FALSE(ending.contains("rule"));
    CHECK(ending["games"].get<int>() > 0);
  }
  CHECK(moves[0]["games"].get<int>() >= moves[1]["games"].get<int>());
  const json stuck = endings(rules("from own, step(forward, empty)", ""));
  REQUIRE(stuck.size() == 1);
  CHECK(stuck[0]["by"] == "no move");
  CHECK(stuck[0]["draws"] == 100);
  CHECK_FALSE(stuck[0].contains("at"));
}

TEST_CASE("games that are cut off ended by nothing") {
  const json none = endings(rules("pass", "  - draw when ply > 5000\n"));
  REQUIRE(none.size() == 1);
  CHECK(none[0]["games"] == 0);
}

TEST_CASE("endings don't depend on the threads") {
  const std::string file = rules("(from own, step(forward, empty), if here = a3 then win) or (pass, draw)",
                                 "  - lose when no move\n");
  const auto counted = [&](const std::string& threads) {
    return json::parse(run("playouts " + file + " --count 300 --json --threads " + threads).out)["endings"];
  };
  CHECK(counted("1") == counted("3"));
}

} // namespace endings_test
