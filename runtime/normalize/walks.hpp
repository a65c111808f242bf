// Rewritings of walks: one step of the walker is a step, not a set of cells that a walk of one step reaches.
#pragma once

#include "runtime/normalize/rewriter.hpp"

namespace boardwright::runtime::normal {

bool walk_to(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before,
             const std::vector<std::uint16_t>& live);
bool split_to(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before,
              const std::vector<std::uint16_t>& live);
[[nodiscard]] bool steps_lead_away(const Rewriter& rw);

} // namespace boardwright::runtime::normal
