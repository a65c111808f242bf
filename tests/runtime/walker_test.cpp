#include "runtime/reference/walker.hpp"

#include "runtime/model/limits.hpp"
#include "runtime/model/operations.hpp"
#include "tests/runtime/program_builder.hpp"

#include <functional>

namespace boardwright::runtime::walker_test {

namespace {

constexpr int kWhite = 0, kBlack = 1;

std::string winners_of(const tl::expected<std::optional<Outcome>, Fault>& outcome) {
  if (!outcome) return "fault: " + outcome.error().message;
  return *outcome ? std::to_string((*outcome)->winners) : "none";
}

} // namespace

// ---------------------------------------------------------------- values

TEST_CASE("numbers saturate and round down") {
  ProgramBuilder b(3, 3);
  const auto both = [&](Op op, std::int32_t x, std::int32_t y) {
    return b.number_of(b.add(op, Type::number, {b.number(x), b.number(y)}));
  };
  constexpr std::int32_t most = 2147483647, least = -most - 1;
  CHECK(both(Op::add, most, 1) == most);
  CHECK(both(Op::subtract, least, 1) == least);
  CHECK(both(Op::multiply, most, -2) == least);
  CHECK(both(Op::divide, -7, 2) == -4);
  CHECK(both(Op::divide, least, -1) == most);
  CHECK(both(Op::divide, 7, 0) == 0);
  CHECK(both(Op::modulo, -7, 3) == 2);
  CHECK(both(Op::modulo, 7, -3) == -2);
  CHECK(both(Op::modulo, 7, 0) == 0);
  CHECK(b.number_of(b.add(Op::negate, Type::number, {b.number(least)})) == most);
  CHECK(b.number_of(b.add(Op::absolute, Type::number, {b.number(least)})) == most);
  CHECK(b.number_of(b.add(Op::least, Type::number, {b.number(3), b.number(-2), b.number(5)})) == -2);
  CHECK(b.number_of(b.add(Op::greatest, Type::number, {b.number(3), b.number(-2), b.number(5)})) == 5);
}

TEST_CASE("sets are read from the board as it is") {
  ProgramBuilder b(3, 3);
  const int stone = b.kind("stone", "WBx");
  b.stacks();
  b.stack("a1", "wb");
  b.stack("b2", "bW");
  b.stack("c3", "x");
  CHECK(b.cells_of(b.own(kWhite)) == "b2");
  CHECK(b.cells_of(b.enemy(kWhite)) == "a1");
  CHECK(b.cells_of(b.add(Op::owned, Type::cells, {}, static_cast<int>(Owners::neutral), kWhite)) == "c3");
  CHECK(b.cells_of(b.empty()) == "b1,c1,a2,c2,a3,b3");
  CHECK(b.cells_of(b.add(Op::kind_cells, Type::cells, {b.kind_node(stone)})) == "b2,c3");
  CHECK(b.number_of(b.add(Op::height, Type::number, {b.board()})) == 5);
  const auto pieces = [&](Owners owner, std::vector<NodeId> more) {
    std::vector<NodeId> kids{b.board()};
    kids.insert(kids.end(), more.begin(), more.end());
    return b.number_of(b.add(Op::pieces, Type::number, kids, static_cast<int>(owner), kWhite));
  };
  CHECK(pieces(Owners::exactly, {}) == 2);
  CHECK(pieces(Owners::others, {}) == 2);
  CHECK(pieces(Owners::any, {b.kind_node(stone)}) == 2);
  CHECK(pieces(Owners::neutral, {b.kind_node(0)}) == 0);
  CHECK(b.number_of(b.add(Op::kind_at, Type::kind, {b.cells({"b2", "c3"})})) == stone);
  CHECK(b.number_of(b.add(Op::kind_at, Type::kind, {b.cells({"a2", "c3"})})) == -1);
}

TEST_CASE("rectangles may have a hole for a corner, boxes fit or are empty") {
  ProgramBuilder b(BoardBuilder(5, 5, {"a1"}));
  const NodeId none = b.cells({});
  const auto rectangle = [&](std::vector<NodeId> corners, int fixed_a, int fixed_b) {
    return b.cells_of(b.add(Op::rectangle, Type::cells, corners, fixed_a, fixed_b));
  };
  CHECK(rectangle({b.cells({"b2"}), b.cells({"a3"})}, -1, -1) == "a2,b2,a3,b3");
  CHECK(rectangle({none, b.cells({"b2"})}, 1024 + 1, -1) == "b1,a2,b2");
  CHECK(rectangle({}, 1024 + 1, 1024 + 2) == "b1");
  CHECK(rectangle({none, b.cells({"b2"})}, -1, -1).empty());
  const auto box = [&](const std::string& a, const std::string& z, int k) {
    return b.cells_of(b.add(Op::box, Type::cells, {b.cells({a}), b.cells({z}), b.number(k)}));
  };
  CHECK(box("b2", "d4", 2) == "b2,d2,b4,d4");
  CHECK(box("d4", "b2", 2) == "b2,d2,b4,d4");
  CHECK(box("b2", "c4", 2).empty());
  CHECK(box("b2", "d4", 0).empty());
}

TEST_CASE("directions are added, multiplied, turned and spun") {
  ProgramBuilder b(8, 8);
  const NodeId north = b.directions({{0, 1}}), east = b.directions({{1, 0}});
  b.directions({{0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}, {0, 2}});
  b.directions({{1, 2}, {2, 1}, {-1, 2}, {2, -1}, {1, -2}, {-2, 1}, {-1, -2}, {-2, -1}});
  const auto turned = [&](NodeId d, int degrees) {
    return b.steps_of(b.add(Op::turned, Type::directions, {d, b.number(degrees)}));
  };
  CHECK(b.steps_of(b.add(Op::sum, Type::directions, {north, east})) == "(1,1)");
  CHECK(b.steps_of(b.add(Op::times, Type::directions, {b.number(2), north})) == "(0,2)");
  CHECK(b.steps_of(b.add(Op::times, Type::directions, {b.number(0), north})).empty());
  CHECK(b.steps_of(b.add(Op::times, Type::directions, {b.number(2147483647), north})).empty());
  CHECK(b.steps_of(b.add(Op::opposite, Type::directions, {north})) == "(0,-1)");
  CHECK(turned(north, 90) == "(1,0)");
  CHECK(turned(north, -90) == "(-1,0)");
  CHECK(turned(north, 45) == "(1,1)");
  CHECK(turned(north, 225) == "(-1,-1)");
  CHECK(turned(b.directions({{1, 2}}), 45).empty());
  CHECK(b.steps_of(b.add(Op::spins, Type::directions, {b.directions({{1, 2}})})) ==
        "(-2,-1)(-2,1)(-1,-2)(-1,2)(1,-2)(1,2)(2,-1)(2,1)");
}

TEST_CASE("hexes turn by sixths, by their slant") {
  for (const bool right : {false, true}) {
    BoardBuilder hexes(5, 5);
    hexes.board.hexes = true;
    hexes.board.slant_right = right;
    ProgramBuilder b(hexes);
    const int s = right ? 1 : -1; // of the third axis
    const NodeId north = b.directions({{0, 1}});
    b.directions({{0, -1}, {1, 0}, {-1, 0}, {s, 1}, {-s, -1}});
    const auto turned = [&](int degrees) {
      return b.steps_of(b.add(Op::turned, Type::directions, {north, b.number(degrees)}));
    };
    CHECK(turned(60) == (right ? "(1,1)" : "(1,0)"));
    CHECK(turned(-60) == (right ? "(-1,0)" : "(-1,1)"));
    CHECK(turned(180) == "(0,-1)");
    CHECK(b.value(b.add(Op::spins, Type::directions, {north})).steps.count() == 6);
  }
}

TEST_CASE("a track knows only its opposite") {
  BoardBuilder board(3, 1);
  const int forth = board.track({"a1", "b1", "c1"});
  ProgramBuilder b(board);
  const NodeId track = b.steps({forth});
  CHECK(b.value(b.add(Op::opposite, Type::directions, {track})).steps == StepSet::of(forth + 1));
  CHECK(b.value(b.add(Op::times, Type::directions, {b.number(2), track})).steps.none());
  CHECK(b.value(b.add(Op::spins, Type::directions, {track})).steps.none());
}

TEST_CASE("maps shift, scale, rotate and reflect a set") {
  ProgramBuilder b(8, 8);
  const NodeId set = b.cells({"c3", "d3", "e5"}); // its box is c3 to e5, about d4
  const auto image = [&](NodeId map) { return b.cells_of(b.add(Op::image, Type::cells, {set, map})); };
  CHECK(image(b.add(Op::shift, Type::map, {b.cells({"a1"}), b.cells({"b3"})})) == "d5,e5,f7");
  CHECK(image(b.add(Op::shift, Type::map, {b.cells({}), b.cells({"b3"})})).empty());
  CHECK(image(b.add(Op::scale, Type::map, {b.number(2), b.number(1), set})) == "b2,d2,f6");
  CHECK(image(b.add(Op::scale, Type::map, {b.number(1), b.number(0), set})).empty());
  CHECK(image(b.add(Op::scale, Type::map, {b.number(2), b.number(1), b.cells({})})).empty());
  CHECK(image(b.add(Op::rotate, Type::map, {b.number(90), set})) == "e3,c4,c5");
  CHECK(image(b.add(Op::reflect, Type::map, {b.directions({{0, 1}}), set})) == "d3,e3,c5");
  CHECK(image(b.add(Op::reflect, Type::map, {b.directions({{1, 0}}), set})) == "e3,c5,d5");
  CHECK(image(b.add(Op::reflect, Type::map, {b.directions({{1, 1}}), set})) == "c3,c4,e5");
  CHECK(image(b.add(Op::reflect, Type::map, {b.directions({{1, -1}}), set})) == "c3,e4,e5");
  CHECK(image(b.add(Op::reflect, Type::map, {b.directions({}), set})).empty());
}

TEST_CASE("a reflection on hexes keeps neighbours neighbours") {
  for (const bool right : {false, true}) {
    BoardBuilder hexes(9, 9);
    hexes.board.hexes = true;
    hexes.board.slant_right = right;
    ProgramBuilder b(hexes);
    const int s = right ? 1 : -1;
    const std::vector<std::pair<int, int>> adjacent{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {s, 1}, {-s, -1}};
    const NodeId around = b.add(Op::reach, Type::cells, {b.cells({"e5"}), b.go(b.directions(adjacent))});
    auto along = adjacent;
    along.emplace_back(-s, 1); // and along a diagonal
    along.emplace_back(2 * s, 1);
    for (const auto& [dx, dy] : along) {
      const NodeId map = b.add(Op::reflect, Type::map, {b.directions({{dx, dy}}), b.cells({"e5"})});
      CHECK(b.cells_of(b.add(Op::image, Type::cells, {around, map})) == b.cells_of(around));
      const std::string ahead = cell_name(5 + dx, 5 + dy);
      CHECK(b.cells_of(b.add(Op::image, Type::cells, {b.cells({ahead}), map})) == ahead);
    }
  }
}

TEST_CASE("lists keep the order of first appearance") {
  ProgramBuilder b(3, 3);
  const auto list = [&](std::vector<int> numbers) {
    std::vector<NodeId> kids;
    for (const int n : numbers) kids.push_back(b.number(n));
    return b.add(Op::list, Type::numbers, kids);
  };
  const auto members = [&](NodeId node) {
    std::string all;
    for (const Value& v : b.value(node).list) all += std::to_string(v.number) + " ";
    return all;
  };
  CHECK(members(list({3, 1, 3, 2})) == "3 1 2 ");
  CHECK(members(b.add(Op::unite, Type::numbers, {list({3, 1}), list({2, 3})})) == "3 1 2 ");
  CHECK(members(b.add(Op::meet, Type::numbers, {list({3, 1}), list({2, 3})})) == "3 ");
  CHECK(members(b.add(Op::minus, Type::numbers, {list({3, 1}), list({2, 3})})) == "1 ");
  CHECK(members(b.add(Op::range, Type::numbers, {b.number(2), b.number(4)})) == "2 3 4 ");
  CHECK(members(b.add(Op::range, Type::numbers, {b.number(4), b.number(2)})).empty());
  CHECK(b.number_of(b.add(Op::member, Type::truth, {b.number(1), list({3, 1})})) == 1);
  CHECK(b.number_of(b.add(Op::equal, Type::truth, {list({3, 1}), list({1, 3})})) == 0);
  const std::int32_t s = b.slot();
  const NodeId half = b.add(Op::divide, Type::number, {b.local(Type::number, s), b.number(2)});
  CHECK(members(b.add(Op::list_for, Type::numbers, {half, b.truth(true), list({2, 3, 4, 5})}, s, 1)) ==
        "1 2 ");
  const NodeId big = b.add(Op::less, Type::truth, {b.number(3), b.local(Type::number, s)});
  CHECK(members(b.add(Op::select, Type::numbers, {list({5, 2, 4}), big}, s)) == "5 4 ");
  CHECK(b.number_of(b.add(Op::some_where, Type::truth, {list({1, 2}), big}, s)) == 0);
}

TEST_CASE("players still in follow in turn order") {
  ProgramBuilder b(3, 3, 4);
  b.program.initial.out = 0b0001;
  b.program.initial.to_move = 1;
  const auto players = [&](int from, int others) {
    std::string all;
    for (const Value& v : b.value(b.add(Op::still_in, Type::players, {}, from, others)).list)
      all += std::to_string(v.number);
    return all;
  };
  CHECK(players(2, 0) == "231");
  CHECK(players(2, 1) == "31");
  CHECK(players(0, 0) == "123");
}

TEST_CASE("reach searches any path and forgets changes") {
  ProgramBuilder b(4, 4);
  b.stack("a1", "w");
  b.stack("b1", "w");
  b.stack("b2", "w");
  b.stack("d4", "w");
  const NodeId flood = b.star(b.seq({b.go(b.adjacent()), b.at(b.own(kWhite))}));
  CHECK(b.cells_of(b.add(Op::reach, Type::cells, {b.cells({"a1"}), flood})) == "a1,b1,b2");
  CHECK(b.cells_of(b.add(Op::reach, Type::cells, {b.cells({"a1", "d4"}), flood})) == "a1,b1,b2,d4");
  CHECK(b.cells_of(b.add(Op::reach, Type::cells, {b.cells({"c3"}), b.plus(b.go(b.directions({{1, 0}})))})) ==
        "d3");
  const NodeId clear = b.seq({b.act(Op::remove, {b.board()}), b.at(b.own(kWhite))});
  CHECK(b.cells_of(b.add(Op::reach, Type::cells, {b.cells({"a1"}), clear})).empty());
  CHECK(b.cells_of(b.own(kWhite)) == "a1,b1,b2,d4");
}

// ---------------------------------------------------------------- moves and notation

TEST_CASE("a step and a capture write themselves") {
  ProgramBuilder b(3, 3);
  b.stack("a1", "w");
  b.stack("a2", "b");
  b.turn(b.seq({b.from(b.own(kWhite)), b.lift(), b.go(b.adjacent()), b.put()}));
  const auto moves = b.moves();
  REQUIRE(moves.size() == 2);
  CHECK(moves[0].notation == "a1-b1");
  CHECK(moves[1].notation == "a1xa2");
  const Position& after = moves[1].after;
  CHECK(after.cells[3] == Stack{{0, 0}});
  CHECK(after.to_move == kBlack);
  CHECK(after.ply == 1);
  CHECK(after.turns == std::vector<std::int32_t>{1, 0});
}

TEST_CASE("what has left the board is written by the next put, from, say, or at the end") {
  ProgramBuilder b(3, 3);
  b.stack("a1", "w");
  b.stack("b1", "b");
  b.stack("c1", "b");
  b.stack("c3", "w");
  const NodeId take = b.act(Op::remove, {b.cells({"b1", "c1"})});
  const NodeId up = b.seq({b.lift(), b.go(b.directions({{0, 1}})), b.put()});
  const NodeId from = b.from(b.cells({"a1"}));
  CHECK(b.notations_of(b.seq({from, up, take})) == "a1-a2xb1,c1");
  CHECK(b.notations_of(b.seq({from, take, up})) == "a1xa2");
  CHECK(b.notations_of(b.seq({from, up, take, b.from(b.cells({"c3"}))})) == "a1-a2xb1,c1 c3");
  CHECK(b.notations_of(b.seq({from, up, take, b.act(Op::say, {b.text("!")})})) == "a1-a2xb1,c1!");
  CHECK(b.notations_of(b.seq({from, take, b.lift(), b.act(Op::discard)})) == "a1xb1,c1");
  CHECK(b.notations_of(b.seq({from, up, b.act(Op::quietly, {take})})) == "a1-a2");
  // Own pieces that leave are not written, nor is a piece that is lifted and laid down again.
  const NodeId own = b.act(Op::remove, {b.cells({"c3"})});
  CHECK(b.notations_of(b.seq({from, up, own})) == "a1-a2");
  const NodeId carry = b.seq({b.act(Op::to, {b.cells({"b1"})}), up});
  CHECK(b.notations_of(b.seq({from, carry})) == "a1-b2");
}

TEST_CASE("drops and changes write cells and letters") {
  ProgramBuilder b(3, 3);
  const int king = b.kind("king", "KQ");
  const int stone = b.kind("stone", "  x");
  b.stack("a1", "w");
  b.hand(kWhite, 0, 2);
  const auto drop = [&](std::vector<std::string> on, int kind, int owner) {
    return b.act(Op::drop, {b.cells(on), b.kind_node(kind)}, owner, kWhite);
  };
  CHECK(b.notations_of(drop({"b1", "b2"}, 0, kWhite)) == "b1,b2");
  CHECK(b.notations_of(drop({"b1", "b2", "b3"}, 0, kWhite)).empty());
  CHECK(b.notations_of(drop({"b1"}, king, kWhite)) == "Kb1");
  CHECK(b.notations_of(drop({"b1"}, king, kBlack)) == "Kb1");
  CHECK(b.notations_of(drop({"b1"}, stone, kNatural)) == "b1"); // the first kind that nobody owns
  CHECK(b.fault_of(drop({"b1"}, stone, kWhite)) == "White has no `stone`");
  CHECK(b.fault_of(drop({"b1"}, -1, kWhite)) == kNoKindToDrop);
  CHECK(b.notations_of(b.seq({b.from(b.own(kWhite)), drop({}, king, kWhite)})) == "a1");
  CHECK(b.notations_of(b.seq({b.from(b.own(kWhite)), drop({"c1", "b1"}, king, kWhite)})) == "a1/Kb1,c1");
  const auto change = [&](NodeId set, std::vector<NodeId> kind, int owner, bool here) {
    kind.insert(kind.begin(), set);
    return b.act(Op::change, kind, owner, here ? 1 : 0);
  };
  const NodeId from = b.from(b.own(kWhite));
  CHECK(b.notations_of(b.seq({from, change(b.here(), {b.kind_node(king)}, kKeepOwner, true)})) == "a1=K");
  CHECK(b.notations_of(b.seq({from, change(b.here(), {b.kind_node(0)}, kKeepOwner, true)})) == "a1");
  CHECK(b.notations_of(b.seq({from, change(b.here(), {b.kind_node(king)}, kBlack, false)})) == "a1");
  CHECK(b.moves().front().after.cells[0] == Stack{{1, 1}});
  CHECK(b.fault_of(b.seq({from, change(b.here(), {b.kind_node(-1)}, kKeepOwner, true)})) ==
        kNoKindToChangeTo);
  CHECK(b.fault_of(change(b.cells({}), {b.kind_node(-1)}, kKeepOwner, false)) == kNoKindToChangeTo);
}

TEST_CASE("say writes text, numbers, cells, letters and names") {
  ProgramBuilder b(3, 3);
  const NodeId say = b.act(Op::say, {b.text("at "), b.cells({"c1", "a1"}), b.number(-3), b.kind_node(0),
                                     b.kind_node(-1), b.add(Op::player, Type::player, {}, 1)});
  CHECK(b.notations_of(b.seq({say, b.act(Op::pass)})) == "at a1,c1-3wBlackpass");
}

TEST_CASE("stacks are carried in order") {
  ProgramBuilder b(3, 1);
  b.stacks();
  b.stack("a1", "wbw");
  b.stack("b1", "b");
  const auto lift = [&](int n) { return b.act(Op::lift, {b.number(n)}); };
  const auto put = [&](int n) { return b.act(Op::put, {b.number(n)}); };
  const NodeId from = b.from(b.cells({"a1"})), east = b.go(b.directions({{1, 0}}));
  const auto after = [&](NodeId rule) {
    b.turn(rule);
    std::string all;
    for (const auto& m : b.moves()) {
      all += m.notation + ":";
      for (const Stack& s : m.after.cells) {
        for (const Piece p : s) all += b.program.letter_of(p);
        all += "/";
      }
    }
    return all;
  };
  CHECK(after(b.seq({from, lift(2), east, put(1), east, put(1)})) == "a1-b1-c1:w/bb/w/");
  CHECK(after(b.seq({from, lift(1), lift(1), east, b.put()})) == "a1-b1:w/bbw//");
  CHECK(after(b.seq({from, lift(4)})).empty());
  CHECK(after(b.seq({from, lift(1)})).empty()); // carried pieces at the end: no move
  CHECK(after(b.seq({from, lift(1), put(2)})).empty());
  CHECK(after(b.seq({from, put(0)})) == "a1:wbw/b//");
  CHECK(after(b.seq({from, lift(2), b.act(Op::discard, {b.number(1)}), b.put()})) == "a1xa1:ww/b//");
}

TEST_CASE("moving by a map is all at once or not at all") {
  ProgramBuilder b(3, 1);
  b.stack("a1", "w");
  b.stack("b1", "w");
  const auto move = [&](std::string target) {
    const NodeId map = b.add(Op::shift, Type::map, {b.cells({"a1"}), b.cells({target})});
    b.turn(b.seq({b.act(Op::move_by, {b.own(kWhite), map}), b.act(Op::pass)}));
    return b.moves();
  };
  REQUIRE(move("b1").size() == 1);
  CHECK(move("b1")[0].after.cells == std::vector<Stack>{{}, {{0, 0}}, {{0, 0}}});
  CHECK(move("c1").empty());
  const NodeId half = b.add(Op::scale, Type::map, {b.number(0), b.number(1), b.cells({"a1", "c1"})});
  CHECK(b.notations_of(b.seq({b.act(Op::move_by, {b.own(kWhite), half}), b.act(Op::pass)})).empty());
}

TEST_CASE("hands and variables belong to the position") {
  ProgramBuilder b(2, 1);
  b.hand(kWhite, 0, 3);
  const int v = b.variable(Type::number, 5);
  const NodeId variable = b.add(Op::variable, Type::number, {}, v);
  const NodeId hand = b.add(Op::hand, Type::number, {b.kind_node(0)}, kWhite);
  b.turn(b.seq({b.act(Op::set_variable, {b.add(Op::add, Type::number, {variable, hand})}, v),
                b.act(Op::set_hand, {b.kind_node(0), b.number(9)}, kWhite),
                b.act(Op::say, {b.add(Op::before, Type::number, {variable}), b.text(" "), variable,
                                b.text(" "), b.add(Op::hand_total, Type::number, {}, kWhite)})}));
  const auto moves = b.moves();
  REQUIRE(moves.size() == 1);
  CHECK(moves[0].notation == "5 8 9");
  CHECK(moves[0].after.hands == std::vector<std::int32_t>{9});
  CHECK(moves[0].after.variables[0].number == 8);
  CHECK(b.fault_of(b.act(Op::set_hand, {b.kind_node(0), b.number(9)}, kBlack)) ==
        "`set hand` of `man`: no such entry in `hands`");
  CHECK(b.fault_of(b.act(Op::set_hand, {b.kind_node(-1), b.number(9)}, kWhite)) == kNoKindOfHand);
}

// ---------------------------------------------------------------- joining

TEST_CASE("otherwise and can ask only their own") {
  ProgramBuilder b(3, 1);
  b.stack("a1", "w");
  b.stack("b1", "b");
  const NodeId east = b.directions({{1, 0}});
  const NodeId capture = b.seq({b.lift(), b.go(east), b.at(b.enemy(kWhite)), b.put()});
  const NodeId step = b.seq({b.lift(), b.go(east), b.put()});
  const NodeId from = b.from(b.own(kWhite));
  CHECK(b.notations_of(b.seq({from, b.act(Op::otherwise, {capture, step})})) == "a1xb1");
  CHECK(b.notations_of(b.seq({from, b.act(Op::otherwise, {b.act(Op::never), step})})) == "a1xb1");
  CHECK(b.notations_of(b.seq({b.act(Op::otherwise, {b.seq({from, b.lift()}), b.act(Op::pass)})})).empty());
  const NodeId can = b.require(b.add(Op::can, Type::truth, {capture}));
  CHECK(b.notations_of(b.seq({from, can, b.act(Op::pass)})) == "a1pass");
}

TEST_CASE("choose, choose some, each") {
  ProgramBuilder b(3, 1);
  const std::int32_t s = b.slot(), t = b.slot();
  const NodeId say = b.act(Op::say, {b.local(Type::cells, s)});
  CHECK(b.notations_of(b.seq({b.act(Op::choose, {b.board()}, s), say})) == "a1|b1|c1");
  CHECK(b.notations_of(b.seq({b.act(Op::choose_some, {b.number(2), b.board()}, s), say})) ==
        "a1,b1|a1,c1|b1,c1");
  CHECK(b.notations_of(b.seq({b.act(Op::choose_some, {b.number(0), b.board()}, s), say, b.act(Op::pass)})) ==
        "pass");
  CHECK(b.notations_of(b.seq({b.act(Op::choose_some, {b.number(4), b.board()}, s), say})).empty());
  CHECK(b.notations_of(b.seq({b.act(Op::choose_some, {b.number(-1), b.board()}, s), say})).empty());
  CHECK(b.notations_of(b.act(Op::each, {b.board(), say}, s)) == "a1b1c1");
  CHECK(b.fault_of(b.act(Op::each, {b.board(), b.act(Op::never)}, s)) ==
        "the action of `each` must have exactly one outcome, and has none");
  CHECK(b.fault_of(b.act(Op::each, {b.board(), b.alt({say, say})}, s)) ==
        "the action of `each` must have exactly one outcome, and has several");
  const NodeId sum = b.add(Op::add, Type::number, {b.local(Type::number, t), b.number(1)});
  CHECK(b.notations_of(b.seq({b.act(Op::let, {b.number(5)}, t),
                              b.act(Op::each, {b.board(), b.act(Op::set_local, {sum}, t)}, s),
                              b.act(Op::say, {b.local(Type::number, t)})})) == "8");
}

TEST_CASE("most keeps the greatest, distinct the shortest notation") {
  ProgramBuilder b(3, 1);
  const std::int32_t s = b.slot();
  const NodeId choose = b.act(Op::choose, {b.board()}, s);
  const NodeId x = b.add(Op::x_of, Type::number, {b.local(Type::cells, s)});
  const NodeId say = b.act(Op::say, {b.local(Type::cells, s)});
  const NodeId clipped = b.add(Op::least, Type::number, {x, b.number(2)});
  CHECK(b.notations_of(b.act(Op::most, {b.seq({choose, say}), clipped})) == "b1|c1");
  CHECK(b.notations_of(b.seq({b.act(Op::most, {b.act(Op::never), x}), b.act(Op::pass)})).empty());
  const auto texts = [&](std::vector<std::string> all) {
    std::vector<NodeId> kids;
    for (const auto& t : all) kids.push_back(b.act(Op::say, {b.text(t)}));
    return b.alt(kids);
  };
  CHECK(b.notations_of(b.act(Op::distinct, {texts({"abc", "zz", "yy", "zzz"})})) == "yy");
  const std::int32_t frame = b.frame({static_cast<std::uint32_t>(s)});
  CHECK(b.notations_of(b.act(Op::distinct, {b.seq({choose, say})}, 0, frame)) == "a1|b1|c1");
  CHECK(b.notations_of(b.act(Op::distinct, {b.seq({choose, say})})) == "a1");
}

TEST_CASE("bodies by kind and by player") {
  ProgramBuilder b(2, 1);
  b.kind("king", "KQ");
  b.stack("a1", "w");
  b.stack("b1", "K");
  const auto body = [&](const std::string& t) { return b.act(Op::say, {b.text(t)}); };
  const NodeId by_kind = b.act(Op::by_kind_action, {b.here(), body("man"), body("king"), b.act(Op::never)});
  CHECK(b.notations_of(b.seq({b.from(b.own(kWhite)), by_kind})) == "a1man|b1king");
  CHECK(b.notations_of(b.seq({b.from(b.own(kWhite)), b.lift(), by_kind})).empty());
  const NodeId player = b.add(Op::player, Type::player, {}, 1);
  CHECK(b.notations_of(b.act(Op::by_player_action, {player, body("first"), body("second")})) == "second");
  CHECK(b.number_of(
            b.add(Op::by_kind, Type::number, {b.cells({"b1"}), b.number(1), b.number(2), b.number(3)})) == 2);
  CHECK(b.number_of(b.add(Op::by_kind, Type::number, {b.cells({}), b.number(1), b.number(2), b.number(3)})) ==
        3);
}

// ---------------------------------------------------------------- repetition

TEST_CASE("an unbounded repetition drops what its path has come by") {
  ProgramBuilder b(2, 2);
  b.stack("a1", "w");
  const NodeId round = b.go(b.adjacent());
  const auto ends = [&](NodeId loop) {
    return b.notations_of(b.seq({b.act(Op::to, {b.cells({"a1"})}), loop, b.act(Op::say, {b.here()})}));
  };
  CHECK(ends(b.star(round)) == "a1|a2|b1|b2");
  CHECK(ends(b.star(round, kMaximal)).empty()); // there always is a further outcome, even if it is dropped
  CHECK(ends(b.times(round, 2, 2)) == "a1|b2");
  CHECK(ends(b.times(round, 1, 2)) == "a1|a2|b1|b2");
  CHECK(ends(b.times(round, 3, 2)).empty());
  CHECK(ends(b.times(round, -5, 0)) == "a1");
  CHECK(ends(b.times(b.go(b.directions({{1, 0}})), 0, 9, kMaximal)) == "b1");
  CHECK(ends(b.star(b.go(b.directions({{1, 0}})), kMaximal)) == "b1");
}

TEST_CASE("a round that changes nothing but the notation ends a repetition") {
  ProgramBuilder b(2, 2);
  const NodeId pass = b.act(Op::pass);
  CHECK(b.notations_of(b.seq({b.star(pass), b.act(Op::say, {b.text(".")})})) == ".");
  // A+ is A, A*: its first round is on no path.
  CHECK(b.notations_of(b.plus(pass)) == "pass");
}

TEST_CASE("until ends a repetition after a round, and sees its names") {
  ProgramBuilder b(5, 1);
  const std::int32_t s = b.slot();
  const NodeId round = b.seq({b.go(b.directions({{1, 0}})), b.act(Op::let, {b.here()}, s)});
  const NodeId there = b.add(Op::equal, Type::truth, {b.local(Type::cells, s), b.cells({"c1"})});
  const NodeId loop = b.act(Op::repeat, {round, b.number(0), there}, kUnbounded | kUntil | kMaximal);
  const NodeId low = b.act(Op::repeat, {round, b.number(4), b.number(4), there}, kUntil);
  const auto ends = [&](NodeId rule) {
    return b.notations_of(b.seq({b.act(Op::to, {b.cells({"a1"})}), rule, b.act(Op::say, {b.here()})}));
  };
  CHECK(ends(loop) == "c1");
  CHECK(ends(low) == "c1");
}

TEST_CASE("the names that a repetition changes tell its drafts apart") {
  ProgramBuilder b(2, 1);
  const std::int32_t s = b.slot();
  const NodeId next =
      b.add(Op::least, Type::number,
            {b.add(Op::add, Type::number, {b.local(Type::number, s), b.number(1)}), b.number(3)});
  const NodeId round = b.act(Op::set_local, {next}, s);
  const auto rule = [&](std::int32_t frame) {
    return b.seq({b.act(Op::let, {b.number(0)}, s), b.star(round, 0, frame),
                  b.act(Op::say, {b.local(Type::number, s)})});
  };
  CHECK(b.notations_of(rule(b.frame({static_cast<std::uint32_t>(s)}))) == "0|1|2|3");
  CHECK(b.notations_of(rule(0)) == "0");
}

// ---------------------------------------------------------------- deciding

TEST_CASE("a decided draft passes the rest unchanged") {
  ProgramBuilder b(2, 1);
  const NodeId win = b.act(Op::win, {}, kWhite);
  b.turn(b.seq({b.act(Op::say, {b.text("#")}), win, b.act(Op::say, {b.text("more")}), b.act(Op::never)}));
  const auto moves = b.moves();
  REQUIRE(moves.size() == 1);
  CHECK(moves[0].notation == "#");
  REQUIRE(moves[0].outcome);
  CHECK(moves[0].outcome->winners == 1);
}

TEST_CASE("to lose puts out where three play, and the last one left wins") {
  ProgramBuilder b(2, 1, 3);
  b.turn(b.seq({b.act(Op::lose, {}, 0), b.act(Op::again), b.act(Op::never)}));
  auto moves = b.moves();
  REQUIRE(moves.size() == 1);
  CHECK_FALSE(moves[0].outcome);
  CHECK(moves[0].after.out == 1);
  CHECK(moves[0].after.to_move == 1);
  b.program.initial.out = 2;
  moves = b.moves();
  REQUIRE(moves.size() == 1);
  REQUIRE(moves[0].outcome);
  CHECK(moves[0].outcome->winners == 4);
  CHECK(moves[0].outcome->by == Outcome::By::last_left);

  ProgramBuilder two(2, 1);
  two.turn(two.act(Op::lose, {}, 0));
  CHECK(two.moves()[0].outcome->winners == 2);
  CHECK(two.moves()[0].after.out == 0);
}

TEST_CASE("again keeps the player to move") {
  ProgramBuilder b(2, 1);
  b.turn(b.seq({b.act(Op::again), b.act(Op::pass)}));
  const auto moves = b.moves();
  REQUIRE(moves.size() == 1);
  CHECK(moves[0].after.to_move == kWhite);
  CHECK(moves[0].after.ply == 1);
  CHECK(moves[0].after.turns[0] == 1);
}

TEST_CASE("moves are told apart by notation, position and decision") {
  ProgramBuilder b(2, 1);
  const NodeId pass = b.act(Op::pass);
  b.turn(
      b.alt({pass, pass, b.seq({pass, b.act(Op::draw)}), b.seq({pass, b.act(Op::win, {}, 0)}),
             b.seq({b.act(Op::drop, {b.cells({"a1"}), b.kind_node(0)}, 0, 0), b.act(Op::quietly, {pass})})}));
  CHECK(b.moves().size() == 4);
}

TEST_CASE("end lines are asked in order") {
  ProgramBuilder b(2, 1);
  b.turn(b.act(Op::never));
  const Walker walker(b.program);
  Position p = b.program.initial;
  CHECK(winners_of(walker.outcome(p, {}, false)) == "none");
  auto outcome = walker.outcome(p, {});
  REQUIRE((outcome && *outcome));
  CHECK((*outcome)->winners == 0);
  CHECK((*outcome)->by == Outcome::By::no_move);

  b.end(0, Verdict::win, b.truth(false));
  b.end(0, Verdict::lose, b.add(Op::no_move, Type::truth, {}, 0));
  b.end(0, Verdict::win, b.truth(true));
  outcome = walker.outcome(p, {});
  REQUIRE((outcome && *outcome));
  CHECK((*outcome)->winners == 2);
  CHECK((*outcome)->by == Outcome::By::no_move);
  CHECK(p.out == 0);
}

TEST_CASE("the greatest score wins, and equal ones draw") {
  ProgramBuilder b(2, 1, 3);
  b.turn(b.act(Op::pass));
  const auto scored = [&](int x, int y, int z, std::uint32_t out = 0) {
    b.program.players[0].end.clear();
    b.end(0, Verdict::score, b.truth(true), {b.number(x), b.number(y), b.number(z)});
    Position p = b.program.initial;
    p.out = out;
    return winners_of(Walker(b.program).outcome(p, {}));
  };
  CHECK(scored(1, 5, 2) == "2");
  CHECK(scored(5, 5, 2) == "3");
  CHECK(scored(4, 4, 4) == "0");
  CHECK(scored(1, 9, 2, 0b010) == "4");
  CHECK(scored(2, 9, 2, 0b010) == "0");
}

TEST_CASE("an end line that loses among three goes on with the next") {
  ProgramBuilder b(2, 1, 3);
  b.turn(b.act(Op::pass));
  b.end(0, Verdict::lose, b.truth(true));
  Position p = b.program.initial;
  CHECK(winners_of(Walker(b.program).outcome(p, {})) == "none");
  CHECK(p.out == 1);
  CHECK(p.to_move == 1);
  b.end(1, Verdict::lose, b.truth(true));
  p = b.program.initial;
  const auto outcome = Walker(b.program).outcome(p, {});
  CHECK(winners_of(outcome) == "4");
  CHECK((*outcome)->by == Outcome::By::last_left);
}

TEST_CASE("repetition looks at the past") {
  ProgramBuilder b(2, 1);
  const NodeId repeats = b.add(Op::repeats, Type::number);
  b.end(0, Verdict::draw, b.add(Op::less, Type::truth, {b.number(1), repeats}));
  Position other = b.program.initial;
  other.to_move = 1;
  std::vector<Position> past{b.program.initial, other};
  Position p = b.program.initial;
  CHECK(winners_of(Walker(b.program).outcome(p, past, false)) == "none");
  past.push_back(b.program.initial);
  CHECK(winners_of(Walker(b.program).outcome(p, past, false)) == "0");
  // The position at the turn's beginning is one that the board has been in.
  const NodeId drop = b.act(Op::drop, {b.cells({"a1"}), b.kind_node(0)}, 0, 0);
  b.turn(b.seq({b.alt({drop, b.act(Op::pass)}),
                b.act(Op::say, {b.text(" "), b.add(Op::board_repeats, Type::number)})}));
  std::string all;
  for (const auto& m : b.moves(past)) all += m.notation + "|";
  CHECK(all == "a1 0|pass 4|");
}

TEST_CASE("when an equal position stood, and how often with another to move") {
  ProgramBuilder b(2, 1);
  Position other = b.program.initial;
  other.to_move = 1;
  const std::vector<Position> past{b.program.initial, other, b.program.initial, other};
  Position p = b.program.initial;
  p.ply = 4;
  const auto stood = [&](int k) {
    b.program.players[0].end.clear();
    b.end(0, Verdict::score, b.truth(true));
    b.program.players[0].end.back().score = {b.add(Op::earlier, Type::number, {b.number(k)}), b.number(1)};
    return winners_of(Walker(b.program).outcome(p, past, false));
  };
  CHECK(stood(1) == "1"); // at ply 2
  CHECK(stood(2) == "2"); // at ply 0
  CHECK(stood(3) == "2"); // never: -1
  b.turn(b.seq({b.act(Op::pass), b.act(Op::say, {b.text(" "), b.add(Op::repeats_of, Type::number, {}, 0),
                                                 b.text(" "), b.add(Op::repeats_of, Type::number, {}, 1)})}));
  std::string all;
  for (const auto& m : b.moves(past)) all += m.notation + "|";
  CHECK(all == "pass 3 2|"); // the turn's beginning is one of them
}

// ---------------------------------------------------------------- faults and limits

TEST_CASE("faults tell the rule that went wrong") {
  ProgramBuilder b(2, 1);
  const NodeId lift = b.lift();
  b.program.nodes[lift].origin = b.origin(42);
  b.turn(lift);
  const auto found = Walker(b.program).derive(b.program.initial, {});
  REQUIRE_FALSE(found);
  CHECK(found.error().message == "`lift` before any `from` or `to`");
  CHECK(found.error().origin == 1);
  CHECK(b.fault_of(b.seq({b.act(Op::drop, {b.cells({"a1"}), b.kind_node(0), b.number(2)}, 0, 0)})) ==
        "`drop` of 2 pieces on one cell of a board without stacks");
  b.stack("a1", "w");
  b.stack("b1", "w");
  CHECK(b.fault_of(b.seq({b.from(b.cells({"a1"})), b.lift(), b.from(b.cells({"b1"})), b.lift()})) ==
        "`lift` with a piece in the air already, on a board without stacks");
}

TEST_CASE("every derivation ends") {
  ProgramBuilder b(2, 1);
  const std::int32_t s = b.slot(), t = b.slot();
  const NodeId many = b.add(Op::range, Type::numbers, {b.number(1), b.number(60'000)});
  const NodeId too_many = b.add(Op::range, Type::numbers, {b.number(1), b.number(2'000'000'000)});
  const NodeId say = b.act(Op::say, {b.local(Type::number, s), b.local(Type::number, t)});
  CHECK(b.fault_of(b.act(Op::choose, {too_many}, s)) == "a list has more than 65536 members");
  const NodeId ask = b.require(b.add(Op::negation, Type::truth, {b.some(many)}));
  CHECK(b.fault_of(b.seq({b.act(Op::choose, {many}, s), ask})) ==
        "deriving the moves took more than 20000000 steps");
  CHECK(b.fault_of(b.seq({b.act(Op::choose, {many}, s), b.act(Op::choose, {many}, t), say})) ==
        "a position has more than 65536 moves");
  const NodeId next = b.add(Op::add, Type::number, {b.local(Type::number, s), b.number(1)});
  const NodeId count =
      b.seq({b.act(Op::let, {b.number(0)}, s),
             b.star(b.act(Op::set_local, {next}, s), 0, b.frame({static_cast<std::uint32_t>(s)}))});
  CHECK(b.fault_of(count) == "more than 4000 rounds of one repetition");
  CHECK(b.fault_of(b.times(b.act(Op::say, {b.text("0123456789")}), 1000, 1000)) ==
        "the notation of a move has more than 4096 characters");
  const NodeId tall = b.act(Op::drop, {b.cells({"a1"}), b.kind_node(0), b.number(2'000'000'000)}, 0, 0);
  b.stacks();
  CHECK(b.fault_of(tall) == "more than 255 pieces on one cell");
}

TEST_CASE("deep rules stop before the stack does") {
  const std::vector<std::function<NodeId(ProgramBuilder&, NodeId)>> nestings{
      [](ProgramBuilder& b, NodeId inner) {
        return b.seq({b.act(Op::pass), inner});
      },
      [](ProgramBuilder& b, NodeId inner) {
        return b.act(Op::most, {inner, b.number(1)});
      },
      [](ProgramBuilder& b, NodeId inner) { return b.act(Op::quietly, {inner}); },
      [](ProgramBuilder& b, NodeId inner) { return b.act(Op::distinct, {inner}); },
      [](ProgramBuilder& b, NodeId inner) { return b.star(inner); },
      [](ProgramBuilder& b, NodeId inner) { return b.require(b.add(Op::can, Type::truth, {inner})); },
      [](ProgramBuilder& b, NodeId inner) {
        return b.require(b.some(b.add(Op::reach, Type::cells, {b.cells({"a1"}), b.star(inner)})));
      },
      [](ProgramBuilder& b, NodeId inner) {
        const NodeId can = b.add(Op::can, Type::truth, {inner});
        const NodeId all = b.add(Op::list_for, Type::sets, {b.cells({}), can, b.cells({"a1"})}, b.slot(), 1);
        return b.require(b.add(Op::negation, Type::truth, {b.some(all)}));
      },
      [](ProgramBuilder& b, NodeId inner) {
        return b.act(Op::each, {b.cells({"a1"}), inner}, b.slot());
      },
      [](ProgramBuilder& b, NodeId inner) {
        return b.act(Op::otherwise, {inner, b.act(Op::never)});
      },
  };
  for (std::size_t i = 0; i < nestings.size(); ++i) {
    ProgramBuilder b(2, 1);
    NodeId rule = b.act(Op::pass);
    for (int depth = 0; depth < 4'000; ++depth) rule = nestings[i](b, rule);
    INFO("nesting " << i);
    b.turn(rule);
    const auto found = Walker(b.program).derive(b.program.initial, {});
    if (!found) CHECK(found.error().message == "the rule is nested too deeply to be carried out");
  }
}

} // namespace boardwright::runtime::walker_test
