// Sets of cells and directions in normal form.
#pragma once

#include "runtime/normalize/rewriter.hpp"

namespace boardwright::runtime::normal {

TermId complement(Rewriter& rw, TermId id, const DraftFacts& c);
TermId unite(Rewriter& rw, Terms kids, const DraftFacts& c, Type type, std::uint32_t origin);
TermId meet(Rewriter& rw, Terms kids, const DraftFacts& c, Type type, std::uint32_t origin);
TermId minus(Rewriter& rw, TermId from, TermId what, const DraftFacts& c);
TermId none(Rewriter& rw, Type type, std::uint32_t origin);
TermId rewritten_set(Rewriter& rw, TermId id, const DraftFacts& c);
[[nodiscard]] bool never_meet(const Rewriter& rw, TermId x, TermId y);
void operands(const Rewriter& rw, TermId id, Op op, Terms& into);
void split_condition(Rewriter& rw, TermId& set, Terms& conditions, std::uint32_t slot, const DraftFacts& c);

} // namespace boardwright::runtime::normal
