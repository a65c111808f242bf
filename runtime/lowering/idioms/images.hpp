// Formations: sets of cells that a map takes elsewhere, all at once.
#pragma once

#include "runtime/lowering/context.hpp"

namespace boardwright::runtime::lowering {

// Where a map takes the cells of a set.
Reg image(Context& cx, Reg of, NodeId map, AbstractDraft& d);
// A condition holds: it may have been asked whether a set fits a map.
void note_fits(const Context& cx, NodeId condition, AbstractDraft& d);
// `move S by m` can't fail: it has been asked whether all cells of S have places.
[[nodiscard]] bool surely_fits(const Context& cx, NodeId move, const AbstractDraft& d);
// What is required behind a choice and doesn't depend on it is asked before; and of cells only those are
// taken that fit. Conditions that hold then aren't asked again.
AbstractValue narrowed(Context& cx, const Todo* todo, AbstractValue from, Label fail, AbstractDraft& d);
// `move S by m`, conditions, and nothing more that could fail: they are asked of the sets that would be.
bool ask_as_if_moved(Context& cx, const Todo* todo, const AbstractDraft& d);

} // namespace boardwright::runtime::lowering
