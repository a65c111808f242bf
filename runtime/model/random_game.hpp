// How one random game went.
#pragma once

#include "runtime/model/position.hpp"

#include <cstdint>
#include <optional>

namespace boardwright::runtime {

struct Playout {
  std::optional<Outcome> outcome; // nothing: cut off
  std::uint64_t moves = 0;        // legal moves, summed over its plies
  std::uint32_t plies = 0;
};

} // namespace boardwright::runtime
