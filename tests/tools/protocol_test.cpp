// `ugi` and `uci`, as other programs drive them: through a child process.
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "interpreter/look/look.hpp"
#include "interpreter/notation/fen.hpp"
#include "interpreter/notation/position_text.hpp"
#include "runtime/search/levels.hpp"
#include "tests/rule_files.hpp"
#include "tests/tools/child.hpp"
#include "tests/tools/running.hpp"
#include "tools/commands/protocol.hpp"
#include "tools/engines/go_command.hpp"
#include "tools/studio/arranged.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <thread>

namespace protocol_test {

using namespace boardwright;
using nlohmann::json;
using tests::Child, tests::load_rules;
using tests::run, tests::scratch, tests::shell, tests::program_path, tests::Run;

namespace {

using tests::has; // of a text
bool has(const std::vector<std::string>& lines, const std::string& begin) {
  return std::any_of(lines.begin(), lines.end(), [&](const auto& line) { return line.rfind(begin, 0) == 0; });
}

// Its move in a position, without `bestmove`, and what it ponders about.
std::string answer(Child& child, const std::string& position, const std::string& go = "go nodes 300") {
  child.say(position);
  child.say(go);
  const std::string line = child.after("bestmove").substr(9);
  return line.substr(0, line.find(' '));
}

struct At {
  const char *game, *text;
};

const std::vector<At> kPositions = {
    {"chess", "r3k2r/8/8/8/8/8/8/R3K2R w - -"},
    {"chess", "r3k2r/pppppppp/8/8/4Pp2/8/PPPP1PPP/R3K2R b Kq e3 0 1"},
    {"atomic", "rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq - 0 1"},
    {"crazyhouse", "Q~1k5/8/8/8/8/8/8/4K3/Qn w - - 0 1"},
    {"seirawan", "reb1k2r/ppppqppp/2nb1n2/4p3/4P3/N1P2N2/PB1PQPPP/RE2KBHR[h] b KQkqc - 3 7"},
    {"3check", "7r/1p4p1/pk3p2/RN6/8/P5Pp/3p1P1P/4R1K1 w - - 1 39 +2+0"},
    {"xiangqi", "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 b - - 0 1"},
    {"shogi", "4k4/9/+P8/9/9/9/9/9/4K4 b RB2p 1"},
    {"breakthrough", "1p2pp1p/2p2ppp/2P5/8/8/3P2P1/1p1P2PP/1PP1PP1P w - - 1 26"},
    {"internationaldraughts", "B:W31,K50:B1-12"},
};

// The number of moves that a protocol counts.
std::string counted(const char* protocol, const At& at) {
  Child child({protocol, at.game});
  child.say(std::string("position fen ") + at.text);
  child.say("go perft 1");
  const auto lines = child.lines_to("Nodes searched");
  for (const std::string& line : lines) CHECK(line.rfind("info string", 0) != 0);
  return lines.back().substr(lines.back().rfind(' ') + 1);
}

void check_rule_file(const At& at, const std::string& count) {
  const std::string file = scratch().file(
      "door.yaml", std::string("extends: ") + at.game + "\ngame: Door\ntests:\n  - name: door\n" +
                       "    position: { fen: \"" + at.text + "\" }\n    perft: [" + count + "]\n");
  const Run checked = run("check --no-games '" + file + "' --json");
  INFO(checked.out << checked.err);
  CHECK(checked.status == 0);
}

void check_record(const At& at, const json& position) {
  const std::string file = scratch().file("door.txt", std::string("[Rules \"") + at.game +
                                                          "\"]\n[Position \"" + at.text + "\"]\n\n");
  const Run replayed = run(std::string("replay --json --rules ") + at.game + " '" + file + "'");
  INFO(replayed.err);
  REQUIRE(replayed.status == 0);
  CHECK(json::parse(replayed.out)["steps"][0]["position"] == position);
}

void check_studio(const At& at, const json& position) {
  const auto loaded = interpreter::load(at.game);
  REQUIRE(loaded);
  const auto view = tools::arranged_view(loaded, interpreter::look_of(loaded), at.text, false);
  CHECK(json::parse(view["position"].dump()) == position);
}

} // namespace

TEST_CASE("ugi: a program greets, gets ready, thinks and leaves", "[protocol]") {
  Child child({"ugi", "breakthrough"});
  child.say("ugi");
  const auto greeting = child.lines_to("ugiok");
  CHECK(has(greeting, "id name Boardwright"));
  CHECK(has(greeting, "id author"));
  CHECK(has(greeting, "option name Threads"));
  child.say("isready");
  CHECK(child.line() == "readyok");
  child.say("uginewgame");
  child.say("position startpos moves a2-a3 a7-a6");
  child.say("query p1turn");
  CHECK(child.line() == "response true");
  child.say("query gameover");
  CHECK(child.line() == "response false");
  child.say("query result");
  CHECK(child.line() == "response none");
  child.say("go nodes 500");
  const auto thoughts = child.lines_to("bestmove");
  CHECK(has(thoughts, "info depth"));
  CHECK(thoughts.back() != "bestmove (none)");
  child.say("quit");
  CHECK(child.wait() == 0);
}

TEST_CASE("ugi: a win is found and told, an ended game is over", "[protocol]") {
  Child child({"ugi", "breakthrough"});
  CHECK(answer(child, "position fen 8/3w4/8/8/8/8/1b6/8 White") == "d7-d8");
  child.say("position fen 8/3w4/8/8/8/8/1b6/8 White moves d7-d8");
  child.say("query gameover");
  CHECK(child.after("response") == "response true");
  child.say("query result");
  CHECK(child.line() == "response p1win");
  child.say("go nodes 10");
  CHECK(child.after("bestmove") == "bestmove (none)");
}

TEST_CASE("ugi: a position goes on from the last one, or begins anew", "[protocol]") {
  Child child({"ugi", "breakthrough", "--player", "random"});
  const auto first_moves = [&](const std::string& position) {
    child.say(position);
    child.say("query p1turn");
    return child.after("response") == "response true";
  };
  CHECK(first_moves("position startpos"));
  CHECK_FALSE(first_moves("position startpos moves a2-a3"));
  CHECK(first_moves("position startpos moves a2-a3 a7-a6"));
  CHECK(first_moves("position startpos moves a2-a3 a7-a6")); // the same again
  CHECK_FALSE(first_moves("position startpos moves b2-b3")); // another line
  child.say("position startpos moves b2-b3 b7-b6 b3-b8");
  CHECK(child.line().rfind("info string error: the move `b3-b8`", 0) == 0);
  CHECK(first_moves("position startpos moves b2-b3 b7-b6")); // what was played of the wrong one doesn't count
  CHECK(first_moves("position fen 8/3w4/8/8/8/8/1b6/8 White"));
  child.say("position fen 8/3w4/8/8/8/8/1b6/8 White moves d7-d8");
  child.say("query result");
  CHECK(child.after("response") == "response p1win");
}

TEST_CASE("ugi: `stop` ends the thinking at once, `isready` is answered meanwhile", "[protocol]") {
  Child child({"ugi", "hex"});
  child.say("position startpos");
  child.say("go infinite");
  child.say("isready");
  CHECK(child.after("readyok") == "readyok");
  child.say("stop");
  CHECK(child.after("bestmove") != "bestmove (none)");
  child.say("stop"); // nobody thinks
  child.say("go infinite");
  child.say("quit"); // ends it, too
  CHECK(child.wait() == 0);
}

TEST_CASE("uci: what is sent while it thinks waits for the answer", "[protocol]") {
  Child child({"uci", "chess"});
  child.say("position startpos");
  child.say("go nodes 20000");
  child.say("setoption name MultiPV value 1");
  child.say("position startpos moves f2f3 e7e5 g2g4");
  child.say("go depth 2");
  const std::string first = child.after("bestmove");
  CHECK(first != "bestmove (none)");
  CHECK(first != "bestmove d8h4");
  CHECK(child.after("bestmove") == "bestmove d8h4");
}

TEST_CASE("uci: so many lines may wait, and no more", "[protocol]") {
  Child child({"uci", "chess"});
  child.say("position startpos");
  child.say("go infinite");
  const std::string megabytes = "debug " + std::string((3 << 20) + (1 << 19), ' ') + "on";
  std::thread writer([&] {
    for (int k = 0; k < 9; ++k) child.say(megabytes); // 31.5 MB
    child.say("isready");
    child.say(megabytes);
  });
  const auto before = child.lines_to("readyok");
  CHECK_FALSE(has(before, "info string error"));
  CHECK(child.after("info string error") ==
        "info string error: lines of more than 33,554,432 bytes wait for the end of the thinking; this one "
        "isn't read");
  writer.join();
  child.say("stop");
  CHECK(child.after("bestmove") != "bestmove (none)");
}

TEST_CASE("uci: pondering ends by `stop`, or some time after `ponderhit`", "[protocol]") {
  Child child({"uci", "chess"});
  child.say("position startpos moves e2e4");
  child.say("go ponder movetime 20");
  child.say("isready"); // it thinks on
  CHECK(child.after("readyok") == "readyok");
  child.say("ponderhit");
  CHECK(child.after("bestmove") != "bestmove (none)");
  child.say("go ponder wtime 1000 btime 1000");
  child.say("stop");
  CHECK(child.after("bestmove") != "bestmove (none)");
  child.say("ponderhit"); // nobody ponders
  child.say("isready");
  CHECK(child.line() == "readyok");
}

TEST_CASE("uci: only some moves are thought about, and several are told", "[protocol]") {
  for (const char* player : {"alphabeta", "mcts", "random"}) {
    INFO(player);
    Child child({"uci", "chess", "--player", player});
    const std::string mate = "position startpos moves f2f3 e7e5 g2g4";
    CHECK(answer(child, mate, "go searchmoves a7a6 nodes 200") == "a7a6");
    child.say("go searchmoves a7a5 e5e6 nodes 200");
    CHECK(child.after("info string error") ==
          "info string error: searchmoves: `e5e6` is not legal, and left out");
    CHECK(child.after("bestmove").rfind("bestmove a7a5", 0) == 0);
    if (std::string(player) == "random") continue;
    child.say("setoption name MultiPV value 3");
    child.say("go nodes 6000");
    const auto lines = child.lines_to("bestmove");
    CHECK(lines.back() == "bestmove d8h4");
    std::set<std::string> first; // of each line
    for (int number = 1; number <= 3; ++number) {
      const std::string with = " multipv " + std::to_string(number) + " ";
      const auto line = std::find_if(lines.begin(), lines.end(), [&](const std::string& text) {
        return text.find(with) != std::string::npos;
      });
      REQUIRE(line != lines.end());
      const std::size_t moves = line->find(" pv ");
      REQUIRE(moves != std::string::npos);
      first.insert(line->substr(moves + 4, 4));
    }
    CHECK(first.size() == 3);
    CHECK(first.count("d8h4") == 1);
  }
}

TEST_CASE("uci: several lines keep to a depth, to the moves that are asked, and are told whatever the time",
          "[protocol]") {
  Child child({"uci", "chess"});
  child.say("setoption name MultiPV value 4");
  const auto told = [&](const std::string& go) {
    child.say("position startpos");
    child.say(go);
    return child.lines_to("bestmove");
  };
  const auto has_line = [](const std::vector<std::string>& lines, const std::string& what) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(what) != std::string::npos; });
  };
  const auto deep = told("go depth 2");
  for (int number = 1; number <= 4; ++number)
    CHECK(has_line(deep, "info depth 2 multipv " + std::to_string(number) + " "));
  CHECK_FALSE(has_line(deep, "info depth 3"));
  const auto quick = told("go movetime 1");
  for (int number = 1; number <= 4; ++number)
    CHECK(has_line(quick, " multipv " + std::to_string(number) + " "));
  const auto asked = told("go depth 2 searchmoves a2a3 a2a3 h2h3");
  CHECK_FALSE(has_line(asked, " multipv 3 "));
  CHECK((has_line(asked, "bestmove a2a3") || has_line(asked, "bestmove h2h3")));
  // One move alone is looked at as deeply.
  child.say("setoption name MultiPV value 1");
  CHECK(has_line(told("go depth 3 searchmoves h2h3"), "info depth 3 "));
}

TEST_CASE("uci: a mate in so many moves, and one that is on the board", "[protocol]") {
  Child child({"uci", "chess"});
  // King and rooks against king: in two.
  child.say("position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1");
  child.say("go mate 2");
  const auto lines = child.lines_to("bestmove");
  CHECK(std::any_of(lines.begin(), lines.end(),
                    [](const auto& line) { return line.find("score mate 2") != std::string::npos; }));
  child.say("position startpos moves f2f3 e7e5 g2g4 d8h4");
  child.say("go nodes 10");
  CHECK(child.line() == "info depth 0 score mate 0");
  CHECK(child.line() == "bestmove (none)");
}

TEST_CASE("uci: castling of Chess960, and options that are numbers", "[protocol]") {
  Child child({"uci", "chess"});
  child.say("uci");
  const auto greeting = child.lines_to("uciok");
  for (const char* name : {"Hash", "MultiPV", "Ponder", "Skill Level", "UCI_Chess960"})
    CHECK(has(greeting, std::string("option name ") + name + " type"));
  child.say("setoption name UCI_Chess960 value true");
  child.say("position startpos moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1h1 e8h8");
  child.say("query p1turn");
  CHECK(child.line() == "response true");
  // Rights by the files of the rooks, as in Shredder's FEN, or by the outermost ones; the king and his rook
  // change over.
  const std::string dealt = "position fen 1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w ";
  for (const char* rights : {"HBhb", "KQkq"})
    CHECK(answer(child, dealt + rights + " - 0 1 moves c1b1 c8h8", "go nodes 5") != "(none)");
  CHECK(answer(child, dealt + "Hh - 0 1 moves c1b1", "go nodes 5") == "(none)");
  CHECK(answer(child, dealt + "- - 0 1 moves c1h1", "go nodes 5") == "(none)");
  child.say("setoption name UCI_Variant value chess"); // its rows are dealt still
  CHECK(answer(child, dealt + "HBhb - 0 1 moves c1b1", "go nodes 5") != "(none)");
  child.say("setoption name UCI_Chess960 value false");
  const std::string usual = "position fen r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w ";
  CHECK(answer(child, usual + "KQkq - 0 1 moves e1g1", "go nodes 5") != "(none)");
  CHECK(answer(child, usual + "HAha - 0 1 moves e1g1", "go nodes 5") != "(none)");
  CHECK(answer(child, usual + "KQkq - 0 1 moves e1h1", "go nodes 5") == "(none)");
  for (const char* wrong : {"UCI_Chess960 value 960", "Hash value 0", "MultiPV value 257",
                            "Skill Level value 0", "Hash value x"}) {
    child.say(std::string("setoption name ") + wrong);
    CHECK(child.line().rfind("info string error: ", 0) == 0);
  }
  child.say("setoption name Hash value 1");
  child.say("setoption name Skill Level value 2");
  CHECK(answer(child, "position startpos") != "(none)");
}

TEST_CASE("uci: strength held back to so many points is a level", "[protocol]") {
  Child child({"uci", "chess"});
  child.say("uci");
  const auto greeting = child.lines_to("uciok");
  CHECK(has(greeting, "option name UCI_LimitStrength type check default false"));
  CHECK(has(greeting, fmt::format("option name UCI_Elo type spin default {0} min {1} max {0}",
                                  runtime::search::kLastElo, runtime::search::kFirstElo)));
  for (const char* wrong : {"UCI_LimitStrength value yes", "UCI_Elo value 99", "UCI_Elo value 9999"}) {
    child.say(std::string("setoption name ") + wrong);
    CHECK(child.line().rfind("info string error: ", 0) == 0);
  }
  // How much is looked at tells which level thinks. What was chosen before comes back.
  const auto looked_at = [&] {
    child.say("position startpos");
    child.say("go nodes 2000");
    std::uint64_t most = 0;
    for (const std::string& line : child.lines_to("bestmove"))
      if (const auto at = line.find(" nodes "); at != std::string::npos)
        most = std::max<std::uint64_t>(most, std::stoull(line.substr(at + 7)));
    return most;
  };
  child.say("setoption name UCI_Elo value " + std::to_string(runtime::search::kFirstElo));
  CHECK(looked_at() > 1000);
  child.say("setoption name UCI_LimitStrength value true");
  CHECK(looked_at() < 500);
  child.say("setoption name UCI_Elo value " + std::to_string(runtime::search::kLastElo));
  CHECK(looked_at() > 1000);
  child.say("setoption name UCI_Elo value " + std::to_string(runtime::search::kFirstElo));
  child.say("setoption name UCI_LimitStrength value false");
  CHECK(looked_at() > 1000);
}

TEST_CASE("uci: an option that changes nothing of who thinks leaves the player as it is", "[protocol]") {
  // A new player would draw its random moves from the beginning.
  Child child({"uci", "chess", "--player", "random"});
  const auto moves = [&](const std::string& between) {
    child.say("ucinewgame");
    std::vector<std::string> all;
    for (int k = 0; k < 6; ++k) {
      all.push_back(answer(child, "position startpos"));
      if (!between.empty()) child.say(fmt::format(fmt::runtime(between), runtime::search::kFirstElo + k));
    }
    return all;
  };
  const auto usual = moves("");
  CHECK(std::set<std::string>(usual.begin(), usual.end()).size() > 1);
  CHECK(moves("setoption name UCI_Elo value {}") == usual);
  CHECK(moves("setoption name UCI_LimitStrength value false") == usual);
  CHECK(moves("setoption name Player value random") == usual);
  CHECK(moves("setoption name Threads value 1") == usual);
  CHECK(moves("setoption name Hash value {}") != usual);
}

TEST_CASE("ugi: what is wrong is told, and nothing is thought about it", "[protocol]") {
  Child child({"ugi", "breakthrough"});
  for (const char* bad : {"position startpos moves a2-a5", "position fen no/such/board White", "position",
                          "position nowhere"}) {
    INFO(bad);
    child.say(bad);
    CHECK(child.line().rfind("info string error: ", 0) == 0);
    child.say("go nodes 10");
    CHECK(child.after("bestmove") == "bestmove (none)");
  }
  child.say("dance");
  CHECK(child.line() == "info string error: there is no command `dance`");
  child.say("setoption name Threads value many");
  CHECK(child.line() == "info string error: Threads: a number from 1 to 1024");
  child.say("setoption name Player value uci:touch '" + scratch().path("touched") + "'");
  CHECK(child.line() == "info string error: other programs are named by --player, on the command line");
  CHECK_FALSE(std::filesystem::exists(scratch().path("touched")));
  child.say("setoption name Player value clever");
  CHECK(child.line().rfind("info string error: ", 0) == 0);
  child.say("setoption name Player value random");
  CHECK(answer(child, "position startpos") != "(none)");
  child.close_input();
  CHECK(child.wait() == 0);
}

TEST_CASE("ugi: long lines are read whole, longer ones left out with one word", "[protocol]") {
  Child child({"ugi", "breakthrough", "--player", "random"});
  std::thread writer([&] {
    child.say("position startpos moves a2-a3" + std::string(200'000, ' ') + "a7-a6");
    child.say("query p1turn");
  });
  CHECK(child.after("response") == "response true");
  writer.join();
  std::thread second([&] {
    child.say("position startpos moves " + std::string(5'000'000, 'x') + " quit quit");
    child.say("isready");
  });
  CHECK(child.line() == "info string error: a line of more than 4,194,304 bytes isn't read");
  CHECK(child.line() == "readyok");
  second.join();
  child.say("go nodes 1");
  CHECK(child.after("bestmove") == "bestmove (none)");
}

TEST_CASE("ugi, uci: `go` thinks without end only when told so", "[protocol]") {
  const auto read = [](const std::string& text, bool first = true,
                       tools::Protocol protocol = tools::Protocol::uci) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return tools::read_go(words, first, protocol);
  };
  for (const char* wrong : {"movetime abc", "foo", "nodes", "movetime", "mate", "wtime x"}) {
    INFO(wrong);
    const auto go = read(wrong);
    CHECK(!go.faults.empty());
    CHECK(go.time == 1000);
    CHECK_FALSE(go.infinite);
  }
  CHECK(read("").time == 1000);
  CHECK(read("").faults.empty());
  CHECK(read("movestogo 3").time == 1000);
  CHECK(read("btime 60000").time == 2000); // the other's clock
  CHECK(read("wtime 30000 btime 60000", false).time == 2000);
  CHECK(read("p1time 60000 p2time 30000 movestogo 10").time == 6000);
  CHECK(read("movetime 99999999999999999999").time == std::int64_t{31} * 24 * 3600 * 1000);
  CHECK(read("movetime -5").time == 1);
  CHECK(read("nodes 0").nodes == 1);
  CHECK_FALSE(read("nodes 7").time);
  CHECK(read("depth 3").time == 60'000);
  CHECK(read("depth 3").depth == 3);
  CHECK(read("depth 3 movetime 10").time == 10);
  CHECK_FALSE(read("infinite foo").time);
  CHECK(read("ponder wtime 60000").ponder);
  CHECK(read("ponder wtime 60000").time == 2000); // from `ponderhit` on
  CHECK(read("mate 3").depth == 5);
  CHECK(read("searchmoves e2e4 d2d4 nodes 5").only == std::vector<std::string>{"e2e4", "d2d4"});
  CHECK(read("searchmoves e2e4 d2d4 nodes 5").nodes == 5);

  Child child({"ugi", "breakthrough"});
  child.say("go movetime 20 foo");
  CHECK(child.line() == "info string error: go: `foo` is not understood, and left out");
  CHECK(child.after("bestmove") != "bestmove (none)");
  child.say("go depth 2");
  CHECK(child.after("bestmove") != "bestmove (none)");
}

TEST_CASE("uci: moves as chess programs write them", "[protocol]") {
  Child child({"uci", "chess"});
  child.say("uci");
  CHECK(has(child.lines_to("uciok"), "option name UCI_Variant"));
  CHECK(answer(child, "position startpos moves f2f3 e7e5 g2g4") == "d8h4");
  CHECK(answer(child, "position fen 7k/P7/6K1/8/8/8/8/8 w - - 0 1").rfind("a7a8", 0) == 0);
  // Castling and taking in passing are there where the FEN says so.
  const auto legal = [&](const std::string& position) {
    child.say(position);
    child.say("isready");
    return child.line() == "readyok";
  };
  CHECK(legal("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8"));
  CHECK(legal("position fen r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1 moves e1g1 e8c8"));
  CHECK_FALSE(legal("position fen r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1 moves e1g1"));
  CHECK(child.line() == "readyok");
  CHECK(legal("position startpos moves e2e4 a7a6 e4e5 d7d5 e5d6"));
  CHECK(legal("position fen 4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 moves e5d6"));
  CHECK_FALSE(legal("position fen 4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1 moves e5d6"));
}

TEST_CASE("uci: every move of chess, with promotions and drops, is found by its word", "[protocol]") {
  const auto check = [](const char* name, const char* position) {
    const auto loaded = interpreter::load(name);
    REQUIRE(loaded);
    runtime::Game game(loaded.rules);
    std::istringstream in(position);
    for (std::string word; in >> word;) {
      const auto move = tools::find_protocol_move(game, word, tools::Protocol::uci);
      REQUIRE(move);
      REQUIRE(*move);
      REQUIRE(game.play(**move));
    }
    const auto moves = game.moves();
    REQUIRE(moves);
    std::string all;
    for (const runtime::Move move : *moves) {
      const auto word = tools::protocol_move(game, move, tools::Protocol::uci);
      REQUIRE(word);
      const auto found = tools::find_protocol_move(game, *word, tools::Protocol::uci);
      REQUIRE(found);
      REQUIRE(*found);
      CHECK((*found)->index() == move.index());
      all += *word + " ";
    }
    return all;
  };
  CHECK(check("chess", "").find("g1f3 ") != std::string::npos);
  CHECK(check("chess", "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6").find("b7a8n ") != std::string::npos);
  CHECK(check("crazyhouse", "e2e4 d7d5 e4d5 d8d5").find("P@e4 ") != std::string::npos);
  CHECK(check("hex", "").find("f6 ") != std::string::npos); // in its own notation
}

TEST_CASE("uci: promotions and drops as other programs of these games write them", "[protocol]") {
  const auto word = [](const char* name, const std::string& position, const char* notation) {
    const auto loaded = interpreter::load(name);
    REQUIRE(loaded);
    auto read = interpreter::read_position(loaded.rules, "test", position);
    runtime::Game game(loaded.rules);
    if (!position.empty()) {
      REQUIRE(read.game);
      game = *read.game;
    }
    const auto move = game.find(notation);
    REQUIRE(move);
    REQUIRE(*move);
    const auto text = tools::protocol_move(game, **move, tools::Protocol::uci);
    REQUIRE(text);
    const auto found = tools::find_protocol_move(game, *text, tools::Protocol::uci);
    REQUIRE(found);
    REQUIRE(*found);
    CHECK(**found == **move);
    return *text;
  };
  // A kind with which no game begins is `+`; another one its letter, also where it isn't a queen.
  CHECK(word("shogi", "4k4/P8/9/9/9/9/9/9/4K4[] Sente", "a8-a9=T") == "a8a9+");
  CHECK(word("minishogi", "k4/2S2/5/5/4K[] Sente", "c4-c5") == "c4c5");
  CHECK(word("minishogi", "k4/2S2/5/5/4K[] Sente", "c4-c5=A") == "c4c5+");
  CHECK(word("dobutsu", "1l1/C2/3/1L1[] Sente", "a3-a4=H") == "a3a4+");
  CHECK(word("makruk", "7k/8/8/P7/8/8/8/7K White", "a5-a6=M") == "a5a6m");
  CHECK(word("shogi", "4k4/9/9/9/9/9/9/9/4K4[Pp] Gote", "e5") == "P@e5");
  // What enters the cell that is left.
  CHECK(word("seirawan", "", "b1-c3/Hb1") == "b1c3h");
  CHECK(word("seirawan", "", "b1-c3") == "b1c3");
}

TEST_CASE("ugi: moves that are written alike are told apart by numbers", "[protocol]") {
  const auto loaded = interpreter::load(tests::scratch().file(
      "alike.yaml", "game: Alike\nplayers: { Black: north, White: south }\nboard: { squares: 3 by 3 }\n"
                    "pieces: { man: b w }\nsetup: { b: a1 | c1, w: c3 }\n"
                    "turn: quietly (from own, step(forward, empty)), pass\nend:\n  - draw when no move\n"));
  INFO(loaded.errors());
  REQUIRE(loaded);
  runtime::Game game(loaded.rules);
  const auto moves = game.moves();
  REQUIRE(moves);
  REQUIRE(moves->size() == 2);
  for (const runtime::Move move : *moves) {
    const auto word = tools::protocol_move(game, move, tools::Protocol::ugi);
    REQUIRE(word);
    const auto found = tools::find_protocol_move(game, *word, tools::Protocol::ugi);
    REQUIRE(found);
    REQUIRE(*found);
    CHECK(**found == move);
  }
}

TEST_CASE("uci: positions there and back", "[protocol]") {
  const auto there = [](const char* name, const std::string& position) {
    const auto loaded = interpreter::load(name);
    REQUIRE(loaded);
    const auto& program = loaded.rules->program();
    auto read = interpreter::read_position(loaded.rules, "test", position);
    REQUIRE(read.game);
    const auto text = interpreter::write_common_fen(program, read.game->position());
    REQUIRE(text);
    auto back = interpreter::read_position(loaded.rules, "test", *text);
    REQUIRE(back.game);
    CHECK(back.game->position().same_as(read.game->position()));
    return *text;
  };
  CHECK(there("chess", "play: e2-e4 a7-a6 e1-e2") ==
        "rnbqkbnr/1ppppppp/p7/8/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 1 1");
  CHECK(there("chess", "play: a2-a4 b7-b5 a4-a5 b5-b4 c2-c4") ==
        "rnbqkbnr/p1pppppp/8/P7/1pP5/8/1P1PPPPP/RNBQKBNR b KQkq c3 0 1");
  CHECK(there("xiangqi", "play: a1-a2") ==
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/R8/1NBAKABNR b - - 0 1");
  CHECK(there("minishogi", "play: e1-e2") == "rbsgk/4p/5/P3R/KGSB1[] b - - 0 1");
  CHECK(there("crazyhouse", "play: e2-e4 d7-d5 e4xd5 d8xd5") ==
        "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w KQkq - 0 1");
  CHECK(there("chess960", "1rk4r/8/8/8/8/8/8/1RK4R w Bh - 0 1") == "1rk4r/8/8/8/8/8/8/1RK4R w Bh - 0 1");
  CHECK(there("3check", "play: e2-e4 f7-f6 d1-h5") ==
        "rnbqkbnr/ppppp1pp/5p2/7Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 2+3 1 1");
}

TEST_CASE("uci, ugi: the counts below each move, and of all of them", "[protocol]") {
  const auto counts = [](const char* protocol, const std::string& game, const std::string& position,
                         const std::string& go) {
    Child child({protocol, game});
    child.say(position);
    child.say(go);
    return child.lines_to("Nodes searched");
  };
  const auto opening = counts("uci", "chess", "position startpos", "go perft 3");
  CHECK(opening.size() == 22); // twenty moves and an empty line
  CHECK(has(opening, "e2e4: 600"));
  CHECK(opening[20].empty());
  CHECK(opening.back() == "Nodes searched: 8902");
  CHECK(counts("uci", "chess", "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "go perft 2").back() ==
        "Nodes searched: 568");
  CHECK(counts("uci", "chess", "position fen r3k2r/8/8/8/8/8/8/R3K2R w - -", "go perft 1").back() ==
        "Nodes searched: 24");
  CHECK(has(counts("ugi", "breakthrough", "position startpos", "go perft 1"), "a2-a3: 1"));
  // Nothing is below the end of a game. What is asked next is answered.
  Child child({"uci", "chess"});
  child.say("position startpos moves f2f3 e7e5 g2g4 d8h4");
  child.say("go perft 2");
  CHECK(child.after("Nodes searched") == "Nodes searched: 0");
  CHECK(tests::shell("printf 'go perft 3\\nquit\\n' | '" + program_path() + "' uci chess")
            .out.find("Nodes searched: 8902\n") != std::string::npos); // it is finished before the end
  child.say("position startpos");
  child.say("go perft 99");
  child.say("stop");
  CHECK(child.after("info string error") == "info string error: go perft: stopped before all was counted");
  child.say("go perft many");
  CHECK(child.line() == "info string error: go: `perft` needs a number, and `many` is none");
  CHECK(child.after("bestmove") != "bestmove (none)");
}

TEST_CASE("uci: a pass is the king's cell twice, or that of the first piece", "[protocol]") {
  const auto pass_of = [](const char* name, const std::string& position) {
    const auto loaded = interpreter::load(name);
    REQUIRE(loaded);
    auto read = interpreter::read_position(loaded.rules, "test", position);
    INFO(read.errors());
    REQUIRE(read.game);
    const auto move = read.game->find("pass");
    REQUIRE(move);
    REQUIRE(*move);
    const auto word = tools::protocol_move(*read.game, **move, tools::Protocol::uci);
    REQUIRE(word);
    const auto found = tools::find_protocol_move(*read.game, *word, tools::Protocol::uci);
    REQUIRE(found);
    REQUIRE(*found);
    CHECK(**found == **move);
    CHECK(*tools::protocol_move(*read.game, **move, tools::Protocol::ugi) == "pass");
    return *word;
  };
  CHECK(pass_of("janggi", "play: a4-a5") == "e9e9");
  CHECK(pass_of("janggi", "4k4/9/9/9/9/9/9/9/3K5/R8 w - - 0 1") == "d2d2");
  CHECK(pass_of("go", "play: c3 d4") == "c3c3");
  CHECK(pass_of("go", "ply: 0") == "0000");
}

TEST_CASE("uci: every `go` is informed about, and says what it expects next", "[protocol]") {
  for (const char* player : {"alphabeta", "mcts"}) {
    INFO(player);
    Child child({"uci", "chess", "--player", player});
    for (const char* go : {"go nodes 1", "go depth 1", "go movetime 1", "go mate 1"}) {
      INFO(go);
      child.say("position startpos moves e2e4");
      child.say(go);
      CHECK(has(child.lines_to("bestmove"), "info depth"));
    }
    child.say("go nodes 5000");
    CHECK(child.after("bestmove").find(" ponder ") != std::string::npos);
    child.say("setoption name MultiPV value 3");
    for (const char* go : {"go nodes 1", "go depth 1", "go nodes 30"}) {
      INFO(go);
      child.say(go);
      const auto lines = child.lines_to("bestmove");
      for (int number = 1; number <= 3; ++number)
        CHECK(std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
          return line.find(" multipv " + std::to_string(number) + " ") != std::string::npos;
        }));
    }
  }
  // Of a game that is over, too.
  Child child({"uci", "chess"});
  child.say("position fen 7k/8/8/8/8/8/5q2/7K w - - 0 1");
  child.say("go nodes 1");
  CHECK(child.line() == "info depth 0 score cp 0");
  CHECK(child.line() == "bestmove (none)");
}

TEST_CASE("uci: which search thinks is told once", "[protocol]") {
  Child child({"uci", "chess"});
  const auto told = [&] {
    child.say("position startpos");
    child.say("go nodes 3000");
    const auto lines = child.lines_to("bestmove");
    return std::count_if(lines.begin(), lines.end(),
                         [](const std::string& line) { return line.rfind("info string", 0) == 0; });
  };
  CHECK(told() == 1);
  CHECK(told() == 0);
  child.say("setoption name Hash value 1");
  CHECK(told() == 1);
}

TEST_CASE("uci: positions of another notation, and what is left out of one", "[protocol]") {
  Child child({"uci", "shogi"});
  child.say("position sfen 4k4/9/9/9/9/9/9/9/4K4 b R 1 moves R@e5");
  child.say("query p1turn");
  CHECK(child.line() == "response false");
  child.say("position fen 4k4/9/9/9/9/9/9/9/4K4[R] w KQ - 0 1");
  CHECK(child.line() == "info string warning: `KQ` means nothing to this game, and is left out");
  child.say("position fen 4k4/9/9/9/9/9/9/9/4K4[R] x - - 0 1");
  CHECK(child.line().rfind("info string error: the position is wrong", 0) == 0);
}

TEST_CASE("uci: another game by its name", "[protocol]") {
  Child child({"uci", "chess"});
  child.say("uci");
  const std::string option = child.after("option name UCI_Variant");
  CHECK(option.rfind("option name UCI_Variant type combo default chess var ", 0) == 0);
  for (const char* name : {" var chess", " var crazyhouse", " var shogi", " var hex"})
    CHECK(option.find(name) != std::string::npos);
  CHECK(option.find(" var halma4") == std::string::npos); // for four
  child.after("uciok");
  CHECK(answer(child, "position startpos moves f2f3 e7e5 g2g4") == "d8h4");
  child.say("setoption name UCI_Variant value shogi");
  CHECK(answer(child, "position startpos moves c3c4", "go nodes 5") != "(none)");
  child.say("setoption name UCI_Variant value chess");
  CHECK(answer(child, "position startpos moves f2f3 e7e5 g2g4") == "d8h4");
  const std::vector<std::pair<const char*, const char*>> refused = {
      {"nosuchgame", "info string error: there is no game `nosuchgame`; the game is chess"},
      {"../chess.yaml", "info string error: there is no game `../chess.yaml`; the game is chess"},
      {"klotski", "info string error: klotski: the protocol is for games of two; this one has 1 player"}};
  for (const auto& [name, message] : refused) {
    child.say(std::string("setoption name UCI_Variant value ") + name);
    CHECK(child.line() == message);
  }
  CHECK(answer(child, "position startpos moves f2f3 e7e5 g2g4") == "d8h4"); // it is still chess
}

TEST_CASE("games have the names that programs of chess variants give them", "[protocol]") {
  // Of Fairy-Stockfish's list, those that are bundled.
  for (const char* name :
       {"3check",     "amazons",       "antichess", "ataxx",      "atomic",    "breakthrough",
        "capablanca", "chess",         "clobber",   "crazyhouse", "dobutsu",   "horde",
        "janggi",     "kingofthehill", "losalamos", "makruk",     "minishogi", "racingkings",
        "seirawan",   "shatranj",      "shogi",     "tictactoe",  "xiangqi"}) {
    INFO(name);
    const auto known = dsl::known_games();
    CHECK(std::find(known.begin(), known.end(), name) != known.end());
  }
}

TEST_CASE("the share of a clock that a move takes", "[protocol]") {
  CHECK(tools::share_of({60'000, 0, 0}) == 2000);
  CHECK(tools::share_of({60'000, 1000, 0}) == 2750);
  CHECK(tools::share_of({60'000, 0, 1}) == 59'980);
  CHECK(tools::share_of({10, 0, 0}) == 1); // never nothing, and hardly more than there is
  CHECK(tools::share_of({100, 5000, 0}) == 80);
}

TEST_CASE("what a move takes of a clock where it matters more", "[protocol]") {
  CHECK(tools::most_of({60'000, 0, 0}) == 6000);
  CHECK(tools::most_of({60'000, 0, 1}) == 59'980); // the last move has it all
  CHECK(tools::most_of({60'000, 0, 2}) == 30'000 + 29'980 / 4);
  CHECK(tools::most_of({10, 0, 0}) == 1);
  for (const std::int64_t left : {1, 21, 100, 5000, 1'000'000}) {
    INFO(left);
    CHECK(tools::most_of({left, 0, 0}) >= tools::share_of({left, 0, 0}));
    CHECK(tools::most_of({left, 1000, 0}) <= std::max<std::int64_t>(1, left - 20));
  }
  CHECK_FALSE(
      tools::read_go({"movetime", "100"}, true, tools::Protocol::uci).latest); // so long, and not longer
  CHECK_FALSE(tools::read_go({"nodes", "100"}, true, tools::Protocol::uci).latest);
  CHECK(tools::read_go({"wtime", "60000", "btime", "1"}, true, tools::Protocol::uci).time == 2000);
  CHECK(tools::read_go({"wtime", "60000", "btime", "1"}, true, tools::Protocol::uci).latest == 6000);
}

TEST_CASE("a clock is a share to think for, and how far one may go beyond", "[protocol]") {
  runtime::search::ThinkLimits limits;
  const std::chrono::steady_clock::time_point begin{std::chrono::hours(1)};
  tools::limit_by(limits, begin, {60'000, 0, 0});
  CHECK(limits.deadline == begin + std::chrono::milliseconds(2000));
  CHECK(limits.latest == begin + std::chrono::milliseconds(6000));
}

TEST_CASE("moves of a session are those of the game as it stands", "[protocol]") {
  runtime::Game game(load_rules("tictactoe"));
  const auto play = [&](const char* word) {
    const auto move = game.find(word);
    REQUIRE(move);
    REQUIRE(*move);
    REQUIRE(game.play(**move));
  };
  CHECK(tools::moves_made(game, 0) == 0);
  for (const char* word : {"a1", "b2", "c3"}) play(word);
  CHECK(tools::moves_made(game, 0) == 2);
  CHECK(tools::moves_made(game, 1) == 1);
  game.undo();
  CHECK(tools::moves_made(game, 0) == 1);
  CHECK(game.length() == 2); // it is looked at, and stays
  CHECK(tools::moves_until_more(40, 0) == 40);
  CHECK(tools::moves_until_more(40, 39) == 1);
  CHECK(tools::moves_until_more(40, 40) == 40);
}

TEST_CASE("the protocols are for games of two", "[protocol]") {
  const auto run = tests::run("ugi klotski </dev/null");
  CHECK(run.status == 1);
  CHECK(run.err.find("for games of two") != std::string::npos);
  CHECK(tests::run("ugi hex --player clever </dev/null").status == 2);
  CHECK(tests::run("ugi nosuchgame </dev/null").status == 3);
}

// ---- positions at every door: commands, both protocols, records, tests of rule files, the studio

TEST_CASE("a position is read alike at every door", "[doors]") {
  for (const At& at : tests::sampled(kPositions, 3)) {
    INFO(at.game << ": " << at.text);
    const std::string option = std::string(at.game) + " --position '" + at.text + "'";
    const Run shown = run("show --json " + option);
    CHECK(shown.err.empty());
    REQUIRE(shown.status == 0);
    const json position = json::parse(shown.out)["position"], fen = json::parse(shown.out)["fen"];
    const Run counts = run("perft --depth 1 " + option);
    REQUIRE(counts.status == 0);
    const std::string count = counts.out.substr(2, counts.out.find('\n') - 2);
    CHECK(counted("uci", at) == count);
    CHECK(counted("ugi", at) == count);
    CHECK(has(shell("echo fen | '" + program_path() + "' play --player all=person " + option).out,
              fen.get<std::string>()));
    check_rule_file(at, count);
    check_record(at, position);
    check_studio(at, position);
  }
}

TEST_CASE("what can't be read is told alike at every door", "[doors]") {
  const At at = {"chess", "r3k2r/8/8/8/8/8/8/R3K2R w - z9"};
  const std::string told = "`z9` can't be read as a field of a FEN";
  const Run shown = run(std::string("show chess --position '") + at.text + "'");
  CHECK(shown.status == 1);
  CHECK(has(shown.err, told));
  CHECK(has(shown.err, "expected the cell that may be taken in passing, or `-`"));
  for (const char* protocol : {"ugi", "uci"}) {
    Child child({protocol, at.game});
    child.say(std::string("position fen ") + at.text);
    CHECK(has(child.after("info string error"), told));
  }
  const std::string record = scratch().file("door.txt", std::string("[Position \"") + at.text + "\"]\n\n");
  const Run replayed = run("replay --rules chess '" + record + "'");
  CHECK(replayed.status == 1);
  CHECK(has(replayed.err, told));
  const auto loaded = interpreter::load(at.game);
  REQUIRE(loaded);
  const auto view = tools::arranged_view(loaded, interpreter::look_of(loaded), at.text, false);
  CHECK(has(view["error"].get<std::string>(), told));
}

TEST_CASE("ugi tells what nature may roll, with its weights") {
  Child child({"ugi", "pig"});
  child.say("chance");
  CHECK(child.after("chance") == "chance none");
  child.say("position startpos moves roll");
  child.say("chance");
  CHECK(child.after("chance") == "chance (1) 1 (2) 1 (3) 1 (4) 1 (5) 1 (6) 1");
  child.say("go nodes 10"); // is rolled
  CHECK(child.after("bestmove").substr(0, 10) == "bestmove (");
  child.say("go seat p1 nodes 10");
  CHECK(child.after("bestmove") == "bestmove (none)");
}

// Where a card is out nature's move that would draw it weighs nothing, and isn't listed.
TEST_CASE("ugi tells a seat what it knows, and answers for it alone") {
  Child child({"ugi", "kuhn"});
  child.say("position startpos moves <(2)>");
  child.say("chance");
  CHECK(child.after("chance") == "chance <(1)> 1 <(3)> 1");
  child.say("position startpos moves (2) (3)"); // the signs may be left away
  const auto seen = [&](const std::string& seat) {
    child.say("seen " + seat);
    return child.lines_to("seenok");
  };
  const auto first = seen("p1"), second = seen("p2");
  REQUIRE(first.size() == 4);
  CHECK(first[0].rfind("seen p1 ", 0) == 0);
  CHECK(has(first[1], "First: (2)"));
  CHECK(has(first[2], "?"));
  CHECK_FALSE(has(first[2], "(3)"));
  CHECK(has(second[1], "First: ?"));
  CHECK(has(second[2], "(3)"));
  child.say("d p2");
  child.say("isready");
  std::string drawn;
  for (const std::string& line : child.lines_to("readyok")) drawn += line + "\n";
  CHECK(has(drawn, "Second.card = 3"));
  CHECK_FALSE(has(drawn, "First.card"));
  child.say("go seat p2 nodes 50");
  CHECK(child.after("bestmove") == "bestmove (none)"); // it is the first one's turn
  child.say("go seat p1 nodes 50");
  CHECK(child.after("bestmove") != "bestmove (none)");
  for (const char* const wrong : {"seen", "seen p3", "seen p1 p2", "d p0"}) {
    child.say(wrong);
    CHECK(has(child.after("info string error"), "p1"));
  }
}

// Two games that differ in what the other one holds are told alike.
TEST_CASE("ugi tells no seat what it doesn't see") {
  Child child({"ugi", "darkhex"});
  std::vector<std::vector<std::string>> told;
  for (const char* const moves : {"b2 c3", "b2 d4"}) {
    child.say(std::string("position startpos moves ") + moves);
    child.say("seen p1");
    told.push_back(child.lines_to("seenok"));
    child.say("d p1");
    child.say("isready");
    const auto board = child.lines_to("readyok");
    told.back().insert(told.back().end(), board.begin(), board.end());
  }
  CHECK(told[0] == told[1]);
  CHECK(told[0].size() > 4);
}

} // namespace protocol_test
