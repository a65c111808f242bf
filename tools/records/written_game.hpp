// A recorded game, of whatever format, written in another one.
#pragma once

#include "tools/records/game_record.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

enum class WrittenFormat : std::uint8_t { record, pgn, pdn, sgf, uci, usi };

// `record`, `pgn`, …
[[nodiscard]] std::optional<WrittenFormat> written_format(std::string_view name);
[[nodiscard]] std::vector<std::string> written_formats();
// What a file of this name is to hold: `game.PGN` a PGN, one of another ending a record of ours.
[[nodiscard]] WrittenFormat format_of_ending(std::string_view file);

// The text of the game, with a line break at its end. `open` replays to its end, and is at its last move
// afterwards. The text is read again before it is handed out: an error says what the format has no words for,
// or that what is read is another game, and stands at the move or at the game. Costs as much as to replay the
// game twice.
[[nodiscard]] tl::expected<std::string, interpreter::RecordError> written_game(OpenRecord& open,
                                                                               WrittenFormat format);

} // namespace boardwright::tools
