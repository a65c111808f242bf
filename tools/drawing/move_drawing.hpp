// A move of a game, to be drawn on the board before it is played.
#pragma once

#include "runtime/game/game.hpp"
#include "tools/drawing/board_svg.hpp"

namespace boardwright::tools {

// The cells that a notation names, in its order.
[[nodiscard]] std::vector<int> cells_named(const runtime::Program& program, const std::string& notation);

// The cells that the move goes through, as its notation tells them.
[[nodiscard]] tl::expected<std::vector<int>, runtime::Fault> path_of(runtime::Game& game,
                                                                     const runtime::Move& move);

// The same, and the cells on which it takes something.
[[nodiscard]] tl::expected<MoveDrawing, runtime::Fault> drawing_of(runtime::Game& game,
                                                                   const runtime::Move& move);

} // namespace boardwright::tools
