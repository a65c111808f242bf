#include "tools/commands/bench_calibration.hpp"

#include "runtime/model/random.hpp"
#include "runtime/search/make_player.hpp"
#include "runtime/search/score.hpp"
#include "tools/console/json.hpp"
#include "tools/engines/opponents.hpp"
#include "tools/engines/weights_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace boardwright::tools {
namespace {

namespace search = runtime::search;

constexpr std::size_t kSaidBands = 5; // 50 to 60 % …
constexpr std::uint64_t kNodesOfMove = 2'000, kNodesToLearnFrom = 200'000;
constexpr int kLongestTold = 500; // plies: a game that is longer tells nothing
constexpr std::uint64_t kMostOfOpening = 6;

struct SaidBand {
  std::uint64_t positions = 0;
  double points = 0; // of whoever was favoured
};
struct Told {
  std::array<SaidBand, kSaidBands> raw{}, calibrated{};
  std::uint64_t games = 0;
  search::Calibration calibration;
};

void count_said(double chance, double result, std::array<SaidBand, kSaidBands>& bands) {
  const double favoured = std::max(chance, 1 - chance);
  const auto band = std::min(static_cast<std::size_t>((favoured - 0.5) * 2 * kSaidBands), kSaidBands - 1);
  ++bands[band].positions;
  bands[band].points += chance >= 0.5 ? result : 1 - result;
}

void add_bands(const std::array<SaidBand, kSaidBands>& from, std::array<SaidBand, kSaidBands>& to) {
  for (std::size_t k = 0; k < kSaidBands; ++k) {
    to[k].positions += from[k].positions;
    to[k].points += from[k].points;
  }
}

// What the player said of the first one in a game against himself, and how it ended; nothing: too long.
tl::expected<std::optional<search::SaidInGame>, runtime::Fault>
play_and_listen(const interpreter::Loaded& loaded, search::Player& player, std::uint64_t seed) {
  runtime::Game game(loaded.rules);
  const auto by_chance = search::make_random_player(seed);
  const int opening = 1 + static_cast<int>(seed % kMostOfOpening);
  search::SaidInGame said;
  for (int ply = 0; ply < kLongestTold && !interrupted(); ++ply) {
    const auto outcome = game.outcome();
    if (!outcome) return tl::unexpected(outcome.error());
    if (*outcome) {
      said.result = static_cast<double>(runtime::share(runtime::result_of(**outcome), 0, 2));
      return said;
    }
    search::ThinkLimits limits;
    limits.most_nodes = kNodesOfMove;
    limits.stop = &interrupted();
    const auto thought = (ply < opening ? *by_chance : player).think(game, limits);
    if (!thought) return tl::unexpected(thought.error());
    if (!thought->move) return std::nullopt;
    if (ply >= opening && thought->proof == search::Proof::unknown)
      said.values.push_back(game.to_move() == 0 ? thought->value : 1 - thought->value);
    if (const auto played = game.play(*thought->move); !played) return tl::unexpected(played.error());
  }
  return std::nullopt;
}

// An error has been told.
tl::expected<Told, Exit> listen(const std::string& name, const BenchOptions& options, Console& console) {
  const GameChoice choice{name, options.settings, ""};
  const auto loaded = load_game(choice, console);
  if (!loaded) return tl::unexpected(loaded.error());
  Told told;
  if (loaded->rules->program().players.size() != 2) return told;
  auto weights = find_weights("", choice, *loaded, console);
  if (!weights) return tl::unexpected(weights.error());
  const OpponentChoice who{1, 1, std::move(*weights), name};
  search::CalibrationLimits limits;
  limits.most_nodes = kNodesToLearnFrom;
  limits.stop = &interrupted();
  told.calibration = calibration_for("auto", loaded->rules, who, limits);
  const auto player = make_opponent("auto", loaded->rules, who);
  if (!player) return told;
  for (std::uint64_t k = 0; k < options.calibration && !interrupted(); ++k) {
    const auto said =
        play_and_listen(*loaded, **player, runtime::mix(1'000'003 + k)); // none that were learnt from
    if (!said) return tl::unexpected(report_fault(loaded->rules->program(), said.error(), console));
    if (!*said) continue;
    ++told.games;
    for (const double value : (**said).values) {
      count_said(value, (**said).result, told.raw);
      count_said(told.calibration.chance(value, 0), (**said).result, told.calibrated);
    }
  }
  return told;
}

std::string bands_text(const std::array<SaidBand, kSaidBands>& bands) {
  std::string text;
  for (const SaidBand& band : bands)
    text += band.positions == 0
                ? fmt::format(" {:>14}", "-")
                : fmt::format(" {:>5.1f} % of {:>5}", 100 * band.points / static_cast<double>(band.positions),
                              band.positions);
  return text;
}

std::string lines_of_told(const std::string& name, const Told& told) {
  return fmt::format("{:<16} {:>5} {}\n{:<16} {:>5} {}\n", printable(name), told.games,
                     bands_text(told.calibrated), "  as searched", "", bands_text(told.raw));
}

Json bands_json(const std::array<SaidBand, kSaidBands>& bands) {
  Json all = Json::array();
  for (std::size_t k = 0; k < kSaidBands; ++k)
    all.push_back({{"from", 0.5 + 0.1 * static_cast<double>(k)},
                   {"positions", bands[k].positions},
                   {"points", bands[k].points}});
  return all;
}

} // namespace

Exit bench_calibration(const std::vector<std::string>& games, const BenchOptions& options, Console& console) {
  Told all;
  if (!options.json)
    console.out(fmt::format("{:<16} {:>5} {:>15} {:>14} {:>14} {:>14} {:>14}\n", "said", "games",
                            "50 to 60 %", "60 to 70 %", "70 to 80 %", "80 to 90 %", "90 to 97 %"));
  for (const std::string& game : games) {
    console.progress("playing " + printable(game));
    const auto told = listen(game, options, console);
    if (!told) return told.error();
    if (interrupted()) break;
    if (options.json)
      console.out(to_text({{"game", game},
                           {"games", told->games},
                           {"scale", told->calibration.scale},
                           {"offset", told->calibration.offset},
                           {"learnt_from", told->calibration.games},
                           {"said", bands_json(told->calibrated)},
                           {"as_searched", bands_json(told->raw)}}) +
                  "\n");
    else
      console.out(lines_of_told(game, *told));
    console.flush();
    all.games += told->games;
    add_bands(told->raw, all.raw);
    add_bands(told->calibrated, all.calibrated);
  }
  if (!options.json) console.out(lines_of_told("all", all));
  return interrupted() ? Exit::interrupted : Exit::good;
}

} // namespace boardwright::tools
