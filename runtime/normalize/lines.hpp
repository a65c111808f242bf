// Rewritings of straight lines: walks in all directions, and what lies between a cell and another in line
// with it.
#pragma once

#include "runtime/normalize/rewriter.hpp"

namespace boardwright::runtime::normal {

bool slide_to_end(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before,
                  const std::vector<std::uint16_t>& live);
TermId union_of_walks(Rewriter& rw, TermId id, const DraftFacts& c);
bool choose_end_of_line(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
bool run_to_goal(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
TermId union_of_lines(Rewriter& rw, TermId id, const DraftFacts& c);

} // namespace boardwright::runtime::normal
