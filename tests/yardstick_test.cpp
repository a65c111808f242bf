// The games written by hand (bench/) against the engine: on positions of random games they list the same
// moves, and see the same outcomes. Where the hand-written game can write its moves, they are compared by
// notation, and whole games are played side by side: what a position doesn't show (repetitions, the first
// moves) is compared then.
#include "by_hand.hpp"
#include "rule_files.hpp"

#include "bench/antigrid.hpp"
#include "bench/eximo.hpp"
#include "bench/intermedium.hpp"
#include "bench/scalus.hpp"
#include "bench/tempo.hpp"

#include "runtime/game/perft.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/game/random_player.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace yardstick_test {

using namespace boardwright;
using tests::by_hand;
using tests::height_of;
using tests::load_rules;
using tests::Notating;
using tests::required;
using yardstick::kNobody;

namespace {

using Results = std::vector<std::string>; // sorted; of the moves of a position

std::string won_by(int winner) { return winner == kNobody ? " drawn" : " won by " + std::to_string(winner); }

// Owners by rank from the bottom, with the heights of stacks, and the player to move.
template <class G>
std::string describe(const G& game) {
  std::string text;
  for (int y = 1; y <= G::kRanks; ++y) {
    for (int x = 1; x <= G::kFiles; ++x) {
      text += game.owner(x, y) == kNobody ? '.' : static_cast<char>('0' + game.owner(x, y));
      if (const int height = height_of(game, x, y); height > 1) text += "^" + std::to_string(height) + " ";
    }
    text += '/';
  }
  return text + static_cast<char>('0' + game.to_move());
}

std::optional<int> winner_of(const std::optional<runtime::Outcome>& outcome) {
  if (!outcome) return std::nullopt;
  if (outcome->winners == 0) return kNobody;
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
    std::string text = describe(next);
    if constexpr (Notating<G>) text = game.notation(move) + ": " + text;
    if (const auto winner = outcome_by_hand(next)) text += won_by(*winner);
    results.push_back(text);
  }
  std::sort(results.begin(), results.end());
  return results;
}

template <class G>
Results results_of(runtime::Game& game) {
  const auto listed = required(game.moves(), game.rules());
  const std::vector<runtime::Move> moves(listed.begin(), listed.end());
  std::vector<std::string> notations(moves.size());
  if constexpr (Notating<G>) notations = required(game.notations(), game.rules());
  Results results;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    (void)required(game.moves(), game.rules());
    game.play(moves[i]);
    std::string text = Notating<G> ? notations[i] + ": " : "";
    text += describe(by_hand<G>(game.rules().program().board, game.position()));
    const auto outcome = required(game.outcome(), game.rules());
    if (const auto winner = winner_of(outcome)) text += won_by(*winner);
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

// False when the game is over. A hand-written game that was made from a position doesn't know who won by the
// move before; that is compared among the results of the move.
template <class G>
bool goes_on(runtime::Game& game, G& hand) {
  const auto outcome = required(game.outcome(), game.rules());
  if (!Notating<G> && outcome && outcome->by == runtime::Outcome::By::move) return false;
  REQUIRE(outcome_by_hand(hand) == winner_of(outcome));
  return !outcome;
}

// The moves of a position, and perft.
template <class G>
void compare(runtime::Game& game, G& hand, int depth) {
  const auto hand_results = results_by_hand(hand), engine_results = results_of<G>(game);
  INFO(engine_results.size() << " moves by the engine, " << hand_results.size() << " by hand");
  REQUIRE(first_difference(engine_results, hand_results) == "");
  if (depth > 0)
    REQUIRE(yardstick::perft(hand, depth) == required(runtime::perft(game, {depth}), game.rules()).leaves);
}

struct Plan {
  int games, plies; // games are broken off after so many plies
  int stride;       // one in so many positions is compared
  int depth;        // of perft there
};

template <class G>
void play_by_notation(G& hand, const std::string& notation) {
  std::vector<typename G::Move> moves;
  hand.list(moves);
  const auto found = std::find_if(moves.begin(), moves.end(),
                                  [&](const auto& move) { return hand.notation(move) == notation; });
  INFO(notation);
  REQUIRE(found != moves.end());
  hand.play(*found);
}

template <class G>
void play(runtime::Game& game, G& hand, const runtime::Move& move) {
  if constexpr (Notating<G>) play_by_notation(hand, required(game.notation(move), game.rules()));
  game.play(move);
  if constexpr (!Notating<G>) hand = by_hand<G>(game.rules().program().board, game.position());
}

template <class G>
void compare_games(const std::string& name, const Plan& plan) {
  const auto rules = load_rules(name);
  runtime::Random random(2013);
  for (int i = 0; i < plan.games; ++i) {
    runtime::Game game(rules);
    G hand;
    while (goes_on(game, hand) && game.length() < plan.plies) {
      INFO("after " << game.length() << " plies: " << describe(hand));
      if ((game.length() + i) % plan.stride == 0) compare(game, hand, plan.depth);
      const auto moves = required(game.moves(), *rules);
      play(game, hand, moves[static_cast<std::size_t>(random.below(moves.size()))]);
    }
  }
}

// Pieces put anywhere that `may_stand` allows them: what random games seldom come to is frequent there.
template <class G, class F>
void compare_scattered(const std::string& name, int positions, std::uint64_t highest, F&& may_stand) {
  const auto rules = load_rules(name);
  const runtime::Board& board = rules->program().board;
  runtime::Random random(2013);
  for (int i = 0; i < positions; ++i) {
    auto position = runtime::blank_position(rules->program());
    position.to_move = i % 2;
    position.ply = 1000 + i % 2; // opening rules are over
    position.turns.assign(2, 500);
    const std::uint64_t tenths = 1 + random.below(9); // so full is the board
    for (std::size_t cell = 0; cell < position.cells.size(); ++cell) {
      const auto owner = static_cast<std::int8_t>(random.below(2));
      if (random.below(10) < tenths && may_stand(owner, board.x[cell], board.y[cell]))
        position.cells[cell].assign(static_cast<std::size_t>(1 + random.below(highest)), {owner, 0});
    }
    runtime::Game game(rules, position);
    G hand = by_hand<G>(board, position);
    INFO(describe(hand));
    if (goes_on(game, hand)) compare(game, hand, 1);
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

template <class G>
Averages averages_by_hand(int games, std::uint32_t max_plies) {
  runtime::Random random(1);
  std::vector<typename G::Move> moves;
  Averages averages;
  for (int i = 0; i < games; ++i) {
    const auto played = yardstick::play_out(G(), random, max_plies, moves);
    averages.add(played.plies, static_cast<double>(played.moves), played.winner);
  }
  return averages;
}

Averages averages_of(const std::string& name, int games, std::uint32_t max_plies) {
  const auto rules = load_rules(name);
  runtime::RandomPlayer player(rules);
  runtime::Random random(2);
  Averages averages;
  for (int i = 0; i < games; ++i) {
    const auto played = required(player.play(random, max_plies), *rules);
    averages.add(played.plies, static_cast<double>(played.moves), winner_of(played.outcome));
  }
  return averages;
}

template <class G>
void compare_averages(const std::string& name, int games, std::uint32_t max_plies) {
  const auto hand = averages_by_hand<G>(games, max_plies), engine = averages_of(name, games, max_plies);
  check_alike(engine.plies, hand.plies);
  check_alike(engine.moves, hand.moves);
  check_alike(engine.first_wins, hand.first_wins);
}

template <class G>
void compare_counts(const std::string& name, const std::vector<std::uint64_t>& known) {
  const std::size_t depth = known.size() - (tests::kSanitized ? 1 : 0);
  const std::vector<std::uint64_t> counts(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(depth));
  CHECK(counts_by_hand<G>(depth) == counts);
  CHECK(counts_of(name, depth) == counts);
}

template <class G>
void compare_set_ups(const std::string& name) {
  const auto program = load_rules(name)->program();
  CHECK(describe(by_hand<G>(program.board, program.initial)) == describe(G()));
}

} // namespace

TEST_CASE("the engine and the games written by hand count the same moves") {
  SECTION("antigrid") { compare_counts<yardstick::AntiGrid>("antigrid", {100, 9'650, 969'630}); }
  SECTION("eximo") { compare_counts<yardstick::Eximo>("eximo", {40, 1'600, 60'284, 2'093'190}); }
  SECTION("intermedium") { compare_counts<yardstick::Intermedium>("intermedium", {250, 62'500}); }
  SECTION("scalus") { compare_counts<yardstick::Scalus>("scalus", {248, 61'504}); }
  SECTION("tempo") { compare_counts<yardstick::Tempo>("tempo", {33, 940, 25'549, 619'182}); }
}

TEST_CASE("games written by hand begin with the set-up of the rule file") {
  compare_set_ups<yardstick::AntiGrid>("antigrid");
  compare_set_ups<yardstick::Eximo>("eximo");
  compare_set_ups<yardstick::Intermedium>("intermedium");
  compare_set_ups<yardstick::Scalus>("scalus");
  compare_set_ups<yardstick::Tempo>("tempo");
}

TEST_CASE("the engine and the games written by hand agree on random positions") {
  constexpr int kFewer = tests::kSanitized ? 10 : 1;
  SECTION("antigrid") { compare_games<yardstick::AntiGrid>("antigrid", {10 / kFewer, 400, 23, 1}); }
  // Games are long, and only their ends have players who are short of gems that can move.
  SECTION("antigrid to the end") {
    compare_games<yardstick::AntiGrid>("antigrid", {3, 10'000 / kFewer, 211, 1});
  }
  SECTION("eximo") { compare_games<yardstick::Eximo>("eximo", {200 / kFewer, 1000, 3, 2}); }
  SECTION("intermedium") { compare_games<yardstick::Intermedium>("intermedium", {20 / kFewer, 1000, 7, 1}); }
  SECTION("scalus") { compare_games<yardstick::Scalus>("scalus", {10 / kFewer, 200, 11, 1}); }
  // Random games of it are long, and only their ends have few stones.
  SECTION("scalus to the end") { compare_games<yardstick::Scalus>("scalus", {1, 20'000 / kFewer, 47, 1}); }
  SECTION("tempo") { compare_games<yardstick::Tempo>("tempo", {400 / kFewer, 1000, 5, 2}); }
}

TEST_CASE("the engine and the games written by hand agree on scattered pieces") {
  constexpr int kPositions = tests::kSanitized ? 40 : 400;
  SECTION("antigrid") { // on lines of their own
    compare_scattered<yardstick::AntiGrid>(
        "antigrid", kPositions, 1, [](int owner, int x, int y) { return x % 2 == owner || y % 2 != owner; });
  }
  SECTION("intermedium") { // on cells of one colour
    compare_scattered<yardstick::Intermedium>("intermedium", kPositions, 3,
                                              [](int owner, int x, int y) { return (x + y) % 2 != owner; });
  }
  SECTION("tempo") {
    compare_scattered<yardstick::Tempo>("tempo", kPositions, 1, [](int, int, int) { return true; });
  }
}

TEST_CASE("random games of the engine are like those of the games written by hand") {
  constexpr int kGames = tests::kSanitized ? 400 : 4000;
  SECTION("antigrid") { compare_averages<yardstick::AntiGrid>("antigrid", kGames / 40, 2000); }
  SECTION("eximo") { compare_averages<yardstick::Eximo>("eximo", kGames, 300); }
  SECTION("intermedium") { compare_averages<yardstick::Intermedium>("intermedium", kGames / 20, 1000); }
  SECTION("scalus") { compare_averages<yardstick::Scalus>("scalus", kGames / 40, 300); }
  SECTION("tempo") { compare_averages<yardstick::Tempo>("tempo", kGames, 300); }
}

// Random games hardly come to that.
TEST_CASE("Tempo by hand ends at the same repetition as the engine") {
  const auto rules = load_rules("tempo");
  const runtime::Board& board = rules->program().board;
  auto position = runtime::blank_position(rules->program());
  const auto put = [&](const std::string& cell, std::int8_t owner) {
    position.cells[static_cast<std::size_t>(board.cell_named(cell))] = {{owner, 0}};
  };
  for (const char* gold : {"12", "13", "22", "32", "33"}) put(gold, 0);
  for (const char* silver : {"15", "16", "25", "35", "36"}) put(silver, 1);
  int winner = kNobody;
  SECTION("equal numbers") {}
  SECTION("fewer of the first") { put("51", 1), winner = 0; }
  SECTION("fewer of the second") { put("51", 0), winner = 1; }
  runtime::Game game(rules, position);
  auto hand = by_hand<yardstick::Tempo>(board, position);
  for (const char* move : {"22-23", "25-26", "23-22", "26-25", "22-23", "25-26", "23-22", "26-25"}) {
    REQUIRE(goes_on(game, hand));
    play(game, hand, required(game.find(move), *rules).value());
  }
  CHECK_FALSE(goes_on(game, hand));
  CHECK(hand.winner() == winner);
}

} // namespace yardstick_test
