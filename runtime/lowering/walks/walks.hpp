// Walks as sets of cells; `image` and `preimage` are in recursion.hpp.
#pragma once

#include "runtime/lowering/context.hpp"

namespace boardwright::runtime::lowering {

// `reach`: all cells where a walk ends.
Val reach(Context& cx, NodeId id, Draft& d);
// Where actions lead, by trying every way from every cell.
Reg searched(Context& cx, const Steps& actions, const Val& from, Draft& d);

} // namespace boardwright::runtime::lowering
