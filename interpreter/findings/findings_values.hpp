// What random games show of variables, numbers of pieces, and pieces that the rules can't do without.
#pragma once

#include "interpreter/findings/surveyed.hpp"

namespace boardwright::interpreter {

// Variables that never changed, numbers of pieces that were far from what a rule asks for, single pieces that
// were lost though conditions ask for them.
void report_values(const Surveyed& in, dsl::Diagnostics& out);

} // namespace boardwright::interpreter
