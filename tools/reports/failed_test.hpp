// What is shown of a test of a rule file that failed: the board, why moves are missing or too many, and how
// to look at the position.
#pragma once

#include "interpreter/self_tests/self_test.hpp"

#include <string>

namespace boardwright::tools {

// `file` is the game as it was named. Lines are indented, to stand below the test's own.
[[nodiscard]] std::string failed_position_text(const interpreter::FailedPosition& failed,
                                               const std::string& file, bool color);

} // namespace boardwright::tools
