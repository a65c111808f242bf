#include "runtime/search/choose_search.hpp"

#include "runtime/search/goals.hpp"

#include <fmt/format.h>

namespace boardwright::runtime::search {

namespace {

// The bounds separate 65 games of the library in which one of the two played better at 20 ms a move
// (tests/bench).
constexpr double kAllForced = 0.8;     // so often all moves capture that captures are the game itself
constexpr double kFewCaptures = 0.01;  // of the moves of random games: nothing is decided at short range
constexpr double kWideCaptures = 0.05; // what is too wide to look at each move must be worth a look
constexpr double kMoving = 0.5;        // fewer moves than this add a piece: the board doesn't fill up
constexpr double kFewMoves = 8;        // to choose from: alpha-beta looks far ahead
constexpr double kManyPlaces = 50;     // to choose from: random games seldom fill the row that counts
constexpr double kLongGame = 0.5;      // so few random games come to an end that they tell little

} // namespace

SearchChoice choose_search(const Features& features, bool learnt) {
  const Sample& sample = features.sample();
  const auto mcts = [](const std::string& why) { return SearchChoice{false, "mcts: " + why}; };
  const auto alpha_beta = [](const std::string& why) { return SearchChoice{true, "alphabeta: " + why}; };
  if (features.players() != 2) return mcts(features.players() == 1 ? "one player" : "more than two players");
  if (features.rules().program().chance && !learnt) return mcts("what is rolled decides, too");
  if (sample.wide && sample.moves == 0) // there are no random games to speak of
    return alpha_beta("each position has too many moves for random games");
  if (sample.wide && sample.captures < kWideCaptures)
    return mcts("some positions have too many moves to look at each");
  if (learnt) return alpha_beta("it has learnt weights");
  if (sample.forced > kAllForced) return mcts("nearly every move captures");
  if (sample.finished < kLongGame)
    return alpha_beta(fmt::format("only {:.0f} % of random games end", 100 * sample.finished));
  if (sample.captures > kFewCaptures)
    return alpha_beta(fmt::format("{:.0f} % of moves capture", 100 * sample.captures));
  if (sample.filling < kMoving) return alpha_beta("pieces move about, and few are added");
  if (sample.moves < kFewMoves)
    return alpha_beta(fmt::format("only {:.1f} moves to choose from", sample.moves));
  if (!features.rows().empty() && sample.moves > kManyPlaces)
    return alpha_beta("what counts is rows, on a large board");
  return mcts(asks_for_connection(features.rules().program()) ? "what counts is connection"
                                                              : "hardly any captures");
}

} // namespace boardwright::runtime::search
