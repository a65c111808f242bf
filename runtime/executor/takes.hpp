// Whose pieces a move can take, as its code says.
#pragma once

#include "runtime/ir/ir.hpp"

#include <cstdint>
#include <vector>

namespace boardwright::runtime::executor {

// By leaf, a bit for each player who may have fewer cells after a move of it. Where the code changes cells
// whose pieces only the position tells, all bits are set.
[[nodiscard]] std::vector<std::uint32_t> losers_by_leaf(const ir::Code& code);

} // namespace boardwright::runtime::executor
