// match: two programs play each other.
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/commands/work.hpp"
#include "tools/console/json.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/weights_file.hpp"
#include "tools/evaluate/game_units.hpp"
#include "tools/games/position_json.hpp"
#include "tools/match/match_games.hpp"
#include "tools/match/match_record.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace boardwright::tools {
namespace {

struct MatchOptions {
  GameChoice game;
  std::vector<std::string> players; // two descriptions: see opponents.hpp
  std::uint64_t games = 100;
  std::uint64_t from = 0;        // number of the first game, which is even
  std::optional<double> seconds; // for a move
  std::uint64_t nodes = 0;       // 0: no such limit
  bool cpu_time = false;
  std::uint64_t seed = 1;
  WorkOptions work; // threads: games at a time
  int opening_plies = 4;
  int max_plies = 500;
  bool tests = false; // ends when the sequential test knows
  Sprt sprt;
  std::string weights; // a file; "": that of the game's name, if there is one
  std::string record;  // the games are written to this file
  bool json = false;
};

constexpr double kSecondsOfMove = 0.02;

MatchPlan plan_of(const MatchOptions& options) {
  MatchPlan plan;
  plan.players = {options.players[0], options.players[1]};
  plan.game = options.game.reference;
  plan.first_pair = options.from / 2;
  plan.pairs = (options.games + 1) / 2;
  if (options.nodes > 0) plan.nodes = options.nodes;
  // Units have no clock.
  if (options.work.folder.empty() && (options.seconds || options.nodes == 0))
    plan.milliseconds = static_cast<int>(std::lround(1000 * options.seconds.value_or(kSecondsOfMove)));
  plan.cpu_time = options.cpu_time;
  plan.seed = options.seed;
  plan.jobs = options.work.threads;
  plan.opening_plies = options.opening_plies;
  plan.max_plies = options.max_plies;
  if (options.tests) plan.sprt = options.sprt;
  plan.stop = &interrupted();
  return plan;
}

Estimate elo_of(const Estimate& score) {
  return {elo_of_score(score.value), elo_of_score(score.low), elo_of_score(score.high)};
}

std::string elo_text(double elo) {
  return std::isinf(elo) ? (elo > 0 ? "infinite" : "-infinite") : fmt::format("{:+.0f}", elo);
}

std::string verdict_text(Verdict verdict, const Sprt& sprt, const std::string& first) {
  switch (verdict) {
  case Verdict::high:
    return fmt::format("`{}` is stronger, rather by {} Elo than by {}", first, sprt.high, sprt.low);
  case Verdict::low: return fmt::format("`{}` is not stronger by {} Elo", first, sprt.high);
  case Verdict::unknown: break;
  }
  return "not decided";
}

// Of games that others have played, too, there is no time to tell.
std::string spent_text(const MatchPlan& plan, std::size_t player, const Spent& spent) {
  if (spent.moves == 0) return "";
  const std::string name = printable(plan.players[player]);
  const double moves = static_cast<double>(spent.moves);
  if (spent.seconds <= 0)
    return fmt::format("  {}: {} nodes a move\n", name,
                       grouped(static_cast<std::uint64_t>(static_cast<double>(spent.nodes) / moves)));
  return fmt::format("  {}: {:.1f} ms{} and {} nodes a move, {:.1f} ms for the longest\n", name,
                     1000 * spent.seconds / moves, counts_cpu_time(plan, player) ? " of CPU time" : "",
                     grouped(static_cast<std::uint64_t>(static_cast<double>(spent.nodes) / moves)),
                     1000 * spent.longest);
}

std::string failures_text(const std::string& name, std::uint64_t failures, const std::string& last) {
  if (failures == 0) return "";
  return fmt::format("  {} failed in {} game{} and lost {}; the last time: {}\n", name, grouped(failures),
                     failures == 1 ? "" : "s", failures == 1 ? "it" : "them", printable(last));
}

std::string limits_text(const MatchPlan& plan) {
  std::string text;
  if (plan.milliseconds)
    text += fmt::format(", {} ms{} a move", *plan.milliseconds, plan.cpu_time ? " of CPU time" : "");
  if (plan.nodes) text += fmt::format(", {} nodes a move", grouped(*plan.nodes));
  return text;
}

std::string odd_pairs_text(const OddPairs& odd) {
  std::string points, pairs;
  for (const auto& [many, number] : odd) {
    points += fmt::format("{}{:.4g}", points.empty() ? "" : ", ", many);
    pairs += fmt::format("{}{}", pairs.empty() ? "" : ", ", number);
  }
  return fmt::format("  with {}: {}\n", points, pairs);
}

std::string score_text(const runtime::Program& program, const MatchPlan& plan, const MatchScore& score) {
  const std::string first = printable(plan.players[0]), second = printable(plan.players[1]);
  std::string text = fmt::format(
      "{}: {} against {}{}, seed {}{}\n", printable(program.game), first, second, limits_text(plan),
      plan.seed, plan.first_pair > 0 ? fmt::format(", from game {}", 2 * plan.first_pair) : "");
  const std::string failures = failures_text(first, score.failures[0], score.last_failure[0]) +
                               failures_text(second, score.failures[1], score.last_failure[1]);
  if (score.games == 0) return text + "  no pair of games was finished\n" + failures;
  const Estimate points = score_of_pairs(score.pairs, score.odd_pairs), elo = elo_of(points);
  text += fmt::format("  {} games: {} won, {} drawn, {} lost{}\n", grouped(score.games),
                      grouped(score.wins[0]), grouped(score.draws), grouped(score.wins[1]),
                      score.shared > 0 ? fmt::format("; the point of {} shared", grouped(score.shared)) : "");
  text += fmt::format("  score {:.1f} % ({:.1f} to {:.1f}), Elo {} ({} to {})\n", 100 * points.value,
                      100 * points.low, 100 * points.high, elo_text(elo.value), elo_text(elo.low),
                      elo_text(elo.high));
  if (plan.sprt)
    text += fmt::format("  sequential test of {} and {} Elo: {} ({:.2f} of {:.2f})\n", plan.sprt->low,
                        plan.sprt->high,
                        verdict_text(verdict_of(score.pairs, *plan.sprt, score.odd_pairs), *plan.sprt, first),
                        log_likelihood_ratio(score.pairs, *plan.sprt, score.odd_pairs), sprt_bound());
  text += fmt::format("  pairs with 0, 1/2, 1, 3/2, 2 points: {}\n", fmt::join(score.pairs, ", "));
  if (!score.odd_pairs.empty()) text += odd_pairs_text(score.odd_pairs);
  text += fmt::format("  {} won {}, {} won {}\n", printable(program.players[0].name), score.side_wins[0],
                      printable(program.players[1].name), score.side_wins[1]);
  text += fmt::format("  {:.1f} moves a game",
                      static_cast<double>(score.plies) / static_cast<double>(score.games));
  if (score.cut_off > 0)
    text += fmt::format("; {} games cut off after {} moves, drawn", score.cut_off, plan.max_plies);
  return text + "\n" + spent_text(plan, 0, score.spent[0]) + spent_text(plan, 1, score.spent[1]) + failures;
}

// A number, or null for an infinite one, which JSON can't write.
Json finite(double number) { return std::isfinite(number) ? Json(number) : Json(); }
Json estimate_json(const Estimate& e) {
  return {{"value", finite(e.value)}, {"low", finite(e.low)}, {"high", finite(e.high)}};
}

Json score_json(const runtime::Program& program, const MatchPlan& plan, const MatchScore& score, bool timed) {
  const Estimate points = score_of_pairs(score.pairs, score.odd_pairs);
  Json players = Json::array();
  for (std::size_t k = 0; k < plan.players.size(); ++k) {
    const Spent& spent = score.spent[k];
    Json player = {
        {"player", plan.players[k]}, {"wins", score.wins[k]}, {"moves", spent.moves}, {"nodes", spent.nodes}};
    if (timed)
      player.update({{"seconds", spent.seconds},
                     {"longest_ms", 1000 * spent.longest},
                     {"cpu_time", counts_cpu_time(plan, k)}});
    player.update({{"failures", score.failures[k]},
                   {"last_failure", score.failures[k] > 0 ? Json(score.last_failure[k]) : Json()}});
    players.push_back(std::move(player));
  }
  Json sides = Json::object();
  for (std::size_t k = 0; k < 2; ++k) sides[program.players[k].name] = score.side_wins[k];
  Json json = {{"game", program.game},
               {"seed", plan.seed},
               {"players", players},
               {"games", score.games},
               {"draws", score.draws},
               {"pairs", score.pairs},
               {"score", estimate_json(points)},
               {"elo", estimate_json(elo_of(points))},
               {"side_wins", sides},
               {"cut_off", score.cut_off},
               {"plies", score.plies}};
  if (score.shared > 0)
    json.update({{"shared", score.shared}, {"odd_pairs", odd_pairs_json(score.odd_pairs)}});
  if (plan.first_pair > 0) json["from"] = 2 * plan.first_pair;
  json["milliseconds"] = plan.milliseconds ? Json(*plan.milliseconds) : Json();
  json["nodes"] = plan.nodes ? Json(*plan.nodes) : Json();
  if (!plan.sprt) return json;
  const Verdict verdict = verdict_of(score.pairs, *plan.sprt, score.odd_pairs);
  json["sprt"] = {{"low", plan.sprt->low},
                  {"high", plan.sprt->high},
                  {"log_likelihood_ratio", log_likelihood_ratio(score.pairs, *plan.sprt, score.odd_pairs)},
                  {"bound", sprt_bound()},
                  {"verdict", verdict == Verdict::high  ? Json("high")
                              : verdict == Verdict::low ? Json("low")
                                                        : Json()}};
  return json;
}

std::string progress_text(const MatchPlan& plan, const MatchScore& score) {
  const Estimate points = score_of_pairs(score.pairs, score.odd_pairs);
  std::string text = fmt::format("{} of {} games: +{} ={} -{}, {:.1f} % ({:.1f} to {:.1f})", score.games,
                                 2 * plan.pairs, score.wins[0], score.draws, score.wins[1],
                                 100 * points.value, 100 * points.low, 100 * points.high);
  if (plan.sprt)
    text += fmt::format(", test {:+.2f} of {:.2f}",
                        log_likelihood_ratio(score.pairs, *plan.sprt, score.odd_pairs), sprt_bound());
  return text;
}

// Two players, and descriptions that are good; or the status to end with. Other programs are running then.
std::optional<Exit> refuse(const OpenGame& open, MatchPlan& plan, Console& console) {
  const std::size_t players = open.program().players.size();
  if (players != 2) {
    console.error(fmt::format("a match is between two players, and {} has {}", printable(open.program().game),
                              players));
    return Exit::at_fault;
  }
  for (std::size_t k = 0; k < plan.players.size(); ++k) {
    if (!plan.milliseconds && needs_time(plan.players[k])) {
      console.error(fmt::format("`{}` can't be told a number of positions: its protocol needs --time",
                                printable(plan.players[k])));
      return Exit::usage;
    }
    auto made = make_opponent(plan.players[k], open.loaded.rules, {1, 1, nullptr, plan.game});
    if (!made) {
      console.error(printable(made.error()));
      return Exit::usage;
    }
    if (is_external(plan.players[k])) plan.running[k] = std::move(*made);
  }
  return std::nullopt;
}

// Where the games are to be written; an error has been told.
tl::expected<std::optional<MatchRecord>, Exit>
open_record_file(const OpenGame& open, const MatchOptions& options, Console& console) {
  if (options.record.empty()) return std::nullopt;
  if (static_cast<std::size_t>(options.max_plies) > interpreter::kMaxRecordMoves) {
    console.error(
        fmt::format("--max-plies: a record has at most {} moves", grouped(interpreter::kMaxRecordMoves)));
    return tl::unexpected(Exit::usage);
  }
  const auto past = past_of(open.game);
  if (!past) return tl::unexpected(report_fault(open.program(), past.error(), console));
  auto record =
      MatchRecord::at_end_of(options.record, tags_of(open, options.game.reference, past->begin), open.loaded);
  if (record) return std::optional(std::move(*record));
  console.error(record.error());
  return tl::unexpected(Exit::files);
}

// How a match ended that wasn't played to its end.
Exit report_end(const OpenGame& open, const MatchPlan& plan, const MatchRun& run, Console& console) {
  if (run.given_up) {
    console.error(fmt::format("the match is over: `{}` failed {} times in a row",
                              printable(plan.players[*run.given_up]), kMostFailures));
    return Exit::at_fault;
  }
  if (!run.unrecorded.empty()) {
    console.error(run.unrecorded);
    return Exit::files;
  }
  if (!run.fault) return run.stopped ? Exit::interrupted : Exit::good;
  if (!run.fault->player.empty())
    console.note(fmt::format("`{}` was to move\n", printable(run.fault->player)));
  return report_fault(open.program(), run.fault->fault, console);
}

std::string match_command(const MatchOptions& options, const std::string& folder) {
  std::string text = command_of_game("match", options.game);
  for (const std::string& player : options.players) text += " " + shell_word(player);
  if (options.nodes > 0) text += fmt::format(" --nodes {}", options.nodes);
  if (!options.weights.empty()) text += " --weights " + shell_word(options.weights);
  return text + fmt::format(" --games {} --from {} --seed {} --opening {} --max-plies {} --units {}",
                            options.games + options.games % 2, options.from, options.seed,
                            options.opening_plies, options.max_plies, shell_word(folder));
}

// The position with the moves that led to it, which rules may ask about.
tl::expected<std::string, runtime::Fault> begin_of(const OpenGame& open) {
  const auto past = past_of(open.game);
  if (!past) return tl::unexpected(past.error());
  return fmt::format("{} {}", write_position(open.program(), past->begin.position()),
                     fmt::join(past->moves, " "));
}

Exit match_in_units(const MatchOptions& options, const MatchPlan& plan, OpenGame open, Console& console) {
  if (const std::string wrong = why_not_in_units(plan); !wrong.empty()) {
    console.error(wrong);
    return Exit::usage;
  }
  if (!can_be_cut(options.games, 2 * kPairsOfUnit, console)) return Exit::usage;
  auto choice = std::make_shared<GamesChoice>();
  choice->match = plan;
  if (open.has_position) {
    const auto begin = begin_of(open);
    if (!begin) return report_fault(open.program(), begin.error(), console);
    choice->begin = *begin;
    choice->from = std::make_shared<const runtime::Game>(open.game);
  }
  const Variant variant{options.game.reference, options.game.settings, std::move(open.loaded)};
  const Work work{&variant, match_units(choice), match_command(options, options.work.folder)};
  const auto done = do_work({work}, options.work, match_command(options, "DIR"), nullptr, console);
  if (!done) return done.error();
  if (answers_in_parts(*done, options.work)) {
    console.out(shard_text(*done, options.work));
    return report_work(*done, console);
  }
  MatchScore sum;
  for (const auto& result : done->results[0])
    if (result && result->match) add_score(*result->match, sum);
  const runtime::Program& program = variant.loaded.rules->program();
  console.out(options.json ? to_document(score_json(program, plan, sum, false))
                           : score_text(program, plan, sum));
  return report_work(*done, console);
}

Exit play_match_command(const MatchOptions& options, Console& console) {
  watch_for_ends();
  auto open = open_game(options.game, console);
  if (!open) return open.error();
  MatchPlan plan = plan_of(options);
  if (options.games % 2 != 0 && !options.tests)
    console.note(fmt::format("note: games come in pairs: {} are played\n", grouped(2 * plan.pairs)));
  auto weights = find_weights(options.weights, options.game, open->loaded, console);
  if (!weights) return weights.error();
  plan.weights = std::move(*weights);
  if (const auto status = refuse(*open, plan, console)) return *status;
  if (!options.work.folder.empty()) return match_in_units(options, plan, std::move(*open), console);
  auto record = open_record_file(*open, options, console);
  if (!record) return record.error();
  if (*record) plan.record = [&](const PlayedGame& game) { return (*record)->add(game); };
  const MatchRun run = play_match(open->loaded.rules, open->game, plan, [&](const MatchScore& score) {
    console.progress(progress_text(plan, score));
  });
  console.clear_progress();
  const runtime::Program& program = open->program();
  console.out(options.json ? to_document(score_json(program, plan, run.score, true))
                           : score_text(program, plan, run.score));
  return report_end(*open, plan, run, console);
}

// `LOW,HIGH`, both in Elo.
Sprt parse_sprt(const std::string& text) {
  Sprt sprt;
  constexpr double kFarthest = 2000;
  const std::size_t comma = text.find(',');
  const auto number = [](const std::string& part) {
    return parse_number("--sprt", part, -kFarthest, kFarthest);
  };
  if (comma != std::string::npos) sprt = {number(text.substr(0, comma)), number(text.substr(comma + 1))};
  if (comma == std::string::npos || sprt.low >= sprt.high)
    throw CLI::ValidationError("--sprt", fmt::format("`{}` is not of the form 0,40", printable(text)));
  return sprt;
}

// What depends on the clock, or on which games are over first, isn't done in parts.
void add_match_units(CLI::App& command, WorkOptions& work) {
  CLI::Option* units = add_units(command, work);
  for (const char* other : {"--time", "--cpu", "--sprt", "--record"})
    units->excludes(command.get_option(other));
}

void add_first_game(CLI::App& command, MatchOptions& options) {
  command
      .add_option_function<std::string>(
          "--from",
          [&options](const std::string& text) {
            options.from =
                parse_number<std::uint64_t>("--from", text, 0, std::numeric_limits<std::uint64_t>::max() / 2);
            if (options.from % 2 != 0)
              throw CLI::ValidationError("--from", "games come in pairs, so that the first one is even");
          },
          "Number of the first of these games, of those that the seed has: an even one (0)")
      ->type_name("N");
}

} // namespace

void declare_match(CommandLine& line) {
  auto& options = line.options<MatchOptions>();
  CLI::App& command =
      line.add("match", "Plays games between two programs and tells which is stronger",
               "  boardwright match GAME auto random --games 20 --time 20ms\n"
               "  boardwright match GAME mcts level:5 --nodes 1000 --seed 7 --jobs 2 --json\n"
               "  boardwright match GAME mcts mcts:explore=0.7 --time 10ms --games 400 --sprt\n"
               "  boardwright match GAME auto 'ugi:boardwright ugi GAME --player level:3' --record "
               "games.txt\n"
               "  boardwright match GAME auto level:4 --nodes 2000 --units done --on parallel:4\n"
               "  boardwright match GAME auto level:4 --nodes 2000 --units done --on "
               "'slurm:--partition=long --time=60'");
  add_game(command, options.game);
  command.add_option("PLAYERS", options.players, "Two players; see below")
      ->required()
      ->expected(2)
      ->type_name("");
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  add_number<std::uint64_t>(command, "--games", options.games, 2, kMost,
                            "How many games, in pairs with sides swapped (100)");
  add_first_game(command, options);
  add_limits(command, options.seconds, options.nodes, " (20ms, unless --nodes is given)");
  command.add_flag("--cpu", options.cpu_time,
                   "Counts CPU time, not the clock's: for players of one thread, on a machine that is busy; "
                   "other programs are told it as a time by the clock, and get less there");
  add_number<std::uint64_t>(command, "--seed", options.seed, 0, kMost,
                            "Of openings and players: with --nodes the same seed gives the same games (1)");
  add_number(command, "--jobs", options.work.threads, 1, kMaxThreads,
             "How many games are played at a time (1)");
  add_number(command, "--opening", options.opening_plies, 0, 1000,
             "Moves at random that each pair of games begins with (4)");
  add_number(command, "--max-plies", options.max_plies, 1, 1'000'000,
             "A game that is not over after this many moves is a draw (500)");
  command
      .add_option_function<std::string>(
          "--sprt",
          [&options](const std::string& text) {
            options.tests = true;
            if (!text.empty()) options.sprt = parse_sprt(text);
          },
          "Stops as soon as a sequential test knows whether the first player is rather HIGH than LOW Elo "
          "stronger (0,40)")
      ->type_name("LOW,HIGH")
      ->expected(0, 1);
  command
      .add_option("--record", options.record,
                  "Writes every game to this file when it is over, behind what is there; `replay --game N` "
                  "shows them")
      ->type_name("FILE");
  add_position(command, options.game);
  add_weights(command, options.weights);
  add_match_units(command, options.work);
  add_json(command, options.json);
  add_opponents(command);
  line.choices["PLAYERS"] = players_to_choose();
  line.runs(command, [&options](Console& console) { return play_match_command(options, console); });
}

} // namespace boardwright::tools
