// Whether rules are the same for two players who begin alike.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "runtime/examine/survey.hpp"

namespace boardwright::interpreter {

// Positions of random games are compared with their mirror images, in which the players have changed places:
// there must be as many moves, and the same outcome. Told where the walker first finds a difference.
void report_sides(const std::shared_ptr<const runtime::Rules>& rules, const dsl::RuleFile& file,
                  const runtime::Survey& survey, const dsl::Sources& sources, dsl::Diagnostics& out);

} // namespace boardwright::interpreter
