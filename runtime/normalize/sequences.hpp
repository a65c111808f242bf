// Actions that join others: sequences, alternatives, conditions; and what is known of the items of a
// sequence.
#pragma once

#include "runtime/normalize/rewriter.hpp"

namespace boardwright::runtime::normal {

TermId sequence(Rewriter& rw, TermId id, const DraftFacts& c);
[[nodiscard]] Terms items_of(const Rewriter& rw, TermId id);
TermId sequence_of(Rewriter& rw, Terms items, std::uint32_t origin);
TermId alternatives_of(Rewriter& rw, Terms kids, std::uint32_t origin);
TermId rewritten_alternatives(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_otherwise(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_if_action(Rewriter& rw, TermId id, const DraftFacts& c);
bool rewrite_items(Rewriter& rw, Terms& items, const DraftFacts& c);
void flatten(const Rewriter& rw, Terms& items);
[[nodiscard]] Slots later_than(const Rewriter& rw, const Terms& items, std::size_t i, const DraftFacts& c);
[[nodiscard]] bool is_read_after(const Rewriter& rw, const Terms& items, std::size_t i, std::uint32_t slot,
                                 const DraftFacts& c);
[[nodiscard]] bool is_set_after(const Rewriter& rw, const Terms& items, std::size_t i, std::uint32_t slot);

} // namespace boardwright::runtime::normal
