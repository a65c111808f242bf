// Writes a variant as a rule file.
#pragma once

#include "tools/import/variants/plan.hpp"

namespace boardwright::tools {

// `from` is what the file was called that the variant stands in. Fails with what can't be carried over.
[[nodiscard]] tl::expected<std::string, std::vector<ImportFault>>
rule_text(const VariantKeys& variant, const std::vector<ImportFault>& left_out, const std::string& from);

} // namespace boardwright::tools
