// What random games show of a rule file, told at the lines of the file.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "runtime/examine/survey.hpp"

namespace boardwright::interpreter {

// Adds a finding for each sign of a mistake. `sources` are those that the rules were loaded from.
void report_findings(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file,
                     const runtime::Survey& survey, const dsl::Sources& sources,
                     dsl::Diagnostics& diagnostics);

} // namespace boardwright::interpreter
