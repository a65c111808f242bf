// Why a move is legal or not, for somebody who plays: sentences without a word of the rule file.
#pragma once

#include "interpreter/load.hpp"
#include "runtime/game/game.hpp"

#include <string>
#include <string_view>

namespace boardwright::tools {

// What is asked is what `reasons_for` takes. The answer says what is so instead of what the rules ask for,
// where that has plain words, and how the file tells players that the piece moves. A fault where a rule goes
// wrong.
[[nodiscard]] tl::expected<std::string, runtime::Fault>
plain_reasons_text(const interpreter::Loaded& loaded, runtime::Game& game, std::string_view asked);

// "How a man moves: one step forward …", of the player's to move that stands on the first cell named in a
// move; "" where the file tells nothing.
[[nodiscard]] std::string how_it_moves(const interpreter::Loaded& loaded, const runtime::Position& position,
                                       std::string_view move);

} // namespace boardwright::tools
