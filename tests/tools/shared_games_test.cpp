// Games whose point is divided: all that counts results counts shares.
#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>

namespace shared_games_test {

using namespace boardwright::tests;
using nlohmann::json;

namespace {

// White chooses among shares, and the game is over.
const std::string& choice() {
  static const std::string file =
      scratch().file("choice.yaml", "game: Choice\nplayers: [White, Black]\nboard: { squares: 3 by 3 }\n"
                                    "pieces: { man: w b }\nsetup: { w: a1, b: c3 }\nstate: { chosen: 0 }\n"
                                    "turn: choose n in 1 .. 3, set chosen = n, say n\nend:\n"
                                    "  - share 1/4 to me, 3/4 to enemy when chosen = 1\n"
                                    "  - share 3/4 to me, 1/4 to enemy when chosen = 2\n"
                                    "  - draw when chosen = 3\n");
  return file;
}

const std::string& three() {
  static const std::string file = scratch().file(
      "three.yaml", "game: Three\nplayers: [Red, Green, Blue]\nboard: { squares: 3 by 3 }\n"
                    "pieces: { man: r g b }\nsetup: { r: a1, g: c1, b: c3 }\n"
                    "state: { chosen: 0 }\nturn: choose n in 1 .. 4, set chosen = n, say n\nend:\n"
                    "  - share 1/6 to Red, 5/6 to Green when chosen = 1\n"
                    "  - share 2/3 to Red, 1/3 to Blue when chosen = 2\n"
                    "  - share 1/2 to Red, 1/2 to Green when chosen = 3\n"
                    "  - draw when chosen = 4\n");
  return file;
}

} // namespace

TEST_CASE("every player who thinks takes the larger share", "[shares]") {
  for (const char* player : {"alphabeta", "mcts", "level:3"}) {
    INFO(player);
    const json found =
        json::parse(run("analyse " + choice() + " --player " + player + " --nodes 500 --json").out);
    CHECK(found["move"] == "1");
    CHECK(found["value"].get<double>() == Approx(0.75).margin(0.03));
  }
  const json found = json::parse(run("analyse " + three() + " --player mcts --nodes 500 --json").out);
  CHECK(found["move"] == "2");
}

TEST_CASE("random games count shares by themselves", "[shares]") {
  const json sum = json::parse(run("playouts " + choice() + " --count 300 --json").out);
  CHECK(sum["wins"]["White"].get<int>() + sum["wins"]["Black"].get<int>() + sum["draws"].get<int>() == 300);
  REQUIRE(sum["shared"].size() == 2);
  CHECK(sum["shared"][0]["shares"] == json({{"White", 0.75}, {"Black", 0.25}}));
  CHECK(sum["shared"][0]["games"] == sum["wins"]["White"]);
  CHECK(sum["shared"][1]["games"] == sum["wins"]["Black"]);
  CHECK(has(run("playouts " + choice() + " --count 300").out, "3/4 to White, 1/4 to Black"));
  // In parts that are kept in a folder, too.
  const std::string units = scratch().path("units");
  const json parts = json::parse(run("playouts " + choice() + " --count 2000 --json --units " + units).out);
  CHECK(parts["shared"] == json::parse(run("playouts " + choice() + " --count 2000 --json").out)["shared"]);
  CHECK_FALSE(json::parse(run("playouts breakthrough --count 10 --json").out).contains("shared"));
}

TEST_CASE("a match counts three quarters as three quarters", "[shares]") {
  const json match = json::parse(
      run("match " + choice() + " alphabeta random --games 20 --nodes 50 --opening 0 --json").out);
  CHECK(match["shared"].get<int>() >= 10);
  double points = 0;
  for (std::size_t k = 0; k < 5; ++k)
    points += 0.5 * static_cast<double>(k) * match["pairs"][k].get<double>();
  for (const json& odd : match["odd_pairs"])
    points += odd["points"].get<double>() * odd["pairs"].get<double>();
  CHECK(match["score"]["value"].get<double>() == Approx(points / 20));
  CHECK(points > 10);
  const Run text = run("match " + choice() + " alphabeta random --games 20 --nodes 50 --opening 0");
  CHECK(has(text.out, "; the point of "));
}

TEST_CASE("results are told in shares", "[shares]") {
  const json moves = json::parse(run("moves " + choice() + " --position 'play: 1' --json").out);
  CHECK(moves["outcome"]["shares"] == json({{"White", 0.75}, {"Black", 0.25}}));
  CHECK(moves["outcome"]["winners"] == json({"White"}));
  const json analysed = json::parse(run("analyse " + choice() + " --position 'play: 1' --json").out);
  CHECK(analysed["outcome"]["shares"]["White"] == 0.75);
  const std::string record = scratch().path("shared.txt");
  CHECK(has(shell("printf '1\\n' | '" + program_path() + "' play " + choice() + " --record " + record).out,
            "3/4 to White, 1/4 to Black"));
  CHECK(has(read(record), "Result: 3/4 to White, 1/4 to Black (chosen = 1)"));
  CHECK(run("replay " + record).status == 0);
  const Run rules = run("rules " + choice());
  CHECK(has(rules.out, "1/4 of the point to you, 3/4"));
  const Run ugi = shell("printf 'ugi\\nposition startpos moves 1\\nquery result\\nquit\\n' | '" +
                        program_path() + "' ugi " + choice());
  CHECK(has(ugi.out, "info string 3/4 to White, 1/4 to Black\nresponse p1win"));
}

TEST_CASE("a part of the point is neither proven won nor drawn", "[shares]") {
  const json solved = json::parse(run("solve " + choice() + " --json").out);
  CHECK(solved["result"] == "unknown");
  CHECK(solved["not_won"] == true);
  CHECK(has(run("solve " + choice()).out, "neither can force a win; which share"));
}

TEST_CASE("tests of a rule file name shares in any order", "[shares]") {
  const auto check = [](const std::string& winner) {
    return run("check " +
               scratch().file("tested.yaml", read(choice()) +
                                                 "tests:\n  - name: one\n    position: { play: 1 }\n"
                                                 "    winner: " +
                                                 winner + "\n"));
  };
  CHECK(check("3/4 to White, 1/4 to Black").status == 0);
  CHECK(check("1/4 to Black, 6/8 to White").status == 0);
  CHECK(has(check("White").out + check("White").err,
            "the point is shared, 3/4 to White, 1/4 to Black, but the file says `White`"));
  CHECK(check("3/4 to Black, 1/4 to White").status == 1);
  CHECK(check("3/4 to White").status == 1);
  CHECK(check("much to White").status == 1);
  CHECK(check("3/4 to me, 1/4 to enemy").status == 1);
}

TEST_CASE("evaluate counts shares as points", "[shares]") {
  const json found =
      json::parse(run("evaluate " + choice() + " --games 40 --strengths random,varied:1 --json").out);
  CHECK(found["measures"]["advantage"]["value"].get<double>() == Approx(0.75));
  CHECK(found["measures"]["draws"]["value"] == 0);
}

} // namespace shared_games_test
