// Positions in one line, our own and those of other programs: what is read, what is refused, what is written.
#include "interpreter/notation/fen.hpp"

#include "interpreter/load.hpp"
#include "interpreter/notation/position_text.hpp"
#include "tests/rule_files.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fen_test {

using namespace boardwright;

namespace {

// All that a FEN can hold; the rules ask for `ply` and `turns`.
constexpr const char* kRules = R"(
game: Everything
players: { Black: north, White: south, Brown: east }
board: { squares: 4 by 3, holes: d1 }
pieces: { man: b w n, king: { Black: B, White: W }, wall: neutral x }
hands: { man: 5, wall: { White: 2, Black: 0, Brown: 0 } }
setup: { b: a1, w: c3 }
state:
  passes: 0
  open: false
  marked: a1 | b2
  favourite: man
  host: White
  store: { each: 0 }
turn: from own, step(forward, empty), require ply >= 0 and turns >= 0
)";

std::shared_ptr<const runtime::Rules> rules_of(const std::string& text) {
  const auto loaded = interpreter::load_text("everything.yaml", text);
  INFO(loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded.rules;
}

const std::shared_ptr<const runtime::Rules>& rules() {
  static const auto made = rules_of(kRules);
  return made;
}

interpreter::PositionText tried(const std::string& text) {
  return interpreter::read_position(rules(), "position", text);
}

runtime::Position read(const std::string& text) {
  const auto result = tried(text);
  INFO(result.errors());
  REQUIRE(result.game);
  return result.game->position();
}

std::string written(const std::string& text) {
  return interpreter::write_fen(rules()->program(), read(text)).value_or("none");
}

interpreter::PositionText read_in(const std::string& game, const std::string& text) {
  static std::map<std::string, std::shared_ptr<const runtime::Rules>> loaded; // each once: some take a while
  auto& rules = loaded[game];
  if (rules == nullptr) rules = tests::load_rules(game);
  return interpreter::read_position(rules, "position", text);
}

runtime::Position position_in(const std::string& game, const std::string& text) {
  const auto read = read_in(game, text);
  INFO(game << ": " << text << "\n" << read.errors());
  REQUIRE(read.game);
  return read.game->position();
}

// Two texts of one position.
struct Pair {
  const char *game, *one, *other;
};

} // namespace

TEST_CASE("a FEN is read and written") {
  for (const std::string text : {
           "2w1/4/b2[] 1",
           "2w1/4/b2[bbbbbwwwwwnnnnn] w ply=0",
           "x3/1BW1/n2[bw12n] 3 ply=3",
           "4/4/3[] w hands.White.wall=2 passes=-3 open=true marked=none favourite=none host=Brown ply=7",
           "4/4/3[b] w marked=a1,b2,c2 favourite=king store.White=4 ply=7 turns.Black=0 out=Black",
       }) {
    INFO(text);
    CHECK(written(text) == text);
  }
  CHECK(interpreter::write_fen(rules()->program(), rules()->program().initial) ==
        "2w1/4/b2[bbbbbwwwwwnnnnn] 1 hands.White.wall=2 ply=0");
}

TEST_CASE("a FEN is read in several spellings") {
  const auto same = [](const std::string& one, const std::string& other) {
    INFO(one << " " << other);
    CHECK(read(one).same_as(read(other)));
  };
  same("2w1/4/b2 w", "2w1/4/b2 White");
  same("2w1/4/b2 w", "2w1/4/b2 W");
  same("2w1/4/b2 w", "2w1/4/b2 2");
  same("2w1/4/b2 w", "..w./4/b..# w");
  same("2w1/4/b2 w", "fen: 2w1/4/b2 w");
  same("2w1/4/b2 w", "{\"fen\": \"2w1/4/b2\", \"to_move\": \"White\"}");
  same("2w1/4/b2[2b] w", "2w1/4/b2[bb] w");
  same("2w1/4/b2[] w", "2w1/4/b2[-] w");
  same("2w1/4/b2 w", "cells: { c3: w, a1: b }\nto_move: White");
  CHECK(read("2w1/4/b2").to_move == 0);
  CHECK(read("2w1/4/b2 w").ply == 1000);
  CHECK(read("2w1/4/b2 w").hands == rules()->program().initial.hands);
}

TEST_CASE("on a board with one rank a FEN has no `/`, and perhaps as many words as there are cells") {
  const auto loaded = interpreter::load_text(
      "game.yaml", "game: T\nplayers: [A]\nboard: { squares: 3 by 1 }\npieces: { peg: n }\nsetup: { n: a1 }\n"
                   "turn: from own, to empty\nend: [draw when ply > 6]\n");
  REQUIRE(loaded.rules != nullptr);
  const auto fen_of = [&](const std::string& text) {
    const auto result = interpreter::read_position(loaded.rules, "position", text);
    INFO(text);
    REQUIRE(result.game);
    return interpreter::write_fen(loaded.rules->program(), result.game->position()).value_or("none");
  };
  CHECK(fen_of("n2 a ply=0") == "n2 a ply=0");
  CHECK(fen_of("nnn a ply=0") == "nnn a ply=0");
  CHECK(fen_of(". n .") == "1n1 a"); // a picture
}

TEST_CASE("a FEN that is none is refused with its place") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"4/4 w", "position:1:1: error: this FEN has 2 ranks, but the board has 3"},
      {"4/4/3/3 w", "this FEN has 4 ranks"},
      {"5/4/3 w", "position:1:1: error: 5 empty cells, and the board has 4 files"},
      {"4/bbbbb/3 w", "position:1:3: error: this row has 5 symbols, but the board has 4 files"},
      {"4/2/3 w", "position:1:3: error: this row has 2 symbols, but the board has 4 files"},
      {"4/3q/3 w", "position:1:4: error: no piece has the letter `q`"},
      {"4/4/b2x w", "there is a piece on a hole"},
      {"4/4/3 b", "`b` says of no player that he is to move"},
      {"4/4/3 b", "write `1` (Black) or `w` (White) or `3` (Brown)"},
      {"4/4/3 4", "`4` says of no player"},
      {"4/4/3[b w", "the pieces in hand aren't closed"},
      {"4/4/3[q] w", "`q` is not a piece in hand"},
      {"4/4/3[2] w", "`2` is not a piece in hand"},
      {"4/4/3[B] w", "nobody has `king` in hand by the letter `B`"},
      {"4/4/3[x] w", "nobody has `wall` in hand by the letter `x`"},
      {"4/4/3[9999999999b] w", "`9999999999b` is not a piece in hand"},
      {"4/4/3 w lap=3", "position:1:9: error: the game has no state `lap`"},
      {"4/4/3 w lap=3", "its state is passes, open, marked, favourite, host, store; write `passes=VALUE`"},
      {"4/4/3 w passes=a1", "expected a whole number"},
      {"4/4/3 w passes=", "position:1:16: error"},
      {"4/4/3 w store=1,2", "position:1:"},
      {"4/4/3 w marked=a1,z9", "position:1:"},
      {"4/4/3 w ply=-1", "this number is below 0"},
      {"4/4/3 w turns.Red=1", "there is no player `Red`"},
      {"4/4/3 w hands.White.king=1", "the supply of `king` is unlimited"},
      {"4/4/3 w out=Red", "there is no player `Red`"},
      {"4/4/3 w out=White", "White is to move and has been put out"},
  };
  for (const auto& [text, trouble] : cases) {
    const auto result = tried(text);
    INFO(text << "\n" << result.errors());
    CHECK_FALSE(result.game);
    CHECK(result.errors().find(trouble) != std::string::npos);
  }
}

TEST_CASE("fields that mean nothing are left out with a word") {
  const auto result = tried("2w1/4/b2 w KQkq - 0 1 passes=2");
  REQUIRE(result.game);
  CHECK(result.game->position().variables[0].number == 2);
  CHECK(result.errors().find("warning: `KQkq` means nothing to this game, and is left out") !=
        std::string::npos);
  CHECK(result.diagnostics.all().size() == 1);
  CHECK(tried("2w1/4/b2 w -").diagnostics.all().empty()); // it says nothing
}

TEST_CASE("some games have no FEN") {
  for (const std::string board : {"{ squares: 2 by 2, stacks: true }", "{ squares: 2 by 2 }"}) {
    const bool stacks = board.find("stacks") != std::string::npos;
    const auto made = rules_of("game: G\nplayers: [Black, White]\nboard: " + board + "\npieces: { man: b " +
                               (stacks ? "w" : "2") + " }\nturn: place(man, empty)\n");
    CHECK_FALSE(interpreter::write_fen(made->program(), made->program().initial));
    const auto read = interpreter::read_position(made, "position", "2/2 b");
    CHECK_FALSE(read.game);
    CHECK(read.errors().find(stacks ? "this board has stacks" : "has a meaning of its own in a FEN") !=
          std::string::npos);
  }
}

TEST_CASE("positions of other programs are those of our own words") {
  const std::vector<Pair> pairs = {
      // Castling: all, some, none; by files; of a first row that was dealt by lot.
      {"chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w"},
      {"chess", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w"},
      {"chess", "r3k2r/8/8/8/8/8/8/R3K2R b Kq -", "r3k2r/8/8/8/8/8/8/R3K2R b rights=e1,h1,a8,e8"},
      {"chess", "r3k2r/8/8/8/8/8/8/R3K2R w - -", "r3k2r/8/8/8/8/8/8/R3K2R w rights=none"},
      {"chess", "r3k2r/8/8/8/8/8/8/R3K2R w -", "r3k2r/8/8/8/8/8/8/R3K2R w rights=none"},
      {"capablanca", "r4k3r/10/10/10/10/10/10/R4K3R w Qk - 0 1",
       "r4k3r/10/10/10/10/10/10/R4K3R w rights=a1,f1,f8,j8"},
      {"shako", "10/r4k2r1/10/10/10/10/10/10/1R3K2R1/10 w KQ - 0 9",
       "10/r4k2r1/10/10/10/10/10/10/1R3K2R1/10 w rights=b2,f2,i2"},
      {"horde", "r3k2r/8/8/8/8/8/8/P7 b kq - 0 1", "r3k2r/8/8/8/8/8/8/P7 b"},
      // Rights that other pieces have, and what enters where a piece leaves.
      {"ouk", "r1s1ks1r/3nm3/pppNpppp/3n4/5P2/PPPPPNPP/8/R1SKMS1R b DEe 0 0 5",
       "r1s1ks1r/3nm3/pppNpppp/3n4/5P2/PPPPPNPP/8/R1SKMS1R b rights=d1,e1,e8"},
      {"seirawan", "reb1k2r/ppppqppp/2nb1n2/4p3/4P3/N1P2N2/PB1PQPPP/RE2KBHR[h] b KQkqc - 3 7",
       "reb1k2r/ppppqppp/2nb1n2/4p3/4P3/N1P2N2/PB1PQPPP/RE2KBHR[h] b gates=a1,e1,h1,a8,c8,e8,h8 idle=3"},
      // Pieces that are still to be placed keep what the set-up gives them.
      {"placementchess", "r3k3/pppppppp/8/8/8/8/PPPPPPPP/R6R[Kr] w q - 0 1",
       "r3k3/pppppppp/8/8/8/8/PPPPPPPP/R6R[Kr] w"},
      // In passing.
      {"chess", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
       "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b passant=e3"},
      {"chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
       "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"}, // nobody can take there
      {"chess", "4k3/8/4n3/3PpP2/8/8/8/4K3 w - e6 0 1",
       "4k3/8/4n3/3PpP2/8/8/8/4K3 w rights=none"}, // nor has anything leapt over a cell with a piece
      // Moves that are counted down to a draw.
      {"makruk", "8/8/3k4/8/3M4/3KR3/8/8 w - 64 12 1", "8/8/3k4/8/3M4/3KR3/8/8 w limit=64 counted=12"},
      // Checks: left, and given.
      {"3check", "7k/8/8/8/8/8/8/4K2R w - - 1+3 1 39",
       "7k/8/8/8/8/8/8/4K2R w rights=none checks.White=2 idle=1"},
      {"3check", "7k/8/8/8/8/8/8/4K2R w - - 1 39 +2+0",
       "7k/8/8/8/8/8/8/4K2R w rights=none checks.White=2 idle=1"},
      // Who is to move, whatever he is called.
      {"xiangqi", "4k4/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "4k4/9/9/9/9/9/9/9/9/R3K4 Red"},
      {"xiangqi", "4k4/9/9/9/9/9/9/9/9/R3K4 b - - 0 1", "4k4/9/9/9/9/9/9/9/9/R3K4 Black"},
      {"xiangqi", "4k4/9/9/9/9/9/9/9/9/R3K4 w", "4k4/9/9/9/9/9/9/9/9/R3K4 1"},
      {"janggi", "4k4/9/9/9/9/9/9/9/9/R3K4 b - - 0 1", "4k4/9/9/9/9/9/9/9/9/R3K4 Han"},
      {"dobutsu", "g1e/1cL/lC1/E1G[] w - - 4 3", "g1e/1cL/lC1/E1G[] Sente"},
      // Promoted pieces, and hands in brackets and behind a slash.
      {"crazyhouse", "2k5/8/8/8/8/8/8/4K3/Qn w - - 0 1", "2k5/8/8/8/8/8/8/4K3[Qn] w rights=none"},
      {"crazyhouse", "2k5/8/8/8/8/8/8/4K3/ w - - 0 1", "2k5/8/8/8/8/8/8/4K3[] w rights=none"},
      {"crazyhouse", "Q~1k5/8/8/8/8/8/8/4K1q~1[] w - - 0 1",
       "Q1k5/8/8/8/8/8/8/4K1q1[] w rights=none promoted=true:a8,g1"},
      {"shogi", "4k4/9/+P+L+N+S1+B+R2/9/9/9/9/4+p4/4K4[-] w 0 1", "4k4/9/TYEA1HD2/9/9/9/9/4t4/4K4[] Sente"},
      {"kyotoshogi", "p+nks+l/5/5/5/+LSK+NP[-] w 0 1", "pgkst/5/5/5/TSKGP[] Sente"},
      {"dobutsu", "g1e/1cL/lC1/E1+C[] w - - 4 3", "g1e/1cL/lC1/E1H[] Sente"},
      // SFEN: `b` begins.
      {"shogi", "4k4/9/9/9/9/9/9/9/4K4 b - 1", "4k4/9/9/9/9/9/9/9/4K4[] Sente"},
      {"shogi", "4k4/9/9/9/9/9/9/9/4K4 w RB2P12p 1", "4k4/9/9/9/9/9/9/9/4K4[RBPP12p] Gote"},
      {"shogi", "sfen 4k4/9/9/9/9/9/9/9/4K4 b R 1", "4k4/9/9/9/9/9/9/9/4K4[R] Sente"},
      {"chushogi", "sfen +l11/12/12/12/12/12/12/12/12/12/12/+P10K b - 1",
       "w11/12/12/12/12/12/12/12/12/12/12/G10K Sente promoted=true:a1,a12"}, // turned over, and it knows
      // One kind of piece, whatever its letters are here.
      {"breakthrough", "1p6/8/8/8/8/8/8/P7 w - - 1 26", "1b6/8/8/8/8/8/8/w7 White"},
      // PDN: by numbers, by names, ranges, kings.
      {"internationaldraughts", "W:W31,K50:B20,1",
       "{ to_move: White, cells: { b4: w, i1: W, i7: b, b10: b } }"},
      {"internationaldraughts", "B:Wa1,Kc1:B1-3.",
       "{ to_move: Black, cells: { a1: w, c1: W, b10: b, d10: b, f10: b } }"},
      {"englishdraughts", "B:W18,32:BK4,1", "{ to_move: Black, cells: { e5: w, b8: w, a1: B, g1: b } }"},
      // A diagram, JSON.
      {"dobutsu", "g . e\n. c L\nl C .\nE . G\n",
       "{\"fen\": \"g1e/1cL/lC1/E1G w - - 4 3\", \"hands\": \"none\"}"},
  };
  for (const Pair& pair : pairs) {
    INFO(pair.game << ": " << pair.one);
    CHECK(position_in(pair.game, pair.one).same_as(position_in(pair.game, pair.other)));
  }
}

TEST_CASE("who castles in a row that was dealt by lot is named by files or by being outermost") {
  const std::string board = "1rk4r/8/8/8/8/8/8/1RK4R w ";
  const auto moves = [&](const std::string& rights) {
    auto read = read_in("chess960", board + rights + " - 0 1");
    REQUIRE(read.game);
    const auto notations = read.game->notations();
    REQUIRE(notations);
    std::string castling;
    for (const std::string& move : *notations)
      if (move == "c1b1" || move == "c1h1") castling += move + " ";
    return castling;
  };
  CHECK(moves("KQkq").find("c1b1 ") != std::string::npos);
  CHECK(moves("KQkq") == moves("HBhb"));
  CHECK(moves("Hh") == "c1h1 ");
  CHECK(moves("Q") == "c1b1 ");
  CHECK(moves("-").empty());
}

TEST_CASE("what can't be read says what is expected, at its place, in the letters of the game") {
  const std::vector<Pair> cases = {
      {"chess", "r3k2r/8/8/8/8/8/8/R3K2R x - -", "position:1:25: error: `x` says of no player"},
      {"chess", "r3k2r/8/8/8/8/8/8/R3K2R w K!Q -",
       "expected who may castle: `KQkq`, some of these, files from `A` to `H`, or `-`"},
      {"chess", "r3k2r/8/8/8/8/8/8/R3K2R w - z9", "position:1:29: error: `z9` can't be read"},
      {"chess", "r3k2r/8/8/8/8/8/8/R3K2R w - z9", "expected the cell that may be taken in passing, or `-`"},
      {"chess", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1 2", "`2` can't be read as a field of a FEN"},
      {"chess", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 one", "`one` can't be read as a field of a FEN"},
      {"chess", "r3k2r/8/8/8/8/8/8/R3K1xR w", "position:1:23: error: no piece has the letter `x`"},
      {"chess", "r3k2r/8/8/8/8/8/8/R3K1xR w", "letters are P p (pawn), N n (knight)"},
      {"chess", "Q~3k2r/8/8/8/8/8/8/R3K2R w", "`~` marks a promoted piece"},
      {"chess", "+P3k2r/8/8/8/8/8/8/R3K2R w", "no piece of this game is"},
      {"shogi", "4k4/9/+K8/9/9/9/9/9/4K4[] b", "there are `+P`, `+L`, `+N`, `+S`, `+B`, `+R`"},
      {"shogi", "4k4/9/9/9/9/9/9/9/4K4[] x", "or `w` and `b` as other programs do"},
      {"shogi", "4k4/9/9/9/9/9/9/9/4K4 b 2K 1", "nobody has `king` in hand"},
      {"shogi", "sfen 4k4/9/9/9/9/9/9/9/4K4 b - one", "the number of the move"},
      {"shogi", "4k4/9/9/9/9/9/9/9/4K4[2X] b", "`2X` is not a piece in hand"},
      {"chess", "4k3/8/8/8/8/8/8/4K3[Q] w", "nobody has a hand in this game"},
      {"chess", "4k3/8/8/8/8/8/8/4K3/Q w", "this FEN has 9 ranks, but the board has 8"},
      {"internationaldraughts", "X:W1:B2", "position:1:1: error: `X` is no player"},
      {"internationaldraughts", "W:W51:B2", "position:1:4: error: `51` is no cell"},
      {"internationaldraughts", "W:W51:B2", "numbers from 1 to 50, or names such as b10"},
      {"internationaldraughts", "W:WQ3:B2", "no kind of piece begins with `Q`"},
      {"internationaldraughts", "W:W9-3:B2", "`9-3` is no range of cells"},
      {"internationaldraughts", "W:W1-2-3:B2", "`1-2-3` is no range of cells"},
      {"internationaldraughts", "W:W1,:B2", "`` is no cell"},
      {"internationaldraughts", "W:W1::B2", "a player and his cells are missing here"},
      {"internationaldraughts", "W:W1,2-3:B2", "a piece stands on `2` already"},
      {"lasca", "W:W1:B2", "has one piece on each"},
      {"shogi", "4k4/9/9/9/9/9/9/9/4K4 b X 1", "expected the pieces in hand, as in `2Pb`, or `-`"},
      {"xiangqi", "4k4/9/9/9/9/9/9/9/9/R3K4 w XX - 0 1", "nobody does here"},
  };
  for (const auto& [game, text, trouble] : cases) {
    const auto read = read_in(game, text);
    INFO(game << ": " << text << "\n" << read.errors());
    CHECK_FALSE(read.game);
    CHECK(read.errors().find(trouble) != std::string::npos);
  }
}

TEST_CASE("what other programs say and the game doesn't know is left out with a word") {
  const std::vector<Pair> cases = {
      {"makruk", "7k/8/8/8/8/8/8/7K w KQ - 0 1", "`KQ` of `KQ` names no pieces that may castle"},
      {"xiangqi", "4k4/9/9/9/9/9/9/9/9/R3K4 w KQ - 0 1", "`KQ` means nothing to this game"},
      {"xiangqi", "4k4/9/9/9/9/9/9/9/9/R3K4 w - e3 0 1", "`e3` means nothing to this game"},
      {"chess", "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1", "`3+3` means nothing to this game"},
      {"chess", "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "`Q` of `KQ` names no pieces that may castle"},
      {"chess", "4k3/8/8/8/8/8/8/R5KR w KQ - 0 1", "what begins on a1,e1,h1,a8,e8,h8 may"},
  };
  for (const auto& [game, text, warning] : cases) {
    const auto read = read_in(game, text);
    INFO(game << ": " << text << "\n" << read.errors());
    CHECK(read.game);
    CHECK(read.errors().find(warning) != std::string::npos);
  }
  for (const char* silent : {"7k/8/8/8/8/8/8/7K w - - 0 1", "7k/8/8/8/8/8/8/7K b"})
    CHECK(read_in("makruk", silent).diagnostics.all().empty());
}

TEST_CASE("counters of a list of cells are none where a player is called so") {
  const auto rules = rules_of("game: Farm\nplayers: { Fox: north, Hen: south }\nboard: { squares: 4 by 4 }\n"
                              "pieces: { bird: f h }\nturn: place(bird, empty)\n");
  const auto read = interpreter::read_position(rules, "position", "F:F14:H1");
  INFO(read.errors());
  REQUIRE(read.game);
  CHECK(*interpreter::write_fen(rules->program(), read.game->position()) == "h3/4/4/1f2 f");
  CHECK(position_in("internationaldraughts", "W:W31,32:B20:H3:F12")
            .same_as(position_in("internationaldraughts", "W:W31,32:B20")));
}

TEST_CASE("a game that ends after a number of moves goes on from a board that is given") {
  const std::string line =
      "board: { squares: 3 by 3 }\npieces: { man: b w }\nplayers: { Black: north, White: south }\n"
      "turn: place(man, empty)\n";
  const auto over = [&](const std::string& end, const std::string& fen) {
    const auto rules = rules_of("game: Counted\n" + line + "end:\n  - " + end + "\n");
    const auto read = interpreter::read_position(rules, "position", fen);
    REQUIRE(read.game);
    auto game = *read.game;
    const auto outcome = game.outcome();
    REQUIRE(outcome);
    return outcome->has_value();
  };
  CHECK_FALSE(over("draw when ply >= 100", "3/1b1/3 w"));
  CHECK(over("draw when ply >= 100", "3/1b1/3 w ply=100"));
  CHECK_FALSE(over("draw when turns >= 100", "3/1b1/3 w"));
  CHECK(over("draw when ply >= 1", "3/1b1/3 w")); // it would be over after one move, too
  CHECK(over("draw when count(own) = 0 or ply >= 100", "3/1b1/3 w"));
  // What is written can be read again.
  const auto rules = rules_of("game: Counted\n" + line + "end:\n  - draw when ply >= 100\n");
  for (const char* fen : {"3/1b1/3 b", "3/1b1/3 b ply=3"}) {
    const auto read = interpreter::read_position(rules, "position", fen);
    REQUIRE(read.game);
    CHECK(*interpreter::write_fen(rules->program(), read.game->position()) == fen);
  }
}

TEST_CASE("positions as other programs write them are read back") {
  const auto written = [](const char* game, const char* text) {
    const auto rules = tests::load_rules(game);
    const auto position = position_in(game, text);
    const auto fen = interpreter::write_common_fen(rules->program(), position);
    REQUIRE(fen);
    CHECK(position_in(game, *fen).same_as(position));
    return *fen;
  };
  CHECK(written("crazyhouse", "Q~1k5/8/8/8/8/8/8/4K3[Qn] w - - 0 1") ==
        "Q~1k5/8/8/8/8/8/8/4K3[Qn] w - - 0 1");
  CHECK(written("shogi", "4k4/9/T8/9/9/9/9/9/4K4[RPP] Gote") == "4k4/9/+P8/9/9/9/9/9/4K4[PPR] b - - 0 1");
  CHECK(written("kyotoshogi", "pgkst/5/5/5/TSKGP[] Sente") == "p+nks+l/5/5/5/+LSK+NP[] w - - 0 1");
  CHECK(written("ouk", "4k3/8/8/8/8/8/8/3KM3 w DEe - 0 1") == "4k3/8/8/8/8/8/8/3KM3 w DEe - 0 1");
  CHECK(written("seirawan", "reb1k2r/8/8/8/8/8/8/RE2KBHR[h] b KQkqc - 3 7") ==
        "reb1k2r/8/8/8/8/8/8/RE2KBHR[h] b KQkqc - 3 1");
  CHECK(written("3check", "7k/8/8/8/8/8/8/4K2R w - - 1+3 1 39") == "7k/8/8/8/8/8/8/4K2R w - - 1+3 1 1");
  CHECK(written("breakthrough", "1b6/8/8/8/8/8/8/w7 w") == "1p6/8/8/8/8/8/8/P7 w - - 0 1");
  // State that they have no words for.
  const auto janggi = position_in("janggi", "4k4/9/9/9/9/9/9/9/9/R3K4 w passes=1");
  const auto rules = tests::load_rules("janggi");
  CHECK_FALSE(interpreter::write_common_fen(rules->program(), janggi));
}

TEST_CASE("hostile positions are refused or read, in a moment") {
  std::vector<std::string> texts = {"W:",
                                    "W:W",
                                    "W:W:B",
                                    "W:W-",
                                    "W:W1-",
                                    "W:W99999999999999999999",
                                    "W:W1-99999999999999999999:B",
                                    "+",
                                    "~",
                                    "+/+/+ w",
                                    "8/8/8/8/8/8/8/8~ w",
                                    "~8/8/8/8/8/8/8/8 w",
                                    "+8/8/8/8/8/8/8/8 w",
                                    "8/8/8/8/8/8/8/7+ w",
                                    "P~9/8/8/8/8/8/8/8 w",
                                    "sfen",
                                    "sfen sfen / sfen",
                                    "4k3/8/8/8/8/8/8/4K3[",
                                    "4k3/8/8/8/8/8/8/4K3[[] w",
                                    "4k3/8/8/8/8/8/8/4K3[99999999999999999999Q] w",
                                    "4k3/8/8/8/8/8/8/4K3 w KQkqKQkqKQkq - 0 1",
                                    "4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 1",
                                    "4k3/8/8/8/8/8/8/4K3 w - - 99999+99999 0 1",
                                    "4k3/8/8/8/8/8/8/4K3 w - - +++ 0 1",
                                    "4k3/8/8/8/8/8/8/4K3 w " + std::string(1, '\0') + " - 0 1"};
  texts.push_back("W:W" + std::string(200'000, ','));
  texts.push_back("4k3/8/8/8/8/8/8/4K3 w " + std::string(200'000, 'K') + " - 0 1");
  texts.push_back("4k3/8/8/8/8/8/8/" + std::string(200'000, '+') + " w");
  texts.push_back("W" + std::string(100'000, ':') + "W");
  for (const char* game :
       tests::sampled<const char*>({"chess", "crazyhouse", "shogi", "ouk", "seirawan", "chess960", "tak",
                                    "glinski", "internationaldraughts", "endlessrow", "halma4", "klotski"},
                                   4)) {
    const auto rules = tests::load_rules(game);
    for (const std::string& text : texts) {
      INFO(game << ": " << text.substr(0, 60));
      const auto read = interpreter::read_position(rules, "position", text);
      CHECK(read.game.has_value() != read.diagnostics.has_errors());
    }
  }
}

} // namespace fen_test
