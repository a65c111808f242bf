// Where the walker stood when a rule went wrong.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <cstdint>
#include <optional>

namespace boardwright::runtime {

// The action that had no outcome last before a fault, and the cell that it was carried out on (kNowhere: on
// none).
struct StoppedAt {
  NodeId action = kNoNode;
  int here = kNowhere;
};

// Nothing where the walker goes through the turn without a fault, or no action failed before it.
[[nodiscard]] std::optional<StoppedAt> stopped_before_fault(const Program& program, const Position& position,
                                                            std::uint64_t most_steps);

} // namespace boardwright::runtime
