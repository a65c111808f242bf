// What `inspect --profile` and `check --slow` tell: what each line of a rule file takes of the time.
#pragma once

#include "interpreter/findings/profile_lines.hpp"
#include "tools/console/json.hpp"

#include <string>

namespace boardwright::tools {

// The costliest lines first, then all in the order of the file.
[[nodiscard]] std::string profile_text(const interpreter::LineProfile& profile);

[[nodiscard]] Json profile_json(const interpreter::LineProfile& profile);

} // namespace boardwright::tools
