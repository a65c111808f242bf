// The set-up of a variant, as a FEN has it.
//
// This isn't a position of a game: it is read to write the rule file, so that there are no rules yet by which
// the reader of positions (interpreter/notation/fen.hpp) could go. Letters are those of the variant's keys;
// `*` is a wall, which becomes a hole of the board, and the number of ranks and files isn't known otherwise.
#pragma once

#include "tools/import/variants/variant.hpp"

namespace boardwright::tools {

// `variant` has its kinds and size already. Fails with a sentence.
[[nodiscard]] tl::expected<StartPosition, std::string> read_start_position(const std::string& fen,
                                                                           const VariantKeys& variant);

} // namespace boardwright::tools
