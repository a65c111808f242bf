// The rules of a game as a page that can be printed.
#pragma once

#include "tools/english/player_rules.hpp"

#include <string>

namespace boardwright::tools {

// One file that fetches nothing. With the board as it is at the beginning, and for each kind the moves of one
// piece.
[[nodiscard]] std::string rules_page(const interpreter::Loaded& loaded, const runtime::Game& beginning,
                                     const PlayerRules& rules);

} // namespace boardwright::tools
