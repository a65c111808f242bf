// Rewritings of straight lines: walks in all directions, and what lies between a cell and another in line
// with it.
#pragma once

#include "runtime/normalize/rewriter.hpp"

namespace boardwright::runtime::normal {

bool slide_to_end(Rewriter& rw, Terms& items, const std::vector<Context>& before,
                  const std::vector<std::uint16_t>& live);
TermId union_of_walks(Rewriter& rw, TermId id, const Context& c);
bool choose_end_of_line(Rewriter& rw, Terms& items, const std::vector<Context>& before);
bool run_to_goal(Rewriter& rw, Terms& items, const std::vector<Context>& before);
TermId union_of_lines(Rewriter& rw, TermId id, const Context& c);

} // namespace boardwright::runtime::normal
