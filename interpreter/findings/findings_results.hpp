// What the results of random games show: at what lines they end, and too early; where no piece ever was.
#pragma once

#include "interpreter/findings/surveyed.hpp"

namespace boardwright::interpreter {

// Lines by which whoever moved last lost, games that are won by a first move, ranks and files without a
// piece.
void report_results(const Surveyed& in, dsl::Diagnostics& out);

// Positions that come again and again, where no rule asks for it.
void report_circles(const Surveyed& in, dsl::Diagnostics& out);

} // namespace boardwright::interpreter
