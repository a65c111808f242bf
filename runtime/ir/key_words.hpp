// How a key goes on with a set of cells: each word of the set is multiplied by a number of its own, all at
// once, and the sum is mixed into the key. Numbers of a formula would meet in sets of few cells.
#pragma once

#include "runtime/model/value.hpp"

#include <array>
#include <cstdint>

namespace boardwright::runtime::ir {

inline constexpr std::array<std::uint64_t, 9> kKeyOfWord{
    0x9e3779b97f4a7c15U, 0xd1b54a32d192ed03U, 0xabc98388fb8fac03U, 0x8cb92ba72f3d8dd7U, 0xe7037ed1a0b428dbU,
    0x589965cc75374cc3U, 0x1d8e4e27c47d124fU, 0xeb44accab455d165U, 0xc2b2ae3d27d4eb4fU};
static_assert(kKeyOfWord.size() == CellSet::kWords);

} // namespace boardwright::runtime::ir
