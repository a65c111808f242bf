// Positions as JSON: what is read, what is refused and with which words, and the way back.
#include "interpreter/load.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/game.hpp"
#include "runtime/reference/walker.hpp"
#include "tools/games/position_json.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace position_json_test {

using namespace boardwright;

namespace {

// A game with all that a position can hold.
constexpr const char* kRules = R"(
game: Everything
players: { Black: north, White: south }
board: { squares: 3 by 3, stacks: true }
pieces: { man: b w, king: B W, wall: neutral x }
hands: { man: 5 }
setup: { b: a1, w: c3 }
state:
  passes: 0
  open: false
  marked: a1 | b2
  store: { each: 0 }
turn: from own, step(forward, empty)
end:
  - lose when no move
)";

const std::shared_ptr<const runtime::Rules>& rules() {
  static const auto loaded = interpreter::load_text("everything.yaml", kRules);
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded.rules;
}

const runtime::Program& program() { return rules()->program(); }

runtime::Position read(const std::string& text) {
  const auto read = interpreter::read_position(rules(), "position", text);
  if (!read.game) FAIL(read.errors());
  return read.game->position();
}

// The message of the first error.
std::string refusal(const std::string& text) {
  const auto read = interpreter::read_position(rules(), "position", text);
  if (read.game) return "it was read";
  REQUIRE(read.diagnostics.has_errors());
  return read.diagnostics.all().front().message;
}

// A position with one more entry.
std::string with(const std::string& entry) { return R"({"to_move": "Black", "cells": {}, )" + entry + "}"; }

} // namespace

TEST_CASE("a position is read") {
  const auto position = read(R"({"to_move": "White", "cells": {"a1": "bwB", "c2": "x"}, "ply": 7,
    "hands": {"White": {"man": 2}},
    "state": {"passes": -1, "open": true, "marked": ["c1", "a3"], "store": {"White": 9}}})");
  CHECK(position.to_move == 1);
  CHECK(tools::letters_of(program(), position.cells[0]) == "bwB");
  CHECK(position.ply == 7);
  CHECK(position.turns == std::vector<std::int32_t>{4, 3});
  CHECK(position.variables[0].number == -1);
  CHECK(position.variables[1].number == 1);
  CHECK(position.variables[2].cells.count() == 2);
  CHECK(position.variables[3].number == 0);
  CHECK(position.variables[4].number == 9);
}

TEST_CASE("what a position leaves out is as in the set-up, and opening rules are over") {
  const auto position = read(R"({"to_move": "Black", "cells": {}})");
  CHECK(position.ply == 1000);
  CHECK(position.turns == std::vector<std::int32_t>{500, 500});
  CHECK(position.hands == program().initial.hands);
  CHECK(position.variables == program().initial.variables);
  CHECK(position.cells[0].empty());
  CHECK(read(with(R"("ply": 1000000000, "turns": {"White": 1000000000})")).ply == 1'000'000'000);
}

TEST_CASE("a position is written in one way of several") {
  const auto json = read(R"({"to_move": "White", "cells": {"a1": "b", "c3": "W"}, "ply": 7,
    "hands": {"White": {"man": 2}, "Black": {"man": 0}}, "state": {"marked": ["b2", "c3"]}})");
  const auto same = [&](const std::string& text) {
    INFO(text);
    const auto position = read(text);
    CHECK(position.same_as(json));
    CHECK(position.ply == json.ply);
    CHECK(position.turns == json.turns);
  };
  same("to_move: White\ncells: { a1: b, c3: W }\nply: 7\n"
       "hands: { White: { man: 2 }, Black: none }\nstate: { marked: b2 | c3 }\n");
  same("cells: |\n  . . W\n  . . .\n  b . .\nto_move: White\nply: 7\n"
       "hands: { White: { man: 2 }, Black: { man: 0 } }\nstate: { marked: c3..c3 | b2 }\n");
  same("{\n\t\"to_move\":\"White\",\n\t\"cells\":{\"a1\":\"b\",\"c3\":\"W\"},\"ply\":7,"
       "\"hands\":{\"White\":{\"man\":2},\"Black\":\"none\"},\n\t\"state\":{\"marked\":\"b2 c3\"}\n}\n");
  const auto picture = read(". . W\n. . .\nb . .\n");
  CHECK(picture.cells == json.cells);
  CHECK(picture.to_move == 0);
  CHECK(picture.ply == 1000);
  CHECK(read("{}").same_as(program().initial));
  CHECK(read("hands: none").hands == std::vector<std::int32_t>{0, 0});
}

TEST_CASE("what a position plays is its past") {
  const auto loaded = interpreter::load_text("to-and-fro.yaml", R"(
game: To and fro
players: { Black: north, White: south }
board: { squares: 2 by 3 }
pieces: { man: b w }
setup: { b: a1, w: b3 }
turn: from own, step(orthogonal, empty)
end:
  - draw when repeats >= 1
)");
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  const auto at = [&](const std::string& moves) {
    auto read = interpreter::read_position(loaded.rules, "position", "play: " + moves);
    INFO(read.errors());
    REQUIRE(read.game);
    return std::move(*read.game);
  };
  auto before = at("a1-a2 b3-b2 a2-a1"), drawn = at("a1-a2 b3-b2 a2-a1 b2-b3");
  CHECK(drawn.position().same_as(loaded.rules->program().initial));
  CHECK(drawn.length() == 4);
  CHECK(drawn.repetitions() == 1);
  CHECK(drawn.outcome()->has_value());
  CHECK_FALSE(before.outcome()->has_value());
}

TEST_CASE("cells of the state may be a list or words") {
  CHECK(read(with(R"("state": {"marked": ["b2", "c3"]})")).variables ==
        read(with(R"("state": {"marked": " b2  c3 "})")).variables);
  CHECK(read(with(R"("state": {"marked": ["b2", "c3"]})")).variables ==
        read(with(R"("state": {"marked": "b2 | c3"})")).variables);
  CHECK(read(with(R"("state": {"marked": ["b2", "a3 .. c3"]})")).variables[2].cells.count() == 4);
  CHECK(read(with(R"("state": {"marked": ""})")).variables[2].cells.none());
}

TEST_CASE("what is written is read back") {
  const auto position = read(R"({"to_move": "White", "cells": {"a1": "bwB", "c2": "x"}, "ply": 7,
    "turns": {"White": 5}, "hands": {"White": {"man": 2}},
    "state": {"passes": 3, "open": true, "marked": ["c1"], "store": {"White": 9}}})");
  CHECK(read(tools::write_position(program(), position)).same_as(position));
  CHECK(tools::write_position(program(), position) ==
        R"({"to_move":"White","cells":{"a1":"bwB","c2":"x"},"ply":7,"turns":{"Black":4,"White":5},)"
        R"("hands":{"Black":{"man":5},"White":{"man":2}},)"
        R"("state":{"passes":3,"open":true,"marked":["c1"],"store":{"Black":0,"White":9}}})");
  CHECK(read(tools::write_position(program(), program().initial)).same_as(program().initial));
}

TEST_CASE("a game that has ended with one player left is read back as it was") {
  const std::string rules = R"(
game: Last
players: [Red, Green, Blue]
board: { squares: 3 by 1 }
pieces: { man: r g b }
setup: { r: a1, g: b1, b: c1 }
turn: (pass) or (say "!", lose) or (quietly (remove others_men), say "take")
define: { others_men: ~own & ~empty }
end:
  - lose when no own
)";
  const auto loaded = interpreter::load_text("last.yaml", rules);
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  for (const std::vector<std::string>& moves :
       {std::vector<std::string>{"take"}, {"!", "!"}, {"!", "pass", "!"}, {"pass", "take"}}) {
    runtime::Game game(loaded.rules);
    for (const auto& text : moves) {
      INFO(text);
      const auto move = game.find(text);
      REQUIRE((move && *move));
      game.play(**move);
    }
    const auto outcome = game.outcome();
    REQUIRE((outcome && *outcome));
    const auto text = tools::write_position(loaded.rules->program(), game.position());
    INFO(text);
    const auto again = interpreter::read_position(loaded.rules, "position", text);
    REQUIRE(again.game);
    CHECK(again.game->position().same_as(game.position()));
    runtime::Game read = *again.game;
    const auto same = read.outcome();
    REQUIRE((same && *same));
    CHECK((*same)->winners == (*outcome)->winners);
    CHECK((*same)->by == runtime::Outcome::By::last_left);
    CHECK(read.moves()->empty());
    CHECK(tools::write_position(loaded.rules->program(), read.position()) == text);
    runtime::Position seen = again.game->position();
    const auto walked = runtime::Walker(loaded.rules->program()).outcome(seen, {});
    REQUIRE((walked && *walked));
    CHECK((*walked)->winners == (*outcome)->winners);
    CHECK(seen.same_as(again.game->position()));
  }
}

TEST_CASE("a position that is none is refused with the key and the reason") {
  struct Case {
    std::string text, refusal;
  };
  const std::vector<Case> cases = {
      {"[]", "this file holds no entries"},
      {R"({"to_move": []})", "`to_move` is a list"},
      {R"({"to_move": "Red", "cells": {}})", "there is no player `Red`"},
      {R"({"to_move": "Black", "cells": []})", "`cells` is a list"},
      {R"({"to_move": "Black", "cells": {"z9": "b"}})", "there is no cell `z9`"},
      {R"({"to_move": "Black", "cells": {"a1": "q"}})", "no piece has the letter `q`"},
      {R"({"to_move": "Black", "cells": {"a1": "b", "a1": "w"}})", "the key `a1` is written twice"},
      {R"({"cells": {}, "fen": "3/3/3 b"})", "the board is given twice"},
      {with(R"("moves": [])"), "unknown key `moves` in a position"},
      {with(R"("ply": -1)"), "this number is below 0"},
      {with(R"("ply": 99999999999)"), "this number is too large"},
      {with(R"("ply": 2147483647)"), "`ply` is above 1000000000"},
      {with(R"("ply": 1000000001)"), "`ply` is above 1000000000"},
      {with(R"("turns": {"White": 1000000001})"), "`turns` is above 1000000000"},
      {with(R"("turns": {"Red": 1})"), "there is no player `Red`"},
      {with(R"("hands": {"Black": {"king": 1}})"), "the supply of `king` is unlimited"},
      {with(R"("hands": {"Black": {"pawn": 1}})"), "there is no kind of piece `pawn`"},
      {with(R"("hands": {"Red": "none"})"), "there is no player `Red`"},
      {with(R"("hands": {"Black": "one"})"), "a hand is text"},
      {with(R"("state": {"lap": 1})"), "there is no variable `lap`"},
      {with(R"("state": {"open": 1})"), "this is no value that a test can give here"},
      {with(R"("state": {"passes": ["a1"]})"), "a list of cells can't be given here"},
      {with(R"("state": {"passes": {"Black": 1}})"), "`passes` has one value for all players"},
      {with(R"("state": {"marked": ["k9"]})"), "there is no cell `k9`"},
      {with(R"("out": ["Red"])"), "there is no player `Red`"},
      {with(R"("out": ["Black"])"), "Black is to move and has been put out"},
      {with(R"("play": "a1-a2")"), "the game is over here: White wins"},
      {R"({"play": "a1-b1"})", "there is no legal move `a1-b1`"},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    CHECK(refusal(c.text) == c.refusal);
  }
}

TEST_CASE("two pieces do not stand on a cell of a board without stacks") {
  const auto loaded = interpreter::load_text("flat.yaml", R"(
game: Flat
players: [Black, White]
board: { squares: 2 by 2 }
pieces: { man: b w }
setup: { b: a1, w: b2 }
turn: place(man, empty)
)");
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  const auto read =
      interpreter::read_position(loaded.rules, "position", R"({"to_move": "Black", "cells": {"a1": "bw"}})");
  REQUIRE_FALSE(read.game);
  CHECK(read.diagnostics.all().front().message == "2 pieces on a1, and the board has no stacks");
}

TEST_CASE("text that is neither YAML nor JSON is refused with its place") {
  const auto trouble = [](const std::string& text) {
    return interpreter::read_position(rules(), "position", text).errors();
  };
  CHECK(trouble("{\"to_move\": \"Black\",\n\"cells\": {").find("position:2:") == 0);
  CHECK(trouble("{\"to_move\": \"\xff\"}").find("position:1:14: error: this is not UTF-8") == 0);
  CHECK(trouble("").find("position:1:1: error: ") == 0);
}

TEST_CASE("hostile text is refused in bounded time, with short messages") {
  const auto trouble = [](const std::string& text) {
    const auto read = interpreter::read_position(rules(), "position", text);
    CHECK_FALSE(read.game);
    return read.errors().size();
  };
  CHECK(trouble(std::string(100'000, '[')) < 600);
  CHECK(trouble(std::string((1U << 20U) + 1, ' ')) < 600);
  CHECK(trouble("{\"" + std::string(500'000, 'k') + "\": 1}") < 1'000);
  CHECK(trouble("{\"" + std::string(500'000, 'k')) < 1'000);
  CHECK(trouble(with("\"ply\": " + std::string(400'000, '9'))) < 1'000);
  CHECK(trouble("3/3/" + std::string(400'000, '9') + " b") < 1'000);
  CHECK(trouble("3/3/" + std::string(400'000, 'b') + " b") < 1'000);
  CHECK(refusal(R"({"to_move": "Black", "cells": {"a1": ")" + std::string(100'000, 'b') + "\"}}") ==
        "100000 pieces on a1; a stack holds at most 24");
}

} // namespace position_json_test
