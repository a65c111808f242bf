// Whose piece a `drop` lays down.
#pragma once

#include "runtime/model/program.hpp"

#include <cstdint>
#include <optional>

namespace boardwright::runtime {

// By the operands of the operation; nothing where there is no such piece.
[[nodiscard]] inline std::optional<int> owner_of_drop(const Program& program, std::int32_t owner,
                                                      std::int32_t giver, int kind) {
  const auto is_there = [&](std::int32_t player) {
    constexpr char kNoLetter = '?';
    return program.letter_of({static_cast<std::int8_t>(player), static_cast<std::int8_t>(kind)}) != kNoLetter;
  };
  if (owner == kNatural) owner = is_there(giver) ? giver : kNeutral;
  return is_there(owner) ? std::optional(owner) : std::nullopt;
}

} // namespace boardwright::runtime
