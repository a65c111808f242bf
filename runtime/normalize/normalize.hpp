// The normal form of a program: rules of equal meaning become equal trees.
#pragma once

#include "runtime/model/program.hpp"

namespace boardwright::runtime {

// The same game: in every position the same moves, written alike, with the same results; the same ends;
// faults in the same cases, but for those of a limit. Names, sources, letters, state and set-up stay as they
// are; state variables keep their place. Every node of the result has one parent.
//
// A program that is too large to be rewritten at load comes back as it is.
[[nodiscard]] Program normalize(const Program& program);

} // namespace boardwright::runtime
