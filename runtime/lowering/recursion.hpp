// What folders call that stand below them: values ask conditions, conditions try actions, actions ask values,
// and idioms, which stand above all of these, have code for parts of each.
//
// Each function is defined where the comment says. Whoever stands above its folder includes this header, and
// so does the file that defines it; nobody else's functions belong here.
#pragma once

#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"

#include <cstddef>
#include <functional>
#include <optional>

namespace boardwright::runtime::lowering {

// ---- values: the code of what is asked (values/values.cpp, values/truths.cpp)

// The value of a node, whatever its type.
AbstractValue value(Context& cx, NodeId id, AbstractDraft& d);
// Likewise as a register: a number (or truth, kind, player), one cell (-1 for none), a set, a box.
Reg number(Context& cx, NodeId id, AbstractDraft& d);
Reg cell(Context& cx, NodeId id, AbstractDraft& d);
inline Reg set(Context& cx, NodeId id, AbstractDraft& d) { return set_of(cx, value(cx, id, d)); }
inline Reg box(Context& cx, NodeId id, AbstractDraft& d) { return box_of(cx, value(cx, id, d)); }
// Goes to the label if the truth is `when`, else on.
void jump(Context& cx, NodeId id, bool when, Label to, AbstractDraft& d);
// A set of the state (idioms/images.cpp): as it would be, while it is asked what would be.
Reg as_seen(Context& cx, Reg state);

// ---- walks: cells from cells (walks/)

// Where a walk leads from a cell or the cells of a set, and from where it leads to one; nothing where that
// can't be said as a set.
std::optional<Reg> image(Context& cx, const Path& walk, const AbstractValue& from, AbstractDraft& d);
std::optional<Reg> preimage(Context& cx, const Path& walk, const AbstractValue& ends, AbstractDraft& d);
// The cells that a round of a walk may enter: all its tests hold there.
Reg through(Context& cx, const Round& r, AbstractDraft& d);
// The cells from where walkers may get through what comes next: no other one does. `changed`: pieces have
// changed where the walker is; `laden`: it carries something.
Reg could_begin(Context& cx, const Todo* todo, const AbstractDraft& d, bool changed, bool laden = false);
// Is it bound to one value that stays, whatever of the state has changed?
[[nodiscard]] bool known_everywhere(const Context& cx, NodeId id, const AbstractDraft& d);
// Does it depend on where the walker is? Names may stand for what goes by that.
[[nodiscard]] bool reads_walker(const Context& cx, NodeId id);

// ---- actions: the code of what is done (actions/)

// An action, and all that comes after it.
void act(Context& cx, const Todo* todo, AbstractDraft d);
// An action, and then something that isn't one.
void act_then(Context& cx, NodeId action, AbstractDraft d, Continuation then);
// `let`: a name for a value.
void let(Context& cx, NodeId id, AbstractDraft& d);
// A draft is a move: with one of the cells of `open` as its last choice, if there is one.
void leaf(Context& cx, const AbstractValue* open, const AbstractDraft& d);
// What is still carried makes no move: `code` is carried out where nothing is.
void unless_carried(Context& cx, const AbstractDraft& d, const std::function<void()>& code);

// Is what comes next a walk that is taken as a set of cells? Then `rest` is behind it.
bool taken_as_set(Context& cx, const Todo* todo, const AbstractDraft& d, const Todo*& rest);
// Playing a move must know whether a walk is taken as a set, and how far it goes: what comes behind may be
// code that is shared, which no walk goes into. So it must be the same everywhere, or no walk anywhere.
void note_walk(Context& cx, NodeId id, const WalkAsSet& as);
// Up to which action the walk goes whose rest is `rest`. Tests behind the last step needn't belong to it: the
// walker is where it will be.
[[nodiscard]] WalkAsSet walk_up_to(const Context& cx, const Todo* todo, const Todo* rest, bool bent);

// Has what comes after exactly one outcome, whatever the position, and can't it go wrong?
[[nodiscard]] bool certain(const Context& cx, const Todo* todo, const AbstractDraft& d);
// Likewise of an action. `carried`: before and after; `has_cell`: the walker is somewhere.
[[nodiscard]] bool certain(const Context& cx, NodeId id, const AbstractDraft& d, Carried::Kind& carried,
                           bool& has_cell);
// Has every round of a repetition at most one outcome, and does the walker never come back? Then how often it
// goes round is the only choice.
[[nodiscard]] bool goes_straight(const Context& cx, NodeId id, const AbstractDraft& d);

// Is what comes next deferred to the move that is played? It must be so wherever it comes next, because
// playing couldn't know which way the search has come.
bool is_left_open(Context& cx, const Todo* todo, const AbstractDraft& d);
// Likewise, where nothing is to be chosen any more: then the draft is a move already. Or it is one if nothing
// is carried, which what comes doesn't change.
Deferral left_to_play(Context& cx, const Todo* todo, const AbstractDraft& d);
// The draft is a move; what comes is deferred to the move that is played.
void leave_to_play(Context& cx, const Todo* todo, Deferral how, const AbstractDraft& d);

// Are moves of this draft compared by keys? (actions/keys.cpp)
[[nodiscard]] bool keys(const Context& cx, const AbstractDraft& d);
// A text is written, or goes into the key.
void say_either(Context& cx, NodeId id, AbstractDraft& d);

} // namespace boardwright::runtime::lowering
