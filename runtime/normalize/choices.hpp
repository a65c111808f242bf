// Rewritings of choices: of a cell to start from or to go to, and of a direction. Each looks for its shape in
// a sequence and answers whether it has changed it.
#pragma once

#include "runtime/normalize/rewriter.hpp"

namespace boardwright::runtime::normal {

bool choose_later(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
bool choose_and_go(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
bool name_heading(Rewriter& rw, Terms& items);
bool choose_place(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before,
                  const std::vector<std::uint16_t>& live);
bool split_ways(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
bool split_walks(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
bool choose_only(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
bool narrow_choice(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
bool split_choice(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
TermId copy_of(Rewriter& rw, TermId id);

} // namespace boardwright::runtime::normal
