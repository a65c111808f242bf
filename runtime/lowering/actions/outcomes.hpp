// Actions that ask what outcomes another has.
#pragma once

#include "runtime/lowering/context.hpp"

namespace boardwright::runtime::lowering {

// The first of some that has an outcome.
void otherwise(Context& cx, const Todo* todo, const AbstractDraft& d);
// The outcomes with the greatest value: it is worked out for all first, if each of them isn't a move.
void most(Context& cx, const Todo* todo, const AbstractDraft& d);
// Of equal outcomes the one with the best notation: all are noted first.
void distinct(Context& cx, const Todo* todo, const AbstractDraft& d);
// An action that writes nothing.
void quietly(Context& cx, const Todo* todo, const AbstractDraft& d);
// Every member in turn. What is done must have one outcome; where that can't be seen it is counted. What is
// decided for one member passes those behind it.
void each(Context& cx, const Todo* todo, AbstractDraft d);

} // namespace boardwright::runtime::lowering
