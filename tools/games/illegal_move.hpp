// Telling a player why what he typed is no move.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// One or two sentences: what stands on the cell that the text begins with, the legal moves that begin alike,
// or the nearest one; at the prompt of `play` also what can be typed there. `legal` are all notations of the
// position.
[[nodiscard]] std::string why_illegal(const runtime::Program& program, const runtime::Position& position,
                                      const std::vector<std::string>& legal, std::string_view typed,
                                      bool at_prompt = false);

} // namespace boardwright::tools
