// Truths: code that goes on in one of two places. `jump` is in recursion.hpp.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstdint>
#include <functional>

namespace boardwright::runtime::lowering {

// Is a step among the directions that a value is? Goes to the label if that is `when`.
void jump_step(Context& cx, NodeId id, int step, bool when, Label to, AbstractDraft& d);
// Has the player been put out? Asked anew each time: it may have been just now.
void jump_if_out(Context& cx, int player, Label to);
// Is it better to ask a condition of all members at once than of one after the other? Few are soon asked,
// unless it is walked among them; so are groups of cells beside the walker, but not those of all cells.
[[nodiscard]] bool asked_at_once(const Context& cx, NodeId of, NodeId condition);
// Code for every member of a value: `body` gets it, and may go to the label behind it.
void each_member(Context& cx, NodeId of, AbstractDraft& d,
                 const std::function<void(AbstractValue member, Label next)>& body);
// The members of a value, without those for which a condition surely fails: of several conditions those that
// go by a walk are asked of all members at once, where they can be.
AbstractValue candidates(Context& cx, NodeId of, std::int32_t slot, NodeId condition, AbstractDraft& d);
// Is it a short list of numbers, kinds or players that are constants, each another one?
bool has_known_members(const Context& cx, NodeId of);
// Code for every member of a short list of constants, one after the other. False: it is none, and there is no
// code.
bool each_known(Context& cx, NodeId of, AbstractDraft& d,
                const std::function<void(AbstractValue, Label)>& body);
// Code for every member for which a condition may hold, in an evaluation that changes nothing.
void each_candidate(Context& cx, NodeId of, std::int32_t slot, NodeId condition, AbstractDraft& d,
                    const std::function<void(AbstractValue member, Label next)>& body);

} // namespace boardwright::runtime::lowering
