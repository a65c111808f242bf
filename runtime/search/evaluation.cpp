#include "runtime/search/evaluation.hpp"
#include "runtime/model/index.hpp"

#include <algorithm>

namespace boardwright::runtime::search {

namespace {

// Larger lists have their logarithm, too, but few positions do.
constexpr int kMostCounted = 4096;

double share_of(const Groups& groups) {
  return groups.pieces == 0 ? 0 : static_cast<double>(groups.largest) / groups.pieces;
}

std::vector<std::int32_t> rounded(const std::vector<double>& weights, std::size_t size) {
  constexpr double kMostWeight = 30; // nothing is surer than that; sums of many stay numbers of 32 bits
  std::vector<std::int32_t> all(size, 0);
  for (std::size_t k = 0; k < size && k < weights.size(); ++k)
    all[k] = static_cast<std::int32_t>(
        std::lround(std::clamp(weights[k], -kMostWeight, kMostWeight) * Evaluation::kUnit));
  return all;
}

} // namespace

FeatureCounter::FeatureCounter(const Features& features)
    : f_(features), counts_(at(features.players()), std::vector<std::int32_t>(features.size(), 0)),
      follower_(features, *this), groups_(features) {}

std::vector<float> FeatureCounter::features(const Game& game, int player, const MoveCounts& moves) {
  follower_.follow(game);
  std::vector<float> all(f_.size(), 0);
  for (int p = 0; p < f_.players(); ++p) {
    const float sign = p == player ? 1.0F : -1.0F / static_cast<float>(std::max(f_.players() - 1, 1));
    const auto add = [&](int feature, double value) {
      if (feature >= 0) all[at(feature)] += sign * static_cast<float>(value);
    };
    for (std::size_t k = 0; k < all.size(); ++k) all[k] += sign * static_cast<float>(counts_[at(p)][k]);
    const auto& of = f_.of(p);
    if (of.groups >= 0) {
      const Groups groups = groups_.of(p, [this](std::size_t c) { return follower_.owner(c); });
      add(of.groups, groups.count);
      add(of.largest, share_of(groups));
    }
    if (moves[at(p)] >= 0) add(of.moves, logarithm_of_moves(std::min(moves[at(p)], kMostCounted - 1)));
    if (p == game.to_move()) add(of.turn, 1);
  }
  return all;
}

Evaluation::Evaluation(std::shared_ptr<const Features> features, const Judgement& judgement)
    : f_(std::move(features)),
      weights_(rounded(judgement.weights.empty() ? f_->first_weights() : judgement.weights, f_->size())),
      sums_(at(f_->players()), 0), follower_(*f_, *this), groups_(*f_) {
  if (judgement.network) network_.emplace(std::make_shared<const NetworkInputs>(*f_), judgement.network);
  for (int p = 0; p < f_->players(); ++p) {
    const auto& of = f_->of(p);
    for (const int feature : {of.groups, of.largest})
      finds_groups_ = finds_groups_ || (feature >= 0 && weights_[at(feature)] != 0);
  }
  for (int n = 0; n < kMostCounted; ++n)
    of_moves_.push_back(static_cast<std::int32_t>(std::lround(logarithm_of_moves(n) * kUnit)));
}

int Evaluation::of(const Game& game, int player, const MoveCounts& moves) {
  follower_.follow(game);
  std::int64_t own = 0, others = 0;
  for (int p = 0; p < f_->players(); ++p) {
    const auto& of = f_->of(p);
    std::int64_t sum = sums_[at(p)];
    if (of.moves >= 0 && moves[at(p)] >= 0)
      sum += std::int64_t{weights_[at(of.moves)]} * of_moves_[at(std::min(moves[at(p)], kMostCounted - 1))] /
             kUnit;
    if (p == game.to_move()) sum += weights_[at(of.turn)];
    if (finds_groups_) {
      const Groups groups = groups_.of(p, [this](std::size_t c) { return follower_.owner(c); });
      sum += std::int64_t{weights_[at(of.groups)]} * groups.count;
      sum += std::lround(weights_[at(of.largest)] * share_of(groups));
    }
    (p == player ? own : others) += sum;
  }
  if (f_->players() > 1) own -= others / (f_->players() - 1);
  if (network_) {
    const int value = network_->value(game.to_move());
    own += player == game.to_move() ? value : -value;
  }
  return static_cast<int>(std::clamp<std::int64_t>(own, -kMost, kMost));
}

std::vector<std::int32_t> Evaluation::worth_of_pieces() const {
  constexpr std::int32_t kDecides = 32 * kUnit; // more than all that lies on most boards
  std::vector<std::int32_t> all;
  for (std::size_t code = 0; code < f_->pieces().of_code.size(); ++code) {
    const int feature = f_->piece(static_cast<std::uint8_t>(code));
    all.push_back(code > 0 && f_->stays_single(static_cast<std::uint8_t>(code)) ? kDecides
                  : feature < 0                                                 ? 0
                                                                                : weights_[at(feature)]);
  }
  return all;
}

double chance_of(int value) { return 1 / (1 + std::exp(-static_cast<double>(value) / Evaluation::kUnit)); }

} // namespace boardwright::runtime::search
