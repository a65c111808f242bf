// A loop over the members of a set that only sifts them becomes a set.
//
// Where a condition is asked of one move after the other, code goes through the cells that are left, and
// finds a move for each that passes:
//
//   L: take c <- S, E;  place from <- c;  …;  X = F(c) & {c};  if_some X, N;  leaf_one (from, c);  N: go L;
//   E:
//
// If F is made of sets that the loop doesn't change and of {c} itself by union, meet, difference and shifts,
// then whether c is in F(c) is whether c is in a set that doesn't depend on c: in shift(A - {c}) it is where
// it is in shift(A), since no shift leads a cell to itself. So the loop is `leaf S - F'`, with the cell left
// open. The moves and their order stay the same: sets, too, are gone through from the lowest cell on.
#pragma once

#include "runtime/ir/ir.hpp"

namespace boardwright::runtime::passes {

// Replaces all such loops. The costs of loops (Instruction::cost) are to be counted anew if it answers true.
// O(code) for each loop that is replaced.
[[nodiscard]] bool sift_loops(ir::Code& code);

} // namespace boardwright::runtime::passes
