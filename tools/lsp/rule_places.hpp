// Which values of a rule file are rules.
#pragma once

#include "dsl/possible.hpp"

#include <optional>
#include <string_view>

namespace boardwright::tools {

// By the way to a value, as `Slot` has it ("define.*", "end.-"); nothing where it is no rule.
[[nodiscard]] std::optional<dsl::RuleIs> rule_at(std::string_view path);

} // namespace boardwright::tools
