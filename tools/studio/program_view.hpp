// What a program is told of a game in progress, as JSON: no pictures, where it asks for none, and all moves.
#pragma once

#include "interpreter/look/look.hpp"
#include "runtime/game/game.hpp"
#include "tools/console/json.hpp"
#include "tools/studio/game_view.hpp"

namespace boardwright::tools {

// How it stands: `to_move`, `chance`, `outcome`, as in game_view.
[[nodiscard]] Json standing_view(const interpreter::Loaded& loaded, runtime::Game& game);

// `moves` with their cells, as in game_view, but as many as `limits` allow, and `complete`; `error` where a
// rule goes wrong.
[[nodiscard]] Json moves_view(runtime::Game& game, Viewer viewer, const runtime::ListLimits& limits);

// `position`, as read_position takes it, `fen` where there is one, else null, and `board`, drawn with
// characters. Where something is kept from the viewer `board` is what he sees, and `seen` in place of the
// others; `error` where he is nobody, or a rule goes wrong that says what he sees.
[[nodiscard]] Json position_view(const interpreter::Loaded& loaded, const interpreter::Look& look,
                                 runtime::Game& game, Viewer viewer);

} // namespace boardwright::tools
