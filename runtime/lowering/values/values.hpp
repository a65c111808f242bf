// Values of every type, beside those that recursion.hpp has for everybody.
#pragma once

#include "runtime/lowering/context.hpp"

namespace boardwright::runtime::lowering {

// A value that stays as it is when the state changes.
AbstractValue bound(Context& cx, NodeId id, AbstractDraft& d);
// What may be on the cells of a value, which isn't worked out. Only without a mailbox it matters while a move
// is played: then what is lifted must be known.
Contents contents_of(Context& cx, NodeId id, const AbstractDraft& d);
// Any cells, of which it is known that they are of this value.
AbstractValue somewhere_in(Context& cx, NodeId id, const AbstractDraft& d);
// The members for which a condition holds, one after the other.
AbstractValue selected(Context& cx, NodeId id, AbstractDraft& d);

// 0 where cells are empty, else by the kind on top of the first of them, from 1 on.
Reg row_of_kind(Context& cx, NodeId cells, AbstractDraft& d);

// ---- directions.cpp

// Directions, as constant steps wherever they are known.
AbstractValue directions(Context& cx, NodeId id, AbstractDraft& d);
// Lists, in boxes.
AbstractValue list(Context& cx, NodeId id, AbstractDraft& d);
// Maps, as lists of a cell for each cell.
AbstractValue map(Context& cx, NodeId id, AbstractDraft& d);

} // namespace boardwright::runtime::lowering
