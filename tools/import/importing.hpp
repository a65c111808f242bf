// Variants of a file, as rule files. This is what the command calls.
#pragma once

#include "tools/import/ini.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

struct ImportedVariant {
  std::string name;
  std::string text;                  // of the rule file; "" where there are faults
  std::vector<ImportFault> faults;   // what can't be carried over
  std::vector<ImportFault> left_out; // what the rule file says it is without
};

// All of the file, or those that are named, in the order of the file. A name that the file doesn't have, and
// a text that can't be read, are the only faults.
[[nodiscard]] tl::expected<std::vector<ImportedVariant>, ImportFault>
import_variants(const std::string& text, const std::vector<std::string>& names, const std::string& from);

} // namespace boardwright::tools
