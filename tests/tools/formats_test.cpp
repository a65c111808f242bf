// Games that other programs wrote, as `boardwright replay` and `load` of `play` read them.
#include "tests/tools/running.hpp"
#include "tools/records/formats/format_of.hpp"
#include "tools/records/formats/pgn_reader.hpp"
#include "tools/records/formats/sgf_reader.hpp"

#include <catch2/catch.hpp>

namespace formats_test {

using namespace boardwright;
using namespace boardwright::tests;

namespace {

std::string file(const std::string& name, const std::string& text) {
  fs::create_directories(scratch().path("formats"));
  return scratch().file("formats/" + name, text);
}

std::vector<std::string> texts(const tools::ForeignGame& game) {
  std::vector<std::string> moves;
  for (const auto& move : game.moves) moves.push_back(move.text);
  return moves;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("PGN: tags, comments, variations, numbers of all sorts, results") {
  const auto games =
      tools::read_pgn("[Event \"a \\\"b\\\"\"]\n[Result \"1-0\"]\n\n"
                      "{begin} 1.e4! $1 e5 (1... c5 {no} (1... d5) 2. Nf3) 2. Nf3 ; to the end\n"
                      "% nothing of this\n2... Nc6 {two\nlines} 3.Bb5 e.p. 1-0\n"
                      "1. d4 *\n");
  REQUIRE(games);
  REQUIRE(games->size() == 2);
  const tools::ForeignGame& first = games->front();
  CHECK(first.tags.front().second == "a \"b\"");
  CHECK(first.winner == "w");
  CHECK(first.comments == Texts{"begin"});
  CHECK(texts(first) == Texts{"e4!", "e5", "Nf3", "Nc6", "Bb5"});
  CHECK(first.moves[2].comments == Texts{"to the end"});
  CHECK(first.moves[3].comments == Texts{"two lines"});
  CHECK(first.moves[0].line == 4);
  CHECK(first.moves[0].column == 11);
  CHECK(texts((*games)[1]) == Texts{"d4"});
}

TEST_CASE("PGN that is wrong is told at its place") {
  const auto message = [](const std::string& text) {
    const auto games = tools::read_pgn(text);
    return games ? std::string("read")
                 : std::to_string(games.error().line) + ":" + std::to_string(games.error().column) + " " +
                       games.error().message;
  };
  CHECK(message("1. e4 {open") == "1:7 this comment isn't closed by `}`");
  CHECK(message("1. e4\n(1. d4") == "2:1 this variation isn't closed by `)`");
  CHECK(message("1. e4 )") == "1:7 this `)` closes no variation");
  CHECK(message("[Event e]") == "1:1 a tag is a name and a text: [Name \"value\"]");
  CHECK(message("[Event \"e]\n") ==
        "1:1 the text of a tag ends in `\"]`; in it `\\\"` stands for `\"`, `\\\\` for `\\`");
  CHECK(message("") == "1:1 there is no game here");
  CHECK(message("1. \"x") == "1:4 this move in quotes isn't closed by `\"`");
}

TEST_CASE("which format a text has") {
  using tools::Format;
  const auto format = [](std::string_view text) {
    const auto found = tools::format_of(text);
    REQUIRE(found);
    return *found;
  };
  CHECK(format("[Event \"?\"]\n1. e4 *") == Format::pgn);
  CHECK(format("[Event \"?\"]\n[Rules \"chess\"]\n1. e2-e4") == Format::ours);
  CHECK(format("1. White: e2-e4\n2. Black: e7-e5\n") == Format::ours);
  CHECK(format("1. e4 e5 2. Nf3") == Format::pgn);
  CHECK(format("1. e4 e5\n2. Nf3 Nc6\n") == Format::pgn);
  CHECK(format("\n ( ;GM[1])") == Format::sgf);
  CHECK(format("usi\nposition startpos moves 7g7f\n") == Format::commands);
  CHECK(format("sfen 9/9 b - 1 moves 7g7f") == Format::commands);
  CHECK(tools::format_of("(role x)")
            .error()
            .starts_with("this is no record of a game, but rules in GDL (.kif); records of"));
  CHECK(tools::format_of("hello").error().starts_with("this is no record that can be read: records of"));
}

TEST_CASE("a game of chess in PGN is replayed, from its set-up and from a position") {
  const std::string plain =
      file("plain.pgn", "[Event \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O Nf6 1-0\n");
  const Run run_plain = run("replay " + plain + " --moves");
  CHECK(run_plain.status == 0);
  CHECK(run_plain.out ==
        "Chess, 8 moves: White wins\n1. White: e2-e4\n2. Black: e7-e5\n3. White: g1-f3\n4. Black: b8-c6\n"
        "5. White: f1-b5\n6. Black: a7-a6\n7. White: e1-g1\n8. Black: g8-f6\nWhite wins\n");
  const std::string position = file("position.pgn", "[SetUp \"1\"]\n[FEN \"8/P6k/8/8/8/8/7K/8 w - - 0 1\"]\n"
                                                    "1. a8=R Kg6 2. Ra6+ *\n");
  const Run from_position = run("replay " + position + " --moves");
  CHECK(from_position.status == 0);
  CHECK(has(from_position.out, "1. White: a7-a8=R\n2. Black: h7-g6\n3. White: a8-a6\n"));
}

TEST_CASE("a move that isn't legal is told where it stands") {
  const std::string wrong = file("wrong.pgn", "[Event \"?\"]\n1. e4 e5\n2. Nd5 *\n");
  const Run result = run("replay " + wrong + " --moves");
  CHECK(result.status == 1);
  CHECK(has(result.err, "wrong.pgn:3:4: error: move 3 `Nd5` is not legal"));
}

TEST_CASE("which game a PGN is of") {
  CHECK(run("replay --moves " + file("zh.pgn", "[Variant \"Crazyhouse\"]\n1. e4 d5 2. exd5 Qxd5 3. P@d4 *\n"))
            .status == 0);
  CHECK(run("replay --moves " +
            file("atomic.pgn", "[Variant \"Atomic\"]\n1. Nf3 f6 2. Nd4 e5 3. Nf5 d5 4. Nxg7 *\n"))
            .status == 0);
  const Run unknown = run("replay " + file("none.pgn", "[Variant \"Nothing of the Sort\"]\n1. e4 *\n"));
  CHECK(unknown.status == 1);
  CHECK(has(unknown.err, "the file is of a game called `Nothing of the Sort`, which is unknown"));
  CHECK(has(run("replay --moves " + file("bare.pdn", "1.32-28 19-23 *\n")).out, "International Draughts, 2"));
  CHECK(has(run("replay --moves " + file("plain.sgf", "(;SZ[9];B[ee])")).out, "Go, 1 move"));
  const Run nameless = run("replay " + file("nameless.sgf", "(;GM[99];B[aa])"));
  CHECK(has(nameless.err, "the file doesn't say which game it is of; say it by --rules"));
  CHECK(run("replay --rules chess --moves " + file("bare.pgn", "1. e4 e5 2. Nf3 *\n")).status == 0);
}

TEST_CASE("draughts by numbers: in a jump of several the way tells which is meant") {
  const std::string pdn =
      file("a.pdn", "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 33-28 23x32 4. 37x28 10- 14 *\n");
  const Run result = run("replay " + pdn + " --moves");
  CHECK(result.status == 0);
  CHECK(has(result.out, "International Draughts, 8 moves"));
  const std::string ways =
      file("ways.pdn", "[GameType \"20\"]\n[FEN \"W:W37:B31,21,32,22\"]\n1. 37x26x17x28x37 *\n");
  CHECK(run("replay " + ways + " --moves").status == 0);
  CHECK(has(run("replay " + file("position.pdn", "[FEN \"W:W31,27,19:B17,12,5.\"]\n0-1\n")).out,
            "English Draughts, 0 moves"));
  CHECK(run("replay --moves " + file("long.pdn", "1. 32-28 18-23 *\n") + " --rules internationaldraughts")
            .status == 0);
}

TEST_CASE("SGF: a game of Go on a small board, with a handicap and a pass") {
  const std::string sgf =
      file("go.sgf", "(;FF[4]GM[1]SZ[9]AB[cc][gg]C[a start]RE[W+R]\n;W[ee](;B[cg]C[yes];W[])(;B[gc]))");
  const Run result = run("replay " + sgf + " --moves");
  CHECK(result.status == 0);
  CHECK(
      result.out ==
      "Go, 3 moves: White wins\n; a start\n1. White: e5\n2. Black: c3\n; yes\n3. White: pass\nWhite wins\n");
  CHECK(has(run("replay " + sgf + " --at 0").out, "7  . . b . . . . . ."));
  const Run swapped =
      run("replay --moves " + file("swap.sgf", "(;GM[11]SZ[7];B[c2];W[swap-pieces];B[d4];W[resign])"));
  CHECK(swapped.status == 0);
  CHECK(has(swapped.out, "Hex, 3 moves: Red wins\n1. Red: c2\n2. Blue: swap\n3. Red: d4\n"));
  const Run sides = run("replay --moves " + file("sides.sgf", "(;GM[11]SZ[7];B[c2];W[SWAP];W[d4];B[e5])"));
  CHECK(sides.status == 0);
  CHECK(has(sides.out, "1. Red: c2\n2. Blue: d4\n3. Red: e5\n"));
  const Run wrong = run("replay --moves " + file("wrong.sgf", "(;GM[1]SZ[9];B[ee];B[cc])"));
  CHECK(wrong.status == 1);
  CHECK(has(wrong.err, "is Black's in the record, but White is to move"));
}

TEST_CASE("lines of USI and UCI are games") {
  const std::string usi = file("games.usi", "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e\ngo btime 0\n"
                                            "position startpos moves 2g2f\n");
  const Run shogi = run("replay --rules shogi --moves " + usi);
  CHECK(shogi.status == 0);
  CHECK(has(shogi.out, "Shogi, 5 moves"));
  CHECK(has(run("replay --rules shogi --game 2 --moves " + usi).out, "Shogi, 1 move\n"));
  const std::string uci = file("game.uci", "position startpos moves e2e4 e7e5 g1f3\n");
  CHECK(run("replay --rules chess --moves " + uci).status == 0);
}

TEST_CASE("what play loads and PGN writes goes round") {
  const std::string plain = file("round.pgn", "[Event \"?\"]\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n");
  const Run written = run("replay --pgn - " + plain);
  CHECK(written.status == 0);
  const Run again = run("replay --moves " + file("again.pgn", written.out));
  CHECK(again.out == run("replay --moves " + plain).out);
  CHECK(has(run("play chess --ascii < " + file("load.txt", "load " + plain + "\nquit\n")).out,
            "White to move"));
}

TEST_CASE("a move with signs of PGN in it is written in quotes, and read again") {
  const std::string rules =
      file("odd.yaml",
           "game: Odd\nplayers: { A: north, B: south }\nboard: { squares: 3 by 3 }\npieces: { man: a b }\n"
           "turn: (say \"(x)\") or (say \"5\") or (say \"{\") or (say \"*\") or (say \"p q\")\n");
  const std::string record = file("odd.txt", "[Rules \"odd.yaml\"]\n1. (x)\n2. 5\n3. {\n4. *\n5. p q\n");
  const Run written = run("replay --pgn - " + record);
  CHECK(written.status == 0);
  CHECK(has(written.out, "1. \"(x)\" \"5\" 2. \"{\" \"*\" 3. p_q *"));
  CHECK(run("replay --rules " + rules + " --moves " + file("odd.pgn", written.out)).out ==
        run("replay --moves " + record).out);
}

TEST_CASE("KIF: moves by kanji, drops, promotions, variations left out") {
  const std::string head =
      "開始日時：2020/01/02\n手合割：平手\n先手：Ann\n後手：Bob\n手数----指手---------消費時間--\n";
  const std::string kif =
      file("a.kif", head + "   1 ７六歩(77)   ( 0:01/00:00:01)\n*good\n   2 ３四歩(33)\n"
                           "   3 ２二角成(88)\n   4 同　銀(31)\n   5 ４五角打\n   6 投了\n"
                           "まで5手で先手の勝ち\n\n変化：3手\n   3 ２六歩(27)\n");
  CHECK(run("replay " + kif + " --moves").out ==
        "Shogi, 5 moves: Sente wins\n1. Sente: c3-c4\n; good\n2. Gote: g7-g6\n3. Sente: b2xh8=H\n"
        "4. Gote: g9xh8\n5. Sente: Bf5\nSente wins\n");
  const std::string pgn = run("replay " + kif + " --to pgn").out;
  CHECK(has(pgn, "[Date \"2020.01.02\"]"));
  CHECK((has(pgn, "\"Ann\"]") && has(pgn, "\"Bob\"]")));
  CHECK_FALSE(has(pgn, "先手"));
  const auto error = [](const std::string& text) { return run("replay " + file("bad.kif", text)).err; };
  CHECK(has(error(head + "   1 ７零歩(77)\n"), "bad.kif:6:6: error: this move can't be read"));
  CHECK(has(error(head + "   1 同　歩(77)\n"), "bad.kif:6:6: error: this move can't be read"));
  CHECK(has(error(head + "   1 ７六歩(7)\n"), "bad.kif:6:6: error: this move can't be read"));
  CHECK(has(error(head + "   1 ７五歩(77)\n"), "bad.kif:6:6: error: move 1 `7g7e` is not legal"));
  CHECK(has(error("手合割：香落ち\n"), "bad.kif:1:1: error: games with a handicap aren't read"));
  CHECK(has(error("手合割：平手\n| ・ ・|\n"), "bad.kif:2:1: error: positions that are drawn aren't read"));
  CHECK(has(error("\x8e\xe8\x90\x94----\n"), "this is KIF in Shift-JIS"));
}

} // namespace formats_test
