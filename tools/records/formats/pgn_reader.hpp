// Reads Portable Game Notation (S. Edwards, "PGN Specification and Implementation Guide", 1994) and PDN,
// which shares its grammar (wiegerw.github.io/pdn).
#pragma once

#include "tools/records/formats/foreign_game.hpp"

#include <tl/expected.hpp>

#include <string>
#include <string_view>

namespace boardwright::tools {

// Tags, main line, comments, result. Variations in `( )`, annotations such as `$2`, move numbers and lines
// that begin with `%` are passed over. A move in quotes is one whose notation has signs of PGN in it.
[[nodiscard]] tl::expected<ForeignGames, interpreter::RecordError> read_pgn(std::string_view text);

// A move as it stands in PGN: in quotes where its notation would be read as something else there.
[[nodiscard]] std::string pgn_word(const std::string& move);

} // namespace boardwright::tools
