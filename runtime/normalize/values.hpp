// Rewritings of values of any type and of numbers; folding of what depends on nothing.
#pragma once

#include "runtime/normalize/rewriter.hpp"

namespace boardwright::runtime::normal {

TermId rewritten_any(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_by_kind(Rewriter& rw, TermId id);
TermId rewritten_number(Rewriter& rw, TermId id, const DraftFacts& c);
TermId folded(Rewriter& rw, TermId id);
// Likewise, with steps of the walker that are meant for something else.
TermId folded(Rewriter& rw, TermId id, std::uint64_t& steps);

} // namespace boardwright::runtime::normal
