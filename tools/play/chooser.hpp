// `play` without a game: which one.
#pragma once

#include "tools/console/console.hpp"
#include "tools/console/line_reader.hpp"
#include "tools/games/game_index.hpp"
#include "tools/play/play_options.hpp"

#include <vector>

namespace boardwright::tools {

// Asks at the terminal until one of the games is chosen, and writes it into the options. False when
// the person leaves.
[[nodiscard]] bool choose_game(PlayOptions& options, const std::vector<GameEntry>& games, LineReader& reader,
                               Console& console);

} // namespace boardwright::tools
