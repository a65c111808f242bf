// Random games that begin where a game is, and that are played on after they were cut off.
#include "runtime/game/random_player.hpp"

#include "runtime/game/game.hpp"
#include "tests/rule_files.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace boardwright::runtime::random_player_test {

using tests::load_rules;
using tests::required;

namespace {

// Boards with and without stacks, of several widths, with hands, with a past that counts, for more than two.
const std::vector<std::string> kGames = {"breakthrough", "intermedium", "tempo", "minishogi",
                                         "go",           "halma4",      "scalus"};
constexpr std::uint32_t kPlies = 60;

Game after_moves(const std::shared_ptr<const Rules>& rules, int plies) {
  Game game(rules);
  Random random(7);
  for (int k = 0; k < plies; ++k) {
    const MoveList moves = required(game.moves(), *rules);
    if (moves.empty()) break;
    REQUIRE(game.play(moves[random.below(moves.size())]));
  }
  return game;
}

void check_same(const Playout& a, const Playout& b) {
  CHECK(a.outcome == b.outcome);
  CHECK(a.plies == b.plies);
  CHECK(a.moves == b.moves);
}

} // namespace

TEST_CASE("a random game from where a game is is the same as from its position") {
  for (const std::string& name : kGames) {
    INFO(name);
    const auto rules = load_rules(name);
    const Game game = after_moves(rules, 6);
    RandomPlayer from_game(rules), from_position(rules, game.position());
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      Random one(seed), two(seed);
      from_game.begin_with(game);
      check_same(required(from_game.play(one, kPlies), *rules),
                 required(from_position.play(two, kPlies), *rules));
      CHECK(from_game.position().same_as(from_position.position()));
    }
  }
}

TEST_CASE("a random game that is played on in pieces is the same as in one") {
  for (const std::string& name : kGames) {
    INFO(name);
    const auto rules = load_rules(name);
    RandomPlayer whole(rules), pieces(rules);
    Random one(3), two(3);
    const Playout played = required(whole.play(one, kPlies), *rules);
    pieces.begin_with(Game(rules));
    Playout sum;
    constexpr std::array<std::uint32_t, 4> kSteps = {1, 7, 20, 32};
    static_assert(1 + 7 + 20 + 32 == kPlies);
    for (const std::uint32_t step : kSteps) {
      if (sum.outcome) break;
      const Playout part = required(pieces.play_on(two, step), *rules);
      sum.plies += part.plies;
      sum.moves += part.moves;
      sum.outcome = part.outcome;
    }
    check_same(played, sum);
    CHECK(whole.position().same_as(pieces.position()));
  }
}

TEST_CASE("pieces are counted on the board, in stacks and in hand") {
  for (const std::string& name : kGames) {
    INFO(name);
    const auto rules = load_rules(name);
    const Program& program = rules->program();
    RandomPlayer player(rules);
    player.begin_with(after_moves(rules, 20));
    const Position position = player.position();
    const std::size_t kinds = program.kinds.size(), players = program.players.size();
    std::vector<std::int32_t> expected((players + 1) * kinds), counts;
    for (const Stack& stack : position.cells)
      for (const Piece piece : stack)
        ++expected[(piece.owner < 0 ? players : static_cast<std::size_t>(piece.owner)) * kinds +
                   static_cast<std::size_t>(piece.kind)];
    for (std::size_t p = 0; p < players; ++p)
      for (std::size_t k = 0; k < kinds; ++k)
        if (const int slot = program.hand_slot[p][k]; slot >= 0)
          expected[p * kinds + k] += position.hands[static_cast<std::size_t>(slot)];
    player.count_pieces(counts);
    CHECK(counts == expected);
    for (std::size_t p = 0; p < players; ++p) {
      int on_top = 0;
      for (const Stack& stack : position.cells)
        on_top += !stack.empty() && stack.back().owner == static_cast<int>(p) ? 1 : 0;
      CHECK(player.cells_of(static_cast<int>(p)).count() == on_top);
    }
  }
}

} // namespace boardwright::runtime::random_player_test
