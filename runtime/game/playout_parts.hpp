// Random games by their numbers: a part of those that a seed has, and sums of such parts.
#pragma once

#include "runtime/game/playout.hpp"

namespace boardwright::runtime {

// The games from number `first` on, counted from 0; `options` says how many.
[[nodiscard]] PlayoutRun run_playouts_from(std::uint64_t first, std::shared_ptr<const Rules> rules,
                                           const PlayoutOptions& options, const Position* from = nullptr);

// Adds the games of a part. Endings keep the order of their places in the rules.
void add_playouts(const PlayoutResult& part, PlayoutResult& total);

} // namespace boardwright::runtime
