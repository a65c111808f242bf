// `replay --to`: games written in other formats, and read again.
#include "runtime/game/spelling.hpp"
#include "tests/rule_files.hpp"
#include "tests/tools/running.hpp"
#include "tools/games/game_index.hpp"
#include "tools/records/formats/format_of.hpp"
#include "tools/records/formats/translate.hpp"
#include "tools/records/game_record.hpp"
#include "tools/records/written_game.hpp"

#include <cstdlib>
#include <map>
#include <sstream>

namespace written_game_test {

using namespace boardwright;
using namespace boardwright::tests;

namespace {

std::string file(const std::string& name, const std::string& text) {
  fs::create_directories(scratch().path("written"));
  return scratch().file("written/" + name, text);
}

// The moves of a record.
std::string moves_of(const std::string& record) {
  std::istringstream in(record);
  std::string moves;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line.front() >= '0' && line.front() <= '9') moves += line + "\n";
  return moves;
}

// What a file holds, as a record of ours; `more` are options.
std::string as_record(const std::string& path, const std::string& more = "") {
  const Run read = run("replay '" + path + "' --to record " + more);
  INFO(read.err);
  CHECK(read.status == 0);
  return read.out;
}

struct Case {
  const char *game, *format;
};

// A random game, or its beginning: so many moves, and as long as there are no more than some hundred to
// choose from.
interpreter::Record random_record(const interpreter::Loaded& loaded, const std::string& name,
                                  std::uint64_t seed) {
  constexpr int kMoves = 40;
  constexpr std::size_t kMostChoices = 400;
  const runtime::Program& program = loaded.rules->program();
  runtime::Game game(loaded.rules);
  runtime::Random random(seed);
  interpreter::Record record;
  record.tags = tools::tags_of_game(program, name, game);
  for (int i = 0; i < kMoves; ++i) {
    const auto outcome = game.outcome();
    const auto moves = game.moves();
    if (!outcome || *outcome || !moves || moves->size() > kMostChoices) break;
    const runtime::Move move = (*moves)[random.below(static_cast<std::uint32_t>(moves->size()))];
    const auto text = runtime::spelling(game, move);
    REQUIRE(text);
    const auto player = static_cast<std::size_t>(game.to_move());
    record.moves.push_back({program.players[player].name + ": " + interpreter::as_written(*text), 1, 1, {}});
    if (!game.play(move)) {
      record.moves.pop_back();
      break;
    }
  }
  const auto outcome = game.outcome();
  if (outcome && *outcome) record.result = tools::result_text(loaded, **outcome);
  return record;
}

// What a text holds, by these rules.
interpreter::Record read_as(const interpreter::Loaded& loaded, const std::string& text) {
  const auto format = tools::format_of(text);
  REQUIRE(format);
  if (*format == tools::Format::ours) {
    const auto records = interpreter::read_records(text);
    REQUIRE(records);
    REQUIRE(records->size() == 1);
    return records->front();
  }
  const auto games = tools::read_foreign(*format, text);
  REQUIRE(games);
  REQUIRE(games->size() == 1);
  // The text names the game as the library does.
  static const std::vector<tools::GameEntry> known = tools::read_index(tools::bundled_index_text());
  const auto called = tools::games_called(known, games->front().game);
  REQUIRE(called.size() == 1);
  CHECK(called.front()->title == loaded.rules->program().game);
  const auto record = tools::translate(loaded.rules, *format, games->front());
  INFO((record ? "" : record.error()));
  REQUIRE(record);
  return *record;
}

} // namespace

TEST_CASE("random games go round through every format that has words for them", "[written_game]") {
  const std::vector<Case> cases = {{"chess", "pgn"},
                                   {"chess", "uci"},
                                   {"crazyhouse", "pgn"},
                                   {"crazyhouse", "uci"},
                                   {"crazyhouse", "usi"},
                                   {"chess960", "pgn"},
                                   {"shogi", "usi"},
                                   {"minishogi", "usi"},
                                   {"seirawan", "pgn"},
                                   {"seirawan", "uci"},
                                   {"xiangqi", "uci"},
                                   {"hex", "sgf"},
                                   {"hex --set size=5", "sgf"},
                                   {"hex --set size=5", "pgn"},
                                   {"reversi", "sgf"},
                                   {"go --set size=5 --set komi=3", "sgf"},
                                   {"gomoku", "sgf"},
                                   {"internationaldraughts", "pdn"},
                                   {"englishdraughts", "pdn"},
                                   {"russiandraughts", "pdn"},
                                   {"turkishdraughts", "pdn"},
                                   {"eximo", "pgn"},
                                   {"eximo", "uci"},
                                   {"breakthrough", "record"}};
  for (const auto& [game, format] : cases) {
    INFO(game << " as " << format);
    const std::string record = scratch().path("random.txt");
    fs::remove(record);
    REQUIRE(run("match " + std::string(game) + " random random --games 2 --record '" + record + "'").status ==
            0);
    const Run written = run("replay '" + record + "' --to " + format);
    INFO(written.err);
    REQUIRE(written.status == 0);
    const std::string back = as_record(file("back", written.out));
    CHECK(moves_of(back) == moves_of(read(record)));
    CHECK(!moves_of(back).empty());
    for (const std::string option : {"size=5", "komi=3"})
      if (has(game, option)) CHECK(has(back, "[Option \"" + option + "\"]"));
  }
}

TEST_CASE("each format as it is written", "[written_game]") {
  const std::string chess = file(
      "chess.pgn",
      "[Event \"Café\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Date \"2024.01.02\"]\n[WhiteElo \"1500\"]\n\n"
      "{begin} 1. e4 {good} e5 (1... c5) 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n");
  CHECK(run("replay --to pgn " + chess).out ==
        "[Event \"Café\"]\n[Site \"?\"]\n[Date \"2024.01.02\"]\n[Round \"-\"]\n[White \"Ann\"]\n[Black "
        "\"Bob\"]\n"
        "[Result \"1-0\"]\n[Variant \"Chess\"]\n[WhiteElo \"1500\"]\n\n"
        "{begin} 1. e4 {good} 1... e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n");
  CHECK(run("replay --to uci " + chess).out ==
        "setoption name UCI_Variant value chess\n"
        "position startpos moves e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7\n");
  const std::string record = run("replay --to record " + chess).out;
  CHECK(has(record, "[Game \"Chess\"]\n[Rules \"chess\"]\n[RulesHash \""));
  CHECK(has(record, "[White \"Ann\"]\n"));
  CHECK(has(record, "; begin\n1. White: e2-e4\n; good\n2. Black: e7-e5\n"));
  CHECK(has(record, "Result: White wins (no move)\n"));
  CHECK(run("replay --to pgn " + file("chess.txt", record)).out == run("replay --to pgn " + chess).out);

  const std::string go =
      file("go.sgf", "(;GM[1]SZ[5]KM[3.5]PB[Ann]PW[B\\]ob]C[begin];B[cc]C[mid\\]dle];W[];B[ab])");
  CHECK(run("replay --to sgf " + go).out ==
        "(;FF[4]CA[UTF-8]AP[Boardwright]GM[1]SZ[5]KM[3.5]PB[Ann]PW[B\\]ob]C[begin]\n"
        ";B[cc]C[mid\\]dle]\n;W[]\n;B[ab]\n)\n");
  const std::string pdn = file("d.pdn", "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n");
  CHECK(has(run("replay --to pdn " + pdn).out, "[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n"));
  const std::string usi =
      file("s.usi", "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 "
                    "moves 7g7f 3c3d 8h2b+ 3a2b B*4e\n");
  CHECK(run("replay --to usi " + usi).out == "setoption name USI_Variant value shogi\n"
                                             "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e\n");
}

TEST_CASE("event, place and round are told in each format's words", "[written_game]") {
  const std::string sgf = file("cup.sgf", "(;GM[1]SZ[9]EV[Cup]PC[Berlin]RO[3]DT[2020-01-02];B[ee])");
  const std::string pgn = run("replay --to pgn " + sgf).out;
  for (const char* tag : {"[Event \"Cup\"]", "[Site \"Berlin\"]", "[Date \"2020.01.02\"]", "[Round \"3\"]"})
    CHECK(has(pgn, tag));
  const std::string back = run("replay --to sgf " + sgf).out;
  for (const char* property : {"EV[Cup]", "PC[Berlin]", "RO[3]", "DT[2020-01-02]"})
    CHECK(has(back, property));
}

TEST_CASE("beginnings that aren't the set-up are written, too", "[written_game]") {
  const auto goes_round = [](const std::string& name, const std::string& text, const std::string& format,
                             const std::string& wanted) {
    INFO(name << " as " << format);
    const std::string first = file(name, text);
    const Run written = run("replay --to " + format + " " + first);
    INFO(written.err);
    REQUIRE(written.status == 0);
    INFO(written.out);
    CHECK(has(written.out, wanted));
    const std::string again = file("again", written.out);
    CHECK(run("replay --json --at 0 " + again).out.find("\"position\"") != std::string::npos);
    CHECK(moves_of(as_record(again)) == moves_of(as_record(first)));
  };
  const std::string chess = "[FEN \"8/P6k/8/8/8/8/7K/8 w - - 0 1\"]\n1. a8=R Kg6 2. Ra6+ *\n";
  goes_round("p.pgn", chess, "pgn", "[FEN \"8/P6k/8/8/8/8/7K/8 w - - 0 1\"]");
  goes_round("p.pgn", chess, "uci", "position fen 8/P6k/8/8/8/8/7K/8 w - - 0 1 moves a7a8r h7g6 a8a6\n");
  goes_round("p.pgn", chess, "record", "[Position \"8/P6k/8/8/8/8/7K/8 ");
  goes_round("p.pdn", "[GameType \"20\"]\n[FEN \"W:W31,K50:B1,12\"]\n1. 31-26 12-18 *\n", "pdn",
             "[FEN \"W:W31,K50:B1,12\"]");
  goes_round("p.sgf", "(;GM[1]SZ[9]AB[cc][gg]PL[W];W[ee];B[cd])", "sgf", "AB[gg][cc]PL[W]\n;W[ee]\n");
  goes_round("p.usi", "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2GPr 1 moves G*5b\n", "usi",
             "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2GPr 1 moves G*5b\n");
}

TEST_CASE("of captures with the same ends the way is written", "[written_game]") {
  for (const std::string way : {"30x21x14", "30x23x14"}) {
    const std::string two =
        file("two.pdn", "[GameType \"21\"]\n[FEN \"W:W30:B1,17,18,25,26\"]\n1. " + way + " *\n");
    const Run written = run("replay --to pdn " + two);
    INFO(written.err);
    CHECK(written.status == 0);
    CHECK(has(written.out, "1... " + way + " *\n"));
  }
}

TEST_CASE("all games of a file are written, or one; what can't be is told at its line", "[written_game]") {
  const std::string games = file("games.pgn", "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. e5 *\n\n"
                                              "[Variant \"Crazyhouse\"]\n\n1. d4 *\n");
  const Run all = run("replay --to uci " + games);
  CHECK(all.status == 1);
  CHECK(all.out == "setoption name UCI_Variant value chess\nposition startpos moves e2e4\n\n"
                   "setoption name UCI_Variant value crazyhouse\nposition startpos moves d2d4\n");
  CHECK(has(all.err, "games.pgn:7:4: error: move 1 `e5` is not legal"));
  const Run one = run("replay --to uci --game 3 " + games);
  CHECK(one.status == 0);
  CHECK(has(one.out, "d2d4"));
  CHECK_FALSE(has(one.out, "e2e4"));
  CHECK(run("replay --to uci --game 4 " + games).status == 1);
  const std::string twice = file("twice.uci", run("replay --to uci --game 1 " + games).out +
                                                  run("replay --to uci --game 3 " + games).out);
  CHECK(has(as_record(twice), "[Rules \"crazyhouse\"]"));

  const auto why = [](const std::string& command) {
    const Run refused = run("replay --to " + command);
    CHECK(refused.status == 1);
    CHECK(refused.out.empty());
    return refused.err;
  };
  CHECK(has(why("sgf " + games + " --game 1"), "SGF has no number for this game"));
  const std::string drop = file("drop.pgn", "[Variant \"Crazyhouse\"]\n1. e4 d5 2. exd5 Qxd5\n3. P@d4 *\n");
  CHECK(has(why("pdn " + drop), "drop.pgn:3:4: error: PDN has no word for move 5, `d4`"));
  const std::string moved = file("moved.txt", "[Rules \"atarigo\"]\n\n1. Black: a1\n");
  CHECK(has(why("sgf " + moved), "moved.txt:1:1: error: SGF has no number for this game"));
  const std::string small = file("small.txt", "[Rules \"hex\"]\n[Option \"size=5\"]\n\n1. a1\n");
  CHECK(has(why("uci " + small), "a line of a protocol has no words for size=5"));
  const std::string wrong = file("over.txt", "[Rules \"breakthrough\"]\n\n1. a2-a3\nResult: Black wins\n");
  CHECK(run("replay --to pgn " + wrong).status == 0);
  CHECK(run("replay --to svg " + wrong).status == 2);
  CHECK(run("replay --to pgn --json " + wrong).status == 2);
  CHECK(run("replay --to pgn --pgn x " + wrong).status == 2);
  CHECK(run("replay --to pgn " + scratch().path("none.pgn")).status == 3);
}

// BOARDWRIGHT_WRITTEN_GAMES=N writes N games of each, and says how many there were in each format.
TEST_CASE(
    "a random game of every bundled game is written and read again in each format that has words for it") {
  const char* asked = std::getenv("BOARDWRIGHT_WRITTEN_GAMES");
  const int count = asked != nullptr ? std::atoi(asked) : 1;
  std::map<std::string, int> written;
  int games = 0, moves = 0;
  for (const std::string& name : tests::bundled_games()) {
    const auto loaded = interpreter::load(name, {});
    REQUIRE(loaded.rules);
    for (int i = 0; i < count; ++i) {
      const interpreter::Record record = random_record(loaded, name, 7 + static_cast<std::uint64_t>(i));
      ++games;
      moves += static_cast<int>(record.moves.size());
      auto replayed = interpreter::replay_record(loaded.rules, record);
      REQUIRE(replayed);
      tools::OpenRecord open{record, loaded, std::move(*replayed), name};
      for (const std::string& format : tools::written_formats()) {
        INFO(name << " as " << format << ", game " << i);
        const auto text = tools::written_game(open, *tools::written_format(format));
        if (!text) { // no words for it: nothing else is in the way
          INFO(text.error().message);
          CHECK_FALSE(has(text.error().message, "it can't be written as"));
          CHECK(format != "record");
          CHECK((format != "pgn" || loaded.rules->program().player_count() != 2));
          continue;
        }
        ++written[format];
        INFO(*text);
        const auto back = read_as(loaded, *text);
        const auto again = interpreter::replay_record(loaded.rules, back);
        REQUIRE(again);
        CHECK(again->moves == open.replayed.moves);
        CHECK(again->game.position().same_as(open.replayed.game.position()));
      }
    }
  }
  const int least = games / 100; // of formats for few games
  for (const char* format : {"record", "pgn", "uci", "usi"}) CHECK(written[format] > games / 2);
  for (const char* format : {"pdn", "sgf"}) CHECK(written[format] >= least);
  if (asked != nullptr) {
    WARN(games << " games, " << moves << " moves");
    for (const auto& [format, number] : written) WARN(format << ": " << number);
  }
}

TEST_CASE("which format a file's name asks for", "[written_game]") {
  using tools::WrittenFormat;
  const std::vector<std::pair<const char*, WrittenFormat>> cases = {
      {"game.pgn", WrittenFormat::pgn},       {"a/b.x/GAME.PGN", WrittenFormat::pgn},
      {"draughts.pdn", WrittenFormat::pdn},   {"go.9x9.sgf", WrittenFormat::sgf},
      {"game.usi", WrittenFormat::usi},       {"game.uci", WrittenFormat::uci},
      {"game.txt", WrittenFormat::record},    {"game.record", WrittenFormat::record},
      {"pgn", WrittenFormat::record},         {"folder.pgn/game", WrittenFormat::record},
      {"game.pgn.txt", WrittenFormat::record}};
  for (const auto& [name, format] : cases) {
    INFO(name);
    CHECK(tools::format_of_ending(name) == format);
  }
}

} // namespace written_game_test
