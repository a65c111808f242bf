// What instructions of finished code read, and whether a value is read later.
#pragma once

#include "runtime/ir/ir.hpp"

#include <cstddef>

namespace boardwright::runtime::passes {

// It does nothing but write its first operand, and its other operands say all that it reads.
[[nodiscard]] bool is_plain(ir::Op op);

// May the value that a register has where `begin` is come to be read, there or later in the turn? Role 's'
// for sets, 'n' for numbers. True also where that would take too long to find out.
[[nodiscard]] bool is_read_from(const ir::Code& code, std::size_t begin, char role, ir::Reg reg);

} // namespace boardwright::runtime::passes
