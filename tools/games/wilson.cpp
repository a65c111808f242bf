#include "tools/games/wilson.hpp"

#include <algorithm>
#include <cmath>

namespace boardwright::tools {

Interval wilson(std::uint64_t hits, std::uint64_t trials) {
  if (trials == 0) return {};
  constexpr double z = 1.959963984540054; // the normal distribution's 97.5 % quantile
  const double n = static_cast<double>(trials), p = static_cast<double>(hits) / n;
  const double scale = 1 + z * z / n;
  const double middle = (p + z * z / (2 * n)) / scale;
  const double reach = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale;
  return {std::max(0.0, middle - reach), std::min(1.0, middle + reach)};
}

} // namespace boardwright::tools
