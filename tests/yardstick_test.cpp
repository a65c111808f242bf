// The games written by hand (bench/) against the engine: on positions of random games they list the same
// moves, and see the same outcomes.
#include "rule_files.hpp"

#include "bench/eximo.hpp"
#include "bench/scalus.hpp"

#include "runtime/machine.hpp"
#include "runtime/perft.hpp"
#include "runtime/playout.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace boardwright;
using tests::load_rules;
using tests::required;
using yardstick::kNobody;

namespace {

using Results = std::vector<std::string>; // sorted; of the moves of a position

// Owners by rank from the bottom, the player to move, and who won.
template <class G>
std::string describe(const G& game) {
  std::string text;
  for (int y = 1; y <= G::kRanks; ++y) {
    for (int x = 1; x <= G::kFiles; ++x)
      text += game.owner(x, y) == kNobody ? '.' : static_cast<char>('0' + game.owner(x, y));
    text += '/';
  }
  text += static_cast<char>('0' + game.to_move());
  if (game.winner()) text += " won by " + std::to_string(*game.winner());
  return text;
}

template <class G>
G by_hand(const runtime::Board& board, const runtime::Position& position) {
  G game = G::blank(position.to_move);
  for (std::size_t cell = 0; cell < position.cells.size(); ++cell)
    if (!position.cells[cell].empty())
      game.put(board.x[cell], board.y[cell], position.cells[cell].front().owner);
  return game;
}

std::optional<int> winner_of(const std::optional<runtime::Outcome>& outcome) {
  if (!outcome) return std::nullopt;
  REQUIRE((outcome->winners == 1 || outcome->winners == 2));
  return outcome->winners == 1 ? 0 : 1;
}

// Who won, the end at the next player's turn included.
template <class G>
std::optional<int> outcome_by_hand(G& game) {
  std::vector<typename G::Move> moves;
  game.list(moves);
  if (game.winner() || !moves.empty()) return game.winner();
  return 1 - game.to_move();
}

template <class G>
Results results_by_hand(G& game) {
  std::vector<typename G::Move> moves;
  game.list(moves);
  Results results;
  for (const auto& move : moves) {
    G next = game;
    next.play(move);
    results.push_back(describe(next));
  }
  std::sort(results.begin(), results.end());
  return results;
}

template <class G>
Results results_of(runtime::Game& game) {
  const auto listed = required(game.moves(), game.rules());
  const std::vector<runtime::Move> moves(listed.begin(), listed.end());
  Results results;
  for (const auto& move : moves) {
    (void)required(game.moves(), game.rules());
    game.play(move);
    std::string text = describe(by_hand<G>(game.rules().program().board, game.position()));
    const auto outcome = required(game.outcome(), game.rules());
    if (outcome && outcome->by == runtime::Outcome::By::move)
      text += " won by " + std::to_string(*winner_of(outcome));
    results.push_back(text);
    REQUIRE(game.undo());
  }
  std::sort(results.begin(), results.end());
  return results;
}

// The first result that only one of the lists has; "" if they are equal.
std::string first_difference(const Results& engine, const Results& hand) {
  const auto [e, h] = std::mismatch(engine.begin(), engine.end(), hand.begin(), hand.end());
  if (e == engine.end() && h == hand.end()) return "";
  return "engine: " + (e == engine.end() ? "none" : *e) + ", by hand: " + (h == hand.end() ? "none" : *h);
}

// Compares the game's position. False when the game is over.
template <class G>
bool compare(runtime::Game& game, int depth) {
  G hand = by_hand<G>(game.rules().program().board, game.position());
  INFO("after " << game.length() << " plies: " << describe(hand));
  const auto outcome = required(game.outcome(), game.rules());
  if (outcome && outcome->by == runtime::Outcome::By::move)
    return false; // compared among the results of the move
  REQUIRE(outcome_by_hand(hand) == winner_of(outcome));
  if (outcome) return false;
  const auto hand_results = results_by_hand(hand), engine_results = results_of<G>(game);
  INFO(engine_results.size() << " moves by the engine, " << hand_results.size() << " by hand");
  REQUIRE(first_difference(engine_results, hand_results) == "");
  if (depth > 0)
    REQUIRE(yardstick::perft(hand, depth) == required(runtime::perft(game, {depth}), game.rules()).leaves);
  return true;
}

struct Plan {
  int games, plies; // games are broken off after so many plies
  int stride;       // one in so many positions is compared
  int depth;        // of perft there
};

template <class G>
void compare_games(const std::string& name, const Plan& plan) {
  const auto rules = load_rules(name);
  runtime::Random random(2013);
  for (int i = 0; i < plan.games; ++i) {
    runtime::Game game(rules);
    while (game.length() < plan.plies) {
      if ((game.length() + i) % plan.stride == 0 && !compare<G>(game, plan.depth)) break;
      const auto moves = required(game.moves(), *rules);
      if (moves.empty()) break;
      game.play(moves[static_cast<std::size_t>(random.below(moves.size()))]);
    }
  }
}

template <class G>
std::vector<std::uint64_t> counts_by_hand(std::size_t depth) {
  std::vector<std::uint64_t> found;
  G game;
  for (int d = 1; found.size() < depth; ++d) found.push_back(yardstick::perft(game, d));
  return found;
}

std::vector<std::uint64_t> counts_of(const std::string& name, std::size_t depth) {
  const auto rules = load_rules(name);
  runtime::Game game(rules);
  std::vector<std::uint64_t> found;
  for (int d = 1; found.size() < depth; ++d)
    found.push_back(required(runtime::perft(game, {d}), *rules).leaves);
  return found;
}

// Of a quantity of random games.
class Average {
public:
  void add(double value) { ++count_, sum_ += value, squares_ += value * value; }
  [[nodiscard]] double mean() const { return sum_ / count_; }
  [[nodiscard]] double variance() const {
    return (squares_ / count_ - mean() * mean()) / count_;
  } // of the mean

private:
  double count_ = 0, sum_ = 0, squares_ = 0;
};

struct Averages {
  Average plies, moves, first_wins;

  void add(double game_plies, double game_moves, std::optional<int> winner) {
    plies.add(game_plies);
    moves.add(game_moves / game_plies);
    first_wins.add(winner == 0 ? 1 : 0);
  }
};

// Five standard errors apart: once in a million times by chance, and the seeds are fixed.
void check_alike(const Average& engine, const Average& hand) {
  CHECK(std::abs(engine.mean() - hand.mean()) <= 5 * std::sqrt(engine.variance() + hand.variance()));
}

constexpr std::uint32_t kMaxPlies = 300;

template <class G>
Averages averages_by_hand(int games) {
  runtime::Random random(1);
  std::vector<typename G::Move> moves;
  Averages averages;
  for (int i = 0; i < games; ++i) {
    const auto played = yardstick::play_out(G(), random, kMaxPlies, moves);
    averages.add(played.plies, static_cast<double>(played.moves), played.winner);
  }
  return averages;
}

Averages averages_of(const std::string& name, int games) {
  const auto rules = load_rules(name);
  runtime::Game game(rules);
  runtime::Random random(2);
  Averages averages;
  for (int i = 0; i < games; ++i) {
    game.engine().reset();
    const auto played = required(game.engine().playout(random, kMaxPlies), *rules);
    averages.add(played.plies, static_cast<double>(played.moves), winner_of(played.outcome));
  }
  return averages;
}

template <class G>
void compare_averages(const std::string& name, int games) {
  const auto hand = averages_by_hand<G>(games), engine = averages_of(name, games);
  check_alike(engine.plies, hand.plies);
  check_alike(engine.moves, hand.moves);
  check_alike(engine.first_wins, hand.first_wins);
}

} // namespace

TEST_CASE("the engine and the games written by hand count the same moves") {
  std::vector<std::uint64_t> eximo{40, 1'600, 60'284, 2'093'190};
  if (tests::kSanitized) eximo.pop_back();
  const std::vector<std::uint64_t> scalus{248, 61'504};
  CHECK(counts_by_hand<yardstick::Eximo>(eximo.size()) == eximo);
  CHECK(counts_by_hand<yardstick::Scalus>(scalus.size()) == scalus);
  CHECK(counts_of("eximo", eximo.size()) == eximo);
  CHECK(counts_of("scalus", scalus.size()) == scalus);
}

TEST_CASE("games written by hand begin with the set-up of the rule file") {
  const auto begin = [](const std::string& name) { return load_rules(name)->program(); };
  const auto eximo = begin("eximo"), scalus = begin("scalus");
  CHECK(describe(by_hand<yardstick::Eximo>(eximo.board, eximo.initial)) == describe(yardstick::Eximo()));
  CHECK(describe(by_hand<yardstick::Scalus>(scalus.board, scalus.initial)) == describe(yardstick::Scalus()));
}

TEST_CASE("the engine and the games written by hand agree on random positions") {
  constexpr int kFewer = tests::kSanitized ? 10 : 1;
  SECTION("eximo") { compare_games<yardstick::Eximo>("eximo", {200 / kFewer, 1000, 3, 2}); }
  SECTION("scalus") { compare_games<yardstick::Scalus>("scalus", {10 / kFewer, 200, 11, 1}); }
  // Random games of it are long, and only their ends have few stones.
  SECTION("scalus to the end") { compare_games<yardstick::Scalus>("scalus", {1, 20'000 / kFewer, 47, 1}); }
}

TEST_CASE("random games of the engine are like those of the games written by hand") {
  constexpr int kGames = tests::kSanitized ? 400 : 4000;
  SECTION("eximo") { compare_averages<yardstick::Eximo>("eximo", kGames); }
  SECTION("scalus") { compare_averages<yardstick::Scalus>("scalus", kGames / 40); }
}
