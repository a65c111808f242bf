// The bundled games pass the tests that their own files hold, and a few that a file can't express.
#include "rule_files.hpp"

#include "dsl/finder.hpp"
#include "interpreter/self_tests/self_test.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace games_test {

using namespace boardwright;
using runtime::Game;
using runtime::Position;
using tests::load_rules;
using tests::required;

namespace {

const std::vector<std::string> kGames = tests::bundled_games();

// The cells on which a piece of `victim` can be taken by a move of `hunter`, a hunter's piece beside it and
// another anywhere on the board, nothing else near.
class Flanking {
public:
  explicit Flanking(std::shared_ptr<const runtime::Rules> rules)
      : rules_(std::move(rules)), board_(rules_->program().board) {}

  std::set<std::string> safe_cells(int victim) const {
    std::set<std::string> safe;
    for (int cell = 0; cell < board_.cells; ++cell)
      if (may_rest(victim, cell) && !can_be_taken(victim, cell)) safe.insert(name(cell));
    return safe;
  }

private:
  // Red's lines are the even files and odd ranks, Blue's the others.
  bool may_rest(int player, int cell) const {
    const auto c = static_cast<std::size_t>(cell);
    return (board_.x[c] % 2 == 0) == (player == 0) || (board_.y[c] % 2 == 1) == (player == 0);
  }
  const std::string& name(int cell) const { return board_.name[static_cast<std::size_t>(cell)]; }

  bool can_be_taken(int victim, int cell) const {
    const auto c = static_cast<std::size_t>(cell);
    for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      const int beside = board_.cell_at(board_.x[c] + dx, board_.y[c] + dy);
      if (beside == runtime::kNowhere || !may_rest(1 - victim, beside)) continue;
      for (int other = 0; other < board_.cells; ++other)
        if (other != cell && other != beside && may_rest(1 - victim, other) &&
            takes(victim, cell, beside, other))
          return true;
    }
    return false;
  }

  bool takes(int victim, int cell, int beside, int other) const {
    Position position = runtime::blank_position(rules_->program());
    const auto put = [&](int where, int owner) {
      position.cells[static_cast<std::size_t>(where)] = {{static_cast<std::int8_t>(owner), 0}};
    };
    put(cell, victim), put(beside, 1 - victim), put(other, 1 - victim);
    position.to_move = 1 - victim;
    Game game(rules_, position);
    const auto moves = required(game.notations(), *rules_);
    return std::any_of(moves.begin(), moves.end(),
                       [&](const std::string& move) { return move.ends_with("x" + name(cell)); });
  }

  std::shared_ptr<const runtime::Rules> rules_;
  const runtime::Board& board_;
};

void play(Game& game, const std::vector<std::string>& moves) {
  for (const auto& text : moves) {
    const auto move = required(game.find(text), game.rules());
    INFO(text);
    REQUIRE(move.has_value());
    game.play(*move);
  }
}

} // namespace

TEST_CASE("bundled games pass their own tests") {
  for (const auto& name : kGames) DYNAMIC_SECTION(name) {
      const auto loaded = interpreter::load(name);
      INFO(loaded.errors());
      REQUIRE(loaded);
      const auto run = interpreter::run_tests(loaded, name, {}, dsl::standard_finder());
      INFO(dsl::render(run.diagnostics, loaded.sources, false));
      CHECK_FALSE(run.results.empty());
      CHECK_FALSE(run.diagnostics.has_errors());
      for (const auto& result : run.results) {
        INFO(result.name);
        CHECK(result.passed);
      }
    }
}

TEST_CASE("bundled games load without a warning") {
  for (const auto& name : kGames) {
    const auto loaded = interpreter::load(name);
    INFO(loaded.errors());
    CHECK(loaded.diagnostics.all().empty());
  }
}

// The rules say so, and that it comes out of the two grids and nothing else is a check of the board.
TEST_CASE("antigrid: a gem is safe only where it began and on the far point") {
  const Flanking flanking(load_rules("antigrid", {{"loses_with", "one_left"}}));
  CHECK(flanking.safe_cells(0) ==
        std::set<std::string>{"l1", "l3", "l5", "l7", "l9", "l11", "b1", "d1", "f1", "h1", "j1", "b11"});
  CHECK(flanking.safe_cells(1) ==
        std::set<std::string>{"a2", "a4", "a6", "a8", "a10", "a12", "c12", "e12", "g12", "i12", "k12", "k2"});
}

TEST_CASE("scalus: the game of the rules leaves seven ways to take the last stone moved") {
  Game game(load_rules("scalus"));
  play(game, {"e4-e7(e4)", "d13-f13-f15-d15(f15)", "e8-f9", "b11-f11-f15-b15(d11)", "f9-e10(f9)xd11"});
  const auto moves = required(game.notations(), game.rules());
  CHECK(std::count_if(moves.begin(), moves.end(), [](const auto& move) { return move.ends_with("xd11"); }) ==
        7);
}

} // namespace games_test
