// Reads games as the protocols UCI and USI hand them to an engine: `position startpos moves e2e4 e7e5`, a
// game a line.
#pragma once

#include "tools/records/formats/foreign_game.hpp"

#include <tl/expected.hpp>

#include <string_view>

namespace boardwright::tools {

// Each line with `position` (which may be left out), then `startpos`, `fen F` or `sfen S`, then `moves` and
// the moves. `setoption name UCI_Variant value NAME`, or USI's, names the game of those behind it. Other
// lines (`go`, `bestmove …`) are passed over.
[[nodiscard]] tl::expected<ForeignGames, interpreter::RecordError> read_commands(std::string_view text);

// Does the line begin a game?
[[nodiscard]] bool is_position_command(std::string_view line);

} // namespace boardwright::tools
