// All games that can be named.
#pragma once

#include "tools/games/game_index.hpp"

#include <vector>

namespace boardwright::tools {

// The bundled games and those of BOARDWRIGHT_PATH, by family and name. The index of the bundled ones is
// linked to the program alone: no folder below this one may ask for it.
[[nodiscard]] std::vector<GameEntry> all_entries();

} // namespace boardwright::tools
