// What random games of rules with weighed rolls have in common with lists, as far as tests rely on it:
// neither how many moves nature has nor what the last one weighed.
#pragma once

#include "runtime/model/program.hpp"

namespace boardwright::tests {

[[nodiscard]] inline bool draws_tickets(const runtime::Program& program) {
  return program.chance && program.chance->odds >= 0;
}

// The same position whatever the weight of the last move of nature.
[[nodiscard]] inline runtime::Position without_odds(const runtime::Program& program,
                                                    runtime::Position position) {
  if (draws_tickets(program)) position.variables[static_cast<std::size_t>(program.chance->odds)].number = 0;
  return position;
}

} // namespace boardwright::tests
