// Results and endings as a player would say them, not as the file writes them.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/model/position.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// "Blue wins: Red can't move"; "Blue wins" where that is all that can be said. With the position in which a
// game of two has ended by their scores: "Blue wins 28 to 20: …".
[[nodiscard]] std::string plain_result(const interpreter::Loaded& loaded, const runtime::Outcome& outcome,
                                       const runtime::Position* last = nullptr);

// All ways in which a game can end, a sentence each: "You lose if you can't move." Lines of `end` without
// plain words stand as the file has them.
[[nodiscard]] std::vector<std::string> plain_endings(const interpreter::Loaded& loaded);

} // namespace boardwright::tools
