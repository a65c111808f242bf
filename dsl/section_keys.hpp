// The keys that the loader knows, from the tables that it reads with: for completion, and for the schema of
// rule files.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace boardwright::dsl {

// The keys of a map by the way to it: `""` are the sections, `options.*` is each option, `tests.-` each test.
// Maps whose keys are all an author's own aren't there.
[[nodiscard]] std::vector<std::pair<std::string, std::vector<std::string>>> keys_of_sections();

[[nodiscard]] std::vector<std::string> board_keys();
[[nodiscard]] std::vector<std::string> setup_keys(); // beside the letters of pieces
[[nodiscard]] std::vector<std::string> piece_value_keys();
[[nodiscard]] std::vector<std::string> sees_keys();
[[nodiscard]] std::vector<std::string> option_keys();
[[nodiscard]] std::vector<std::string> position_keys();
[[nodiscard]] std::vector<std::string> games_keys();
[[nodiscard]] std::vector<std::string> test_keys();
[[nodiscard]] std::vector<std::string> expectation_keys();

} // namespace boardwright::dsl
