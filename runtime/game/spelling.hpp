// Moves told apart where several of a position are written alike.
//
// Of moves with the same notation each takes a number behind it, in the order of Game::moves(): `a1-b2#1`,
// `a1-b2#2`. A move that is alone with its notation is written as that.
#pragma once

#include "runtime/game/game.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::runtime {

// How a legal move of the present position is written so that it is found again. Costs as much as all
// notations.
[[nodiscard]] tl::expected<std::string, Fault> spelling(Game& game, const Move& move);

// The same for all moves, in their order, given their notations.
[[nodiscard]] std::vector<std::string> spellings(const std::vector<std::string>& notations);

// The legal move that is written so: as Game::find, and with numbers. A notation without its number is the
// first of those that are alike.
[[nodiscard]] tl::expected<std::optional<Move>, Fault> find_spelled(Game& game, std::string_view text);

} // namespace boardwright::runtime
