// The program as people and scripts meet it: what it prints where, and its exit status.
#include "runtime/codegen/native_code.hpp"
#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace command_line_test {

using namespace boardwright::tests;

namespace {

nlohmann::json json(const std::string& arguments) {
  const Run result = run(arguments);
  INFO(arguments << "\n" << result.err);
  REQUIRE(result.status == 0);
  return nlohmann::json::parse(result.out);
}

constexpr const char* kRules = R"(
game: Steps
about: { author: Nobody }
players: { Black: north, White: south }
board: { squares: 3 by 3 }
pieces: { man: b w }
options:
  width: { default: 1, range: 1..3, help: how many men }
setup: { b: a1, w: c3 }
turn: from own, step(forward, empty)
end:
  - lose when no move
tests:
  - name: opening
    moves: a1-a2
)";

std::string steps() {
  static const std::string path = scratch().file("steps.yaml", kRules);
  return path;
}

std::string position(const std::string& text) { return scratch().file("position.json", text); }

} // namespace

TEST_CASE("help and version are answers") {
  for (const char* command :
       {"",         "list",     "show",  "inspect", "play",       "replay", "moves",   "why", "perft",
        "playouts", "evaluate", "bench", "solve",   "train",      "check",  "explain", "new", "migrate",
        "fmt",      "lsp",      "rules", "sweep",   "completion", "manual", "import"}) {
    const Run help = run(std::string(command) + " --help");
    CHECK(help.status == 0);
    CHECK(has(help.out, "Usage: "));
    CHECK(help.err.empty());
    if (*command != '\0') CHECK(has(help.out, "Examples:\n  boardwright "));
  }
  CHECK(run("--version").out.find("boardwright ") == 0);
  CHECK(run("help").out == run("--help").out);
  CHECK(run("help check").out == run("check --help").out);
  CHECK(has(run("help check").out, "--no-tests  "));
  CHECK(has(run("help moves").out, "'play: [\"a1-a2 b1-b2\""));
  CHECK(run("help chek").status == 2);
}

TEST_CASE("the command line is at fault: 2") {
  const std::vector<std::string> cases = {"",
                                          "fly",
                                          "moves",
                                          "moves " + steps() + " --fly",
                                          "perft " + steps(),
                                          "perft " + steps() + " --depth 0",
                                          "perft " + steps() + " --depth 2x",
                                          "playouts " + steps() + " --count -1",
                                          "moves " + steps() + " --set",
                                          "moves " + steps() + " --set width",
                                          "moves " + steps() + " --set wdth=2",
                                          "moves " + steps() + " --set width=9",
                                          "play " + steps() + " --random Red </dev/null",
                                          "play " + steps() + " --position - </dev/null",
                                          "replay",
                                          "replay game.txt --at -1",
                                          "replay game.txt --game 0",
                                          "evaluate " + steps() + " --games 1",
                                          "evaluate " + steps() + " --strengths varied:3,random",
                                          "evaluate " + steps() + " --strengths varied:9",
                                          "bench --seconds nan"};
  for (const std::string& arguments : cases) {
    const Run result = run(arguments);
    CAPTURE(arguments);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK_FALSE(result.err.empty());
  }
}

TEST_CASE("what can't be read: 3") {
  CHECK(run("moves /no/such/file.yaml").err ==
        "error: can't read `/no/such/file.yaml`: No such file or directory\n");
  CHECK(run("moves ./").err == "error: can't read `./`: it is a folder\n");
  CHECK(has(run("moves tempoo").err, "no rule file or game named `tempoo`; did you mean `tempo`?"));
  const std::vector<std::string> cases = {"moves /no/such/file.yaml", "moves ./", "moves tempoo", "show ''",
                                          "moves " + steps() + " --position /no/such/file"};
  for (const std::string& arguments : cases) CHECK(run(arguments).status == 3);
}

TEST_CASE("output that can't be written: 3") {
  for (const std::string command :
       {"--help", "list", "moves tempo", "perft tempo --depth 2", "show tempo --json"}) {
    const Run result = run(command + " >/dev/full");
    CAPTURE(command);
    CHECK(result.status == 3);
    CHECK(has(result.err, "error: can't write to standard output: No space left on device\n"));
  }
}

TEST_CASE("a rule file at fault: 1, and its place") {
  const std::string bad = scratch().file("bad.yaml", "game: Bad\nturn: from own, step(forwad, empty)\n");
  const Run result = run("moves " + bad);
  CHECK(result.status == 1);
  CHECK(result.out.empty());
  CHECK(has(result.err, "bad.yaml:"));
}

TEST_CASE("a bracket that is never closed hides no error of other parts") {
  const std::string bad = scratch().file("open.yaml", "game: Open\n"
                                                      "players: { White: north, Black: south }\n"
                                                      "board: { squares: 3 by 3\n"
                                                      "pieces: { man: w b }\n"
                                                      "define:\n"
                                                      "  ahead_of: step(forwad, empty)\n"
                                                      "  odd: (own | \n"
                                                      "turn: from own, ahead_of\n"
                                                      "end:\n"
                                                      "  - lose when no mov\n");
  const Run result = run("check " + bad);
  CHECK(result.status == 1);
  CHECK(result.err.find("open.yaml:4:7: error: expected `,` or `}` here [yaml]") < result.err.find("forwad"));
  CHECK(has(result.err, "open.yaml:6:18: error: unknown name `forwad`"));
  CHECK(has(result.err, "open.yaml:7:14: error: unexpected end of the rule"));
  CHECK(has(result.err, "open.yaml:10:18: error: unknown name `mov`"));
  CHECK_FALSE(has(result.err, "missing-section"));
  const Run nothing = run("check " + scratch().file("nothing.yaml", "{ [ }\n"));
  CHECK(nothing.status == 1);
  CHECK(has(nothing.err, "[yaml]"));
}

TEST_CASE("a syntax error hides no unknown name of the same rule") {
  const std::string head =
      "game: Steps\nplayers: { White: north, Black: south }\nboard: { squares: 3 by 3 }\n"
      "pieces: { man: w b }\ndefine:\n";
  const std::string tail = "turn: from own, step(forward, empty)\n";
  const auto errors = [&](const std::string& rule) {
    const Run result = run("check " + scratch().file("names.yaml", head + "  " + rule + "\n" + tail));
    CHECK(result.status == 1);
    return result.err;
  };
  const std::string behind = errors("hop: from own, (and empty), step(forwad, empty)");
  CHECK(has(behind, "6:19: error: unexpected `and`"));
  CHECK(has(behind, "6:36: error: unknown name `forwad`"));
  const std::string open = errors("hop: from own, (step(forward, emptyy), if here");
  CHECK(has(open, "unexpected end of the rule"));
  CHECK(has(open, "unknown name `emptyy`"));
  CHECK(has(errors("hop: { White: go ahead, Black: go (ahed) (go) }"), "unknown name `ahed`"));
  // What the rule itself binds, or may bind, is known; nor is anything else told of what stands out of place.
  const std::string bound = errors("hop(n): let x = here, choose c in own, (and empty), step(c, x | n), 7");
  CHECK_FALSE(has(bound, "unknown name"));
  CHECK(bound.find("error:") == bound.rfind("error:"));
}

TEST_CASE("of broken rules sixteen are looked at, and forty steps of each") {
  const auto unknown = [](const std::string& define) {
    const std::string text =
        "game: Many\nplayers: { White: north, Black: south }\nboard: { squares: 3 by 3 }\n"
        "pieces: { man: w b }\nturn: from own, step(forward, empty)\ndefine:\n";
    const Run result = run("check " + scratch().file("many.yaml", text + define));
    std::size_t count = 0;
    for (std::size_t at = 0; (at = result.err.find("unknown name", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  const auto rules = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "  d" + std::to_string(i) + ": (and own), step(forwad, empty)\n";
    return text;
  };
  const auto steps_of_one = [](int count) {
    std::string text = "  d: (and own)";
    for (int i = 0; i < count; ++i) text += ", nobody" + std::to_string(i);
    return text + "\n";
  };
  CHECK(unknown(rules(16)) == 16);
  CHECK(unknown(rules(17)) == 16);
  CHECK(unknown(steps_of_one(40)) == 40);
  CHECK(unknown(steps_of_one(41)) == 40);
}

TEST_CASE("a position at fault: 1, and its key") {
  const Run result =
      run("moves " + steps() + " --position " + position(R"({"to_move": "Black", "cells": {"z9": "b"}})"));
  CHECK(result.status == 1);
  CHECK(has(result.err, "position.json:1:33: error: there is no cell `z9`"));
}

TEST_CASE("a position is a file, its text, or a FEN") {
  const std::string text = "'{ to_move: White, cells: { b2: w, a1: b } }'";
  const std::string file = position("to_move: White\ncells: |\n  ...\n  .w.\n  b..\n");
  for (const std::string& given :
       {text, file, "@" + file, std::string("'3/1w1/b2 w'"), std::string("'fen: 3/1w1/b2 w'")}) {
    const Run result = run("moves " + steps() + " --position " + given);
    INFO(given << result.err);
    CHECK(result.status == 0);
    CHECK(result.out == "b2-b1\n1 move for White\n");
  }
  CHECK(run("moves " + steps() + " --position 'play: a1-a2'").out == "c3-c2\n1 move for White\n");
  CHECK(run("perft " + steps() + " --depth 1 --position 'play: a1-a2'").out == "1 1\n");
  const Run wrong = run("moves " + steps() + " --position 'play: a1-b1'");
  CHECK(wrong.status == 1);
  CHECK(has(wrong.err, "--position:1:7: error: there is no legal move `a1-b1`"));
  CHECK(run("moves " + steps() + " --position @/no/such/file").status == 3);
}

TEST_CASE("show prints a position, as a FEN too") {
  CHECK(run("show " + steps() + " --fen").out == "2w/3/b2 b\n");
  CHECK(run("show " + steps() + " --fen --position 'play: a1-a2'").out == "2w/b2/3 w\n");
  CHECK(json("show " + steps() + " --json --position 'play: a1-a2'")["fen"] == "2w/b2/3 w");
  CHECK(json("show " + steps() + " --json --position 'play: a1-a2'")["position"]["cells"]["a2"] == "b");
  CHECK(json("show " + steps() + " --json --fen") == nlohmann::json::parse(R"({"fen": "2w/3/b2 b"})"));
  const Run stacks = run("show lasca --fen");
  CHECK(stacks.status == 1);
  CHECK(has(stacks.err, "can't be written as a FEN"));
}

TEST_CASE("migrate rewrites files, or says what it would rewrite") {
  const std::string old = std::string(kRules) + "define:\n  home: rank(1) .. rank(2) # two rows\n";
  std::string fresh = old;
  fresh.replace(fresh.find("rank(1) .. rank(2)"), 18, "rank(1 .. 2)");
  const std::string file = scratch().file("old.yaml", old);
  const auto text = [&] {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const Run checked = run("migrate --check " + file);
  CHECK(checked.status == 1);
  CHECK(checked.out == file + ":17:15\n-   home: rank(1) .. rank(2) # two rows\n"
                              "+   home: rank(1 .. 2) # two rows\n");
  CHECK(text() == old);
  const auto told = json("migrate --json " + file);
  CHECK(told["files"][0]["edits"][0]["new"] == " .. ");
  CHECK(text() == fresh);
  const Run again = run("migrate " + file);
  CHECK(again.status == 0);
  CHECK(again.out.empty());
  CHECK(run("migrate --check " + file).status == 0);
  CHECK(text() == fresh);
  CHECK(run("migrate /no/such/file.yaml").status == 3);
  CHECK(run("migrate /dev/null").status == 3);
  CHECK(run("migrate chess").status == 3);
  CHECK(run("migrate " + scratch().file("none.yaml", "game: [\n")).status == 1);
}

TEST_CASE("moves in text") {
  const Run result = run("moves " + steps());
  CHECK(result.status == 0);
  CHECK(result.out == "a1-a2\n1 move for Black\n");
}

TEST_CASE("moves in JSON tell what each changes and how the game ends") {
  const auto found = json("moves " + steps() + " --json --position " +
                          position(R"({"to_move": "Black", "cells": {"a1": "b", "c1": "w"}})"));
  CHECK(found == nlohmann::json::parse(R"({"outcome": null, "moves": [
    {"move": "a1-a2", "to_move": "White", "changes": {"a1": "", "a2": "b"},
     "outcome": {"winners": ["Black"], "by": "no move"}, "winner": "Black"}]})"));
}

TEST_CASE("moves in JSON tell what becomes of hands and variables") {
  const std::string file = scratch().file("hands.yaml", R"(game: Hands
players: [White, Black]
board: { squares: 2 by 1 }
pieces: { man: w b, king: W B }
hands: { man: 2, king: 1 }
state: { last: none, count: 0, store: { each: 0 } }
turn: |
  (drop man on a1, set last = a1, set store = store + 1) or (pass) or (set enemy.store = 3, say "gift")
)");
  const auto moves = json("moves " + file + " --json")["moves"];
  REQUIRE(moves.size() == 3);
  for (const auto& move : moves) {
    if (move["move"] == "pass") {
      CHECK_FALSE(move.contains("hands"));
      CHECK_FALSE(move.contains("state"));
    } else if (move["move"] == "gift") {
      CHECK_FALSE(move.contains("hands"));
      CHECK(move["state"] == nlohmann::json::parse(R"({"store": {"Black": 3}})"));
    } else {
      CHECK(move["changes"] == nlohmann::json::parse(R"({"a1": "w"})"));
      CHECK(move["hands"] == nlohmann::json::parse(R"({"White": {"man": 1}})"));
      CHECK(move["state"] == nlohmann::json::parse(R"({"last": ["a1"], "store": {"White": 1}})"));
    }
  }
}

TEST_CASE("moves in JSON tell what pieces carry afterwards, and what none carries any more") {
  const std::string file = scratch().file("carried.yaml", R"(game: Carried
players: { White: north, Black: south }
board: { squares: 3 by 1 }
pieces: { man: w b, king: W B }
setup: { w: a1, W: c1 }
state: { was: { each piece: kind(none), setup: { king: a1 } } }
turn: from own man, step(east, empty), set was = kind(here)
)");
  const auto moves = json("moves " + file + " --json")["moves"];
  REQUIRE(moves.size() == 1);
  CHECK(moves[0]["state"] == nlohmann::json::parse(R"({"was": {"man": ["b1"], "king": null}})"));
}

TEST_CASE("show says where a turn decides, and prints the definitions that count") {
  const std::string file = scratch().file("decides.yaml", R"(game: Decides
players: { White: north, Black: south }
board: { squares: 2 by 3 }
pieces: { man: w b }
setup: { w: rank(1), b: rank(3) }
define:
  unused: rank(2)
  home: last_row
  go_on(d): step(d, ~own), arrived
  arrived: if here in home then win
turn: from own, go_on(forward)
)");
  const std::string shown = run("show " + file).out;
  CHECK(has(shown, "define\n  home: last_row\n  go_on(d): step(d, ~own), arrived\n"
                   "  arrived: if here in home then win\nturn\n"));
  CHECK(has(shown, "end: in `turn`, line 10; or when there is no move (a draw)\n"));
  CHECK(has(run("show " + steps()).out, "end\n  lose when no move\n"));
  CHECK(json("show " + file + " --json")["define"].size() == 3);
}

TEST_CASE("show prints definitions with the quotes and braces that close them") {
  const std::string definitions =
      "  far: { White: rank(3), Black: mirror } # of the other\n"
      "  ways:\n    { White: \"north\", # it's forward\n      Black: \"south\"\n    }\n"
      "  there: \"rank(1 .. 3) & file(1)\"\n"
      "  ours(k): { man: \"far | there\" }\n"
      "  tell: say (\":\", here)\n";
  const std::string file = scratch().file(
      "braces.yaml", "game: Braces\nplayers: { White: north, Black: south }\nboard: { squares: 2 by 3 }\n"
                     "pieces: { man: w b }\nsetup: { w: rank(1), b: rank(3) }\ndefine:\n" +
                         definitions +
                         "turn: from own, step(ways, empty & (far | there | ours(man))), tell\n");
  const std::string shown = run("show " + file).out;
  INFO(shown);
  CHECK(has(shown, "define\n  far: { White: rank(3), Black: mirror }\n"
                   "  ways:\n    { White: \"north\", # it's forward\n      Black: \"south\"\n    }\n"
                   "  there: \"rank(1 .. 3) & file(1)\"\n"
                   "  ours(k): { man: \"far | there\" }\n  tell: say (\":\", here)\nturn\n"));
}

TEST_CASE("a move given as a position is told how to be played") {
  const Run given = run("moves " + steps() + " --position a1-a2");
  CHECK(given.status == 3);
  CHECK(has(given.err, "; to play a move write --position 'play: a1-a2'\n"));
  CHECK_FALSE(has(run("moves " + steps() + " --position a1-b2").err, "play:"));
}

TEST_CASE("a position that has ended lists no moves") {
  const auto found = json("moves " + steps() + " --json --position " +
                          position(R"({"to_move": "White", "cells": {"a1": "b"}})"));
  CHECK(found ==
        nlohmann::json::parse(R"({"outcome": {"winners": ["Black"], "by": "no move"}, "moves": []})"));
}

TEST_CASE("a position may come from standard input") {
  const Run result = run("moves " + steps() + R"( --position - <<'END'
{"to_move": "White", "cells": {"b2": "w", "a1": "b"}}
END
)");
  CHECK(result.status == 0);
  CHECK(result.out == "b2-b1\n1 move for White\n");
}

// In Pig the first player rolls; then nature; then, but for the one in six that ends his turn, he has two
// moves: 1/6 + 5/6 * 2. Behind that: of the two one is followed by nature alone, the other by the other's
// only move.
TEST_CASE("perft weighs what nature rolls") {
  CHECK(run("perft pig --depth 5 --weights").out ==
        "1 1\n2 1\n3 1.83333333333\n4 1.83333333333\n5 2.66666666667\n");
  CHECK(has(run("perft pig --depth 3 --weights --json").out, "1.8333333333333333"));
  const std::string loaded = scratch().file(
      "loaded.yaml", "game: Loaded\nplayers: [A]\nboard: { squares: 3 by 1 }\npieces: { man: a }\n"
                     "setup: { a: a1 }\nturn: roll n in 1 .. 2 by n, choose k in 1 .. n, say k\n");
  // One in three is a one, with one choice behind it; two in three are a two, with two.
  CHECK(run("perft " + loaded + " --depth 2 --weights").out == "1 1\n2 1.66666666667\n");
  CHECK(run("perft " + loaded + " --depth 2 --weights --divide").out ==
        "(1) 0.333333333333\n(2) 1.33333333333\n2 1.66666666667\n");
  CHECK(run("perft " + loaded + " --depth 2").out == "1 2\n2 3\n");
  // Where nothing is rolled the numbers are the same.
  CHECK(run("perft tempo --depth 2 --weights").out == run("perft tempo --depth 2").out);
  CHECK(run("perft pig --depth 2 --weights --distinct").status == 2);
}

TEST_CASE("perft prints one count for each depth") {
  CHECK(run("perft " + steps() + " --depth 3").out == "1 1\n2 1\n3 1\n");
  CHECK(run("perft tempo --depth 2 --divide").out.substr(0, 4) != "1 33");
  CHECK(has(run("perft tempo --depth 2 --divide").out, "\n2 940\n"));
  const auto found = json("perft tempo --depth 3 --json");
  CHECK(found["counts"] == std::vector<int>{33, 940, 25549});
}

TEST_CASE("playouts add up and do not depend on the threads") {
  const auto one = json("playouts tempo --count 200 --seed 5 --json");
  const auto three = json("playouts tempo --count 200 --seed 5 --threads 3 --json");
  for (const char* key : {"playouts", "wins", "draws", "unfinished", "plies", "moves"})
    CHECK(one[key] == three[key]);
  CHECK(one["playouts"] == 200);
  CHECK(one["wins"]["Gold"].get<int>() + one["wins"]["Silver"].get<int>() + one["draws"].get<int>() +
            one["unfinished"].get<int>() ==
        200);
}

// Men go forward; one that gets through before the eighth move makes a fault.
std::string sometimes_faulty() {
  return scratch().file("sometimes_faulty.yaml", R"(game: Sometimes
players: { White: north, Black: south }
board: { squares: 3 by 5 }
pieces: { man: w b }
setup: { w: rank(1), b: rank(5) }
turn: from own, step(forward, ~own), (if here in last_row then drop 2 man on a1)
end: [lose when no own, draw when ply = 7]
)");
}

TEST_CASE("playouts keep what was finished where a game meets a fault, and say where that was") {
  const Run text = run("playouts " + sometimes_faulty() + " --count 500 --seed 3");
  CHECK(text.status == 1);
  CHECK(has(text.out, "random games, seed 3\n  White wins"));
  CHECK(has(text.err, "of seed 3, after 6 moves: "));
  CHECK(has(text.err, "on one cell of a board without stacks"));
  const Run found = run("playouts " + sometimes_faulty() + " --count 500 --seed 3 --json");
  CHECK(found.status == 1);
  const auto json = nlohmann::json::parse(found.out);
  REQUIRE(json["playouts"].get<int>() > 0);
  CHECK(json["fault"]["game"].get<int>() == json["playouts"].get<int>() + 1);
  CHECK(json["fault"]["plies"] == 6);
  CHECK(has(json["fault"]["message"].get<std::string>(), "on one cell"));
  CHECK(has(json["fault"]["at"].get<std::string>(), "sometimes_faulty.yaml:6:64"));
  // The position is where the fault is.
  const std::string position = json["fault"]["position"].dump();
  CHECK(has(text.err, "with --position '"));
  const Run there = run("moves " + sometimes_faulty() + " --position '" + position + "'");
  CHECK(there.status == 1);
  CHECK(has(there.err, "on one cell"));
  const Run threads = run("playouts " + sometimes_faulty() + " --count 500 --seed 3 --threads 3");
  CHECK(threads.status == 1);
  CHECK(has(threads.err, "with --position '"));
}

TEST_CASE("playouts that finish no game say so") {
  const Run first =
      run("playouts " + sometimes_faulty() + " --position '{ to_move: White, cells: { a4: w } }'");
  CHECK(first.status == 1);
  CHECK(first.out == "Sometimes: no game was finished\n");
  CHECK(has(first.err, "game 1 of seed 1, after 0 moves: "));
}

TEST_CASE("bench prints an object for each game") {
  const auto found = json("bench tempo --seconds 0.05 --json");
  for (const char* key :
       {"playouts_per_cpu_second", "plies_per_cpu_second", "moves_per_cpu_second",
        "perft_nodes_per_cpu_second", "searched_positions_per_cpu_second", "load_ms", "state_bytes"})
    CHECK(found[key].get<double>() > 0);
  CHECK(found["game"] == "tempo");
  CHECK(found["native"] == boardwright::runtime::codegen::NativeCode::possible());
  const auto share = found["engine_fall_back_share"];
  CHECK(share.is_null() != boardwright::runtime::codegen::NativeCode::possible());
  if (share.is_number()) CHECK((share.get<double>() >= 0 && share.get<double>() < 1));
  const auto interpreted = json("bench tempo --seconds 0.05 --json --no-native");
  CHECK(interpreted["native"] == false);
  CHECK(interpreted["engine_fall_back_share"].is_null());
}

TEST_CASE("check runs a file's tests") {
  const Run found = run("check " + steps()); // it has an option that nothing uses
  CHECK(found.status == 0);
  CHECK(has(found.err, "[unused-option]"));
  CHECK(has(found.out, "1 test, passed, 1 warning; looked at "));
  CHECK(run("check --deny warnings " + steps()).status == 1);
  CHECK(run("check --deny unused-options " + steps()).status == 2);
  const std::string check = "check --no-games --allow unused-option --allow missing-about ";
  const Run good = run(check + steps());
  CHECK(good.status == 0);
  CHECK(good.out == "  ok      opening\n" + steps() + ": 1 test, passed\n");
  CHECK(run(check + "--no-tests " + steps()).out == steps() + ": loads\n");
  std::string text = kRules;
  const std::string wrong =
      scratch().file("wrong.yaml", text.replace(text.find("moves: a1-a2"), 12, "moves: a1-b2"));
  const Run bad = run(check + wrong + " " + steps());
  CHECK(bad.status == 1);
  CHECK(has(bad.out, "  FAILED  opening\n" + wrong + ":15:12: error: "));
  CHECK(has(bad.out, wrong + ": 1 test, 1 failed\n"));
  CHECK(has(bad.out, steps() + ": 1 test, passed\n"));
  CHECK(bad.err.empty());
  const auto report = nlohmann::json::parse(run("check --json " + wrong).out);
  CHECK(report["ok"] == false);
  CHECK(report["files"][0]["tests"][0]["passed"] == false);
}

TEST_CASE("a game's title is understood wherever its name is, case, blanks and hyphens apart") {
  for (const char* command :
       {"rules 'Tori Shogi'", "show TORI-SHOGI", "moves 'tori shogi'", "rules torishogi"})
    CHECK(run(command).status == 0);
  CHECK(has(run("rules 'Tori Shogi'").out, "Tori Shogi\n"));
  CHECK(has(run("list tori-shogi").out, "torishogi"));
  CHECK(run("perft 'Fischer Random Chess' --depth 1").out == run("perft chess960 --depth 1").out);
  CHECK(has(run("rules 'no such game'").err, "there is no rule file or game named `no such game`"));
  const std::string folder = scratch().path("titles");
  fs::create_directories(folder);
  for (const char* name : {"one", "two"})
    std::ofstream(folder + "/" + name + ".yaml")
        << "game: The Same\nplayers: [White, Black]\nboard: { squares: 2 by 2 }\npieces: { man: w b }\n"
           "turn: place(man, empty)\nend: [lose when no move]\n";
  const std::string on_path = "BOARDWRIGHT_PATH=" + folder + " '" + program_path() + "' ";
  const Run two = shell(on_path + "rules 'the same'");
  CHECK(two.status == 2);
  CHECK(has(two.err, "the same is the title of several games: one, two"));
  fs::remove(folder + "/two.yaml");
  CHECK(shell(on_path + "rules 'the same'").status == 0);
}

TEST_CASE("list and show") {
  CHECK(has(run("list").out, "\nfive\n  antigrid"));
  CHECK(has(run("list").out, " games in "));
  CHECK(json("list --json")["games"].size() >= 5);
  const Run stacks = run("list Stacks sow");
  CHECK(stacks.status == 0);
  CHECK(has(stacks.out, "intermedium"));
  CHECK_FALSE(has(stacks.out, "tempo"));
  CHECK(json("list --family tafl --json")["games"].back()["about"]["year"] == "1587");
  // a variant doesn't have the year of the game that it extends
  CHECK(has(run("list kingofthehill").out, "King of the Hill: 8 by 8"));
  const Run nowhere = run("list --family taffy");
  CHECK(nowhere.status == 1);
  CHECK(has(nowhere.err, "there is no family `taffy`; the families are"));
  CHECK(run("list nosuchwordanywhere").status == 1);
  const Run shown = run("show " + steps());
  CHECK(shown.status == 0);
  for (const char* part :
       {"Steps\n", "author: Nobody", "Black, forward is north, begins", "3  . . w", "man: Black b, White w",
        "width = 1, range 1..3: how many men", "from own, step(forward, empty)", "lose when no move"})
    CHECK(has(shown.out, part));
  CHECK(json("show " + steps() + " --json")["turn"] == "from own, step(forward, empty)");
}

TEST_CASE("a game is played from standard input") {
  const Run result = run("play " + steps() + R"( <<'END'
moves
a1-a3
a1-a2
undo
a1-a2
c3-c2
a2-a3
END
)");
  CHECK(result.status == 1); // of the move that couldn't be made
  CHECK(has(result.out, "a1-a3 is not a legal move; from a1: a1-a2\n"));
  CHECK(has(result.out, "3. Black: a2-a3\n"));
}

TEST_CASE("the end of a game is told with its reason") {
  const Run result = run("play " + steps() + " --random all --seed 1");
  CHECK(result.status == 0);
  CHECK(has(result.out, "White wins: Black can't move\n"));
}

TEST_CASE("the end of the input and quitting are no mistakes") {
  CHECK(run("play " + steps() + " </dev/null").status == 0);
  CHECK(run("play " + steps() + " <<'END'\nquit\nEND\n").status == 0);
  CHECK(has(run("play " + steps() + " <<'END'\nresign\nEND\n").out, "Black resigns; White wins\n"));
}

TEST_CASE("an interrupt stops long work: 130") {
  // The shell's `timeout` sends SIGINT after half a second.
  const std::string program = "'" + boardwright::tests::program_path() + "' ";
  for (const std::string command :
       {"perft tempo --depth 40", "playouts tempo --count 1000000000", "bench tempo --seconds 600"}) {
    const Run result =
        run("--version >/dev/null; timeout --preserve-status -s INT -k 10 0.5 " + program + command);
    CAPTURE(command);
    CHECK(result.status == 130);
  }
  // Whatever it meets it in: reading the file, playing examples, drawing.
  for (const char* seconds : {"0.02", "0.05", "0.1", "0.15", "0.2", "0.3"})
    for (const std::string& command :
         {std::string("rules arimaa"), "rules chess --html " + scratch().path("chess.html"),
          std::string("show xiangqi")}) {
      CAPTURE(command, seconds);
      const int status = run("--version >/dev/null; timeout --preserve-status -s INT -k 10 " +
                             std::string(seconds) + " " + program + command + " >/dev/null")
                             .status;
      CHECK((status == 130 || status == 0));
    }
}

} // namespace command_line_test
