// What a search asks of a game: moves that know their position, copies, keys, repetitions, lists in stages
// and with limits.
#include "dsl/finder.hpp"
#include "interpreter/load.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/game/playout.hpp"
#include "tests/rule_files.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace line_test {

using namespace boardwright;
using runtime::Game;
using runtime::ListLimits;
using runtime::Move;
using runtime::Stage;
using tests::load_rules;
using tests::required;

namespace {

std::vector<Move> listed(Game& game) {
  const auto moves = required(game.moves(), game.rules());
  return {moves.begin(), moves.end()};
}

std::vector<Move> stage(Game& game, Stage which, const ListLimits& limits = {}) {
  std::vector<Move> moves;
  (void)required(game.append_moves(which, moves, limits), game.rules());
  return moves;
}

bool is_stale(Game& game, const Move& move) {
  const auto before = game.position();
  const int length = game.length();
  const auto played = game.play(move);
  const auto written = game.notation(move);
  const auto captures = game.captures(move);
  const auto cells = game.from_to(move);
  CHECK(game.position().same_as(before));
  CHECK(game.length() == length);
  return !played && !written && !captures && !cells &&
         played.error().message == "this move is of another position";
}

// By player: on how many cells his piece is on top.
std::vector<int> cells_by_player(const Game& game) {
  std::vector<int> sums(game.rules().program().players.size(), 0);
  for (const auto& stack : game.position().cells)
    if (!stack.empty() && stack.back().owner >= 0) ++sums[static_cast<std::size_t>(stack.back().owner)];
  return sums;
}

void play_randomly(Game& game, int plies, std::uint64_t seed) {
  runtime::Random random(seed);
  for (int i = 0; i < plies; ++i) {
    const auto moves = game.moves();
    if (!moves || moves->empty()) return;
    REQUIRE(game.play((*moves)[random.below(moves->size())]));
  }
}

} // namespace

TEST_CASE("a move is small") {
  STATIC_REQUIRE(sizeof(Move) == 16);
  STATIC_REQUIRE(std::is_trivially_copyable_v<Move>);
}

TEST_CASE("a move of another position or another game is refused, in every bundled game") {
  for (const auto& name : tests::bundled_games()) {
    INFO(name);
    const auto rules = load_rules(name);
    Game game(rules), other(rules);
    const auto first = listed(game), others = listed(other);
    REQUIRE_FALSE(first.empty());
    CHECK(is_stale(game, others.back()));
    CHECK(is_stale(game, Move()));
    REQUIRE(game.play(first.back()));
    CHECK(is_stale(game, first.back()));
    CHECK(is_stale(game, first.front()));
    const auto second = listed(game);
    REQUIRE(game.undo());
    if (!second.empty()) CHECK(is_stale(game, second.back()));
    REQUIRE(game.play(first.front())); // its position has come back
    if (!second.empty()) CHECK(is_stale(game, second.front()));
    REQUIRE(game.undo());
    game = other;
    CHECK(is_stale(game, first.front()));
    CHECK(game.play(others.back()));
  }
}

TEST_CASE("a list is kept at every depth while its line is played") {
  const auto rules = load_rules("eximo");
  Game game(rules);
  std::vector<std::vector<Move>> lists;
  std::vector<std::vector<std::string>> texts;
  for (int depth = 0; depth < 30; ++depth) {
    lists.push_back(listed(game));
    texts.push_back(required(game.notations(), *rules));
    if (lists.back().empty()) break;
    REQUIRE(game.play(lists.back()[lists.back().size() / 2]));
  }
  while (lists.size() > 1) {
    if (static_cast<std::size_t>(game.length()) == lists.size()) REQUIRE(game.undo());
    for (std::size_t i = 0; i < lists.back().size(); ++i)
      CHECK(required(game.notation(lists.back()[i]), *rules) == texts.back()[i]);
    lists.pop_back();
    texts.pop_back();
    REQUIRE(game.undo());
  }
}

TEST_CASE("lists far behind are made again when their positions come back") {
  const auto rules = load_rules("intermedium"); // thousands of moves: the lists behind take too much to keep
  Game game(rules);
  std::vector<Move> first = listed(game);
  const auto text = required(game.notation(first.back()), *rules);
  play_randomly(game, tests::kSanitized ? 20 : 150, 3);
  while (game.length() > 0) REQUIRE(game.undo());
  CHECK(required(game.notation(first.back()), *rules) == text);
  CHECK(listed(game) == first);
  CHECK(game.play(first.back()));
}

TEST_CASE("a copy goes its own way, with the same past") {
  for (const char* name : {"eximo", "tempo", "chess"}) {
    INFO(name);
    const auto rules = load_rules(name == std::string("chess") ? tests::test_rules("chess") : name);
    Game game(rules);
    play_randomly(game, 9, 5);
    const auto moves = listed(game);
    REQUIRE_FALSE(moves.empty());
    Game copy(game);
    CHECK(copy.position().same_as(game.position()));
    CHECK(copy.length() == game.length());
    CHECK(copy.key() == game.key());
    Game unasked(copy); // whose moves another copy lists
    Game asked(unasked);
    const auto by_another = listed(asked);
    CHECK(unasked.play(by_another.back()));
    CHECK(listed(copy) == moves);
    REQUIRE(copy.play(moves.front()));
    const auto later = listed(copy);
    CHECK(game.length() == 9);
    REQUIRE(game.play(moves.front()));
    CHECK(game.key() == copy.key());
    if (!later.empty()) CHECK(is_stale(game, later.front()));
    while (copy.length() > 0) REQUIRE(copy.undo());
    CHECK(copy.position().same_as(rules->program().initial));
    CHECK(game.length() == 10);
  }
}

TEST_CASE("equal positions have equal keys, and are counted") {
  const auto rules = load_rules(tests::test_rules("chess"));
  Game game(rules);
  const auto key = game.key();
  CHECK(game.repetitions() == 0);
  std::set<std::uint64_t> keys = {key};
  const auto play = [&](const char* text) {
    const auto move = required(game.find(text), *rules);
    REQUIRE(move);
    REQUIRE(game.play(*move));
  };
  for (const char* text : {"Nb1-c3", "Nb8-c6", "Nc3-b1"}) {
    const auto plain = std::string(text).substr(1);
    const auto move = required(game.find(plain), *rules);
    REQUIRE(move);
    REQUIRE(game.play(*move));
    CHECK(keys.insert(game.key()).second);
    CHECK(game.repetitions() == 0);
  }
  play("c6-b8");
  CHECK(game.key() == key);
  CHECK(game.repetitions() == 1);
  REQUIRE(game.undo());
  CHECK(game.repetitions() == 0);
}

TEST_CASE("the two stages of a list are the list, and captures take something") {
  for (const auto& name : tests::bundled_games()) {
    INFO(name);
    const auto rules = load_rules(name);
    Game game(rules);
    play_randomly(game, 12, 7);
    const auto all = listed(game);
    auto moves = stage(game, Stage::captures);
    for (const Move move : moves) CHECK(required(game.captures(move), *rules));
    const auto rest = stage(game, Stage::rest);
    for (std::size_t i = 0; i < rest.size() && i < 20; ++i)
      CHECK_FALSE(required(game.captures(rest[i]), *rules));
    moves.insert(moves.end(), rest.begin(), rest.end());
    std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.index() < b.index(); });
    CHECK(moves == all);
  }
}

// Where each group may grow, some positions have too many turns to be gone through.
constexpr int kMostGivenUp = 1;

TEST_CASE("captures are what the board shows after the move") {
  std::vector<std::string> names = tests::bundled_games();
  for (const char* name : {"chess", "draughts", "go", "konane", "lasca", "reversi", "tablut"})
    names.push_back(tests::test_rules(name));
  int captures = 0, given_up = 0;
  constexpr int kRounds = tests::kSanitized ? 1 : 6;
  for (const auto& name : names) {
    INFO(name);
    const auto rules = load_rules(name);
    Game game(rules);
    for (int round = 0; round < kRounds; ++round) {
      play_randomly(game, 7, static_cast<std::uint64_t>(round));
      const auto before = cells_by_player(game);
      const int mover = game.to_move();
      const auto all = game.moves();
      if (!all) {
        CHECK_THAT(all.error().message, Catch::Contains("too long"));
        ++given_up;
        break;
      }
      const std::vector<Move> moves(all->begin(), all->end());
      for (std::size_t i = 0; i < moves.size(); i += 1 + moves.size() / 40) {
        const bool told = required(game.captures(moves[i]), *rules);
        REQUIRE(game.play(moves[i]));
        const auto after = cells_by_player(game);
        bool fewer = false;
        for (std::size_t p = 0; p < after.size(); ++p)
          fewer = fewer || (static_cast<int>(p) != mover && after[p] < before[p]);
        CHECK(told == fewer);
        captures += fewer ? 1 : 0;
        REQUIRE(game.undo());
      }
    }
  }
  CHECK(captures > 17 * kRounds);
  CHECK(given_up <= kMostGivenUp);
}

TEST_CASE("captures and the cells of a move, where they are known") {
  const auto rules = load_rules("breakthrough");
  Game game(rules);
  const auto play = [&](const char* text) {
    const auto move = required(game.find(text), *rules);
    REQUIRE(move);
    const auto cells = required(game.from_to(*move), *rules);
    const auto& board = rules->program().board;
    CHECK(board.name[static_cast<std::size_t>(cells.from)] == std::string(text).substr(0, 2));
    CHECK(board.name[static_cast<std::size_t>(cells.to)] == std::string(text).substr(3, 2));
    const bool captures = required(game.captures(*move), *rules);
    REQUIRE(game.play(*move));
    return captures;
  };
  for (const char* text : {"a2-a3", "b7-b6", "a3-a4", "b6-b5"}) CHECK_FALSE(play(text));
  CHECK(stage(game, Stage::captures).size() == 1);
  CHECK(play("a4xb5"));
}

TEST_CASE("limits stop a list in the middle") {
  const auto rules = load_rules("intermedium");
  Game game(rules);
  play_randomly(game, 20, 11);
  const auto all = required(game.moves(), *rules);
  REQUIRE(all.size() > 500);
  CHECK(all.complete());
  const auto partly = [&](const ListLimits& limits) {
    Game fresh(rules, game.position());
    const auto moves = required(fresh.moves(limits), *rules);
    CHECK_FALSE(moves.complete());
    CHECK(moves.size() < all.size());
    for (std::size_t i = 0; i < moves.size(); i += 50) {
      CHECK(fresh.play(moves[i]));
      CHECK(fresh.undo());
    }
    // What is stopped can be asked for again.
    const auto again = required(fresh.moves(), *rules);
    CHECK(again.complete());
    CHECK(again.size() == all.size());
    return moves.size();
  };
  ListLimits few;
  few.most_moves = 100;
  CHECK(partly(few) >= 100);
  ListLimits small;
  small.most_bytes = 1000;
  CHECK(partly(small) > 0);
  ListLimits late;
  late.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  CHECK(partly(late) == 0);
  ListLimits stopped;
  const std::atomic<bool> stop = true;
  stopped.stop = &stop;
  CHECK(partly(stopped) == 0);
  Game fresh(rules, game.position());
  std::vector<Move> none;
  CHECK_FALSE(required(fresh.append_moves(Stage::captures, none, late), *rules));
  CHECK(none.empty());
  CHECK(stage(fresh, Stage::captures).size() + stage(fresh, Stage::rest).size() == all.size());
}

// The lines of `end` behind one that asks for moves aren't come to where the list is stopped.
TEST_CASE("a list that is cut short has no moves where the game is over") {
  auto loaded = interpreter::load_text(
      "cut.yaml",
      "game: Cut\nplayers: { A: north, B: south }\nboard: { squares: 5 by 5 }\npieces: { man: a b }\n"
      "turn: place(man, empty)\nend:\n  - lose when no move\n  - win when ply >= 2\n");
  INFO(loaded.errors());
  REQUIRE(loaded);
  Game game(loaded.rules);
  ListLimits few;
  few.most_moves = 3;
  for (int ply = 0; ply < 2; ++ply) {
    const auto moves = required(game.moves(few), *loaded.rules);
    REQUIRE(moves.size() >= 3);
    REQUIRE(game.play(moves[0]));
  }
  CHECK(required(game.moves(few), *loaded.rules).empty());
  CHECK(required(game.outcome(), *loaded.rules));
}

// Shorter captures are found before it is known that there are longer ones: a list that is stopped has none.
TEST_CASE("limits let nothing through that isn't among the best") {
  const auto rules = load_rules("internationaldraughts");
  Game game(rules);
  std::size_t stopped = 0;
  for (int ply = 0; ply < 60 && !required(game.outcome(), *rules); ++ply) {
    const auto all = required(game.notations(), *rules);
    for (std::size_t most = 1; most <= all.size(); ++most) {
      ListLimits limits;
      limits.most_moves = most;
      Game fresh(rules, game.position()); // else the moves are known
      const auto moves = required(fresh.moves(limits), *rules);
      CHECK(moves.size() >= most);
      CHECK(moves.complete() == (moves.size() == all.size()));
      stopped += moves.complete() ? 0 : 1;
      for (std::size_t i = 0; i < moves.size(); ++i)
        CHECK(std::find(all.begin(), all.end(), required(fresh.notation(moves[i]), *rules)) != all.end());
    }
    play_randomly(game, 1, static_cast<std::uint64_t>(ply));
  }
  CHECK(stopped > 0);
}

TEST_CASE("counting leaves moves good that have been listed") {
  const auto rules = load_rules("tempo");
  Game game(rules);
  const auto moves = listed(game);
  const auto text = required(game.notation(moves.back()), *rules);
  CHECK(required(runtime::perft(game, {1}), *rules).leaves == moves.size());
  CHECK(required(runtime::perft(game, {2}), *rules).leaves > moves.size());
  CHECK(required(game.notation(moves.back()), *rules) == text);
  CHECK(game.play(moves.back()));
}

} // namespace line_test
