// Rewritings of what is asked of a cell before the walker is there: asked where he is, every spelling of a
// step is one step and one test. Each looks for its shape in a sequence and answers whether it has changed
// it.
#pragma once

#include "runtime/normalize/rewriter.hpp"

namespace boardwright::runtime::normal {

bool start_first(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
std::optional<TermId> steps_where(Rewriter& rw, TermId set, std::int32_t name, TermId holds);
bool choose_steps(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
bool start_sooner(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
bool lift_first(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);
bool test_there(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before);

} // namespace boardwright::runtime::normal
