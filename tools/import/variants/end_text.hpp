// How a variant ends, as lines of `end`.
#pragma once

#include "tools/import/variants/definitions.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// May add definitions that the lines ask for.
[[nodiscard]] std::vector<std::string> end_lines(Plan& plan, Definitions& definitions);

} // namespace boardwright::tools
