#include "runtime/search/make_player.hpp"

#include "runtime/search/levels.hpp"
#include "runtime/search/varied.hpp"
#include "tests/rule_files.hpp"
#include "tests/runtime/search/searching.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime::search::make_player_test {

using tests::load_rules;
using tests::required;

TEST_CASE("players are made by their description, and move") {
  const auto rules = load_rules("breakthrough");
  for (const char* description :
       {"random", "mcts", "mcts:", "mcts:threads=2,memory=64,reuse=off",
        "mcts:explore=0.7,first=0.1,history=0.5,plies=50,judge=on,judge_at=8", "alphabeta:threads=2,memory=1",
        "level:1", "level:10", "varied:1", "varied:8", "auto"}) {
    INFO(description);
    const auto player = make_player(description, rules);
    REQUIRE(player);
    CHECK(required((*player)->think(Game(rules), nodes(40)), *rules).move);
  }
}

TEST_CASE("what is wrong with a description is said") {
  const auto rules = load_rules("tictactoe");
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "there is no player ``; there are"},
      {"mtcs", "there is no player `mtcs`; there are"},
      {"random:2", "`random` has no settings"},
      {"mcts:speed=2", "there is no setting `speed`; there are threads"},
      {"mcts:threads", "`threads` needs a number from 1 to 1024"},
      {"mcts:threads=0", "`threads` needs a number from 1 to 1024"},
      {"mcts:threads=1025", "`threads` needs a number from 1 to 1024"},
      {"mcts:threads=2x", "`threads` needs a number from 1 to 1024"},
      {"alphabeta:threads=0", "`threads` needs a number from 1 to 1024"},
      {"alphabeta:threads=1025", "`threads` needs a number from 1 to 1024"},
      {"mcts:nodes=0", "`nodes` needs a number from 1 to 18446744073709551615"},
      {"mcts:reuse=yes", "`reuse` needs on or off"},
      {"mcts:judge=yes", "`judge` needs off, auto or on"},
      {"level", "`level` needs a number from 1 to 10"},
      {"level:0", "`level` needs a number from 1 to 10"},
      {"level:11", "`level` needs a number from 1 to 10"},
      {"varied", "`varied` needs a number from 1 to 8"},
      {"varied:0", "`varied` needs a number from 1 to 8"},
      {"varied:9", "`varied` needs a number from 1 to 8"},
  };
  for (const auto& [description, message] : wrong) {
    INFO(description);
    const auto player = make_player(description, rules);
    REQUIRE_FALSE(player);
    CHECK(player.error().substr(0, message.size()) == message);
  }
}

TEST_CASE("the random player chooses among all moves, and a seed repeats it") {
  const auto rules = load_rules("tictactoe");
  const auto moves_of = [&](std::uint64_t seed) {
    const auto player = make_random_player(seed);
    std::vector<std::uint32_t> moves;
    for (int k = 0; k < 200; ++k)
      moves.push_back(required(player->think(Game(rules), {}), *rules).move->index());
    return moves;
  };
  const auto first = moves_of(1);
  CHECK(std::set<std::uint32_t>(first.begin(), first.end()).size() == 9);
  CHECK(moves_of(1) == first);
  CHECK(moves_of(2) != first);
}

TEST_CASE("a player's own limit of nodes goes before a larger one") {
  const auto rules = load_rules("breakthrough");
  for (const char* description : {"mcts:nodes=30", "alphabeta:nodes=30", "auto:nodes=30"}) {
    const auto player = make_player(description, rules);
    REQUIRE(player);
    const auto most = [&](std::uint64_t limit) {
      return required((*player)->think(Game(rules), nodes(limit)), *rules).nodes;
    };
    INFO(description);
    CHECK(std::min<std::uint64_t>(most(400), 30) == 30);
    CHECK(most(400) <= 31);
    CHECK(most(20) <= 21);
  }
}

TEST_CASE("auto takes the search that plays a game better, and says why") {
  const std::vector<std::pair<const char*, const char*>> games = {
      {"chess", "alphabeta: only"},
      {"breakthrough", "alphabeta: 10 % of moves capture"},
      {"scalus", "alphabeta: only"},
      {"reversi", "mcts: nearly every move captures"},
      {"eximo", "alphabeta: "},
      {"gomoku", "alphabeta: what counts is rows"},
      {"oware", "alphabeta: pieces move about"},
      {"connectfour", "alphabeta: only 6"},
      {"hex", "mcts: what counts is connection"},
      {"domineering", "mcts: hardly any captures"},
      {"tzaar", "mcts: some positions have too many moves"},
      {"arimaa", "alphabeta: each position has too many moves"},
      {"halma4", "mcts: more than two players"},
      {"sokoban", "mcts: one player"}};
  for (const auto& [name, why] : games) {
    const auto rules = load_rules(name);
    const auto player = make_player("auto", rules);
    REQUIRE(player);
    const std::string remark = required((*player)->think(Game(rules), nodes(2)), *rules).remark;
    INFO(name << ": " << remark);
    CHECK(remark.find(why) != std::string::npos);
  }
}

TEST_CASE("the highest levels play as auto does") {
  const auto rules = load_rules("chess");
  for (const char* level : {"level:9", "level:10"}) {
    const auto player = make_player(level, rules);
    REQUIRE(player);
    CHECK(required((*player)->think(Game(rules), nodes(50)), *rules).remark.find("alphabeta") !=
          std::string::npos);
  }
}

TEST_CASE("the others play as auto does, too, and say so of no move that they chose otherwise") {
  // Alpha-beta tells one move: a level that slips asks what some others are worth.
  const auto rules = load_rules("chess");
  const Game game(rules);
  std::set<std::uint32_t> chosen;
  std::set<std::size_t> thought_about;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    PlayerChoice choice;
    choice.seed = seed;
    const auto player = make_player("level:1", rules, choice);
    REQUIRE(player);
    const Thought thought = required((*player)->think(game, {}), *rules);
    REQUIRE(thought.move);
    CHECK(thought.candidates.size() <= 4);
    CHECK(thought.candidates.front().move.index() == thought.move->index());
    thought_about.insert(thought.candidates.size());
    chosen.insert(thought.move->index());
    // It may answer only what it is asked for.
    ThinkLimits one;
    one.only = {3};
    CHECK(required((*player)->think(game, one), *rules).move->index() == 3);
  }
  CHECK(chosen.size() > 1);
  CHECK(thought_about == std::set<std::size_t>{1, 4});
}

namespace {

// Knows that each move of the list is worth so much less than the one before it, in logarithms of odds.
class Orderly final : public Player {
public:
  Orderly(double apart, bool tells_all, std::uint32_t lost = 1000)
      : apart_(apart), tells_all_(tells_all), lost_(lost) {}

  tl::expected<Thought, Fault> think(const Game& game, const ThinkLimits& limits, const OnThought&) override {
    Game copy = game;
    const auto moves = copy.moves();
    if (!moves) return tl::unexpected(moves.error());
    time_given = limits.cpu_time;
    Thought thought;
    for (std::uint32_t k = 0; k < moves->size(); ++k)
      if (limits.allows(k))
        thought.candidates.push_back(
            {(*moves)[k], 1 / (1 + std::exp(apart_ * k)), 1, k >= lost_ ? Proof::loss : Proof::unknown});
    thought.move = thought.candidates.front().move;
    thought.value = thought.candidates.front().value;
    thought.proof = thought.candidates.front().proof;
    if (!tells_all_) thought.candidates.clear();
    return thought;
  }

  std::optional<std::chrono::nanoseconds> time_given;

private:
  double apart_;
  bool tells_all_;
  std::uint32_t lost_;
};

// What a level gives away in a game of so many plies, on average.
double given_away(int level, double plies, double apart, bool tells_all) {
  const auto rules = load_rules("chess");
  const Game game(rules);
  const auto player = make_level_player(level, plies, 7, std::make_unique<Orderly>(apart, tells_all));
  constexpr int kTurns = 20000;
  double sum = 0;
  for (int k = 0; k < kTurns; ++k) sum += apart * required(player->think(game, {}), *rules).move->index();
  return sum / kTurns * plies / 2;
}

} // namespace

TEST_CASE("a level gives away so much of a game as it is steps below full strength, whatever the game") {
  for (const bool tells_all : {false, true}) {
    for (const double plies : {30.0, 60.0}) {
      for (const double apart : {0.15, 0.2}) {
        if (tests::kSanitized && (plies != 60.0 || apart != 0.2)) continue;
        INFO(tells_all << " " << plies << " " << apart);
        CHECK(given_away(9, plies, apart, tells_all) == Approx(kGivenOfStep).epsilon(0.15));
        CHECK(given_away(5, plies, apart, tells_all) == Approx(5 * kGivenOfStep).epsilon(0.15));
        CHECK(given_away(10, plies, apart, tells_all) == 0);
      }
    }
  }
  // Where no move costs as much it gives what there is.
  CHECK(given_away(1, 60, 0.001, false) > 0);
  CHECK(given_away(1, 60, 0.001, false) < kGivenOfStep);
}

TEST_CASE("a level gives no game away that it knows to be lost then, and has time for what it looks at") {
  const auto rules = load_rules("chess");
  const Game game(rules);
  const auto player = make_level_player(1, 20, 3, std::make_unique<Orderly>(0.1, false, 1));
  for (int k = 0; k < 200; ++k) CHECK(required(player->think(game, {}), *rules).move->index() == 0);

  auto orderly = std::make_unique<Orderly>(0.1, false);
  const Orderly& asked = *orderly;
  const auto timed = make_level_player(1, 20, 3, std::move(orderly));
  ThinkLimits limits;
  limits.cpu_time = std::chrono::milliseconds(400);
  std::set<bool> slipped;
  for (int k = 0; k < 40; ++k) {
    const Thought thought = required(timed->think(game, limits), *rules);
    slipped.insert(thought.candidates.size() == 4);
    if (thought.candidates.empty()) CHECK(*asked.time_given == *limits.cpu_time);
    if (thought.candidates.size() == 4) CHECK(*asked.time_given <= *limits.cpu_time);
  }
  CHECK(slipped.size() == 2);
}

TEST_CASE("points of strength are the nearest level") {
  CHECK(level_of_elo(kFirstElo) == kFirstLevel);
  CHECK(level_of_elo(kFirstElo - 1000) == kFirstLevel);
  CHECK(level_of_elo(kFirstElo + kEloOfLevel / 2 - 1) == kFirstLevel);
  CHECK(level_of_elo(kFirstElo + kEloOfLevel / 2) == kFirstLevel + 1);
  CHECK(level_of_elo(kLastElo) == kLastLevel);
  CHECK(level_of_elo(kLastElo + 1000) == kLastLevel);
}

TEST_CASE("levels look at more and err less, one by one") {
  for (int level = kFirstLevel; level < kLastLevel; ++level) {
    CHECK(level_of(level).nodes < level_of(level + 1).nodes);
    CHECK(level_of(level).steps_given == level_of(level + 1).steps_given + 1);
  }
  CHECK(level_of(kLastLevel).steps_given == 0);
}

TEST_CASE("a varied player plays one of the moves that look nearly as good, and tells which these are") {
  const auto rules = load_rules("chess");
  const Game game(rules);
  std::set<std::uint32_t> chosen;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    PlayerChoice choice;
    choice.seed = seed;
    const auto player = make_player("varied:1", rules, choice);
    REQUIRE(player);
    const Thought thought = required((*player)->think(game, {}), *rules);
    REQUIRE(thought.move);
    CHECK(thought.candidates.size() > 1);
    CHECK(thought.candidates.size() <= 4);
    CHECK(thought.candidates.front().move.index() == thought.move->index());
    chosen.insert(thought.move->index());
  }
  CHECK(chosen.size() > 1);
  for (int strength = 1; strength < kLastVariety; ++strength) {
    CHECK(variety_of(strength).nodes < variety_of(strength + 1).nodes);
    CHECK(variety_of(strength).tolerance > variety_of(strength + 1).tolerance);
  }
}

TEST_CASE("no level leaves a win lying that it has seen") {
  const auto rules = load_rules("tictactoe");
  Game game(rules);
  for (const char* text : {"a1", "a2", "b1", "b2"}) REQUIRE(game.play(*required(game.find(text), *rules)));
  for (int level = kFirstLevel; level <= kLastLevel; ++level) {
    const auto player = make_player("level:" + std::to_string(level), rules);
    REQUIRE(player);
    const Thought thought = required((*player)->think(game, nodes(100)), *rules);
    CHECK(required(game.notation(*thought.move), *rules) == "c1");
  }
}

} // namespace boardwright::runtime::search::make_player_test
