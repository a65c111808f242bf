// How fast a search goes from position to position.
#pragma once

#include "runtime/game/rules.hpp"

#include <tl/expected.hpp>

#include <memory>

namespace boardwright::tools {

// Visits positions the way a full-width search does, through the same calls that an embedding program has:
// each is asked for its outcome, those above the last depth for their moves, each of which is played and
// taken back. Goes on for so many seconds of CPU time, from positions of a random game that is always the
// same, four plies deep. Gives positions per second; 0 where the user interrupts at once.
[[nodiscard]] tl::expected<double, runtime::Fault>
measured_search_rate(const std::shared_ptr<const runtime::Rules>& rules, double seconds);

} // namespace boardwright::tools
