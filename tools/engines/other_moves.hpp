// What the moves are worth that a program didn't choose: alpha-beta search knows of its own choice only.
#pragma once

#include "runtime/search/player.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace boardwright::tools {

struct OtherMoves {
  std::size_t lines = 5;                        // moves that are told, the chosen one too
  std::optional<std::chrono::nanoseconds> time; // for all of them
  std::optional<std::uint64_t> nodes;           // likewise
  const std::atomic<bool>* stop = nullptr;
};
// Where a player of a game for two has told no more than its own choice, asks it about the positions behind
// the other moves: half of the time about all of them (of very many only the first), half about those that
// then look best. They stand behind its choice, the best first, and are worth no more. What goes wrong there
// leaves it as it was.
void add_other_moves(runtime::search::Player& player, const runtime::Game& game, const OtherMoves& wanted,
                     runtime::search::Thought& thought);

} // namespace boardwright::tools
