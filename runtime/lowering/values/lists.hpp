// What goes through lists and bindings of names.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstdint>
#include <functional>

namespace boardwright::runtime::lowering {

// Code for every way to bind the names from `generator` on for which the condition holds.
void each_binding(Context& cx, NodeId id, std::uint32_t generator, AbstractDraft& d,
                  const std::function<void(AbstractDraft&)>& bound);
// `sum … for`; and `least … for`, `greatest … for`: the best so far, and whether there was any.
AbstractValue total_for(Context& cx, NodeId id, AbstractDraft& d);
AbstractValue extreme_for(Context& cx, NodeId id, AbstractDraft& d);
// The union of the sets of a list that is made for it: nobody else sees the list, so none is kept.
AbstractValue union_for(Context& cx, NodeId list, AbstractDraft& d);
// The first or last member of a list. One that has none leaves the register as it is.
AbstractValue end_of_list(Context& cx, NodeId id, AbstractDraft& d);

} // namespace boardwright::runtime::lowering
