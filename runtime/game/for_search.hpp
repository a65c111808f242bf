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

} // namespace boardwright::runtime
