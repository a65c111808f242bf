// Connected parts of sets, which go on from what has been found of them before.
#pragma once

#include "runtime/lowering/context.hpp"

#include <functional>
#include <optional>

namespace boardwright::runtime::lowering {

// `groups(S, D)`: of each cell of S the part of S that is connected with it.
std::optional<Group> all_groups(Context& cx, NodeId list, AbstractDraft& d);
// Code for every group of a set, in the order of their first cells. Each is found once, from a cell that is
// in none of those before.
void each_group(Context& cx, const Group& all,
                const std::function<void(AbstractValue part, Label next)>& body);
// A `reach` that is a group: what is known already, or all that is connected with cells of a constant set.
std::optional<Reg> cached_group(Context& cx, NodeId id, AbstractDraft& d);
// All of `through` that is connected with the seeds, kept from one question to the next.
Reg grown(Context& cx, Reg seeds, const StepSet& steps, Reg through);
// `some g in groups(S, D) where …`, or `some c in S where …`, where c matters only by its group. Groups of
// the set that was asked before are not asked again: those that have no new cell are the same.
bool jump_some_group(Context& cx, const Node& n, bool when, Label to, AbstractDraft& d);

} // namespace boardwright::runtime::lowering
