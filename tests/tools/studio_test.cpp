// The engine of the studio, request by request, as the worker of the page asks it.
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "interpreter/self_tests/self_test.hpp"
#include "tools/studio/studio.hpp"
#include "tools/studio/studios.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <tuple>
#include <vector>

namespace studio_test {

using namespace boardwright;

namespace {

using nlohmann::json;

const std::string kSteps = "game: Steps\n"
                           "players: { White: north, Black: south }\n"
                           "board: { squares: 4 by 4 }\n"
                           "pieces: { man: w b }\n"
                           "setup: { w: rank(1), b: rank(4) }\n"
                           "turn: from own, step(forward, empty)\n"
                           "end:\n"
                           "  - lose when no move\n";

json ask(tools::Studio& studio, const json& request) { return json::parse(studio.ask(request.dump())); }

json ask(tools::Studios& studios, const json& request) { return json::parse(studios.ask(request.dump())); }

json load(tools::Studio& studio, const std::string& text, json request = json::object()) {
  request["do"] = "load";
  request["name"] = "steps.yaml";
  request["text"] = text;
  return ask(studio, request);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

} // namespace

TEST_CASE("the studio shows a game: cells with their places, moves with their paths") {
  tools::Studio studio;
  const json loaded = load(studio, kSteps);
  REQUIRE(loaded["ok"] == true);
  CHECK(loaded["rules"]["title"] == "Steps");
  CHECK(loaded["rules"]["players"] == json{"White", "Black"});
  const json view = loaded["view"];
  CHECK(view["svg"].get<std::string>().starts_with("<svg"));
  CHECK(view["cells"].size() == 16);
  CHECK(view["cells"][0]["name"] == "a1");
  CHECK(view["cells"][0]["holds"] == "White man");
  CHECK(view["cells"][0]["y"] > view["cells"][4]["y"]);
  CHECK(view["moves"].size() == 4);
  CHECK(view["moves"][0] == json{{"text", "a1-a2"}, {"path", {0, 4}}});
  CHECK(view["complete"] == true);
  CHECK(view["outcome"].is_null());
}

TEST_CASE("moves are played in the studio, taken back, and refused with a reason") {
  tools::Studio studio;
  REQUIRE(load(studio, kSteps)["ok"] == true);
  CHECK(ask(studio, {{"do", "play"}, {"move", "a1-a2"}})["played"] == json{"a1-a2"});
  const json refused = ask(studio, {{"do", "play"}, {"move", "a2-a3"}});
  CHECK_FALSE(refused["error"].get<std::string>().empty());
  const json why = ask(studio, {{"do", "why"}, {"move", "b4-c4"}});
  CHECK(why["text"].get<std::string>().find("b4-c4 is not legal") != std::string::npos);
  CHECK(ask(studio, {{"do", "undo"}})["played"].empty());
  CHECK(ask(studio, {{"do", "restart"}})["to_move"] == 0);
}

TEST_CASE("a game goes on when its rules change: by its moves, else from its position, else anew") {
  tools::Studio studio;
  REQUIRE(load(studio, kSteps)["ok"] == true);
  ask(studio, {{"do", "play"}, {"move", "a1-a2"}});
  const json past = {{"go_on", true}, {"moves", {"a1-a2"}}};
  const json wider = load(studio, replaced(kSteps, "forward", "ahead"), past);
  REQUIRE(wider["ok"] == true);
  CHECK(wider["kept"] == "moves");
  CHECK(wider["view"]["played"] == json{"a1-a2"});
  const std::string diagonal = replaced(kSteps, "forward", "ahead & diagonal");
  const json sideways = load(studio, diagonal, past);
  REQUIRE(sideways["ok"] == true);
  CHECK(sideways["kept"] == "position");
  CHECK(sideways["view"]["to_move"] == 1);
  CHECK(sideways["view"]["begin"] != "");
  const std::string letters = replaced(replaced(diagonal, "w b", "m n"), "w: rank(1), b", "m: rank(1), n");
  const json others = load(studio, letters, past);
  REQUIRE(others["ok"] == true);
  CHECK(others["kept"] == "nothing");
  CHECK(others["view"]["played"].empty());
}

TEST_CASE("rules with errors leave the game in the studio as it is") {
  tools::Studio studio;
  REQUIRE(load(studio, kSteps)["ok"] == true);
  ask(studio, {{"do", "play"}, {"move", "a1-a2"}});
  const json wrong = load(studio, replaced(kSteps, "step", "stride"));
  CHECK(wrong["ok"] == false);
  CHECK(wrong["errors"].get<std::string>().find("unknown-name") != std::string::npos);
  CHECK(ask(studio, {{"do", "view"}})["played"] == json{"a1-a2"});
}

TEST_CASE("the studio thinks, and plays random games a few at a time") {
  tools::Studio studio;
  REQUIRE(load(studio, kSteps)["ok"] == true);
  const json thought = ask(studio, {{"do", "think"}, {"player", "level:3"}, {"nodes", 200}});
  CHECK(thought["move"].is_string());
  CHECK(thought["nodes"] > 0);
  CHECK(ask(studio, {{"do", "think"}, {"player", "nobody"}}).contains("error"));
  const json some = ask(studio, {{"do", "random"}, {"most", 20}, {"milliseconds", 60'000}});
  CHECK(some["games"] == 20);
  const json more = ask(studio, {{"do", "random"}, {"most", 50}, {"milliseconds", 60'000}});
  CHECK(more["games"] == 50);
  CHECK(more["wins"][0].get<int>() + more["wins"][1].get<int>() == 50);
  CHECK(more["endings"][0]["rule"] == "lose when no move");
  int lengths = 0;
  for (const json& one : more["lengths"]) lengths += one[1].get<int>();
  CHECK(lengths == 50);
  CHECK(ask(studio, {{"do", "go_to"}, {"moves", {"a1-a2", "a4-a3"}}})["ok"] == true);
  CHECK(ask(studio, {{"do", "view"}})["to_move"] == 0);
}

TEST_CASE("dice are rolled in the studio: by the engine, or as told") {
  tools::Studio studio;
  const std::string pig = ask(studio, {{"do", "source"}, {"name", "pig"}})["text"];
  REQUIRE(load(studio, pig)["ok"] == true);
  CHECK(ask(studio, {{"do", "roll"}, {"seed", 1}}).contains("error")); // the player says so first
  const json rolling = ask(studio, {{"do", "play"}, {"move", "roll"}});
  CHECK(rolling["chance"] == true);
  CHECK(rolling["moves"].size() == 6);
  const json rolled = ask(studio, {{"do", "roll"}, {"seed", 1}});
  CHECK(rolled["chance"] == false);
  CHECK(rolled["played"].size() == 2);
  CHECK(rolled["made_by"] == json{0, -1});
  CHECK(ask(studio, {{"do", "undo"}})["made_by"] == json{0});
  const json by_hand = ask(studio, {{"do", "play"}, {"move", "(6)"}});
  CHECK(by_hand["played"] == json{"roll", "(6)"});
  CHECK(ask(studio, {{"do", "go_to"}, {"moves", {"roll", "(6)", "hold"}}})["ok"] == true);
}

TEST_CASE("a game goes out of the studio as a record and as PGN, and comes in") {
  tools::Studio studio;
  const std::string chess = ask(studio, {{"do", "source"}, {"name", "chess"}})["text"];
  REQUIRE(load(studio, chess)["ok"] == true);
  ask(studio, {{"do", "play"}, {"move", "e2-e4"}});
  ask(studio, {{"do", "play"}, {"move", "e7-e5"}});
  const json written = ask(studio, {{"do", "write"}, {"rules", "chess"}});
  const std::string record = written["record"], pgn = written["pgn"];
  CHECK(record.find("[Rules \"chess\"]") != std::string::npos);
  CHECK(record.find("2. Black: e7-e5\n") != std::string::npos);
  CHECK(pgn.find("1. e4 e5 *") != std::string::npos);
  for (const std::string& text : {record, pgn}) {
    const json read = ask(studio, {{"do", "read"}, {"text", text}});
    CHECK(read["moves"] == json{"e2-e4", "e7-e5"});
    CHECK(read["begin"] == "");
    CHECK_FALSE(read.contains("stopped"));
  }
  CHECK(ask(studio, {{"do", "view"}})["played"].size() == 2);
}

TEST_CASE("the studio reads what others write: comments, variations, numbers, a position") {
  tools::Studio studio;
  const std::string chess = ask(studio, {{"do", "source"}, {"name", "chess"}})["text"];
  REQUIRE(load(studio, chess)["ok"] == true);
  const json read = ask(
      studio, {{"do", "read"}, {"text", "1. e4! {a move} e5 (1... c5 2. Nf3 (2. c3)) 2.Nf3 $1 ; more\n*"}});
  CHECK(read["moves"].size() == 3);
  CHECK_FALSE(read.contains("stopped"));
  const json there =
      ask(studio, {{"do", "read"}, {"text", "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - -\"]\n1. a8=Q+"}});
  CHECK(there["moves"].size() == 1);
  CHECK(there["begin"] != "");
  const json stopped = ask(studio, {{"do", "read"}, {"text", "e4 e5 e9"}});
  CHECK(stopped["moves"].size() == 2);
  CHECK(stopped["stopped"] == "move 3 `e9` can't be played");
  CHECK(ask(studio, {{"do", "read"}, {"text", "nothing of this"}}).contains("error"));
}

TEST_CASE("a record with other options is refused by the studio, and of a hidden game none is told") {
  tools::Studio studio;
  const std::string breakthrough = ask(studio, {{"do", "source"}, {"name", "breakthrough"}})["text"];
  REQUIRE(load(studio, breakthrough, {{"settings", {{"columns", "6"}}}})["ok"] == true);
  ask(studio, {{"do", "play"}, {"move", "a2-a3"}});
  const std::string record = ask(studio, {{"do", "write"}, {"rules", "breakthrough"}})["record"];
  CHECK(ask(studio, {{"do", "read"}, {"text", record}})["moves"] == json{"a2-a3"});
  REQUIRE(load(studio, breakthrough)["ok"] == true);
  const std::string told = ask(studio, {{"do", "read"}, {"text", record}})["error"];
  CHECK(told.find("columns=6") != std::string::npos);
  const std::string phantom = ask(studio, {{"do", "source"}, {"name", "phantom_tictactoe"}})["text"];
  REQUIRE(load(studio, phantom)["ok"] == true);
  ask(studio, {{"do", "play"}, {"move", "<b2>"}});
  CHECK(ask(studio, {{"do", "write"}, {"as", 1}}).contains("error"));
  CHECK_FALSE(ask(studio, {{"do", "write"}}).contains("error"));
}

TEST_CASE("the positions of a file's tests are there to begin with") {
  tools::Studio studio;
  const std::string tests = "tests:\n"
                            "  - name: one step to go\n"
                            "    position: { to_move: White, cells: { a2: w, d4: b } }\n"
                            "    moves: a2-a3\n"
                            "  - name: the set-up\n"
                            "    perft: { 1: 4 }\n";
  REQUIRE(load(studio, kSteps + tests)["ok"] == true);
  const json positions = ask(studio, {{"do", "positions"}})["positions"];
  REQUIRE(positions.size() == 1);
  CHECK(positions[0]["name"] == "one step to go");
  const json view = ask(studio, {{"do", "restart"}, {"position", positions[0]["position"]}});
  CHECK(view["moves"].size() == 1);
}

TEST_CASE("moves that are written alike have numbers, and each can be played") {
  tools::Studio studio;
  const std::string alike =
      replaced(kSteps, "turn: from own, step(forward, empty)",
               "state: { chosen: 0 }\n"
               "turn: (from own & a1, step(forward, empty), choose n in 1 .. 3, set chosen = n)");
  const json loaded = load(studio, alike);
  REQUIRE(loaded["ok"] == true);
  REQUIRE(loaded["view"]["moves"].size() == 3);
  CHECK(loaded["view"]["moves"][2]["text"] == "a1-a2#3");
  const json third = ask(studio, {{"do", "play"}, {"move", "a1-a2#3"}});
  CHECK(third["played"] == json{"a1-a2#3"});
  CHECK(third["position"].get<std::string>().find("3") != std::string::npos);
}

TEST_CASE("the studio shows what moves would do, and tells how the game is played") {
  tools::Studio studio;
  REQUIRE(load(studio, kSteps)["ok"] == true);
  const json after = ask(studio, {{"do", "after"}, {"moves", {"a1-a2", "b1-b2"}}});
  REQUIRE(after["views"].size() == 2);
  CHECK(after["views"][1]["move"] == "b1-b2");
  CHECK(after["views"][1]["cells"][5]["holds"] == "White man");
  CHECK(after["views"][0]["svg"] != after["views"][1]["svg"]);
  CHECK(ask(studio, {{"do", "after"}, {"moves", {"a2-a3"}}}).contains("error"));
  CHECK(ask(studio, {{"do", "view"}})["played"].empty());
  const json rules = ask(studio, {{"do", "rules"}});
  CHECK(rules["players"] == "White and Black; White begins");
  CHECK(rules["kinds"][0]["name"] == "man");
  CHECK(rules["kinds"][0]["svg"].get<std::string>().starts_with("<svg"));
  CHECK(rules["endings"][0] == "You lose if you can't move.");
  CHECK_FALSE(rules["moving"].empty());
}

TEST_CASE("positions are set up by hand in the studio: pieces, hands, who is to move") {
  tools::Studio studio;
  REQUIRE(load(studio, kSteps)["ok"] == true);
  const json palette = ask(studio, {{"do", "palette"}});
  REQUIRE(palette["pieces"].size() == 2);
  CHECK(palette["pieces"][1]["letter"] == "b");
  CHECK(palette["pieces"][1]["name"] == "Black man");
  CHECK(palette["pieces"][1]["svg"].get<std::string>().starts_with("<svg"));
  CHECK(palette["pieces"][0]["svg"] != palette["pieces"][1]["svg"]);
  CHECK(palette["players"] == json{"White", "Black"});
  CHECK(palette["hands"].empty());
  CHECK(palette["stacks"] == false);
  ask(studio, {{"do", "play"}, {"move", "a1-a2"}});
  CHECK(ask(studio, {{"do", "arrange"}})["position"]["cells"]["a2"] == "w"); // where the game is
  const std::string two = R"({"to_move": "Black", "cells": {"b2": "w", "b3": "b", "c4": "b"}})";
  const json view = ask(studio, {{"do", "arrange"}, {"position", two}});
  CHECK(view["cells"][5]["holds"] == "White man");
  CHECK(view["position"]["to_move"] == "Black");
  CHECK(view["says"] == "1 move");
  const json over = ask(studio, {{"do", "arrange"}, {"position", R"({"to_move": "White", "cells": {}})"}});
  CHECK(over["says"].get<std::string>().starts_with("Black wins"));
  const json wrong = ask(studio, {{"do", "arrange"}, {"position", R"({"cells": {"z9": "w"}})"}});
  CHECK(wrong["error"].get<std::string>().find("z9") != std::string::npos);
  CHECK(ask(studio, {{"do", "view"}})["played"] == json{"a1-a2"}); // the game is where it was
  CHECK(ask(studio, {{"do", "restart"}, {"position", two}})["moves"].size() == 1);
}

TEST_CASE("a position becomes a test of its file, which then passes") {
  const std::string dropping =
      replaced(kSteps, "turn: from own, step(forward, empty)",
               "hands: { man: { White: 3, Black: 0 } }\n"
               "state: { passes: 0 }\n"
               "options: { far: { default: false, help: two steps } }\n"
               "turn: |\n"
               "  (from own, step(forward, empty), (if far then step(forward, empty)))\n"
               "  or place(man, empty & rank(1))");
  const json far = {{"settings", {{"far", "true"}}}};
  const std::vector<std::tuple<std::string, json, std::string>> positions = {
      {kSteps, {}, R"({"to_move": "Black", "cells": {"b2": "w", "b3": "b", "c4": "b"}})"},
      {kSteps, {}, R"({"to_move": "White", "cells": {}})"},
      {dropping, {}, R"({"to_move": "White", "cells": {}, "hands": {"White": {"man": 1}}})"},
      {dropping, {}, R"({"to_move": "White", "cells": {"a2": "w"}, "state": {"passes": 2}, "hands": none})"},
      {dropping, far, R"({"to_move": "White", "cells": {"a1": "w", "b1": "w", "c1": "w", "d1": "w", "a2": "w",
                         "b2": "w", "c2": "w", "d2": "w", "a4": "b"}, "ply": 3})"}};
  for (const auto& [game, settings, position] : positions) {
    tools::Studio studio;
    INFO(position);
    REQUIRE(load(studio, game, settings.is_null() ? json::object() : settings)["ok"] == true);
    const json test = ask(studio, {{"do", "as_test"}, {"position", position}, {"name", "it: is so"}});
    INFO(test.dump());
    REQUIRE(test.contains("text"));
    const std::string file = game + "tests:\n" + test["text"].get<std::string>();
    INFO(file);
    const auto find = dsl::finder_with("steps.yaml", file);
    const auto with_test = interpreter::load("steps.yaml", {}, find);
    INFO(with_test.errors());
    REQUIRE(with_test);
    const auto run = interpreter::run_tests(with_test, "steps.yaml", {}, find);
    REQUIRE(run.results.size() == 1);
    CHECK(run.results[0].name == "it: is so");
    CHECK(run.results[0].passed);
  }
}

TEST_CASE("a test lists up to eight cells, and draws more of them") {
  tools::Studio studio;
  REQUIRE(load(studio, kSteps)["ok"] == true);
  json position = {{"to_move", "White"}, {"cells", json::object()}};
  for (const std::string cell : {"a1", "b1", "c1", "d1", "a4", "b4", "c4", "d4"})
    position["cells"][cell] = "w";
  const auto text = [&] {
    return ask(studio, {{"do", "as_test"}, {"position", position.dump()}})["text"].get<std::string>();
  };
  CHECK(text().find("cells: {") != std::string::npos);
  position["cells"]["a2"] = "b";
  CHECK(text().find("cells: |\n        w w w w\n") != std::string::npos);
}

TEST_CASE("the studio tells which parts of the rules nothing came to") {
  tools::Studio studio;
  const std::string text =
      replaced(kSteps, "turn: from own, step(forward, empty)",
               "# \xF0\x9F\x8E\xB2\nturn: from own, (step(forward, empty) or step(forward, enemy & none))");
  REQUIRE(load(studio, text)["ok"] == true);
  const json found = ask(studio, {{"do", "cover"}});
  CHECK(found["games"] > 0);
  CHECK(found["tests"] == 0);
  const auto part = [&](const std::string& words) {
    for (const json& one : found["parts"])
      if (one["text"] == words) return one;
    FAIL(words);
    return json();
  };
  CHECK(part("step(forward, empty)")["missing"] == "");
  const json never = part("step(forward, enemy & none)");
  CHECK(never["missing"] == "gives no move");
  CHECK(never["reached"] == true);
  CHECK(never["random"]["held"] == 0);
  // The sign before it is four bytes and two units of UTF-16.
  CHECK(never["from"] == text.find("step(forward, enemy") - 2);
  CHECK(part("lose when no move")["random"]["games"] > 0);
}

TEST_CASE("the studio has the library and the language server") {
  tools::Studio studio;
  const json games = ask(studio, {{"do", "library"}})["games"];
  CHECK(games.size() > 100);
  const json templates = ask(studio, {{"do", "templates"}})["templates"];
  CHECK(templates.size() > 5);
  CHECK(templates[0]["text"].get<std::string>().find("game: NAME") != std::string::npos);
  const std::string name = games[0]["name"];
  CHECK(dsl::is_game(ask(studio, {{"do", "source"}, {"name", name}})["text"].get<std::string>()));
  CHECK(ask(studio, {{"do", "describe"}, {"name", name}})["svg"].get<std::string>().starts_with("<svg"));
  const json message = {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "initialize"}, {"params", json::object()}};
  const json answers = ask(studio, {{"do", "lsp"}, {"message", message.dump()}})["answers"];
  REQUIRE(answers.size() == 1);
  CHECK(json::parse(answers[0].get<std::string>())["result"].contains("capabilities"));
}

TEST_CASE("the studio answers whatever it is told") {
  tools::Studio studio;
  for (const std::string text : {"", "{", "[]", "3", "{}", R"({"do": 1})", R"({"do": "view"})",
                                 R"({"do": "why"})", R"({"do": "load", "text": 4, "settings": []})",
                                 R"({"do": "source"})", R"({"do": "describe", "name": "/etc/passwd"})"})
    CHECK(json::parse(studio.ask(text)).is_object());
  REQUIRE(load(studio, kSteps)["ok"] == true);
  for (const std::string text :
       {R"({"do": "play"})", R"({"do": "undo", "count": -3})", R"({"do": "restart", "position": "{"})",
        R"({"do": "go_to", "moves": ["a1-a4"]})", R"({"do": "why"})", R"({"do": "think", "seconds": 0})",
        R"({"do": "load", "go_on": 1, "flipped": "no", "text": ""})", R"({"do": "arrange", "position": "{"})",
        R"({"do": "arrange", "position": 7})", R"({"do": "as_test", "position": "- x"})",
        R"({"do": "as_test", "name": "\n: {"})"})
    CHECK(json::parse(studio.ask(text)).is_object());
}

TEST_CASE("what is wrong with rules is a list for programs, with lines and columns") {
  tools::Studio studio;
  const json wrong = load(studio, replaced(kSteps, "forward", "forwad"));
  REQUIRE(wrong["ok"] == false);
  REQUIRE(wrong["diagnostics"].size() == 1);
  const json error = wrong["diagnostics"][0];
  CHECK(error["severity"] == "error");
  CHECK(error["code"] == "unknown-name");
  CHECK(error["line"] == 6);
  CHECK(error["column"] == 22);
  CHECK(error["end_column"] == 28);
  CHECK(error["help"] == "did you mean `forward`?");
  CHECK(load(studio, kSteps)["diagnostics"].empty());
}

TEST_CASE("a program that asks for no picture gets none") {
  tools::Studio studio;
  const json loaded = load(studio, kSteps, {{"brief", true}});
  CHECK(loaded["view"] == json{{"to_move", 0}, {"chance", false}, {"outcome", nullptr}});
  const json played = ask(studio, {{"do", "play"}, {"move", "a1-a2"}, {"brief", true}});
  CHECK(played == json{{"to_move", 1}, {"chance", false}, {"outcome", nullptr}});
  CHECK(ask(studio, {{"do", "history"}})["played"] == json{"a1-a2"});
  CHECK(ask(studio, {{"do", "picture"}})["svg"].get<std::string>().starts_with("<svg"));
  const json position = ask(studio, {{"do", "position"}});
  CHECK(position["fen"] == "bbbb/4/w3/1www b");
  CHECK(position["board"].get<std::string>().find("1  . w w w") != std::string::npos);
  CHECK(json::parse(position["position"].get<std::string>())["to_move"] == "Black");
}

TEST_CASE("a program gets all moves, or as many as it asks for") {
  tools::Studio studio;
  REQUIRE(load(studio, kSteps)["ok"] == true);
  const json all = ask(studio, {{"do", "moves"}});
  CHECK(all["moves"].size() == 4);
  CHECK(all["moves"][0] == json{{"text", "a1-a2"}, {"path", {0, 4}}});
  CHECK(all["complete"] == true);
  const json four = ask(studio, {{"do", "moves"}, {"most", 4}});
  CHECK(four["moves"].size() == 4);
  const json some = ask(studio, {{"do", "moves"}, {"most", 3}});
  CHECK(some["moves"].size() == 3);
  CHECK(some["complete"] == false);
}

TEST_CASE("what is wrong with a position is told where the game is to begin there") {
  tools::Studio studio;
  REQUIRE(load(studio, kSteps)["ok"] == true);
  const json wrong = ask(studio, {{"do", "restart"}, {"position", "{cells: {z9: w}}"}, {"brief", true}});
  CHECK_FALSE(wrong["error"].get<std::string>().empty());
  REQUIRE(wrong["diagnostics"].size() == 1);
  CHECK(wrong["diagnostics"][0]["line"] == 1);
  CHECK(wrong["errors"].get<std::string>().find("z9") != std::string::npos);
  CHECK(ask(studio, {{"do", "position"}})["fen"] == "bbbb/4/4/wwww w");
}

TEST_CASE("several games stand side by side, of the same rules and of others") {
  tools::Studios studios;
  const json empty = ask(studios, {{"do", "fork"}, {"in", 0}})["number"]; // 0 is there from the beginning
  CHECK(ask(studios, {{"do", "view"}, {"in", empty}}).contains("error"));
  REQUIRE(ask(studios, {{"do", "load"}, {"name", "steps.yaml"}, {"text", kSteps}})["ok"] == true);
  const auto played = [&](const json& number) {
    return ask(studios, {{"do", "history"}, {"in", number}})["played"];
  };
  REQUIRE_FALSE(ask(studios, {{"do", "play"}, {"move", "a1-a2"}}).contains("error"));
  const json first = ask(studios, {{"do", "fork"}})["number"];
  const json second = ask(studios, {{"do", "fork"}, {"in", first}})["number"];
  CHECK(first != second);
  CHECK(played(second) == json{"a1-a2"});
  REQUIRE_FALSE(ask(studios, {{"do", "play"}, {"in", first}, {"move", "b4-b3"}}).contains("error"));
  CHECK(played(first) == json{"a1-a2", "b4-b3"});
  CHECK(played(second) == json{"a1-a2"});
  CHECK(played(0) == json{"a1-a2"});
  SECTION("one comes to where another one is, and goes back with its moves") {
    CHECK(ask(studios, {{"do", "undo"}, {"in", second}, {"at", first}})["played"] == json{"a1-a2"});
    CHECK(played(first).size() == 2);
  }
  SECTION("other rules in one of them change no other") {
    const std::string small = replaced(kSteps, "4 by 4", "3 by 4");
    const json other = {{"do", "load"}, {"in", second}, {"name", "small.yaml"}, {"text", small}};
    REQUIRE(ask(studios, other)["ok"] == true);
    CHECK(ask(studios, {{"do", "moves"}, {"in", second}})["moves"].size() == 3);
    CHECK(ask(studios, {{"do", "moves"}, {"in", first}})["moves"].size() == 4);
    CHECK(ask(studios, {{"do", "moves"}, {"in", first}, {"at", second}})["moves"].size() == 3);
  }
  SECTION("one that is closed is none any more") {
    CHECK(ask(studios, {{"do", "close"}, {"in", first}})["ok"] == true);
    CHECK(ask(studios, {{"do", "view"}, {"in", first}}).contains("error"));
    CHECK(ask(studios, {{"do", "view"}, {"in", second}, {"at", first}}).contains("error"));
    CHECK(played(second) == json{"a1-a2"});
  }
  SECTION("what is no number of a game is told") {
    for (const json& number : {json("one"), json(99), json(nullptr), json(1.5)})
      CHECK(ask(studios, {{"do", "view"}, {"in", number}}).contains("error"));
    CHECK(json::parse(studios.ask("nonsense")).contains("error"));
  }
}

TEST_CASE("what it is worth that the player to move has no time left is told by the rules, or he has lost") {
  tools::Studio studio;
  REQUIRE(load(studio, kSteps)["ok"] == true);
  const json lost = ask(studio, {{"do", "late"}});
  CHECK(lost["text"] == "Black wins");
  CHECK(lost["winners"] == json{"Black"});
  const std::string kind = replaced(kSteps, "end:\n",
                                    "state: { overtime: false }\nend:\n"
                                    "  - draw when overtime and count(enemy) = 4\n");
  REQUIRE(load(studio, kind)["ok"] == true);
  CHECK(ask(studio, {{"do", "late"}})["winners"].empty());
  CHECK(ask(studio, {{"do", "late"}})["text"].get<std::string>().starts_with("a draw"));
  CHECK(ask(studio, {{"do", "view"}})["outcome"].is_null()); // the game itself stays as it is
  const std::string three =
      replaced(kSteps, "{ White: north, Black: south }", "{ White: north, Black: south, Red: north }");
  REQUIRE(load(studio, replaced(three, "w b }", "w b r }"))["ok"] == true);
  CHECK(ask(studio, {{"do", "late"}})["text"] == "");
}

TEST_CASE("a program is told of a closed game what its player sees, and nobody else anything") {
  tools::Studio studio;
  const auto kuhn = dsl::bundled_finder()("kuhn", "");
  REQUIRE(kuhn);
  const json request = {{"do", "load"}, {"name", "kuhn.yaml"}, {"text", kuhn->text}, {"brief", true}};
  REQUIRE(ask(studio, request)["ok"] == true);
  CHECK(ask(studio, {{"do", "position"}}).contains("position"));
  const json seen = ask(studio, {{"do", "position"}, {"as", 0}});
  CHECK_FALSE(seen.contains("position"));
  CHECK(seen["seen"]["text"].get<std::string>().find("unknown") != std::string::npos);
  CHECK(ask(studio, {{"do", "position"}, {"as", -1}}).contains("error"));
  CHECK(ask(studio, {{"do", "moves"}, {"as", 0}})["moves"].empty()); // nature is to move
  CHECK_FALSE(ask(studio, {{"do", "moves"}})["moves"].empty());
}

} // namespace studio_test
