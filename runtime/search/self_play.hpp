// Games that a search plays against itself: to learn from them, and to see who is stronger.
#pragma once

#include "runtime/model/random.hpp"
#include "runtime/search/evaluation.hpp"
#include "runtime/search/player.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace boardwright::runtime::search {

struct SelfPlayOptions {
  std::uint64_t seed = 1;
  std::uint64_t nodes = 150;       // for a move of a game that is learnt from
  std::uint64_t match_nodes = 600; // for a move of a match
  int most_plies = 300;            // a game that isn't over by then is a draw
  // Where dice are rolled: moves of games that are learnt from are drawn by lot, and all positions are
  // studied.
  bool at_random = false;
  // A match, and a game that is learnt from, ends when it is due; the same seed then doesn't mean the same
  // result.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const std::atomic<bool>* stop = nullptr;
};

// Alpha-beta search with a small table: hundreds of positions fill no more, and it stays in the cache.
[[nodiscard]] std::unique_ptr<Player> player_with(const std::shared_ptr<const Features>& features,
                                                  const Judgement& judgement);

// Nothing is surer than that, to be learnt from: logarithms stay finite.
inline constexpr double kLeastChance = 1e-6;

// What a player got of a game: 0, a half, 1.
[[nodiscard]] float result_for(const Outcome& outcome, int player);

// A position of a game that is learnt from: one that no capture follows, unless every move captures; where
// dice are rolled one behind a move, before the next roll, of which no numbers of moves are told.
struct Studied {
  const Game& game;
  const MoveCounts& moves; // of this position and of the one before
  double value = 0;        // what the search thought, for the player to move: the logarithm of the odds
};
struct StudiedGame {
  int plies = 0;
  Outcome outcome;
  bool cut = false; // it was stopped or due before it was over
};

// Plays game `number` of a row of them with one player on both sides; the first moves and some others are
// chosen at random, and what nature does by its weight. `study` is told its positions.
[[nodiscard]] tl::expected<StudiedGame, Fault>
play_to_learn(const Features& features, Player& player, std::uint64_t number, const SelfPlayOptions& options,
              const std::function<void(const Studied&)>& study);

// What weights say of a position for a player, and what he got.
struct Promise {
  double log_odds = 0, result = 0;
};
// How much of what weights promise comes true, up to 1, in games of so short thoughts: without it weights
// would shrink, but those that are seldom seen less than others, and what is worth more than something else
// would be lost. Not less than this: where they promise nothing, or the contrary of what comes, nothing would
// change a chance, and nothing could be learnt.
inline constexpr double kLeastCertainty = 0.25;
[[nodiscard]] double certainty_of(const std::vector<Promise>& promises);

struct MatchResult {
  int wins = 0, draws = 0, losses = 0;
  [[nodiscard]] int games() const { return wins + draws + losses; }
  [[nodiscard]] double score() const { return games() == 0 ? 0.5 : (wins + 0.5 * draws) / games(); }
};

// A sequential test of the games of a match (A. Wald, 1945; the generalised likelihood ratio of the score, M.
// Van den Bergh, 2017), at 5 %: whether the first player is rather 30 Elo points stronger than 10 weaker.
[[nodiscard]] bool surely_stronger(const MatchResult& match);
// Is it known whether the first player is stronger, or that he is not?
[[nodiscard]] bool enough(const MatchResult& match);

// Pairs of games from openings drawn at random, each played twice with sides changed, with so many nodes for
// a move.
[[nodiscard]] tl::expected<MatchResult, Fault> play_match(const std::shared_ptr<const Features>& features,
                                                          const Judgement& one, const Judgement& other,
                                                          int games, const SelfPlayOptions& options,
                                                          bool until_enough = false);

} // namespace boardwright::runtime::search
