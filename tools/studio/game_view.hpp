// What a page shows of a game in progress, as JSON.
#pragma once

#include "interpreter/load.hpp"
#include "interpreter/look/look.hpp"
#include "runtime/game/game.hpp"
#include "tools/console/json.hpp"
#include "tools/drawing/board_text.hpp"

#include <tl/expected.hpp>

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

// The same of a game, as the viewer sees it: without cells where he sees nothing.
[[nodiscard]] Json picture_view(const interpreter::Loaded& loaded, const interpreter::Look& look,
                                runtime::Game& game, bool flipped, Viewer viewer = std::nullopt);

// Null while the game goes on; else how it ended in words for people (`text`), by which rule (`why`), the
// names of the `winners`, and `shares` where the point is divided.
[[nodiscard]] Json outcome_view(const interpreter::Loaded& loaded, runtime::Game& game);

// Adds the legal moves, each as `{"text": "a2-a3", "path": [0, 8]}`, in their order: numbers of the cells
// that it goes through or names; of a game that is closed to the mover, those that he reads. False: a limit
// came first.
[[nodiscard]] tl::expected<bool, runtime::Fault> add_moves(runtime::Game& game, bool closed,
                                                           const runtime::ListLimits& limits, Json& moves);

// Of a ply that nobody chooses anything in nothing can be learnt but that it is made: of a list of moves only
// that stays, where there is no other.
void keep_only_wordless(Json& moves);

// The picture of a game, with who is to move, how it stands, and the legal moves; of moves that are written
// alike each has a number. `complete` is false where there are more moves than a page can do anything with.
// Where it is nature's move `chance` is true, and the moves are what may be rolled.
//
// Where something is kept from the viewer `closed` is true: the board is as he sees it (`kNobody` sees none),
// the moves are there on his own turn alone, and there is no text of the position. A move of which nothing is
// written, and beside which there is no other, is there for everybody: it is made without a choice.
[[nodiscard]] Json game_view(const interpreter::Loaded& loaded, const interpreter::Look& look,
                             runtime::Game& game, bool flipped, Viewer viewer = std::nullopt);

} // namespace boardwright::tools
