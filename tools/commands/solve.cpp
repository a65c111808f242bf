// solve: what becomes of a position if nobody errs.
#include "runtime/model/meter.hpp"
#include "runtime/search/equilibrium.hpp"
#include "runtime/search/expectation.hpp"
#include "runtime/search/solver.hpp"
#include "runtime/sight/seen.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/json.hpp"
#include "tools/engines/opponents.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace boardwright::tools {
namespace {

// A table larger than any machine's memory is a mistyped number.
constexpr int kMaxTableMegabytes = 1 << 20;
struct SolveOptions {
  GameChoice game;
  int megabytes = 256;           // of the table of positions
  std::optional<double> seconds; // none: as long as the account of the command reaches
  bool json = false;
};

using runtime::search::Proof;
using runtime::search::Solution;

std::string solution_text(const runtime::Program& program, int mover, const Solution& solution) {
  const auto name = [&](int player) {
    return printable(program.players[static_cast<std::size_t>(player)].name);
  };
  switch (solution.result) {
  case Proof::win:
    return fmt::format("{} in {} move{}\n", runtime::with_verb(name(mover), "win"), solution.depth,
                       solution.depth == 1 ? "" : "s");
  case Proof::loss:
    if (program.player_count() == 1) return "it can't be won\n";
    return fmt::format("{} in {} move{}\n", runtime::with_verb(name(1 - mover), "win"), solution.depth,
                       solution.depth == 1 ? "" : "s");
  case Proof::draw: return "a draw\n";
  case Proof::unknown: break;
  }
  if (solution.not_won && solution.not_lost)
    return "neither can force a win; which share of the point they can have isn't proven\n";
  if (solution.not_won)
    return fmt::format("unknown: {} can't force a win; whether he loses isn't known\n", name(mover));
  return runtime::Meter::gave_up() ? "unknown: no proof was found in the steps that a command may take\n"
                                   : "unknown: there was no time for a proof\n";
}

// What the answer rests on, where it isn't the whole of the rules.
std::string assumptions(const Solution& solution) {
  std::string text;
  const bool settled =
      solution.result == Proof::win || (solution.result == Proof::loss && !solution.line.empty());
  if (solution.repetitions > 0 && !settled && solution.result != Proof::unknown)
    text += fmt::format(
        "Positions came again {} times. That counted as no win for either side; the way to a position "
        "isn't remembered with it.\n",
        grouped(solution.repetitions));
  if (solution.rules_ask_for_past && solution.result != Proof::unknown)
    text += "The rules ask whether positions have come before; what was proven of a position is taken to "
            "hold however "
            "it was reached.\n";
  return text;
}

std::string text_of(const runtime::Program& program, int mover, const Solution& solution) {
  std::string text = solution_text(program, mover, solution);
  if (!solution.line.empty()) {
    text += " ";
    for (const std::string& move : solution.line) text += " " + printable(move);
    text += "\n";
  }
  return text + assumptions(solution) +
         fmt::format("{} position{}\n", grouped(solution.nodes), solution.nodes == 1 ? "" : "s");
}

// What a search may take that writes down all of a game: the table's megabytes.
constexpr std::uint64_t kBytesOfNode = 100;

runtime::search::ThinkLimits limits_of(const SolveOptions& options) {
  runtime::search::ThinkLimits limits;
  limits.stop = &interrupted();
  // What a command takes without being asked for more.
  constexpr double kSecondsWithoutLimit = 5;
  limits.deadline = std::chrono::steady_clock::now() +
                    std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                        std::chrono::duration<double>(options.seconds.value_or(kSecondsWithoutLimit)));
  return limits;
}

// "White 61.56 %, Black 38.44 %"; of what is known roughly "White 61 % to 62 %"
std::string shares_text(const runtime::Program& program, runtime::search::ExpectedShare value) {
  constexpr double kSame = 0.0000005; // not to be seen in what is written
  std::vector<std::string> parts;
  for (std::size_t p = 0; p < program.players.size(); ++p) {
    const double low = p == 0 ? value.low : 1 - value.high, high = p == 0 ? value.high : 1 - value.low;
    const std::string name = printable(program.players[p].name);
    parts.push_back(high - low <= kSame
                        ? fmt::format("{} {:.4f} %", name, 50 * (low + high))
                        : fmt::format("{} {:.4f} % to {:.4f} %", name, 100 * low, 100 * high));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Json share_json(runtime::search::ExpectedShare value) { return {{"low", value.low}, {"high", value.high}}; }

Exit too_large(const char* what, std::uint64_t number, Console& console) {
  console.error(
      fmt::format("the game has more {} than were looked at ({}): give more --time and --memory, or ask "
                  "`analyse`, which estimates",
                  what, grouped(number)));
  return interrupted() ? Exit::interrupted : Exit::at_fault;
}

// A game of chance: what each player has of the point on average, if nobody errs.
Exit tell_expectation(const SolveOptions& options, const OpenGame& open, Console& console) {
  const runtime::Program& program = open.program();
  runtime::search::ExpectationOptions wanted;
  wanted.most_positions = (static_cast<std::uint64_t>(options.megabytes) << 20) / kBytesOfNode;
  wanted.limits = limits_of(options);
  const auto found = runtime::search::expectation_of(
      open.loaded.rules, open.game, wanted, [&](std::uint64_t positions, double between) {
        console.progress(fmt::format("{} positions, known to {:.2g}", grouped(positions), between));
      });
  console.clear_progress();
  if (!found) return report_fault(program, found.error(), console);
  const Exit exit = interrupted() ? Exit::interrupted : Exit::good;
  if (options.json) {
    Json moves = Json::object();
    for (const auto& [move, value] : found->moves) moves[move] = share_json(value);
    console.out(to_document({{"game", program.game},
                             {"player", program.players[0].name},
                             {"value", share_json(found->value)},
                             {"moves", std::move(moves)},
                             {"positions", found->positions},
                             {"all", found->all}}));
    return exit;
  }
  console.out("on average, if nobody errs: " + shares_text(program, found->value) + "\n");
  for (const auto& [move, value] : found->moves)
    console.out(fmt::format("  {:<16} {}\n", printable(move), shares_text(program, value)));
  console.out(fmt::format("{} positions{}\n", grouped(found->positions),
                          found->all ? "" : ", and others that weren't looked into"));
  return exit;
}

// Lines that tell what a player does; more would be for nobody to read.
constexpr std::size_t kMostStrategiesTold = 40;

std::string strategy_text(const runtime::Program& program, const runtime::search::Strategy& strategy) {
  const std::size_t last = strategy.known.rfind('\n');
  std::string text =
      fmt::format("  {}, who knows: {}\n   ", program.players[static_cast<std::size_t>(strategy.player)].name,
                  last == std::string::npos ? strategy.known : strategy.known.substr(last + 1));
  for (const auto& [move, likely] : strategy.moves)
    text += fmt::format(" {} {:.1f} %", runtime::sight::read_by(program, move, 0, 0), 100 * likely);
  return printable(text) + "\n";
}

// A game that hides something: strategies against which neither can do better.
Exit tell_equilibrium(const SolveOptions& options, const OpenGame& open, Console& console) {
  const runtime::Program& program = open.program();
  runtime::search::EquilibriumOptions wanted;
  wanted.most_nodes = (static_cast<std::uint64_t>(options.megabytes) << 20) / kBytesOfNode;
  wanted.limits = limits_of(options);
  const auto found = runtime::search::find_equilibrium(
      open.game, wanted, [&](const runtime::search::EquilibriumProgress& now) {
        console.progress(fmt::format("{} nodes, round {}, exploitability {:.6f}", grouped(now.nodes),
                                     grouped(now.rounds), now.exploitability));
      });
  console.clear_progress();
  if (!found) return report_fault(program, found.error(), console);
  if (!found->complete) return too_large("lines", found->nodes, console);
  if (options.json) {
    Json strategies = Json::array();
    for (const auto& of : found->strategies) {
      Json moves = Json::object();
      for (const auto& [move, likely] : of.moves) moves[move] = likely;
      strategies.push_back({{"player", program.players[static_cast<std::size_t>(of.player)].name},
                            {"knows", of.known},
                            {"moves", std::move(moves)}});
    }
    console.out(to_document({{"game", program.game},
                             {"player", program.players[0].name},
                             {"value", found->value},
                             {"exploitability", found->exploitability},
                             {"nodes", found->nodes},
                             {"situations", found->situations},
                             {"rounds", found->rounds},
                             {"strategies", std::move(strategies)}}));
    return Exit::good;
  }
  console.out("on average, if nobody errs: " + shares_text(program, {found->value, found->value}) + "\n");
  console.out(
      fmt::format("exploitability {:.6f}: so much each could win more by the best answer to the other\n",
                  found->exploitability));
  for (std::size_t i = 0; i < found->strategies.size() && i < kMostStrategiesTold; ++i)
    console.out(strategy_text(program, found->strategies[i]));
  if (found->strategies.size() > kMostStrategiesTold)
    console.out(fmt::format("  … and {} more situations: --json has all\n",
                            grouped(found->strategies.size() - kMostStrategiesTold)));
  console.out(fmt::format("{} nodes, {} situations, {} rounds\n", grouped(found->nodes),
                          grouped(found->situations), grouped(found->rounds)));
  return Exit::good;
}

Exit solve(const SolveOptions& options, Console& console) {
  watch_for_ends();
  const auto open = open_game(options.game, console);
  if (!open) return open.error();
  if (options.seconds) runtime::Meter::lift();
  const runtime::Program& program = open->program();
  if (program.hides() && program.player_count() != 2) {
    console.error(
        fmt::format("{} hides something, and has {} players; of such games those of two have a value",
                    printable(program.game), program.player_count()));
    return Exit::at_fault;
  }
  if (program.hides()) return tell_equilibrium(options, *open, console);
  if (program.player_count() > 2) {
    console.error(fmt::format("{} has {} players; only games of one or two are solved",
                              printable(program.game), program.player_count()));
    return Exit::at_fault;
  }
  if (program.chance) return tell_expectation(options, *open, console);
  runtime::search::SolverOptions solver;
  solver.most_bytes = static_cast<std::size_t>(options.megabytes) << 20;
  solver.features = std::make_shared<const runtime::search::Features>(open->loaded.rules);
  solver.weights = solver.features->first_weights();
  solver.limits.stop = &interrupted();
  if (options.seconds)
    solver.limits.deadline =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(*options.seconds));
  const auto solution =
      runtime::search::solve(open->game, solver, [&](const runtime::search::SolverProgress& now) {
        console.progress(fmt::format("{}: {} positions, proof {}, disproof {}, table {:.0f} % full",
                                     now.other ? "does the other one win?" : "a win?", grouped(now.nodes),
                                     grouped(now.proof), grouped(now.disproof), 100 * now.full));
      });
  console.clear_progress();
  if (!solution) return report_fault(program, solution.error(), console);
  const int mover = open->game.to_move();
  const std::string_view word = word_of(solution->result);
  if (options.json)
    console.out(to_document({{"game", program.game},
                             {"to_move", program.players[static_cast<std::size_t>(mover)].name},
                             {"result", word.empty() ? "unknown" : word},
                             {"depth", solution->depth},
                             {"line", solution->line},
                             {"positions", solution->nodes},
                             {"repetitions", solution->repetitions},
                             {"not_won", solution->not_won}}));
  else
    console.out(text_of(program, mover, *solution));
  return interrupted() ? Exit::interrupted : Exit::good;
}

} // namespace

void declare_solve(CommandLine& line) {
  auto& options = line.options<SolveOptions>();
  CLI::App& command = line.add("solve", "Proves who wins a position if nobody errs",
                               "  boardwright solve GAME\n  boardwright solve GAME --set size=4 --time 600\n"
                               "  boardwright solve GAME --position endgame.json --memory 2048 --json");
  add_game(command, options.game);
  add_position(command, options.game);
  add_number(command, "--memory", options.megabytes, 1, kMaxTableMegabytes,
             "Megabytes of the table of positions (256); when it is full it forgets, and goes on");
  add_time(command, options.seconds,
           "How long to think, such as 20 or 5m, until Ctrl-C at the latest; without it some seconds");
  add_json(command, options.json);
  command.footer(
      command.get_footer() +
      "\nA proven win or loss holds whatever the rules say of positions that come again, unless they\n"
      "forbid them; a draw is proven for games where going round in circles is no win for anybody.\n"
      "The number of moves is that of the line that was found, not of the shortest one.\n"
      "Of games of chance it tells what each player has on average, of games of two that hide something\n"
      "strategies that can't be bettered, and how far from that they are.");
  line.runs(command, [&options](Console& console) { return solve(options, console); });
}

} // namespace boardwright::tools
