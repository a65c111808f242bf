#include "runtime/search/tree_search.hpp"

#include "tests/rule_files.hpp"
#include "tests/runtime/search/searching.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <future>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace boardwright::runtime::search::tree_search_test {

using tests::load_rules;
using tests::required;

namespace {

Game played(const std::shared_ptr<const Rules>& rules, const std::vector<std::string>& moves) {
  Game game(rules);
  for (const std::string& text : moves) {
    const auto move = required(game.find(text), *rules);
    INFO(text);
    REQUIRE(move);
    REQUIRE(game.play(*move));
  }
  return game;
}

Thought thought_of(Player& player, const Game& game, const ThinkLimits& limits) {
  return required(player.think(game, limits), game.rules());
}

std::uint64_t visits(const Thought& thought) {
  return std::accumulate(thought.candidates.begin(), thought.candidates.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Candidate& c) { return sum + c.visits; });
}

std::string notation(Game game, const Thought& thought) {
  REQUIRE(thought.move);
  return required(game.notation(*thought.move), game.rules());
}

// Pieces that step to any empty neighbour: nothing is ever decided, and positions come back.
const char* const kEndless = R"(game: Endless
players: { Black: north, White: south }
board: { squares: 2 by 2 }
pieces: { man: b w }
setup: { b: a1, w: b2 }
turn: from own, step(all, empty)
)";

} // namespace

TEST_CASE("noughts and crosses are proven a draw, and the line of it is a whole game") {
  const auto rules = load_rules("tictactoe");
  const auto player = make_tree_search(rules);
  const Thought thought = thought_of(*player, Game(rules), nodes(200'000));
  CHECK(thought.proof == Proof::draw);
  CHECK(thought.value == Approx(0.5));
  CHECK(thought.nodes < 200'000);
  Game game(rules);
  for (const std::string& move : thought.line) REQUIRE(game.play(*required(game.find(move), *rules)));
  CHECK(game.length() == 9);
}

TEST_CASE("a move that wins at once is found before anything else is looked at") {
  const auto rules = load_rules("tictactoe");
  const Game game = played(rules, {"a1", "a2", "b1", "b2"});
  const auto player = make_tree_search(rules);
  const Thought thought = thought_of(*player, game, nodes(1));
  CHECK(thought.proof == Proof::win);
  CHECK(thought.value == 1);
  CHECK(notation(game, thought) == "c1");
  CHECK(thought.line == std::vector<std::string>{"c1"});
}

TEST_CASE("a threat is parried, and what can't be parried is proven lost") {
  const auto rules = load_rules("tictactoe");
  const auto player = make_tree_search(rules);
  const Game threat = played(rules, {"a1", "b2", "b1"});
  CHECK(notation(threat, thought_of(*player, threat, nodes(2000))) == "c1");
  const Game fork = played(rules, {"a1", "b2", "c3", "a3", "c1"});
  const Thought lost = thought_of(*player, fork, nodes(2000));
  CHECK(lost.proof == Proof::loss);
  CHECK(lost.value == 0);
  REQUIRE(lost.move);
}

TEST_CASE("with one thread, a seed and a limit of nodes the same is thought every time") {
  const auto rules = load_rules("breakthrough");
  TreeSearchOptions options;
  options.seed = 42;
  const auto look = [&] {
    const auto player = make_tree_search(rules, options);
    std::vector<std::uint64_t> seen;
    for (const std::uint64_t most : {std::uint64_t{500}, std::uint64_t{300}}) {
      const Thought thought = thought_of(*player, Game(rules), nodes(most));
      CHECK(thought.nodes == most);
      for (const Candidate& c : thought.candidates) {
        seen.push_back(c.move.index());
        seen.push_back(c.visits);
      }
    }
    return seen;
  };
  CHECK(look() == look());
}

TEST_CASE("what was learnt of a position is kept for the moves that follow") {
  const auto rules = load_rules("breakthrough");
  Game game(rules);
  const auto player = make_tree_search(rules);
  const Thought first = thought_of(*player, game, nodes(3000));
  CHECK(visits(first) == 3000);
  CHECK(visits(thought_of(*player, game, nodes(10))) == 3010);
  REQUIRE(first.line.size() >= 3);
  for (int k = 0; k < 2; ++k)
    REQUIRE(game.play(*required(game.find(first.line[static_cast<std::size_t>(k)]), *rules)));
  CHECK(visits(thought_of(*player, game, nodes(10))) > 20);
  // Another game, and one that went back, begin anew.
  CHECK(visits(thought_of(*player, played(rules, {"a2-a3"}), nodes(10))) == 10);
  CHECK(visits(thought_of(*player, Game(rules), nodes(10))) == 10);
  TreeSearchOptions forgetful;
  forgetful.reuse = false;
  const auto other = make_tree_search(rules, forgetful);
  for (int k = 0; k < 2; ++k) CHECK(visits(thought_of(*other, game, nodes(50))) == 50);
}

TEST_CASE("several threads work on one tree: no visit is lost") {
  const auto rules = load_rules("breakthrough");
  TreeSearchOptions options;
  options.threads = 4;
  options.most_bytes = std::size_t{8} << 20;
  const auto player = make_tree_search(rules, options);
  int told = 0;
  const auto thought = player->think(Game(rules), nodes(5000), [&](const Thought& so_far) {
    ++told;
    CHECK(so_far.move);
  });
  REQUIRE(thought);
  CHECK(visits(*thought) == 5000);
  CHECK(thought->nodes == 5000);
}

TEST_CASE("a tree that has no memory left goes on without growing") {
  const auto rules = load_rules("hex");
  TreeSearchOptions options;
  options.most_bytes = std::size_t{1} << 20;
  const auto player = make_tree_search(rules, options);
  const Thought thought = thought_of(*player, Game(rules), nodes(8000));
  CHECK(visits(thought) == 8000);
  CHECK(visits(thought_of(*player, Game(rules), nodes(100))) > 7000); // the half that is kept has the root
  TreeSearchOptions least;
  least.most_bytes = 1;
  CHECK_FALSE(make_tree_search(rules, least)->think(Game(rules), nodes(10)));
}

TEST_CASE("thinking ends at once when it is stopped, or has no time: with a legal move") {
  const auto rules = load_rules("breakthrough");
  const auto player = make_tree_search(rules);
  std::atomic<bool> stop = true;
  ThinkLimits limits;
  limits.stop = &stop;
  const Thought stopped = thought_of(*player, Game(rules), limits);
  CHECK(stopped.move);
  CHECK(visits(stopped) == 0);
  ThinkLimits late;
  late.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  CHECK(thought_of(*player, Game(rules), late).move);
  ThinkLimits no_cpu;
  no_cpu.cpu_time = std::chrono::nanoseconds(0);
  CHECK(thought_of(*player, Game(rules), no_cpu).move);
  // Without any other limit, from another thread.
  stop = false;
  auto asked = std::async(std::launch::async, [&] { return player->think(Game(rules), limits); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  stop = true;
  const auto answer = asked.get();
  REQUIRE(answer);
  CHECK(answer->move);
}

TEST_CASE("positions come back for ever where no rule minds, and thinking ends") {
  const auto loaded = interpreter::load_text("endless.yaml", kEndless);
  INFO(loaded.errors());
  REQUIRE(loaded.rules);
  const auto player = make_tree_search(loaded.rules);
  const Thought thought = thought_of(*player, Game(loaded.rules), nodes(500));
  CHECK(thought.nodes == 500);
  CHECK(thought.proof == Proof::unknown);
  CHECK(thought.value == Approx(0.5));
}

TEST_CASE("a game that is over has no move, and games of other rules are refused") {
  const auto rules = load_rules("tictactoe");
  const auto player = make_tree_search(rules);
  const Game over = played(rules, {"a1", "a2", "b1", "b2", "c1"});
  CHECK_FALSE(thought_of(*player, over, nodes(10)).move);
  CHECK_FALSE(player->think(Game(load_rules("tictactoe")), nodes(10)));
}

TEST_CASE("three players and more, and one alone") {
  const auto four = load_rules("halma4");
  CHECK(four->program().players.size() > 2);
  const auto player = make_tree_search(four);
  const Thought thought = thought_of(*player, Game(four), nodes(30));
  CHECK(thought.move);
  CHECK(visits(thought) == 30);
  const auto alone = load_rules("triangularsolitaire");
  const auto solver = make_tree_search(alone);
  CHECK(thought_of(*solver, Game(alone), nodes(300)).move);
}

TEST_CASE("a position with thousands of moves costs no more than what was tried of it") {
  const auto rules = load_rules("arimaa");
  const auto player = make_tree_search(rules);
  const Thought thought = thought_of(*player, Game(rules), nodes(4));
  CHECK(thought.candidates.size() <= 4);
  CHECK(visits(thought) == 4);
}

} // namespace boardwright::runtime::search::tree_search_test
