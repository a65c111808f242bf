// Parts of the rules that had the same answer in all random games, or that these never came to.
#pragma once

#include "interpreter/findings/surveyed.hpp"

namespace boardwright::interpreter {

// Conditions that never held or always did, that held only of nothing, alternatives that were never tried,
// bodies by kind or player that were never used.
void report_parts(const Surveyed& in, dsl::Diagnostics& out);

} // namespace boardwright::interpreter
