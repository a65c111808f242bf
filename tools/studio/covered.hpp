// Which parts of the rules tests and random games come to, for an editor to paint.
#pragma once

#include "interpreter/load.hpp"
#include "tools/console/json.hpp"

namespace boardwright::tools {

// Each part with its place in the text, in units of UTF-16 from the beginning, its counts, and what is
// missing of it in tests and random games together ("never holds"; empty where nothing is). `settings` are
// those that the rules were loaded with.
[[nodiscard]] Json covered_view(const interpreter::Loaded& loaded, const interpreter::Settings& settings);

} // namespace boardwright::tools
