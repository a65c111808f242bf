// show --svg and --png: a position as a picture.
#pragma once

#include "tools/commands/commands.hpp"
#include "tools/console/console.hpp"
#include "tools/games/game_choice.hpp"

namespace boardwright::tools {

[[nodiscard]] Exit show_picture(OpenGame& open, const ShowOptions& options, Console& console);

} // namespace boardwright::tools
