// The rules of a game as its file writes them.
#pragma once

#include "interpreter/load.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// The definitions that count, `turn`, `end`, and on which lines `turn` itself decides.
[[nodiscard]] std::string rules_text(const interpreter::Loaded& loaded);

// The source of `turn`, and of each line of `end`.
[[nodiscard]] std::string turn_source(const interpreter::Loaded& loaded);
[[nodiscard]] std::vector<std::string> end_sources(const interpreter::Loaded& loaded);
// A definition as it is written, without the blanks in front of its name.
[[nodiscard]] std::string definition_text(const interpreter::Loaded& loaded,
                                          const dsl::Definition& definition);

} // namespace boardwright::tools
