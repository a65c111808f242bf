#include "runtime/search/training.hpp"

#include "runtime/model/random.hpp"
#include "runtime/model/shares.hpp"
#include "runtime/search/alpha_beta.hpp"
#include "runtime/search/evaluation.hpp"
#include "runtime/search/goals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace boardwright::runtime::search {

namespace {

constexpr double kShareOfLastMatch = 0.2; // of the time

using Clock = std::chrono::steady_clock;

// A search of some hundred nodes fills no more, and a small table stays in the processor's cache.
constexpr std::size_t kTableBytes = std::size_t{2} << 20;
// Of a position; those of one game tell nearly the same, so that a game counts as a few.
constexpr double kShareOfPosition = 0.2;
// How sure it is before that a weight is as it was guessed: the inverse of its variance.
constexpr double kSurePlace = 150, kSureOther = 40;
// Nothing is surer than that, to be learnt from: logarithms stay finite.
constexpr double kLeastChance = 1e-6;
// One move in so many is random, once the opening is over.
constexpr std::uint64_t kOneRandomIn = 20;

struct Example {                                         // a position that is learnt from
  std::vector<std::pair<std::uint32_t, float>> features; // those that aren't 0
  float value = 0;                                       // what the search thought: a logit
  float result = 0.5F;
};

double chance(double logit) { return 1 / (1 + std::exp(-logit)); }

double logit_of(const Example& example, const std::vector<double>& weights) {
  double sum = 0;
  for (const auto& [feature, value] : example.features) sum += weights[feature] * static_cast<double>(value);
  return sum;
}

float result_for(const Outcome& outcome, int player) {
  if (outcome.shares != 0) return share(outcome, player, 2);
  const bool won = (outcome.winners >> player & 1) != 0, lost = (outcome.winners & ~(1U << player)) != 0;
  return won == lost ? 0.5F : won ? 1.0F : 0.0F;
}

class Trainer {
public:
  Trainer(const std::shared_ptr<const Features>& features, const TrainingOptions& options)
      : features_(features), options_(options), first_(features->first_weights()),
        sure_(features->size(), kSureOther), fixed_(features->size(), false) {
    has_quiet_moves_ = features->sample().forced < 0.5;
    const bool connects = asks_for_connection(features->rules().program());
    for (std::size_t k = 0; k < features->size(); ++k) {
      const std::string& name = features->names()[k];
      if (name.find("place/") != std::string::npos) sure_[k] = kSurePlace;
      // To look for groups takes longer than everything else.
      const bool groups = name.ends_with("groups") || name.ends_with("largest");
      fixed_[k] = groups && !connects;
    }
  }

  tl::expected<Training, Fault> run(const std::function<void(const TrainingProgress&)>& on_progress,
                                    const std::function<void(const Round&)>& on_round);

private:
  std::optional<Fault> play_game(Player& player, std::uint64_t number);
  std::vector<double> fit(Round& round);
  [[nodiscard]] double error_of(const std::vector<double>& weights) const;
  [[nodiscard]] double target(const Example& example) const {
    return (1 - mix_) * example.result + mix_ * chance(certainty_ * example.value);
  }
  [[nodiscard]] double certainty_of(const std::vector<double>& weights) const;
  [[nodiscard]] bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }
  [[nodiscard]] bool late(double share) const { // of the time there is
    if (!options_.deadline) return false;
    return Clock::now() >=
           begin_ + std::chrono::duration_cast<Clock::duration>(share * (*options_.deadline - begin_));
  }

  std::shared_ptr<const Features> features_;
  TrainingOptions options_;
  std::vector<double> first_, sure_;
  std::vector<bool> fixed_; // weights that are left as they are
  std::vector<Example> examples_;
  double certainty_ = 1; // see certainty_of
  double mix_ = 0;       // how much the search's opinion counts beside the result
  Clock::time_point begin_ = Clock::now();
  double plies_ = 0, draws_ = 0;
  bool has_quiet_moves_ = true; // else every move captures
};

std::unique_ptr<Player> player_with(const std::shared_ptr<const Features>& features,
                                    const std::vector<double>& weights) {
  AlphaBetaOptions options;
  options.most_bytes = kTableBytes;
  options.weights = weights;
  return make_alpha_beta(features, options);
}

// Some plies, so that games differ; few enough that the game isn't decided by them.
int opening_of(const Features& features, Random& random) {
  const int most = std::clamp(static_cast<int>(features.sample().plies / 6), 1, 8);
  return 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(most)));
}

tl::expected<bool, Fault> play_randomly(Game& game, Random& random) { // false: it is over
  const auto moves = game.moves();
  if (!moves) return tl::unexpected(moves.error());
  if (moves->empty()) return false;
  if (auto played = game.play((*moves)[random.below(moves->size())]); !played)
    return tl::unexpected(played.error());
  return true;
}

std::optional<Fault> Trainer::play_game(Player& player, std::uint64_t number) {
  Random random(chain(mix(options_.seed), number));
  Game game(features_->shared_rules());
  const int opening = opening_of(*features_, random);
  FeatureCounter counter(*features_);
  const std::size_t first = examples_.size();
  std::vector<int> movers;
  MoveCounts counts;
  counts.fill(-1);
  ThinkLimits limits;
  limits.most_nodes = options_.nodes;
  int ply = 0;
  for (; ply < options_.most_plies; ++ply) {
    const auto moves = game.moves();
    if (!moves) return moves.error();
    if (moves->empty()) break;
    counts[static_cast<std::size_t>(game.to_move())] = static_cast<int>(moves->size());
    if (ply < opening || random.below(kOneRandomIn) == 0) {
      if (const auto played = play_randomly(game, random); !played) return played.error();
      continue;
    }
    const auto thought = player.think(game, limits);
    if (!thought) return thought.error();
    const auto captures = game.captures(*thought->move);
    if (!captures) return captures.error();
    if (!*captures || !has_quiet_moves_) {
      Example example;
      const auto features = counter.features(game, game.to_move(), counts);
      for (std::size_t k = 0; k < features.size(); ++k)
        if (features[k] != 0) example.features.emplace_back(static_cast<std::uint32_t>(k), features[k]);
      const double value = std::clamp(thought->value, kLeastChance, 1 - kLeastChance);
      example.value = static_cast<float>(std::log(value / (1 - value)));
      examples_.push_back(std::move(example));
      movers.push_back(game.to_move());
    }
    if (auto played = game.play(*thought->move); !played) return played.error();
  }
  const auto outcome = game.outcome();
  if (!outcome) return outcome.error();
  const Outcome result = outcome->value_or(Outcome());
  for (std::size_t k = first; k < examples_.size(); ++k)
    examples_[k].result = result_for(result, movers[k - first]);
  plies_ += ply;
  draws_ += result_for(result, 0) == 0.5F ? 1 : 0;
  return {};
}

double Trainer::error_of(const std::vector<double>& weights) const {
  double sum = 0;
  for (const Example& example : examples_) {
    const double p =
        std::clamp(chance(certainty_ * logit_of(example, weights)), kLeastChance, 1 - kLeastChance);
    const double t = target(example);
    sum -= t * std::log(p) + (1 - t) * std::log(1 - p);
  }
  return examples_.empty() ? 0 : sum / static_cast<double>(examples_.size());
}

// How much of what weights promise comes true, from 0 to 1, in games of so short thoughts: without it weights
// would shrink, but those that are seldom seen less than others, and what is worth more than something else
// would be lost. By halving the interval: the slope of the error falls to nothing once.
double Trainer::certainty_of(const std::vector<double>& weights) const {
  constexpr int kHalvings = 20;
  double low = 0, high = 1;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = (low + high) / 2;
    double slope = 0;
    for (const Example& example : examples_) {
      const double logit = logit_of(example, weights);
      slope += (chance(middle * logit) - static_cast<double>(example.result)) * logit;
    }
    (slope < 0 ? low : high) = middle;
  }
  return high;
}

// Stochastic gradient descent with a step for each weight (J. Duchi, E. Hazan, Y. Singer, Adaptive
// subgradient methods, 2011). What was guessed pulls every weight back, as much as if it had been seen often.
std::vector<double> Trainer::fit(Round& round) {
  constexpr int kPasses = 12;
  constexpr double kStep = 0.05;
  const std::size_t n = examples_.size();
  certainty_ = certainty_of(first_);
  const double error_before = error_of(first_);
  std::vector<double> weights = first_, squares(weights.size(), 1e-3);
  std::vector<double> seen(weights.size(), 0); // how many examples have the feature
  for (const Example& example : examples_)
    for (const auto& [feature, value] : example.features) seen[feature] += 1;
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  Random random(chain(options_.seed, static_cast<std::uint64_t>(round.number)));
  for (int pass = 0; pass < kPasses; ++pass) {
    for (std::size_t k = n; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
    const double step = kStep / (1 + 0.5 * pass);
    for (const std::uint32_t k : order) {
      const Example& example = examples_[k];
      const double miss =
          kShareOfPosition * (chance(certainty_ * logit_of(example, weights)) - target(example));
      for (const auto& [feature, value] : example.features) {
        if (fixed_[feature]) continue;
        const double pull = sure_[feature] * (weights[feature] - first_[feature]) / seen[feature];
        const double slope = certainty_ * miss * static_cast<double>(value) + pull;
        squares[feature] += slope * slope;
        weights[feature] -= step * slope / std::sqrt(squares[feature]);
      }
    }
  }
  round.error_before = error_before;
  round.error = error_of(weights);
  round.positions = n;
  return weights;
}

tl::expected<Training, Fault> Trainer::run(const std::function<void(const TrainingProgress&)>& on_progress,
                                           const std::function<void(const Round&)>& on_round) {
  Training training;
  std::vector<double> current = training.weights = first_;
  std::vector<double> best_weights; // of a round, against the untrained ones
  double best = 0;
  for (int r = 1; r <= options_.rounds && !training.stopped; ++r) {
    Round round;
    round.number = r;
    const auto player = player_with(features_, current);
    const int last = static_cast<int>(static_cast<std::int64_t>(options_.games) * r / options_.rounds);
    const double slice = (1 - kShareOfLastMatch) / options_.rounds;
    plies_ = draws_ = 0;
    const int before = training.games;
    while (training.games < last && !late(slice * (r - 0.35))) {
      if (stopped()) {
        training.stopped = true;
        break;
      }
      if (auto fault = play_game(*player, static_cast<std::uint64_t>(training.games)))
        return tl::unexpected(*fault);
      ++training.games;
      if (on_progress) on_progress({r, options_.rounds, training.games, options_.games, false});
    }
    if (examples_.empty()) break;
    const double played = std::max(training.games - before, 1);
    round.length = plies_ / played;
    round.draws = draws_ / played;
    round.games = training.games;
    const std::vector<double> weights = fit(round);
    mix_ = 0.3;
    if (on_progress) on_progress({r, options_.rounds, training.games, options_.games, true});
    TrainingOptions match = options_;
    for (const bool untrained : {true, false}) {
      if (!untrained && r == 1) {
        round.previous = round.untrained;
        break;
      }
      if (options_.deadline) // what is left of the slice
        match.deadline = begin_ + std::chrono::duration_cast<Clock::duration>(
                                      slice * (r - (untrained ? 0.17 : 0.0)) * (*options_.deadline - begin_));
      auto result =
          play_match(features_, weights, untrained ? first_ : current, options_.match_games,
                     options_.match_nodes, chain(options_.seed, static_cast<std::uint64_t>(r)), match);
      if (!result) return tl::unexpected(result.error());
      (untrained ? round.untrained : round.previous) = *result;
    }
    current = weights;
    // Of a few games the score says little: later weights, which know more, are rather taken.
    constexpr int kEvenGames = 10;
    const MatchResult& match_so_far = round.untrained;
    const double score = (match_so_far.score() * match_so_far.games() + 0.5 * kEvenGames) /
                         (match_so_far.games() + kEvenGames);
    if (score >= best) {
      best = score;
      best_weights = weights;
    }
    training.rounds.push_back(round);
    training.stopped = training.stopped || stopped();
    if (on_round) on_round(round);
  }
  if (best_weights.empty() || training.stopped) return training;
  if (on_progress) on_progress({options_.rounds, options_.rounds, training.games, options_.games, true});
  auto result = play_match(features_, best_weights, first_, options_.last_match_games, options_.match_nodes,
                           chain(options_.seed, ~std::uint64_t{0}), options_, true);
  if (!result) return tl::unexpected(result.error());
  training.last_match = *result;
  training.stopped = stopped();
  training.improved = surely_stronger(*result);
  if (training.improved) training.weights = std::move(best_weights);
  return training;
}

// The logarithm of the likelihood ratio of being 30 points stronger and 10 weaker.
double ratio_of(const MatchResult& match) {
  constexpr double kLow = 0.4856, kHigh = 0.5431; // the scores that are expected then
  const double n = match.games(), s = match.score();
  constexpr int kFewest = 20; // games: of less even a clear score may be luck
  if (match.games() < kFewest) return 0;
  const double squares =
      match.wins * (1 - s) * (1 - s) + match.draws * (0.5 - s) * (0.5 - s) + match.losses * s * s;
  // Some games that go all alike say less than they seem to.
  const double variance = std::max(squares / n, 0.25 / (n + 1));
  return n * (kHigh - kLow) * (2 * s - kLow - kHigh) / (2 * variance);
}

constexpr double kSure = 2.94; // log(0.95 / 0.05)

} // namespace

bool surely_stronger(const MatchResult& match) { return ratio_of(match) >= kSure; }
bool enough(const MatchResult& match) { return std::abs(ratio_of(match)) >= kSure; }

tl::expected<MatchResult, Fault> play_match(const std::shared_ptr<const Features>& features,
                                            const std::vector<double>& one, const std::vector<double>& other,
                                            int games, std::uint64_t nodes, std::uint64_t seed,
                                            const TrainingOptions& options, bool until_enough) {
  MatchResult result;
  const std::array<std::unique_ptr<Player>, 2> players = {player_with(features, one),
                                                          player_with(features, other)};
  ThinkLimits limits;
  limits.most_nodes = nodes;
  limits.stop = options.stop;
  for (int g = 0; g < games; ++g) {
    if (g % 2 == 0 && options.deadline && Clock::now() >= *options.deadline) break;
    if (g % 2 == 0 && until_enough && enough(result)) break;
    Random random(chain(mix(seed), static_cast<std::uint64_t>(g / 2)));
    Game game(features->shared_rules());
    for (int opening = opening_of(*features, random); opening > 0; --opening)
      if (const auto played = play_randomly(game, random); !played) return tl::unexpected(played.error());
    for (int ply = 0; ply < options.most_plies; ++ply) {
      const auto thought = players[static_cast<std::size_t>((game.to_move() + g) % 2)]->think(game, limits);
      if (!thought) return tl::unexpected(thought.error());
      if (!thought->move) break;
      if (auto played = game.play(*thought->move); !played) return tl::unexpected(played.error());
    }
    if (options.stop != nullptr && options.stop->load()) break; // the game that was stopped doesn't count
    const auto outcome = game.outcome();
    if (!outcome) return tl::unexpected(outcome.error());
    const float score = result_for(outcome->value_or(Outcome()), g % 2);
    ++(score == 0.5F ? result.draws : score > 0.5F ? result.wins : result.losses);
  }
  return result;
}

tl::expected<Training, Fault> train(const std::shared_ptr<const Features>& features,
                                    const TrainingOptions& options,
                                    const std::function<void(const TrainingProgress&)>& on_progress,
                                    const std::function<void(const Round&)>& on_round) {
  if (features->players() != 2) return tl::unexpected(Fault{"only games for two players are learnt", 0});
  return Trainer(features, options).run(on_progress, on_round);
}

} // namespace boardwright::runtime::search
