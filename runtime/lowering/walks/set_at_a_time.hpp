// Moves of all walkers at once, set at a time: as long as what is done is the same for all of them, and what
// is asked can be said of all cells together. set_at_a_time.cpp tells what that may rest on.
#pragma once

#include "runtime/lowering/context.hpp"
#include "runtime/lowering/walks/walkers.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace boardwright::runtime::lowering {

// ---- set_at_a_time.cpp: what is done

// Moves of all walkers that begin on a set of cells; false where it isn't tried.
bool begin_set_at_a_time(Context& cx, const Todo* todo, const AbstractValue& from, const AbstractDraft& d);
// An action of all of them, and all that comes after it.
void act_set_at_a_time(Context& cx, const Todo* todo, Walkers w, AbstractDraft d);
// From here on each by itself.
void one_by_one(Context& cx, const Todo* todo, Walkers w, AbstractDraft d);
// For continuations, which get the walkers as a pointer. If there are any, the answer is yes; or that is
// noted.
void ask_set_at_a_time(Context& cx, const void* walkers, Reg stack, Label found,
                       std::vector<std::size_t>& cuts);
void note_any_set_at_a_time(Context& cx, const void* walkers, Reg any, const Todo* after, AbstractDraft d);

// ---- set_notes.cpp: what is only noted

// What only sets a variable, or says that the mover goes on, is left for later: nothing that comes next asks.
void set_set_at_a_time(Context& cx, const Todo* todo, Walkers w, AbstractDraft d);
// A member of a constant list: each in code of its own.
bool choose_constant_set_at_a_time(Context& cx, const Todo* todo, const Walkers& w, const AbstractDraft& d);

// ---- set_questions.cpp: what is asked

// The cells for whose walkers a condition holds.
std::optional<Reg> where_holds(Context& cx, NodeId id, const Walkers& w, AbstractDraft& d);
// Among which cells' directions is a step?
std::optional<Reg> where_step(Context& cx, NodeId id, int step, const Walkers& w, AbstractDraft& d);
// The cell where they are hasn't changed.
[[nodiscard]] bool untouched(const Walkers& w);
// Is the walker's cell in a set? Where pieces have changed the set must go by what lies there.
[[nodiscard]] bool can_ask(const Context& cx, NodeId tested, const Walkers& w);
// Is it the cell where the walker is?
[[nodiscard]] bool is_walker_cell(const Context& cx, NodeId id);
// Do names of what goes by where the walker is mean what they would mean of its cell now? They do as long as
// it hasn't moved on.
[[nodiscard]] bool names_at_hand(const Context& cx, NodeId id, const Walkers& w);

// ---- set_sure.cpp: conditions behind a piece that comes

// The walkers who surely get through what comes, once a piece of this code has come on their cells; all
// behind the last condition is deferred to the move that is played. `exact`: the others surely don't.
// Nothing: neither can be said.
std::optional<Reg> who_surely_goes_on(Context& cx, const Todo* todo, const Walkers& w, int code,
                                      AbstractDraft d, bool& exact);

// ---- set_members.cpp: members of a set as walkers that stand where they are

// The members of a set of cells, which a slot stands for, for which a condition holds.
std::optional<Reg> members_where(Context& cx, NodeId condition, std::int32_t slot, const AbstractValue& from,
                                 const AbstractDraft& d);
// Who could carry out an action that begins where the walker is?
std::optional<Reg> where_can(Context& cx, NodeId action, const Walkers& w, const AbstractDraft& d);
} // namespace boardwright::runtime::lowering
