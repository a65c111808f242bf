// match and analyse: the arithmetic of matches, and the two commands.
#include "interpreter/notation/record.hpp"
#include "tests/rule_files.hpp"
#include "tests/tools/child.hpp"
#include "tests/tools/running.hpp"
#include "tools/match/match_games.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <csignal>
#include <set>
#include <string>
#include <thread>

namespace match_test {

using namespace boardwright::tests;
using namespace boardwright::tools;
namespace runtime = boardwright::runtime;
namespace search = boardwright::runtime::search;
using nlohmann::json;

TEST_CASE("Elo and score are each other's inverse, with known values") {
  CHECK(elo_of_score(0.5) == Approx(0).margin(1e-9));
  CHECK(elo_of_score(0.75) == Approx(190.848).epsilon(1e-5));
  CHECK(elo_of_score(10.0 / 11) == Approx(400));
  CHECK(std::isinf(elo_of_score(1)));
  CHECK(elo_of_score(0) < 0);
  for (const double elo : {-300.0, -5.0, 0.0, 40.0, 700.0})
    CHECK(elo_of_score(score_of_elo(elo)) == Approx(elo).margin(1e-9));
}

TEST_CASE("the interval of a score counts pairs, not games") {
  // Ten pairs of one point each: as if ten games had been drawn, of which nobody knows how they vary.
  const Estimate even = score_of_pairs({0, 0, 10, 0, 0});
  CHECK(even.value == Approx(0.5));
  CHECK(even.low == Approx(0.2366).epsilon(1e-3)); // Wilson's for 5 of 10
  CHECK(even.high == Approx(0.7634).epsilon(1e-3));
  // All won: Wilson's for 20 of 20.
  CHECK(score_of_pairs({0, 0, 0, 0, 20}).low == Approx(0.8389).epsilon(1e-3));
  CHECK(score_of_pairs({0, 0, 0, 0, 20}).high == 1);
  CHECK(score_of_pairs({20, 0, 0, 0, 0}).low == 0);
  // 50 pairs won and 50 lost: the variance of a pair is 1/4, so these are 99 trials.
  const Estimate split = score_of_pairs({50, 0, 0, 0, 50});
  CHECK(split.low == Approx(0.4034).epsilon(1e-3));
  // Pairs in which each side wins once are better known than that.
  CHECK(score_of_pairs({5, 0, 90, 0, 5}).low > 0.46);
  CHECK(score_of_pairs({}).low == 0);
  CHECK(score_of_pairs({}).high == 1);
}

TEST_CASE("the sequential test: known values, symmetry, and what ends it") {
  CHECK(sprt_bound() == Approx(2.9444).epsilon(1e-4));
  const Sprt even{-20, 20};
  CHECK(log_likelihood_ratio({}, even) == Approx(0).margin(1e-12));
  CHECK(log_likelihood_ratio({7, 0, 9, 0, 7}, even) == Approx(0).margin(1e-9));
  CHECK(log_likelihood_ratio({1, 0, 2, 0, 9}, even) == Approx(-log_likelihood_ratio({9, 0, 2, 0, 1}, even)));
  // By hand: 101 pairs with the made-up one, mean (49.8*0 + …): see the formula in match_statistics.cpp.
  // Scores 0, 1/4, 1/2, 3/4, 1 with 20.2, 20.2, 20.2, 20.2, 20.2 pairs have mean 1/2 and variance 1/8;
  // against 0 and 40 Elo (scores 0.5 and 0.557312): 100 * 0.057312 * (1 - 1.057312) / (2 / 8).
  CHECK(log_likelihood_ratio({20, 20, 20, 20, 20}, {0, 40}) == Approx(-1.3139).epsilon(1e-3));
  CHECK(verdict_of({0, 0, 0, 0, 3}, {0, 40}) == Verdict::unknown);
  CHECK(verdict_of({0, 0, 0, 0, 30}, {0, 40}) == Verdict::high);
  CHECK(verdict_of({30, 0, 0, 0, 0}, {0, 40}) == Verdict::low);
}

TEST_CASE("openings are the same for a seed, and leave the game open") {
  const auto rules = load_rules("tictactoe");
  const boardwright::runtime::Game begin(rules);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto one = drawn_opening(begin, 4, seed), two = drawn_opening(begin, 4, seed);
    REQUIRE(one);
    CHECK(one->key() == two->key());
    CHECK(one->length() == 4);
    auto late = drawn_opening(begin, 9, seed); // after nine moves it would be over
    REQUIRE(late);
    CHECK_FALSE(*late->outcome());
  }
}

TEST_CASE("match: the same games for a seed and a limit of nodes, whatever the number of jobs") {
  const std::string wanted = "match breakthrough mcts random --games 8 --nodes 20 --seed 5 --json";
  const json one = json::parse(run(wanted).out), two = json::parse(run(wanted + " --jobs 3").out);
  CHECK(one["games"] == 8);
  CHECK(one["pairs"] == two["pairs"]);
  CHECK(one["plies"] == two["plies"]);
  CHECK(one["side_wins"] == two["side_wins"]);
  std::uint64_t pairs = 0;
  for (const json& n : one["pairs"]) pairs += n.get<std::uint64_t>();
  CHECK(pairs == 4);
  CHECK(one["players"][0]["player"] == "mcts");
  CHECK(one["players"][0]["wins"].get<int>() + one["players"][1]["wins"].get<int>() +
            one["draws"].get<int>() ==
        8);
}

TEST_CASE("match: as text, ended by the sequential test") {
  const Run match = run("match breakthrough mcts random --games 400 --nodes 100 --sprt 0,200");
  CHECK(match.status == 0);
  CHECK(has(match.out, "Breakthrough: mcts against random, 100 nodes a move, seed 1"));
  CHECK(has(match.out, "`mcts` is stronger"));
  CHECK_FALSE(has(match.out, "  400 games"));
  CHECK(has(match.out, "score"));
  CHECK(has(match.out, "Elo"));
}

namespace {

// Takes time, but not the processor's, and plays the first move.
class Sleeper final : public search::Player {
public:
  static constexpr std::chrono::milliseconds kNap{30};
  tl::expected<search::Thought, runtime::Fault> think(const runtime::Game& game, const search::ThinkLimits&,
                                                      const search::OnThought&) override {
    std::this_thread::sleep_for(kNap);
    runtime::Game copy = game;
    const auto moves = copy.moves();
    if (!moves) return tl::unexpected(moves.error());
    search::Thought thought;
    thought.move = (*moves)[0];
    return thought;
  }
};

// What the longest move took, in seconds.
double longest_move(bool cpu_time) {
  MatchPlan plan;
  plan.players = {"random", "random"};
  plan.running = {std::make_shared<Sleeper>(), std::make_shared<Sleeper>()};
  plan.pairs = 1;
  plan.milliseconds = 1000;
  plan.cpu_time = cpu_time;
  const auto rules = load_rules("tictactoe");
  const MatchRun run = play_match(rules, runtime::Game(rules), plan);
  CHECK(run.score.games == 2);
  return std::max(run.score.spent[0].longest, run.score.spent[1].longest);
}

} // namespace

TEST_CASE("match: what moves take is counted as their limit is, by the processor or the clock") {
  const double nap = std::chrono::duration<double>(Sleeper::kNap).count();
  CHECK(longest_move(false) >= nap);
  CHECK(longest_move(true) < nap);
  MatchPlan plan;
  plan.players = {"auto", "ugi:engine"};
  CHECK_FALSE(counts_cpu_time(plan, 0));
  plan.cpu_time = true;
  CHECK(counts_cpu_time(plan, 0));
  CHECK_FALSE(counts_cpu_time(plan, 1)); // nobody sees what another program takes
  const Run told = run("match tictactoe random random --games 2 --cpu --time 5ms");
  CHECK(has(told.out, " ms of CPU time and "));
  const json by_clock = json::parse(run("match tictactoe random random --games 2 --time 5ms --json").out);
  CHECK(by_clock["players"][0]["cpu_time"] == false);
}

TEST_CASE("match: what is wrong is said") {
  CHECK(run("match breakthrough mcts").status == 2);
  const Run four = run("match halma4 mcts random");
  CHECK(four.status == 1);
  CHECK(
      has(run("match tictactoe random random --games 3 --nodes 1").err, "games come in pairs: 4 are played"));
  CHECK(has(four.err, "a match is between two players"));
  const Run nobody = run("match breakthrough mcts nobody");
  CHECK(nobody.status == 2);
  CHECK(has(nobody.err, "there is no player `nobody`"));
  CHECK(has(run("match breakthrough mcts random --sprt 40,0").err, "is not of the form"));
}

TEST_CASE("match: a game that doesn't end is a draw, and is told") {
  const Run match = run("match breakthrough random random --games 2 --max-plies 5 --nodes 1");
  CHECK(has(match.out, "2 games: 0 won, 2 drawn, 0 lost"));
  CHECK(has(match.out, "2 games cut off after 5 moves"));
}

namespace {

// Boardwright as another program, which plays at random, but is killed at every so manieth move; `every` is
// counted on in a file, through all its lives.
std::string mortal_engine(const std::string& name, const std::string& game, int every) {
  const std::string count = scratch().path(name + ".count");
  std::remove(count.c_str());
  const std::string script = "n=0; [ -e " + count + " ] && read -r n < " + count +
                             "\nwhile read -r line; do\n"
                             "  case $line in go*) n=$((n + 1)); echo $n > " +
                             count + "; [ $((n % " + std::to_string(every) +
                             ")) = 0 ] && kill -9 0 ;; esac\n"
                             "  echo \"$line\"\ndone | '" +
                             program_path() + "' ugi " + game + " --player random\n";
  return "'ugi:sh " + scratch().file(name + ".sh", script) + "'";
}

// A program that is killed at its first so many moves, and then is another one.
std::string late_engine(int deaths) {
  const std::string count = scratch().path("late.count");
  std::remove(count.c_str());
  return "'ugi:sh " +
         scratch().file("late.sh", "n=0; [ -e " + count + " ] && read -r n < " + count + "\n[ $n -ge " +
                                       std::to_string(deaths) + " ] && exec '" + program_path() +
                                       "' ugi tictactoe --player random\n"
                                       "while read -r line; do case $line in\n  ugi) echo ugiok ;;\n"
                                       "  isready) echo readyok ;;\n  go*) echo $((n + 1)) > " +
                                       count + "; kill -9 $$ ;;\nesac; done\n") +
         "'";
}

} // namespace

TEST_CASE("match: a hundred games with a program that crashes now and then") {
  const Run match = run("match tictactoe random " + mortal_engine("mortal", "tictactoe", 23) +
                        " --games 100 --nodes 1 --opening 2 --json");
  CHECK(match.status == 0);
  CHECK(match.err.empty());
  const json score = json::parse(match.out);
  CHECK(score["games"] == 100);
  const json& other = score["players"][1];
  CHECK(score["players"][0]["failures"] == 0);
  CHECK(score["players"][0]["last_failure"].is_null());
  CHECK(other["failures"].get<int>() >= 5);
  CHECK(has(other["last_failure"], "was killed by signal 9"));
  CHECK(score["players"][0]["wins"].get<int>() >= other["failures"].get<int>()); // these are won
  CHECK(score["players"][0]["wins"].get<int>() + other["wins"].get<int>() + score["draws"].get<int>() == 100);
}

TEST_CASE("match: a program that fails each time is given up, one that comes to itself isn't") {
  const Run hopeless = run("match tictactoe " + late_engine(1000) + " random --nodes 1");
  CHECK(hopeless.status == 1);
  CHECK(has(hopeless.out, "failed in 5 games and lost them; the last time: `sh "));
  CHECK(has(hopeless.err, "the match is over: `ugi:sh "));
  CHECK(has(hopeless.err, "failed 5 times in a row"));
  const Run late = run("match tictactoe " + late_engine(kMostFailures - 1) + " random --games 20 --nodes 1");
  CHECK(late.status == 0);
  CHECK(has(late.out, "20 games"));
  CHECK(has(late.out, "failed in 4 games and lost them"));
}

TEST_CASE("match: what is wrong with another program is said before it begins") {
  const Run none = run("match tictactoe random ugi:/no/such/engine --nodes 1");
  CHECK(none.status == 2);
  CHECK(none.out.empty());
  CHECK(has(none.err, "`/no/such/engine` ended with status 127"));
  CHECK(has(run("match tictactoe random uci: --nodes 1").err, "needs a command"));
}

TEST_CASE("match: games are recorded whole, and replay") {
  const std::string file = scratch().path("match.txt");
  for (const char* jobs : {"1", "2"}) {
    std::remove(file.c_str());
    const Run match = run("match breakthrough random mcts --games 6 --nodes 3 --record " + file +
                          " --max-plies 30 --jobs " + std::string(jobs));
    CHECK(match.status == 0);
    const auto records = boardwright::interpreter::read_records(read(file));
    REQUIRE(records);
    REQUIRE(records->size() == 6);
    std::set<std::string> rounds, sides;
    for (std::size_t k = 1; k <= records->size(); ++k) {
      const auto& record = (*records)[k - 1];
      rounds.insert(record.tag("Round"));
      for (const std::string& player : record.tags_named("Player")) sides.insert(player);
      CHECK_FALSE(record.result.empty());
      REQUIRE(record.moves.size() > 4);
      CHECK(record.moves[3].comments == std::vector<std::string>{"the opening, drawn at random, ends here"});
      const Run replay = run("replay --moves --game " + std::to_string(k) + " " + file);
      CHECK(replay.status == 0);
      CHECK(replay.err.empty());
    }
    CHECK(rounds == std::set<std::string>{"1.1", "1.2", "2.1", "2.2", "3.1", "3.2"});
    CHECK(sides == std::set<std::string>{"White: random", "White: mcts", "Black: random", "Black: mcts"});
  }
}

TEST_CASE("match: results that no rule gives are in the record; a position, too") {
  const std::string file = scratch().path("match_ends.txt");
  std::remove(file.c_str());
  CHECK(
      run("match tictactoe random " + late_engine(1000) + " --nodes 1 --opening 0 --record " + file).status ==
      1);
  CHECK(run("match tictactoe random random --nodes 1 --games 2 --opening 0 --max-plies 1 --record " + file +
            " --position '3/1x1/2o Cross'")
            .status == 0);
  const auto records = boardwright::interpreter::read_records(read(file));
  REQUIRE(records);
  REQUIRE(records->size() == 7);
  CHECK(has((*records)[0].result, " wins (`sh "));
  CHECK(has((*records)[0].result, "was killed by signal 9"));
  CHECK((*records)[5].result == "a draw (cut off after 1 moves)");
  CHECK_FALSE((*records)[6].tag("Position").empty());
  for (std::size_t k = 1; k <= 7; ++k)
    CHECK(run("replay --game " + std::to_string(k) + " " + file).status == 0);
}

TEST_CASE("match: Ctrl-C leaves whole games in the record") {
  const std::string file = scratch().path("match_stopped.txt");
  std::remove(file.c_str());
  Child match({"match", "breakthrough", "random", "mcts", "--nodes", "20", "--games", "1000000", "--jobs",
               "2", "--record", file});
  while (read(file).size() < 5000) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  match.kill(SIGINT);
  CHECK(match.wait() == 130);
  const auto records = boardwright::interpreter::read_records(read(file));
  REQUIRE(records);
  for (const auto& record : *records) CHECK_FALSE(record.result.empty());
  CHECK(run("replay --moves --game " + std::to_string(records->size()) + " " + file).status == 0);
}

TEST_CASE("match: a record that can't be written, or read again") {
  const Run folder = run("match tictactoe random random --nodes 1 --record " + scratch().path(""));
  CHECK(folder.status == 3);
  CHECK(has(folder.err, "it is a folder"));
  if (fs::exists("/dev/full")) {
    const Run full = run("match tictactoe random random --nodes 1 --record /dev/full");
    CHECK(full.status == 3);
    CHECK(has(full.err, "No space left on device"));
  }
  const auto with_plies = [](const char* plies) {
    return run("match tictactoe random random --nodes 1 --games 2 --record /dev/null --max-plies " +
               std::string(plies));
  };
  CHECK(with_plies("100000").status == 0);
  CHECK(with_plies("100001").status == 2);
}

TEST_CASE("match: a file of records grows until no larger one can be replayed, and no further") {
  const auto loaded = boardwright::interpreter::load("tictactoe");
  REQUIRE(loaded);
  const std::string path = scratch().path("large_match.txt");
  const auto add = [&](std::uintmax_t size) {
    std::ofstream(path).close();
    fs::resize_file(path, size);
    auto record = MatchRecord::at_end_of(path, {{"Rules", "tictactoe"}}, loaded);
    REQUIRE(record);
    PlayedGame game;
    game.round = "1.1";
    game.players = {"random", "auto"};
    game.moves = {{0, "a1"}, {1, "b2"}};
    game.reason = "cut off after 2 moves";
    return record->add(game);
  };
  CHECK(add(1).empty());
  const std::uintmax_t length = fs::file_size(path) - 1;
  CHECK(add(boardwright::interpreter::kMaxRecordBytes - length).empty());
  CHECK(fs::file_size(path) == boardwright::interpreter::kMaxRecordBytes);
  CHECK(has(add(boardwright::interpreter::kMaxRecordBytes - length + 1), "can't write `"));
  CHECK(fs::file_size(path) == boardwright::interpreter::kMaxRecordBytes - length + 1);
  std::remove(path.c_str());
}

TEST_CASE("analyse: the best line, the value, what is proven") {
  const json draw = json::parse(run("analyse tictactoe --nodes 200000 --lines 9 --json").out);
  CHECK(draw["proof"] == "draw");
  CHECK(draw["value"] == 0.5);
  CHECK(draw["line"].size() == 9);
  CHECK(draw["candidates"].size() == 9);
  CHECK(draw["candidates"][0]["move"] == draw["move"]);
  const Run win = run("analyse tictactoe --position 'play: a1 a2 b1 b2' --nodes 10");
  CHECK(win.status == 0);
  CHECK(has(win.out, "a win, proven"));
  CHECK(has(win.out, "best line: c1"));
  CHECK(has(run("analyse tictactoe --position 'play: a1 a2 b1 b2 c1'").out, "wins"));
  CHECK(run("analyse tictactoe --player nobody").status == 2);
}

TEST_CASE("analyse: alpha-beta tells what other moves are worth, too") {
  const std::string asked =
      "analyse tictactoe --player alphabeta --nodes 20000 --json --position 'play: a1 a2 b1 b3'";
  const json three = json::parse(run(asked + " --lines 3").out);
  REQUIRE(three["candidates"].size() == 3);
  CHECK(three["candidates"][0]["move"] == "c1");
  CHECK(three["candidates"][0]["proof"] == "win");
  CHECK(three["candidates"][1]["value"] >= three["candidates"][2]["value"]);
  CHECK(three["candidates"][1]["visits"].is_null());
  const json all = json::parse(run(asked + " --lines 10").out);
  REQUIRE(all["candidates"].size() == 5);
  for (const auto& candidate : all["candidates"]) CHECK_FALSE(candidate["proof"].is_null());
  CHECK(json::parse(run(asked + " --lines 1").out)["candidates"].size() == 1);
  CHECK(run(asked + " --lines 0").status == 2);
  const json chance = json::parse(run("analyse tictactoe --player random --json").out);
  CHECK(chance["move"] == chance["line"][0]);
}

} // namespace match_test
