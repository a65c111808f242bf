// What a page tells players of the rules, as JSON: the words of `boardwright rules`, with pictures.
#pragma once

#include "interpreter/load.hpp"
#include "interpreter/look/look.hpp"
#include "tools/console/json.hpp"

namespace boardwright::tools {

// Texts as `rules` has them (`aim`, `summary`, `moving`, `endings`, …), and the kinds, each with how it moves,
// some example moves, and `svg`: a board with all moves of the piece of the first example; "" without one.
[[nodiscard]] Json player_rules_view(const interpreter::Loaded& loaded, const interpreter::Look& look);

} // namespace boardwright::tools
