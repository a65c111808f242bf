// Whether it is true what `analyse` says: of positions that are called 90 %, how many are won?
#pragma once

#include "interpreter/load.hpp"
#include "tools/console/console.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace boardwright::tools {

struct BenchOptions {
  std::vector<std::string> games; // none: all bundled ones
  interpreter::Settings settings;
  double seconds = 1; // of CPU time for the playouts of a game, and as much for counting moves
  bool asked = false; // for so many seconds: then steps don't count
  int threads = 1;
  bool native = true;
  std::uint64_t calibration = 0; // instead: so many games to see whether what `analyse` says comes true
  bool json = false;
};

// A line for each game: by what was said of the player who is favoured (50 to 60 %, 60 to 70 % …), in how
// many positions, and what share of the points he got; and a line for all of them.
[[nodiscard]] Exit bench_calibration(const std::vector<std::string>& games, const BenchOptions& options,
                                     Console& console);

} // namespace boardwright::tools
