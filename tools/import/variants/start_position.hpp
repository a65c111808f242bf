// The set-up of a variant, as a FEN has it.
#pragma once

#include "tools/import/variants/variant.hpp"

namespace boardwright::tools {

// `variant` has its kinds and size already. Fails with a sentence.
[[nodiscard]] tl::expected<StartPosition, std::string> read_start_position(const std::string& fen,
                                                                           const VariantKeys& variant);

} // namespace boardwright::tools
