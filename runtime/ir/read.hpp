// The text form (print.hpp) as code again.
#pragma once

#include "runtime/ir/ir.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace boardwright::runtime::ir {

struct ReadError {
  std::size_t line = 0; // of the text, from 1
  std::string message;
};

// Any text gives code or the first error. What is read prints as the same text if that was printed (in full).
// Fields of the heading that are left out are as in code that is made anew; of the places of instructions the
// first one that is written so is taken. Indices are in their tables, registers in their files, places in the
// code, cells and steps on the board; what else holds of code is asked by verify. Takes as long as the text
// is.
[[nodiscard]] tl::expected<Code, ReadError> read(const Program& program, std::string_view text);

} // namespace boardwright::runtime::ir
