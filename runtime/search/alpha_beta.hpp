// Alpha-beta search: looks at every line of play to a depth that grows until the time is up, but for those
// that can't matter, and judges where they end.
//
// The algorithms, and where they come from:
//   alpha-beta: D. Knuth, R. Moore, An analysis of alpha-beta pruning (1975)
//   principal variation search: T. Marsland, M. Campbell, Parallel search of strongly ordered game trees,
//     in Computing Surveys (1982)
//   iterative deepening: D. Slate, L. Atkin (1977), on the Northwestern University program
//   transposition tables: see transpositions.hpp
//   quiescence over captures: C. Shannon (1950); L. Harris, The heuristic search (1975)
//   which moves come first: see move_order.hpp; what is left out or looked at less deeply: see pruning.hpp
//   threads on one table (lazy SMP): as in Toga and Stockfish; R. Hyatt and others on talkchess.com, 2013
//   three players and more: all others play against the one who thinks (paranoid), N. Sturtevant, R. Korf, On
//     pruning techniques for multi-player games (2000)
#pragma once

#include "runtime/search/features.hpp"
#include "runtime/search/network.hpp"
#include "runtime/search/player.hpp"
#include "runtime/search/techniques.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace boardwright::runtime::search {

struct AlphaBetaOptions {
  std::size_t most_bytes = std::size_t{64} << 20; // of the table of positions
  int threads = 1; // with more of them no thought is like another; each has a part of the nodes
  int most_depth = 100;
  std::uint64_t most_nodes = std::numeric_limits<std::uint64_t>::max(); // for a move, besides ThinkLimits
  Judgement judgement;
  bool quiescence = true;
  Techniques techniques; // all, unless one is to be measured
  bool counts = false;   // remark how well moves were put in order
};

// Refuses games of other rules. With a limit of nodes the same is thought every time.
[[nodiscard]] std::unique_ptr<Player> make_alpha_beta(std::shared_ptr<const Features> features,
                                                      const AlphaBetaOptions& options = {});
[[nodiscard]] std::unique_ptr<Player> make_alpha_beta(std::shared_ptr<const Rules> rules,
                                                      const AlphaBetaOptions& options = {});

} // namespace boardwright::runtime::search
