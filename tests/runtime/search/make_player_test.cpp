#include "runtime/search/make_player.hpp"

#include "runtime/search/levels.hpp"
#include "tests/rule_files.hpp"
#include "tests/runtime/search/searching.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime::search::make_player_test {

using tests::load_rules;
using tests::required;

namespace {} // namespace

TEST_CASE("players are made by their description, and move") {
  const auto rules = load_rules("breakthrough");
  for (const char* description : {"random", "mcts", "mcts:", "mcts:threads=2,memory=64,reuse=off",
                                  "mcts:explore=0.7,first=0.1,history=0.5,plies=50,judge=on,judge_at=8",
                                  "level:1", "level:10", "auto"}) {
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
      {"mcts:nodes=0", "`nodes` needs a number from 1 to 18446744073709551615"},
      {"mcts:reuse=yes", "`reuse` needs on or off"},
      {"mcts:judge=yes", "`judge` needs off, auto or on"},
      {"level", "`level` needs a number from 1 to 10"},
      {"level:0", "`level` needs a number from 1 to 10"},
      {"level:11", "`level` needs a number from 1 to 10"},
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
  // Alpha-beta tells one move: a level asks for those that are nearly as good.
  const auto rules = load_rules("chess");
  const Game game(rules);
  std::set<std::uint32_t> chosen;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    PlayerChoice choice;
    choice.seed = seed;
    const auto player = make_player("level:1", rules, choice);
    REQUIRE(player);
    const Thought thought = required((*player)->think(game, {}), *rules);
    REQUIRE(thought.move);
    CHECK(thought.candidates.size() > 1);
    CHECK(thought.candidates.size() <= 4);
    CHECK(thought.candidates.front().move.index() == thought.move->index());
    chosen.insert(thought.move->index());
    // It may answer only what it is asked for.
    ThinkLimits one;
    one.only = {3};
    CHECK(required((*player)->think(game, one), *rules).move->index() == 3);
  }
  CHECK(chosen.size() > 1);
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
    CHECK(level_of(level).tolerance >= level_of(level + 1).tolerance);
  }
  CHECK(level_of(kLastLevel).tolerance == 0);
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
