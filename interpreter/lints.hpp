// Signs of a mistake in a rule file that loads: each a warning with a name, a place, a reason and a remedy.
//
// A lint looks at the text alone. What only shows in play is found by random games (findings.hpp).
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/rule_file.hpp"

#include <functional>

namespace boardwright::interpreter {

// `file` must have loaded without errors. Only what the file itself says is told, not what it extends or
// uses.
void lint(const dsl::RuleFile& file, dsl::Diagnostics& diagnostics);

// Parts of lint(): names that nothing uses or that replace others; expressions that mean something else than
// they seem to.
void lint_names(const dsl::RuleFile& file, dsl::Diagnostics& diagnostics);
void lint_expressions(const dsl::RuleFile& file, dsl::Diagnostics& diagnostics);

// Calls `visit` with every rule of the file itself: bodies of definitions, the turn, end lines, set-up, …
void each_rule(const dsl::RuleFile& file, const std::function<void(const dsl::Ast&)>& visit);

} // namespace boardwright::interpreter
