// What is said of a rule file, or of a position, for programs.
#pragma once

#include "dsl/diagnostic.hpp"
#include "tools/console/json.hpp"

namespace boardwright::tools {

// {"severity": "error", "code": "unknown-name", "message": …, "file": …, "line": 7, "column": 18,
//  "end_line": 7, "end_column": 24, "expected": …, "help": …, "position": …}: places where there is one, the
// others where there is something to say.
[[nodiscard]] Json diagnostic_json(const dsl::Diagnostic& diagnostic, const dsl::Sources& sources);
// All of them, in the order in which they were found.
[[nodiscard]] Json diagnostics_json(const dsl::Diagnostics& diagnostics, const dsl::Sources& sources);

} // namespace boardwright::tools
