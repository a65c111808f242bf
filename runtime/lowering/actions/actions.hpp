// Joining actions, and the walker. `act`, which carries out any action, is in recursion.hpp.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstdint>
#include <vector>

namespace boardwright::runtime::lowering {

// Code that is a fault where the walker isn't anywhere; false: it surely isn't.
bool need_here(Context& cx, const AbstractDraft& d, const char* what);
// The part of what comes next that goes from cell to cell and does nothing else, and of which nobody asks
// later which way it took; empty where there is none, or only a single step in one direction.
[[nodiscard]] Actions walk_ahead(const Context& cx, const Todo* todo, const AbstractDraft& d,
                                 const Todo*& rest, std::vector<std::int32_t>& slots, bool asks);

} // namespace boardwright::runtime::lowering
