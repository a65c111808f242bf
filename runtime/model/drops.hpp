// Whose piece a `drop` lays down.
#pragma once

#include "runtime/model/program.hpp"

#include <cstdint>
#include <optional>

namespace boardwright::runtime {

// By the operands of the operation; nothing where there is no such piece.
[[nodiscard]] std::optional<int> owner_of_drop(const Program& program, std::int32_t owner, std::int32_t giver,
                                               int kind);

} // namespace boardwright::runtime
