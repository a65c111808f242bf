// How a game ended, for programs.
#pragma once

#include "runtime/model/shares.hpp"
#include "tools/console/json.hpp"
#include "tools/games/game_choice.hpp"

namespace boardwright::tools {

// {"White": 0.25, "Black": 0.75}
[[nodiscard]] Json shares_json(const runtime::Program& program, runtime::Result result);
// Who has won and by what; `shares` too where the point is divided, and then the winners have the most of it.
[[nodiscard]] Json outcome_json(const interpreter::Loaded& loaded, const runtime::Outcome& outcome);

} // namespace boardwright::tools
