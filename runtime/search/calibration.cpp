// Entry points: fit_calibration, learn_calibration.
#include "runtime/search/calibration.hpp"

#include "runtime/model/random.hpp"
#include "runtime/search/make_player.hpp"
#include "runtime/search/score.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace boardwright::runtime::search {

namespace {

// Values are taken for no surer than this: a search that sees a win that it can't prove says nearly 1.
constexpr double kSurestSaid = 0.9995;
// Positions of one game end alike, so that all of them together count as so many that know nothing of one
// another.
constexpr double kGameCounts = 1;
// How far games of which nothing is known differ, as standard deviations: of the logarithm of the scale, and
// of the offset.
constexpr double kScaleDiffers = 0.5, kOffsetDiffers = 1.5;

// What is said of a game whose point is divided is a share of it, which a search knows, and no chance.
bool divides_points(const Program& program) {
  const auto divides = [](const EndLine& line) { return line.verdict == Verdict::share; };
  return std::any_of(program.players.begin(), program.players.end(), [&](const runtime::Player& player) {
    return std::any_of(player.end.begin(), player.end.end(), divides);
  });
}

double logit_said(double value) {
  const double p = std::clamp(value, 1 - kSurestSaid, kSurestSaid);
  return std::log(p / (1 - p));
}

double chance_at(double logit) { return 1 / (1 + std::exp(-logit)); }

// What is to be as small as possible, by the logarithm of the scale and the offset: how much the results
// surprise, and how far the two are from what is usual.
double cost_of(const std::vector<SaidInGame>& games, double log_scale, double offset) {
  double cost = 0;
  for (const SaidInGame& game : games) {
    double sum = 0;
    for (const double value : game.values) {
      const double p = chance_at(std::exp(log_scale) * logit_said(value) + offset);
      const double kept = std::clamp(p, 1e-9, 1 - 1e-9);
      sum -= game.result * std::log(kept) + (1 - game.result) * std::log(1 - kept);
    }
    if (!game.values.empty()) cost += kGameCounts * sum / static_cast<double>(game.values.size());
  }
  const double scale_off = (log_scale - std::log(Calibration{}.scale)) / kScaleDiffers;
  const double offset_off = offset / kOffsetDiffers;
  return cost + (scale_off * scale_off + offset_off * offset_off) / 2;
}

constexpr std::uint64_t kNodesOfMove = 300; // of a thought in the games that are learnt from
constexpr int kLongestToLearn = 400;        // a game that is longer is left out
constexpr std::uint64_t kMostByChance = 6;  // moves that it begins with
constexpr std::uint64_t kMostGames = 48;

class GamesToLearnFrom {
public:
  GamesToLearnFrom(std::shared_ptr<const Rules> rules, Player& player, const CalibrationLimits& limits)
      : rules_(std::move(rules)), player_(player), limits_(limits) {}

  std::vector<SaidInGame> play() {
    std::vector<SaidInGame> games;
    for (std::uint64_t number = 0; number < kMostGames && !is_over(); ++number)
      if (auto game = play_one(mix(chain(mix(limits_.seed), number)))) games.push_back(std::move(*game));
    return games;
  }

private:
  [[nodiscard]] bool is_over() const {
    if (nodes_ >= limits_.most_nodes || (limits_.stop != nullptr && limits_.stop->load())) return true;
    return limits_.deadline && std::chrono::steady_clock::now() >= *limits_.deadline;
  }

  // Nothing: a limit was met, or a rule went wrong.
  std::optional<SaidInGame> play_one(std::uint64_t seed) {
    Game game(rules_);
    const auto chance = make_random_player(seed);
    SaidInGame said;
    const int by_chance = static_cast<int>(seed % kMostByChance);
    for (int ply = 0; ply < kLongestToLearn && !is_over(); ++ply) {
      const auto outcome = game.outcome();
      if (!outcome) return std::nullopt;
      if (*outcome) {
        said.result = static_cast<double>(share(result_of(**outcome), 0, 2));
        return said;
      }
      if (!play_ply(game, ply < by_chance && !game.is_chance() ? *chance : player_, ply >= by_chance, said))
        return std::nullopt;
    }
    return std::nullopt;
  }

  // False: a fault, or no time.
  bool play_ply(Game& game, Player& player, bool is_told, SaidInGame& said) {
    if (game.is_chance()) is_told = false; // nobody has thought about a roll
    ThinkLimits limits;
    limits.most_nodes = kNodesOfMove;
    limits.deadline = limits_.deadline;
    limits.stop = limits_.stop;
    const auto thought = player.think(game, limits);
    if (!thought || !thought->move) return false;
    nodes_ += std::max<std::uint64_t>(thought->nodes, 1);
    if (is_told && thought->proof == Proof::unknown)
      said.values.push_back(game.to_move() == 0 ? thought->value : 1 - thought->value);
    return game.play(*thought->move).has_value();
  }

  std::shared_ptr<const Rules> rules_;
  Player& player_;
  const CalibrationLimits& limits_;
  std::uint64_t nodes_ = 0;
};

} // namespace

double Calibration::chance(double value, int player, int players) const {
  const double even = logit_said(1.0 / std::max(players, 2)); // 0 of two
  const double first = player == 0 ? offset : -offset;
  const double logit = even + scale * (logit_said(value) - even) + (players == 2 ? first : 0);
  return std::clamp(chance_at(logit), 1 - kMostCertain, kMostCertain);
}

void calibrate(Thought& thought, const Calibration& calibration, int player, int players) {
  const auto change = [&](double& value, Proof proof) {
    if (proof == Proof::unknown) value = calibration.chance(value, player, players);
  };
  change(thought.value, thought.proof);
  for (Candidate& candidate : thought.candidates) change(candidate.value, candidate.proof);
}

// A grid that is made finer where the cost is least: two numbers, and a cost without a second valley.
Calibration fit_calibration(const std::vector<SaidInGame>& games) {
  double log_scale = std::log(Calibration{}.scale), offset = 0;
  double least = cost_of(games, log_scale, offset);
  for (double step = 0.8; step > 0.01; step /= 2)
    for (bool better = true; better;) {
      better = false;
      constexpr std::array<std::pair<int, int>, 4> kWays = {{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
      for (const auto& [s, o] : kWays) {
        const double cost = cost_of(games, log_scale + s * step, offset + o * step);
        if (cost >= least - 1e-12) continue;
        least = cost;
        log_scale += s * step;
        offset += o * step;
        better = true;
      }
    }
  return {std::exp(log_scale), offset, games.size()};
}

Calibration learn_calibration(const std::shared_ptr<const Rules>& rules, Player& player,
                              const CalibrationLimits& limits) {
  if (rules->program().players.size() != 2) return {};
  if (divides_points(rules->program())) return {1, 0, 0};
  return fit_calibration(GamesToLearnFrom(rules, player, limits).play());
}

} // namespace boardwright::runtime::search
