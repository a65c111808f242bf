// The arithmetic of the language, for the engines that are compared with the walker (which has its own).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace boardwright::runtime {

[[nodiscard]] inline std::int32_t saturated(std::int64_t n) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(n, std::numeric_limits<std::int32_t>::min(),
                                                            std::numeric_limits<std::int32_t>::max()));
}
[[nodiscard]] inline std::int64_t divided(std::int64_t a, std::int64_t b) { // rounded down
  if (b == 0) return 0;
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
[[nodiscard]] inline std::int64_t remainder(std::int64_t a, std::int64_t b) {
  return b == 0 ? 0 : a - b * divided(a, b);
}

} // namespace boardwright::runtime
