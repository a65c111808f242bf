// `boardwright play` through a pseudo-terminal, as a person types: completion, taking back, Ctrl-C, another
// size of the window, the end of the input; and games that were broken off.
#include "tests/tools/steps.hpp"
#include "tests/tools/terminal.hpp"

#include <catch2/catch.hpp>

namespace play_terminal_test {

using namespace boardwright::tests;

namespace {

// A folder for the unfinished games of one test.
std::string state(const std::string& name) {
  const std::string path = scratch().path("state_" + name);
  fs::remove_all(path);
  return path;
}

// The same folder, with what is in it.
std::string state_kept(const std::string& name) { return scratch().path("state_" + name); }

std::vector<std::string> kept(const std::string& state) {
  std::vector<std::string> files;
  if (fs::exists(state + "/boardwright/games"))
    for (const auto& entry : fs::directory_iterator(state + "/boardwright/games"))
      files.push_back(entry.path().string());
  return files;
}

constexpr const char* kTab = "\t";
constexpr const char* kControlC = "\x03";
constexpr const char* kControlD = "\x04";

} // namespace

TEST_CASE("Tab completes a move step by step") {
  Terminal person({"play", steps(), "--player", "all=person"}, state("tab"));
  person.shows("Black> ");
  person.type("c");
  person.type(kTab);
  person.shows("1-"); // all that begins so, goes on so
  person.type(kTab);
  person.shows("c1-b2  c1-c2");
  person.answers("C", "c1-C");
  person.type(kTab);
  person.answers("\n", "1. Black: c1-c2\r\n");
  person.shows("White> ");
  person.answers("mov", "mov");
  person.type(kTab);
  person.answers(" a4\n", "a4-a3  a4-b3\r\n");
  person.shows("White> ");
  person.answers("undo\n", "Black> ");
  person.answers("redo\n", "1. Black: c1-c2\r\n");
  person.shows("White> ");
  person.type("quit\n");
  CHECK(person.status() == 0);
}

TEST_CASE("keys that mean nothing here leave nothing in the line") {
  Terminal person({"play", steps(), "--player", "all=person"}, state("keys"));
  person.shows("Black> ");
  for (const char* key : {"\x1b[15~", "\x1b[1;2P", "\x1b[2~", "\x1b[5;5~", "\x1bOP", "\x1b[Z"})
    person.type(key);
  person.answers("1-a2", "1-a2");
  person.type("\x1b[1~"); // Home
  person.type("a\n");
  person.shows("1. Black: a1-a2");
  person.shows("White> ");
  person.answers("a4-a3", "a4-a3");
  person.type("\x1b[1;5D"); // Ctrl-Left
  person.type("\x1b[4~\n");
  person.shows("2. White: a4-a3");
  person.shows("Black> ");
  person.answers("c", "c");
  person.type("\x7f");
  std::this_thread::sleep_for(std::chrono::milliseconds(200)); // nothing is waiting to be read any more
  person.type(std::string(1, '\0'));                           // Ctrl-Space
  person.answers("c1-c2\n", "3. Black: c1-c2");
}

TEST_CASE("another size of the window changes nothing that is typed") {
  Terminal person({"play", steps(), "--player", "all=person"}, state("resize"));
  person.shows("Black> ");
  person.answers("a1-", "a1-");
  person.resize(11);
  person.kill(SIGWINCH);
  person.type("a2\n");
  person.shows("1. Black: a1-a2\r\n");
  person.shows("White> ");
  person.answers("moves\n", "a4-a3\r\n"); // one column
  person.type("quit\n");
  CHECK(person.status() == 0);
}

TEST_CASE("Ctrl-C at the prompt and the end of the input leave the game, and keep it") {
  const std::string folder = state("leave");
  {
    Terminal person({"play", steps(), "--player", "all=person"}, folder);
    person.shows("Black> ");
    person.answers("a1-a2\n", "White> ");
    person.type(kControlC);
    person.shows("this game is kept");
    CHECK(person.status() == 130);
  }
  REQUIRE(kept(folder).size() == 1);
  {
    Terminal person({"play", steps(), "--player", "all=person"}, folder);
    person.shows("was left after 1 move, White to move\r\ngo on with it?");
    person.answers("what\n", "yes, no (it stays");
    person.answers("yes\n", "White> ");
    person.answers("a4-a3\n", "2. White: a4-a3");
    person.shows("Black> ");
    person.type(kControlD);
    person.shows("this game is kept");
    CHECK(person.status() == 0);
  }
  REQUIRE(kept(folder).size() == 1);
  CHECK(has(read(kept(folder)[0]), "\n1. Black: a1-a2\n2. White: a4-a3\n"));
  {
    Terminal person({"play", steps(), "--player", "all=person"}, folder); // not asked again about what stays
    person.shows("was left after 2 moves");
    person.answers("no\n", "Black> ");
    person.type("quit\n");
    CHECK(person.status() == 0);
  }
  CHECK(kept(folder).size() == 1);
  {
    Terminal person({"play", steps(), "--player", "all=person"},
                    folder); // Ctrl-D is no answer, and leaves all as it is
    person.shows("was left after 2 moves");
    person.type(kControlD);
    CHECK(person.status() == 0);
    CHECK_FALSE(has(person.all(), "Black> "));
    CHECK(kept(folder).size() == 1);
  }
  Terminal person({"play", steps(), "--player", "all=person"}, folder);
  person.shows("was left after 2 moves");
  person.answers("drop\n", "Black> ");
  CHECK(kept(folder).empty());
  person.type(kControlD);
  CHECK(person.status() == 0);
  CHECK(kept(folder).empty()); // nothing was played
}

TEST_CASE("whatever signal ends the program, the terminal is as it was") {
  for (const int signal : {SIGTERM, SIGHUP, SIGQUIT}) {
    // With another program beside it, which is ended, too.
    Terminal person({"play", steps(), "--player", "White=ugi:'" + program_path() + "' ugi '" + steps() + "'"},
                    state("ended"));
    person.shows("Black> ");
    for (int i = 0; i < 1000 && person.echoes(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK_FALSE(person.echoes());
    person.kill(signal);
    CHECK(person.status() == 128 + signal);
    CHECK(person.echoes());
  }
}

TEST_CASE("the end of the input that is typed ahead isn't lost") {
  Terminal person({"play", steps(), "--player", "all=person"}, state("ahead"));
  person.type(kControlD); // before there is a prompt
  person.shows("Black> ");
  CHECK(person.status() == 0);
}

TEST_CASE("Ctrl-C while somebody thinks plays his best move so far") {
  const std::string wide =
      scratch().file("terminal_wide.yaml",
                     "game: Wide\nplayers: { Black: north, White: south }\nboard: { squares: 9 by 9 }\n"
                     "pieces: { man: b w }\nsetup: { b: rank(1 .. 3), w: rank(7 .. 9) }\n"
                     "turn: from own, (step(forward, empty) or step(ahead & diagonal, ~own)),\n"
                     "  if here in last_row then win\nend:\n  - lose when no move\n");
  Terminal person({"play", wide, "--player", "White=auto", "--time", "600"}, state("thinking"));
  person.shows("Black> ");
  person.answers("thinking on\n", "is shown");
  person.shows("Black> ");
  person.answers("c3-c4\n", " positions"); // what it thinks so far
  person.type(kControlC);
  person.shows("2. White: ");
  person.shows(" for White"); // what it thought
  person.shows("Black> ");
  person.type("analyse 600\n");
  person.shows(" for Black");
  person.type(kControlC);
  person.shows("Black> ");
  person.answers("moves e\n", "e3-e4");
  person.type("quit\n");
  CHECK(person.status() == 0);
}

TEST_CASE("kill -9 and a closed window lose no move") {
  const std::string folder = state("killed");
  const std::vector<std::string> moves = {"a1-a2", "a4-b3", "c1-c2"};
  for (std::size_t i = 0; i < moves.size(); ++i) {
    Terminal person({"play", steps(), "--player", "all=person"}, folder);
    if (i > 0) {
      person.shows("was left after " + std::to_string(i) + " move");
      person.type("\n");
    }
    person.shows("> ");
    person.answers(moves[i] + "\n", std::to_string(i + 1) + ". ");
    person.shows("> ");
    if (i == 1)
      person.hang_up();
    else
      person.kill(SIGKILL);
    CHECK(person.status() == 128 + (i == 1 ? SIGHUP : SIGKILL));
    REQUIRE(kept(folder).size() == 1);
  }
  // What was taken back is taken back, too.
  Terminal person({"play", steps(), "--player", "all=person", "--resume"}, folder);
  person.shows("White> ");
  person.answers("undo\n", "Black> ");
  person.answers("c1-b2\n", "White> ");
  person.kill(SIGKILL);
  CHECK(person.status() == 137);
  CHECK(has(read(kept(folder)[0]), "\n1. Black: a1-a2\n2. White: a4-b3\n3. Black: c1-b2\n"));
}

TEST_CASE("a line that was cut off isn't there") {
  const std::string folder = state("cut");
  {
    Terminal person({"play", steps(), "--player", "all=person"}, folder);
    person.shows("Black> ");
    person.answers("a1-a2\n", "White> ");
    person.kill(SIGKILL);
    (void)person.status();
  }
  const std::string file = kept(folder).at(0);
  std::ofstream(file, std::ios::app) << "2. White: a4-";
  Terminal person({"play", steps()}, folder);
  person.shows("was left after 1 move,");
  person.answers("y\n", "White> ");
  person.answers("c4-c3\n", "Black> ");
  CHECK(has(read(file), "\n1. Black: a1-a2\n2. White: c4-c3\n"));
}

TEST_CASE("a game that is over can be taken back, and is kept again") {
  const std::string folder = state("over");
  {
    Terminal person({"play", steps(), "--player", "all=person"}, folder);
    person.shows("Black> ");
    person.answers("a1-a2\n", "White> ");
    person.answers("resign\n", "White, give up?");
    person.answers("no\n", "White> ");
    person.answers("resign\n", "White, give up?");
    person.answers("yes\n", "White resigns; Black wins");
    person.shows("over> ");
    REQUIRE(kept(folder).size() == 1);
    CHECK(has(read(kept(folder)[0]), "\nResult: Black wins (White resigns)\n"));
    person.answers("a4-a3\n", "the game is over");
    person.answers("undo\n", "White> ");
    CHECK_FALSE(has(read(kept(folder)[0]), "Result"));
    person.answers("a4-a3\n", "Black> ");
    person.answers("draw\n", "White, a draw?");
    person.answers("yes\n", "a draw: agreed");
    person.shows("over> ");
    person.kill(SIGKILL);
    (void)person.status();
  }
  Terminal person({"play", steps(), "--player", "all=person"}, folder); // it was over: nothing to go on with
  person.shows("Black> ");
  CHECK_FALSE(has(person.all(), "was left"));
  CHECK(kept(folder).empty());
}

TEST_CASE("load and new leave the game on the board for another time") {
  const std::string folder = state("loading");
  const std::string record = scratch().file(
      "loading.txt", "[Rules \"" + steps() + "\"]\n1. a1-a2\n2. c4-c3\nResult: Black wins (White resigns)\n");
  {
    Terminal person({"play", steps(), "--player", "all=person"}, folder);
    person.shows("Black> ");
    person.answers("c1-c2\n", "White> ");
    person.answers("load " + record + "\n", "the record ends here: Black wins (White resigns)");
    person.shows("the game on the board is kept");
    person.shows("Black> ");
    REQUIRE(kept(folder).size() == 2);
    person.answers("new\n", "the game on the board is kept");
    person.shows("Black> ");
    person.answers("a1-b2\n", "White> ");
    person.kill(SIGKILL);
    (void)person.status();
  }
  Terminal person({"play", steps(), "--player", "all=person"}, folder);
  person.shows("was left after 1 move");
  person.answers("other\n", "was left after 2 moves");
  person.answers("other\n", "was left after 1 move");
  person.answers("other\n", "yes, no (it stays"); // there is no other
  person.answers("yes\n", "White> ");
  person.answers("moves a\n", "a4-a3  a4-b3");
  person.type("quit\n");
  CHECK(person.status() == 0);
  CHECK(kept(folder).size() == 3);
}

TEST_CASE("a kept game goes on with those who played it, and on their clocks") {
  const std::string folder = state("seats");
  {
    Terminal person({"play", steps(), "--player", "White=Random", "--clock", "300+2", "--seed", "3"}, folder);
    person.shows("Black ");
    person.answers("a1-a2\n", "2. White: ");
    person.shows("> ");
    person.kill(SIGKILL);
    (void)person.status();
  }
  REQUIRE(kept(folder).size() == 1);
  CHECK(has(read(kept(folder)[0]), "[Player \"White: random\"]\n[Clock \"300+2\"]\n"));
  std::string file = read(kept(folder)[0]);
  const std::size_t left = file.rfind("; left: ");
  REQUIRE(left != std::string::npos);
  std::ofstream(kept(folder)[0]) << file.substr(0, left) << "; left: 100.5 200\n";
  {
    Terminal person({"play", steps()}, folder);
    person.shows("was left after 2 moves, Black to move");
    person.answers("yes\n", "it goes on with White: random; clocks 100.5 200.0");
    person.shows("Black 1:");
    person.answers("c1-c2\n", "4. White: ");
    person.shows("> ");
    person.type("quit\n");
    CHECK(person.status() == 0);
  }
  {
    Terminal person({"play", steps(), "--random", "Black"}, folder); // others are wanted
    person.shows("was left after 4 moves");
    person.answers("yes\n", "5. Black: ");
    person.shows("White> ");
    person.type("quit\n");
    CHECK(person.status() == 0);
  }
  REQUIRE(kept(folder).size() == 1);
  CHECK(has(read(kept(folder)[0]), "[Player \"Black: random\"]\n[Player \"White: person\"]\n\n1. "));
  std::string broken = read(kept(folder)[0]);
  broken.replace(broken.find("Black: random"), 13, "Black: nobody");
  std::ofstream(kept(folder)[0]) << broken;
  Terminal person({"play", steps()}, folder);
  person.shows("was left after 5 moves");
  person.answers("yes\n", "the moves of Black are yours");
  person.shows("White> ");
}

TEST_CASE("two games at once don't touch each other's files") {
  const std::string folder = state("two");
  Terminal first({"play", steps(), "--player", "all=person"}, folder);
  first.shows("Black> ");
  first.answers("a1-a2\n", "White> ");
  Terminal second({"play", steps(), "--player", "all=person"},
                  folder); // the first one is being played: it isn't offered
  second.shows("Black> ");
  second.answers("c1-c2\n", "White> ");
  CHECK_FALSE(has(second.all(), "was left"));
  REQUIRE(kept(folder).size() == 2);
  const std::string record = scratch().path("shared_record.txt");
  fs::remove(record);
  Terminal third({"play", steps(), "--player", "all=person", "--new", "--record", record}, folder);
  third.shows("Black> ");
  Terminal fourth({"play", steps(), "--player", "all=person", "--new", "--record", record}, folder);
  fourth.shows("another game is being written to it");
  CHECK(fourth.status() == 3);
  first.answers("resign\n", "White, give up?");
  first.answers("yes\n", "White resigns; Black wins");
  first.answers("quit\n", "quit");
  CHECK(first.status() == 0);
  REQUIRE(kept(folder).size() == 1); // a finished game isn't offered any more
  CHECK(has(read(kept(folder)[0]), "1. Black: c1-c2\n"));
}

TEST_CASE("a game whose rules have changed goes on, or is set aside with a word") {
  const std::string folder = state("changed"), file = scratch().file("changing.yaml", kStepsRules);
  {
    Terminal person({"play", file, "--player", "all=person"}, folder);
    person.shows("Black> ");
    person.answers("a1-b2\n", "White> ");
    person.type("quit\n");
    CHECK(person.status() == 0);
  }
  std::string wider = kStepsRules, straight = kStepsRules;
  wider.replace(wider.find("lose when"), 4, "win ");
  straight.replace(straight.find("ahead"), 5, "forward");
  (void)scratch().file("changing.yaml", wider);
  {
    Terminal person({"play", file, "--player", "all=person"}, folder);
    person.shows("was left after 1 move");
    person.answers("yes\n", "the rules have changed since");
    person.shows("White> ");
    person.type("quit\n");
    CHECK(person.status() == 0);
  }
  (void)scratch().file("changing.yaml", straight);
  Terminal person({"play", file, "--player", "all=person"}, folder);
  person.shows("can't go on: move 1 `a1-b2` is not legal");
  person.shows("Black> ");
  REQUIRE(kept(folder).size() == 1);
  CHECK(kept(folder)[0].ends_with(".old"));
}

TEST_CASE("where games can't be kept, a word, and the game goes on") {
  const std::string state = scratch().file("state_is_a_file", "x");
  Terminal person({"play", steps(), "--player", "all=person"}, state);
  person.shows("Black> ");
  person.answers("a1-a2\n", "note: this game isn't kept for later: can't make the folder");
  person.shows("White> ");
  person.answers("a4-a3\n", "2. White: a4-a3");
  person.type("quit\n");
  CHECK(person.status() == 0);
}

TEST_CASE("a record is replayed forwards and backwards") {
  const std::string file =
      scratch().file("walked.txt", "[Rules \"" + steps() + "\"]\n1. a1-a2\n; fine\n2. a4-a3\n");
  Terminal person({"replay", file}, state("replay"));
  person.shows("0/2> ");
  person.answers("\n", "1. Black: a1-a2\r\n; fine\r\n");
  person.shows("1/2> ");
  person.answers("2\n", "2. White: a4-a3\r\n");
  person.shows("unfinished\r\n2/2> ");
  person.answers("\n", "this is the last move");
  person.answers("b\n", "1. Black: a1-a2");
  person.answers("b\n", "Steps, 2 moves");
  for (const char* nowhere : {"b\n", "7\n", "99999999999999999999999\n"}) {
    person.type(nowhere); // it stays where it is
    person.shows(*nowhere == 'b' ? "this is the beginning" : "there is no such move; the last one is 2");
    person.shows("0/2> ");
  }
  person.answers("end\n", "2. White: a4-a3");
  person.answers("start\n", "0/2> ");
  person.answers("hm\n", "Enter goes on");
  person.type("quit\n");
  CHECK(person.status() == 0);
}

TEST_CASE("a game begins with what it is, who plays, and what can be typed") {
  Terminal person({"play", steps(), "--player", "White=level:2"}, state("begins"));
  person.shows("Steps\r\n");
  person.shows("Black: you; White: the computer at level 2\r\n");
  person.shows("`help` tells the commands, `rules` the rules; a move is written like a1-a2\r\n");
  person.shows("Black> ");
  person.answers("c1-b\n", "c1-b must go on, as c1-b2 alone; Enter plays it\r\n");
  person.shows("Black> ");
  person.answers("\n", "1. Black: c1-b2\r\n");
  person.shows("2. White: ");
  person.shows("Black> ");
  person.type(kControlD);
  CHECK(person.status() == 0);
}

TEST_CASE("the cells of a move in another order are offered as the move that has them") {
  Terminal person({"play", "scalus", "--player", "all=person"}, state("order"));
  person.shows("Black> ");
  person.answers("d4-g4-d7-g7(e6)\n", "did you mean d4-g4-g7-d7(e6)? Enter plays it");
  person.shows("Black> ");
  person.answers("\n", "1. Black: d4-g4-g7-d7(e6)");
  person.type(kControlD);
  CHECK(person.status() == 0);
}

TEST_CASE("who has won is told why, and nobody is to move then") {
  Terminal person({"play", "tictactoe", "--player", "all=person"}, state("won"));
  person.shows("Cross> ");
  for (const char* move : {"a1\n", "b1\n", "a2\n", "b2\n"}) {
    person.type(move);
    person.shows("> ");
  }
  const std::size_t before = person.all().size();
  person.answers("a3\n", "Cross wins: Cross has a row of 3");
  CHECK(person.all().find("to move", before) == std::string::npos);
  person.shows("over> ");
  person.answers("undo\n", "Cross> ");
  person.answers("why\n", "Nought played b2: ");
  person.type("quit\n");
  CHECK(person.status() == 0);
}

TEST_CASE("of a board that is larger than the terminal a part is seen, where somebody wants it") {
  Terminal person({"play", "go", "--player", "all=person"}, state("view"));
  person.shows("Black> ");
  person.answers("view up\n", "this is all of the board\r\n");
  person.shows("Black> ");
  person.resize(40, 16);
  person.answers("board\n", " more ranks\r\n");
  person.shows("a part of the board: `view` shows others\r\n");
  person.shows("Black> ");
  person.answers("view a1\n", "\r\n1  . ");
  person.shows("\r\n   a b c ");
  person.shows("Black> ");
  person.answers("view right\n", "\r\n< 1  . ");
  person.shows("Black> ");
  person.answers("board\n", "\r\n< 1  . "); // it stays
  person.shows("Black> ");
  person.answers("s19\n", "1. Black: s19\r\n");
  person.shows("\r\n< 19  . "); // where the move was
  person.shows("White> ");
  person.answers("view all\n", "\r\n 1  . ");
  person.shows("White> ");
  person.answers("view\n", "\r\n< 19  . ");
  person.shows("White> ");
  person.answers("view sideways\n", "`view` takes left, right, up, down, a cell or `all`: view up\r\n");
  person.type("quit\n");
  CHECK(person.status() == 0);
}

TEST_CASE("without a game, one is chosen") {
  Terminal person({"play"}, state("chooser"));
  person.shows("which game? ");
  person.answers("Hex-Dame\n", "the computer at level 3"); // one that is called so
  person.shows("> ");
  person.type(kControlC);
  CHECK(person.status() == 130);
  Terminal another({"play"}, state("chooser"));
  another.shows("which game? ");
  another.answers("quarkels\n", "no game is called quarkels");
  another.shows("which game? ");
  another.answers("7\n", "there is no list of games yet");
  another.shows("which game? ");
  another.answers("help\n", "type a family");
  another.shows("which game? ");
  another.answers("tac toe\n", "  1  Tic-tac-toe");
  another.shows("which game? ");
  another.answers("99\n", "the games above have the numbers 1 to ");
  another.shows("which game? ");
  another.answers("1\n", "the computer at level 3; `level 1` to `level 10` or `level people` changes that");
  another.shows("> ");
  another.answers("a1\n", "1. Cross: a1");
  another.type(kControlD);
  CHECK(another.status() == 0);
}

TEST_CASE("where a game is chosen, all are listed, simple ones proposed, and one can be read of first") {
  Terminal person({"play"}, state("proposed"));
  person.shows("which game? ");
  person.resize(80, 24);
  person.answers("list\n", "-- more: Enter; back: q -- ");
  CHECK(has(person.all(), "blocking\r\n  1  "));
  person.answers("q\n", "which game? ");
  person.answers("something easy\n", "quickly learnt:\r\n  1  ");
  person.shows("which game? ");
  person.answers("about 1\n", "White, Black; ");
  person.shows("which game? ");
  person.answers("like hex\n", "Hex");
  person.shows("which game? ");
  person.answers("my games\n", "no game has been left unfinished");
  person.shows("which game? ");
  person.answers("golden\n", "which game? "); // no name of a game: Enter plays nothing
  person.answers("\n", "games: blocking");
  person.shows("which game? ");
  person.answers("about tic tac toe\n", "Enter plays it");
  person.shows("which game? ");
  person.answers("\n", "Cross: you");
  person.shows("Cross> ");
  person.answers("a1\n", "2. Nought: ");
  person.shows("Cross> ");
  person.type("quit\n");
  CHECK(person.status() == 0);
  Terminal again({"play"}, state_kept("proposed"));
  again.shows("which game? ");
  again.answers("my games\n", "  1  Tic-tac-toe, left on ");
  again.shows("which game? ");
  again.answers("resume\n", "it goes on with Nought: level:3");
  again.shows("Cross> ");
  again.type(kControlD);
  CHECK(again.status() == 0);
}

TEST_CASE("after the end of a game another one begins by any word for it") {
  Terminal person({"play", "tictactoe", "--player", "all=person"}, state("rematch"));
  person.shows("Cross> ");
  for (const char* move : {"a1\n", "b1\n", "a2\n", "b2\n"}) {
    person.type(move);
    person.shows("> ");
  }
  person.answers("a3\n", "over> ");
  person.answers("nonsense\n", "the game is over: `undo`, `why`, ");
  person.shows("over> ");
  person.answers("rematch\n", "Cross> ");
  person.type(kControlD);
  CHECK(person.status() == 0);
}

TEST_CASE("a kept game is offered before anything else is asked, also where it is chosen") {
  const std::string folder = state("first");
  {
    Terminal person({"play", "tictactoe"}, folder);
    person.shows("Cross: you; Nought: the computer at level 3");
    person.shows("Cross> ");
    person.answers("a1\n", "2. Nought: ");
    person.shows("Cross> ");
    person.type("quit\n");
    CHECK(person.status() == 0);
  }
  Terminal again({"play"}, folder);
  again.shows("which game? ");
  again.answers("tic tac toe\n", "a game of ");
  again.shows("go on with it? [yes/no/drop] ");
  again.answers("y\n", "it goes on with Nought: level:3");
  again.shows("Cross> ");
  again.type("quit\n");
  CHECK(again.status() == 0);
  CHECK_FALSE(has(again.all(), "against whom"));
  Terminal fresh({"play", "tictactoe"}, folder);
  fresh.shows("go on with it? ");
  fresh.answers("n\n", "the computer at level 3");
  fresh.shows("Cross> ");
  fresh.type(kControlD);
  CHECK(fresh.status() == 0);
}

TEST_CASE("`level` changes against whom the game is, from 1 to 10, or lets people play") {
  Terminal person({"play", steps()}, state("level"));
  person.shows("Black: you; White: the computer at level 3");
  person.shows("Black> ");
  for (const char* wrong : {"level 0\n", "level 11\n", "level high\n"}) {
    person.answers(wrong, "`level` takes a number from 1 (a beginner) to 10");
    person.shows("Black> ");
  }
  person.answers("level 10\n", "Black: you; White: the computer at level 10\r\n");
  person.shows("Black> ");
  person.answers("level 1\n", "Black: you; White: the computer at level 1\r\n");
  person.shows("Black> ");
  person.answers("level people\n", "Black: somebody here; White: somebody here\r\n");
  person.shows("Black> ");
  person.answers("a1-a2\n", "White> ");
  person.answers("level 2\n", "Black: the computer at level 2; White: you\r\n"); // who is to move stays
  person.shows("White> ");
  person.answers("level\n", "Black: the computer at level 2; White: you\r\n");
  person.type(kControlD);
  CHECK(person.status() == 0);
}

TEST_CASE("where the command line says who plays, or a game is for one, nobody else sits down") {
  Terminal people({"play", steps(), "--random", "White", "--new"}, state("told"));
  people.shows("Black: you; White: random moves\r\n");
  people.type(kControlD);
  CHECK(people.status() == 0);
  Terminal alone({"play", "klotski"}, state("alone"));
  alone.shows("you play alone\r\n");
  alone.type(kControlD);
  CHECK(alone.status() == 0);
}

TEST_CASE("rules that are longer than the terminal are shown screen by screen") {
  Terminal person({"play", "eximo", "--player", "all=person"}, state("pages"));
  person.shows("Black> ");
  person.resize(80, 24);
  person.answers("rules\n", "-- more: Enter; back: q -- ");
  CHECK_FALSE(has(person.all(), "Options, for --set"));
  person.answers("\n", "Options, for --set");
  person.answers("q\n", "Black> ");
  person.answers("rules\n", "-- more: Enter; back: q -- ");
  person.answers("q\n", "Black> ");
  person.answers("rules\n", "-- more: Enter; back: q -- ");
  person.answers("d2-d3\n", "1. Black: d2-d3\r\n"); // anything else is obeyed
  person.shows("White> ");
  person.answers("rules\n", "-- more: Enter; back: q -- ");
  person.answers(kControlD, "White> "); // back, too
  person.type(kControlD);
  CHECK(person.status() == 0);
}

} // namespace play_terminal_test
