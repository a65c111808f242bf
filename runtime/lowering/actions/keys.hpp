// Moves that must be compared are compared by keys of what is written, as long as no two have the same one.
// keys.cpp tells why different keys are different notations.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstdint>

namespace boardwright::runtime::lowering {

// Is it worth trying? Not where alternatives are told from themselves, and compared with others only in the
// few positions that have both.
[[nodiscard]] bool may_key(const Context& cx);
// Something is written that can't be in a key: all is recompiled without keys.
void no_keys(Context& cx);
// The register of what has been written so far.
[[nodiscard]] inline Reg key_of(const Context& cx, const AbstractDraft& d) {
  return d.move_key.key == 0 ? cx.no_cells : d.move_key.key;
}

// What goes into the key: a cell that is left, one where something is put, a pass, a text.
void key_from(Context& cx, const AbstractValue& cell, AbstractDraft& d);
void key_put(Context& cx, AbstractDraft& d);
void key_pass(Context& cx, AbstractDraft& d);
void key_say(Context& cx, NodeId id, AbstractDraft& d);
// Before an action is followed: what it may take off, and what can't be in a key.
void key_action(Context& cx, NodeId id, AbstractDraft& d);
// Is all that comes deferred to the move that is played? Only what has left may be written by it.
[[nodiscard]] bool tells_nothing(const Context& cx, const Todo* todo);
// All cells of a set are moves, if each is written as it is chosen, in texts that are the same for all. What
// comes before it must be told apart: that is the key.
bool key_open(Context& cx, const AbstractValue& from, std::int32_t slot, const Todo* after,
              const AbstractDraft& d, const AbstractDraft& e);
// The shapes of all moves of a player are known: could two keys be one notation?
void compare_shapes(Context& cx);

} // namespace boardwright::runtime::lowering
