// Players by their description:
//
//   random                       any move, evenly
//   mcts                         Monte-Carlo tree search (tree_search.hpp) with the best settings
//   mcts:threads=2,explore=0.7   with other ones
//   alphabeta                    alpha-beta search (alpha_beta.hpp), with what was learnt of the game
//   level:3                      of ten (levels.hpp), from a beginner to full strength
//   varied:3                     of eight (varied.hpp), for games that are to differ
//   auto                         whatever plays these rules best
#pragma once

#include "runtime/search/network.hpp"
#include "runtime/search/player.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::runtime::search {

// Chooses evenly among the moves, whatever the time.
[[nodiscard]] std::unique_ptr<Player> make_random_player(std::uint64_t seed);

struct PlayerChoice {
  std::uint64_t seed = 1;
  int threads = 1;                      // where the description says nothing else
  std::shared_ptr<const Learnt> learnt; // of the game; null: nothing
  std::optional<int> megabytes; // of what is remembered of positions, where the description says nothing else
};
// An error says what is wrong with the description, and what there is.
[[nodiscard]] tl::expected<std::unique_ptr<Player>, std::string>
make_player(std::string_view description, std::shared_ptr<const Rules> rules,
            const PlayerChoice& choice = {});

// What descriptions begin with: "random", "mcts" …
[[nodiscard]] std::vector<std::string_view> names_of_players();
// The descriptions, with a line about each: for help texts.
[[nodiscard]] std::string descriptions_of_players();

} // namespace boardwright::runtime::search
