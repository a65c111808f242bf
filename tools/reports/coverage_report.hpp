// What `check --coverage` tells: as text for people, as JSON, and as a page for a browser.
#pragma once

#include "dsl/source.hpp"
#include "interpreter/findings/coverage.hpp"
#include "tools/console/json.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// The lines of the file that have parts, each part with its counts below it; then what no test reaches.
[[nodiscard]] std::string coverage_text(const interpreter::Coverage& coverage, const dsl::Sources& sources);

[[nodiscard]] Json coverage_json(const interpreter::Coverage& coverage, const dsl::Sources& sources);

struct CoveredFile {
  std::string name;
  const dsl::Sources* sources = nullptr;
  const interpreter::Coverage* coverage = nullptr;
};
// All of the files in one document of HTML, which needs nothing else.
[[nodiscard]] std::string coverage_page(const std::vector<CoveredFile>& files);

// "alternative", "condition", "line of `end`", "definition"
[[nodiscard]] std::string_view word_for(interpreter::PartKind kind);
// How many parts are covered.
[[nodiscard]] std::size_t covered_by_tests(const interpreter::Coverage& coverage);
[[nodiscard]] std::size_t covered_by_games(const interpreter::Coverage& coverage);

} // namespace boardwright::tools
