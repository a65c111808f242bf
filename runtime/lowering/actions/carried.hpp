// Pieces of a stack that is spread: while moves are searched it is enough to count those carried, as long
// as nothing asks what lies where some have been lifted or laid down. carried.cpp tells what that rests on.
#pragma once

#include "runtime/lowering/context.hpp"

namespace boardwright::runtime::lowering {

// Is everything that comes such an action, but what is deferred to the move that is played?
[[nodiscard]] bool may_only_count(const Context& cx, const Todo* todo, const AbstractDraft& d);
// Asked of every action that is searched so; where it isn't one all is recompiled without this.
bool goes_on_counting(Context& cx, const Todo* todo, const AbstractDraft& d);
void give_up_counting(Context& cx);
// `lift`, `put`, a step of the walker.
void lift_counted(Context& cx, const Todo* todo, AbstractDraft d, Label past);
void put_counted(Context& cx, const Todo* todo, AbstractDraft d);
void step_counted(int step, AbstractDraft& d);
// May it be asked where the walker is?
bool can_test_counted(Context& cx, NodeId tested, const AbstractDraft& d);
// Where an action can't be got through with nothing carried that is asked before all else.
void ask_carried(Context& cx, NodeId action, const AbstractDraft& d, Label none);
// The direction in which a repetition goes, where it is the first that goes anywhere: its rounds go on in it.
void find_line(const Context& cx, NodeId body, AbstractDraft& d);

} // namespace boardwright::runtime::lowering
