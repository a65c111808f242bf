// Values that pieces carry: asked, set, and where they are after each way to handle pieces.
#include "interpreter/load.hpp"
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/game/game.hpp"
#include "runtime/model/piece_values.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

namespace piece_values_test {

using namespace boardwright;

namespace {

std::shared_ptr<const runtime::Rules> rules_with(const std::string& turn) {
  const std::string text = R"(
game: Carried
players: { White: north, Black: south }
board: { squares: 5 by 5 }
pieces: { man: w b, king: W B }
hands: { man: 3 }
setup: { w: a1 | c1, W: b2, b: a5 | b5 }
state:
  number: { each piece: 2, range: -1..9, setup: { 7: a1, -1: c1, 9: b5 } }
  fresh: { each piece: true, setup: { false: b2 } }
  arms: { each piece: north, some of: all, setup: { none: c1, all: b2, north + east | south: a5 } }
  was: { each piece: kind(none), setup: { king: a1 } }
  host: { each piece: White, setup: { Black: c1 } }
turn: )" + turn + "\n";
  const auto loaded = interpreter::load_text("carried.yaml", text);
  INFO(turn);
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded.rules;
}

// The values of a position as one line.
std::string told(const runtime::Program& program, const runtime::Position& position) {
  std::string text;
  for (const auto& value : program.piece_values)
    text += (text.empty() ? "" : " ") + value.name + "=" + runtime::text_of_values(program, value, position);
  return text;
}

// The values of `number` after the only move of that turn.
std::string number_after(const std::string& turn) {
  const auto rules = rules_with(turn);
  runtime::Game game(rules);
  const auto moves = game.moves();
  REQUIRE(moves);
  REQUIRE(moves->size() == 1);
  REQUIRE(game.play((*moves)[0]));
  CHECK(runtime::wrong_piece_values(rules->program(), game.position()).empty());
  return runtime::text_of_values(rules->program(), rules->program().piece_values[0], game.position());
}

// What the only move says.
std::string said(const std::string& turn) {
  runtime::Game game(rules_with(turn));
  const auto moves = game.notations();
  REQUIRE(moves);
  REQUIRE(moves->size() == 1);
  return moves->front();
}

} // namespace

TEST_CASE("values of the set-up are those of the file") {
  const auto rules = rules_with("pass");
  CHECK(told(rules->program(), rules->program().initial) ==
        "number=-1:c1;7:a1;9:b5 fresh=false:b2 arms=none:c1;S.NE:a5;N.E.S.W.NE.SE.SW.NW:b2 was=king:a1 "
        "host=Black:c1");
}

TEST_CASE("the set-up's values are read as the owner of each piece sees them") {
  const auto loaded = interpreter::load_text("carried.yaml", R"(
game: Carried
players: { White: north, Black: south }
board: { squares: 5 by 5 }
pieces: { man: w b, king: W B, rock: neutral o }
setup: { w: a1 | c1, W: b2, b: a5 | b5, B: c5, o: c3 }
state:
  faces: { each piece: none, some of: all, setup: { forward: man, forward + left: king, east: rock } }
  worth: { each piece: 0, range: 0..9, setup: { 3: own, 9: king & row(1), advance(a1): corners & man } }
turn: pass
)");
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  CHECK(told(loaded.rules->program(), loaded.rules->program().initial) ==
        "faces=N:a1,c1;E:c3;S:a5,b5;SE:c5;NW:b2 worth=1:a1;3:c1,b2,b5;5:a5;9:c5");
}

TEST_CASE("a set-up that gives nobody a value is an error, and so is a wrong one") {
  const auto errors = [](const std::string& setup) {
    return interpreter::load_text("carried.yaml", R"(
game: Carried
players: { White: north, Black: south }
board: { squares: 5 by 5 }
pieces: { man: w b, king: W B }
setup: { w: a1, b: e5 }
state: { worth: { each piece: 0, range: 0..9, setup: { )" +
                                                      setup + R"( } } }
turn: from own, step(all, empty), say worth, set worth = 1
)")
        .errors();
  };
  CHECK(errors("3: man").empty());
  CHECK(errors("3: king").find("the set-up has no piece there") != std::string::npos);
  CHECK(errors("30: man").find("takes 0 to 9") != std::string::npos);
  CHECK(errors("3: 4").find("cells") != std::string::npos);
}

TEST_CASE("directions are said by points of the compass") {
  CHECK(said("from a1, choose d in north + east, say d") == "a1NE");
  CHECK(said("say arms(a1)") == "N");
  CHECK(said("say arms(c1)").empty());
  CHECK(said("say (\"<\", arms(a5), \">\")") == "<,S,NE>");
  CHECK(said("say (if some own then forward else \"no\")") == "N");
  CHECK(said("say (if ply = 0 then 2 * north + east else nowhere)") == "NNE");
}

TEST_CASE("values are asked of a cell, of the first of several, and of the piece here") {
  CHECK(said("say (number(a1), \" \", number(c1), \" \", number(b2), \" \", number(a1 | b5))") == "7 -1 2 7");
  CHECK(said("from c1, say (if fresh then \"fresh\" else \"used\", number, was, host)") == "c1fresh-1Black");
  CHECK(said("from a1, say (was, host)") == "a1WWhite");
  CHECK(said("to b2, say (count(arms), if fresh then \"fresh\" else \"used\")") == "8used");
  CHECK(said("say (number(d4), if fresh(d4) then \"!\" else \"?\", count(arms(d4)))") ==
        "2!1"); // empty: the first
  CHECK(said("say sum(number(c) for c in own)") == "8");
  CHECK(said("say count((c in own where fresh(c) and some arms(c)))") == "1");
  CHECK(said("from a1, go arms, say here") == "a1a2");
  CHECK(said("from a1, set number = 3, say (number, before(number(a1)))") == "a137");
}

TEST_CASE("values are set for all pieces of a set, within their range") {
  CHECK(number_after("set number(own) = 4") == "4:a1,c1,b2;9:b5");
  CHECK(number_after("from a1, set number = number + 5") == "-1:c1;9:a1,b5");
  CHECK(number_after("from c1, set number = number - 5") == "-1:c1;7:a1;9:b5");
  CHECK(number_after("set number(board) = 2") == "none"); // where nothing stands nothing is set
  CHECK(number_after("set number(empty) = 5") == "-1:c1;7:a1;9:b5");
  CHECK(number_after("to d4, set number = 5") == "-1:c1;7:a1;9:b5");
  CHECK(number_after("from a1 | d4, require here in empty, set number = 5") == "-1:c1;7:a1;9:b5");
  CHECK(number_after("from own & a1, go north, set number = 5") == "-1:c1;7:a1;9:b5");
  CHECK(number_after("from own & a1, remove here, set number = 5") == "-1:c1;9:b5");
  CHECK(number_after("from own & a1, lift, set number = 5, discard") == "-1:c1;9:b5");
  CHECK(number_after("from own & a1, (set number = 5, (go north)?!)*! until y(here) = 2, set number = 6") ==
        "-1:c1;5:a1;9:b5");
  CHECK(number_after("from own & a1, each d in north | east do (set number = 5, to here, go d)") ==
        "-1:c1;5:a1;9:b5");
  CHECK(number_after("from own & a1, (if here in king then remove here else go north), set number = 5") ==
        "-1:c1;7:a1;9:b5");
  CHECK(number_after("from a1, if fresh then set number = 1") == "-1:c1;1:a1;9:b5");
}

TEST_CASE("values go where their pieces go") {
  CHECK(number_after("from a1, lift, to d4, put") == "-1:c1;7:d4;9:b5");
  CHECK(number_after("from a1, lift 1, to d4, put 1") == "-1:c1;7:d4;9:b5");
  CHECK(number_after("from a1, lift, to c1, put") == "7:c1;9:b5"); // what it takes has lost its own
  CHECK(number_after("from b2, lift, to c1, put") == "7:a1;9:b5"); // and is replaced by the first value, too
  CHECK(number_after("from a1, (lift, go north, put){2}") == "-1:c1;7:a3;9:b5");
  CHECK(number_after("from a1, lift, discard") == "-1:c1;9:b5");
  CHECK(number_after("from a1, lift 1, choose n in 1 .. 1, discard n") == "-1:c1;9:b5");
  CHECK(number_after("from a1, choose n in 1 .. 1, lift n, to d4, put 0, put n") == "-1:c1;7:d4;9:b5");
  CHECK(number_after("from a1, lift, to c1, discard, lift, to d4, put") == "-1:d4;9:b5");
  CHECK(number_after("each c in a1 | c1 do (to c, lift, go 2 * north, put)") == "-1:c3;7:a3;9:b5");
  CHECK(number_after("from a1, lift, (if here in c1 then (put, lift, put)), put") == "-1:c1;7:a1;9:b5");
  CHECK(number_after("move a1 | c1 by shift(a1, a2)") == "-1:c2;7:a2;9:b5");
  CHECK(number_after("move a1 | c1 by rotate(180, a1 | c1)") == "-1:a1;7:c1;9:b5"); // exchanged
  CHECK(number_after("from a1, change here to king, change here to enemy") == "-1:c1;7:a1;9:b5");
  CHECK(number_after("remove a1") == "-1:c1;9:b5");
  CHECK(number_after("remove own, drop man on a1") == "9:b5"); // a new piece
  CHECK(number_after("drop man on a1 | d4") == "-1:c1;9:b5");
}

TEST_CASE("values go along whatever is asked or done while the piece is in the air") {
  CHECK(number_after("from a1, lift, to c1, require number(b2) = 2, put") == "7:c1;9:b5");
  CHECK(number_after("from a1, lift, to d4, require number(a1) = 2, put") == "-1:c1;7:d4;9:b5");
  CHECK(number_after("from a1, lift, set number(c1) = 3, to d4, put") == "3:c1;7:d4;9:b5");
  CHECK(number_after("from a1, lift, remove c1, to d4, put") == "7:d4;9:b5");
  CHECK(number_after("from a1, lift, drop man on a1, to d4, put") == "-1:c1;7:d4;9:b5");
  CHECK(number_after("from a1, lift, to empty & a1, drop man on empty & a1, to d4, put") ==
        "-1:c1;7:d4;9:b5");
  CHECK(number_after("from a1, lift, move c1 by shift(c1, a1), to d4, put") == "-1:a1;7:d4;9:b5");
  CHECK(number_after("from a1, lift, put") == "-1:c1;7:a1;9:b5");
  CHECK(number_after("from a1, lift, to c1, put, step(north, empty)") == "7:c2;9:b5");
  CHECK(number_after("from a1, step(north, empty), step(north, empty), set number = 4") == "-1:c1;4:a3;9:b5");
  CHECK(number_after("from a1, lift, (go north, at empty)+! until y(here) = 3, put") == "-1:c1;7:a3;9:b5");
  CHECK(number_after("from a1, lift, ((to d4, put) or never)") == "-1:c1;7:d4;9:b5");
  CHECK(number_after("from a1, (lift, to b2, discard), to c1, lift, to d4, put") == "-1:d4;9:b5");
  CHECK(number_after("from a1, lift, quietly (to d4), put") == "-1:c1;7:d4;9:b5");
}

TEST_CASE("what is only tried leaves the values as they are") {
  CHECK(number_after("from a1, require can (lift, go north, put), pass") == "-1:c1;7:a1;9:b5");
  CHECK(said("say count(reach(a1, (lift, go north, put)))") == "1");
  const auto rules = rules_with("from a1, lift, go north, put");
  runtime::Game game(rules);
  const auto before = told(rules->program(), game.position());
  const auto moves = game.moves();
  REQUIRE(moves);
  REQUIRE(game.play((*moves)[0]));
  REQUIRE(game.undo());
  CHECK(told(rules->program(), game.position()) == before);
}

TEST_CASE("a FEN tells the values, and they are read again") {
  const auto rules = rules_with("from own, (step(forward, empty) or (set number = 0, set fresh = false))");
  runtime::Game game(rules);
  for (int ply = 0; ply < 6; ++ply) {
    const auto fen = interpreter::write_fen(rules->program(), game.position());
    REQUIRE(fen);
    const auto read = interpreter::read_position(rules, "position", *fen);
    INFO(*fen << read.errors());
    REQUIRE(read.game);
    CHECK(told(rules->program(), read.game->position()) == told(rules->program(), game.position()));
    const auto moves = game.moves();
    REQUIRE(moves);
    REQUIRE(game.play((*moves)[moves->size() / 2]));
  }
}

TEST_CASE("positions with values that can't be are refused") {
  const auto rules = rules_with("pass");
  const auto errors = [&](const std::string& text) {
    return interpreter::read_position(rules, "position", text).errors();
  };
  CHECK(errors("5/5/5/5/w4 w number=3:a1").empty());
  CHECK(errors("5/5/5/5/w4 w number=3:b1").find("where there is no piece") != std::string::npos);
  CHECK(errors("5/5/5/5/w4 w number=10:a1").find("is no value of `number`") != std::string::npos);
  CHECK(errors("5/5/5/5/w4 w number=3").find("this gives no cells a value") != std::string::npos);
  CHECK(errors("5/5/5/5/w4 w number=3:z9").find("z9") != std::string::npos);
  CHECK(errors("5/5/5/5/w4 w was=pawn:a1").find("is no value of `was`") != std::string::npos);
  CHECK(errors("5/5/5/5/w4 w arms=NNE:a1").find("is no value of `arms`") != std::string::npos);
  CHECK(errors("{ cells: { a1: w }, state: { arms: { north | south + west: a1 }, fresh: none } }").empty());
}

TEST_CASE("a position with values on empty cells, or beyond their range, can't be played") {
  const auto rules = rules_with("pass");
  runtime::Position position = rules->program().initial;
  const auto& number = rules->program().piece_values[0];
  runtime::set_code(number, position, runtime::CellSet::of(rules->program().board.cell_named("d4")), 1);
  CHECK(runtime::check_position(rules->program(), position).find("where there is no piece") !=
        std::string::npos);
  position = rules->program().initial;
  runtime::set_code(number, position, runtime::CellSet::of(rules->program().board.cell_named("a1")),
                    12); // -1 + 12 is beyond 9
  CHECK(runtime::check_position(rules->program(), position).find("none of it") != std::string::npos);
}

TEST_CASE("positions whose pieces carry other values are other positions") {
  const auto rules = rules_with(R"( |
  from b2 | b5, ((set number = 1 - number, say "set") or say "wait")
end:
  - win when repeats >= 1
)");
  runtime::Game game(rules);
  const auto play = [&](const std::string& move) {
    const auto found = game.find(move);
    REQUIRE(found);
    REQUIRE(*found);
    REQUIRE(game.play(**found));
  };
  play("b2set");
  play("b5wait");
  CHECK_FALSE(game.outcome()->has_value());
  play("b2set");
  play("b5wait");
  CHECK(game.outcome()->has_value());
}

} // namespace piece_values_test
