// `usi`, `xboard` and `gtp`, as other programs drive them: through a child process.
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "tests/rule_files.hpp"
#include "tests/tools/child.hpp"
#include "tests/tools/running.hpp"
#include "tools/engines/go_command.hpp"
#include "tools/engines/protocol_moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace other_protocols_test {

using namespace boardwright;
using namespace boardwright::tests;
using tools::Protocol;

namespace {

using Lines = std::vector<std::string>;

bool has_line(const Lines& lines, const std::string& begin) {
  return std::any_of(lines.begin(), lines.end(), [&](const auto& line) { return line.starts_with(begin); });
}

// All legal moves behind some, in the words of a protocol.
std::set<std::string> words_after(const std::string& game_name, Protocol protocol, const std::string& moves) {
  runtime::Game game(load_rules(game_name));
  std::istringstream in(moves);
  for (std::string word; in >> word;) {
    const auto move = game.find(word);
    REQUIRE(move);
    REQUIRE(*move);
    REQUIRE(game.play(**move));
  }
  const auto words = tools::protocol_moves(game, protocol);
  REQUIRE(words);
  const std::set<std::string> all(words->begin(), words->end());
  CHECK(all.size() == words->size());
  for (std::size_t i = 0; i < words->size(); ++i) { // each is found again
    const auto found = tools::find_protocol_move(game, (*words)[i], protocol);
    REQUIRE(found);
    REQUIRE(*found);
    CHECK((*found)->index() == i);
  }
  return all;
}

std::size_t words_in(const std::string& line) { return tools::words_of(line).size(); }

// An answer of GTP, with its lines.
std::string ask(Child& child, const std::string& command) {
  child.say(command);
  std::string text;
  for (std::string line = child.line(); !line.empty(); line = child.line())
    text += (text.empty() ? "" : "\n") + line;
  while (text.ends_with(' ')) text.pop_back(); // behind `=` there is a blank, whatever follows
  return text;
}

} // namespace

TEST_CASE("moves in the words of each protocol", "[protocol]") {
  const auto usi = words_after("shogi", Protocol::usi, "c3-c4 g7-g6");
  for (const char* word : {"8h2b", "8h2b+", "2g2f"}) CHECK(usi.contains(word));
  CHECK(words_after("shogi", Protocol::usi, "c3-c4 g7-g6 b2xh8=H g9xh8").contains("B*5e"));
  const auto xboard = words_after("crazyhouse", Protocol::xboard, "e2-e4 d7-d5 e4xd5 d8xd5");
  CHECK(xboard.contains("P@e4"));
  CHECK(xboard.contains("b1c3"));
  CHECK(words_after("xiangqi", Protocol::xboard, "").contains("b0c2")); // the first of ten ranks is 0
  const auto go = words_after("go", Protocol::gtp, "");
  for (const char* word : {"A1", "H8", "J9", "T19", "pass"}) CHECK(go.contains(word));
  CHECK_FALSE(go.contains("I9"));
  CHECK(words_after("hex", Protocol::gtp, "").contains("i9")); // hexagons are called by their names
}

TEST_CASE("castling of dealt rows is written by its side", "[protocol]") {
  const auto words = words_after("chess960", Protocol::xboard, "g1-f3 a7-a6 g2-g3 b7-b6 f1-g2 c7-c6");
  CHECK(words.contains("O-O"));
  CHECK_FALSE(words.contains("e1h1"));
}

TEST_CASE("USI: whose clock it is, byoyomi, and mates", "[protocol]") {
  const auto read = [](const std::string& text, bool first) {
    std::istringstream in(text);
    Lines words;
    for (std::string word; in >> word;) words.push_back(word);
    return tools::read_go(words, first, Protocol::usi);
  };
  const std::string clocks = "btime 60000 wtime 30000";
  CHECK(read(clocks, true).time == 2000);
  CHECK(read(clocks, false).time == 1000);
  CHECK(read("btime 0 wtime 0 byoyomi 5000", true).time == 4980);
  CHECK(read("byoyomi 5000", true).time == 4980);
  CHECK(read("btime 60000 wtime 1 byoyomi 5000", true).time == 7000);
  CHECK(read("mate 3000", true).asks_for_mate);
  CHECK(read("mate 3000", true).time == 3000);
  CHECK(read("mate infinite", true).asks_for_mate);
  CHECK_FALSE(read("mate infinite", true).time);
  CHECK(read("mate soon", true).faults.size() == 1);
}

TEST_CASE("usi: a program greets, thinks and leaves", "[protocol]") {
  Child child({"usi", "shogi"});
  child.say("usi");
  const auto greeting = child.lines_to("usiok");
  CHECK(has_line(greeting, "id name Boardwright Shogi"));
  for (const char* option : {"USI_Hash type spin", "USI_Ponder type check",
                             "USI_Variant type combo default shogi", "Skill_Level type spin"})
    CHECK(has_line(greeting, std::string("option name ") + option));
  child.say("isready");
  CHECK(child.line() == "readyok");
  child.say("setoption name USI_Hash value 16");
  child.say("setoption name Skill_Level value 3");
  child.say("setoption name USI_Ponder value true");
  child.say("usinewgame");
  child.say("position startpos moves 7g7f 3c3d");
  child.say("go btime 0 wtime 0 byoyomi 100");
  CHECK(child.lines_to("bestmove").back() != "bestmove (none)");
  child.say("position startpos moves 7g7f 3c3d 7f7e+");
  CHECK(child.line().starts_with("info string error: the move `7f7e+`"));
  child.say("gameover win");
  child.say("setoption name USI_Hash value 0");
  CHECK(child.line().starts_with("info string error: Hash: a number from 1"));
  child.say("quit");
  CHECK(child.wait() == 0);
}

TEST_CASE("usi: mates are told, and who has lost resigns", "[protocol]") {
  Child child({"usi", "shogi"});
  child.say("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  child.say("go mate 60000");
  CHECK(child.after("checkmate") == "checkmate G*5b");
  child.say("go mate infinite");
  CHECK(child.after("checkmate") == "checkmate G*5b");
  child.say("position startpos");
  child.say("go mate 50");
  CHECK(child.after("checkmate") == "checkmate timeout");
  child.say("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
  child.say("go movetime 50");
  CHECK(child.after("bestmove") == "bestmove resign");
  child.say("position startpos");
  child.say("go ponder btime 1000 wtime 1000");
  child.say("isready");
  CHECK(child.after("readyok") == "readyok");
  child.say("ponderhit");
  CHECK(child.after("bestmove") != "bestmove (none)");
}

TEST_CASE("xboard: features, moves, results", "[protocol]") {
  Child child({"xboard", "chess"});
  child.say("xboard");
  child.say("protover 2");
  const auto features = child.lines_to("feature done=1");
  CHECK(has_line(features, "feature ping=1 setboard=1 playother=1 san=0 usermove=1"));
  CHECK(has_line(features, "feature myname=\"Boardwright Chess\""));
  CHECK(has_line(features, "feature variants=\"normal,fischerandom,crazyhouse,"));
  CHECK(has_line(features, "feature option=\"Skill Level -spin 10 1 10\""));
  for (const std::string& line : features) CHECK(line.size() < 512); // what xboard reads at most
  for (const char* line : {"accepted ping", "new", "random", "level 40 5 0", "post", "hard", "st 1", "sd 2"})
    child.say(line);
  child.say("usermove f2f3");
  const std::string move = child.after("move ");
  CHECK(move.size() == std::string("move e7e5").size());
  child.say("new");
  child.say("force");
  child.say("usermove f2f3");
  child.say("usermove e7e5");
  child.say("usermove e7e5");
  CHECK(child.after("Illegal") == "Illegal move: e7e5");
  child.say("usermove g2g4");
  child.say("ping 7");
  CHECK(child.line() == "pong 7"); // nothing was played
  child.say("go");
  CHECK(child.after("move ") == "move d8h4");
  CHECK(child.line() == "0-1 {Black wins (no move)}");
  child.say("usermove a2a3");
  CHECK(child.line() == "Illegal move (the game is over): a2a3");
  child.say("remove");
  child.say("undo");
  child.say("ping 8");
  CHECK(child.line() == "pong 8");
  child.say("usermove e2e4"); // Black is to move: two moves and one are gone
  CHECK(child.line() == "Illegal move: e2e4");
  child.say("quit");
  CHECK(child.wait() == 0);
}

TEST_CASE("xboard: castling, promotions and drops; variants; positions", "[protocol]") {
  Child child({"xboard", "chess"});
  child.say("force");
  child.say("setboard r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1");
  child.say("usermove e1c1");
  child.say("usermove O-O"); // letters are understood, too
  child.say("usermove b7a8q");
  child.say("ping 1");
  CHECK(child.line() == "pong 1");
  child.say("setboard nothing");
  CHECK(child.line() == "tellusererror Illegal position");
  child.after("#");
  child.say("new");
  child.say("variant crazyhouse");
  child.say("force");
  for (const char* move : {"e2e4", "d7d5", "e4d5", "d8d5", "P@e4"})
    child.say(std::string("usermove ") + move);
  child.say("ping 2");
  CHECK(child.line() == "pong 2");
  child.say("variant nosuchgame");
  CHECK(child.line() == "Error (there is no game `nosuchgame`; the game is crazyhouse): nosuchgame");
  child.say("new"); // the game of the command line again
  child.say("force");
  child.say("usermove e2e4");
  child.say("usermove d7d5");
  child.say("usermove P@e3");
  CHECK(child.line() == "Illegal move: P@e3");
}

TEST_CASE("xboard: `?` has it move at once, `force` has it not move; analysing goes on behind each line",
          "[protocol]") {
  Child child({"xboard", "chess"});
  child.say("new");
  child.say("st 3600");
  child.say("go");
  child.say("?");
  CHECK(child.after("move ").starts_with("move "));
  child.say("new");
  child.say("st 3600");
  child.say("usermove e2e4");
  child.say("force");
  child.say("ping 1");
  CHECK(child.line() == "pong 1");
  child.say("analyze");
  const std::string first = child.line();
  CHECK(first.find_first_not_of("-0123456789 ") > 5); // four numbers and moves
  child.say("usermove e7e5");
  child.say(".");
  const std::string state = child.after("stat01: ");
  CHECK(words_in(state) == 6); // time, positions, depth and two noughts
  CHECK(state.ends_with(" 0 0"));
  child.say("ping 2");
  CHECK(child.after("pong") == "pong 2");
  child.say("exit");
  child.say("."); // nothing is analysed any more
  child.say("ping 3");
  std::string line = child.line();
  while (!line.starts_with("pong 3")) {
    CHECK_FALSE(line.starts_with("stat01"));
    line = child.line();
    REQUIRE_FALSE(line.empty());
  }
  child.say("hint");
  CHECK(child.after("Hint").starts_with("Hint: "));
  child.say("go");
  child.say("quit");
  CHECK(child.wait() == 0);
}

TEST_CASE("xboard: what is wrong is told, and changes nothing", "[protocol]") {
  Child child({"xboard", "chess"});
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"foo", "Error (unknown command): foo"},
      {"usermove", "Error (which move): usermove"},
      {"usermove e2e4 e2e4", "Error (which move): usermove"},
      {"level 40", "Error (level MOVES MINUTES INCREMENT): level"},
      {"level -1 5 0", "Error (level MOVES MINUTES INCREMENT): level"},
      {"level 40 x 0", "Error (level MOVES MINUTES INCREMENT): level"},
      {"level 40 5:x 0", "Error (level MOVES MINUTES INCREMENT): level"},
      {"st -1", "Error (st SECONDS): st"},
      {"sd 0", "Error (sd DEPTH): sd"},
      {"time now", "Error (time HUNDREDTHS): time"},
      {"undo", "Error (there is no such move): undo"},
      {"memory 0", "Error (Hash: a number from 1 to 1048576): Hash"},
      {"option", "Error (there is no option ``): "},
      {"option Skill Level=99", "Error (Skill Level: a number from 1 to 10): Skill Level"},
      {"variant", "Error (which variant): variant"},
      {std::string(300, 'x'), "Error (unknown command): " + std::string(80, 'x')}};
  for (const auto& [line, answer] : wrong) {
    INFO(line);
    child.say(line);
    CHECK(child.line().starts_with(answer));
  }
  child.say("level 0 0:01 999999999999");
  child.say("time -5");
  child.say("sd 1");
  child.say("usermove e2e4");
  CHECK(child.after("move ").size() > 5);
}

TEST_CASE("gtp: what every program is asked first", "[protocol]") {
  Child child({"gtp", "go"});
  CHECK(ask(child, "protocol_version") == "= 2");
  CHECK(ask(child, "12 name") == "=12 Boardwright Go");
  CHECK(ask(child, "known_command genmove") == "= true");
  CHECK(ask(child, "known_command loadsgf") == "= true");
  CHECK(ask(child, "known_command kgs-chat") == "= false");
  const std::string commands = ask(child, "list_commands");
  for (const char* name : {"play", "genmove", "undo", "showboard", "final_score", "time_left"})
    CHECK(has(commands, name));
  child.say("# a comment");
  child.say("");
  CHECK(ask(child, "3\tfoo # another") == "?3 unknown command");
  CHECK(ask(child, "play b") == "? syntax error: play needs 2 arguments");
  CHECK(ask(child, "quit") == "=");
  CHECK(child.wait() == 0);
}

TEST_CASE("gtp: a game of Go with passes, taking back and a result", "[protocol]") {
  Child child({"gtp", "go"});
  for (const char* good : {"boardsize 9", "komi 6.5", "clear_board", "play black E5", "play w j9",
                           "play b a1", "play b B1", "time_settings 0 1 1", "time_left b 1 1"}) {
    INFO(good);
    CHECK(ask(child, good) == "=");
  }
  const std::string board = ask(child, "showboard");
  CHECK(has(board, "A B C D E F G H J\n"));
  CHECK(has(board, "9  . . . . . . . . w\n"));
  for (const char* bad : {"play b a1", "play w I5", "play w K1", "play w e10", "play red b2", "play w e5"}) {
    INFO(bad);
    CHECK(ask(child, bad).starts_with("? "));
  }
  CHECK(ask(child, "undo") == "="); // with the pass that stood before it
  CHECK(ask(child, "play w b2") == "=");
  for (int k = 0; k < 4; ++k) CHECK(ask(child, "undo") == "=");
  CHECK(ask(child, "undo") == "? cannot undo");
  CHECK(ask(child, "play b e5") == "=");
  CHECK(ask(child, "final_score") == "= B+");
  const std::string move = ask(child, "genmove w");
  CHECK(move.starts_with("= "));
  CHECK(ask(child, "reg_genmove b").starts_with("= "));
  CHECK(ask(child, "clear_board") == "=");
  CHECK(ask(child, "final_score") == "= W+"); // nobody has anything but the komi
  CHECK(ask(child, "play b pass") == "=");
  CHECK(ask(child, "play w pass") == "=");
  CHECK(ask(child, "play b a1") == "? illegal move: the game is over");
  CHECK(ask(child, "genmove b") == "= pass");
  for (const char* bad : {"boardsize 1", "boardsize 20", "boardsize x", "boardsize 9 8"})
    CHECK(ask(child, bad) == "? unacceptable size");
  CHECK(ask(child, "komi 51") == "? unacceptable komi");
  CHECK(ask(child, "komi x") == "? syntax error: komi is a number");
}

TEST_CASE("gtp: games without passes, on hexagons", "[protocol]") {
  Child child({"gtp", "hex"});
  CHECK(ask(child, "boardsize 3 3") == "=");
  CHECK(ask(child, "komi 0") == "=");
  CHECK(ask(child, "komi 1") == "? this game has no komi");
  CHECK(ask(child, "play red b1") == "=");
  CHECK(ask(child, "play b b2") == "? illegal move: it is the turn of Blue");
  CHECK(ask(child, "play w a1") == "=");
  CHECK(ask(child, "play b b2") == "=");
  CHECK(ask(child, "final_score") == "? cannot score: the game goes on");
  CHECK(ask(child, "play w a2") == "=");
  CHECK(ask(child, "play b b3") == "=");
  CHECK(ask(child, "final_score") == "= B+");
  CHECK(ask(child, "genmove w") == "= resign");
  CHECK(ask(child, "genmove b") == "? the game is over");
}

TEST_CASE("gtp: stones that stand there before the game begins", "[protocol]") {
  Child child({"gtp", "go", "--set", "size=9"});
  CHECK(ask(child, "fixed_handicap 5") == "= C3 G7 C7 G3 E5");
  CHECK(ask(child, "komi 3") == "=");
  CHECK(has(ask(child, "showboard"), "5  . . . . b . . . .\n"));
  CHECK(ask(child, "fixed_handicap 2") == "? board not empty");
  CHECK(ask(child, "undo") == "? cannot undo");
  CHECK(ask(child, "play w e5").starts_with("? illegal move"));
  CHECK(ask(child, "play w e4") == "=");
  CHECK(ask(child, "undo") == "=");
  CHECK(ask(child, "clear_board") == "=");
  CHECK(ask(child, "fixed_handicap 10") == "? invalid number of stones");
  CHECK(ask(child, "set_free_handicap A1") == "? bad vertex list");
  CHECK(ask(child, "set_free_handicap A1 a1") == "? bad vertex list");
  CHECK(ask(child, "set_free_handicap A1 I3") == "? bad vertex list");
  CHECK(ask(child, "set_free_handicap J9 a1 E5") == "=");
  CHECK(ask(child, "place_free_handicap 2") == "? board not empty");
  CHECK(ask(child, "play b e4") == "="); // behind a pass
  CHECK(ask(child, "boardsize 12") == "=");
  CHECK(ask(child, "place_free_handicap 9") == "= D4 J9 D9 J4"); // an even size has no middle
  CHECK(ask(child, "boardsize 13") == "=");
  CHECK(ask(child, "place_free_handicap 20") == "= D4 K10 D10 K4 D7 K7 G4 G10 G7");
  CHECK(ask(child, "boardsize 5") == "=");
  for (const char* none : {"fixed_handicap 2", "place_free_handicap 2", "place_free_handicap 1"})
    CHECK(ask(child, none) == "? invalid number of stones");
  CHECK(ask(child, "quit") == "=");

  Child reversi({"gtp", "reversi"});
  CHECK(ask(reversi, "fixed_handicap 2") == "? board not empty");
  CHECK(ask(reversi, "quit") == "=");
}

TEST_CASE("gtp: a game from a file", "[protocol]") {
  const std::string sgf =
      scratch().file("gtp.sgf", "(;GM[1]SZ[9]KM[5.5]HA[2]AB[cg][gc]PL[W];W[ee];B[cd](;W[];B[aa])(;W[bb]))");
  Child child({"gtp", "go"});
  CHECK(ask(child, "play b q16") == "=");
  const std::string before = ask(child, "showboard");
  const auto refused = [&](const std::string& name, const std::string& text, const std::string& why) {
    INFO(text);
    CHECK(ask(child, "loadsgf " + scratch().file(name, text)) == "? cannot load file" + why);
    CHECK(ask(child, "showboard") == before);
  };
  CHECK(ask(child, "loadsgf " + scratch().path("none.sgf")) == "? cannot load file");
  CHECK(ask(child, "loadsgf -") == "? cannot load file");
  CHECK(ask(child, "loadsgf " + sgf + " 0") == "? syntax error: a number of a move");
  refused("a.txt", "a secret", ": it is no SGF");
  refused("b.sgf", "(;GM[1]SZ[9]\n;B[ee", ": line 2 is no SGF");
  refused("c.sgf", "(;GM[11]SZ[9];B[a1])", ": it is of another game");
  refused("d.sgf", "(;GM[1]SZ[30];B[aa])", ": this game can't be of that size");
  refused("e.sgf", "(;GM[1]SZ[9]KM[7]\n;B[aa];W[aa])", ": line 2: move 2 isn't legal by these rules");
  refused("f.sgf", "(;GM[1]SZ[9]AB[zz];W[aa])", ": its position can't be set up");
  CHECK(ask(child, "undo") == "=");

  CHECK(ask(child, "loadsgf " + sgf) == "=");
  std::string board = ask(child, "showboard");
  for (const char* row : {"9  b . . . . . . . .\n", "6  . . b . . . . . .\n", "5  . . . . w . . . .\n"})
    CHECK(has(board, row));
  CHECK(ask(child, "final_score") == "= W+"); // by the komi
  CHECK(ask(child, "undo") == "=");
  CHECK(ask(child, "undo") == "="); // the pass
  CHECK(ask(child, "komi 0") == "=");
  CHECK(has(ask(child, "showboard"), "6  . . b . . . . . .\n"));
  CHECK(ask(child, "loadsgf " + sgf + " 1") == "=");
  board = ask(child, "showboard");
  CHECK(has(board, "3  . . b . . . . . .\n"));
  CHECK_FALSE(has(board, "w ."));
  CHECK(ask(child, "undo") == "? cannot undo");
  CHECK(ask(child, "play w e5") == "=");
  CHECK(ask(child, "quit") == "=");
}

TEST_CASE("gtp: what is refused changes nothing", "[protocol]") {
  Child child({"gtp", "havannah"}); // whose option `size` isn't the number of its files
  CHECK(ask(child, "boardsize 5").starts_with("? unacceptable size"));
  CHECK(ask(child, "genmove w").starts_with("= "));
  CHECK(ask(child, "clear_board") == "=");
  child.say("quit");
}

TEST_CASE("uci: a game that the player can't play isn't taken", "[protocol]") {
  Child child({"uci", "chess", "--player", "alphabeta"});
  child.say("setoption name UCI_Variant value kuhn");
  child.say("position startpos moves e2e4");
  child.say("go nodes 200");
  std::string line;
  do line = child.line();
  while (!line.starts_with("bestmove") && !line.empty());
  CHECK(line.starts_with("bestmove "));
  CHECK_FALSE(line.starts_with("bestmove (none)"));
  child.say("quit");
}

TEST_CASE("which games a protocol has no words for", "[protocol]") {
  const std::vector<std::pair<const char*, const char*>> refused = {
      {"usi klotski", "for games of two; this one has 1 player"},
      {"xboard halma4", "for games of two; this one has 4 players"},
      {"xboard kuhn", "xboard has no words for what is left to chance; `ugi` has"},
      {"xboard amazons", "xboard has the same word"},
      {"gtp chess", "GTP has no words for the move `b1-a3`"},
      {"usi darkchess", "USI has no words for what a player doesn't see"}};
  for (const auto& [command, why] : refused) {
    INFO(command);
    const Run refusal = run(std::string(command) + " </dev/null");
    CHECK(refusal.status == 1);
    CHECK(refusal.out.empty());
    CHECK(has(refusal.err, why));
  }
  CHECK(run("gtp hex --player clever </dev/null").status == 2);
  CHECK(run("xboard nosuchgame </dev/null").status == 3);
}

TEST_CASE("the protocols go on behind lines of any bytes", "[protocol]") {
  std::string noise;
  std::uint32_t state = 12345;
  for (int i = 0; i < 20'000; ++i) {
    state = state * 1'664'525 + 1'013'904'223;
    noise += static_cast<char>(state >> 24);
    if (i % 97 == 0) noise += '\n';
  }
  const std::string file = scratch().file("noise", noise + "\n");
  const std::vector<std::pair<std::string, std::string>> last = {
      {"usi shogi", "isready"}, {"xboard chess", "ping 5"}, {"gtp hex", "9 protocol_version"}};
  const std::vector<std::string> answers = {"readyok", "pong 5", "=9 2"};
  for (std::size_t i = 0; i < last.size(); ++i) {
    INFO(last[i].first);
    const Run noisy = shell("(cat '" + file + "'; echo; echo '" + last[i].second + "') | '" + program_path() +
                            "' " + last[i].first);
    CHECK(noisy.status == 0);
    CHECK(has(noisy.out, answers[i]));
    CHECK(std::none_of(noisy.out.begin(), noisy.out.end(),
                       [](unsigned char c) { return c < 0x20 && c != '\n'; }));
  }
}

TEST_CASE("gtp, xboard: a line that is too long isn't read", "[protocol]") {
  Child gtp({"gtp", "hex"});
  std::thread writer([&] { gtp.say(std::string((1 << 22) + 1, 'x')); });
  CHECK(gtp.line() == "? a line of more than 4,194,304 bytes isn't read");
  writer.join();
  CHECK(gtp.line().empty());
  CHECK(ask(gtp, "play b a1") == "=");
  Child xboard({"xboard", "chess"});
  std::thread second([&] { xboard.say(std::string((1 << 22) + 1, 'x')); });
  CHECK(xboard.line() == "Error (a line of more bytes isn't read): 4,194,304");
  second.join();
}

} // namespace other_protocols_test
