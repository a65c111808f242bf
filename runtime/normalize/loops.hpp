// Rewritings of repetition.
#pragma once

#include "runtime/normalize/rewriter.hpp"

namespace boardwright::runtime::normal {

TermId rewritten_repeat(Rewriter& rw, TermId id, const DraftFacts& c);
bool join_loops(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);

} // namespace boardwright::runtime::normal
