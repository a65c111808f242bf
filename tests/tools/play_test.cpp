// `boardwright play` as a filter: what scripts write to it and read from it.
#include "tests/rule_files.hpp"
#include "tests/tools/steps.hpp"

#include <catch2/catch.hpp>

namespace play_test {

using namespace boardwright::tests;

namespace {

// Plays what is typed, a line each.
Run play(const std::string& typed, const std::string& arguments = "", const std::string& game = steps()) {
  const std::string lines = scratch().file("typed.txt", typed);
  return run("play '" + game + "' " + arguments + " < " + lines);
}

} // namespace

TEST_CASE("a part of a move is never played: it is said how it goes on") {
  const Run result = play("A1\nc1 - C\nc1c2\n");
  CHECK(result.status == 1); // what was asked back was no move
  CHECK(has(result.out, "A1 can go on: a1-a2, a1-b2\n"));
  CHECK(has(result.out, "c1 - C can go on: c1-c2\n"));
  CHECK(has(result.out, "1. Black: c1-c2\n"));
  CHECK(has(play("C1C2\na4a3\n").out, "2. White: a4-a3\n"));
  CHECK(has(play("c9\nfoo\n").out, "foo is not a legal move"));
}

TEST_CASE("signs may be left out of a part of a move, too, but wrong ones are refused") {
  CHECK(has(play("a1b\n").out, "a1b can go on: a1-b2\n"));
  CHECK(has(play("c1 B 2\n").out, "1. Black: c1-b2\n"));
  CHECK(has(play("a1xa2\n").out, "a1xa2 is not a legal move; from a1: a1-a2, a1-b2\n"));
  const std::string tall =
      scratch().file("tall.yaml", "game: Tall\nplayers: { Black: north, White: south }\n"
                                  "board: { squares: 2 by 12 }\npieces: { man: b w }\n"
                                  "setup: { b: a9, w: b1 | b10 }\nturn: from own, step(forward, empty)\n"
                                  "end:\n  - lose when no move\n");
  const Run far = play("a9a1\na9a10\n", "", tall);
  CHECK(has(far.out, "a9a1 can go on: a9-a10\n"));
  CHECK(has(far.out, "1. Black: a9-a10\n"));
}

TEST_CASE("moves are listed, all or from a cell") {
  CHECK(has(play("moves\n").out, "a1-a2  a1-b2  c1-b2  c1-c2\n"));
  CHECK(has(play("moves C1\n").out, "\nc1-b2  c1-c2\n"));
  CHECK(has(play("moves b\n").out, "\na1-a2  a1-b2  c1-b2  c1-c2\n")); // of the pieces with this letter
  CHECK(has(play("moves w\n").out, "w is not a legal move"));
  CHECK(has(play("moves b1\n").out, "b1 is not a legal move; b1 is empty\n"));
}

TEST_CASE("moves are taken back and played again") {
  const Run result = play("a1-a2\na4-a3\nundo 2\nredo\nredo\nredo\nundo x\nundo 9\nundo\nc1-c2\nredo\n");
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  std::string moves;
  for (std::size_t at = 0; (at = result.out.find(". ", at)) != std::string::npos; ++at)
    if (at > 0 && std::isdigit(static_cast<unsigned char>(result.out[at - 1])) != 0 &&
        result.out[at + 2] != '.')
      moves += result.out.substr(at - 1, result.out.find('\n', at) - at + 1) + "|";
  CHECK(has(result.out, "there is no move to play again\n"));
  CHECK(has(result.out, "`undo` takes a number of turns"));
  CHECK(has(result.out, "there is no move to take back\n"));
  CHECK(has(result.out, "1. Black: a1-a2\n"));
  CHECK(has(result.out, "1. Black: c1-c2\n"));
  const std::size_t first = result.out.find("2. White: a4-a3\n");
  CHECK(result.out.find("2. White: a4-a3\n", first + 1) != std::string::npos);
}

TEST_CASE("against random moves undo goes back to the person's own turn") {
  const Run result = play("a1-a2\nundo\nposition\nredo\nposition\n", "--random White --seed 3");
  CHECK(has(result.out, R"("ply":0)"));
  CHECK(has(result.out, R"("ply":2)"));
}

TEST_CASE("a game of pieces is played in algebraic notation, too") {
  const Run result = play("e4\ne5\nNf3\nnc6\nBb5\na6\nO-O\nNd4\nmoves Nd\n", "", "chess");
  CHECK(has(result.out, "1. White: e2-e4\n"));
  CHECK(has(result.out, "4. Black: b8-c6\n"));
  CHECK(has(result.out, "7. White: e1-g1\n"));
  CHECK(has(play("d4\nd5\nNf3\nNf6\ng3\ng6\nNd2\n", "", "chess").out, "Nd2 may be Nbd2, Nfd2\n"));
}

TEST_CASE("a game is saved, and loaded again") {
  const std::string file = scratch().path("saved.txt");
  fs::remove(file);
  CHECK(has(play("a1-a2\na4-a3\nsave " + file + "\n").out, "2 moves in `" + file + "`\n"));
  const std::string text = read(file);
  for (const char* part : {"[Game \"Steps\"]\n", "[RulesHash \"", "[Player \"Black: person\"]\n",
                           "\n1. Black: a1-a2\n2. White: a4-a3\n"})
    CHECK(has(text, part));
  CHECK(has(play("save " + file + "\n").out, "File exists"));
  CHECK(read(file) == text);
  CHECK(run("replay --moves " + file).status == 0);
  const Run loaded = play("c1-c2\nload " + file + "\nc1-c2\nundo 3\n");
  CHECK(has(loaded.out, "3. Black: c1-c2\n"));
  CHECK(has(play("load " + scratch().path("none.txt") + "\n").out, "No such file"));
  const std::string bad = scratch().file("bad_record.txt", "1. a1-a3\n");
  CHECK(has(play("load " + bad + "\n").out, bad + ":1:4: move 1 `a1-a3` is not legal"));
  CHECK(has(play("load\nsave\n").out, "takes the name of a file"));
}

TEST_CASE("a game is saved for other programs by the ending of its file") {
  const auto saved = [](const std::string& name, const std::string& game, const std::string& moves) {
    const std::string file = scratch().path(name);
    fs::remove(file);
    const Run done = play(moves + "save " + file + "\n", "", game);
    INFO(done.out);
    CHECK(done.status == 0);
    CHECK(has(done.out, "in `" + file + "`\n"));
    CHECK(run("replay --moves " + file).status == 0);
    return read(file);
  };
  CHECK(has(saved("saved.pgn", "chess", "e2-e4\ne7-e5\nresign\n"), "\n1. e4 e5 0-1\n"));
  CHECK(has(saved("saved.uci", "chess", "e2-e4\n"), "position startpos moves e2e4\n"));
  CHECK(has(saved("saved.usi", "shogi", "c3-c4\n"), "position startpos moves 7g7f\n"));
  CHECK(has(saved("saved.pdn", "internationaldraughts", "d4-e5\n"), "\n1. 32-28 *\n"));
  CHECK(has(saved("saved.SGF", "hex", "a1\nb2\n"), "\n;B[a1]\n;W[b2]\n)\n"));
  const std::string none = scratch().path("none.sgf");
  const Run refused = play("save " + none + "\n", "", "chess");
  CHECK(refused.status == 1);
  CHECK(has(refused.out, "SGF has no number for this game; `record` and `pgn` have its name\n"));
  CHECK_FALSE(fs::exists(none));
}

TEST_CASE("draws are offered, games resigned, sides changed") {
  CHECK(has(play("draw\nyes\n").out, "a draw: agreed\n"));
  CHECK(has(play("draw\nno\na1-a2\n").out, "White declines\n"));
  CHECK(has(play("draw\n", "--random White").out, "White declines\n"));
  CHECK(has(play("resign\n").out, "Black resigns; White wins\n"));
  CHECK(has(play("swap\n").out, "change your chairs\n"));
  const std::string three = scratch().file(
      "three.yaml",
      "game: Three\nplayers: { A: north, B: south, C: south }\nboard: { squares: 3 by 3 }\n"
      "pieces: { man: a b c }\nsetup: { a: a1, b: b3, c: c3 }\nturn: from own, step(all, empty)\n");
  CHECK(has(play("resign\n", "", three).out, "with 3 players nobody can resign"));
  CHECK(play("resign\n", "", three).status == 1);
  const Run swapped = play("swap\na4-a3\n", "--random White --seed 1");
  CHECK(has(swapped.out, "Black: random\nWhite: person\n"));
  CHECK(has(swapped.out, "1. Black: "));
  CHECK(has(swapped.out, "2. White: a4-a3\n"));
}

TEST_CASE("what begins a move and a command is neither: it is asked back") {
  const std::string names =
      scratch().file("names.yaml", "game: Names\nplayers: { Black: north, White: south }\n"
                                   "board: { squares: 8 by 4 }\n"
                                   "pieces: { man: b w }\nsetup: { b: h1, w: a4 }\n"
                                   "turn: from own, step(forward, empty)\n"
                                   "end:\n  - lose when no move\n");
  const Run result = play("h\nh1\nposition\n", "", names);
  CHECK(has(result.out, "h can go on: h1-h2\ncommands that begin so: `hint`, `history`, `help`\n"));
  CHECK(has(result.out, R"("ply":0)"));
}

TEST_CASE("a turn that may go on is asked about, unless it is written out") {
  const std::string longer =
      scratch().file("longer.yaml", "game: Longer\nplayers: { Black: north, White: south }\n"
                                    "board: { squares: 2 by 6 }\n"
                                    "pieces: { man: b w }\nsetup: { b: a1, w: b6 }\n"
                                    "turn: from own, step(forward, empty)+\n"
                                    "end:\n  - lose when no move\n");
  CHECK(has(play("a1a2\n", "", longer).out, "a1a2 can go on: "));
  CHECK(has(play("a1-a2\n", "", longer).out, "1. Black: a1-a2\n"));
}

TEST_CASE("where something must be taken, a player is told what") {
  const std::string must = scratch().file("must.yaml", "game: Must\nplayers: { Black: north, White: south }\n"
                                                       "board: { squares: 3 by 3 }\n"
                                                       "pieces: { man: b w }\nsetup: { b: a1 | c1, w: a2 }\n"
                                                       "turn: (from own, step(forward, enemy)) otherwise "
                                                       "(from own, step(forward, empty))\n"
                                                       "end:\n  - lose when no own\n  - lose when no move\n");
  CHECK(has(play("c1-c2\n", "", must).out, "; you must capture: a1xa2\n"));
  const Run over = play("a1xa2\nwhy\n", "", must);
  CHECK(has(over.out, "Black wins: White has no pieces left\n"));
  CHECK(has(over.out, "the game is over: Black wins: White has no pieces left\n"));
  CHECK(has(play("a1xa2\nwhy --source end\n", "", must).out,
            "the game is over here: Black wins: no own; see "));
}

TEST_CASE("where there just is nothing but captures, a player isn't told that he must") {
  const std::string only =
      scratch().file("only.yaml", "game: Only\nplayers: { Black: north, White: south }\n"
                                  "board: { squares: 3 by 3 }\n"
                                  "pieces: { man: b w }\nsetup: { b: a1 | c2, w: a2 | c3 }\n"
                                  "turn: from own, step(forward, ~own)\n"
                                  "end:\n  - lose when no own\n  - lose when no move\n");
  CHECK(has(play("a1-b1\n", "", only).out, "; you must capture: ")); // nothing else was ever seen
  const std::string others =
      scratch().file("others.yaml", "game: Others\n"
                                    "players: { Black: north, White: south }\n"
                                    "board: { squares: 3 by 4 }\npieces: { man: b w }\n"
                                    "setup: { b: a1 | c2, w: a2 | c3 | b4 }\n"
                                    "turn: from own, step(forward, ~own)\n"
                                    "end:\n  - lose when no own\n"
                                    "  - lose when no move\n");
  CHECK(has(play("a1-b1\n", "", others).out, "; there are only captures: a1xa2, c2xc3\n"));
}

TEST_CASE("why answers players in sentences, and shows the rules on demand") {
  const std::string slide = scratch().file(
      "slide.yaml",
      "game: Slide\nabout: { kinds: { man: slides straight over empty cells } }\n"
      "players: { Black: north, White: south }\nboard: { squares: 4 by 4 }\n"
      "pieces: { man: b w }\nsetup: { b: a1 | b1, w: a4 }\n"
      "turn: from own, lift, choose d in orthogonal, (go d, at empty)+, put\nend:\n  - lose when no move\n");
  const Run result = play("why a1-c1\nwhy a1-z9\nwhy\nb1-b2\nwhy\nwhy end\nwhy --source a1-c1\n", "", slide);
  CHECK(has(result.out, "a1-c1 is not legal; there is a1-a2 a1-a3\n"));
  CHECK(has(result.out, "  b1 holds a man of Black's\nHow a man moves: slides straight over empty cells\n"
                        "`why --source a1-c1` shows the rules themselves\n"));
  CHECK(has(result.out, "a1-z9 is not legal: there is no cell z9; there is a1-a2 a1-a3\nHow a man moves: "));
  CHECK(has(result.out, "alone it tells of the last move\n"));
  CHECK(has(result.out, "Black played b1-b2: b1 empty, b2 b\nHow a man moves: slides"));
  CHECK(has(result.out, "the game is not over; White is to move\n  You lose if you can't move.\n"));
  CHECK(has(result.out, "slide.yaml:7:"));
}

TEST_CASE("a move is understood that is said in words, or with its number") {
  CHECK(has(play("1. a1-a2\n").out, "1. a1-a2 is not a legal move; did you mean a1-a2?\n"));
  CHECK(has(play("a1 to a2\n").out, "did you mean a1-a2?\n"));
  CHECK(has(play("1a 2a\n").out, "did you mean a1-a2?\n"));
  CHECK(has(play("nobody to anything\n").out, "is not a legal move; `moves` lists"));
}

TEST_CASE("sentences are answered where a command, a player or a question is in them") {
  CHECK(has(play("I resign\n").out, "`resign`: gives up the game\n"));
  CHECK(has(play("how do I capture?\n").out, "`rules` tells how the game is played"));
  CHECK(has(play("pass\n").out, "there is no passing now"));
  CHECK(has(play("I want to be white\n", "--player White=level:1").out, "`swap` lets you play White\n"));
  CHECK(has(play("black\n", "--player White=level:1").out, "Black is played here\n"));
}

TEST_CASE("what players think is shown on demand") {
  const std::string limits = "--player White=auto --nodes 200 --seed 1";
  CHECK_FALSE(has(play("a1-a2\n", limits).out, " for White"));
  CHECK(has(play("thinking on\na1-a2\n", limits).out, " for White"));
  CHECK(has(play("thinking maybe\n", limits).out, "takes `on` or `off`"));
}

TEST_CASE("without a game a filter is told so") {
  const Run none = run("play < /dev/null");
  CHECK(none.status == 2);
  CHECK(has(none.err, "GAME is required"));
}

TEST_CASE("as a filter, its status says whether all that was typed could be done") {
  CHECK(play("a1-a2\nundo\n\nwhy c1\n").status == 0);
  CHECK(play("a1-a3\na1-a2\n").status == 1);
  CHECK(play("load " + scratch().path("none.txt") + "\n").status == 3);
  CHECK(play("a1-a3\nsave " + scratch().path("none/x.txt") + "\n").status == 3);
  const Run wide = play(std::string(70'000, 'a') + "\na1-a2\n");
  CHECK(wide.status == 1);
  CHECK(has(wide.out, "a line of more than 65,536 bytes isn't read\n"));
  CHECK(has(wide.out, "1. Black: a1-a2\n"));
}

TEST_CASE("a record of another game, or of other options, isn't loaded") {
  const std::string other = scratch().file("other.txt", "[Game \"Tic-tac-toe\"]\n1. a1\n");
  const Run result = play("load " + other + "\nc1-c2\n");
  CHECK(result.status == 1);
  CHECK(has(result.out, "`" + other + "` is a record of Tic-tac-toe, not of Steps\n"));
  CHECK(has(result.out, "1. Black: c1-c2\n"));
  const std::string small =
      scratch().file("small.txt", "[Game \"Tic-tac-toe\"]\n[Rules \"tictactoe\"]\n1. a1\n");
  const Run large = play("load " + small + "\n", "--set size=4", "tictactoe");
  CHECK(has(large.out, "was played with other options: size=4 here; "));
}

TEST_CASE("when a game is over, commands are still obeyed") {
  const std::string file = scratch().path("over.txt");
  fs::remove(file);
  const Run result = play("a1-a2\nresign\nmoves\nsave " + file + "\nundo\na4-a3\nnew\nposition\n");
  CHECK(result.status == 1); // `moves` had nothing to list
  CHECK(has(result.out, "the game is over: `undo`"));
  CHECK(has(read(file), "1. Black: a1-a2\nResult: Black wins (White resigns)\n"));
  CHECK(has(result.out, "2. White: a4-a3\n"));
  CHECK(has(result.out, R"("ply":0)"));
}

TEST_CASE("the rules are told to people or shown as they are written, and what can be typed") {
  CHECK(has(play("rules\n").out, "You lose if you can't move.\n"));
  CHECK_FALSE(has(play("rules\n").out, "from own"));
  for (const char* command : {"rules --source\n", "source\n"})
    CHECK(has(play(command).out, "from own, step(ahead, empty)"));
  CHECK(has(play("he\n").out, "moves [FROM]")); // no move begins so
  CHECK(has(play("re\n").out, "commands that begin so: `redo`, `resign`\n"));
  for (const char* command : {"moves [FROM]", "undo [N]", "save FILE", "resign"})
    CHECK(has(play("help\n").out, command));
}

TEST_CASE("at the prompt, moves that are written alike are told apart") {
  const std::string alike = scratch().file(
      "alike.yaml", "game: Alike\nplayers: { Black: north, White: south }\nboard: { squares: 3 by 3 }\n"
                    "pieces: { man: b w }\nsetup: { b: a1 | c1, w: b3 }\n"
                    "turn: quietly (from own, step(forward, empty)), pass\nend:\n  - draw when no move\n");
  const Run result = play("pass\npa\npass#3\npass#2\nmoves\n", "", alike);
  CHECK(has(result.out, "2 moves are written pass; say which one:\n  pass#1: a1 empty, a2 b\n"
                        "  pass#2: c1 empty, c2 b\n"));
  CHECK(has(result.out, "1. Black: pass#2\n"));
  CHECK(has(result.out, "pass\n")); // White's is alone
}

TEST_CASE("who plays is said by name") {
  CHECK(has(play("", "--player all=random --seed 1").out, " can't move\n"));
  CHECK(play("", "--player Red=random").status == 2);
  CHECK(play("", "--player Black").status == 2);
  CHECK(play("", "--player Black=nobody").status == 2);
  CHECK(has(play("", "--player Red=human").err, "there is no player `human`; there are person auto "));
  CHECK(
      has(play("", "--player Red=person").err, "there is no player `Red`; give one of Black, White, or all"));
  CHECK(play("", "--player black=RANDOM --random White --seed 1").status == 0);
  CHECK(has(play("", "--random Black --player first=person").err, "Black has somebody already: random"));
  CHECK(play("quit\n", "--player Black=person --random all").status == 0); // all others
  CHECK(play("", "--resume --new").status == 2);
}

TEST_CASE("somebody who thinks plays, and gives advice") {
  const std::string limits = " --nodes 200 --seed 1";
  const Run both = play("", "--player all=auto" + limits);
  CHECK(both.status == 0);
  CHECK(has(both.out, "1. Black: "));
  CHECK(has(both.out,
            " can't move\n")); // in words: the line of the file is told by `why`
  const Run one = play("a1-a2\nundo\nredo\nposition\n", "--player White=auto" + limits);
  CHECK(has(one.out, "2. White: "));
  CHECK(has(one.out, R"("ply":2)"));
  const Run asked = play("hint\neval\nanalyse\nanalyse x\nposition\n", limits);
  CHECK(asked.status == 0);
  CHECK(asked.err.empty());
  CHECK(has(asked.out, " for Black"));
  CHECK(has(asked.out, "`analyse` takes a number of seconds"));
  CHECK(has(asked.out, R"("ply":0)")); // nothing was played
  CHECK(has(play("", "--player all=auto --clock 20+1" + limits).out, " can't move\n"));
  CHECK(play("", "--clock 0").status == 2);
  CHECK(play("", "--time 0").status == 2);
  CHECK(play("", "--nodes 0").status == 2);
  const std::string record = scratch().path("thought.txt");
  fs::remove(record);
  CHECK(play("a1-a2\n", "--player White=auto --record " + record + limits).status == 0);
  CHECK(has(read(record), "[Player \"White: auto\"]\n"));
}

TEST_CASE("whoever is out of time has lost") {
  const std::string slow =
      "(sleep 1; echo a1-a2) | '" + program_path() + "' play " + steps() + " --clock 0.2";
  const Run result = shell(slow);
  CHECK(result.status == 0);
  CHECK(has(result.out, "Black is out of time; White wins\n"));
}

TEST_CASE("who is out of time has a draw where the rules say that the other can't win") {
  // The move comes late only if the rules are loaded by then, which takes longer under sanitizers.
  const std::string wait = kSanitized ? "sleep 20" : "sleep 1";
  const auto late = [&](const std::string& cells) {
    return shell("(" + wait + "; echo e1-e2) | '" + program_path() + "' play chess --clock 0.2 --position '" +
                 cells + "'");
  };
  const std::string draw = "White is out of time; a draw", lost = "White is out of time; Black wins\n";
  CHECK(has(late("4k3/8/8/8/8/8/4P3/4K3 w").out, draw));
  CHECK(has(late("4kn2/8/8/8/8/8/4R3/4K3 w").out, lost));
  if (kSanitized) return; // each would wait as long again
  CHECK(has(late("4kn2/8/8/8/8/8/4Q3/4K3 w").out, draw));
  CHECK(has(late("4k3/4p3/8/8/8/8/4R3/4K3 w").out, lost));
}

TEST_CASE("a game is recorded while it is played") {
  const std::string file = scratch().path("recorded.txt");
  fs::remove(file);
  CHECK(play("a1-a2\na4-a3\nundo\nc4-c3\n", "--record " + file).status == 0);
  const std::string first = read(file);
  CHECK(has(first, "\n1. Black: a1-a2\n2. White: c4-c3\n"));
  CHECK_FALSE(has(first, "a4-a3"));
  CHECK_FALSE(has(first, "Result:"));
  // The next game stands behind it.
  CHECK(play("c1-c2\nresign\n", "--record " + file + " --position 'play: a1-a2 a4-a3'").status == 0);
  const std::string both = read(file);
  CHECK(both.substr(0, first.size()) == first);
  CHECK(has(both.substr(first.size()), "1. Black: a1-a2\n2. White: a4-a3\n3. Black: c1-c2\n"
                                       "Result: Black wins (White resigns)\n"));
  CHECK(has(run("replay --moves --game 2 " + file).out, "Steps, 3 moves: Black wins (White resigns)\n"));
  const std::string random = scratch().path("random.txt");
  fs::remove(random);
  CHECK(play("", "--random all --seed 1 --record " + random).status == 0);
  const Run again = run("replay --moves " + random);
  CHECK(again.status == 0);
  CHECK(has(again.out, " wins: no move; see "));
  const std::string loaded = scratch().path("loaded.txt");
  fs::remove(loaded);
  CHECK(play("c1-c2\nload " + random + "\n", "--record " + loaded).status == 0);
  CHECK(run("replay --moves " + loaded).status == 0);
  CHECK_FALSE(has(read(loaded), "1. Black: c1-c2\n2. White: c1"));
}

TEST_CASE("a record that can't be written: 3, and a word") {
  const std::string folder = scratch().path("records");
  fs::create_directories(folder);
  CHECK(play("", "--record " + folder).err == "error: can't write `" + folder + "`: it is a folder\n");
  CHECK(play("", "--record " + folder).status == 3);
  CHECK(play("", "--record " + folder + "/none/x.txt").status == 3);
  if (!fs::exists("/dev/full")) return;
  const Run full = play("a1-a2\n", "--record /dev/full");
  CHECK(full.status == 3);
  CHECK(full.err == "error: can't write `/dev/full`: No space left on device\n");
}

TEST_CASE("as a filter it keeps nothing") {
  const std::string state = scratch().path("state_of_filters");
  const std::string lines = scratch().file("typed.txt", "a1-a2\n");
  CHECK(
      shell("XDG_STATE_HOME=" + state + " '" + program_path() + "' play " + steps() + " < " + lines).status ==
      0);
  CHECK_FALSE(fs::exists(state));
}

TEST_CASE("words that people try do what they mean, or tell which command does it") {
  const Run shown = play("list\nshow\nhistory\nc1-c2\nlog\ninstructions\n");
  CHECK(shown.status == 0);
  CHECK(has(shown.out, "\na1-a2  a1-b2  c1-b2  c1-c2\n"));
  CHECK(has(shown.out, "no move has been played yet\n"));
  CHECK(has(shown.out, "3 by 4 squares"));
  const Run told = play("cancel\ntake back\nrestart\ngive up\nbye\nexport\nopponent\n");
  CHECK(told.status == 1);
  CHECK(has(told.out, "cancel is no command; `undo [N]`: takes back to your last turn\n"));
  CHECK(has(told.out, "take back is no command; `undo [N]`"));
  CHECK(has(told.out, "restart is no command; `new`"));
  CHECK(has(told.out, "give up is no command; `resign`"));
  CHECK(has(told.out, "bye is no command; `quit`"));
  CHECK(has(told.out, "export is no command; `save FILE`"));
  CHECK(has(told.out, "opponent is no command; `level [N|people]`"));
  CHECK(has(play("gibberish\n").out, "gibberish is not a legal move"));
}

TEST_CASE("history lists the moves so far, and level is told as a filter, too") {
  const Run result = play("c1-c2\na4-a3\nhistory\nlevel 4\nlevel people\nlevel x\n");
  CHECK(result.status == 0);
  CHECK(has(result.out, "1. Black: c1-c2  2. White: a4-a3\n"));
  CHECK(has(result.out, "White: the computer at level 4\n"));
  CHECK(has(result.out, "Black: somebody here; White: somebody here\n"));
}

TEST_CASE("hint and eval tell in words how somebody stands, the same when they are asked again") {
  const Run result = play("hint\neval\neval\n", "--nodes 3000 --seed 1", "hexapawn");
  CHECK(result.status == 0);
  CHECK(has(result.out, "(White: "));
  CHECK_FALSE(has(result.out, " %"));
  const std::size_t first = result.out.find("\nWhite: ");
  REQUIRE(first != std::string::npos);
  const std::string words = result.out.substr(first, result.out.find(';', first) - first);
  CHECK(result.out.find(words, first + 1) != std::string::npos);
}

TEST_CASE("what names two cells moves no other piece unasked") {
  const std::string bishop = "--player all=person --position '4k2B/8/8/8/8/8/8/R3K3 w'";
  const Run asked = play("b8e5\n", bishop, "chess");
  CHECK(has(asked.out, "b8e5 may be Be5\n"));
  CHECK_FALSE(has(asked.out, "h8-e5"));
  CHECK(has(play("B8e5\n", bishop, "chess").out, "h8-e5"));
  CHECK(has(play("h8e5\n", bishop, "chess").out, "h8-e5"));
}

TEST_CASE("load takes a bare position, too, as text and in a file") {
  const std::string fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  const std::string file = scratch().file("fen.txt", fen + "\n");
  const std::string json =
      scratch().file("position.json", R"({"to_move": "White", "cells": {"e1": "K", "e8": "k", "e2": "P"}})");
  const std::string played = scratch().file("played.txt", "play: e2-e4 e7-e5");
  for (const std::string& position : {fen, file, json}) {
    CAPTURE(position);
    const Run loaded = play("load " + position + "\nposition\ne2-e4\n", "--player all=person", "chess");
    CHECK(loaded.status == 0);
    CHECK(has(loaded.out, "1. White: e2-e4\n"));
  }
  CHECK(has(play("load " + played + "\nundo\nhistory\n", "--player all=person", "chess").out,
            "1. White: e2-e4"));
  const Run wrong = play("load 9/8 w\n", "--player all=person", "chess");
  CHECK(wrong.status != 0);
  CHECK(has(wrong.out, "error"));
}

TEST_CASE("where scores decide the result has them, the winner's first, unless the file hides them") {
  const std::string most = "game: Most\nplayers: { Black: north, White: south }\nboard: { squares: 3 by 2 }\n"
                           "pieces: { stone: b w }\nsetup: { b: a1, w: a2 | b2 | c2 }\n"
                           "turn: place(stone, empty)\nend:\n  - score count(own) when no empty\n";
  const std::string shown = scratch().file("most.yaml", most);
  CHECK(has(play("b1\nc1\n", "--player all=person", shown).out, "White wins 4 to 2: "));
  const std::string hidden = scratch().file("most_hidden.yaml", most + "look: { hide: score }\n");
  CHECK(has(play("b1\nc1\n", "--player all=person", hidden).out, "White wins: "));
}

TEST_CASE("where nobody ever has a choice play ends by itself") {
  const std::string game = scratch().file("rolled.yaml", "game: Rolled\nplayers: [Black, White]\n"
                                                         "board: { squares: 2 by 1 }\npieces: { man: b w }\n"
                                                         "turn: roll n in 1 .. 6\n");
  const Run result = play("", "", game);
  CHECK(result.status == 0);
  CHECK(has(result.out, "stopped: for 10000 moves nobody has had anything to choose\n"));
}

} // namespace play_test
