// `boardwright replay`, as people and scripts run it.
#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace replay_test {

using namespace boardwright::tests;
using nlohmann::json;

namespace {

const std::string kRules =
    "game: Steps\nplayers: { Black: north, White: south }\nboard: { squares: 3 by 3 }\n"
    "options: { far: { default: 1, range: 1..2 } }\n"
    "pieces: { man: b w }\nsetup: { b: a1, w: c3 }\nturn: from own, step(forward, empty){far}\n"
    "end:\n  - lose when no move\n";

// A folder with the rules and a record beside them.
std::string record(const std::string& name, const std::string& text) {
  fs::create_directories(scratch().path("replay"));
  static const std::string rules = scratch().file("replay/steps.yaml", kRules);
  return scratch().file("replay/" + name, text);
}

const std::string kHead = "[Rules \"steps.yaml\"]\n";

} // namespace

TEST_CASE("a record is replayed step by step; its rules are found beside it") {
  const std::string file = record("good.txt", kHead + "; a comment\n1. a1-a2\n; well\n2. White: c3-c2\n");
  const Run all = run("replay " + file);
  CHECK(all.status == 0);
  CHECK(all.err.empty());
  CHECK(has(all.out, "Steps, 2 moves\n; a comment\n\n3  . . w\n"));
  CHECK(has(all.out, "1. Black: a1-a2\n; well\n\n3  . . w\n2  b . .\n"));
  CHECK(has(all.out, "Black to move\nunfinished\n"));
  CHECK(run("replay " + file + " --moves").out ==
        "Steps, 2 moves\n; a comment\n1. Black: a1-a2\n; well\n2. White: c3-c2\nunfinished\n");
  CHECK(has(run("replay " + file + " --at 1").out, "1. Black: a1-a2\n; well\n\n3  . . w\n"));
  CHECK(has(run("replay " + file + " --at 0").out, "3  . . w\n2  . . .\n1  b . .\n"));
  CHECK(run("replay " + file + " --at 3").err == "error: --at: the record has 2 moves\n");
  CHECK(run("replay --rules " + scratch().path("replay/steps.yaml") + " - --moves < " + file).status == 0);
}

TEST_CASE("a replay as JSON") {
  const std::string file = record(
      "json.txt", kHead + "[Option \"far=2\"]\n1. a1-a2-a3\n2. c3-c2-c1\nResult: White wins (no move)\n");
  const Run result = run("replay --json " + file);
  CHECK(result.status == 0);
  const json all = json::parse(result.out);
  CHECK(all["ok"] == true);
  CHECK(all["game"] == "Steps");
  CHECK(all["result"] == "White wins (no move)");
  CHECK(all["outcome"]["winners"] == json::array({"White"}));
  REQUIRE(all["steps"].size() == 3);
  CHECK(all["steps"][1]["move"] == "a1-a2-a3");
  CHECK(all["steps"][1]["player"] == "Black");
  CHECK(all["steps"][2]["position"]["cells"]["c1"] == "w");
  CHECK(json::parse(run("replay --json --at 1 " + file).out)["steps"].size() == 1);
}

TEST_CASE("a record is written in portable notation, by algebraic moves where the game has them") {
  const std::string chess =
      record("chess.txt", "[Rules \"chess\"]\n[Player \"White: Ann\"]\n[Date \"2026-11-25 10:00\"]\n"
                          "1. f2-f3\n2. e7-e5\n; well\n3. g2-g4\n4. d8-h4\n");
  const Run result = run("replay --pgn - " + chess);
  CHECK(result.status == 0);
  CHECK(has(result.out,
            "[Date \"2026.11.25\"]\n[Round \"-\"]\n[White \"Ann\"]\n[Black \"?\"]\n[Result \"0-1\"]\n"));
  CHECK(has(result.out, "\n\n1. f3 e5 {well} 2. g4 Qh4# 0-1\n"));
  const std::string file = scratch().path("replay/chess.pgn");
  CHECK(run("replay --pgn " + file + " " + chess).status == 0);
  CHECK(fs::exists(file));
  const std::string steps =
      record("pgn.txt", kHead + "1. a1-a2\n2. c3-c2\nResult: White wins (Black resigns)\n");
  CHECK(has(run("replay --pgn - " + steps).out, "\n\n1. a1-a2 c3-c2 1-0\n"));
}

TEST_CASE("why a record doesn't replay") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {kHead + "1. a1-a2\n2. c3-c1\n", ":3:4: error: move 2 `c3-c1` is not legal; from c3: c3-c2\n"},
      {kHead + "1. b1-b2\n", ":2:4: error: move 1 `b1-b2` is not legal; b1 is empty\n"},
      {kHead + "1. a1\n", ":2:4: error: move 1 `a1` is not legal; it can go on: a1-a2\n"},
      {kHead + "1. White: a1-a2\n",
       ":2:4: error: move 1 `a1-a2` is White's in the record, but Black is to move\n"},
      {kHead + "1. a1-a2\n2. c3-c2\n3. a2-a3\n4. c2-c1\n5. c1-c2\n",
       ":6:4: error: move 5 `c1-c2` can't be played: the game was over before it: White wins: no move"},
      {kHead + "1. a1-a2\n2. c3-c2\n3. a2-a3\n4. c2-c1\nResult: Black wins\n",
       ":5:1: error: the record ends with `Black wins`, but by the rules White wins: no move"},
      {kHead + "1. a1-a2\n3. c3-c2\n", ":3:1: error: this is move 2, but it is numbered 3\n"},
      {kHead + "1. \x1b[2J\n", ":2:4: error: move 1 `?[2J` is not legal"},
      {kHead + "[Position \"3/3 w\"]\n", "[Position]:1:"},
      {kHead + "[Option \"far\"]\n", "error: the tag [Option \"far\"] is not of the form name=value\n"},
      {kHead + "[Option \"far=7\"]\n", "far"},
      {"1. a1-a2\n", "error: the record has no tag [Rules \"…\"]; say by --rules which game it is of\n"}};
  for (const auto& [text, message] : cases) {
    INFO(text);
    const Run result = run("replay --moves " + record("bad.txt", text));
    CHECK(result.status == 1);
    CHECK(has(result.err, message));
  }
  CHECK(run("replay --game 2 " + record("one.txt", kHead)).status == 1);
  const Run later = run("replay --moves --game 2 " +
                        record("two.txt", kHead + "1. a1-a2\n" + kHead + "1. a1-a2\n2. c3-c2\n"));
  CHECK(has(later.out, "2 moves"));
}

TEST_CASE("a record of other rules says so, and is replayed as far as it goes") {
  const std::string file =
      record("old.txt", kHead + "[RulesHash \"0123456789abcdef\"]\n1. a1-a2\n2. c3-b2\n");
  const Run result = run("replay --moves " + file);
  CHECK(result.status == 1);
  CHECK(has(result.out, "1. Black: a1-a2\n"));
  CHECK(has(result.err, "the rules have changed since this record was made"));
  CHECK(has(result.err, "move 2 `c3-b2` is not legal"));
  const Run legal = run("replay --moves " + record("legal.txt", kHead + "[RulesHash \"0\"]\n1. a1-a2\n"));
  CHECK(legal.status == 0);
  CHECK(has(legal.err, "note: the rules have changed"));
}

TEST_CASE("records are read from what can be read") {
  CHECK(run("replay " + scratch().path("nothing.txt")).status == 3);
  CHECK(run("replay " + scratch().path("")).err ==
        "error: can't read `" + scratch().path("") + "`: it is a folder\n");
  if (!fs::exists("/dev/full")) return;
  const Run full = run("replay " + record("full.txt", kHead + "1. a1-a2\n") + " > /dev/full");
  CHECK(full.status == 3);
  CHECK(full.err == "error: can't write to standard output: No space left on device\n");
}

} // namespace replay_test
