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

// The game, which replays to its end, with a line break behind it. It is read again before it is handed out:
// an error, a sentence, says what the format has no words for, or that what is read is another game. The game
// of `open` is at its last move afterwards. Costs as much as to replay the game twice.
[[nodiscard]] tl::expected<std::string, std::string> written_game(OpenRecord& open, WrittenFormat format);

} // namespace boardwright::tools
