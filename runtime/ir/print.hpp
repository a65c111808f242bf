// Compiled code as text, for people and for tests: one instruction a line,
// operands by what they are.
//
//   s12, n7, b3       registers of sets, numbers, boxes; those of the state
//   with their names: s0:White, n3:ply.
//                     Without a name they are counted from the first that is
//                     neither state nor constant
//   {a1 b1}, =5       constants, of cells and numbers
//   L4                where to go on: the instruction behind the label
//   leaf 2 (…)        an entry of a table; what it holds stands in parentheses,
//   where it is short
// What an instruction writes stands before `<-`. Whatever stands behind `;` is
// a comment. read.hpp reads it.
#pragma once

#include "runtime/ir/operations.hpp"

#include <cstddef>
#include <string>

namespace boardwright::runtime::ir {

// place_of, or "no line of the rules": some instructions stand for no text.
[[nodiscard]] std::string place_in(const Program& program, std::uint32_t origin);

struct PrintOptions {
  bool heading = true; // the tables first: without them the text can't be read back
  bool costs = true;   // Instruction::cost, as `@12` behind the operation
  bool places = true;  // where the line of the rules changes, that line, as `  ;
                       // <file:1:2>`
};

// All of it. `program` is the one that the code is about, in normal form.
// Preconditions: indices are within their tables, places within the code
// (verify says so).
[[nodiscard]] std::string print(const Program& program, const Code& code, const PrintOptions& options = {});
// The instructions from `begin` up to `end`, with places alone or with nothing.
[[nodiscard]] std::string print(const Program& program, const Code& code, std::size_t begin, std::size_t end,
                                bool places = true);

} // namespace boardwright::runtime::ir
