// Variants of a file, as rule files. This is what the command calls.
#pragma once

#include "tools/import/imported.hpp"

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace boardwright::tools {

// All of the file, or those that are named, in the order of the file. A name that the file doesn't have, and
// a text that can't be read, are the only faults.
[[nodiscard]] tl::expected<std::vector<ImportedVariant>, ImportFault>
import_variants(const std::string& text, const std::vector<std::string>& names, const std::string& from);

} // namespace boardwright::tools
