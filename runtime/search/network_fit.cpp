#include "runtime/search/network_fit.hpp"

#include "runtime/model/index.hpp"
#include "runtime/model/random.hpp"
#include "runtime/search/self_play.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace boardwright::runtime::search {

namespace {

constexpr std::size_t kBatch = 256;
constexpr float kLargestStep = 2e-3F, kSmallestStep = 5e-5F;
// Of Adam: how long slopes and their squares are remembered.
constexpr float kSlopes = 0.9F, kSquares = 0.999F;
// Pulls weights to nothing that no example speaks for, per step and unit of the step.
constexpr float kPull = 1e-2F;
// Where whole numbers end (network.hpp), as learnt.
constexpr float kMostFirst = static_cast<float>(Network::kFull) / Network::kOne;
constexpr float kMostOutput = 100;

float logistic(float logit) { return 1 / (1 + std::exp(-logit)); }

// FittedWeights with what is remembered of their slopes.
struct FittedWeights {
  std::vector<float> value, slope, mean, square;
  float most = 0;

  FittedWeights(std::size_t n, float most_value)
      : value(n, 0), slope(n, 0), mean(n, 0), square(n, 0), most(most_value) {}

  void spread(Random& random, float deviation) { // evenly, with this standard deviation
    for (float& w : value)
      w = deviation * std::sqrt(12.0F) *
          (static_cast<float>(random.below(1 << 20)) / static_cast<float>(1 << 20) - 0.5F);
  }
  // `corrected`: the step, made larger while little is remembered.
  void step(float size, float corrected) {
    for (std::size_t k = 0; k < value.size(); ++k) {
      mean[k] = kSlopes * mean[k] + (1 - kSlopes) * slope[k];
      square[k] = kSquares * square[k] + (1 - kSquares) * slope[k] * slope[k];
      const float next =
          value[k] - corrected * mean[k] / (std::sqrt(square[k]) + 1e-8F) - size * kPull * value[k];
      value[k] = std::clamp(next, -most, most);
      slope[k] = 0;
    }
  }
};

class Fitter {
public:
  Fitter(const NetworkInputs& inputs, const std::vector<Symmetry>& symmetries,
         const NetworkExamples& examples, const NetworkFitOptions& options)
      : inputs_(inputs), examples_(examples), options_(options), units_(at(inputs.units())),
        first_(inputs.size() * units_, kMostFirst), bias_(units_, kMostOutput), own_(units_, kMostOutput),
        other_(units_, kMostOutput), constant_(1, kMostOutput), random_(mix(options.seed)) {
    std::vector<std::uint16_t> same(inputs.things());
    std::iota(same.begin(), same.end(), std::uint16_t{0});
    mirrors_.push_back(std::move(same));
    for (const Symmetry& symmetry : symmetries)
      if (!symmetry.swaps) mirrors_.push_back(inputs.mirrored(symmetry));
    for (std::uint32_t k = 0; k < examples.all.size(); ++k)
      (examples.all[k].kept_apart ? apart_ : learnt_).push_back(k);
    first_.spread(random_, 0.1F);
    std::fill(bias_.value.begin(), bias_.value.end(), 0.3F);
    own_.spread(random_, 0.1F);
    other_.spread(random_, 0.1F);
  }

  NetworkFit run() {
    NetworkFit fit;
    const std::size_t batches = std::max<std::size_t>(learnt_.size() / kBatch, 1);
    const double steps = static_cast<double>(batches) * options_.passes;
    double best = fit.error_before = error(false);
    fit.error = best;
    for (int pass = 0; pass < options_.passes; ++pass) {
      for (std::size_t k = learnt_.size(); k > 1; --k) std::swap(learnt_[k - 1], learnt_[random_.below(k)]);
      for (std::size_t b = 0; b < batches; ++b) {
        if (options_.stop != nullptr && options_.stop->load()) return fit;
        learn(b * kBatch, std::min(learnt_.size(), (b + 1) * kBatch));
        step(static_cast<double>(steps_) / steps);
      }
      const double now = error(true);
      if (now >= best && fit.network != nullptr) continue;
      best = fit.error = now;
      fit.network = std::make_shared<const Network>(rounded());
    }
    return fit;
  }

private:
  using Units = std::array<float, Network::kMostUnits>;

  void sum_up(const NetworkExamples::One& example, const std::vector<std::uint16_t>& mirror, int viewer,
              Units& sums) const {
    std::copy(bias_.value.begin(), bias_.value.end(), sums.begin());
    for (std::size_t k = 0; k < example.count; ++k) {
      const float* const weights =
          first_.value.data() + inputs_.input(viewer, mirror[examples_.things[example.first + k]]) * units_;
      for (std::size_t u = 0; u < units_; ++u) sums[u] += weights[u];
    }
  }

  [[nodiscard]] float value_of(const Units& own, const Units& other) const {
    float value = constant_.value[0];
    for (std::size_t u = 0; u < units_; ++u) {
      const float a = std::clamp(own[u], 0.0F, kMostFirst), b = std::clamp(other[u], 0.0F, kMostFirst);
      value += a * a * own_.value[u] + b * b * other_.value[u];
    }
    return value;
  }

  [[nodiscard]] float target(const NetworkExamples::One& example) const {
    const auto share = static_cast<float>(options_.share_of_value);
    return (1 - share) * example.result +
           share * logistic(static_cast<float>(options_.certainty) * example.value);
  }

  // Of what was kept apart, or of all where nothing was.
  [[nodiscard]] double error(bool with_network) const {
    const auto& examples = apart_.empty() ? learnt_ : apart_;
    double sum = 0;
    Units own{}, other{};
    for (const std::uint32_t k : examples) {
      const NetworkExamples::One& example = examples_.all[k];
      float logit = example.known;
      if (with_network) {
        sum_up(example, mirrors_[0], example.to_move, own);
        sum_up(example, mirrors_[0], 1 - example.to_move, other);
        logit += value_of(own, other);
      }
      const double promise = double{logistic(static_cast<float>(options_.certainty) * logit)};
      const double p = std::clamp(promise, kLeastChance, 1 - kLeastChance);
      const double t = double{target(example)};
      sum -= t * std::log(p) + (1 - t) * std::log(1 - p);
    }
    return examples.empty() ? 0 : sum / static_cast<double>(examples.size());
  }

  void learn(std::size_t begin, std::size_t end) {
    const auto certainty = static_cast<float>(options_.certainty);
    const float share = 1 / static_cast<float>(std::max<std::size_t>(end - begin, 1));
    Units own{}, other{};
    for (std::size_t k = begin; k < end; ++k) {
      const NetworkExamples::One& example = examples_.all[learnt_[k]];
      const auto& mirror = mirrors_[random_.below(mirrors_.size())];
      const int viewer = example.to_move;
      sum_up(example, mirror, viewer, own);
      sum_up(example, mirror, 1 - viewer, other);
      const float logit = certainty * (example.known + value_of(own, other));
      const float miss = share * certainty * (logistic(logit) - target(example));
      constant_.slope[0] += miss;
      carry_back(example, mirror, viewer, miss, own_, own);
      carry_back(example, mirror, 1 - viewer, miss, other_, other);
    }
  }

  // `sums` becomes what each unit's sum should have been less.
  void carry_back(const NetworkExamples::One& example, const std::vector<std::uint16_t>& mirror, int viewer,
                  float miss, FittedWeights& output, Units& sums) {
    for (std::size_t u = 0; u < units_; ++u) {
      const float a = std::clamp(sums[u], 0.0F, kMostFirst);
      const bool moves = sums[u] > 0 && sums[u] < kMostFirst;
      output.slope[u] += miss * a * a;
      sums[u] = moves ? miss * 2 * a * output.value[u] : 0.0F;
      bias_.slope[u] += sums[u];
    }
    for (std::size_t k = 0; k < example.count; ++k) {
      float* const slopes =
          first_.slope.data() + inputs_.input(viewer, mirror[examples_.things[example.first + k]]) * units_;
      for (std::size_t u = 0; u < units_; ++u) slopes[u] += sums[u];
    }
  }

  void step(double done) { // of all steps, from 0 to 1
    ++steps_;
    const float size = kSmallestStep + (kLargestStep - kSmallestStep) *
                                           static_cast<float>(0.5 * (1 + std::cos(done * std::numbers::pi)));
    const double n = static_cast<double>(steps_);
    const float corrected = size * static_cast<float>(std::sqrt(1 - std::pow(double{kSquares}, n)) /
                                                      (1 - std::pow(double{kSlopes}, n)));
    for (FittedWeights* const weights : {&first_, &bias_, &own_, &other_, &constant_})
      weights->step(size, corrected);
  }

  [[nodiscard]] Network rounded() const {
    const auto whole = [](float value, double one, int most) {
      return static_cast<int>(std::clamp(std::lround(double{value} * one), -long{most}, long{most}));
    };
    constexpr int kMost16 = std::numeric_limits<std::int16_t>::max();
    Network network;
    network.units = inputs_.units();
    network.inputs = inputs_.size();
    for (const float w : first_.value)
      network.first.push_back(static_cast<std::int8_t>(whole(w, Network::kOne, Network::kFull)));
    for (const float w : bias_.value)
      network.bias.push_back(static_cast<std::int16_t>(whole(w, Network::kOne, kMost16)));
    for (const float w : own_.value)
      network.own.push_back(static_cast<std::int16_t>(whole(w, Network::kWeight, kMost16)));
    for (const float w : other_.value)
      network.other.push_back(static_cast<std::int16_t>(whole(w, Network::kWeight, kMost16)));
    network.constant = whole(constant_.value[0], Evaluation::kUnit, 100 * Evaluation::kUnit);
    return network;
  }

  const NetworkInputs& inputs_;
  const NetworkExamples& examples_;
  NetworkFitOptions options_;
  std::size_t units_ = 0;
  std::vector<std::vector<std::uint16_t>> mirrors_; // the first changes nothing
  std::vector<std::uint32_t> learnt_, apart_;
  FittedWeights first_, bias_, own_, other_, constant_;
  std::uint64_t steps_ = 0;
  Random random_;
};

} // namespace

NetworkFit fit_network(const NetworkInputs& inputs, const std::vector<Symmetry>& symmetries,
                       const NetworkExamples& examples, const NetworkFitOptions& options) {
  return Fitter(inputs, symmetries, examples, options).run();
}

} // namespace boardwright::runtime::search
