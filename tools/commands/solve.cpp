// solve: what becomes of a position if nobody errs.
#include "runtime/model/meter.hpp"
#include "runtime/search/solver.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/json.hpp"

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

const char* word_of(Proof proof) {
  switch (proof) {
  case Proof::win: return "win";
  case Proof::draw: return "draw";
  case Proof::loss: return "loss";
  case Proof::unknown: break;
  }
  return "unknown";
}

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

Exit solve(const SolveOptions& options, Console& console) {
  watch_for_ends();
  const auto open = open_game(options.game, console);
  if (!open) return open.error();
  if (options.seconds) runtime::Meter::lift();
  const runtime::Program& program = open->program();
  if (program.player_count() > 2) {
    console.error(fmt::format("{} has {} players; only games of one or two are solved",
                              printable(program.game), program.player_count()));
    return Exit::at_fault;
  }
  if (program.chance) {
    console.error(fmt::format("{} leaves something to chance, and a proof isn't to be had of what may be rolled; "
                              "`analyse` tells what is to be expected",
                              printable(program.game)));
    return Exit::at_fault;
  }
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
  if (options.json)
    console.out(to_document({{"game", program.game},
                             {"to_move", program.players[static_cast<std::size_t>(mover)].name},
                             {"result", word_of(solution->result)},
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
      "The number of moves is that of the line that was found, not of the shortest one.");
  line.runs(command, [&options](Console& console) { return solve(options, console); });
}

} // namespace boardwright::tools
