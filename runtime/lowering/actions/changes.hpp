// Actions that change pieces, the state and the notation; how the game ends.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstdint>

namespace boardwright::runtime::lowering {

// Actions on pieces: `lift`, `put`, `remove`, `drop` and so on.
void handle(Context& cx, const Todo* todo, AbstractDraft d);
// Actions on variables, hands, names, and decisions.
void change_position(Context& cx, const Todo* todo, AbstractDraft d);
// A text is written.
void say(Context& cx, NodeId id, AbstractDraft& d);
// A name stands for a value from here on.
void bind_local(Context& cx, std::int32_t slot, Type type, const AbstractValue& v, AbstractDraft& d);
// A name of one of two constant sets of directions: the search goes on with each of them by itself.
bool let_either(Context& cx, const Todo* todo, const AbstractDraft& d);

// A number for how the game has ended, which the code then refers to.
std::int32_t verdict(Context& cx, std::uint32_t winners, std::uint32_t origin, Outcome::By by,
                     int player = 0);
// Has the game been decided, or the mover put out, by what has been carried out so far?
void jump_if_decided(Context& cx, Label to);
// What comes after something that may have decided the game: which of both is a choice of the move.
void act_if_undecided(Context& cx, const Todo* todo, const AbstractDraft& d);
// The end of a turn.
void finish(Context& cx, const AbstractDraft& d);

} // namespace boardwright::runtime::lowering
