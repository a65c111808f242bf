// Records in Portable Game Notation (PGN), which other programs read.
#pragma once

#include "tools/records/game_record.hpp"

#include <tl/expected.hpp>

#include <string>

namespace boardwright::tools {

// Tags, moves, comments, result. Moves are in algebraic notation where the game has them, else, and
// where a move has none, as the rules write them, with `_` for a blank. The game of `open` is at its last
// move afterwards. Only games of two players have a PGN.
[[nodiscard]] tl::expected<std::string, runtime::Fault> pgn_text(OpenRecord& open);

} // namespace boardwright::tools
