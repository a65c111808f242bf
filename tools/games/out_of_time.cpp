#include "tools/games/out_of_time.hpp"

#include "interpreter/meaning/overtime.hpp"

#include <algorithm>

namespace boardwright::tools {

std::optional<runtime::Outcome> outcome_out_of_time(const std::shared_ptr<const runtime::Rules>& rules,
                                                    runtime::Position position) {
  const auto& variables = rules->program().variables;
  const auto late = std::find_if(variables.begin(), variables.end(), [](const runtime::Variable& v) {
    return v.name == interpreter::kOvertime && v.type == runtime::Type::truth && v.player < 0;
  });
  if (late == variables.end()) return std::nullopt;
  position.variables[static_cast<std::size_t>(late - variables.begin())].number = 1;
  const auto outcome = runtime::Game(rules, position).outcome();
  return outcome ? *outcome : std::nullopt;
}

} // namespace boardwright::tools
