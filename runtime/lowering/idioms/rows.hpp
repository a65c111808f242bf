// How many cells are in line with a cell, compared with a number.
#pragma once

#include "runtime/lowering/context.hpp"

#include <optional>

namespace boardwright::runtime::lowering {

// Goes to the label if a condition of rows is `when`; false where it is another condition.
bool jump_rows(Context& cx, NodeId id, bool when, Label to, AbstractDraft& d);
// The members of a set for which a comparison of the row through them holds, each as the walker's cell;
// nothing where it is another condition.
std::optional<Reg> where_row(Context& cx, NodeId id, Reg members, AbstractDraft& d);

} // namespace boardwright::runtime::lowering
