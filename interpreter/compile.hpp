// From a rule file, read, to a program: the stages of the interpreter in their order.
//
//   options → shape of the board → names → holes → steps → state and set-up → rules → program
#pragma once

#include "dsl/rule_file.hpp"
#include "runtime/program.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::interpreter {

// Adds every error it can tell to `diagnostics` and gives nothing if there is any. `settings` are (option,
// value) pairs; for one that can't be taken `bad_setting` becomes true.
[[nodiscard]] std::shared_ptr<const runtime::Program>
compile(const dsl::RuleFile& file, const std::vector<std::pair<std::string, std::string>>& settings,
        dsl::Sources& sources, dsl::Diagnostics& diagnostics, bool& bad_setting);

} // namespace boardwright::interpreter
