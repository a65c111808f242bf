// Compiled code as text, for people: one instruction a line, operands by what they are.
//
//   s12, n7, b3   registers of sets, numbers, boxes; those of the state with their names: s0:White, n3:ply
//   {a1 b1}, =5   constants, of cells and numbers
//   L40           where to go on: the instruction with that number, which has it as a label
// What an instruction writes stands before `<-`. Tables stand as what they hold, where that is short.
#pragma once

#include "runtime/ir/operations.hpp"

#include <cstddef>
#include <string>

namespace boardwright::runtime::ir {

// place_of, or "no line of the rules": some instructions stand for no text.
[[nodiscard]] std::string place_in(const Program& program, std::uint32_t origin);
// The instructions from `begin` up to `end`; where the line of the rules changes, that line as a comment.
// `program` is the one that the code is about, in normal form.
[[nodiscard]] std::string print(const Program& program, const Code& code, std::size_t begin, std::size_t end);

} // namespace boardwright::runtime::ir
