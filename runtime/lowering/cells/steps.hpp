// Steps on the board: from all cells of a set at once, or from one cell as far as something allows.
#pragma once

#include "runtime/lowering/context.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace boardwright::runtime::lowering {

// From every cell of a set by a step, or by each of some; `back`: the cells from where that leads into the
// set.
Reg stepped(Context& cx, Reg from, int step, bool back);
Reg stepped(Context& cx, Reg from, const StepSet& steps, bool back);
// Straight on from every cell of a set, as long as the cells are in another.
Reg ran(Context& cx, Reg from, int step, Reg through);
// Straight on from one cell in some directions: `op` says whether as far as cells are in `through`, or one
// cell further.
Reg rays(Context& cx, Ir op, Reg cell, const StepSet& steps, Reg through);
// Where the given number times one of some directions leads from a cell, which is one step of the board: so
// nothing between is asked. Nothing where the table would be large.
std::optional<Reg> multiple_steps(Context& cx, Reg cell, Reg number, bool never_negative,
                                  const StepSet& steps);
// All that is connected with a set by steps, through another.
Reg flooded(Context& cx, Reg from, const StepSet& steps, Reg through);

// How often a step leads on from a cell, at the most.
[[nodiscard]] int longest_line(const Context& cx, int step);

// ---- tables of the code

inline constexpr std::size_t kMostSetsOfTable = 12'000; // a megabyte or less

// Some steps as a list.
[[nodiscard]] std::int32_t steps_table(Context& cx, const StepSet& steps);
// From each cell another, or kNowhere.
std::int32_t place_table(Context& cx, const std::vector<std::int16_t>& place);
// Each cell by itself.
[[nodiscard]] std::vector<std::int16_t> everywhere(const Context& cx);

} // namespace boardwright::runtime::lowering
