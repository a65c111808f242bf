// analyse: what a program thinks of a position.
#include "runtime/model/meter.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/given_up.hpp"
#include "tools/console/json.hpp"
#include "tools/engines/external_player.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/other_moves.hpp"
#include "tools/engines/weights_file.hpp"
#include "tools/games/outcome_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::tools {
namespace {

struct AnalyseOptions {
  GameChoice game;
  std::string player = "auto";
  std::optional<double> seconds; // neither this nor nodes: see kSecondsOfThought
  std::uint64_t nodes = 0;       // 0: no such limit
  std::size_t lines = 5;         // moves whose values are told
  std::uint64_t seed = 1;
  int threads = 1;
  std::string weights; // likewise
  bool json = false;
};

namespace search = runtime::search;
using runtime::search::Candidate;
using runtime::search::Proof;
using runtime::search::Thought;

constexpr double kSecondsOfThought = 1.5; // where nobody says how long; less if to read the rules took long
// What is left, in any case, to tell what was found: to write moves they are listed once more. Less where
// somebody has asked for an end: some hundredths of a second.
constexpr std::uint64_t kStepsToTell = runtime::kMaxCommandSteps / 8, kStepsToTellSoon = 20'000'000;
constexpr const char* kRemedy = "`--time 10` thinks for as long, whatever that takes";
// More games would change little.
constexpr std::uint64_t kMostNodesToLearn = 500'000;

// Notations of candidates, in their order.
std::vector<std::string> notations(runtime::Game game, const std::vector<Candidate>& candidates,
                                   std::size_t most) {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < std::min(most, candidates.size()); ++k) {
    auto text = game.notation(candidates[k].move);
    texts.push_back(text ? std::move(*text) : "?");
  }
  return texts;
}

// To write moves they are listed once more: where that takes longer than it may the best line must do, which
// has been written.
void drop_what_is_long_in_writing(const runtime::Game& game, std::uint64_t steps, Thought& thought) {
  runtime::Meter brief(steps, &interrupted());
  const runtime::Meter::Use use(&brief);
  if (!thought.candidates.empty() && !runtime::Game(game).notation(thought.candidates.front().move))
    thought.candidates.clear();
}

std::string progress_text(const Thought& thought) {
  std::string text = fmt::format("{} nodes, depth {}, {}", grouped(thought.nodes), thought.depth,
                                 value_text(thought.value, thought.proof));
  for (std::size_t k = 0; k < std::min<std::size_t>(thought.line.size(), 4); ++k)
    text += " " + thought.line[k];
  return printable(text);
}

std::string thought_text(const OpenGame& open, const AnalyseOptions& options, const Thought& thought,
                         double seconds) {
  const auto& player = open.program().players[static_cast<std::size_t>(open.game.to_move())];
  std::string text = fmt::format("{}, {} to move: {}\n", printable(open.program().game),
                                 printable(player.name), value_text(thought.value, thought.proof));
  text += "  best line:";
  for (const std::string& move : thought.line) text += " " + printable(move);
  text += "\n";
  const auto texts = notations(open.game, thought.candidates, options.lines);
  std::size_t width = 4;
  for (const std::string& move : texts) width = std::max(width, move.size());
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const Candidate& c = thought.candidates[k];
    text += fmt::format("    {:<{}}", printable(texts[k]), width);
    if (c.visits > 0) text += fmt::format("  {:>11} visits", grouped(c.visits));
    text += "  " + value_text(c.value, c.proof) + "\n";
  }
  if (thought.candidates.size() > texts.size() && thought.candidates.back().visits > 0)
    text += fmt::format("    and {} more\n", thought.candidates.size() - texts.size());
  text += fmt::format("  {}: {} nodes, {} deep, {:.2f} s\n", printable(options.player),
                      grouped(thought.nodes), thought.depth, seconds);
  return thought.remark.empty() ? text : text + "  " + printable(thought.remark) + "\n";
}

Json thought_json(const OpenGame& open, const AnalyseOptions& options, const Thought& thought, double seconds,
                  bool gave_up) {
  const auto proof = [](Proof p) { return p == Proof::unknown ? Json() : Json(word_of(p)); };
  const auto texts = notations(open.game, thought.candidates, thought.candidates.size());
  Json candidates = Json::array();
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const Candidate& c = thought.candidates[k];
    candidates.push_back({{"move", texts[k]},
                          {"value", c.value},
                          {"visits", c.visits > 0 ? Json(c.visits) : Json()}, // not every player counts them
                          {"proof", proof(c.proof)}});
  }
  const auto to_move = static_cast<std::size_t>(open.game.to_move());
  Json json{{"game", open.program().game},
            {"player", options.player},
            {"to_move", open.program().players[to_move].name},
            {"move", texts.empty() ? Json() : Json(texts.front())},
            {"value", thought.value},
            {"proof", proof(thought.proof)},
            {"line", thought.line},
            {"depth", thought.depth},
            {"nodes", thought.nodes},
            {"seconds", seconds},
            {"remark", thought.remark},
            {"candidates", std::move(candidates)}};
  if (gave_up) json["gave_up"] = true;
  return json;
}

// Where the game is over there is nothing to think about.
Exit tell_outcome(const OpenGame& open, const runtime::Outcome& outcome, bool json, Console& console) {
  if (json)
    console.out(to_document(
        {{"game", open.program().game}, {"move", nullptr}, {"outcome", outcome_json(open.loaded, outcome)}}));
  else
    console.out(outcome_text(open.loaded, outcome) + "\n");
  return Exit::good;
}

runtime::search::ThinkLimits limits_of(const AnalyseOptions& options) {
  runtime::search::ThinkLimits limits;
  limits.stop = &interrupted();
  if (options.nodes > 0) limits.most_nodes = options.nodes;
  if (options.seconds)
    limits.deadline =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(*options.seconds));
  return limits;
}

// What this player's values are worth in this game, learnt from games that somebody like him plays against
// himself: in a quarter of the time, or with as many positions as he may look at.
runtime::search::Calibration calibration_of(const AnalyseOptions& options, const OpponentChoice& choice,
                                            const OpenGame& open, Console& console) {
  runtime::search::CalibrationLimits limits;
  limits.seed = options.seed;
  limits.stop = &interrupted();
  limits.most_nodes = options.nodes > 0 ? std::min(options.nodes, kMostNodesToLearn) : kMostNodesToLearn;
  if (options.seconds)
    limits.deadline =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(*options.seconds / 4));
  console.progress("playing some games to know what is likely");
  return calibration_for(options.player, open.loaded.rules, choice, limits);
}

// As much again for all other moves as for the chosen one.
OtherMoves others_of(const AnalyseOptions& options) {
  OtherMoves others;
  others.lines = options.lines;
  others.stop = &interrupted();
  if (options.nodes > 0) others.nodes = options.nodes;
  if (options.seconds)
    others.time =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(*options.seconds));
  return others;
}

// Nobody thinks where nature moves: how likely its outcomes are, of a roll of very many the first ones.
Exit tell_rolls(OpenGame& open, bool json, Console& console) {
  constexpr std::size_t kMostTold = 100;
  const auto moves = open.game.moves();
  const auto weights = moves ? open.game.weights() : tl::unexpected(moves.error());
  if (!weights) return report_fault(open.program(), weights.error(), console);
  const double sum = std::accumulate(weights->begin(), weights->end(), 0.0);
  const std::size_t told = std::min(weights->size(), kMostTold);
  Json outcomes = Json::array();
  std::string lines =
      fmt::format("{}, nature to move for {}: what is rolled decides\n", printable(open.program().game),
                  open.program().players[static_cast<std::size_t>(open.game.to_move())].name);
  for (std::size_t i = 0; i < told; ++i) {
    const auto text = open.game.notation((*moves)[i]);
    if (!text) return report_fault(open.program(), text.error(), console);
    const double chance = static_cast<double>((*weights)[i]) / sum;
    outcomes.push_back({{"move", *text}, {"chance", chance}});
    lines += fmt::format("  {:>12}  {:.1f} %\n", printable(*text), 100 * chance);
  }
  if (told < weights->size()) lines += fmt::format("  and {} more\n", grouped(weights->size() - told));
  const Json all = {
      {"game", open.program().game}, {"outcomes", outcomes}, {"outcomes_in_all", weights->size()}};
  console.out(json ? to_document(all) : lines);
  return Exit::good;
}

// What reading the rules takes of the account of a command is taken off the time, where nobody asks for one:
// then the rest of the account is for thinking. Else that has no bound but what was asked for.
tl::expected<OpenGame, Exit> open_to_analyse(AnalyseOptions& options, runtime::Meter& thinking,
                                             Console& console) {
  runtime::Meter meter(runtime::kMaxCommandSteps, &interrupted());
  const runtime::Meter::Use use(&meter);
  auto open = open_game(options.game, console);
  if (options.seconds || options.nodes > 0) return open;
  options.seconds =
      kSecondsOfThought * static_cast<double>(meter.left()) / static_cast<double>(runtime::kMaxCommandSteps);
  thinking = runtime::Meter(meter.left() - std::min(meter.left(), kStepsToTell), &interrupted());
  return open;
}

// The account was spent before there was anything to tell.
Exit tell_nothing(const OpenGame& open, bool json, Console& console) {
  const std::string& game = open.program().game;
  if (json)
    console.out(to_document({{"game", game}, {"move", nullptr}, {"gave_up", true}}));
  else
    console.out(printable(game) + ": nothing was found in the steps that a command may take\n");
  console.note(given_up(kRemedy));
  return Exit::good;
}

// What was found by the time that somebody had enough of it, or the account was spent.
void shorten(const OpenGame& open, const runtime::Meter& thinking, Thought& thought) {
  if (interrupted()) drop_what_is_long_in_writing(open.game, kStepsToTellSoon, thought);
  if (!thinking.is_lifted()) drop_what_is_long_in_writing(open.game, kStepsToTell, thought);
  if (thinking.is_spent()) thought.remark.clear(); // that no rule went wrong is told below
}

// What a player thinks, and what else there is to tell of the position.
tl::expected<Thought, runtime::Fault> think(const AnalyseOptions& options, const OpponentChoice& choice,
                                            search::Player& player, const OpenGame& open, double& seconds,
                                            Console& console) {
  const auto begin = std::chrono::steady_clock::now();
  const auto limits = limits_of(options);
  const auto calibration = calibration_of(options, choice, open, console);
  const int mover = open.game.to_move(), players = open.program().player_count();
  auto thought = player.think(open.game, limits, [&](Thought so_far) {
    calibrate(so_far, calibration, mover, players);
    console.progress(progress_text(so_far));
  });
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!thought) return thought;
  add_other_moves(player, open.game, others_of(options), *thought);
  calibrate(*thought, calibration, mover, players);
  return thought;
}

Exit analyse(AnalyseOptions options, Console& console) {
  watch_for_ends();
  runtime::Meter thinking = runtime::Meter::without_limit(interrupted());
  auto open = open_to_analyse(options, thinking, console);
  if (!open) return open.error();
  std::optional<runtime::Meter::Use> heard(std::in_place,
                                           &thinking); // whatever is asked of the rules can be stopped
  OpponentChoice choice{options.seed, options.threads, nullptr, options.game.reference};
  auto weights = find_weights(options.weights, options.game, open->loaded, console);
  if (!weights) return weights.error();
  choice.weights = std::move(*weights);
  const auto player = make_opponent(options.player, open->loaded.rules, choice);
  if (!player) {
    console.error(printable(player.error()));
    return Exit::usage;
  }
  const auto outcome = open->game.outcome();
  if (!outcome && interrupted()) return Exit::interrupted;
  if (!outcome && thinking.is_spent()) return tell_nothing(*open, options.json, console);
  if (!outcome) return report_fault(open->program(), outcome.error(), console);
  if (*outcome) return tell_outcome(*open, **outcome, options.json, console);
  if (open->game.is_chance()) return tell_rolls(*open, options.json, console);
  double seconds = 0;
  auto thought = think(options, choice, **player, *open, seconds, console);
  heard.reset(); // what was found by then is told
  if (thought) shorten(*open, thinking, *thought);
  console.clear_progress();
  if (!thought && interrupted()) return Exit::interrupted;
  if (!thought && thinking.is_spent()) return tell_nothing(*open, options.json, console);
  if (!thought) {
    const std::string why = failure_of(**player);
    if (why.empty()) return report_fault(open->program(), thought.error(), console);
    console.error(printable(why));
    return Exit::at_fault;
  }
  if (has_resigned(**player)) {
    console.error(fmt::format("`{}` resigns, and so has no move to tell", printable(options.player)));
    return Exit::at_fault;
  }
  console.out(options.json ? to_document(thought_json(*open, options, *thought, seconds, thinking.is_spent()))
                           : thought_text(*open, options, *thought, seconds));
  if (thinking.is_spent()) console.note(given_up(kRemedy));
  return interrupted() ? Exit::interrupted : Exit::good;
}

} // namespace

void declare_analyse(CommandLine& line) {
  auto& options = line.options<AnalyseOptions>();
  CLI::App& command = line.add("analyse", "Thinks about a position: best moves, value, what is proven",
                               "  boardwright analyse GAME --time 5\n"
                               "  boardwright analyse GAME --position 'play: a1-a2 c3-c2' --nodes 100000\n"
                               "  boardwright analyse GAME --player mcts:threads=2 --json");
  add_game(command, options.game);
  add_position(command, options.game);
  command.add_option("--player", options.player, "Who thinks (auto); see below")->type_name("PLAYER");
  add_opponents(command);
  line.choices["analyse --player"] = players_to_choose();
  add_limits(command, options.seconds, options.nodes, " (1.5s, unless --nodes is given)");
  add_number<std::uint64_t>(command, "--seed", options.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "Makes it repeatable, with --nodes and one thread (1)");
  add_number<std::size_t>(command, "--lines", options.lines, 1, 10'000,
                          "Moves whose values are told (5); unless it is 1, the others than the best get as "
                          "long again where the player hasn't valued them");
  add_number(command, "--threads", options.threads, 1, kMaxThreads, "How many threads think (1)");
  add_weights(command, options.weights);
  add_json(command, options.json);
  line.runs(command, [&options](Console& console) { return analyse(options, console); });
}

} // namespace boardwright::tools
