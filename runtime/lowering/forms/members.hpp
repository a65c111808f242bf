// Members of a set that can't pass a condition, left out before it is asked of each.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstdint>

namespace boardwright::runtime::lowering {

// The value of a set that a name is bound to member by member, without those for which the condition surely
// fails. Where it holds of all others it needn't be asked: it is noted as passing.
Val members(Context& cx, NodeId of, std::int32_t slot, NodeId condition, Draft& d);
// Those of a set for which the next name of a list has a value at all, as far as that is seen.
[[nodiscard]] Val givers(Context& cx, NodeId list, std::uint32_t generator, Val from, Draft& d);

} // namespace boardwright::runtime::lowering
