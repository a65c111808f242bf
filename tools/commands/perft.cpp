// perft: move counts by depth.
#include "runtime/game/perft.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <unordered_set>

namespace boardwright::tools {
namespace {

struct PerftCommand {
  GameChoice game;
  int depth = 1;
  bool distinct = false;
  bool divide = false;
  bool json = false;
};

using runtime::Fault;
using runtime::PerftCount;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Division {
  std::string move;
  std::uint64_t count = 0;
};

struct Counts {
  std::vector<std::uint64_t> by_depth; // of depth 1 and up, or with `divide` of the last depth alone
  std::vector<Division> division;
  double seconds = 0; // of the last depth
  bool stopped = false;
};

class Counting {
public:
  Counting(const PerftCommand& options, OpenGame& open, Console& console)
      : options_(options), open_(open), console_(console) {}

  // Prints counts as they are known, unless in JSON.
  tl::expected<Counts, Fault> run() {
    auto problem = options_.divide ? divided() : by_depth();
    if (problem) return tl::unexpected(*problem);
    return std::move(counts_);
  }

private:
  tl::expected<PerftCount, Fault> count(int depth) {
    if (depth == 0) return PerftCount{1, false};
    return runtime::perft(open_.game, {depth, options_.distinct, &interrupted()});
  }

  std::optional<Fault> by_depth() {
    for (int depth = 1; depth <= options_.depth && !counts_.stopped && console_.flush(); ++depth) {
      console_.progress(fmt::format("counting at depth {}", depth));
      const auto start = std::chrono::steady_clock::now();
      const auto found = count(depth);
      if (!found) return found.error();
      counts_.stopped = found->stopped;
      if (found->stopped) break;
      counts_.seconds = seconds_since(start);
      counts_.by_depth.push_back(found->leaves);
      print(fmt::format("{} {}\n", depth, found->leaves));
    }
    return std::nullopt;
  }

  std::optional<Fault> divided() {
    const auto start = std::chrono::steady_clock::now();
    const auto notations = open_.game.notations();
    if (!notations) return notations.error();
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < notations->size() && !counts_.stopped && console_.flush(); ++i)
      if (auto problem = divide_move(i, (*notations)[i], total)) return problem;
    counts_.seconds = seconds_since(start);
    if (counts_.stopped) return std::nullopt;
    counts_.by_depth.push_back(total);
    print(fmt::format("{} {}\n", options_.depth, total));
    return std::nullopt;
  }

  // The list is asked for anew each time: it ends when the game moves on.
  std::optional<Fault> divide_move(std::size_t index, const std::string& notation, std::uint64_t& total) {
    const auto moves = open_.game.moves();
    if (!moves) return moves.error();
    const runtime::Move move = (*moves)[index];
    if (const auto played = open_.game.play(move); !played) return played.error();
    if (options_.distinct && !results_.insert(open_.game.key()).second) {
      open_.game.undo();
      return std::nullopt;
    }
    console_.progress("counting below " + printable(notation));
    const auto found = count(options_.depth - 1);
    open_.game.undo();
    if (!found) return found.error();
    counts_.stopped = found->stopped;
    if (found->stopped) return std::nullopt;
    total += found->leaves;
    counts_.division.push_back({notation, found->leaves});
    print(fmt::format("{} {}\n", printable(notation), found->leaves));
    return std::nullopt;
  }

  void print(const std::string& line) {
    if (!options_.json) console_.out(line);
  }

  const PerftCommand& options_;
  OpenGame& open_;
  Console& console_;
  Counts counts_;
  std::unordered_set<std::uint64_t> results_; // with `distinct`: what moves have led to
};

double speed_of(const Counts& counts) {
  if (counts.by_depth.empty() || counts.seconds <= 0) return 0;
  return static_cast<double>(counts.by_depth.back()) / counts.seconds;
}

Json counts_json(const PerftCommand& options, const runtime::Program& program, const Counts& counts) {
  Json json = {{"game", program.game},         {"depth", options.depth},
               {"distinct", options.distinct}, {"counts", counts.by_depth},
               {"seconds", counts.seconds},    {"nodes_per_second", speed_of(counts)}};
  if (counts.stopped) json["stopped"] = true;
  if (!options.divide) return json;
  json["divide"] = Json::array();
  for (const Division& part : counts.division)
    json["divide"].push_back({{"move", part.move}, {"count", part.count}});
  return json;
}

Exit count_moves(const PerftCommand& options, Console& console) {
  auto open = open_game(options.game, console);
  if (!open) return open.error();
  const auto counts = Counting(options, *open, console).run();
  if (!counts) return report_fault(open->program(), counts.error(), console);
  if (options.json)
    console.out(to_document(counts_json(options, open->program(), *counts)));
  else if (!counts->stopped)
    console.note(fmt::format("{:.3f} s for depth {}, {} a second\n", counts->seconds, options.depth,
                             grouped(static_cast<std::uint64_t>(speed_of(*counts)))));
  return counts->stopped ? Exit::interrupted : Exit::good;
}

} // namespace

void declare_perft(CommandLine& line) {
  auto& options = line.options<PerftCommand>();
  CLI::App& command =
      line.add("perft", "Counts sequences of moves, by depth",
               "  boardwright perft GAME --depth 4\n  boardwright perft GAME --depth 3 --divide");
  add_game(command, options.game);
  add_number(command, "--depth", options.depth, 1, kMaxPerftDepth, "How many moves deep")->required();
  command.add_flag("--distinct", options.distinct, "Counts moves that lead to the same position only once");
  command.add_flag("--divide", options.divide, "Prints the count below each move");
  add_position(command, options.game);
  add_json(command, options.json);
  line.runs(command, [&options](Console& console) { return count_moves(options, console); });
}

} // namespace boardwright::tools
