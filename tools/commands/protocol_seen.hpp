// What the servers of all protocols tell beside moves: nature's moves with their weights, a game as one seat
// knows it, the board. No protocol but GTP, for the board, has words for them; those of the others are our
// own, and documented in tools/README.md.
#pragma once

#include "runtime/game/game.hpp"
#include "tools/engines/protocol_moves.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::tools {

// "p1" and "p2", as `query p1turn` calls them. Nothing: another word.
[[nodiscard]] std::optional<int> seat_named(std::string_view word);

// "chance (1) 1 (2) 1": what nature may do, each with its weight; "chance none" where it isn't its move.
[[nodiscard]] tl::expected<std::string, runtime::Fault> chance_line(runtime::Game& game, Protocol protocol);

// All that a seat knows of the game, a line each: how it began, and of each move what the seat reads of it
// and sees behind it.
[[nodiscard]] tl::expected<std::vector<std::string>, runtime::Fault> seen_lines(const runtime::Game& game,
                                                                                int seat);

// The board and what lies beside it; as a seat sees them, if one is named.
[[nodiscard]] tl::expected<std::vector<std::string>, runtime::Fault> board_lines(const runtime::Game& game,
                                                                                 std::optional<int> seat);

} // namespace boardwright::tools
