// Positions that are set up by hand: what can be put down, what a page shows of them, and a test of one.
#pragma once

#include "interpreter/load.hpp"
#include "interpreter/look/look.hpp"
#include "tools/console/json.hpp"

#include <string>

namespace boardwright::tools {

// The pieces that have letters, each with a picture of its own; the hands whose pieces are counted; the
// players, of whom one is to move; the values that pieces carry, which go with them.
[[nodiscard]] Json palette_view(const interpreter::Loaded& loaded, const interpreter::Look& look);

// A position as read_position takes it: its picture and cells, itself as JSON, and what the rules say of it,
// moves or an outcome. It may be no position of the game: then `error` says why.
[[nodiscard]] Json arranged_view(const interpreter::Loaded& loaded, const interpreter::Look& look,
                                 const std::string& position, bool flipped);

// An entry of `tests:`, indented as such: the position, and the moves or the outcome that the rules give
// there. `settings` are those that the rules were loaded with. `error` where there is none.
[[nodiscard]] Json test_of(const interpreter::Loaded& loaded, const interpreter::Settings& settings,
                           const std::string& position, const std::string& name);

} // namespace boardwright::tools
