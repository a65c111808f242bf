#include "tools/evaluate/estimates.hpp"

#include "runtime/model/random.hpp"
#include "tools/games/wilson.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace boardwright::tools {
namespace {

constexpr std::size_t kResamples = 1000;

// The middle 95 % of what was drawn.
Estimate middle_of(double value, std::vector<double> drawn) {
  std::sort(drawn.begin(), drawn.end());
  const std::size_t cut = drawn.size() / 40;
  return {value, drawn[cut], drawn[drawn.size() - 1 - cut]};
}

double ratio_of_sums(double above, double below) { return below == 0 ? 0 : above / below; }

} // namespace

std::optional<Estimate> share_estimate(std::uint64_t hits, std::uint64_t trials) {
  if (trials == 0) return std::nullopt;
  const Interval interval = wilson(hits, trials);
  return Estimate{static_cast<double>(hits) / static_cast<double>(trials), interval.low, interval.high};
}

std::optional<Estimate> points_estimate(const std::vector<double>& points) {
  if (points.empty()) return std::nullopt;
  const double n = static_cast<double>(points.size());
  const double mean = std::accumulate(points.begin(), points.end(), 0.0) / n;
  double squares = 0;
  for (const double p : points) squares += (p - mean) * (p - mean);
  // Games that are all alike say nothing about the variance: then each counts as one that is won or lost.
  const double error = n > 1 ? squares / (n - 1) / n : 0;
  const double trials = std::max(error > 0 ? mean * (1 - mean) / error : n, 1.0);
  constexpr double z = 1.959963984540054; // the normal distribution's 97.5 % quantile
  const double scale = 1 + z * z / trials, middle = (mean + z * z / (2 * trials)) / scale;
  const double reach = z * std::sqrt(mean * (1 - mean) / trials + z * z / (4 * trials * trials)) / scale;
  return Estimate{mean, std::max(0.0, middle - reach), std::min(1.0, middle + reach)};
}

std::optional<Estimate> bootstrap_ratio(const Ratios& ratios) {
  if (ratios.size() < 2) return std::nullopt;
  double above = 0, below = 0;
  for (const auto& [a, b] : ratios) above += a, below += b;
  if (below == 0) return std::nullopt;
  runtime::Random random(runtime::mix(1));
  std::vector<double> drawn;
  for (std::size_t k = 0; k < kResamples; ++k) {
    double a = 0, b = 0;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      const auto& one = ratios[random.below(ratios.size())];
      a += one.first, b += one.second;
    }
    drawn.push_back(ratio_of_sums(a, b));
  }
  return middle_of(ratio_of_sums(above, below), std::move(drawn));
}

std::optional<Estimate> bootstrap_points(const std::vector<Points>& lists,
                                         const std::function<double(const std::vector<Points>&)>& number) {
  if (lists.empty()) return std::nullopt;
  for (const Points& list : lists)
    if (list.size() < 2) return std::nullopt;
  runtime::Random random(runtime::mix(1));
  std::vector<double> drawn;
  std::vector<Points> again = lists;
  for (std::size_t k = 0; k < kResamples; ++k) {
    for (std::size_t l = 0; l < lists.size(); ++l)
      for (double& point : again[l]) point = lists[l][random.below(lists[l].size())];
    drawn.push_back(number(again));
  }
  return middle_of(number(lists), std::move(drawn));
}

} // namespace boardwright::tools
