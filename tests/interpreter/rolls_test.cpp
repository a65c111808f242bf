// `roll`: plies of nature and of the player.
#include "interpreter/boardwright.hpp"
#include "runtime/game/game.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/game/random_player.hpp"
#include "runtime/reference/walker.hpp"
#include "runtime/search/make_player.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace boardwright;
using runtime::Game;

namespace {

std::string file_with(const std::string& turn, const std::string& more = "") {
  return "game: Rolls\nplayers: [Ann, Bob]\nboard: { squares: 6 by 1 }\npieces: { man: a b }\n"
         "setup: { a: a1, b: f1 }\n" +
         more + "turn: |\n  " + turn + "\nend: [draw when ply >= 40]\n";
}

Game game_of(const std::string& turn, const std::string& more = "") {
  auto loaded = interpreter::load_text("rolls.yaml", file_with(turn, more));
  INFO(loaded.errors());
  REQUIRE(loaded);
  return Game(loaded.rules);
}

std::string errors_of(const std::string& turn) {
  return interpreter::load_text("rolls.yaml", file_with(turn)).errors();
}

void play(Game& game, const std::string& text) {
  INFO(text);
  const auto move = game.find(text);
  REQUIRE(move);
  REQUIRE(*move);
  REQUIRE(game.play(**move));
}

std::vector<std::string> list(Game& game) {
  auto texts = game.notations();
  REQUIRE(texts);
  std::sort(texts->begin(), texts->end());
  return *texts;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("a turn that begins with a roll begins with nature's ply") {
  Game game = game_of("roll n in 1 .. 3, from own, (go east){n}, say n");
  CHECK(game.is_chance());
  CHECK(list(game) == Texts{"(1)", "(2)", "(3)"});
  play(game, "(2)");
  CHECK_FALSE(game.is_chance());
  CHECK(game.to_move() == 0);
  CHECK(list(game) == Texts{"a12"});
  play(game, "a12");
  CHECK(game.is_chance());
  CHECK(game.to_move() == 1);
  REQUIRE(game.undo());
  REQUIRE(game.undo());
  CHECK(game.is_chance());
}

TEST_CASE("a turn that is an `if` begins with nature's ply where its branch does, names before it or not") {
  for (const std::string before : {"", "let far = 2, let c = own, "}) {
    Game game = game_of(before + "if ply < 1 then (roll n in 1 .. 2, choose x in 1 .. 2, say x) else pass");
    CHECK(game.is_chance());
    CHECK(list(game) == Texts{"(1)", "(2)"});
  }
  Game carried = game_of("if ply < 1 then (roll n in 1 .. 2, choose x in 1 .. 2, say x) else pass",
                         "state: { turned: { each piece: 0, range: 0..3 } }\n");
  CHECK(carried.is_chance());
  // A condition that asks for such a name is the player's.
  Game asked = game_of("let far = 2, if far > 1 then (roll n in 1 .. 2, say n) else pass");
  CHECK(asked.moves());
}

TEST_CASE("`A otherwise B` begins with nature's ply where A does, if there is something to roll") {
  Game game = game_of("(roll n in 1 .. 2 - ply, choose x in 1 .. 2, say (n, x)) otherwise pass");
  CHECK(game.is_chance());
  CHECK(list(game) == Texts{"(1)", "(2)"});
  play(game, "(2)");
  CHECK(list(game) == Texts{"21", "22"});
  play(game, "21");
  CHECK_FALSE(game.is_chance());
  CHECK(list(game) == Texts{"pass"});
  // Of three ways the second one rolls, too.
  Game three =
      game_of("(roll n in 1 .. 0 - ply, say n) otherwise (roll n in 3 .. 4 - ply, say n) otherwise pass");
  CHECK(three.is_chance());
  CHECK(list(three) == Texts{"(3)3", "(4)4"});
}

TEST_CASE("what is secret and begins with a roll leaves no brackets at the end of the ply before") {
  const std::string sees = "sees: { cells: own }\n";
  Game game = game_of("choose x in 1 .. 2, say x, "
                      "secretly (let y = x, roll m in 1 .. 3 by (if m = y then 1 else 2), say m)",
                      sees);
  CHECK(list(game) == Texts{"1", "2"});
  play(game, "1");
  CHECK(list(game) == Texts{"<(1)1>", "<(2)2>", "<(3)3>"});
}

TEST_CASE("nature's ply goes as far as the next choice, the player's as far as the next roll") {
  Game game =
      game_of("from own, (say \"stay\" or (say \"go\", roll n in 1 .. 2, if n = 1 then say \"!\" else "
              "(say \"?\", choose m in 1 .. n, say m)))");
  CHECK(list(game) == Texts{"a1go", "a1stay"});
  play(game, "a1go");
  CHECK(game.is_chance());
  CHECK(list(game) == Texts{"(1)!", "(2)?"});
  {
    Game ends = game;
    play(ends, "(1)!");
    CHECK(ends.to_move() == 1);
  }
  play(game, "(2)?");
  CHECK(game.to_move() == 0);
  CHECK(list(game) == Texts{"1", "2"});
}

TEST_CASE("here, start and names are kept over a roll") {
  Game game = game_of("from own, let c = here, let far = x(here) > 3, go east, roll n in 1 .. 2, "
                      "choose m in 1 .. n, say (here, start, c, if far then \"far\" else \"near\", m)");
  play(game, "a1");
  play(game, "(2)");
  CHECK(list(game) == Texts{"b1a1a1near1", "b1a1a1near2"});
  play(game, "b1a1a1near2");
  const auto& program = game.rules().program();
  const runtime::Position now = game.position();
  for (std::size_t i = 0; i < program.variables.size();
       ++i) // what was kept is forgotten when the turn is over
    CHECK(now.variables[i] == program.initial.variables[i]);
}

TEST_CASE("dice that are thrown together can't be told apart, and weigh as many as show the same") {
  Game game = game_of("roll a, b, c in 1 .. 6, choose n in 1 .. 2, say n");
  const auto weights = game.weights();
  REQUIRE(weights);
  CHECK(weights->size() == 56);
  const auto texts = game.notations();
  REQUIRE(texts);
  std::map<std::string, std::int64_t> by_text;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < texts->size(); ++i) sum += by_text[(*texts)[i]] = (*weights)[i];
  CHECK(sum == 216);
  CHECK(by_text["(6-6-6)"] == 1);
  CHECK(by_text["(6-6-1)"] == 3);
  CHECK(by_text["(5-5-5)"] == 1);
  CHECK(by_text["(6-1-1)"] == 3);
  CHECK(by_text["(3-2-1)"] == 6);
}

TEST_CASE("weights: members that weigh nothing aren't rolled") {
  Game game = game_of("roll c in rank(1) by x(c) - 2, if c in f1 then win");
  const auto sorted = [&] {
    auto weights = game.weights();
    REQUIRE(weights);
    std::sort(weights->begin(), weights->end());
    return *weights;
  };
  CHECK(sorted() == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(list(game) == Texts{"(c1)", "(d1)", "(e1)", "(f1)"});
  play(game, "(c1)");
  CHECK(sorted() == std::vector<std::int64_t>{1, 2, 3, 4}); // once more, from 1 on
}

TEST_CASE("weights are those of nature's move alone") {
  Game game = game_of("choose n in 1 .. 2, say n");
  CHECK_FALSE(game.is_chance());
  CHECK_FALSE(game.weights());
}

TEST_CASE("repetitions roll: each number of rounds goes on as the rule says") {
  const std::string round = "(roll n in 1 .. 2, (say \"on\" or (say \"back\", require n = 2)))";
  Game some = game_of(round + "*, say \".\"");
  CHECK_FALSE(some.is_chance()); // whether to begin is a choice
  Game once = game_of(round + "+, say \".\"");
  CHECK(once.is_chance());
  play(once, "(1)");
  CHECK(list(once) == Texts{"on", "on."});
  play(once, "on");
  CHECK(once.is_chance());
  play(once, "(2)");
  CHECK(list(once) == Texts{"back", "back.", "on", "on."});

  Game three = game_of(round + "{3}, say \".\"");
  play(three, "(1)"), play(three, "on"), play(three, "(1)"), play(three, "on"), play(three, "(1)");
  CHECK(list(three) == Texts{"on."});

  Game until = game_of("(roll n in 1 .. 3, say n)+! until n = 2, say \".\"");
  CHECK(until.is_chance());
  CHECK(list(until).size() == 3);

  Game now_and_then =
      game_of("from own, (go east, (say \"\" or (say \"r\", roll n in 1 .. 2)))*, say (\".\", here)");
  // to a1 .. f1 without a roll, or to b1 .. f1 and a roll there
  CHECK(list(now_and_then).size() == 11);
}

TEST_CASE("otherwise counts a roll as something that can be done") {
  Game game =
      game_of("(require no own in f1, roll n in 1 .. 2, choose m in 1 .. 2, say m) otherwise say \"no\"");
  CHECK(game.is_chance());
  CHECK(list(game) == Texts{"(1)", "(2)"});
  play(game, "(1)"), play(game, "1");
  CHECK_FALSE(game.is_chance());
  CHECK(list(game) == Texts{"no"}); // Bob stands on f1
  // Behind a choice it is the player's ply that ends before the roll.
  Game behind =
      game_of("choose k in 1 .. 2, say k, ((require k = 1, roll n in 1 .. 2, say n) otherwise say \"no\")");
  CHECK(list(behind) == Texts{"1", "2no"});
}

TEST_CASE("lines of end are asked at the beginning of a turn") {
  Game game = game_of("roll n in 1 .. 2, ((from own, say n) otherwise pass)", "state: { t: 0 }\n");
  play(game, "(1)");
  CHECK(game.position().ply == 1);
  REQUIRE(game.outcome());
  CHECK_FALSE(*game.outcome());
}

TEST_CASE("what can't be rolled, and where") {
  CHECK(errors_of("each c in own do (roll n in 1 .. 2)").find("a roll within `each`") != std::string::npos);
  CHECK(errors_of("quietly (roll n in 1 .. 2), pass").find("a roll within `quietly`") != std::string::npos);
  CHECK(errors_of("most n of (roll n in 1 .. 2), pass").find("a roll within `most`") != std::string::npos);
  CHECK(errors_of("if can (roll n in 1 .. 2) then pass").find("a roll within") != std::string::npos);
  CHECK(errors_of("from own, lift, roll n in 1 .. 2, put").find("in the air") != std::string::npos);
  CHECK(errors_of("roll a, b in own, pass").find("rolled together are numbers") != std::string::npos);
  CHECK(errors_of("roll a, b in 1 .. 2 by a, pass").find("no weights of its own") != std::string::npos);
  CHECK(errors_of("again, choose k in 1 .. 2, roll n in 1 .. 2").find("`again` before a roll") !=
        std::string::npos);
  CHECK(errors_of("choose d in all, roll n in 1 .. 2, go d").find("can't be kept") != std::string::npos);
  CHECK(errors_of("roll d in all, pass").find("can't be rolled") != std::string::npos);
}

TEST_CASE("roll is a name where no name follows") {
  auto loaded = interpreter::load_text(
      "names.yaml", file_with("from own, roll, say count(own)", "define: { roll: (go east)* }\n"));
  INFO(loaded.errors());
  CHECK(loaded);
}

TEST_CASE("random games draw by weight, and are the same by native code and without") {
  const std::string turn = "roll a, b in 1 .. 6, if a = b then win else if a = 6 then lose else draw";
  auto loaded = interpreter::load_text("dice.yaml", file_with(turn));
  REQUIRE(loaded);
  runtime::PlayoutOptions options;
  options.count = 36'000;
  options.seed = 5;
  const auto native = runtime::playouts(loaded.rules, options);
  options.native = false;
  const auto interpreted = runtime::playouts(loaded.rules, options);
  REQUIRE(native);
  REQUIRE(interpreted);
  CHECK(native->wins == interpreted->wins);
  // 6, 10 and 20 of 36: chi-squared with two degrees of freedom is above 13.8 once in a thousand times.
  const double games = 36'000;
  const double wins = static_cast<double>(native->wins[0]), losses = static_cast<double>(native->wins[1]);
  const auto term = [games](double met, double share) {
    const double expected = games * share;
    return (met - expected) * (met - expected) / expected;
  };
  CHECK(term(wins, 6 / 36.0) + term(losses, 10 / 36.0) + term(games - wins - losses, 20 / 36.0) < 13.8);
}

TEST_CASE("a game draws by weight") {
  Game game = game_of("roll a, b in 1 .. 2, choose n in 1 .. 2, say n");
  runtime::Random random(3);
  std::map<std::string, int> drawn;
  for (int i = 0; i < 4'000; ++i) {
    const auto move = game.draw(random);
    REQUIRE(move);
    REQUIRE(*move);
    ++drawn[*game.notation(**move)];
  }
  CHECK(std::abs(drawn["(2-1)"] - 2'000) < 120); // four times its deviation
  CHECK(std::abs(drawn["(1-1)"] - 1'000) < 110);
}

TEST_CASE("the walker lists what the compiled form lists, in each ply") {
  Game game = game_of("from own, (say \"stay\" or (say \"go\", roll n in 1 .. 3, (go east){n}, at ~own, "
                      "((choose m in 1 .. n, say m) otherwise pass)))");
  const runtime::Walker walker(game.rules().program());
  runtime::Random random(11);
  for (int ply = 0; ply < 30; ++ply) {
    const auto outcome = game.outcome();
    REQUIRE(outcome);
    if (*outcome) break;
    const auto walked = walker.derive(game.position(), {});
    REQUIRE(walked);
    Texts texts;
    for (const auto& move : *walked) texts.push_back(move.notation);
    std::sort(texts.begin(), texts.end());
    CHECK(texts == list(game));
    const auto move = game.draw(random);
    REQUIRE(move);
    REQUIRE(*move);
    REQUIRE(game.play(**move));
  }
}

TEST_CASE("players roll where it is nature's move, and think where it is theirs") {
  // To take two of three chances is better than one of three.
  auto loaded = interpreter::load_text(
      "two.yaml", file_with("(say \"one\", roll n in 1 .. 3, if n = 1 then win else lose) or "
                            "(say \"two\", roll n in 1 .. 3, if n < 3 then win else lose)"));
  REQUIRE(loaded);
  auto made = runtime::search::make_player("auto", loaded.rules, {});
  REQUIRE(made);
  Game open(loaded.rules);
  runtime::search::ThinkLimits limits;
  limits.most_nodes = 2'000;
  auto thought = (*made)->think(open, limits);
  REQUIRE(thought);
  REQUIRE(thought->move);
  CHECK(*open.notation(*thought->move) == "two");
  CHECK(thought->value == Approx(2 / 3.0).margin(0.05));
  REQUIRE(open.play(*thought->move));
  thought = (*made)->think(open, limits);
  REQUIRE(thought);
  REQUIRE(thought->move);
  CHECK(open.is_chance());
  CHECK(runtime::search::make_player("alphabeta", loaded.rules, {}));
}

TEST_CASE("a further roll whose members depend on the one before is a ply of its own") {
  Game game = game_of("roll a in 1 .. 2, if a = 1 then (roll b in 1 .. 6, win) else lose");
  CHECK(list(game) == Texts{"(1)", "(2)"});
  play(game, "(1)");
  CHECK(game.is_chance());
  CHECK(list(game).size() == 6);
  Game joined = game_of("roll a in 1 .. 2, roll b in 1 .. 3, choose n in 1 .. 2, say n");
  CHECK(list(joined).size() == 6);
  CHECK(list(joined).front() == "(1)(1)");
  Game apart = game_of("roll a in 1 .. 2, roll b in 1 .. a, choose n in 1 .. 2, say n");
  CHECK(list(apart) == Texts{"(1)", "(2)"});
}

TEST_CASE("what is lifted behind a roll is the player's") {
  Game game = game_of("from own, roll n in 1 .. 2, lift, (go east){n}, put");
  play(game, "a1");
  play(game, "(2)");
  CHECK_FALSE(game.is_chance());
  CHECK(list(game) == Texts{"-c1"});
}

TEST_CASE("a roll without members isn't come to") {
  Game game = game_of("(choose k in 1 .. 2, roll c in own & f1, say k) otherwise say \"no\"");
  CHECK(list(game) == Texts{"no"});
}

TEST_CASE("nested repetitions that lift and lay down leave nothing in the air") {
  Game game = game_of(
      "each c in own do (each d in c do (to d, lift, put)), choose n in 1 .. 2, roll m in 1 .. 2, say m");
  CHECK(list(game).size() == 1);
}

TEST_CASE("a turn that rolls has its limits, each with a place") {
  const auto rounds = [](int n) {
    return errors_of("(roll n in 1 .. 2, choose m in 1 .. 2, say m){" + std::to_string(n) + "}, say \".\"");
  };
  CHECK(rounds(32).empty());
  CHECK(rounds(33).find("above 32") != std::string::npos);
  const auto plies = [](int n) { // two for each
    std::string turn;
    for (int i = 0; i < n; ++i)
      turn += (i == 0 ? "" : ", ") + std::string("roll n") + std::to_string(i) + " in 1 .. 2, choose m" +
              std::to_string(i) + " in 1 .. 2, say m" + std::to_string(i);
    return errors_of(turn);
  };
  CHECK(plies(99).empty());
  CHECK(plies(101).find("more than 200 plies") != std::string::npos);
  const std::string nested = errors_of("((((roll n in 1 .. 2){32}){32}){32}){32}, pass");
  CHECK(nested.find("unfolds into too many steps") != std::string::npos);
  CHECK(nested.find("rolls.yaml:7:") != std::string::npos);
}

TEST_CASE("what can't be kept is told where nothing is rolled later, too") {
  CHECK(errors_of("roll n in 1 .. 2, again, choose m in 1 .. 2, say m").find("`again` before something") !=
        std::string::npos);
  CHECK(errors_of("roll n in 1 .. 2, if can (roll m in 1 .. 2) then pass").find("a roll within") !=
        std::string::npos);
  auto loaded = interpreter::load_text(
      "end.yaml",
      "game: End\nplayers: [A, B]\nboard: { squares: 2 by 1 }\npieces: { man: a b }\nsetup: { a: a1 }\n"
      "turn: roll n in 1 .. 2\nend: [lose when not can (roll n in 1 .. 2)]\n");
  CHECK(loaded.errors().find("a roll in `end`") != std::string::npos);
}

TEST_CASE("a weight may be as large as a number") {
  const std::string turn = "roll n in 1 .. 2 by (if n = 1 then 500000000 else 1500000000), "
                           "if n = 1 then win else lose";
  auto loaded = interpreter::load_text("heavy.yaml", file_with(turn));
  REQUIRE(loaded);
  runtime::PlayoutOptions options;
  options.count = 4'000;
  options.seed = 3;
  for (const bool native : {true, false}) {
    options.native = native;
    const auto played = runtime::playouts(loaded.rules, options);
    REQUIRE(played);
    CHECK(played->moves == 2 * played->plies);
    CHECK(std::abs(static_cast<double>(played->wins[0]) - 1'000) < 110); // four times its deviation
  }
}

TEST_CASE("random games draw distinct outcomes evenly, however many ways lead there") {
  const std::string more = "state: { sum: 0 }\n"
                           "define:\n"
                           "  add: choose a in 1 .. 3, choose b in 1 .. 3, set sum = a + b, say a\n"
                           "  both(m): |\n"
                           "    choose a in 0 .. 3, choose b in 0 .. 3, set sum = a + b,\n"
                           "    (if a > 0 then if b > 0 then set m = 1)\n"
                           "  ends: if sum = 2 then win else if sum = 6 then lose else draw\n";
  const std::vector<std::string> turns = {
      "roll n in 1 .. 2, (distinct (add, to a1)), ends",
      "(distinct (most m of (let m = 0, both(m), to a1))), ends",
  };
  for (const std::string& turn : turns) {
    auto loaded = interpreter::load_text("evenly.yaml", file_with(turn, more));
    INFO(turn << loaded.errors());
    REQUIRE(loaded);
    runtime::PlayoutOptions options;
    options.count = 5'000;
    options.seed = 11;
    for (const bool native : {true, false}) {
      options.native = native;
      const auto played = runtime::playouts(loaded.rules, options);
      REQUIRE(played);
      const bool rolls = turn.starts_with("roll");
      CHECK(played->moves == (rolls ? 7 : 5) * options.count);
      CHECK(std::abs(static_cast<double>(played->wins[0]) - 1'000) < 115); // four times its deviation
      CHECK(std::abs(static_cast<double>(played->wins[1]) - 1'000) < 115);
    }
  }
}
