// What a command takes in all where nobody asks for a depth, a number, a time or an effort: it draws from one
// account, and what it gives up is the same on any number of threads.
#include "interpreter/load.hpp"
#include "runtime/executor/price.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/model/meter.hpp"
#include "tests/rule_files.hpp"
#include "tests/tools/running.hpp"
#include "tools/evaluate/evaluation.hpp"
#include "tools/evaluate/run_units.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace bounded_test {

using namespace boardwright;
using namespace boardwright::tests;

namespace {

// Games of which a thousand take too long: they don't end, and each move is asked for by a walk from each
// cell.
std::string busy() {
  return scratch().file("busy.yaml", R"(game: Busy
players: { White: north, Black: south }
board: { squares: 8 by 8 }
pieces: { man: w b }
setup: { w: a1, b: h8 }
turn: from own, step(all, empty), require sum(a for a in ply .. 20000) > ply
)");
}

runtime::PlayoutRun played_on(std::uint64_t steps, int threads, const std::string& game = "breakthrough",
                              bool native = true) {
  const auto loaded = interpreter::load(game);
  runtime::PlayoutOptions options;
  options.count = 500;
  options.threads = threads;
  options.native = native;
  runtime::Meter meter(steps);
  const runtime::Meter::Use use(&meter);
  return runtime::run_playouts(loaded.rules, options);
}

tools::UnitsRun evaluated_on(std::uint64_t steps, int threads) {
  const interpreter::Settings settings{{"columns", "4"}, {"rows", "5"}};
  const tools::Variant variant{"breakthrough", settings, interpreter::load("breakthrough", settings)};
  tools::EvaluationPlan plan;
  plan.strengths = {0, 1, 2};
  plan.games = 12;
  std::vector<tools::Job> jobs;
  for (const tools::Unit& unit : tools::units_of(plan)) jobs.push_back({&variant, unit});
  tools::RunChoice choice;
  choice.threads = threads;
  runtime::Meter meter(steps);
  const runtime::Meter::Use use(&meter);
  return tools::run_units(jobs, choice);
}

// The games of each unit, by what happened in them.
std::vector<std::vector<std::uint64_t>> lines_of(const tools::UnitsRun& run) {
  std::vector<std::vector<std::uint64_t>> lines;
  for (const auto& result : run.results) {
    auto& of_unit = lines.emplace_back();
    if (!result) continue;
    for (const auto& game : result->games) of_unit.push_back(game.line);
    of_unit.insert(of_unit.end(), result->cells.begin(), result->cells.end());
  }
  return lines;
}

std::size_t games_of(const tools::UnitsRun& run) {
  std::size_t games = 0;
  for (const auto& result : run.results) games += result ? result->games.size() : 0;
  return games;
}

} // namespace

TEST_CASE("random games on an account are the first ones, as many as there are steps for") {
  const auto all = played_on(runtime::kMaxCommandSteps, 1);
  CHECK_FALSE(all.result.gave_up);
  CHECK(all.result.playouts == 500);
  const auto one = played_on(300'000, 1), three = played_on(300'000, 3);
  CHECK(one.result.gave_up);
  CHECK(three.result.gave_up);
  CHECK_FALSE(one.faulty);
  CHECK((one.result.playouts > 10 && one.result.playouts < 500));
  CHECK(one.result.playouts == three.result.playouts);
  CHECK(one.result.wins == three.result.wins);
  CHECK(one.result.moves == three.result.moves);
  CHECK(played_on(0, 2).result.playouts == 0);
}

TEST_CASE("a step is worth what it takes on an average, and the same without native code") {
  // A random game of shogi is some 15 million steps as loops are counted, of which a quarter is done.
  constexpr std::uint64_t kSteps = 60'000'000;
  const auto native = played_on(kSteps, 1, "shogi"), interpreted = played_on(kSteps, 2, "shogi", false);
  CHECK(native.result.gave_up);
  CHECK(native.result.playouts > 10);
  CHECK(native.result.playouts < 50);
  CHECK(native.result.playouts == interpreted.result.playouts);
  CHECK(native.result.moves == interpreted.result.moves);
}

TEST_CASE("what a step is worth has bounds") {
  using runtime::executor::kWholePrice;
  using runtime::executor::price_of;
  CHECK(price_of(0, 0) == kWholePrice); // nothing was played
  CHECK(price_of(1'000, 1'000) == kWholePrice);
  CHECK(price_of(250, 1'000) == kWholePrice / 4);
  CHECK(price_of(1'000, 32'000) == kWholePrice / 32);
  CHECK(price_of(1'000, 33'000) == kWholePrice / 32);
  CHECK(price_of(1'000, 31'000) > kWholePrice / 32);
  CHECK(price_of(4'000, 1'000) == 4 * kWholePrice);
  CHECK(price_of(4'001, 1'000) == 4 * kWholePrice);
  CHECK(price_of(3'999, 1'000) < 4 * kWholePrice);
}

TEST_CASE("pieces of work on an account are the first ones, and a part of one") {
  const auto all = evaluated_on(runtime::kMaxCommandSteps, 2);
  CHECK_FALSE(all.gave_up);
  CHECK(games_of(all) == 60);
  for (const std::uint64_t steps : {std::uint64_t{2'000'000}, std::uint64_t{20'000'000}}) {
    CAPTURE(steps);
    const auto one = evaluated_on(steps, 1), three = evaluated_on(steps, 3);
    CHECK(one.gave_up);
    CHECK(three.gave_up);
    CHECK_FALSE(one.fault);
    CHECK(games_of(one) < 60);
    CHECK(lines_of(one) == lines_of(three));
  }
}

TEST_CASE("what commands give up is told, and done where it is asked for") {
  if (kSanitized) return; // so many steps take minutes there
  const Run some = run("playouts " + busy() + " --json");
  CHECK(some.status == 0);
  const auto json = nlohmann::json::parse(some.out);
  CHECK(json["gave_up"] == true);
  CHECK(json["playouts"].get<int>() < 1000);
  CHECK(has(some.err,
            "gave up after 1600000000 steps: this is not all that there is to see; `--count N` plays"));
  const Run asked = run("playouts " + busy() + " --count 1 --max-plies 10");
  CHECK(asked.status == 0);
  CHECK(asked.err.empty());
  // Of each of very many moves it is asked how much a walk reaches.
  const Run analysed = run("analyse --json " + scratch().file("far.yaml", R"(game: Far
players: { White: north, Black: south }
board: { squares: 24 by 24 }
pieces: { man: w b }
setup: { w: rank(1), b: rank(24) }
turn: |
  most count(reach(c, (go all, at empty)*)) of
    (choose c in empty, choose d in empty, drop man on c | d, say c)
)"));
  CHECK(analysed.status == 0);
  CHECK(nlohmann::json::parse(analysed.out)["gave_up"] == true);
  CHECK(has(analysed.err, "`--time 10` thinks for as long"));
  const Run solved = run("solve " + busy());
  CHECK(solved.status == 0);
  CHECK(has(solved.out, "unknown: no proof was found in the steps that a command may take\n"));
  CHECK(has(solved.err, "`--time 10m` goes on for as long"));
}

} // namespace bounded_test
