// What commands say that have taken all the steps that they may (runtime/model/meter.hpp).
#pragma once

#include "runtime/model/meter.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace boardwright::tools {

// `remedy`: what to do about it.
[[nodiscard]] inline std::string given_up(std::string_view remedy = "") {
  return fmt::format("gave up after {} steps: this is not all that there is to see{}{}\n",
                     runtime::kMaxCommandSteps, remedy.empty() ? "" : "; ", remedy);
}

} // namespace boardwright::tools
