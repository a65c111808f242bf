// Positions as JSON: what is read, what is refused and with which words, and the way back.
#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"
#include "runtime/reference/walker.hpp"
#include "tools/json_tree.hpp"
#include "tools/position_json.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

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

const runtime::Program& program() {
  static const auto loaded = interpreter::load_text("everything.yaml", kRules);
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded.rules->program();
}

runtime::Position read(const std::string& text) {
  const auto position = tools::read_position(program(), text);
  if (!position) FAIL(position.error());
  return *position;
}

std::string refusal(const std::string& text) {
  const auto position = tools::read_position(program(), text);
  return position ? "it was read" : position.error();
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

TEST_CASE("cells of the state may be a list or words") {
  CHECK(read(with(R"("state": {"marked": ["b2", "c3"]})")).variables ==
        read(with(R"("state": {"marked": " b2  c3 "})")).variables);
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
    const auto again = tools::read_position(loaded.rules->program(), text);
    REQUIRE(again);
    CHECK(again->same_as(game.position()));
    runtime::Game read(loaded.rules, *again);
    const auto same = read.outcome();
    REQUIRE((same && *same));
    CHECK((*same)->winners == (*outcome)->winners);
    CHECK((*same)->by == runtime::Outcome::By::last_left);
    CHECK(read.moves()->empty());
    CHECK(tools::write_position(loaded.rules->program(), read.position()) == text);
    runtime::Position seen = *again;
    const auto walked = runtime::Walker(loaded.rules->program()).outcome(seen, {});
    REQUIRE((walked && *walked));
    CHECK((*walked)->winners == (*outcome)->winners);
    CHECK(seen.same_as(*again));
  }
}

TEST_CASE("a position that is none is refused with the key and the reason") {
  struct Case {
    std::string text, refusal;
  };
  const std::vector<Case> cases = {
      {"[]", "a position is an object, {\"to_move\": …, \"cells\": …}, not a list"},
      {"{}", "`to_move` is missing"},
      {R"({"to_move": "Black"})", "`cells` is missing"},
      {R"({"to_move": 1})", "to_move: should be a string, not a whole number"},
      {R"({"to_move": "Red", "cells": {}})", "to_move: no player `Red`: the players are Black, White"},
      {R"({"to_move": "Black", "cells": []})", "cells: should be an object, not a list"},
      {R"({"to_move": "Black", "cells": {"z9": "b"}})", "cells.z9: the board has no cell `z9`"},
      {R"({"to_move": "Black", "cells": {"a1": "q"}})", "cells.a1: no piece has the letter `q`"},
      {R"({"to_move": "Black", "cells": {"a1": "é"}})", "cells.a1: no piece has the letter `é`"},
      {R"({"to_move": "Black", "cells": {"a1": "b", "a1": "w"}})", "the key `a1` stands twice in one object"},
      {with(R"("moves": [])"),
       "unknown key `moves`: a position has to_move, cells, ply, turns, hands, state, out"},
      {with(R"("ply": -1)"), "ply: should be a number from 0 to 2147483647"},
      {with(R"("ply": 99999999999)"), "ply: should be a number from 0 to 2147483647"},
      {with(R"("ply": 2147483647)"), "`ply` is above 1000000000"},
      {with(R"("ply": 1000000001)"), "`ply` is above 1000000000"},
      {with(R"("turns": {"White": 1000000001})"), "`turns` is above 1000000000"},
      {with(R"("ply": 1.5)"), "ply: should be a whole number, not a number with a fraction or exponent"},
      {with(R"("turns": {"Red": 1})"), "turns.Red: no player `Red`: the players are Black, White"},
      {with(R"("hands": {"Black": {"king": 1}})"), "hands.Black.king: this player has no hand of that kind"},
      {with(R"("hands": {"Black": {"pawn": 1}})"), "hands.Black.pawn: no kind of piece `pawn`"},
      {with(R"("state": {"lap": 1})"), "state.lap: the game has no state variable of this name"},
      {with(R"("state": {"open": 1})"), "state.open: should be a truth, not a whole number"},
      {with(R"("state": {"store": 1})"), "state.store: should be an object, not a whole number"},
      {with(R"("state": {"marked": ["k9"]})"), "state.marked: the board has no cell `k9`"},
      {with(R"("out": ["Black"])"), "Black is to move and has been put out"},
  };
  for (const Case& c : cases) CHECK(refusal(c.text) == c.refusal);
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
  const auto position =
      tools::read_position(loaded.rules->program(), R"({"to_move": "Black", "cells": {"a1": "bw"}})");
  REQUIRE_FALSE(position);
  CHECK(position.error() == "2 pieces on a1, and the board has no stacks");
}

TEST_CASE("text that is no JSON is refused with its place") {
  CHECK(refusal("{\"to_move\": \"Black\",\n\"cells\": {}, }").find("line 2, column 14: ") == 0);
  CHECK(refusal("").find("line 1, column 1: ") == 0);
  CHECK(refusal("\xff").find("line 1, column 1: ") == 0);
  CHECK(refusal(R"({"to_move": "Black", "cells": {}} x)").find("line 1, column ") == 0);
}

TEST_CASE("hostile JSON is refused in bounded time, with a short message") {
  CHECK(refusal(std::string(100'000, '[')) == "lists and objects are nested more than 8 deep");
  CHECK(refusal(std::string(tools::kMaxPositionBytes + 1, ' ')) == "it is larger than 1,048,576 bytes");
  CHECK(refusal("{\"" + std::string(500'000, 'k') + "\": 1}").size() < 300);
  CHECK(refusal("{\"" + std::string(500'000, 'k')).size() < 300);
  CHECK(refusal(with("\"ply\": " + std::string(400'000, '9'))).size() < 300);
  CHECK(refusal(R"({"to_move": "Black", "cells": {"a1": ")" + std::string(100'000, 'b') + "\"}}") ==
        "cells.a1: 100000 pieces: a stack holds at most 255");
}

TEST_CASE("the tree of a JSON text keeps order and kinds") {
  const auto tree = tools::read_json(R"({"b": [1, true, null], "a": {"c": "x", "d": 1.5}})", 4);
  REQUIRE(tree);
  REQUIRE(tree->entries.size() == 2);
  CHECK(tree->entries[0].first == "b");
  CHECK(tree->entries[0].second.items[0].number == 1);
  CHECK(tree->entries[0].second.items[1].kind == tools::JsonTree::Kind::truth);
  CHECK(tree->entries[0].second.items[2].kind == tools::JsonTree::Kind::null);
  CHECK(tree->entries[1].second.entries[1].second.kind == tools::JsonTree::Kind::fraction);
}
