// Moves that end the game: what `win`, `lose` and `draw` in a turn go by.
#pragma once

#include "interpreter/load.hpp"
#include "tools/english/speaker.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// "A move can end the game: you win if the piece comes to the last row."
[[nodiscard]] std::vector<std::string> endings_by_moves(const interpreter::Loaded& loaded);

// What held where the `win`, `lose` or `draw` at this place decided a game, said of these sides: "the piece
// comes to the last row". Nothing where the conditions on the way to it have no plain words.
[[nodiscard]] Words reason_of_move(const interpreter::Loaded& loaded, dsl::Span place, const Sides& sides);

// What is so where the `require` at this place isn't met, said of these sides: "White is in check". Nothing
// where that has no plain words.
[[nodiscard]] Words what_is_missing(const interpreter::Loaded& loaded, dsl::Span place, const Sides& sides);

} // namespace boardwright::tools
