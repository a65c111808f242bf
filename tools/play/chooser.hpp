// `play` without a game: which one.
#pragma once

#include "tools/console/console.hpp"
#include "tools/console/line_reader.hpp"
#include "tools/games/game_index.hpp"
#include "tools/play/play_options.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// The games that a person may mean by what he types, best first: one called so alone; those whose name has
// all of the words in it; those of which anything else has; all of a family; `2 players`.
[[nodiscard]] std::vector<GameEntry> games_meant(const std::vector<GameEntry>& all, const std::string& typed);

// Asks at the terminal until one of the games is chosen, and writes it into the options. False when
// the person leaves.
[[nodiscard]] bool choose_game(PlayOptions& options, const std::vector<GameEntry>& games, LineReader& reader,
                               Console& console);

} // namespace boardwright::tools
