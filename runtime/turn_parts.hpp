// A turn of several alternatives, of which some can be counted by slots and the others must be listed.
//
// No move of the one part may be one of the other. Notations tell: each of the listed part must contain a
// character that none of the counted part can contain.
#pragma once

#include "runtime/slots.hpp"

#include <optional>

namespace boardwright::runtime {

struct TurnParts {
  SlotPlan counted;
  NodeId listed = kNoNode; // an action: what the turn is besides
};

// Adds the nodes it needs to `program`. Nothing where the turn has no such parts.
[[nodiscard]] std::optional<TurnParts> plan_parts(Program& program, int player);

} // namespace boardwright::runtime
