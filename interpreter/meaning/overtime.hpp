// The one variable of the state that no rule sets.
#pragma once

#include <string_view>

namespace boardwright::interpreter {

// Where `state` has a truth of this name, whoever keeps a clock sets it when the player to move has run out
// of time, and `end` says what that means.
inline constexpr std::string_view kOvertime = "overtime";

} // namespace boardwright::interpreter
