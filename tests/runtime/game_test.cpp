// The engine behind Game, on programs built by hand. What an operation means is tested with the walker; here
// both are asked and must agree.
#include "runtime/game/game.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/model/limits.hpp"
#include "runtime/model/operations.hpp"
#include "runtime/reference/walker.hpp"
#include "tests/rule_files.hpp"
#include "tests/runtime/random_program.hpp"

#include <algorithm>
#include <memory>
#include <tuple>

namespace boardwright::runtime::game_test {

namespace {

std::shared_ptr<const Rules> rules_of(const ProgramBuilder& b) {
  return Rules::make(std::make_shared<const Program>(b.program));
}

struct Found { // a move and what it leads to
  std::string notation;
  Position after;
  friend bool operator==(const Found& a, const Found& b) {
    return a.notation == b.notation && a.after.same_as(b.after) && a.after.ply == b.after.ply &&
           a.after.turns == b.after.turns;
  }
  [[nodiscard]] auto key() const {
    return std::tie(notation, after.cells, after.hands, after.variables, after.to_move, after.out);
  }
};

std::vector<Found> in_order(std::vector<Found> moves) {
  std::sort(moves.begin(), moves.end(), [](const Found& a, const Found& b) { return a.key() < b.key(); });
  return moves;
}

std::vector<Found> by_walker(const std::vector<WalkedMove>& moves) {
  std::vector<Found> found;
  for (const WalkedMove& m : moves) found.push_back({m.notation, m.after});
  return in_order(std::move(found));
}

// Plays every move and takes it back.
std::vector<Found> by_engine(Game& game) {
  const auto moves = game.moves();
  const auto notations = game.notations();
  if (!moves || !notations) FAIL("the engine met a fault");
  std::vector<Found> found;
  for (std::size_t i = 0; i < moves->size(); ++i) {
    game.play((*moves)[i]);
    found.push_back({(*notations)[i], game.position()});
    REQUIRE(game.undo());
  }
  return in_order(std::move(found));
}

// Those that the walker says decide the game.
void check_decided(Game& game, const std::vector<WalkedMove>& walked) {
  for (const WalkedMove& m : walked) {
    if (!m.outcome ||
        std::count_if(walked.begin(), walked.end(), [&](auto& n) { return n.notation == m.notation; }) > 1)
      continue;
    game.play(**game.find(m.notation));
    const auto outcome = game.outcome();
    CHECK(outcome);
    CHECK(outcome->value() == *m.outcome);
    game.undo();
  }
}

std::vector<WalkedMove> walked(const Program& program, const Position& position) {
  const auto moves = Walker(program).derive(position, {});
  if (!moves) FAIL(moves.error().message);
  return *moves;
}

void check_moves(const ProgramBuilder& b) {
  Game game(rules_of(b));
  const auto engine = by_engine(game), walker = by_walker(walked(b.program, b.program.initial));
  CHECK(engine.size() == walker.size());
  CHECK(engine == walker);
}

std::string fault_of(const ProgramBuilder& b) {
  Game game(rules_of(b));
  const auto moves = game.moves();
  return moves ? "" : moves.error().message;
}

// A man goes one step to an empty cell.
NodeId step(ProgramBuilder& b, int player) {
  return b.seq({b.from(b.own(player)), b.lift(), b.go(b.adjacent()), b.at(b.empty()), b.put()});
}

void step_turns(ProgramBuilder& b) {
  for (std::size_t p = 0; p < b.program.players.size(); ++p)
    b.program.players[p].turn = step(b, static_cast<int>(p));
}

void play(Game& game, std::string_view notation) {
  const auto move = game.find(notation);
  REQUIRE(move);
  REQUIRE(*move);
  game.play(**move);
}

std::int64_t winners_now(Game& game) {
  const auto outcome = game.outcome();
  if (!outcome) FAIL(outcome.error().message);
  return *outcome ? std::int64_t{(*outcome)->winners} : -1;
}

} // namespace

TEST_CASE("random programs: the engine and the walker find the same moves") {
  int compared = 0;
  // Among the first fifty are some whose repetitions go on to every limit.
  const std::uint64_t last = tests::kSanitized ? 70 : 130;
  for (std::uint64_t seed = 51; seed <= last; ++seed) {
    INFO("seed " << seed);
    const RandomProgram random(seed, seed % 2 == 1, seed % 3 == 0);
    const Program& program = random.b.program;
    Game game(rules_of(random.b));
    for (int ply = 0; ply < 3; ++ply) {
      const Position position = game.position();
      const auto expected = Walker(program).derive(position, {});
      if (!expected) break; // what goes wrong may go wrong elsewhere
      if (const auto outcome = game.outcome(); !outcome || *outcome) break;
      const auto engine = by_engine(game);
      CHECK(engine == by_walker(*expected));
      check_decided(game, *expected);
      CHECK(game.position().same_as(position));
      ++compared;
      game.play((*game.moves())[engine.size() / 2]);
    }
  }
  CHECK(compared > static_cast<int>(last - 50) / 2);
}

TEST_CASE("every width of sets plays alike") {
  for (const auto& [files, ranks] : {std::pair(8, 8), {10, 10}, {12, 12}, {16, 16}, {19, 19}, {22, 22}}) {
    INFO(files << " by " << ranks);
    ProgramBuilder b(files, ranks);
    const std::string far = cell_name(files, ranks);
    b.stack("a1", "w");
    b.stack(far, "w");
    b.stack(cell_name(files / 2, ranks / 2), "b");
    const NodeId sources = b.own(0);
    const std::int32_t d = b.slot();
    const NodeId ray = b.plus(b.seq({b.go(b.local(Type::directions, d)), b.at(b.empty())}));
    const NodeId ride =
        b.seq({b.from(sources), b.lift(), b.act(Op::choose, {b.adjacent()}, d), ray, b.put()});
    const NodeId flood = b.star(b.seq({b.go(b.adjacent()), b.at(b.empty())}));
    const NodeId mark =
        b.act(Op::say, {b.add(Op::count, Type::number, {b.add(Op::reach, Type::cells, {b.here(), flood})})});
    b.turn(b.seq({ride, mark}));
    check_moves(b);
  }
}

TEST_CASE("moves can be tried and taken back without listing them again") {
  ProgramBuilder b(4, 4);
  b.stack("a1", "w");
  b.stack("d4", "b");
  step_turns(b);
  Game game(rules_of(b));
  const auto moves = *game.moves();
  const std::vector<Move> copy(moves.begin(), moves.end());
  REQUIRE(copy.size() == 2);
  for (const Move& m : copy) {
    game.play(m);
    CHECK(game.moves()->size() == 2);
    CHECK(game.length() == 1);
    CHECK(game.undo());
  }
  CHECK(game.length() == 0);
  CHECK_FALSE(game.undo());
  CHECK(*game.notation(copy[0]) == (*game.notations())[0]);
}

TEST_CASE("a move is found by its notation, and forgivingly where nothing is lost") {
  ProgramBuilder b(4, 4);
  b.stack("a1", "w");
  b.stack("d4", "b");
  step_turns(b);
  Game game(rules_of(b));
  CHECK(*game.find("a1-a2"));
  CHECK(*game.find(" A1 - a2 "));
  CHECK_FALSE(*game.find("a1-a3"));
  // Texts that differ in case alone must be written exactly.
  b.turn(b.alt({b.act(Op::say, {b.text("x")}), b.act(Op::say, {b.text("X")})}));
  Game other(rules_of(b));
  CHECK(*other.find("x"));
  const auto both = *other.moves();
  REQUIRE(both.size() == 2);
  CHECK((*other.find("X"))->index() != (*other.find("x"))->index());
}

TEST_CASE("counts agree with plain recursion, and distinct ones merge equal results") {
  ProgramBuilder b(3, 3);
  b.stack("a1", "w");
  b.stack("c3", "b");
  // Two notations for each step.
  const NodeId word = b.alt({b.act(Op::say, {b.text("!")}), b.act(Op::say, {b.text("?")})});
  b.program.players[0].turn = b.seq({step(b, 0), word});
  b.program.players[1].turn = step(b, 1);
  Game game(rules_of(b));
  CHECK(perft(game, {0})->leaves == 1);
  CHECK(perft(game, {1})->leaves == 4);
  CHECK(perft(game, {2})->leaves == 8);
  PerftOptions merged;
  merged.depth = 2;
  merged.distinct = true;
  CHECK(perft(game, merged)->leaves == 4);
  std::uint64_t sum = 0;
  const auto all = *game.moves();
  for (const Move& m : all) {
    game.play(m);
    sum += perft(game, {2})->leaves;
    game.undo();
  }
  CHECK(perft(game, {3})->leaves == sum);
  CHECK(game.length() == 0);
  std::atomic<bool> stop = true;
  merged.stop = &stop;
  CHECK(perft(game, merged)->stopped);
}

TEST_CASE("repetition counts earlier positions, boards also the one that the turn begins with") {
  ProgramBuilder b(2, 1);
  b.stack("a1", "w");
  b.program.players[0].turn = step(b, 0);
  b.program.players[1].turn = b.act(Op::pass);
  const NodeId twice = b.add(Op::at_most, Type::truth, {b.number(1), b.add(Op::repeats, Type::number)});
  b.end(0, Verdict::draw, twice);
  Game game(rules_of(b));
  for (const char* move : {"a1-b1", "pass", "b1-a1"}) {
    play(game, move);
    CHECK(winners_now(game) == -1);
  }
  play(game, "pass");
  CHECK(winners_now(game) == 0); // drawn
  CHECK(game.moves()->empty());
  game.undo();
  CHECK(winners_now(game) == -1);

  // Who may not repeat a board has no way back.
  const NodeId fresh =
      b.require(b.add(Op::equal, Type::truth, {b.add(Op::board_repeats, Type::number), b.number(0)}));
  b.program.players[0].turn = b.seq({step(b, 0), fresh});
  b.program.players[0].end.clear();
  Game strict(rules_of(b));
  play(strict, "a1-b1");
  play(strict, "pass");
  CHECK(strict.moves()->empty());
  CHECK(winners_now(strict) == 0);
}

TEST_CASE("where an equal position stood is told as the moves before it, by a line that moves are taken back "
          "from") {
  ProgramBuilder b(2, 1);
  b.stack("a1", "w");
  b.program.players[0].turn = step(b, 0);
  b.program.players[1].turn = b.act(Op::pass);
  const auto stood = [&](int k, int ply) {
    return b.add(Op::equal, Type::truth, {b.add(Op::earlier, Type::number, {b.number(k)}), b.number(ply)});
  };
  b.end(0, Verdict::win, stood(2, 0)); // the third time, and the first was at the beginning
  b.end(0, Verdict::lose, stood(1, 4));
  b.end(0, Verdict::draw, b.add(Op::negation, Type::truth, {stood(0, -1)})); // never: there is no such time
  Game game(rules_of(b));
  const auto round = [&] {
    for (const char* move : {"a1-b1", "pass", "b1-a1", "pass"}) play(game, move);
  };
  round();
  CHECK(winners_now(game) == -1);
  round();
  CHECK(winners_now(game) == 1);
  for (int i = 0; i < 8; ++i) game.undo();
  round();
  CHECK(winners_now(game) == -1);
}

TEST_CASE("who may not bring about a position with the other to move has no way back") {
  ProgramBuilder b(2, 1);
  b.stack("a1", "w");
  const NodeId fresh =
      b.require(b.add(Op::equal, Type::truth, {b.add(Op::repeats_of, Type::number, {}, 1), b.number(0)}));
  b.program.players[0].turn = b.seq({step(b, 0), fresh});
  b.program.players[1].turn = b.act(Op::pass);
  Game game(rules_of(b));
  play(game, "a1-b1");
  play(game, "pass");
  play(game, "b1-a1"); // the first position had the other player to move
  play(game, "pass");
  CHECK(game.moves()->empty());
}

TEST_CASE("of three players one is put out, and the last one left wins") {
  ProgramBuilder b(3, 3, 3);
  b.stack("a1", "w");
  b.stack("b1", "b");
  b.stack("c1", "r");
  b.turn(b.act(Op::pass));
  b.program.players[0].turn = b.seq({b.act(Op::say, {b.text("gives up")}), b.act(Op::lose, {}, 0)});
  Game game(rules_of(b));
  play(game, "gives up");
  CHECK(game.to_move() == 1);
  CHECK(game.position().out == 1);
  CHECK(winners_now(game) == -1);
  play(game, "pass");
  CHECK(game.to_move() == 2);
  play(game, "pass");
  CHECK(game.to_move() == 1); // not the first: he is out

  // By a line of `end`: the next one is asked at once.
  b.turn(b.act(Op::pass));
  const NodeId late = b.add(Op::at_most, Type::truth, {b.number(1), b.add(Op::ply, Type::number)});
  b.end(1, Verdict::lose, late);
  b.end(2, Verdict::lose, late);
  Game ended(rules_of(b));
  play(ended, "pass");
  CHECK(ended.position().out == 6);
  CHECK(winners_now(ended) == 1);
  CHECK((*ended.outcome())->by == Outcome::By::last_left);
  CHECK(ended.undo());
  CHECK(ended.position().out == 0);
  CHECK(ended.to_move() == 0);

  // He is out, even if something goes wrong behind it.
  b.program.players[2].end.clear();
  b.program.players[2].turn = b.lift(); // from nowhere
  Game wrong(rules_of(b));
  play(wrong, "pass");
  CHECK(wrong.position().out == 2);
  CHECK(wrong.to_move() == 2);
  CHECK_FALSE(wrong.outcome().has_value());
  CHECK(wrong.position().out == 2);
  CHECK(wrong.undo());
  CHECK(wrong.position().out == 0);
}

TEST_CASE("shares decide, unless all are equal") {
  ProgramBuilder b(3, 3);
  b.turn(b.act(Op::pass));
  b.stack("a1", "w");
  b.end(0, Verdict::score, b.truth(true), {b.number(3), b.number(2)});
  Game first(rules_of(b));
  CHECK(winners_now(first) == 1);
  b.program.players[0].end[0].score = {b.number(3), b.number(3)};
  Game equal(rules_of(b));
  CHECK(winners_now(equal) == 0);
}

TEST_CASE("a game whose player can't move, and that no line ends, is drawn") {
  ProgramBuilder b(3, 3);
  b.turn(b.act(Op::never));
  Game game(rules_of(b));
  CHECK(winners_now(game) == 0);
  CHECK((*game.outcome())->by == Outcome::By::no_move);
  b.end(0, Verdict::lose, b.add(Op::no_move, Type::truth, {}, 0));
  Game lost(rules_of(b));
  CHECK(winners_now(lost) == 2);
}

TEST_CASE("stacks stay whole over many moves and back") {
  ProgramBuilder b(4, 4);
  b.stacks();
  b.stack("a1", "wbwbwbwb");
  b.stack("d4", "wwww");
  b.stack("b2", "b");
  for (int p = 0; p < 2; ++p) {
    const NodeId part = b.act(Op::lift, {b.number(1)});
    b.program.players[static_cast<std::size_t>(p)].turn =
        b.seq({b.from(b.board()), b.alt({b.lift(), part}), b.go(b.adjacent()), b.put()});
  }
  Game game(rules_of(b));
  const Position begin = game.position();
  Random random(5);
  for (int i = 0; i < 3000; ++i) {
    const auto moves = *game.moves();
    game.play(moves[random.below(moves.size())]);
  }
  const auto expected = by_walker(walked(b.program, game.position()));
  CHECK(by_engine(game) == expected);
  while (game.undo()) {
  }
  CHECK(game.position().same_as(begin));
  CHECK(game.position().ply == 0);
}

TEST_CASE("rules that go wrong fault, and the game is as before") {
  ProgramBuilder b(3, 3);
  b.stack("a1", "w");
  b.stack("b1", "w");
  const auto turn = [&](NodeId rule) {
    b.turn(rule);
    return fault_of(b);
  };
  const NodeId from = b.from(b.own(0));
  CHECK(turn(b.seq({from, b.lift(), b.from(b.own(0)), b.lift()})).find("in the air") != std::string::npos);
  CHECK(turn(b.act(Op::drop, {b.cells({"c3"}), b.kind_node(0), b.number(2)}, 0, 0)).find("without stacks") !=
        std::string::npos);
  CHECK(turn(b.act(Op::set_hand, {b.kind_node(0), b.number(1)}, 0)).find("no such entry") !=
        std::string::npos);
  const NodeId kind_of_empty = b.add(Op::kind_at, Type::kind, {b.cells({"c3"})});
  for (const NodeId no_kind : {b.kind_node(-1), kind_of_empty}) {
    CHECK(turn(b.act(Op::drop, {b.cells({"c3"}), no_kind}, 0, 0)).find(kNoKindToDrop) != std::string::npos);
    CHECK(turn(b.act(Op::change, {b.cells({"a1"}), no_kind}, kKeepOwner)).find(kNoKindToChangeTo) !=
          std::string::npos);
    CHECK(turn(b.act(Op::change, {b.cells({}), no_kind}, kKeepOwner)).find(kNoKindToChangeTo) !=
          std::string::npos);
    CHECK(turn(b.act(Op::set_hand, {no_kind, b.number(1)}, 0)).find(kNoKindOfHand) != std::string::npos);
  }
  const std::int32_t c = b.slot();
  CHECK(turn(b.act(Op::each, {b.own(0), b.act(Op::never)}, c)).find("exactly one") != std::string::npos);
  const NodeId two = b.alt({b.act(Op::pass), b.act(Op::again)});
  CHECK(turn(b.act(Op::each, {b.own(0), two}, c)).find("exactly one") != std::string::npos);
  CHECK(turn(b.go(b.adjacent())).find("before any") != std::string::npos);
  b.turn(b.act(Op::say, {b.text(std::string(kMaxNotation + 1, 'x'))}));
  Game verbose(rules_of(b));
  const auto texts = verbose.notations(); // they are written only when they are asked for
  CHECK((!texts && texts.error().message.find("characters") != std::string::npos));

  b.turn(b.seq({from, b.lift(), b.from(b.own(0)), b.lift()}));
  Game game(rules_of(b));
  CHECK_FALSE(game.moves());
  CHECK_FALSE(game.outcome());
  CHECK(game.position().same_as(b.program.initial));
}

TEST_CASE("rules that never stop fault before the C++ stack ends") {
  ProgramBuilder b(22, 22);
  b.stack("a1", "w");
  const int counter = b.variable(Type::number);
  const NodeId count = b.act(
      Op::set_variable,
      {b.add(Op::add, Type::number, {b.add(Op::variable, Type::number, {}, counter), b.number(1)})}, counter);
  const NodeId choice = b.alt({count, b.act(Op::never)});
  // By recursion, in place, and as long as possible.
  b.turn(b.star(choice));
  CHECK_FALSE(fault_of(b).empty());
  b.turn(b.star(count));
  CHECK_FALSE(fault_of(b).empty());
  b.turn(b.star(count, kMaximal));
  CHECK_FALSE(fault_of(b).empty());
  // Choices and repetitions in one another.
  NodeId nested = choice;
  for (int i = 0; i < (tests::kSanitized ? 30 : 300); ++i)
    nested = b.act(Op::otherwise, {b.seq({nested, b.act(Op::never)}), choice});
  b.turn(b.star(nested));
  CHECK_FALSE(fault_of(b).empty());
  // Values in values.
  NodeId value = b.number(1);
  for (int i = 0; i < 20'000; ++i) value = b.add(Op::negate, Type::number, {value});
  b.turn(
      b.seq({b.act(Op::say, {value}), b.act(Op::require, {b.add(Op::equal, Type::truth, {value, value})})}));
  CHECK_FALSE(fault_of(b).empty());
  b.turn(b.act(Op::say, {value}));
  CHECK_FALSE(Game(rules_of(b)).notations()); // what is only written is asked for when it is written
}

TEST_CASE("a stack is never too high for its height") {
  ProgramBuilder b(2, 1);
  b.stacks();
  b.stack("a1", std::string(200, 'w'));
  b.stack("b1", std::string(100, 'b'));
  b.turn(b.seq({b.from(b.own(0)), b.lift(), b.go(b.adjacent()), b.put()}));
  CHECK(fault_of(b).find("255") != std::string::npos);
}

// What is carried is only counted then, and laid down when a move is played.
TEST_CASE("a stack is never too high where pieces are left behind one by one") {
  for (const std::size_t height : {254U, 255U}) {
    ProgramBuilder b(3, 1);
    b.stacks();
    b.stack("a1", "ww");
    b.stack("b1", std::string(height, 'b'));
    const NodeId right = b.directions({{1, 0}});
    const NodeId leave_one = b.act(Op::put, {b.number(1)});
    b.turn(b.seq({b.from(b.own(0)),
                  b.act(Op::quietly, {b.seq({b.lift(), b.go(right), leave_one, b.go(right), b.put()})})}));
    CHECK(fault_of(b) == (height < 255 ? "" : "more than 255 pieces on b1"));
  }
}

TEST_CASE("the turn's beginning stays as it was") {
  ProgramBuilder b(3, 3);
  b.stack("a1", "w");
  b.stack("c3", "b");
  const NodeId then = b.add(Op::before, Type::cells, {b.own(0)});
  b.turn(b.seq(
      {step(b, 0), b.act(Op::say, {b.text(" from "), then}), b.require(b.add(Op::changed, Type::truth))}));
  check_moves(b);
  Game game(rules_of(b));
  CHECK(*game.find("a1-a2 from a1"));
}

TEST_CASE("a state is small") {
  ProgramBuilder b(8, 8);
  b.stack("a1", "w");
  step_turns(b);
  CHECK(rules_of(b)->state_bytes() < 1024);
}

} // namespace boardwright::runtime::game_test
