// How many moves were played before a position that is given by its board and doesn't say.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <cstdint>
#include <vector>

namespace boardwright::interpreter {

// So many that the rules of openings are over.
inline constexpr std::int32_t kDefaultPly = 1000;

// As if all had moved in order, beginning with the one who begins.
[[nodiscard]] std::vector<std::int32_t> turns_after(const runtime::Program& program, std::int32_t ply);

// kDefaultPly; but as many as there are pieces where a line of `end` that counts moves holds after
// kDefaultPly moves and not after so many: a game that ends after a number of moves would be over, whatever
// the board. `ply` and `turns` of the position don't count.
[[nodiscard]] std::int32_t usual_ply(const runtime::Program& program, const runtime::Position& position);

} // namespace boardwright::interpreter
