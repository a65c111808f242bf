// train: learns what positions of a game are judged by.
#include "runtime/search/training.hpp"
#include "tools/commands/commands.hpp"
#include "tools/console/json.hpp"
#include "tools/console/text_file.hpp"
#include "tools/engines/weights_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace boardwright::tools {
namespace {

using runtime::search::Features;
using runtime::search::MatchResult;
using runtime::search::Round;
using runtime::search::Training;
using runtime::search::TrainingOptions;

struct Strength { // in Elo points, with a 95 % interval
  double elo = 0, low = 0, high = 0;
};

// Scores of 0 and 1 would be infinitely far away.
double elo_of(double score) { return -400 * std::log10(1 / std::clamp(score, 0.01, 0.99) - 1); }

Strength strength_of(const MatchResult& match) {
  const double s = match.score(), n = std::max(match.games(), 1);
  const double squares =
      match.wins * (1 - s) * (1 - s) + match.draws * (0.5 - s) * (0.5 - s) + match.losses * s * s;
  const double error = 1.96 * std::sqrt(std::max(squares, 0.25) / n / n);
  return {elo_of(s), elo_of(s - error), elo_of(s + error)};
}

// Without `-0`.
std::string points(double elo) { return fmt::format("{:+d}", std::lround(elo)); }

std::string match_text(const MatchResult& match) {
  if (match.games() == 0) return "no match: there was no time for one";
  const Strength strength = strength_of(match);
  return fmt::format("+{} ={} -{}  {} Elo ({} to {})", match.wins, match.draws, match.losses,
                     points(strength.elo), points(strength.low), points(strength.high));
}

std::string round_text(const Round& round) {
  return fmt::format("round {}: {} games, {} positions, {:.0f} plies a game, {:.0f} % draws; error {:.4f}, "
                     "untrained {:.4f}\n"
                     "  against the untrained  {}\n  against the previous   {}\n",
                     round.number, grouped(static_cast<std::uint64_t>(round.games)), grouped(round.positions),
                     round.length, 100 * round.draws, round.error, round.error_before,
                     match_text(round.untrained), match_text(round.previous));
}

// A line for each round; `|` is where the untrained ones stand, `*` the strength, `-` what the games leave
// open.
std::string plot(const Training& training) {
  constexpr int kWidth = 60;
  double low = -50, high = 50;
  for (const Round& round : training.rounds) {
    const Strength s = strength_of(round.untrained);
    low = std::min(low, s.low);
    high = std::max(high, s.high);
  }
  const auto column = [&](double elo) {
    return std::clamp(static_cast<int>(std::lround((elo - low) / (high - low) * (kWidth - 1))), 0,
                      kWidth - 1);
  };
  std::string text =
      fmt::format("strength in Elo points, from {} to {}; | the untrained\n", points(low), points(high));
  for (const Round& round : training.rounds) {
    if (round.untrained.games() == 0) {
      text += fmt::format("{:>8} games, no match\n", round.games);
      continue;
    }
    std::string line(kWidth, ' ');
    const Strength s = strength_of(round.untrained);
    for (int c = column(s.low); c <= column(s.high); ++c) line[static_cast<std::size_t>(c)] = '-';
    line[static_cast<std::size_t>(column(0))] = '|';
    line[static_cast<std::size_t>(column(s.elo))] = '*';
    text += fmt::format("{:>8} games {}\n", round.games, line.substr(0, line.find_last_not_of(' ') + 1));
  }
  return text;
}

Json match_json(const MatchResult& match) {
  const Strength s = strength_of(match);
  if (match.games() == 0) return nullptr;
  return {{"wins", match.wins},
          {"draws", match.draws},
          {"losses", match.losses},
          {"elo", s.elo},
          {"elo_interval", {s.low, s.high}}};
}

Json result_json(const Features& features, const Training& training, const std::string& output) {
  Json rounds = Json::array();
  for (const Round& r : training.rounds)
    rounds.push_back({{"round", r.number},
                      {"games", r.games},
                      {"positions", r.positions},
                      {"error", r.error},
                      {"error_untrained", r.error_before},
                      {"untrained", match_json(r.untrained)},
                      {"previous", match_json(r.previous)}});
  Json json = {{"game", features.rules().program().game},
               {"games", training.games},
               {"rounds", rounds},
               {"last_match", match_json(training.last_match)},
               {"improved", training.improved},
               {"file", training.improved ? Json(output) : Json()}};
  if (training.stopped) json["stopped"] = true;
  return json;
}

TrainingOptions engine_options(const TrainOptions& options) {
  TrainingOptions engine;
  engine.seed = options.seed;
  engine.rounds = options.rounds;
  engine.stop = &interrupted();
  engine.games = static_cast<int>(options.games.value_or(std::numeric_limits<int>::max()));
  if (!options.games) {
    constexpr double kMinutes = 2;
    engine.deadline = std::chrono::steady_clock::now() +
                      std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                          std::chrono::duration<double>(60 * options.minutes.value_or(kMinutes)));
  }
  return engine;
}

} // namespace

Exit train(const TrainOptions& options, Console& console) {
  const auto loaded = load_game(options.game, console);
  if (!loaded) return loaded.error();
  const runtime::Program& program = loaded->rules->program();
  if (program.player_count() != 2) {
    console.error(fmt::format("{} has {} player{}; only games for two are learnt", printable(program.game),
                              program.player_count(), program.player_count() == 1 ? "" : "s"));
    return Exit::at_fault;
  }
  const std::string output = options.output.empty() ? weights_path(options.game, *loaded) : options.output;
  if (const auto writable = can_write(output); !writable) { // before all the work
    console.error(writable.error());
    return Exit::files;
  }
  const auto features = std::make_shared<const Features>(loaded->rules);
  if (!options.json)
    console.out(fmt::format("{}: {} features, {} symmetries, seed {}\n", printable(program.game),
                            features->size(), features->symmetries().size(), options.seed));
  (void)console.flush();
  const auto training = runtime::search::train(
      features, engine_options(options),
      [&](const runtime::search::TrainingProgress& now) {
        console.progress(fmt::format("round {} of {}: {} games{}", now.round, now.rounds,
                                     grouped(static_cast<std::uint64_t>(now.games)),
                                     now.matching ? ", a match" : ""));
      },
      [&](const Round& round) {
        console.clear_progress();
        if (!options.json) console.out(round_text(round));
        (void)console.flush();
      });
  console.clear_progress();
  if (!training) return report_fault(program, training.error(), console);
  const std::string text = weights_text(*features, training->weights,
                                        {{"games", std::to_string(training->games)},
                                         {"seed", std::to_string(options.seed)},
                                         {"rounds", std::to_string(training->rounds.size())}});
  if (training->improved)
    if (const auto written = write_text_file(output, text); !written) {
      console.error(written.error());
      return Exit::files;
    }
  if (options.json)
    console.out(to_document(result_json(*features, *training, output)));
  else
    console.out(
        plot(*training) +
        fmt::format("the best against the untrained, at last: {}\n", match_text(training->last_match)) +
        (training->improved ? fmt::format("written: {}\n", printable(output))
                            : "nothing that was learnt is surely stronger than the untrained weights: "
                              "no file is written\n"));
  return training->stopped ? Exit::interrupted : Exit::good;
}

} // namespace boardwright::tools
