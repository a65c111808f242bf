// perft: move counts by depth.
#include "runtime/game/perft.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace boardwright::tools {
namespace {

struct PerftCommand {
  GameChoice game;
  int depth = 1;
  bool distinct = false;
  bool divide = false;
  bool weights = false;
  bool json = false;
};

using runtime::Fault;
double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Sequences: how many there are, or, with `weights`, how many on average.
struct Leaves {
  std::uint64_t count = 0;
  double weighed = 0;
  bool stopped = false;
};

struct Division {
  std::string move;
  Leaves leaves;
};

struct Counts {
  std::vector<Leaves> by_depth; // of depth 1 and up, or with `divide` of the last depth alone
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
  tl::expected<Leaves, Fault> count(int depth) {
    const runtime::PerftOptions wanted{depth, options_.distinct, &interrupted()};
    if (!options_.weights)
      return runtime::perft(open_.game, wanted).map([](const runtime::PerftCount& found) {
        return Leaves{found.leaves, 0, found.stopped};
      });
    return runtime::weighed_perft(open_.game, wanted).map([](const runtime::WeighedCount& found) {
      return Leaves{0, found.leaves, found.stopped};
    });
  }

  // What is counted by halves and sixths has no last digit: twelve are more than anybody compares.
  [[nodiscard]] std::string text_of(const Leaves& leaves) const {
    return options_.weights ? fmt::format("{:.12g}", leaves.weighed) : fmt::format("{}", leaves.count);
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
      counts_.by_depth.push_back(*found);
      print(fmt::format("{} {}\n", depth, text_of(*found)));
    }
    return std::nullopt;
  }

  std::optional<Fault> divided() {
    const auto start = std::chrono::steady_clock::now();
    const auto notations = open_.game.notations();
    if (!notations) return notations.error();
    const auto shares = shares_of(notations->size());
    if (!shares) return shares.error();
    Leaves total;
    for (std::size_t i = 0; i < notations->size() && !counts_.stopped && console_.flush(); ++i)
      if (auto problem = divide_move(i, (*notations)[i], (*shares)[i], total)) return problem;
    counts_.seconds = seconds_since(start);
    if (counts_.stopped) return std::nullopt;
    counts_.by_depth.push_back(total);
    print(fmt::format("{} {}\n", options_.depth, text_of(total)));
    return std::nullopt;
  }

  // What each move counts for: nature's, with weights, by its probability.
  tl::expected<std::vector<double>, Fault> shares_of(std::size_t moves) {
    std::vector<double> shares(moves, 1);
    if (!options_.weights || moves == 0 || !open_.game.is_chance()) return shares;
    const auto weights = open_.game.weights();
    if (!weights) return tl::unexpected(weights.error());
    const double sum = std::accumulate(weights->begin(), weights->end(), 0.0);
    for (std::size_t i = 0; i < moves; ++i) shares[i] = static_cast<double>((*weights)[i]) / sum;
    return shares;
  }

  // The list is asked for anew each time: it ends when the game moves on.
  std::optional<Fault> divide_move(std::size_t index, const std::string& notation, double share,
                                   Leaves& total) {
    const auto moves = open_.game.moves();
    if (!moves) return moves.error();
    const runtime::Move move = (*moves)[index];
    if (const auto played = open_.game.play(move); !played) return played.error();
    if (options_.distinct && !results_.insert(open_.game.key()).second) {
      open_.game.undo();
      return std::nullopt;
    }
    console_.progress("counting below " + printable(notation));
    auto found = count(options_.depth - 1);
    open_.game.undo();
    if (!found) return found.error();
    counts_.stopped = found->stopped;
    if (found->stopped) return std::nullopt;
    found->weighed *= share;
    total.count += found->count;
    total.weighed += found->weighed;
    counts_.division.push_back({notation, *found});
    print(fmt::format("{} {}\n", printable(notation), text_of(*found)));
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
  const Leaves& last = counts.by_depth.back();
  return (static_cast<double>(last.count) + last.weighed) / counts.seconds; // one of them is zero
}

Json leaves_json(const PerftCommand& options, const Leaves& leaves) {
  return options.weights ? Json(leaves.weighed) : Json(leaves.count);
}

Json counts_json(const PerftCommand& options, const runtime::Program& program, const Counts& counts) {
  Json by_depth = Json::array();
  for (const Leaves& leaves : counts.by_depth) by_depth.push_back(leaves_json(options, leaves));
  Json json = {{"game", program.game},         {"depth", options.depth},
               {"distinct", options.distinct}, {"counts", std::move(by_depth)},
               {"seconds", counts.seconds},    {"nodes_per_second", speed_of(counts)}};
  if (options.weights) json["weights"] = true;
  if (counts.stopped) json["stopped"] = true;
  if (!options.divide) return json;
  json["divide"] = Json::array();
  for (const Division& part : counts.division)
    json["divide"].push_back({{"move", part.move}, {"count", leaves_json(options, part.leaves)}});
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
               "  boardwright perft GAME --depth 4\n  boardwright perft GAME --depth 3 --divide\n"
               "  boardwright perft GAME --depth 3 --weights");
  add_game(command, options.game);
  add_number(command, "--depth", options.depth, 1, kMaxPerftDepth, "How many moves deep")->required();
  CLI::Option* const distinct = command.add_flag("--distinct", options.distinct,
                                                 "Counts moves that lead to the same position only once");
  command.add_flag("--divide", options.divide, "Prints the count below each move");
  command
      .add_flag("--weights", options.weights,
                "Counts what nature rolls by its probability, so that a roll makes no more of them")
      ->excludes(distinct);
  add_position(command, options.game);
  add_json(command, options.json);
  line.runs(command, [&options](Console& console) { return count_moves(options, console); });
}

} // namespace boardwright::tools
