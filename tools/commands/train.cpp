// train: learns what positions of a game are judged by.
#include "runtime/model/meter.hpp"
#include "runtime/search/network_training.hpp"
#include "runtime/search/training.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/common_options.hpp"
#include "tools/console/disk_room.hpp"
#include "tools/console/json.hpp"
#include "tools/console/text_file.hpp"
#include "tools/engines/weights_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>

namespace boardwright::tools {
namespace {

constexpr int kMaxRounds = 1000;
struct TrainOptions {
  GameChoice game;
  std::optional<std::uint64_t> games; // none: for so many minutes, or two
  std::optional<double> minutes;
  std::optional<int> rounds;
  std::uint64_t seed = 1;
  std::string output; // "": beside the rule file
  bool network = false;
  bool json = false;
};

using runtime::Fault;
using runtime::search::Features;
using runtime::search::MatchResult;
using runtime::search::NetworkRound;
using runtime::search::NetworkTraining;
using runtime::search::NetworkTrainingOptions;
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

std::string network_round_text(const NetworkRound& round) {
  return fmt::format("network, round {}: {} games, {} positions, {:.0f} plies a game, {:.0f} % draws; error "
                     "{:.4f}, without a network {:.4f}\n",
                     round.number, grouped(static_cast<std::uint64_t>(round.games)), grouped(round.positions),
                     round.length, 100 * round.draws, round.error, round.error_before);
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

Json network_json(const Features& features, const Training* weights, const NetworkTraining& training,
                  const std::string& output) {
  Json rounds = Json::array();
  for (const NetworkRound& r : training.rounds)
    rounds.push_back({{"round", r.number},
                      {"games", r.games},
                      {"positions", r.positions},
                      {"error", r.error},
                      {"error_without_network", r.error_before}});
  const bool improved = training.network != nullptr || (weights != nullptr && weights->improved);
  Json json = {{"game", features.rules().program().game},
               {"games", training.games},
               {"rounds", rounds},
               {"last_match", match_json(training.last_match)},
               {"improved", training.network != nullptr},
               {"file", improved ? Json(output) : Json()}};
  if (weights != nullptr) json["weights"] = result_json(features, *weights, output);
  if (training.stopped) json["stopped"] = true;
  return json;
}

// Of all minutes, or of all games; a part of them where weights are learnt on the way to a network.
constexpr double kShareOfWeights = 0.25;
constexpr double kMinutes = 2, kMinutesOfNetwork = 15;

// What both kinds of training are told, for their part of the work.
template <class Engine>
Engine engine_options(const TrainOptions& options, double share) {
  Engine engine;
  engine.seed = options.seed;
  engine.stop = &interrupted();
  if (options.rounds) engine.rounds = *options.rounds;
  engine.games = std::numeric_limits<int>::max();
  if (options.games)
    engine.games = static_cast<int>(std::max(1.0, share * static_cast<double>(*options.games)));
  else
    engine.deadline =
        std::chrono::steady_clock::now() +
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(
            60 * share * options.minutes.value_or(options.network ? kMinutesOfNetwork : kMinutes)));
  return engine;
}

// A command's work, in parts.
struct Trainer {
  const TrainOptions& options;
  const interpreter::Loaded& loaded;
  Console& console;
  std::string output;
  std::shared_ptr<const Features> features;

  [[nodiscard]] tl::expected<Training, Fault> weights(double share) const;
  [[nodiscard]] tl::expected<NetworkTraining, Fault> network(const std::vector<double>& weights,
                                                             double share) const;
  [[nodiscard]] Exit write(const runtime::search::Judgement& judgement,
                           const std::vector<std::pair<std::string, std::string>>& learnt) const;
  Exit learn_weights() const;
  Exit learn_network() const;
  [[nodiscard]] Exit fault_of(const Fault& fault) const {
    return report_fault(loaded.rules->program(), fault, console);
  }
};

tl::expected<Training, Fault> Trainer::weights(double share) const {
  auto training = runtime::search::train(
      features, engine_options<TrainingOptions>(options, share),
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
  return training;
}

tl::expected<NetworkTraining, Fault> Trainer::network(const std::vector<double>& weights,
                                                      double share) const {
  auto training = runtime::search::train_network(
      features, weights, engine_options<NetworkTrainingOptions>(options, share),
      [&](const runtime::search::NetworkProgress& now) {
        console.progress(fmt::format("network, round {} of {}: {} games{}", now.round, now.rounds,
                                     grouped(static_cast<std::uint64_t>(now.games)),
                                     now.fitting    ? ", fitting"
                                     : now.matching ? ", a match"
                                                    : ""));
      },
      [&](const NetworkRound& round) {
        console.clear_progress();
        if (!options.json) console.out(network_round_text(round));
        (void)console.flush();
      });
  console.clear_progress();
  return training;
}

// What was learnt for hours isn't lost where it can't be written: it is put elsewhere, or at last printed.
Exit Trainer::write(const runtime::search::Judgement& judgement,
                    const std::vector<std::pair<std::string, std::string>>& learnt) const {
  const std::string text = weights_text(*features, judgement, learnt);
  const auto written = write_text_file(output, text);
  if (written) return Exit::good;
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string name = fs::path(output).filename().string() + ".kept";
  const char* home = std::getenv("HOME");
  for (const fs::path& folder : {fs::temp_directory_path(error), fs::path(home != nullptr ? home : ""),
                                 fs::current_path(error), fs::path("/dev/shm")}) {
    if (folder.empty()) continue;
    const std::string other = (folder / name).string();
    if (fs::exists(other, error) || !write_text_file(other, text)) continue;
    console.error(fmt::format("{}; what was learnt is in `{}`", written.error(), printable(other)));
    return Exit::files;
  }
  console.error(written.error() + ", nor anything elsewhere; what was learnt follows");
  options.json ? console.note(text) : console.out(text);
  return Exit::files;
}

std::vector<std::pair<std::string, std::string>> how_learnt(const TrainOptions& options, int games,
                                                            std::size_t rounds) {
  return {{"games", std::to_string(games)},
          {"seed", std::to_string(options.seed)},
          {"rounds", std::to_string(rounds)}};
}

Exit Trainer::learn_weights() const {
  const auto training = weights(1);
  if (!training) return interrupted() ? Exit::interrupted : fault_of(training.error());
  if (training->improved)
    if (const Exit written = write({training->weights, nullptr},
                                   how_learnt(options, training->games, training->rounds.size()));
        written != Exit::good)
      return written;
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

// Weights that were learnt before are taken as they are, so that a network can be learnt again and again.
Exit Trainer::learn_network() const {
  const auto known = find_weights("", options.game, loaded, console);
  if (!known) return known.error();
  std::vector<double> base = features->first_weights();
  std::optional<Training> first;
  if (*known) {
    base = features->in_order((*known)->features);
  } else {
    auto training = weights(kShareOfWeights);
    if (!training) return interrupted() ? Exit::interrupted : fault_of(training.error());
    base = training->weights;
    first = std::move(*training);
    if (first->stopped) {
      if (first->improved)
        (void)write({base, nullptr}, how_learnt(options, first->games, first->rounds.size()));
      return Exit::interrupted;
    }
  }
  const auto training = network(base, first ? 1 - kShareOfWeights : 1);
  if (!training) return interrupted() ? Exit::interrupted : fault_of(training.error());
  const bool improved = training->network != nullptr || (first && first->improved);
  if (improved && !training->stopped)
    if (const Exit written =
            write({base, training->network}, how_learnt(options, training->games, training->rounds.size()));
        written != Exit::good)
      return written;
  if (options.json) {
    console.out(to_document(network_json(*features, first ? &*first : nullptr, *training, output)));
  } else {
    console.out(fmt::format("the network against the weights alone: {}\n", match_text(training->last_match)));
    if (training->network == nullptr) console.out("it isn't surely stronger than they are: it is left out\n");
    console.out(improved ? fmt::format("written: {}\n", printable(output)) : "no file is written\n");
  }
  return training->stopped ? Exit::interrupted : Exit::good;
}

Exit train(const TrainOptions& options, Console& console) {
  watch_for_ends();
  const auto loaded = load_game(options.game, console);
  if (!loaded) return loaded.error();
  const runtime::Program& program = loaded->rules->program();
  if (program.player_count() != 2) {
    console.error(fmt::format("{} has {} player{}; only games for two are learnt", printable(program.game),
                              program.player_count(), program.player_count() == 1 ? "" : "s"));
    return Exit::at_fault;
  }
  if (program.hides()) {
    console.error(
        fmt::format("{} hides something from its players; only games in which they see everything are learnt",
                    printable(program.game)));
    return Exit::at_fault;
  }
  const std::string output = options.output.empty() ? weights_path(options.game, *loaded) : options.output;
  // Before all the work. What is learnt of the largest games takes a part of this.
  constexpr std::size_t kRoom = std::size_t{4} << 20;
  const auto writable = can_write(output);
  const std::string full = writable && what_stands_at(output).empty() ? why_no_room(output, kRoom) : "";
  if (!writable || !full.empty()) {
    console.error(writable ? fmt::format("can't write `{}`: {}", printable(output), full) : writable.error());
    return Exit::files;
  }
  // A list of moves that takes long is stopped, too.
  runtime::Meter learning = runtime::Meter::without_limit(interrupted());
  const runtime::Meter::Use use(&learning);
  const auto features = std::make_shared<const Features>(loaded->rules);
  if (interrupted()) return Exit::interrupted;
  if (!options.json)
    console.out(fmt::format("{}: {} features, {} symmetries, seed {}\n", printable(program.game),
                            features->size(), features->symmetries().size(), options.seed));
  (void)console.flush();
  const Trainer trainer{options, *loaded, console, output, features};
  return options.network ? trainer.learn_network() : trainer.learn_weights();
}

} // namespace

void declare_train(CommandLine& line) {
  auto& options = line.options<TrainOptions>();
  CLI::App& command = line.add("train", "Learns to judge positions of a game by playing itself",
                               "  boardwright train GAME\n  boardwright train mygame.yaml --minutes 10\n"
                               "  boardwright train GAME --games 2000 --seed 7 --output learnt.yaml\n"
                               "  boardwright train GAME --network --minutes 30");
  add_game(command, options.game);
  CLI::Option* minutes = command
                             .add_option_function<std::string>(
                                 "--minutes",
                                 [&options](const std::string& text) {
                                   options.minutes =
                                       parse_number("--minutes", text, 0.01, kMaxThinkSeconds / 60);
                                 },
                                 "How long it takes, matches included (2; of a network 15)")
                             ->type_name("N");
  command
      .add_option_function<std::string>(
          "--games",
          [&options](const std::string& text) {
            options.games = parse_number<std::uint64_t>("--games", text, 1, 1'000'000'000);
          },
          "How many games it learns from instead: then a seed always gives the same")
      ->type_name("N")
      ->excludes(minutes);
  command
      .add_option_function<std::string>(
          "--rounds",
          [&options](const std::string& text) {
            options.rounds = parse_number("--rounds", text, 1, kMaxRounds);
          },
          "How often weights are fitted and play against the earlier ones (5), or a network is fitted (3)")
      ->type_name("N");
  command.add_flag("--network", options.network,
                   "Learns a small network on top of the weights: of those that the game has, else they are "
                   "learnt first, in a quarter of the time");
  add_number<std::uint64_t>(command, "--seed", options.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "Of openings and other chance (1)");
  command
      .add_option(
          "--output", options.output,
          "The file that is written; else NAME.weights.yaml beside the rule file, where it is found by "
          "those who play (for a bundled game in this folder)")
      ->type_name("PATH");
  add_json(command, options.json);
  line.runs(command, [&options](Console& console) { return train(options, console); });
}

} // namespace boardwright::tools
