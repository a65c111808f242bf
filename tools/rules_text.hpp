// The rules of a game as its file writes them.
#pragma once

#include "interpreter/load.hpp"

#include <string>

namespace boardwright::tools {

// The definitions that count, `turn`, `end`, and on which lines `turn` itself decides.
[[nodiscard]] std::string rules_text(const interpreter::Loaded& loaded);

} // namespace boardwright::tools
