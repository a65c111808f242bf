// Conditions in normal form, and the rewritings that bring them there.
#pragma once

#include "runtime/normalize/rewriter.hpp"

namespace boardwright::runtime::normal {

using Places = std::vector<std::pair<TermId, int>>; // values of one cell, and which cells they may be

TermId negation(Rewriter& rw, TermId id, const DraftFacts& c);
TermId all_of(Rewriter& rw, Terms kids, const DraftFacts& c, std::uint32_t origin);
TermId any_of(Rewriter& rw, Terms kids, const DraftFacts& c, std::uint32_t origin);
TermId some(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_truth(Rewriter& rw, TermId id, const DraftFacts& c);
[[nodiscard]] bool goes_by_coordinates(const Rewriter& rw, TermId id, Places& of);
[[nodiscard]] std::optional<bool> compared(const Rewriter& rw, TermId id, const Places& places);
[[nodiscard]] bool only_walks(const Rewriter& rw, TermId id);
TermId joined(Rewriter& rw, Op op, Terms kids, const DraftFacts& c, std::uint32_t origin);

} // namespace boardwright::runtime::normal
