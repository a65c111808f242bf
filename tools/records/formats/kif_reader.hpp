// Reads KIF, in which Japanese programs keep games: a move a line, with kanji for ranks and pieces.
#pragma once

#include "tools/records/formats/foreign_game.hpp"

#include <tl/expected.hpp>

#include <string_view>

namespace boardwright::tools {

// A game in UTF-8, from the usual set-up. Moves become those of USI. Headers are kept as tags; variations
// behind the game (`変化：`) are left out. Handicaps and drawn positions aren't read: an error says so.
[[nodiscard]] tl::expected<ForeignGames, interpreter::RecordError> read_kif(std::string_view text);

// Is there a line that only KIF has?
[[nodiscard]] bool is_kif(std::string_view text);
// The same in Shift-JIS, which must be converted first.
[[nodiscard]] bool is_kif_in_shift_jis(std::string_view text);

} // namespace boardwright::tools
