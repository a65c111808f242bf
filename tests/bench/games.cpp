// Whole games: random ones as the engine plays them and through the interface that programs use, perft,
// loading, notation; and the same games written by hand.
#include "tests/bench/games.hpp"

#include "tests/bench/antigrid.hpp"
#include "tests/bench/eximo.hpp"
#include "tests/bench/intermedium.hpp"
#include "tests/bench/scalus.hpp"
#include "tests/bench/tempo.hpp"

#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/game/random_player.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace boardwright::bench {

namespace {

using benchmark::Counter;
using runtime::Game;
using runtime::Rules;

constexpr std::uint32_t kMaxPlies = 2000; // as `boardwright bench` does
constexpr std::uint64_t kSeed = 1;

// What a number of games amounts to.
class Sums {
public:
  void add(std::uint64_t plies, std::uint64_t moves) { ++games_, plies_ += plies, moves_ += moves; }
  void report(benchmark::State& state) const {
    state.counters["playouts"] = rate(games_);
    state.counters["plies"] = rate(plies_);
    state.counters["moves"] = rate(moves_);
  }

private:
  static Counter rate(std::uint64_t n) { return {static_cast<double>(n), Counter::kIsRate}; }

  std::uint64_t games_ = 0, plies_ = 0, moves_ = 0;
};

// Null, and the benchmark skipped, where the file does not load.
std::shared_ptr<const Rules> rules_of(const std::string& game, benchmark::State& state) {
  auto loaded = interpreter::load(game);
  if (!loaded) state.SkipWithError("the rule file has errors");
  return loaded.rules;
}

void skip(const runtime::Fault& fault, benchmark::State& state) {
  state.SkipWithError(fault.message.c_str());
}

void play_out(benchmark::State& state, const std::string& name) {
  const auto rules = rules_of(name, state);
  if (!rules) return;
  runtime::RandomPlayer player(rules);
  runtime::Random random(kSeed);
  (void)player.play(random, 1); // native code is made when the first game is played
  Sums sums;
  for ([[maybe_unused]] auto _ : state) {
    const auto played = player.play(random, kMaxPlies);
    if (!played) return skip(played.error(), state);
    sums.add(played->plies, played->moves);
  }
  sums.report(state);
}

template <class G>
void play_out_by_hand(benchmark::State& state) {
  runtime::Random random(kSeed);
  std::vector<typename G::Move> moves;
  Sums sums;
  for ([[maybe_unused]] auto _ : state) {
    const auto played = yardstick::play_out(G(), random, kMaxPlies, moves);
    sums.add(played.plies, played.moves);
  }
  sums.report(state);
}

// One random game as a program plays it: asks for the outcome, lists the moves, plays one. False at a fault.
bool play_listing(Game& game, runtime::Random& random, Sums& sums, benchmark::State& state) {
  std::uint64_t plies = 0, listed = 0;
  for (; plies < kMaxPlies; ++plies) {
    const auto outcome = game.outcome();
    if (!outcome) return skip(outcome.error(), state), false;
    const auto moves = game.moves();
    if (!moves) return skip(moves.error(), state), false;
    if (*outcome || moves->empty()) break;
    listed += moves->size();
    (void)game.play((*moves)[random.below(moves->size())]);
  }
  sums.add(plies, listed);
  return true;
}

void play_listed(benchmark::State& state, const std::string& name) {
  const auto rules = rules_of(name, state);
  if (!rules) return;
  Game game(rules);
  runtime::Random random(kSeed);
  Sums sums;
  for ([[maybe_unused]] auto _ : state) {
    while (game.undo()) {
    }
    if (!play_listing(game, random, sums, state)) return;
  }
  sums.report(state);
}

// A depth whose count has about so many leaves at most.
constexpr double kMaxLeaves = 200'000;

template <class Count>
int depth_for(Count&& count) {
  double before = 1;
  for (int depth = 1;; ++depth) {
    const auto leaves = static_cast<double>(count(depth));
    if (leaves == 0) return std::max(depth - 1, 1);
    // As the last depth grew, so will the next.
    if (leaves * leaves / before > kMaxLeaves) return depth;
    before = leaves;
  }
}

template <class Count>
void count_moves(benchmark::State& state, Count&& count) {
  const int depth = depth_for(count);
  std::uint64_t leaves = 0;
  for ([[maybe_unused]] auto _ : state) leaves += count(depth);
  state.counters["depth"] = depth;
  state.counters["leaves"] = {static_cast<double>(leaves), Counter::kIsRate};
}

void perft(benchmark::State& state, const std::string& name) {
  const auto rules = rules_of(name, state);
  if (!rules) return;
  Game game(rules);
  count_moves(state, [&](int depth) {
    const auto count = runtime::perft(game, {depth});
    if (!count) skip(count.error(), state);
    return count ? count->leaves : 0;
  });
}

template <class G>
void perft_by_hand(benchmark::State& state) {
  G game;
  count_moves(state, [&](int depth) { return yardstick::perft(game, depth); });
}

void load(benchmark::State& state, const std::string& name) {
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(interpreter::load(name).rules);
}

void write_notations(benchmark::State& state, const std::string& name) {
  const auto rules = rules_of(name, state);
  if (!rules) return;
  Game game(rules);
  std::size_t written = 0;
  for ([[maybe_unused]] auto _ : state) {
    const auto notations = game.notations();
    if (!notations) return skip(notations.error(), state);
    written += notations->size();
  }
  state.counters["moves"] = {static_cast<double>(written), Counter::kIsRate};
}

// If `game` is the one that G is: so that the two stand side by side.
template <class G>
void register_by_hand(const std::string& game, const std::string& name) {
  if (game != name) return;
  benchmark::RegisterBenchmark(("playout/" + name + "/by_hand").c_str(), play_out_by_hand<G>);
  benchmark::RegisterBenchmark(("perft/" + name + "/by_hand").c_str(), perft_by_hand<G>);
}

} // namespace

void register_games() {
  for (const std::string& name : dsl::known_games()) {
    benchmark::RegisterBenchmark(("playout/" + name).c_str(), play_out, name);
    benchmark::RegisterBenchmark(("listed_game/" + name).c_str(), play_listed, name);
    benchmark::RegisterBenchmark(("perft/" + name).c_str(), perft, name);
    benchmark::RegisterBenchmark(("notations/" + name).c_str(), write_notations, name);
    benchmark::RegisterBenchmark(("load/" + name).c_str(), load, name)->Unit(benchmark::kMicrosecond);
    register_by_hand<yardstick::AntiGrid>(name, "antigrid");
    register_by_hand<yardstick::Eximo>(name, "eximo");
    register_by_hand<yardstick::Intermedium>(name, "intermedium");
    register_by_hand<yardstick::Scalus>(name, "scalus");
    register_by_hand<yardstick::Tempo>(name, "tempo");
  }
}

} // namespace boardwright::bench
