// What the results of random games show: at what lines they end, and too early; where no piece ever was.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"
#include "runtime/examine/survey.hpp"

namespace boardwright::interpreter {

// Lines by which whoever moved last lost, games that are won by a first move, ranks and files without a
// piece.
void report_results(const runtime::Program& program, const dsl::RuleFile& file, const runtime::Survey& survey,
                    const dsl::Sources& sources, dsl::Diagnostics& out);

// Positions that come again and again, where no rule asks for it.
void report_circles(const runtime::Program& program, const dsl::RuleFile& file, const runtime::Survey& survey,
                    const dsl::Sources& sources, dsl::Diagnostics& out);

} // namespace boardwright::interpreter
