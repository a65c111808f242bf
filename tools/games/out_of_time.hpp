// What it is worth that the player to move has no time left.
#pragma once

#include "runtime/game/game.hpp"

#include <memory>
#include <optional>

namespace boardwright::tools {

// What the rules say of it, if they ask for `overtime`. Where they say nothing he has lost, if two play; of
// more than two nobody knows.
[[nodiscard]] std::optional<runtime::Outcome>
outcome_out_of_time(const std::shared_ptr<const runtime::Rules>& rules, runtime::Position position);

} // namespace boardwright::tools
