#include "runtime/search/choose_search.hpp"

#include "runtime/search/goals.hpp"

#include <fmt/format.h>

namespace boardwright::runtime::search {

namespace {

// The bounds are guesses: no matches have been played to find them yet.
constexpr double kManyMoves = 100; // too many for alpha-beta to look deep
constexpr double kFewCaptures =
    0.01; // of the moves of random games: without them nothing is decided at short range
constexpr double kLongGame = 0.5; // so few random games come to an end that they tell little

} // namespace

SearchChoice choose_search(const Features& features, bool learnt) {
  const Sample& sample = features.sample();
  const auto mcts = [](const std::string& why) { return SearchChoice{false, "mcts: " + why}; };
  const auto alpha_beta = [](const std::string& why) { return SearchChoice{true, "alphabeta: " + why}; };
  if (features.players() != 2) return mcts(features.players() == 1 ? "one player" : "more than two players");
  if (sample.wide || sample.moves > kManyMoves)
    return mcts(sample.wide ? "some positions have too many moves to look at each"
                            : fmt::format("{:.0f} moves to choose from", sample.moves));
  if (learnt) return alpha_beta("it has learnt weights");
  if (sample.captures <= kFewCaptures)
    return mcts(asks_for_connection(features.rules().program()) ? "what counts is connection"
                                                                : "hardly any captures");
  if (sample.finished < kLongGame)
    return alpha_beta(fmt::format("captures, and only {:.0f} % of random games end", 100 * sample.finished));
  if (sample.forced > kLongGame) return mcts("nearly every move captures");
  return alpha_beta(fmt::format("{:.0f} % of moves capture", 100 * sample.captures));
}

} // namespace boardwright::runtime::search
