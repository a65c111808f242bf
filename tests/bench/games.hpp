#pragma once

namespace boardwright::bench {

// Benchmarks of every bundled game, and of those that are also written by hand.
void register_games();

} // namespace boardwright::bench
