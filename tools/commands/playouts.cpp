// playouts: random games and their statistics.
#include "runtime/game/playout_parts.hpp"
#include "runtime/model/meter.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/work.hpp"
#include "tools/console/json.hpp"
#include "tools/evaluate/game_units.hpp"
#include "tools/games/endings.hpp"
#include "tools/games/outcome_json.hpp"
#include "tools/games/position_json.hpp"
#include "tools/games/wilson.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace boardwright::tools {
namespace {

struct PlayoutsCommand {
  GameChoice game;
  std::uint64_t count = 1000;
  bool asked = false;     // for so many games: then they are played, however long that takes
  std::uint64_t from = 0; // number of the first game
  std::uint64_t seed = 1;
  int max_plies = 2000;
  WorkOptions work;
  bool json = false;
};

using runtime::FaultyGame;
using runtime::PlayoutResult;
using runtime::Program;

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string share_line(const std::string& name, std::size_t width, std::uint64_t hits, std::uint64_t trials) {
  const Interval interval = wilson(hits, trials);
  return fmt::format("  {:<{}}  {:>10}  {:5.1f} %  ({:.1f} to {:.1f})\n", name, width, grouped(hits),
                     100 * ratio(hits, trials), 100 * interval.low, 100 * interval.high);
}

std::string results_text(const Program& program, const PlayoutResult& result) {
  std::size_t width = std::string("unfinished").size();
  for (const runtime::Player& player : program.players) width = std::max(width, player.name.size() + 5);
  for (const auto& [parts, games] : result.shared)
    width = std::max(width, runtime::shares_text(program, parts).size());
  std::string text;
  for (std::size_t i = 0; i < program.players.size(); ++i)
    text += share_line(runtime::with_verb(program.players[i].name, "win"), width, result.wins[i],
                       result.playouts);
  text += share_line("draws", width, result.draws, result.playouts);
  for (const auto& [parts, games] : result.shared)
    text += share_line(runtime::shares_text(program, parts), width, games, result.playouts);
  return text + share_line("unfinished", width, result.unfinished, result.playouts);
}

// A line for each way to end, with the place that decided.
std::string endings_text(const std::vector<EndingCount>& endings, std::uint64_t playouts) {
  constexpr std::size_t kWidest = 48; // conditions may be as long as a rule
  std::vector<std::string> names;
  std::size_t width = 0;
  for (const EndingCount& ending : endings) {
    names.push_back(quotable(ending.rule.empty() ? ending.by : ending.rule, kWidest));
    width = std::max(width, std::min(names.back().size(), kWidest + 1)); // `…` is one column
  }
  std::string text = "  ended by\n";
  for (std::size_t i = 0; i < endings.size(); ++i) {
    text += fmt::format("    {:<{}}  {:>10}  {:5.1f} %", names[i], width, grouped(endings[i].games),
                        100 * ratio(endings[i].games, playouts));
    text += (endings[i].at.empty() ? "" : "  " + printable(endings[i].at)) + "\n";
  }
  return endings.empty() ? "" : text;
}

// Games that others have played, too, took nobody's time alone: `seconds` is nothing then.
std::string games_text(const interpreter::Loaded& loaded, const PlayoutsCommand& options,
                       const PlayoutResult& result, std::optional<double> seconds) {
  const Program& program = loaded.rules->program();
  const std::string given_up =
      result.gave_up ? fmt::format("  these are the first of {} games\n", grouped(options.count)) : "";
  if (result.playouts == 0) return fmt::format("{}: no game was finished\n", printable(program.game));
  std::string text =
      fmt::format("{}: {} random games, seed {}{}\n", printable(program.game), grouped(result.playouts),
                  options.seed, options.from > 0 ? fmt::format(", from number {}", options.from) : "");
  text += results_text(program, result);
  text += endings_text(endings_of(loaded, result), result.playouts);
  text += fmt::format("  plies in a game: {:.1f} on average, {} to {}\n",
                      ratio(result.plies, result.playouts), result.shortest, result.longest);
  text += fmt::format("  moves to choose from: {:.1f} on average\n", ratio(result.moves, result.plies));
  if (result.unfinished > 0)
    text += fmt::format("  unfinished games were cut off after {} plies\n", options.max_plies);
  text += given_up;
  if (seconds && *seconds > 0)
    text += fmt::format("  {:.2f} s, {} games a second\n", *seconds,
                        grouped(static_cast<std::uint64_t>(static_cast<double>(result.playouts) / *seconds)));
  return text;
}

Json interval_json(std::uint64_t hits, std::uint64_t trials) {
  const Interval interval = wilson(hits, trials);
  return {interval.low, interval.high};
}

Json endings_json(const Program& program, const std::vector<EndingCount>& endings, std::uint64_t playouts) {
  Json all = Json::array();
  for (const EndingCount& ending : endings) {
    Json json = {{"by", ending.by}};
    if (!ending.rule.empty()) json["rule"] = ending.rule;
    if (!ending.at.empty()) json["at"] = ending.at;
    json.update({{"games", ending.games}, {"share", ratio(ending.games, playouts)}});
    Json wins = Json::object();
    for (std::size_t i = 0; i < program.players.size(); ++i) wins[program.players[i].name] = ending.wins[i];
    json.update({{"wins", std::move(wins)}, {"draws", ending.draws}});
    all.push_back(std::move(json));
  }
  return all;
}

Json result_json(const interpreter::Loaded& loaded, const PlayoutsCommand& options,
                 const PlayoutResult& result, std::optional<double> seconds) {
  const Program& program = loaded.rules->program();
  Json wins = Json::object(), intervals = Json::object();
  for (std::size_t i = 0; i < program.players.size(); ++i) {
    wins[program.players[i].name] = result.wins[i];
    intervals[program.players[i].name] = interval_json(result.wins[i], result.playouts);
  }
  Json json = {{"game", program.game},
               {"seed", options.seed},
               {"max_plies", options.max_plies},
               {"playouts", result.playouts},
               {"wins", wins},
               {"win_intervals", intervals},
               {"draws", result.draws},
               {"unfinished", result.unfinished},
               {"endings", endings_json(program, endings_of(loaded, result), result.playouts)},
               {"plies", result.plies},
               {"moves", result.moves},
               {"shortest", result.shortest},
               {"longest", result.longest},
               {"mean_plies", ratio(result.plies, result.playouts)},
               {"mean_moves", ratio(result.moves, result.plies)}};
  for (const auto& [parts, games] : result.shared)
    json["shared"].push_back({{"shares", shares_json(program, parts)}, {"games", games}});
  if (options.from > 0) json["from"] = options.from;
  if (seconds) json.update({{"seconds", *seconds}, {"cpu_seconds", result.cpu_seconds}});
  if (result.stopped) json["stopped"] = true;
  if (result.gave_up) json["gave_up"] = true;
  return json;
}

// A game that couldn't go on: where that was, in the spelling that `--position` takes.
Json faulty_json(const Program& program, const FaultyGame& game) {
  return {{"game", game.number},
          {"plies", game.plies},
          {"position", to_json(program, game.position)},
          {"at", runtime::place_of(program, game.fault.origin)},
          {"message", game.fault.message}};
}

void report_faulty(const Program& program, const PlayoutsCommand& options, const FaultyGame& game,
                   Console& console) {
  console.error(fmt::format("game {} of seed {}, after {} moves: {}: {}", grouped(game.number), options.seed,
                            game.plies, printable(runtime::place_of(program, game.fault.origin)),
                            printable(game.fault.message)));
  console.note(fmt::format("with --position '{}'\n", printable(write_position(program, game.position))));
}

runtime::PlayoutOptions engine_options(const PlayoutsCommand& options, Console& console) {
  runtime::PlayoutOptions engine;
  engine.count = options.count;
  engine.seed = options.seed;
  engine.threads = options.work.threads;
  engine.max_plies = options.max_plies;
  engine.stop = &interrupted();
  engine.progress = [&console, count = options.count](std::uint64_t done) {
    console.progress(fmt::format("{} of {} games", grouped(done), grouped(count)));
  };
  return engine;
}

std::string playouts_command(const PlayoutsCommand& options, const std::string& folder) {
  return command_of_game("playouts", options.game) +
         fmt::format(" --count {} --from {} --seed {} --max-plies {} --units {}", options.count, options.from,
                     options.seed, options.max_plies, shell_word(folder));
}

Exit play_out_in_units(const PlayoutsCommand& options, OpenGame open, Console& console) {
  if (!can_be_cut(options.count, kPlayoutsOfUnit, console)) return Exit::usage;
  auto choice = std::make_shared<GamesChoice>();
  if (open.has_position) {
    choice->begin = write_position(open.program(), open.game.position());
    choice->from = std::make_shared<const runtime::Game>(open.game);
  }
  const Variant variant{options.game.reference, options.game.settings, std::move(open.loaded)};
  const Work work{&variant,
                  playouts_units(choice, options.from, options.count, options.seed, options.max_plies),
                  playouts_command(options, options.work.folder)};
  const auto done = do_work({work}, options.work, playouts_command(options, "DIR"), nullptr, console);
  if (!done) return done.error();
  if (answers_in_parts(*done, options.work)) {
    console.out(shard_text(*done, options.work));
    return report_work(*done, console);
  }
  PlayoutResult sum;
  sum.wins.resize(variant.loaded.rules->program().players.size());
  for (const auto& result : done->results[0])
    if (result && result->playouts) runtime::add_playouts(*result->playouts, sum);
  sum.stopped = done->run.stopped;
  console.out(options.json ? to_document(result_json(variant.loaded, options, sum, std::nullopt))
                           : games_text(variant.loaded, options, sum, std::nullopt));
  return report_work(*done, console);
}

Exit play_out(const PlayoutsCommand& options, Console& console) {
  watch_for_ends();
  auto open = open_game(options.game, console);
  if (!open) return open.error();
  if (options.asked) runtime::Meter::lift();
  if (!options.work.folder.empty()) return play_out_in_units(options, std::move(*open), console);
  const runtime::Position from = open->game.position();
  const auto start = std::chrono::steady_clock::now();
  const auto run =
      runtime::run_playouts_from(options.from, open->loaded.rules, engine_options(options, console),
                                 open->has_position ? &from : nullptr);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const Program& program = open->program();
  if (run.faulty) report_faulty(program, options, *run.faulty, console);
  if (options.json) {
    Json json = result_json(open->loaded, options, run.result, seconds);
    if (run.faulty) json["fault"] = faulty_json(program, *run.faulty);
    console.out(to_document(json));
  } else {
    console.out(games_text(open->loaded, options, run.result, seconds));
  }
  if (run.faulty) return Exit::at_fault;
  return run.result.stopped ? Exit::interrupted : Exit::good;
}

} // namespace

void declare_playouts(CommandLine& line) {
  auto& options = line.options<PlayoutsCommand>();
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  CLI::App& command = line.add("playouts", "Plays random games and prints who won how often",
                               "  boardwright playouts GAME --count 10000 --seed 1\n"
                               "  boardwright playouts GAME --count 1000000 --threads 8 --json\n"
                               "  boardwright playouts GAME --count 1000000 --units done --on parallel:4\n"
                               "  boardwright playouts GAME --count 1000000 --units done --on "
                               "'slurm:--partition=short --time=60'");
  add_game(command, options.game);
  add_number<std::uint64_t>(command, "--count", options.count, 1, kMost,
                            "How many games (1000, or as many as can be played in some seconds)");
  add_number<std::uint64_t>(command, "--seed", options.seed, 0, kMost,
                            "The same seed gives the same games, on any number of threads (1)");
  add_number<std::uint64_t>(command, "--from", options.from, 0, kMost / 2,
                            "Number of the first of these games, of those that the seed has (0)");
  add_number(command, "--threads", options.work.threads, 1, kMaxThreads, "How many threads (1)");
  add_number(command, "--max-plies", options.max_plies, 1, std::numeric_limits<int>::max(),
             "A game that is not over after this many moves counts as unfinished (2000)");
  add_position(command, options.game);
  (void)add_units(command, options.work);
  add_json(command, options.json);
  line.runs(command, [&options, &command](Console& console) {
    options.asked = command.count("--count") > 0 || command.count("--units") > 0;
    return play_out(options, console);
  });
}

} // namespace boardwright::tools
