// What commands do where nature moves: rolls that are made for people, or by them, and what isn't done of
// chance.
#include "tests/tools/running.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace dice_test {

using namespace boardwright;
using tests::has, tests::run, tests::scratch, tests::shell, tests::program_path, tests::Run;

namespace {

const char* const kRules = "game: Dice\n"
                           "players: [Ann, Bob]\n"
                           "board: { squares: 2 by 1 }\n"
                           "pieces: { man: a b }\n"
                           "setup: { a: a1 }\n"
                           "state: { sum: { each: 0 } }\n"
                           "turn: roll a, b in 1 .. 2, choose m in b .. a, set sum = sum + m, say m\n"
                           "end: [score sum when ply >= 8]\n";

std::string file() { return scratch().file("dice.yaml", kRules); }

Run play(const std::string& typed, const std::string& options) {
  return shell("printf '" + typed + "' | '" + program_path() + "' play " + file() + " --new " + options);
}

} // namespace

TEST_CASE("play rolls for everybody, the same by the same seed") {
  const Run one = play("random\\nquit\\n", "--seed 4");
  CHECK(one.status == 0);
  CHECK(has(one.out, "Ann rolls ("));
  CHECK(play("random\\nquit\\n", "--seed 4").out == one.out);
}

TEST_CASE("people roll dice of their own, and take back what they chose") {
  const Run by_hand = play("(2-1)\\n2\\n(1-1)\\nundo\\nundo\\nmoves\\nquit\\n", "--dice-by-hand");
  CHECK(by_hand.status == 0);
  CHECK(has(by_hand.out, "1. Ann rolls (2-1)"));
  CHECK(has(by_hand.out, "2. Ann: 2"));
  CHECK(has(by_hand.out, "3. Bob rolls (1-1)"));
  CHECK(has(by_hand.out.substr(by_hand.out.find("3. Bob")), "Ann.sum = 0"));
  CHECK_FALSE(has(by_hand.out, "stage"));
  CHECK_FALSE(has(by_hand.out, "odds"));
  const Run by_program = play("random\\nundo\\nquit\\n", "--seed 4"); // the roll stays
  CHECK(by_program.status == 0);
}

TEST_CASE("analyse tells how likely outcomes are where nature moves") {
  const Run odds = run("analyse " + file());
  CHECK(odds.status == 0);
  CHECK(has(odds.out, "(2-1)  50.0 %"));
  CHECK(has(odds.out, "(1-1)  25.0 %"));
  CHECK(has(run("analyse " + file() + " --json").out, "\"chance\": 0.5"));
  const std::string many = scratch().file(
      "many.yaml", "game: Many\nplayers: [Ann, Bob]\nboard: { squares: 2 by 1 }\npieces: { man: a b }\n"
                   "setup: { a: a1 }\nturn: roll n in 1 .. 1000, pass\nend: [draw when ply >= 4]\n");
  CHECK(has(run("analyse " + many).out, "and 900 more"));
}

TEST_CASE("rules take no roll for an example of a move") {
  const Run rules = run("rules backgammon");
  CHECK(rules.status == 0);
  CHECK(has(rules.out, "A move is written like"));
  CHECK_FALSE(has(rules.out, "written like ("));
}

TEST_CASE("what learns rolls by weight, and alpha-beta plays where nature moves") {
  const Run learns =
      run("train " + file() + " --games 4 --rounds 1 --output " + scratch().file("learnt.yaml", ""));
  CHECK(learns.status == 0);
  CHECK(has(learns.out, "features"));
  const Run player = run("match " + file() + " alphabeta random --games 2 --nodes 10");
  CHECK(player.status == 0);
  CHECK(has(player.out, "2 games"));
}

TEST_CASE("what is rolled or hidden elsewhere is answered with what there is") {
  const auto told = [](const std::string& from, const std::string& to) {
    std::string text = kRules;
    text.replace(text.find(from), from.size(), to);
    return run("check " + scratch().file("elsewhere.yaml", text)).err;
  };
  CHECK(has(told("roll a, b in 1 .. 2", "let a = random(6), let b = 1"), "`roll n in 1 .. 6`"));
  CHECK(has(told("state:", "dice: 2\nstate:"), "nature moves by a step of the turn"));
  CHECK(has(told("state:", "hidden: [man]\nstate:"), "a section `sees: { cells: own }`"));
  CHECK(has(told("state:", "simultaneous: true\nstate:"), "one chooses after the other"));
  CHECK(has(told("roll a, b in 1 .. 2", "chance a in 1 .. 2, let b = 1"),
            "nature moves by `roll n in 1 .. 6`"));
}

} // namespace dice_test
