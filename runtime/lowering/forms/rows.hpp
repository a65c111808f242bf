// How many cells are in line with a cell, compared with a number.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstdint>
#include <optional>

namespace boardwright::runtime::lowering {

// Goes to the label if a condition of rows is `when`; false where it is another condition.
bool jump_rows(Context& cx, NodeId id, bool when, Label to, Draft& d);
// The cells, among `members`, for which a condition of rows holds; nothing where it is another.
std::optional<Reg> where_rows(Context& cx, NodeId id, std::int32_t slot, Reg members, Draft& d);
// Members of a set of cells for which a condition of rows holds.
std::optional<Reg> selected_rows(Context& cx, NodeId of, std::int32_t slot, NodeId condition, Draft& d);

} // namespace boardwright::runtime::lowering
