// bench: how fast games are played and counted.
#include "dsl/finder.hpp"
#include "runtime/game/inspect.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/game/thread_group.hpp"
#include "runtime/model/meter.hpp"
#include "tools/commands/bench_calibration.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/search_rate.hpp"
#include "tools/console/cpu_time.hpp"
#include "tools/console/ending.hpp"
#include "tools/console/given_up.hpp"
#include "tools/console/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

namespace boardwright::tools {
namespace {

// Playouts of a benchmark end here: a game that need not end must not take the whole time slice.
constexpr int kBenchMaxPlies = 2000;

constexpr double kMaxBenchSeconds = 86'400; // a day for a game is a mistyped number

using interpreter::Loaded;
using runtime::Fault;
using runtime::PlayoutResult;
using runtime::Rules;

struct Figures {
  double playouts = 0, plies = 0, moves = 0, nodes = 0, searched = 0; // per second of CPU time
  double load_ms = 0;
  std::size_t state_bytes = 0;
  bool native = false;             // native code played the games
  std::optional<double> fall_back; // share of the instructions; nothing where there is no native code
};

// The quickest of a few loads: the first one also pays for cold caches, which is nothing beside one that
// takes long. Loading is done on a thread with a large stack, so the time of all threads counts.
double load_ms(const std::string& reference, const interpreter::Settings& settings) {
  constexpr int kLoads = 5;
  constexpr double kLong = 100;
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < kLoads && !interrupted() && (i == 0 || best < kLong); ++i) {
    const double start = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const Loaded loaded = interpreter::load(reference, settings);
    best = std::min(best, (cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - start) * 1000);
  }
  return best;
}

runtime::PlayoutOptions playout_options(const BenchOptions& bench, std::uint64_t seed) {
  runtime::PlayoutOptions options;
  options.count = std::numeric_limits<std::uint64_t>::max();
  options.seed = seed;
  options.max_plies = kBenchMaxPlies;
  options.cpu_seconds = bench.seconds;
  options.native = bench.native;
  options.stop = &interrupted();
  return options;
}

struct Sums { // of several threads
  std::uint64_t playouts = 0, plies = 0, moves = 0;
  double seconds = 0;
  bool native = false;

  void add(const PlayoutResult& result, double spent) {
    playouts += result.playouts;
    plies += result.plies;
    moves += result.moves;
    seconds += spent;
    native = result.native;
  }
  [[nodiscard]] double rate(std::uint64_t what) const {
    return seconds > 0 ? static_cast<double>(what) / seconds : 0;
  }
};

// How much each thread may take; nothing: as much as the time allows.
std::optional<std::uint64_t> steps_of_account() {
  const runtime::Meter* const meter = runtime::Meter::current();
  return meter == nullptr ? std::nullopt : std::optional(meter->left());
}

// Each thread plays games of its own, timed by its own clock.
tl::expected<Sums, Fault> measure_playouts(const std::shared_ptr<const Rules>& rules,
                                           const BenchOptions& options) {
  const auto count = static_cast<std::size_t>(options.threads);
  std::vector<tl::expected<PlayoutResult, Fault>> results(count);
  std::vector<double> spent(count);
  const std::optional<std::uint64_t> steps = steps_of_account();
  const auto work = [&](std::size_t i) {
    runtime::Meter meter(steps.value_or(0));
    const runtime::Meter::Use use(steps ? &meter : nullptr);
    const double start = cpu_seconds();
    results[i] = runtime::playouts(rules, playout_options(options, i + 1));
    spent[i] = cpu_seconds() - start;
  };
  runtime::ThreadGroup others([] {}); // each ends by its own clock
  for (std::size_t i = 1; i < count;
       ++i) // where the machine has no more threads, those that run are measured
    if (!others.start([&work, i] { work(i); })) break;
  work(0);
  others.join();
  Sums sums;
  for (std::size_t i = 0; i < count; ++i) {
    if (!results[i]) return tl::unexpected(results[i].error());
    sums.add(*results[i], spent[i]);
  }
  return sums;
}

struct Sample {
  double nodes = 0, seconds = 0;
};

tl::expected<Sample, Fault> count_once(runtime::Game& game, int depth) {
  const double start = cpu_seconds();
  const auto count = runtime::perft(game, {depth, false, &interrupted()});
  if (!count) return tl::unexpected(count.error());
  if (count->stopped) return Sample{};
  return Sample{static_cast<double>(count->leaves), cpu_seconds() - start};
}

// Counts deeper and deeper while the next depth, grown as the last one did, still fits into the time; then
// counts the deepest again until the time is used up. Gives nodes per second at that depth.
tl::expected<double, Fault> measure_perft(const std::shared_ptr<const Rules>& rules, double seconds) {
  runtime::Game game(rules);
  Sample deepest{1, 0};
  double used = 0, growth = 1;
  int depth = 0;
  while (depth < kMaxPerftDepth && used + deepest.seconds * growth < seconds) {
    const auto sample = count_once(game, depth + 1);
    if (!sample && runtime::Meter::gave_up()) break;
    if (!sample) return tl::unexpected(sample.error());
    if (sample->nodes == 0) break; // no game is so long
    growth = sample->nodes / deepest.nodes;
    deepest = *sample;
    used += deepest.seconds;
    ++depth;
  }
  while (depth > 0 && used < seconds && !interrupted()) {
    const auto sample = count_once(game, depth);
    if (!sample && runtime::Meter::gave_up()) break;
    if (!sample) return tl::unexpected(sample.error());
    deepest.nodes += sample->nodes;
    deepest.seconds += sample->seconds;
    used += std::max(sample->seconds, 1e-6); // a clock that stands still must not keep us here
  }
  return depth > 0 && deepest.seconds > 0 ? deepest.nodes / deepest.seconds : 0;
}

// One of the figures, with a part of what the account of the game has left.
template <class Measure>
auto with_part(runtime::Meter* account, std::uint64_t parts, Measure&& measure) {
  runtime::Meter part(account == nullptr ? 0 : account->left() / parts, &interrupted());
  const runtime::Meter::Use use(account == nullptr ? nullptr : &part);
  auto found = measure();
  if (account != nullptr) account->spend(std::min(part.spent(), account->left()));
  return found;
}

// `account`: what it may take; null: as much as the time allows.
tl::expected<Figures, Fault> measure(const std::string& reference, const Loaded& loaded,
                                     const BenchOptions& options, runtime::Meter* account) {
  Figures figures;
  figures.load_ms = load_ms(reference, options.settings);
  figures.state_bytes = loaded.rules->state_bytes();
  const auto played = with_part(account, 3, [&] { return measure_playouts(loaded.rules, options); });
  if (!played) return tl::unexpected(played.error());
  figures.playouts = played->rate(played->playouts);
  figures.plies = played->rate(played->plies);
  figures.moves = played->rate(played->moves);
  figures.native = played->native;
  const auto nodes = with_part(account, 2, [&] { return measure_perft(loaded.rules, options.seconds); });
  if (!nodes) return tl::unexpected(nodes.error());
  figures.nodes = *nodes;
  const auto searched =
      with_part(account, 1, [&] { return measured_search_rate(loaded.rules, options.seconds); });
  if (!searched) return tl::unexpected(searched.error());
  figures.searched = *searched;
  if (options.native)
    figures.fall_back = with_part(account, 1, [&] { return runtime::measured_fall_back(*loaded.rules); });
  return figures;
}

std::string figures_json(const std::string& game, const Figures& figures) {
  return to_text({{"game", game},
                  {"playouts_per_cpu_second", figures.playouts},
                  {"plies_per_cpu_second", figures.plies},
                  {"moves_per_cpu_second", figures.moves},
                  {"perft_nodes_per_cpu_second", figures.nodes},
                  {"searched_positions_per_cpu_second", figures.searched},
                  {"load_ms", figures.load_ms},
                  {"state_bytes", figures.state_bytes},
                  {"native", figures.native},
                  {"engine_fall_back_share", figures.fall_back ? Json(*figures.fall_back) : Json()}}) +
         "\n";
}

std::string heading() {
  return fmt::format("{:<16} {:>12} {:>14} {:>14} {:>14} {:>12} {:>9} {:>7} {:>9}\n", "per CPU second",
                     "playouts", "plies", "moves", "perft nodes", "searched", "load ms", "state B",
                     "fall back");
}

std::string figures_line(const std::string& game, const Figures& figures) {
  const auto whole = [](double value) { return grouped(static_cast<std::uint64_t>(value)); };
  return fmt::format("{:<16} {:>12} {:>14} {:>14} {:>14} {:>12} {:>9.2f} {:>7} {:>9}\n", printable(game),
                     whole(figures.playouts), whole(figures.plies), whole(figures.moves),
                     whole(figures.nodes), whole(figures.searched), figures.load_ms, figures.state_bytes,
                     figures.fall_back ? fmt::format("{:.1f} %", *figures.fall_back * 100) : "-");
}

tl::expected<Loaded, Exit> open_to_measure(const std::string& reference, const BenchOptions& options,
                                           runtime::Meter& meter, Console& console) {
  const EndingSoon while_loading;
  const runtime::Meter::Use use(&meter);
  return load_game({reference, options.settings, ""}, console);
}

Exit bench_game(const std::string& reference, const BenchOptions& options, Console& console) {
  runtime::Meter meter(runtime::kMaxCommandSteps, &interrupted());
  const auto loaded = open_to_measure(reference, options, meter, console);
  if (!loaded) return loaded.error();
  console.progress("measuring " + printable(reference));
  const auto figures = measure(reference, *loaded, options, options.asked ? nullptr : &meter);
  if (!figures) return report_fault(loaded->rules->program(), figures.error(), console);
  if (interrupted()) return Exit::interrupted;
  console.out(options.json ? figures_json(reference, *figures) : figures_line(reference, *figures));
  console.flush();
  if (figures->playouts * figures->nodes * figures->searched == 0 && !options.asked && meter.is_spent())
    console.note(given_up("`--seconds 2` measures for as long, whatever that takes"));
  return Exit::good;
}

std::vector<std::string> bundled_games() {
  std::vector<std::string> games;
  for (const dsl::BundledFile& file : dsl::bundled_files())
    if (dsl::is_game(file.text)) games.emplace_back(file.name);
  std::sort(games.begin(), games.end());
  return games;
}

Exit bench(const BenchOptions& options, Console& console) {
  const std::vector<std::string> games = options.games.empty() ? bundled_games() : options.games;
  if (options.calibration > 0) return bench_calibration(games, options, console);
  if (!options.json) console.out(heading());
  Exit worst = Exit::good;
  for (const std::string& game : games) {
    if (console.failed() || interrupted()) break;
    worst = std::max(worst, bench_game(game, options, console));
  }
  return interrupted() ? Exit::interrupted : worst;
}

} // namespace

void declare_bench(CommandLine& line) {
  auto& options = line.options<BenchOptions>();
  CLI::App& command = line.add("bench", "Measures how fast games are loaded, played at random and counted",
                               "  boardwright bench\n  boardwright bench GAME OTHER --seconds 5 --json");
  by_title(
      command.add_option("GAME", options.games, "Rule files or names; all bundled games if there are none"))
      ->type_name("");
  add_settings(command, options.settings);
  add_number(
      command, "--seconds", options.seconds, 0.001, kMaxBenchSeconds,
      "CPU time for the playouts of a game, as much for counting its moves, and as much for a search (1)");
  add_number(command, "--threads", options.threads, 1, kMaxThreads, "How many threads play at once (1)");
  command.add_flag_callback(
      "--no-native", [&options] { options.native = false; },
      "Interprets random games instead of making native code for them");
  add_number<std::uint64_t>(command, "--calibration", options.calibration, 1, 100'000,
                            "Instead: plays so many games of `auto` against itself, and tells how often what "
                            "`analyse` says of positions comes true");
  add_json(command, options.json);
  command.footer(
      command.get_footer() +
      fmt::format(
          "\nRandom games end after {} moves here. With --json, one object "
          "per game and line.\n`searched`: positions that a search visits, four plies deep, each asked "
          "for its outcome,\nthose above the last for their moves, which are played and taken back.\n"
          "`fall back`: the share of the instructions that native code leaves to C++, among those\n"
          "carried out in a few random games; - if all are interpreted.",
          kBenchMaxPlies));
  line.runs(command, [&options, &command](Console& console) {
    options.asked = command.count("--seconds") > 0;
    return bench(options, console);
  });
}

} // namespace boardwright::tools
