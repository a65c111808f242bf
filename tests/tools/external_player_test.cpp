// Other programs as players: small engines of the shell that do what engines shouldn't.
#include "tests/rule_files.hpp"
#include "tests/tools/child.hpp"
#include "tests/tools/running.hpp"
#include "tests/tools/terminal.hpp"
#include "tools/engines/external_player.hpp"
#include "tools/engines/opponents.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

namespace external_player_test {

using namespace boardwright;
using namespace boardwright::tests;
using namespace boardwright::tools;
using runtime::search::ThinkLimits;
using runtime::search::Thought;
using std::chrono::milliseconds;

namespace {

// Speaks UGI as far as it must. How it answers `go` is its first argument, the second one is for that; $0.pid
// is who it was last.
const std::string kEngine = R"(echo $$ > "$0.pid"
while read -r line; do
  case $line in
  ugi) [ "$1" = rude ] && continue
       [ "$1" = leaves ] && { echo 'no licence' >&2; exit 3; }
       [ "$1" = chatter ] && yes 'option name Noise type string'
       echo 'id name Test'; echo ugiok ;;
  isready) echo readyok ;;
  uginewgame) echo new >> "$0.games" ;;
  position*) echo "$line" >> "$0.games" ;;
  stop) echo stop >> "$0.games"; [ "$1" = waits ] && echo 'bestmove a1' ;;
  quit) [ "$1" = stays ] || exit 0 ;;
  go*) echo "$line" >> "$0.games"
    case $1 in
    crashes) kill -9 $$ ;;
    exits) echo 'out of memory' >&2; exit 7 ;;
    illegal) echo "info string error: no idea"; echo 'bestmove zz' ;;
    none) echo 'bestmove (none)' ;;
    garbage) head -c 3000 /dev/zero; echo; echo 'bestmove'; ;;
    floods) yes info ;;
    says) head -c "$2" /dev/zero | tr '\0' '\n'; echo 'bestmove a1' ;;
    line) head -c "$2" /dev/zero | tr '\0' x; echo; echo 'bestmove a1' ;;
    stays | waits | silent) ;;
    *) echo 'info depth 3 nodes 12 score cp 191 pv a1 b2 b2'
       echo 'info depth 2 multipv 2 score cp -500 pv b1'
       echo 'bestmove a1 ponder b2' ;;
    esac ;;
  esac
done
[ "$1" = stays ] && while :; do sleep 1; done
)";

std::string engine(const std::string& arguments) {
  static const std::string path = scratch().file("engine.sh", kEngine);
  std::remove((path + ".games").c_str());
  return "exec sh " + path + " " + arguments;
}
std::string told() { return read(scratch().path("engine.sh.games")); }
pid_t last_engine() { return std::stoi(read(scratch().path("engine.sh.pid"))); }
// Whoever has ended and isn't buried yet doesn't run.
bool runs(pid_t process) {
  const std::string status = read("/proc/" + std::to_string(process) + "/stat");
  return !status.empty() && !has(status, ") Z ");
}

EngineLimits short_limits() {
  EngineLimits limits;
  limits.grace = limits.silence = milliseconds(100);
  return limits;
}

std::unique_ptr<ExternalPlayer> player(const std::string& arguments, EngineLimits limits = {}) {
  auto made = ExternalPlayer::start({Protocol::ugi, engine(arguments), "tictactoe", limits});
  REQUIRE(made);
  return std::move(*made);
}

ThinkLimits nodes(std::uint64_t count) {
  ThinkLimits limits;
  limits.most_nodes = count;
  return limits;
}

// What it answers at the beginning of Tic-tac-toe: "" for a move, else why there is none.
std::string failure(const std::string& arguments, EngineLimits limits = {},
                    const ThinkLimits& thinking = nodes(1)) {
  const auto asked = player(arguments, limits);
  const auto thought = asked->think(runtime::Game(load_rules("tictactoe")), thinking);
  CHECK(thought.has_value() == asked->failure().empty());
  CHECK(failure_of(*asked) == asked->failure());
  return asked->failure();
}

void play(runtime::Game& game, const std::string& move) {
  const auto found = game.find(move);
  REQUIRE(found);
  REQUIRE(*found);
  REQUIRE(game.play(**found));
}

} // namespace

TEST_CASE("another program thinks: its move, and what it says of it") {
  const auto asked = player("plays");
  runtime::Game game(load_rules("tictactoe"));
  std::vector<Thought> seen;
  const auto thought = asked->think(game, nodes(30), [&](const Thought& t) { seen.push_back(t); });
  REQUIRE(thought);
  REQUIRE(thought->move);
  CHECK(game.notation(*thought->move) == "a1");
  CHECK(thought->depth == 3);
  CHECK(thought->nodes == 12);
  CHECK(thought->value == Approx(0.75).epsilon(1e-3));
  CHECK(thought->line == std::vector<std::string>{"a1", "b2"}); // as far as it is legal
  CHECK(thought->candidates.size() == 1);
  CHECK(game.play(*thought->move));
  CHECK(told() == "new\nposition startpos\ngo nodes 30\n");
}

TEST_CASE("one program plays all games; it is told of new ones, and all moves each time") {
  const auto asked = player("plays");
  const auto rules = load_rules("tictactoe");
  runtime::Game game(rules);
  play(game, "b1");
  REQUIRE(asked->think(game, nodes(1)));
  const pid_t process = last_engine();
  play(game, "b2");
  play(game, "b3");
  REQUIRE(asked->think(game, nodes(1)));
  game.undo(), game.undo();
  play(game, "c1"); // another line
  REQUIRE(asked->think(game, nodes(1)));
  ThinkLimits time;
  time.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
  time.most_nodes = 5;
  REQUIRE(asked->think(runtime::Game(rules), time));
  CHECK(last_engine() == process);
  const std::string all = told();
  CHECK(has(all, "new\nposition startpos moves b1\ngo nodes 1\n"
                 "position startpos moves b1 b2 b3\ngo nodes 1\n"
                 "new\nposition startpos moves b1 c1\ngo nodes 1\n"
                 "new\nposition startpos\ngo movetime 3"));
  CHECK(has(all, " nodes 5\n"));
}

TEST_CASE("an ended game is nothing to ask about") {
  const auto asked = player("crashes");
  runtime::Game game(load_rules("tictactoe"));
  for (const char* move : {"a1", "a2", "b1", "b2", "c1"}) play(game, move);
  const auto thought = asked->think(game, nodes(1));
  REQUIRE(thought);
  CHECK_FALSE(thought->move);
}

TEST_CASE("a program that isn't there, or doesn't greet, is no player") {
  const auto start = [](const std::string& command, EngineLimits limits = {}) {
    const auto made = ExternalPlayer::start({Protocol::ugi, command, "tictactoe", limits});
    REQUIRE_FALSE(made);
    return made.error();
  };
  CHECK(has(start("/no/such/engine"), "`/no/such/engine` ended with status 127; it wrote: "));
  CHECK(has(start(engine("leaves")), "ended with status 3; it wrote: no licence"));
  EngineLimits limits;
  limits.ready = milliseconds(50);
  CHECK(has(start(engine("rude"), limits), "doesn't answer `ugiok` within 0.05 s"));
  limits.most_said = 10'000;
  limits.ready = std::chrono::minutes(2);
  CHECK(has(start(engine("chatter"), limits), "says too much instead of `ugiok`"));
  CHECK(has(start("exec tr '\\0' x </dev/zero"), "writes a line without end"));
}

TEST_CASE("what a program does wrong is said, and it ends") {
  CHECK(has(failure("crashes"), "was killed by signal 9"));
  CHECK(has(failure("exits"), "ended with status 7; it wrote: out of memory"));
  CHECK(has(failure("illegal"), "plays `zz`, which is not legal; it said: error: no idea"));
  CHECK_FALSE(runs(last_engine()));
  CHECK(has(failure("none"), "has no move, though there are some"));
  CHECK(has(failure("garbage"), "has no move"));
  CHECK(has(failure("floods"), "says more than 16,777,216 bytes about one move"));
  CHECK_FALSE(runs(last_engine()));
}

TEST_CASE("how long a program may be silent, with time and without") {
  CHECK(has(failure("silent", short_limits()), "says nothing for 0.1 s"));
  ThinkLimits time;
  time.deadline = std::chrono::steady_clock::now();
  CHECK(has(failure("silent", short_limits(), time), "has no move 0.1 s after its time"));
  CHECK(failure("waits", {}, time).empty()); // asked to stop, it answers
  const std::atomic<bool> stop = true;
  ThinkLimits stopped;
  stopped.stop = &stop;
  CHECK(failure("waits", {}, stopped).empty());
  CHECK(has(told(), "go infinite"));
  CHECK(has(failure("silent", short_limits(), stopped), "has no move 0.1 s after its time"));
}

TEST_CASE("how much a program may say about a move, and in a line") {
  EngineLimits limits;
  limits.most_said = 1000;
  CHECK(failure("says 900", limits).empty());
  CHECK(has(failure("says 1100", limits), "says more than 1,000 bytes about one move"));
  CHECK(failure("line " + std::to_string(kMostLineBytes)).empty());
  CHECK(has(failure("line " + std::to_string(kMostLineBytes + 1)), "writes a line without end"));
}

TEST_CASE("after a failure it is started anew") {
  const std::string flag = scratch().path("engine_flag");
  std::remove(flag.c_str());
  // Dies once.
  const std::string command = "test -e " + flag + " || exec sh " + scratch().file("once.sh", kEngine) +
                              " crashes; " + engine("plays");
  auto asked = ExternalPlayer::start({Protocol::ugi, command, "tictactoe", {}});
  REQUIRE(asked);
  const runtime::Game game(load_rules("tictactoe"));
  CHECK_FALSE((*asked)->think(game, nodes(1)));
  CHECK_FALSE((*asked)->failure().empty());
  (void)scratch().file("engine_flag", "");
  CHECK((*asked)->think(game, nodes(1)));
  CHECK((*asked)->failure().empty());
}

TEST_CASE("nothing is left running, whatever a program makes of `quit`") {
  for (const char* how : {"plays", "stays"}) {
    pid_t process = 0;
    {
      const auto asked = player(how);
      process = last_engine();
      CHECK(runs(process));
    }
    CHECK_FALSE(runs(process));
  }
}

TEST_CASE("a program that goes on behind the end of its input is told to quit") {
  const std::string said = scratch().path("quits");
  std::remove(said.c_str());
  {
    const auto made = ExternalPlayer::start(
        {Protocol::ugi, "read -r l; echo ugiok; read -r l; echo \"$l\" > " + said, "tictactoe", {}});
    REQUIRE(made);
  }
  CHECK(read(said) == "quit\n");
}

TEST_CASE("a program of several games is told which one, by its name") {
  const std::string several = R"(sh -c 'while read -r l; do case $l in
    uci) echo "option name UCI_Variant type combo default fives var fives var tictactoe"; echo uciok;;
    *) echo "$l" >> )" + scratch().path("several") +
                              R"(; [ "$l" = isready ] && echo readyok;
       [ "${l#go}" = "$l" ] || echo bestmove a1;; esac; done')";
  std::remove(scratch().path("several").c_str());
  {
    auto asked = ExternalPlayer::start({Protocol::uci, several, "tictactoe", {}});
    REQUIRE(asked);
    CHECK((*asked)->think(runtime::Game(load_rules("tictactoe")), nodes(1)));
  }
  CHECK(has(
      read(scratch().path("several")),
      "setoption name UCI_Variant value tictactoe\nucinewgame\nisready\nposition startpos\ngo nodes 1\n"));
  const auto none = ExternalPlayer::start({Protocol::uci, several, "hex", {}});
  REQUIRE_FALSE(none);
  CHECK(has(none.error(), "doesn't know the game `hex`; it knows fives tictactoe"));
}

TEST_CASE("all players that there are, in one list") {
  const auto rules = load_rules("tictactoe");
  const auto made = make_opponent("nobody", rules, {});
  REQUIRE_FALSE(made);
  CHECK(has(made.error(),
            "there is no player `nobody`; there are auto mcts alphabeta level varied open random ugi uci usi "
            "xboard gtp"));
  CHECK(make_opponent("ugi", rules, {}).error() == "`ugi` needs a command, as in `ugi:COMMAND`");
  CHECK(make_opponent("uci: ", rules, {}).error() == "`uci` needs a command, as in `uci:COMMAND`");
  for (const char* name :
       {"auto", "mcts", "alphabeta", "level", "random", "ugi", "uci", "usi", "xboard", "gtp"}) {
    CHECK(has(descriptions_of_opponents(), "\n  " + std::string(name) + " ") !=
          (std::string(name) == "auto")); // which is the first one
    CHECK(has(run("help match").out, "\n  " + std::string(name) + " "));
  }
}

TEST_CASE("play: moves of another program; where it fails a filter ends, and the record has the moves") {
  const std::string engine_of = "ugi:\"" + program_path() + "\" ugi tictactoe --player random --seed 3";
  const Run good = run("play tictactoe --player 'all=" + engine_of + "' --nodes 1");
  CHECK(good.status == 0);
  CHECK(has(good.out, "5. "));
  const std::string record = scratch().path("failed_game.txt");
  const Run bad = run("play tictactoe --player 'second=ugi:" + engine("exits") + "' --record " + record +
                      " < " + scratch().file("one_move", "b2\nb3\n"));
  CHECK(bad.status == 1);
  CHECK(has(bad.err, "ended with status 7; it wrote: out of memory"));
  CHECK(has(run("replay --moves " + record).out, "1. Cross: b2\nunfinished\n"));
  const Run none = run("play tictactoe --player second=ugi:/no/such/engine </dev/null");
  CHECK(none.status == 2);
  CHECK(has(none.err, "error: --player: `/no/such/engine` ended with status 127"));
}

TEST_CASE("play: at a terminal somebody else plays on where a program fails, and the game is kept") {
  const std::string state = scratch().path("state_engine");
  Terminal person({"play", "tictactoe", "--new", "--player", "second=ugi:" + engine("crashes")}, state);
  person.shows("Cross> ");
  person.answers("b2\n", "was killed by signal 9");
  person.shows("the moves of Nought are yours");
  person.shows("Nought> ");
  person.answers("a1\n", "Cross> ");
  person.answers("quit\n", "this game is kept");
  CHECK(person.status() == 0);
}

TEST_CASE("whatever bytes a program says, what is told of it is text") {
  const std::string bytes =
      scratch().file("bytes.sh", "while read -r l; do case $l in ugi) echo ugiok;; isready) "
                                 "echo readyok;; go*) printf "
                                 "'info string \\377\\033[2J\\nbestmove \\300\\n';; esac; done");
  const Run match = run("match tictactoe 'ugi:sh " + bytes + "' random --nodes 1 --json");
  CHECK(match.status == 1);
  const auto score = nlohmann::json::parse(match.out);
  CHECK(score["players"][0]["failures"] == 5);
  CHECK(has(score["players"][0]["last_failure"], "which is not legal; it said: "));
  CHECK(match.err.find('\x1b') == std::string::npos);
}

TEST_CASE("analyse asks another program, too") {
  const Run good = run("analyse tictactoe --nodes 1 --player 'ugi:" + engine("plays") + "'");
  CHECK(good.status == 0);
  CHECK(has(good.out, "best line: a1 b2"));
  const Run bad = run("analyse tictactoe --nodes 1 --player 'ugi:" + engine("illegal") + "'");
  CHECK(bad.status == 1);
  CHECK(has(bad.err, "which is not legal"));
}

TEST_CASE("Ctrl-C and a kill of this program end the other one") {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string command = engine("stays");
    std::remove(scratch().path("engine.sh.games").c_str());
    Child child({"match", "tictactoe", "random", "ugi:" + command, "--nodes", "1"});
    while (!has(told(), "go ")) std::this_thread::sleep_for(milliseconds(5));
    const pid_t process = last_engine();
    child.kill(number);
    if (number == SIGINT) { // the first one asks it to stop, the second one doesn't wait for that
      while (!has(told(), "stop")) std::this_thread::sleep_for(milliseconds(5));
      std::this_thread::sleep_for(milliseconds(300)); // sooner it would be the first one, sent twice
      child.kill(SIGINT);
    }
    CHECK(child.wait() == 130);
    while (runs(process)) std::this_thread::sleep_for(milliseconds(5)); // it is init's to bury
  }
}

} // namespace external_player_test
