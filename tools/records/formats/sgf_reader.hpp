// Reads the Smart Game Format (A. Hollosi, "SGF File Format FF[4]", 1997), as far as a game is played by
// putting pieces on points.
#pragma once

#include "tools/records/formats/foreign_game.hpp"

#include <tl/expected.hpp>

#include <string_view>

namespace boardwright::tools {

// Of each tree its first branch. Properties: GM, SZ, AB, AW, AE, PL, B, W, C, RE; others are kept as tags
// where they stand in the first node.
[[nodiscard]] tl::expected<ForeignGames, interpreter::RecordError> read_sgf(std::string_view text);

} // namespace boardwright::tools
