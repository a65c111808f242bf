// The past of a game is positions; which moves led from one to the next is found out.
#pragma once

#include "runtime/game/game.hpp"

#include <optional>

namespace boardwright::tools {

// The move of the present position that leads to another one; nothing if none does. All moves are tried.
[[nodiscard]] tl::expected<std::optional<runtime::Move>, runtime::Fault>
move_to(runtime::Game& game, const runtime::Position& after);

} // namespace boardwright::tools
