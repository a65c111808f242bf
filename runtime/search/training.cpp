#include "runtime/search/training.hpp"

#include "runtime/model/random.hpp"
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

constexpr double kShareOfLastMatch = 0.2; // of the time; the rounds have as much of the rest each
// When a round's games end, and its match against the untrained weights, in shares of the round. The match
// against the previous ones ends with it.
constexpr double kGamesEnd = 0.65, kUntrainedEnds = 0.83;

using Clock = std::chrono::steady_clock;

// Of a position; those of one game tell nearly the same, so that a game counts as a few.
constexpr double kShareOfPosition = 0.2;
// How sure it is before that a weight is as it was guessed: the inverse of its variance.
constexpr double kSurePlace = 150, kSureOther = 40;

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

class Trainer {
public:
  Trainer(const std::shared_ptr<const Features>& features, const TrainingOptions& options)
      : features_(features), options_(options), first_(features->first_weights()),
        sure_(features->size(), kSureOther), fixed_(features->size(), false) {
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
  using OnProgress = std::function<void(const TrainingProgress&)>;
  // Was it played to its end? Otherwise nothing is learnt from it.
  tl::expected<bool, Fault> play_game(Player& player, std::uint64_t number);
  std::optional<Fault> play_games(Round& round, const std::vector<double>& weights, Training& training,
                                  const OnProgress& on_progress);
  std::vector<double> fit(Round& round);
  std::optional<Fault> compare(Round& round, const std::vector<double>& weights,
                               const std::vector<double>& previous) const;
  std::optional<Fault> play_last_match(std::vector<double> weights, Training& training) const;
  // A round's share of the time.
  [[nodiscard]] double slice() const { return (1 - kShareOfLastMatch) / options_.rounds; }
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
};

tl::expected<bool, Fault> Trainer::play_game(Player& player, std::uint64_t number) {
  FeatureCounter counter(*features_);
  const std::size_t first = examples_.size();
  std::vector<int> movers;
  const auto played = play_to_learn(*features_, player, number, options_, [&](const Studied& position) {
    Example example;
    const int mover = position.game.to_move();
    const auto features = counter.features(position.game, mover, position.moves);
    for (std::size_t k = 0; k < features.size(); ++k)
      if (features[k] != 0) example.features.emplace_back(static_cast<std::uint32_t>(k), features[k]);
    example.value = static_cast<float>(position.value);
    examples_.push_back(std::move(example));
    movers.push_back(mover);
  });
  if (!played || played->cut) examples_.resize(first);
  if (!played) return tl::unexpected(played.error());
  if (played->cut) return false;
  for (std::size_t k = first; k < examples_.size(); ++k)
    examples_[k].result = result_for(played->outcome, movers[k - first]);
  plies_ += played->plies;
  draws_ += result_for(played->outcome, 0) == 0.5F ? 1 : 0;
  return true;
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

double Trainer::certainty_of(const std::vector<double>& weights) const {
  std::vector<Promise> promises;
  for (const Example& example : examples_) promises.push_back({logit_of(example, weights), example.result});
  return search::certainty_of(promises);
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

// Up to as many as all rounds so far shall have, with these weights on both sides. Where dice are rolled the
// first ones are random games, which end: before anything is learnt pieces are thought to be worth something,
// and many such games are won by bringing them off the board.
std::optional<Fault> Trainer::play_games(Round& round, const std::vector<double>& weights, Training& training,
                                         const OnProgress& on_progress) {
  const auto player = player_with(features_, {weights, nullptr});
  options_.at_random = round.number == 1 && features_->rules().program().chance.has_value();
  const int last =
      static_cast<int>(static_cast<std::int64_t>(options_.games) * round.number / options_.rounds);
  plies_ = draws_ = 0;
  const int before = training.games;
  while (training.games < last && !late(slice() * (round.number - 1 + kGamesEnd))) {
    const auto ended = play_game(*player, static_cast<std::uint64_t>(training.games));
    training.stopped = stopped();
    if (training.stopped) break;
    if (!ended) return ended.error();
    if (!*ended) break;
    ++training.games;
    if (on_progress) on_progress({round.number, options_.rounds, training.games, options_.games, false});
  }
  const double played = std::max(training.games - before, 1);
  round.length = plies_ / played;
  round.draws = draws_ / played;
  round.games = training.games;
  return {};
}

// Matches of a round's weights with the untrained ones and with those of the round before, which are the same
// in the first round.
std::optional<Fault> Trainer::compare(Round& round, const std::vector<double>& weights,
                                      const std::vector<double>& previous) const {
  TrainingOptions match = options_;
  match.seed = chain(options_.seed, static_cast<std::uint64_t>(round.number));
  for (const bool untrained : {true, false}) {
    if (!untrained && round.number == 1) {
      round.previous = round.untrained;
      break;
    }
    if (options_.deadline) // what is left of the slice
      match.deadline = begin_ + std::chrono::duration_cast<Clock::duration>(
                                    slice() * (round.number - 1 + (untrained ? kUntrainedEnds : 1)) *
                                    (*options_.deadline - begin_));
    auto result = play_match(features_, {weights, nullptr}, {untrained ? first_ : previous, nullptr},
                             options_.match_games, match);
    if (!result) return result.error();
    (untrained ? round.untrained : round.previous) = *result;
  }
  return {};
}

// Of a few games the score says little: later weights, which know more, are rather taken.
double cautious_score(const MatchResult& match) {
  constexpr int kEvenGames = 10;
  return (match.score() * match.games() + 0.5 * kEvenGames) / (match.games() + kEvenGames);
}

// The best weights of all rounds are taken if they are surely stronger than the untrained ones.
std::optional<Fault> Trainer::play_last_match(std::vector<double> weights, Training& training) const {
  SelfPlayOptions last = options_;
  last.seed = chain(options_.seed, ~std::uint64_t{0});
  auto result =
      play_match(features_, {weights, nullptr}, {first_, nullptr}, options_.last_match_games, last, true);
  if (!result) return result.error();
  training.last_match = *result;
  training.stopped = stopped();
  training.improved = surely_stronger(*result);
  if (training.improved) training.weights = std::move(weights);
  return {};
}

tl::expected<Training, Fault> Trainer::run(const OnProgress& on_progress,
                                           const std::function<void(const Round&)>& on_round) {
  Training training;
  std::vector<double> current = training.weights = first_;
  std::vector<double> best_weights; // of a round, against the untrained ones
  double best = 0;
  for (int r = 1; r <= options_.rounds && !training.stopped; ++r) {
    Round round;
    round.number = r;
    if (auto fault = play_games(round, current, training, on_progress)) return tl::unexpected(*fault);
    if (examples_.empty()) break;
    const std::vector<double> weights = fit(round);
    mix_ = 0.3;
    if (on_progress) on_progress({r, options_.rounds, training.games, options_.games, true});
    if (auto fault = compare(round, weights, current)) return tl::unexpected(*fault);
    current = weights;
    if (const double score = cautious_score(round.untrained); score >= best) {
      best = score;
      best_weights = weights;
    }
    training.rounds.push_back(round);
    training.stopped = training.stopped || stopped();
    if (on_round) on_round(round);
  }
  if (best_weights.empty() || training.stopped) return training;
  if (on_progress) on_progress({options_.rounds, options_.rounds, training.games, options_.games, true});
  if (auto fault = play_last_match(std::move(best_weights), training)) return tl::unexpected(*fault);
  return training;
}

} // namespace

tl::expected<Training, Fault> train(const std::shared_ptr<const Features>& features,
                                    const TrainingOptions& options,
                                    const std::function<void(const TrainingProgress&)>& on_progress,
                                    const std::function<void(const Round&)>& on_round) {
  if (features->players() != 2) return tl::unexpected(Fault{"only games for two players are learnt", 0});
  return Trainer(features, options).run(on_progress, on_round);
}

} // namespace boardwright::runtime::search
