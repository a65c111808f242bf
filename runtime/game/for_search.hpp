// What a search asks of a game that it plays through, and nobody else.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/model/capture.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <vector>

namespace boardwright::runtime {

// Puts the captures of moves() behind those that `into` has; false: a limit came first. The gain is what the
// move does to what lies on top of the board, by the worth of each piece for who has it;
// `worth` has one for every code of a piece (model/pieces.hpp).
[[nodiscard]] tl::expected<bool, Fault> append_captures(Game& game, const std::vector<std::int32_t>& worth,
                                                        std::vector<Capture>& into,
                                                        const ListLimits& limits = {});

// The player to move does nothing, and the next one is to move, though no rule may say so: for a look at what
// a move is worth. Taken back by Game::undo; moves() and all else may be asked meanwhile, but what comes of it
// is nothing that the rules say, a fault neither. False, and nothing happens: the game is over, or not known.
[[nodiscard]] bool skip_turn(Game& game);

} // namespace boardwright::runtime
