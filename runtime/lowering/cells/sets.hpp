// Values as registers, and sets of cells from sets of cells. Nothing here asks a rule; what is known while
// the program is compiled is worked out at once.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstdint>
#include <functional>

namespace boardwright::runtime::lowering {

// ---- values as registers

// A value of a type that stands in a register, and a register for one.
AbstractValue of_type(Context& cx, Type type, Reg reg);
Reg new_of_type(Context& cx, Type type);
// A value as a set, as one cell (the first, or -1), as a box, as a set of steps.
Reg set_of(Context& cx, const AbstractValue& v);
Reg cell_of(Context& cx, const AbstractValue& v);
Reg box_of(Context& cx, const AbstractValue& v);
Reg ways_of(Context& cx, const AbstractValue& v);
// A set of which nothing is known, and a number that is.
[[nodiscard]] inline AbstractValue any_set(const Context& cx, Reg r) {
  return make_set(r, cx.facts.all_contents());
}
inline AbstractValue constant_number(Context& cx, std::int32_t n) {
  return make_number(cx.e.number_constant(n));
}

// ---- sets

Reg unite(Context& cx, Reg a, Reg b);
Reg meet(Context& cx, Reg a, Reg b);
Reg minus(Context& cx, Reg a, Reg b);
// The cells with pieces, those of the owners that a node names, those of a kind.
Reg occupied(Context& cx);
Reg owned(Context& cx, const Node& n);
Reg kind_cells(Context& cx, int kind);

// ---- code for values

// Goes to the label if a condition of the IR is `when`.
void test(Context& cx, Ir op, int a, int b, bool when, Label to, int c = 0);
// Code for every member of a value of a type: `body` gets it, and goes to `next` where it is done with it.
void each_member(Context& cx, const AbstractValue& v, Type type,
                 const std::function<void(AbstractValue member, Label next)>& body);

} // namespace boardwright::runtime::lowering
