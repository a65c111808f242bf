// Members of a set that can't pass a condition, left out before it is asked of each.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstdint>

namespace boardwright::runtime::lowering {

// The value of a set that a name is bound to member by member, without those for which the condition surely
// fails.
AbstractValue members(Context& cx, NodeId of, std::int32_t slot, NodeId condition, AbstractDraft& d);

} // namespace boardwright::runtime::lowering
