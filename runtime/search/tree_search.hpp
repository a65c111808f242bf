// Monte-Carlo tree search: a move is as good as the random games that begin with it, and most games are spent
// on the moves that look best.
//
// The algorithms, and where they come from:
//   UCT, the choice between what looks good and what is little known: L. Kocsis, C. Szepesvári, Bandit based
//     Monte-Carlo planning (2006), on UCB1 by P. Auer, N. Cesa-Bianchi, P. Fischer (2002)
//   the tree that grows by a node an iteration, and the most visited move at the end: R. Coulom, Efficient
//     selectivity and backup operators in Monte-Carlo tree search (2006)
//   first-play urgency, so that a good move is followed before all others were tried: S. Gelly, Y. Wang,
//     R. Munos, O. Teytaud, Modification of UCT with patterns in Monte-Carlo Go (2006)
//   proven results: M. Winands, Y. Björnsson, J.-T. Saito, Monte-Carlo tree search solver (2008); with
//   several
//     players: J. Nijssen, M. Winands, Enhancements for multi-player Monte-Carlo tree search (2010)
//   moves that win at once come before all others where a move is asked for: F. Teytaud, O. Teytaud, On the
//     huge benefit of decisive moves in Monte-Carlo tree search algorithms (2010)
//   virtual loss, so that threads spread over the tree: G. Chaslot, M. Winands, H. van den Herik, Parallel
//     Monte-Carlo tree search (2008)
#pragma once

#include "runtime/search/leaf_games.hpp"
#include "runtime/search/player.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace boardwright::runtime::search {

struct TreeSearchOptions {
  int threads = 1; // on one tree. With one, a seed and a limit of nodes the same is thought every time
  std::uint64_t seed = 1;
  std::size_t most_bytes = std::size_t{512} << 20; // of the tree; when it is full it doesn't grow any more
  double exploration = 0.4; // of UCT: more looks at more moves, less goes deeper into the best
  double history = 1;       // what is added for moves that were good elsewhere in the tree
  double first_play = 0.5;  // what a move that wasn't tried yet is thought to be worth above its position
  LeafGamesOptions games;   // the random games
  std::uint64_t most_nodes = std::numeric_limits<std::uint64_t>::max(); // for a move, besides ThinkLimits
  bool reuse = true; // what was learnt of a position is kept for the moves that follow
};

// Refuses games of other rules.
[[nodiscard]] std::unique_ptr<Player> make_tree_search(std::shared_ptr<const Rules> rules,
                                                       const TreeSearchOptions& options = {});

} // namespace boardwright::runtime::search
