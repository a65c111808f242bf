// The options of a rule file and the values they have in this load.
#pragma once

#include "dsl/rule_file.hpp"
#include "interpreter/meaning/symbols.hpp"
#include "runtime/model/program.hpp"

#include <string>
#include <utility>
#include <vector>

namespace boardwright::interpreter {

struct Options {
  std::vector<OptionValue> values;
  std::vector<runtime::Option> shown; // the same as `show` tells them
  bool bad_setting = false;
};

// Errors in the file's section and in the settings go to `diagnostics`; a setting's are shown in a text of
// its own.
[[nodiscard]] Options resolve_options(const dsl::RuleFile& file,
                                      const std::vector<std::pair<std::string, std::string>>& settings,
                                      dsl::Sources& sources, dsl::Diagnostics& diagnostics);

} // namespace boardwright::interpreter
