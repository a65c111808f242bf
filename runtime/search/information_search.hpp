// Who plays where something is hidden: Monte-Carlo tree search over what players know, instead of over
// positions.
//
// Each round takes one of the games that may be the one that is played (worlds.hpp) and plays it on: as long
// as moves are known, by the move that looks best to whoever moves, judged by what he knows there; then at
// random. The results are kept by what the mover knew, so moves that he can't tell apart share them, whatever
// the world, and nobody is taken to know what he can't see. After Cowling, Powley and Whitehouse,
// "Information Set Monte Carlo Tree Search" (2012), with an observer for each player.
#pragma once

#include "runtime/search/leaf_games.hpp"
#include "runtime/search/player.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace boardwright::runtime::search {

struct InformationSearchOptions {
  std::uint64_t seed = 1;
  std::size_t worlds = 128; // games that are kept in mind
  std::size_t most_bytes = std::size_t{256} << 20;
  std::uint64_t most_nodes = 0; // rounds; 0: as many as the limits of the question allow
  double exploration = 0.7;     // how much a move is looked at because little is known of it
  LeafGamesOptions games;
};

// Of rules that hide something, or of any.
[[nodiscard]] std::unique_ptr<Player> make_information_search(std::shared_ptr<const Rules> rules,
                                                              const InformationSearchOptions& options);

} // namespace boardwright::runtime::search
