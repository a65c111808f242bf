// Walks as sets of cells; `image` and `preimage` are in recursion.hpp.
#pragma once

#include "runtime/lowering/context.hpp"

namespace boardwright::runtime::lowering {

// `reach`: all cells where a walk ends.
AbstractValue reach(Context& cx, NodeId id, AbstractDraft& d);
// Where actions lead, by trying every way from every cell.
Reg searched(Context& cx, const Actions& actions, const AbstractValue& from, AbstractDraft& d);

} // namespace boardwright::runtime::lowering
