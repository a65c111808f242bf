// What depends on nothing but one or two cells, and tables of sets: worked out once and looked up from then
// on.
#pragma once

#include "runtime/lowering/context.hpp"

#include <functional>
#include <optional>

namespace boardwright::runtime::lowering {

// The set that `make` works out, from a memo where that is worth it.
Reg remembered(Context& cx, NodeId id, const AbstractDraft& d, const std::function<Reg()>& make);
// What goes by nothing but one cell, from a table.
std::optional<AbstractValue> from_table(Context& cx, NodeId id, const AbstractDraft& d);
// A join of sets of which one is a memo is a memo itself.
std::optional<Reg> cached_whole(Context& cx, NodeId id, AbstractDraft& d);
// A file or a rank; that of a cell is looked up.
Reg in_line(Context& cx, NodeId id, AbstractDraft& d);
// Straight on from a cell by a number of steps that is known in play: (go d, at S){n}, (go d, at S){0 .. n}.
std::optional<Reg> straight_by_number(Context& cx, const Path& star, const AbstractValue& from,
                                      AbstractDraft& d);

} // namespace boardwright::runtime::lowering
