#include "runtime/search/network_training.hpp"

#include "runtime/search/evaluation.hpp"
#include "runtime/search/network_fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace boardwright::runtime::search {

namespace {

// Of the time: for games, and for the last match. What is between is for fitting.
constexpr double kShareOfGames = 0.7, kShareOfMatch = 0.15;
// One game in so many is kept apart.
constexpr std::uint64_t kOneApartIn = 12;
// Few positions are gone through more often, up to so many in all.
constexpr double kStudied = 8e6;
constexpr int kFewestPasses = 6, kMostPasses = 20;
// How much the search's opinion counts beside the result: it is less by chance, but repeats what is known.
constexpr double kShareOfValue = 0.4;

class NetworkTrainer {
public:
  NetworkTrainer(const std::shared_ptr<const Features>& features, const std::vector<double>& weights,
                 const NetworkTrainingOptions& options)
      : features_(features), inputs_(*features), options_(options), weights_{weights, nullptr} {}

  tl::expected<NetworkTraining, Fault> run(const std::function<void(const NetworkProgress&)>& on_progress,
                                           const std::function<void(const NetworkRound&)>& on_round) {
    NetworkTraining training;
    Judgement current = weights_;
    NetworkProgress progress{0, options_.rounds, 0, false, false};
    const auto tell = [&](bool fitting, bool matching) {
      progress.games = training.games, progress.fitting = fitting, progress.matching = matching;
      if (on_progress) on_progress(progress);
    };
    for (int r = 1; r <= options_.rounds && !stopped(); ++r) {
      progress.round = r;
      plies_ = draws_ = 0;
      const int before = training.games;
      const auto player = player_with(features_, current);
      while (more_games(r, training.games) && !stopped()) {
        const auto ended = play_game(*player, static_cast<std::uint64_t>(training.games));
        if (stopped()) break;
        if (!ended) return tl::unexpected(ended.error());
        if (!*ended) break;
        ++training.games;
        tell(false, false);
      }
      tell(true, false);
      const auto round = fit(r, current);
      if (!round) break;
      training.rounds.push_back(*round);
      const double played = std::max(training.games - before, 1);
      training.rounds.back().games = training.games;
      training.rounds.back().length = plies_ / played;
      training.rounds.back().draws = draws_ / played;
      if (on_round) on_round(training.rounds.back());
    }
    training.stopped = stopped();
    if (training.stopped || current.network == nullptr) return training;
    tell(false, true);
    SelfPlayOptions last = options_;
    last.seed = chain(options_.seed, ~std::uint64_t{0});
    auto match = play_match(features_, current, weights_, options_.last_match_games, last, true);
    if (!match) return tl::unexpected(match.error());
    training.last_match = *match;
    training.stopped = stopped();
    if (surely_stronger(*match)) training.network = current.network;
    return training;
  }

private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  [[nodiscard]] bool more_games(int round, int games) const {
    if (examples_.all.size() >= options_.most_positions) return false;
    if (games >= static_cast<int>(static_cast<std::int64_t>(options_.games) * round / options_.rounds))
      return false;
    if (!options_.deadline) return true;
    // Each round's games and its fit, then the match.
    const double end = (1 - kShareOfMatch) * round / options_.rounds;
    const double fitting = (1 - kShareOfMatch - kShareOfGames) / options_.rounds;
    return Clock::now() < begin_ + std::chrono::duration_cast<Clock::duration>((end - fitting) *
                                                                               (*options_.deadline - begin_));
  }

  // Was it played to its end? Otherwise nothing is learnt from it.
  tl::expected<bool, Fault> play_game(Player& player, std::uint64_t number) {
    Evaluation known(features_, weights_);
    const std::size_t first = examples_.all.size(), first_thing = examples_.things.size();
    const auto played = play_to_learn(*features_, player, number, options_, [&](const Studied& position) {
      const std::vector<std::uint16_t> things = inputs_.things_of(position.game);
      const int mover = position.game.to_move();
      NetworkExamples::One one;
      one.first = examples_.things.size();
      one.count = static_cast<std::uint16_t>(things.size());
      one.to_move = static_cast<std::uint8_t>(mover);
      one.kept_apart = number % kOneApartIn == 0;
      one.known = static_cast<float>(known.of(position.game, mover, position.moves)) / Evaluation::kUnit;
      one.value = static_cast<float>(position.value);
      examples_.things.insert(examples_.things.end(), things.begin(), things.end());
      examples_.all.push_back(one);
    });
    if (!played || played->cut) examples_.all.resize(first), examples_.things.resize(first_thing);
    if (!played) return tl::unexpected(played.error());
    if (played->cut) return false;
    for (std::size_t k = first; k < examples_.all.size(); ++k)
      examples_.all[k].result = result_for(played->outcome, examples_.all[k].to_move);
    plies_ += played->plies;
    draws_ += result_for(played->outcome, 0) == 0.5F ? 1 : 0;
    return true;
  }

  // Nothing where there was nothing to learn from, or it was stopped.
  std::optional<NetworkRound> fit(int number, Judgement& current) {
    if (examples_.all.empty()) return {};
    NetworkFitOptions options;
    options.seed = chain(options_.seed, static_cast<std::uint64_t>(number));
    options.passes = std::clamp(static_cast<int>(kStudied / static_cast<double>(examples_.all.size())),
                                kFewestPasses, kMostPasses);
    options.certainty = certainty();
    options.share_of_value = kShareOfValue;
    options.stop = options_.stop;
    const NetworkFit fitted = fit_network(inputs_, features_->symmetries(), examples_, options);
    if (fitted.network == nullptr) return {};
    current.network = fitted.network;
    NetworkRound round;
    round.number = number;
    round.positions = examples_.all.size();
    round.error_before = fitted.error_before;
    round.error = fitted.error;
    return round;
  }

  [[nodiscard]] double certainty() const {
    std::vector<Promise> promises;
    for (const auto& one : examples_.all) promises.push_back({one.known, one.result});
    return certainty_of(promises);
  }

  std::shared_ptr<const Features> features_;
  NetworkInputs inputs_;
  NetworkTrainingOptions options_;
  Judgement weights_;
  NetworkExamples examples_;
  double plies_ = 0, draws_ = 0;
  Clock::time_point begin_ = Clock::now();
};

} // namespace

tl::expected<NetworkTraining, Fault>
train_network(const std::shared_ptr<const Features>& features, const std::vector<double>& weights,
              const NetworkTrainingOptions& options,
              const std::function<void(const NetworkProgress&)>& on_progress,
              const std::function<void(const NetworkRound&)>& on_round) {
  if (NetworkInputs(*features).units() == 0)
    return tl::unexpected(Fault{"networks are for two players, and for games of fewer pieces and cells", 0});
  return NetworkTrainer(features, weights, options).run(on_progress, on_round);
}

} // namespace boardwright::runtime::search
