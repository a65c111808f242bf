// What a page shows of a game in progress, as JSON.
#pragma once

#include "interpreter/load.hpp"
#include "interpreter/look/look.hpp"
#include "runtime/game/game.hpp"
#include "tools/console/json.hpp"
#include "tools/drawing/board_text.hpp"

#include <optional>

namespace boardwright::tools {

// Whose eyes a page shows a game for: a player's; `kNobody`'s, before whom only what all know may be shown;
// or, without a value, of somebody who may see everything.
using Viewer = std::optional<int>;
constexpr int kNobody = -1;

// Is something kept from this viewer? Not in a game that hides nothing, nor in one that is over.
[[nodiscard]] bool is_closed(runtime::Game& game, Viewer viewer);

// What doesn't change while it is played: title, players, options, what `about` tells.
[[nodiscard]] Json rules_view(const interpreter::Loaded& loaded);

// A position as SVG, and its cells with their places in it and what they hold.
[[nodiscard]] Json board_view(const runtime::Program& program, const interpreter::Look& look,
                              const runtime::Position& position, const BoardMarks& marks, bool flipped);

// The same of a game, with who is to move, how it stands, and the legal moves with the cells that each goes
// through or names: `{"text": "a2-a3", "path": [0, 8]}`, numbers of cells; of moves that are written alike
// each has a number. `complete` is false where there are more moves than a page can do anything with. Where
// it is nature's move `chance` is true, and the moves are what may be rolled.
//
// Where something is kept from the viewer `closed` is true: the board is as he sees it (`kNobody` sees none),
// the moves are there on his own turn alone, and there is no text of the position. A move of which nothing is
// written, and beside which there is no other, is there for everybody: it is made without a choice.
[[nodiscard]] Json game_view(const interpreter::Loaded& loaded, const interpreter::Look& look,
                             runtime::Game& game, bool flipped, Viewer viewer = std::nullopt);

} // namespace boardwright::tools
