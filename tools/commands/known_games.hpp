// All games that can be named.
#pragma once

#include "tools/games/game_index.hpp"

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace boardwright::tools {

// The bundled games and those of BOARDWRIGHT_PATH, by family and name. The index of the bundled ones is
// linked to the program alone: no folder below this one may ask for it.
[[nodiscard]] std::vector<GameEntry> all_entries();

// The name of the game that is called so: its name, or its title, case, blanks and hyphens apart. What names
// no game stays as it is: a path, or a mistake that is told where it is opened. Several games of one title
// are an error, which lists them.
[[nodiscard]] tl::expected<std::string, std::string> game_meant(const std::string& typed);

} // namespace boardwright::tools
