// Whether it is true what `analyse` says: of positions that are called 90 %, how many are won?
#pragma once

#include "tools/commands/commands.hpp"

namespace boardwright::tools {

// A line for each game: by what was said of the player who is favoured (50 to 60 %, 60 to 70 % …), in how
// many positions, and what share of the points he got; and a line for all of them.
[[nodiscard]] Exit bench_calibration(const std::vector<std::string>& games, const BenchOptions& options,
                                     Console& console);

} // namespace boardwright::tools
