// What a rule file says beside the lines that `show` prints anyway.
#pragma once

#include "dsl/rule_file.hpp"

#include <vector>

namespace boardwright::tools {

// The definitions of the file, and of those it extends, that `turn` and `end` name, and those that these
// name, in the order of the file. Vocabularies are left out.
[[nodiscard]] std::vector<const dsl::Definition*> used_definitions(const dsl::RuleFile& file);

// From its name to the end of its last body, with the quotes and braces around that.
[[nodiscard]] dsl::Span whole_span(const dsl::Sources& sources, const dsl::Definition& definition);

// Where the turn decides a game by `win`, `lose` or `draw`: in `turn`, or in a definition that it uses.
[[nodiscard]] std::vector<dsl::Span> decisions(const dsl::RuleFile& file);

} // namespace boardwright::tools
