// Numbers as indices.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boardwright::runtime {

// The index that a number is, which must not be negative: numbers of cells, kinds and registers are signed.
[[nodiscard]] constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

} // namespace boardwright::runtime
