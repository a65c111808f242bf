// Which moves capture: told by their code where it can be, and the same as the board shows.
#include "tests/runtime/search/searching.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <vector>

namespace boardwright::runtime::captures_test {

using search::rules_of;

namespace {

// By player: the cells with his piece on top.
std::array<int, 8> cells_of_players(const Game& game) {
  std::array<int, 8> cells{};
  for (const Stack& stack : game.position().cells)
    if (!stack.empty() && stack.back().owner >= 0) ++cells[static_cast<std::size_t>(stack.back().owner)];
  return cells;
}

bool leaves_another_fewer(Game& game, const Move& move) {
  const auto mover = static_cast<std::size_t>(game.to_move());
  const auto before = cells_of_players(game);
  REQUIRE(game.play(move));
  const auto after = cells_of_players(game);
  game.undo();
  bool fewer = false;
  for (std::size_t p = 0; p < before.size(); ++p) fewer = fewer || (p != mover && after[p] < before[p]);
  return fewer;
}

void check_captures(Game& game) {
  std::vector<Move> captures;
  REQUIRE(game.append_moves(Stage::captures, captures));
  const auto moves = game.moves();
  REQUIRE(moves);
  std::size_t next = 0;
  for (const Move move : *moves) {
    const bool captures_something = leaves_another_fewer(game, move);
    const bool listed = next < captures.size() && captures[next].index() == move.index();
    CHECK(listed == captures_something);
    CHECK(*game.captures(move) == captures_something);
    next += listed ? 1 : 0;
  }
  CHECK(next == captures.size());
}

} // namespace

TEST_CASE("captures are the moves that leave another player fewer cells") {
  for (const char* name : {"chess", "xiangqi", "minishogi", "breakthrough", "englishdraughts", "reversi",
                           "hasami", "surakarta", "lasca", "tablut", "epaminondas", "atomic"}) {
    INFO(name);
    Game game(rules_of(name));
    Random random(mix(3));
    for (int ply = 0; ply < 60; ++ply) {
      const auto moves = game.moves();
      REQUIRE(moves);
      if (moves->empty()) break;
      if (ply % 6 == 5) check_captures(game);
      const auto again = game.moves();
      REQUIRE(game.play((*again)[random.below(again->size())]));
    }
  }
}

TEST_CASE("limits end the search for captures") {
  Game game(rules_of("hasami"));
  const std::atomic<bool> stop = true;
  ListLimits limits;
  limits.stop = &stop;
  REQUIRE(game.moves());
  std::vector<Move> captures;
  const auto complete = game.append_moves(Stage::captures, captures, limits);
  REQUIRE(complete);
  CHECK_FALSE(*complete);
}

} // namespace boardwright::runtime::captures_test
