// What commands tell where players don't see everything: to each what is his to know.
#include "tests/tools/running.hpp"
#include "tests/tools/terminal.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace hidden_test {

using namespace boardwright;
using tests::has, tests::run, tests::scratch, tests::shell, tests::program_path, tests::Run;

namespace {

Run play(const std::string& typed, const std::string& game, const std::string& options = "") {
  return shell("printf '" + typed + "' | '" + program_path() + "' play " + game + " --new " + options);
}

} // namespace

TEST_CASE("two games that differ in what is hidden are told alike") {
  const std::string hidden = "darkhex --position 'play: ";
  for (const std::string& command : {std::string("moves "), std::string("show ")}) {
    const Run one = run(command + hidden + "<b2> <c3>' --as Red");
    const Run other = run(command + hidden + "<b2> <d4>' --as Red");
    CHECK(one.status == 0);
    CHECK(one.out == other.out);
    CHECK(run(command + hidden + "<b2> <c3>' --as Blue").out !=
          run(command + hidden + "<b2> <d4>' --as Blue").out);
  }
  CHECK(run("moves " + hidden + "<b2> <c3>' --as Red --json").out ==
        run("moves " + hidden + "<b2> <d4>' --as Red --json").out);
  for (const std::string& form : {std::string(" --json"), std::string(" --svg -")}) {
    const Run one = run("show " + hidden + "<b2> <c3>' --as Red" + form);
    CHECK(one.status == 0);
    CHECK(one.out == run("show " + hidden + "<b2> <d4>' --as Red" + form).out);
    CHECK(one.out != run("show " + hidden + "<b2> <c3>' --as Blue" + form).out);
  }
  CHECK(run("show darkhex --as Red --fen").status == 2);
  const Run nobody = run("moves darkhex --as Green");
  CHECK(nobody.status == 2);
  CHECK(has(nobody.err, "there are Red, Blue"));
}

TEST_CASE("who isn't to move is told what he knows, and no moves") {
  const Run waiting = run("moves kuhn --position 'play: <(2)> <(3)>' --as Second");
  CHECK(has(waiting.out, "card(Second) = 3"));
  CHECK(has(waiting.out, "First: ?"));
  CHECK_FALSE(has(waiting.out, "bet   pass"));
  CHECK(has(run("moves kuhn --position 'play: <(2)> <(3)>' --as First").out, "bet   pass"));
}

TEST_CASE("play shows people what is theirs to see, and hands the screen over") {
  const Run hot_seat =
      play("b2\\nb2\\na1\\nhistory\\nwhy b2\\nposition\\nfen\\nz9\\nquit\\n", "phantom_tictactoe");
  const std::string& out = hot_seat.out;
  CHECK(has(out, "--- the screen is O"));
  CHECK(has(out, "1. X: b2"));
  const std::string of_second = out.substr(out.find("--- the screen is O"));
  CHECK(has(of_second, "1. X: ?"));
  CHECK(has(of_second, "2. O: b2")); // which he only tried: it is his turn still
  const std::string of_first = of_second.substr(of_second.find("--- the screen is X"));
  CHECK(has(of_first, "3. O: ?"));
  CHECK_FALSE(has(of_first, "a1 "));
  for (const char* const command : {"`why` would", "`position` would", "`fen` would"})
    CHECK(has(out, command));
  CHECK(has(out, "z9 is none of your moves"));
}

TEST_CASE("against the computer nothing of its moves is told; in the end all is open") {
  const Run game = play("a1\\na2\\na3\\nb1\\nb2\\nb3\\nc1\\nc2\\nc3\\n", "phantom_tictactoe",
                        "--player O=random --seed 2");
  CHECK(has(game.out, ". O: ?"));
  CHECK(has(game.out, "~ ~ ~"));
  const std::size_t last = game.out.rfind("a b c");
  CHECK_FALSE(has(game.out.substr(last > 60 ? last - 60 : 0, 60), "~"));
}

TEST_CASE("at a terminal the screen is cleared between people") {
  tests::Terminal terminal({"play", "kuhn", "--player", "all=person", "--seed", "1"},
                           scratch().path("state"));
  REQUIRE(terminal.shows("1. First rolls ?"));
  REQUIRE(terminal.shows("press Enter"));
  CHECK(terminal.answers("\n", "First.card = "));
  CHECK(terminal.shows("First> "));
  CHECK(terminal.answers("bet\n", "\033[3J"));
  CHECK(terminal.shows("press Enter"));
  CHECK(terminal.answers("\n", ": bet"));
  CHECK(terminal.shows("Second> "));
  terminal.type("quit\n");
  CHECK(terminal.status() == 0);
}

TEST_CASE("solve tells strategies, and what a game of dice is worth") {
  const Run kuhn = run("solve kuhn --time 20");
  CHECK(kuhn.status == 0);
  CHECK(has(kuhn.out, "First 48.61"));
  CHECK(has(kuhn.out, "12 situations"));
  CHECK(has(run("solve kuhn --time 20 --json").out, "\"exploitability\""));
  const Run pig = run("solve pig --set goal=10 --time 20");
  CHECK(has(pig.out, "First 70.94"));
  const Run large = run("solve darkchess --time 1");
  CHECK(large.status == 1);
  CHECK(has(large.err, "more lines than were looked at"));
}

TEST_CASE("what would look at what is hidden is refused") {
  const Run player = run("match kuhn alphabeta random --games 2 --nodes 10");
  CHECK(player.status == 2);
  CHECK(has(player.err, "would look at what players can't see"));
  const Run learnt = run("train kuhn");
  CHECK(learnt.status == 1);
  CHECK(has(learnt.err, "hides something"));
}

} // namespace hidden_test
