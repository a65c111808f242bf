// Rewritings of walks: one step of the walker is a step, not a set of cells that a walk of one step reaches.
#pragma once

#include "runtime/normalize/rewriter.hpp"

namespace boardwright::runtime::normal {

bool walk_to(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before,
             const std::vector<std::uint16_t>& live);
bool split_to(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before,
              const std::vector<std::uint16_t>& live);
// `least <= count(S)`, where S is all that a repetition reaches: it is carried on only as far as the question
// goes.
[[nodiscard]] std::optional<TermId> counts_to(Rewriter& rw, std::int32_t least, TermId set,
                                              const DraftFacts& c);
// What a repetition reaches within so many rounds, in the place of all that it reaches.
[[nodiscard]] std::optional<TermId> rounds_of(Rewriter& rw, TermId set, std::int32_t rounds,
                                              const DraftFacts& c);
[[nodiscard]] bool steps_lead_away(const Rewriter& rw);

} // namespace boardwright::runtime::normal
