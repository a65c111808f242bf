// The Wilson score interval of a share.
#pragma once

#include <cstdint>

namespace boardwright::tools {

struct Interval {
  double low = 0, high = 1;
};

// Where, with 95 % confidence, the true share of something lies that happened `hits` times in `trials`.
// Unlike the usual normal interval it stays within 0 and 1 and is honest for shares near them. No trials:
// anything.
[[nodiscard]] Interval wilson(std::uint64_t hits, std::uint64_t trials);

} // namespace boardwright::tools
