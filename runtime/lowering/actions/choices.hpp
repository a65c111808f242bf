// Choices: how they are recorded, taken and left open.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace boardwright::runtime::lowering {

// Of one member, and of so many members, in every way: these are chosen in order, each a choice of the move.
void choose(Context& cx, const Todo* todo, AbstractDraft d);
void choose_some(Context& cx, const Todo* todo, AbstractDraft d);
// One cell of a set, for all that comes after. Where that can't fail all cells together are moves. `take`
// says what is done with it, `slot` which name it gets.
void choose_cell(Context& cx, const AbstractValue& from, const Todo* after, AbstractDraft d,
                 const std::function<void(AbstractDraft&, const AbstractValue& cell)>& take,
                 std::int32_t slot = -1);
// Code for each of so many ways on; the number of the way is a choice of the move.
void ways(Context& cx, const std::vector<std::int32_t>& values, const AbstractDraft& d,
          const std::function<void(std::size_t way, AbstractDraft)>& way);
// For two ways between which the position chooses: `to_other` jumps to the label if it is the second.
void two_ways(Context& cx, const AbstractDraft& d,
              const std::function<void(Label other, AbstractDraft&)>& to_other,
              const std::function<void(bool first, AbstractDraft)>& way);
// The next choice of the move that is played: a constant, a value of its record, or the next of a list.
[[nodiscard]] AbstractValue given_choice(Context& cx, Type type);
[[nodiscard]] std::int32_t given_constant(Context& cx);
// Moves of different notations are different, whatever comes: as long as no two have the same, what comes and
// writes nothing isn't carried out.
bool compares_notations(Context& cx, const Todo* todo, const AbstractDraft& d);

// choose_some.cpp: so many members of those that are left, one after the other.
void choose_members(Context& cx, const Todo* todo, Reg wanted, Type type, Reg chosen, Reg left, Reg list,
                    AbstractDraft d);

} // namespace boardwright::runtime::lowering
