// Sets made of whole groups: all that a condition leaves is found at once, without going through the groups.
#pragma once

#include "runtime/normalize/rewriter.hpp"

namespace boardwright::runtime::normal {

TermId union_of_groups(Rewriter& rw, TermId id, const DraftFacts& c);

} // namespace boardwright::runtime::normal
