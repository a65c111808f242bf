#include "tools/match/match_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace boardwright::tools {

namespace {

// How often the test may be wrong, either way.
constexpr double kError = 0.05;
// Of results made up, for each of the five kinds: one pair together.
constexpr double kMadeUp = 0.2;

struct Moments {
  double pairs = 0, mean = 0, variance = 0; // of the score of a pair, from 0 to 1
};

Moments moments_of(const Pairs& pairs, const OddPairs& odd, double more) {
  Moments m;
  const auto each = [&](const auto& count) {
    for (std::size_t k = 0; k < pairs.size(); ++k)
      count(static_cast<double>(k) / 4, static_cast<double>(pairs[k]) + more);
    for (const auto& [points, number] : odd) count(points / 2, static_cast<double>(number));
  };
  each([&m](double score, double n) {
    m.pairs += n;
    m.mean += n * score;
  });
  if (m.pairs <= 0) return m;
  m.mean /= m.pairs;
  each([&m](double score, double n) {
    const double apart = score - m.mean;
    m.variance += n * apart * apart;
  });
  m.variance /= m.pairs;
  return m;
}

// Wilson's interval of a share that was seen in so many trials, which need not be whole.
Estimate wilson_interval(double share, double trials) {
  constexpr double z = 1.959963984540054; // the normal distribution's 97.5 % quantile
  const double scale = 1 + z * z / trials;
  const double middle = (share + z * z / (2 * trials)) / scale;
  const double reach = z * std::sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / scale;
  // All lost, or all won: there the interval ends, but for what rounding leaves.
  return {share, share <= 0 ? 0 : std::max(0.0, middle - reach),
          share >= 1 ? 1 : std::min(1.0, middle + reach)};
}

} // namespace

Estimate score_of_pairs(const Pairs& pairs, const OddPairs& odd) {
  const Moments m = moments_of(pairs, odd, 0);
  if (m.pairs <= 0) return {0.5, 0, 1};
  // A single pair, or pairs that are all alike, say nothing about the variance: then each counts as one game.
  const double error = m.pairs > 1 ? m.variance / (m.pairs - 1) : 0;
  const double trials = error > 0 ? m.mean * (1 - m.mean) / error : m.pairs;
  return wilson_interval(m.mean, std::max(trials, 1.0));
}

double elo_of_score(double score) {
  if (score <= 0) return -std::numeric_limits<double>::infinity();
  if (score >= 1) return std::numeric_limits<double>::infinity();
  return -400 * std::log10(1 / score - 1);
}

double score_of_elo(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

double log_likelihood_ratio(const Pairs& pairs, const Sprt& sprt, const OddPairs& odd) {
  const Moments m = moments_of(pairs, odd, kMadeUp);
  const double low = score_of_elo(sprt.low), high = score_of_elo(sprt.high);
  const double real = m.pairs - static_cast<double>(pairs.size()) * kMadeUp;
  return real * (high - low) * (2 * m.mean - low - high) / (2 * m.variance);
}

double sprt_bound() { return std::log((1 - kError) / kError); }

Verdict verdict_of(const Pairs& pairs, const Sprt& sprt, const OddPairs& odd) {
  const double ratio = log_likelihood_ratio(pairs, sprt, odd);
  return ratio >= sprt_bound() ? Verdict::high : ratio <= -sprt_bound() ? Verdict::low : Verdict::unknown;
}

} // namespace boardwright::tools
