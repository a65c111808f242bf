#include "runtime/game/for_search.hpp"

#include "runtime/model/pieces.hpp"
#include "runtime/model/random.hpp"
#include "tests/runtime/search/searching.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::runtime::search::for_search_test {
namespace {

// By player: the cells with his piece on top, and what they are worth.
struct Count {
  std::array<int, 8> cells{};
  std::array<int, 8> worth{};
};

Count count_of(const Game& game, const Pieces& pieces, const std::vector<std::int32_t>& worth) {
  Count count;
  for (const Stack& stack : game.position().cells) {
    if (stack.empty() || stack.back().owner < 0) continue;
    const auto owner = static_cast<std::size_t>(stack.back().owner);
    ++count.cells[owner];
    count.worth[owner] += worth[pieces.code_of(stack.back().owner, stack.back().kind)];
  }
  return count;
}

// What the move gains by playing it; nothing: it takes nothing.
std::optional<int> gain_of(Game& game, const Move& move, const Pieces& pieces,
                           const std::vector<std::int32_t>& worth) {
  const auto mover = static_cast<std::size_t>(game.to_move());
  const Count before = count_of(game, pieces, worth);
  REQUIRE(game.play(move));
  const Count after = count_of(game, pieces, worth);
  game.undo();
  bool fewer = false;
  int gain = 0;
  for (std::size_t p = 0; p < before.cells.size(); ++p) {
    fewer = fewer || (p != mover && after.cells[p] < before.cells[p]);
    gain += (after.worth[p] - before.worth[p]) * (p == mover ? 1 : -1);
  }
  return fewer ? std::optional(gain) : std::nullopt;
}

void check_captures(Game& game, const Pieces& pieces, const std::vector<std::int32_t>& worth) {
  const auto moves = game.moves();
  REQUIRE(moves);
  std::vector<Capture> captures;
  REQUIRE(append_captures(game, worth, captures));
  std::size_t next = 0;
  for (const Move move : *moves) {
    const auto gain = gain_of(game, move, pieces, worth);
    const bool listed = next < captures.size() && captures[next].move == move.index();
    CHECK(listed == gain.has_value());
    CHECK(*game.captures(move) == gain.has_value());
    if (listed) CHECK(captures[next++].gain == gain.value_or(0));
  }
  CHECK(next == captures.size());
}

} // namespace

TEST_CASE("captures are those that leave another player fewer cells, and gain what pieces are worth") {
  for (const char* name : {"chess", "xiangqi", "minishogi", "breakthrough", "englishdraughts", "reversi",
                           "hasami", "surakarta", "lasca", "tablut", "epaminondas", "atomic"}) {
    INFO(name);
    const auto rules = rules_of(name);
    const Pieces pieces(rules->program());
    std::vector<std::int32_t> worth;
    for (int code = 0; code < pieces.count(); ++code) worth.push_back(code * code + 7);
    Game game(rules);
    Random random(mix(3));
    for (int ply = 0; ply < 60; ++ply) {
      const auto moves = game.moves();
      REQUIRE(moves);
      if (moves->empty()) break;
      if (ply % 6 == 5) check_captures(game, pieces, worth);
      const auto again = game.moves();
      REQUIRE(game.play((*again)[random.below(again->size())]));
    }
  }
}

TEST_CASE("a turn is skipped and taken back") {
  const auto rules = rules_of("chess");
  Game game(rules);
  const std::uint64_t before = game.key();
  const int mover = game.to_move();
  REQUIRE(skip_turn(game));
  CHECK(game.to_move() == 1 - mover);
  CHECK(game.length() == 1);
  CHECK(game.key() != before);
  CHECK(game.moves()->size() == 20);
  REQUIRE(game.undo());
  CHECK(game.key() == before);
  CHECK(game.to_move() == mover);
  CHECK(game.repetitions() == 0);
  CHECK(game.moves()->size() == 20);
}

TEST_CASE("two skipped turns are a repetition") {
  Game game(rules_of("breakthrough"));
  REQUIRE(skip_turn(game));
  REQUIRE(skip_turn(game));
  CHECK(game.repetitions() == 1);
}

TEST_CASE("no turn is skipped where the game is over, and where there are no rules") {
  const auto rules = rules_of("tictactoe");
  Game game(rules);
  for (const char* text : {"a1", "a2", "b1", "b2", "c1"}) {
    const auto move = game.find(text);
    REQUIRE((move && *move));
    REQUIRE(game.play(**move));
  }
  REQUIRE(game.outcome());
  CHECK_FALSE(skip_turn(game));
  Game none(nullptr);
  CHECK_FALSE(skip_turn(none));
  std::vector<Capture> captures;
  CHECK_FALSE(append_captures(none, {}, captures));
}

TEST_CASE("limits end the search for captures") {
  const auto rules = rules_of("hasami");
  Game game(rules);
  const std::atomic<bool> stop = true;
  ListLimits limits;
  limits.stop = &stop;
  REQUIRE(game.moves());
  const std::vector<std::int32_t> worth(static_cast<std::size_t>(Pieces(rules->program()).count()), 1);
  std::vector<Capture> captures;
  const auto complete = append_captures(game, worth, captures, limits);
  REQUIRE(complete);
  CHECK_FALSE(*complete);
}

} // namespace boardwright::runtime::search::for_search_test
