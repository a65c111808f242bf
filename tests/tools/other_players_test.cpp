// Other programs as players that speak USI, xboard's protocol or GTP: small ones of the shell, and our own.
#include "tests/rule_files.hpp"
#include "tests/tools/running.hpp"
#include "tools/engines/external_player.hpp"
#include "tools/engines/opponents.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <thread>

namespace other_players_test {

using namespace boardwright;
using namespace boardwright::tests;
using namespace boardwright::tools;
using runtime::search::ThinkLimits;
using std::chrono::milliseconds;

namespace {

// Writes down what it is told. What it answers `go` or `genmove` is its first argument.
const std::string kXboard = R"(while read -r line; do echo "$line" >> "$0.told"
  case $line in
  protover*) echo 'feature done=0'; echo 'feature ping=1 setboard=1 san=0 usermove=1 myname="T 1"'
             echo 'feature variants="normal,tictactoe" done=1' ;;
  ping*) [ "$1" = lost ] || echo "pong ${line#ping }" ;;
  go) echo '3 50 12 345 a1 b2 b2'
      case $1 in resign) echo resign ;; result) echo '0-1 {White resigns}' ;; *) echo "move $1" ;; esac ;;
  quit) exit 0 ;;
  esac
done
)";
const std::string kGtp = R"(while read -r line; do echo "$line" >> "$0.told"
  case $line in
  genmove*) [ "$1" = error ] && printf '? no idea\n\n' || printf '= %s\n\n' "$1" ;;
  boardsize*) [ "$1" = small ] && printf '? unacceptable size\n\n' || printf '=\n\n' ;;
  quit) exit 0 ;;
  *) printf '= \n\n' ;;
  esac
done
)";
const std::string kUsi = R"(while read -r line; do echo "$line" >> "$0.told"
  case $line in
  usi) echo 'option name USI_Variant type combo default other var other var minishogi'; echo usiok ;;
  isready) echo readyok ;;
  go*) echo 'bestmove resign' ;;
  quit) exit 0 ;;
  esac
done
)";

struct Asked {
  std::unique_ptr<ExternalPlayer> player;
  std::string file;
  [[nodiscard]] std::string told() const { return read(file + ".told"); }
  // It writes down what it has been told in its own time.
  [[nodiscard]] bool is_told_at_last(const std::string& end) const {
    for (int tries = 0; tries < 1'000 && !told().ends_with(end); ++tries)
      std::this_thread::sleep_for(milliseconds(10));
    return told().ends_with(end);
  }
};

Asked asked(Protocol protocol, const std::string& text, const std::string& answer, const std::string& game,
            EngineLimits limits = {}) {
  const std::string file = scratch().file(std::string("other_") + prefix_of(protocol) + ".sh", text);
  std::remove((file + ".told").c_str());
  auto made = ExternalPlayer::start({protocol, "exec sh " + file + " " + answer, game, limits});
  INFO((made ? std::string() : made.error()));
  REQUIRE(made);
  return {std::move(*made), file};
}

ThinkLimits within(milliseconds time) {
  ThinkLimits limits;
  limits.deadline = std::chrono::steady_clock::now() + time;
  return limits;
}

void play(runtime::Game& game, const std::string& move) {
  const auto found = game.find(move);
  REQUIRE(found);
  REQUIRE(*found);
  REQUIRE(game.play(**found));
}

std::string ours(const std::string& protocol, const std::string& game, const std::string& more) {
  return protocol + ":\"" + program_path() + "\" " + protocol + " " + game + " " + more;
}

} // namespace

TEST_CASE("xboard: what a program is told, and what it says of its move") {
  const Asked engine = asked(Protocol::xboard, kXboard, "a1", "tictactoe");
  runtime::Game game(load_rules("tictactoe"));
  play(game, "c3");
  const auto thought = engine.player->think(game, within(std::chrono::hours(1)));
  REQUIRE(thought);
  REQUIRE(thought->move);
  CHECK(game.notation(*thought->move) == "a1");
  CHECK(thought->depth == 3);
  CHECK(thought->nodes == 345);
  CHECK(thought->value == Approx(value_of_centipawns(50)));
  CHECK(thought->line == std::vector<std::string>{"a1", "b2"});
  CHECK(has(engine.told(), "xboard\nprotover 2\naccepted ping\n"));
  CHECK(has(engine.told(), "accepted variants\naccepted done\neasy\npost\nnew\nvariant tictactoe\nforce\n"
                           "usermove X@c3\nping 1\nst 3"));
  CHECK(engine.is_told_at_last("\ngo\nforce\n"));
}

TEST_CASE("xboard: its own move isn't told again, another one in its place is") {
  const Asked engine = asked(Protocol::xboard, kXboard, "a1", "tictactoe");
  runtime::Game game(load_rules("tictactoe"));
  REQUIRE(engine.player->think(game, within(milliseconds(500))));
  const std::string clock = "level 1 0:01 0\ntime "; // in hundredths of a second
  REQUIRE(has(engine.told(), clock));
  const int left = std::stoi(engine.told().substr(engine.told().find(clock) + clock.size()));
  CHECK((left > 0 && left <= 50));
  play(game, "a1");
  play(game, "b2");
  const auto next = engine.player->think(game, within(std::chrono::hours(1)));
  CHECK_FALSE(next); // it plays a1 again
  CHECK(has(engine.player->failure(), "plays `a1`, which is not legal"));
  CHECK(has(engine.told(), "go\nforce\nusermove O@b2\nping 2\n"));

  const Asked other = asked(Protocol::xboard, kXboard, "a1", "tictactoe");
  runtime::Game line(load_rules("tictactoe"));
  REQUIRE(other.player->think(line, within(milliseconds(500))));
  play(line, "c1");
  play(line, "c2");
  REQUIRE(other.player->think(line, within(milliseconds(500))));
  CHECK(has(other.told(), "go\nforce\nundo\nusermove X@c1\nusermove O@c2\nping 2\n"));
}

TEST_CASE("xboard: without a time, or an answer, it fails; it may resign") {
  const Asked counts = asked(Protocol::xboard, kXboard, "a1", "tictactoe");
  ThinkLimits nodes;
  nodes.most_nodes = 5;
  CHECK_FALSE(counts.player->think(runtime::Game(load_rules("tictactoe")), nodes));
  CHECK(has(counts.player->failure(), "this protocol needs a time"));
  EngineLimits limits;
  limits.ready = milliseconds(100);
  const Asked lost = asked(Protocol::xboard, kXboard, "lost", "tictactoe", limits);
  CHECK_FALSE(lost.player->think(runtime::Game(load_rules("tictactoe")), within(milliseconds(500))));
  CHECK(has(lost.player->failure(), "doesn't answer `ping 1` within 0.1 s"));
  const Asked weak = asked(Protocol::xboard, kXboard, "resign", "tictactoe");
  const auto thought = weak.player->think(runtime::Game(load_rules("tictactoe")), within(milliseconds(500)));
  REQUIRE(thought);
  CHECK_FALSE(thought->move);
  CHECK(has_resigned(*weak.player));
  CHECK(weak.player->failure().empty());
  const Asked told = asked(Protocol::xboard, kXboard, "result", "tictactoe");
  REQUIRE(told.player->think(runtime::Game(load_rules("tictactoe")), within(milliseconds(500))));
  CHECK(has_resigned(*told.player));
}

TEST_CASE("xboard: a number of positions is refused before the first game") {
  const Asked engine = asked(Protocol::xboard, kXboard, "a1", "tictactoe");
  const Run match = run("match tictactoe random 'xboard:sh " + engine.file + " a1' --games 2 --nodes 5");
  CHECK(match.status == 2);
  CHECK(has(match.err, "can't be told a number of positions: its protocol needs --time"));
}

TEST_CASE("a program that resigns can be played on against, once moves are taken back") {
  const Asked engine = asked(Protocol::xboard, kXboard, "resign", "tictactoe");
  const Run game = run("play tictactoe --player 'second=xboard:sh " + engine.file +
                       " resign' --time 20ms <<'END'\na1\nundo\nb2\nEND\n");
  const std::size_t first = game.out.find(" resigns; ");
  REQUIRE(first != std::string::npos);
  CHECK(game.out.find(" resigns; ", first + 1) != std::string::npos); // after the second move
  CHECK_FALSE(has(engine.told(), "undo"));                            // it has made no move
}

TEST_CASE("gtp: what a program is told, and what it answers") {
  const Asked engine = asked(Protocol::gtp, kGtp, "A1", "go");
  runtime::Game game(load_rules("go", {{"size", "5"}, {"komi", "3"}}));
  play(game, "c3");
  const auto thought = engine.player->think(game, within(milliseconds(400)));
  REQUIRE(thought);
  REQUIRE(thought->move);
  CHECK(game.notation(*thought->move) == "a1");
  CHECK(engine.told() == "protocol_version\nboardsize 5\nkomi 3\nclear_board\nplay black C3\n"
                         "time_settings 0 1 1\ngenmove white\n");
  play(game, "a1");
  play(game, "b2");
  CHECK_FALSE(engine.player->think(game, within(milliseconds(400)))); // a1 again
  CHECK(has(engine.told(), "genmove white\nplay black B2\ntime_settings"));
}

TEST_CASE("gtp: a move that it didn't make is told in place of its own") {
  const Asked engine = asked(Protocol::gtp, kGtp, "A1", "go");
  runtime::Game game(load_rules("go", {{"size", "5"}}));
  REQUIRE(engine.player->think(game, within(milliseconds(400))));
  play(game, "c3");
  play(game, "d4");
  REQUIRE(engine.player->think(game, within(milliseconds(400))));
  CHECK(has(engine.told(), "genmove black\nundo\nplay black C3\nplay white D4\n"));
}

TEST_CASE("gtp: what it refuses is told; it may resign") {
  const auto failure = [](const std::string& answer) {
    const Asked engine = asked(Protocol::gtp, kGtp, answer, "go");
    CHECK_FALSE(
        engine.player->think(runtime::Game(load_rules("go", {{"size", "5"}})), within(milliseconds(400))));
    return engine.player->failure();
  };
  CHECK(has(failure("small"), "answers `boardsize 5` with:  unacceptable size"));
  CHECK(has(failure("error"), "has no move, though there are some; it said: no idea"));
  const Asked weak = asked(Protocol::gtp, kGtp, "resign", "go");
  REQUIRE(weak.player->think(runtime::Game(load_rules("go", {{"size", "5"}})), within(milliseconds(400))));
  CHECK(has_resigned(*weak.player));
}

TEST_CASE("usi: byoyomi, the game's name, and who resigns loses without having failed") {
  const Asked engine = asked(Protocol::usi, kUsi, "", "minishogi");
  REQUIRE(engine.player->think(runtime::Game(load_rules("minishogi")), within(milliseconds(700))));
  CHECK(has_resigned(*engine.player));
  CHECK(has(engine.told(), "usi\nsetoption name USI_Variant value minishogi\nisready\nusinewgame\n"
                           "position startpos\ngo btime 0 wtime 0 byoyomi "));
  const Run match = run("match minishogi 'usi:sh " + engine.file + "' random --games 8 --time 20ms --json");
  CHECK(match.status == 0);
  const auto score = nlohmann::json::parse(match.out);
  CHECK(score["players"][0]["failures"] == 0);
  CHECK(score["players"][1]["wins"] == 8);
  const Run game = run("play minishogi --player 'first=usi:sh " + engine.file + "' --time 20ms </dev/null");
  CHECK(has(game.out, " resigns; "));
}

TEST_CASE("whole games between our own programs, in each protocol") {
  const std::vector<std::pair<std::string, std::string>> games = {
      {"usi", "minishogi"}, {"xboard", "breakthrough"}, {"gtp", "hex --set size=3"}};
  for (const auto& [protocol, game] : games) {
    INFO(protocol);
    const Run match = run("match " + game + " random '" + ours(protocol, game, "--player random") +
                          "' --games 2 --time 10ms --max-plies 60 --json");
    INFO(match.err);
    CHECK(match.status == 0);
    const auto score = nlohmann::json::parse(match.out);
    CHECK(score["players"][1]["failures"] == 0);
    CHECK(score["games"] == 2);
  }
}

} // namespace other_players_test
