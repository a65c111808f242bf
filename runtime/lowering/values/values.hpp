// Values of every type, beside those that recursion.hpp has for everybody.
#pragma once

#include "runtime/lowering/context.hpp"

namespace boardwright::runtime::lowering {

// A value that stays as it is when the state changes.
Val bound(Context& cx, NodeId id, Draft& d);
// What may be on the cells of a value, which isn't worked out. Only without a mailbox it matters while a move
// is played: then what is lifted must be known.
Contents contents_of(Context& cx, NodeId id, const Draft& d);
// Any cells, of which it is known that they are of this value.
Val somewhere_in(Context& cx, NodeId id, const Draft& d);
// The members for which a condition holds, one after the other.
Val selected(Context& cx, NodeId id, Draft& d);

// 0 where cells are empty, else by the kind on top of the first of them, from 1 on.
Reg row_of_kind(Context& cx, NodeId cells, Draft& d);

// ---- directions.cpp

// Directions, as constant steps wherever they are known.
Val directions(Context& cx, NodeId id, Draft& d);
// Lists, in boxes.
Val list(Context& cx, NodeId id, Draft& d);
// Maps, as lists of a cell for each cell.
Val map(Context& cx, NodeId id, Draft& d);

} // namespace boardwright::runtime::lowering
