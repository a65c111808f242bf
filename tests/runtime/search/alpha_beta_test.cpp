#include "runtime/search/alpha_beta.hpp"

#include "runtime/search/features.hpp"
#include "runtime/search/long_lists.hpp"
#include "tests/runtime/search/searching.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace boardwright::runtime::search::alpha_beta_test {
namespace {

Game after(const std::shared_ptr<const Rules>& rules, const std::vector<std::string>& moves) {
  Game game(rules);
  for (const std::string& text : moves) {
    const auto move = game.find(text);
    if (!move || !*move) FAIL("no move " << text);
    REQUIRE(game.play(**move));
  }
  return game;
}

Thought thought_of(Player& player, const Game& game, std::uint64_t nodes) {
  ThinkLimits limits;
  limits.most_nodes = nodes;
  auto thought = player.think(game, limits);
  if (!thought) FAIL(thought.error().message);
  return *thought;
}

} // namespace

TEST_CASE("alpha-beta proves a draw where the whole game can be seen") {
  const auto rules = rules_of("tictactoe");
  const auto player = make_alpha_beta(rules);
  const Thought thought = thought_of(*player, Game(rules), 1'000'000);
  CHECK(thought.proof == Proof::draw);
  CHECK(thought.value == Approx(0.5));
  CHECK(thought.line.size() > 0);
}

TEST_CASE("alpha-beta finds a win and a loss, says so and stops") {
  const auto rules = rules_of("tictactoe");
  const auto player = make_alpha_beta(rules);
  const Game win = after(rules, {"a1", "a2", "b1", "b2"});
  const Thought found = thought_of(*player, win, 1'000'000);
  CHECK(found.proof == Proof::win);
  CHECK(found.value == 1);
  CHECK(found.depth == 1); // the nearest one
  REQUIRE(found.line.size() == 1);
  CHECK(found.line.front() == "c1");
  CHECK(found.nodes < 5); // of five moves: nothing is better than to win, so no other is looked at
  // Two threats at once.
  const Game loss = after(rules, {"a1", "b1", "a3", "a2", "c3"});
  const Thought lost = thought_of(*player, loss, 1'000'000);
  CHECK(lost.proof == Proof::loss);
  CHECK(lost.value == 0);
  CHECK(lost.move);
}

TEST_CASE("a limit of nodes makes a thought repeatable, and is kept") {
  const auto rules = rules_of("breakthrough");
  for (const std::uint64_t nodes : {1U, 100U, 5000U}) {
    const auto one = make_alpha_beta(rules), other = make_alpha_beta(rules);
    const Thought a = thought_of(*one, Game(rules), nodes), b = thought_of(*other, Game(rules), nodes);
    CHECK(a.nodes <= nodes + 1);
    CHECK(a.move->index() == b.move->index());
    CHECK(a.line == b.line);
    CHECK(a.value == b.value);
    CHECK(a.depth == b.depth);
  }
}

TEST_CASE("several threads on one table prove what one proves") {
  const auto rules = rules_of("tictactoe");
  const auto features = std::make_shared<const Features>(rules);
  AlphaBetaOptions options;
  options.threads = 3;
  const auto player = make_alpha_beta(features, options);
  CHECK(thought_of(*player, Game(rules), 3'000'000).proof == Proof::draw);
  CHECK(thought_of(*player, after(rules, {"a1", "a2", "b1", "b2"}), 3'000'000).proof == Proof::win);
  CHECK(thought_of(*player, after(rules, {"a1", "b1", "a3", "a2", "c3"}), 3'000'000).proof == Proof::loss);
}

TEST_CASE("several threads share a limit of nodes, and end with the first one") {
  const auto rules = rules_of("breakthrough");
  AlphaBetaOptions options;
  options.threads = 3;
  const auto player = make_alpha_beta(std::make_shared<const Features>(rules), options);
  for (const std::uint64_t nodes : {1U, 2U, 100U, 20'000U}) {
    const Thought thought = thought_of(*player, Game(rules), nodes);
    CHECK(thought.move);
    CHECK(thought.nodes <= nodes + 2U * 3); // each thread sees it one too late
  }
  const std::atomic<bool> stop = true;
  ThinkLimits limits;
  limits.stop = &stop;
  CHECK(player->think(Game(rules), limits)->move);
  std::uint64_t told = 0;
  limits = nodes(20'000);
  REQUIRE(player->think(Game(rules), limits, [&](const Thought& now) {
    CHECK(now.nodes >= told);
    told = now.nodes;
  }));
  CHECK(told > 0);
}

TEST_CASE("who listens to several threads and throws ends them all") {
  const auto rules = rules_of("chess");
  AlphaBetaOptions options;
  options.threads = 2;
  const auto player = make_alpha_beta(std::make_shared<const Features>(rules), options);
  CHECK_THROWS_AS(player->think(Game(rules), {}, [](const Thought&) { throw 1; }), int);
  CHECK(thought_of(*player, Game(rules), 100).move); // and it goes on
}

TEST_CASE("the move is one of the position, also where there is no time at all") {
  for (const char* name :
       {"chess", "eximo", "tempo", "scalus", "antigrid", "intermedium", "reversi", "amazons"}) {
    const auto rules = rules_of(name);
    Game game(rules);
    const auto player = make_alpha_beta(rules);
    ThinkLimits limits;
    limits.deadline = std::chrono::steady_clock::now();
    const auto thought = player->think(game, limits);
    REQUIRE(thought);
    REQUIRE(thought->move);
    CHECK(thought->line.size() > 0);
    CHECK(game.play(*thought->move));
  }
}

TEST_CASE("the stop flag is seen") {
  const auto rules = rules_of("chess");
  const auto player = make_alpha_beta(rules);
  const std::atomic<bool> stop = true;
  ThinkLimits limits;
  limits.stop = &stop;
  const auto thought = player->think(Game(rules), limits);
  REQUIRE(thought);
  CHECK(thought->move);
  CHECK(thought->nodes <= 2);
}

TEST_CASE("a limit of CPU time is kept") {
  const auto rules = rules_of("chess");
  const auto player = make_alpha_beta(rules);
  ThinkLimits limits;
  limits.cpu_time = std::chrono::milliseconds(20);
  const auto thought = player->think(Game(rules), limits); // without one it would go on for years
  REQUIRE(thought);
  CHECK(thought->move);
}

TEST_CASE("where lists are long, the end of a line has none: every first move is judged for the price of its "
          "turn") {
  const auto rules = rules_of("arimaa");
  constexpr std::uint64_t kFirstMoves = 20'652;
  const auto player = make_alpha_beta(rules);
  const Thought thought = thought_of(*player, Game(rules), kFirstMoves + 2000);
  CHECK(thought.nodes > kFirstMoves);
  CHECK(thought.depth == 1);
}

TEST_CASE("lists are long of more than a hundred moves, where pieces are worth about the same") {
  const std::vector<std::int32_t> alike{0, 1000, 1999}, unlike{0, 1000, 2000};
  CHECK(are_alike(alike));
  CHECK_FALSE(are_alike(unlike));
  CHECK(are_alike({0, 1000})); // what is worth nothing isn't compared
  CHECK_FALSE(has_long_lists(false, kLongList, alike));
  CHECK(has_long_lists(false, kLongList + 0.01, alike));
  CHECK_FALSE(has_long_lists(false, kLongList + 0.01, unlike));
  CHECK(has_long_lists(true, 1, unlike)); // a list that took too long is always too long
}

TEST_CASE("a list takes a third of the time that is left, and others all of it") {
  using Time = std::chrono::steady_clock::time_point;
  using std::chrono::milliseconds;
  const Time now{milliseconds(1000)}, due{milliseconds(1900)};
  CHECK(part_of_time(now, due, kShareOfList) == Time{milliseconds(1300)});
  CHECK(part_of_time(now, due, 1) == due);
}

// Where lists are long captures aren't followed either, so that it makes no difference to ask for it.
TEST_CASE("captures are followed where lists are short, and not where they are long") {
  const auto looked_at = [](const std::shared_ptr<const Features>& features, bool quiescence) {
    AlphaBetaOptions options;
    options.most_depth = 2;
    options.quiescence = quiescence;
    const auto thought =
        make_alpha_beta(features, options)->think(Game(features->shared_rules()), nodes(20'000));
    REQUIRE(thought);
    return thought->nodes;
  };
  const auto features_of = [](const char* name) { return std::make_shared<const Features>(rules_of(name)); };
  const auto chess = features_of("chess"), scalus = features_of("scalus");
  CHECK(chess->sample().moves < kLongList);
  CHECK(scalus->sample().moves > kLongList);
  CHECK(looked_at(chess, true) != looked_at(chess, false));
  CHECK(looked_at(scalus, true) == looked_at(scalus, false));
}

// Black is five against seven, and gives two men more. White must take them, and loses four, his king among
// them.
TEST_CASE("who is forced to capture can't stand as he is") {
  const auto loaded = interpreter::load_text("shot.yaml", "extends: englishdraughts\n"
                                                          "setup:\n"
                                                          "  b: a3 | g3 | f2 | h2 | g1\n"
                                                          "  w: f8 | h8 | c7 | g7 | a5 | g5\n"
                                                          "  W: e1\n");
  if (!loaded) FAIL(loaded.errors());
  const auto features = std::make_shared<const Features>(loaded.rules);
  AlphaBetaOptions options;
  options.most_depth = 1;
  const auto thought = make_alpha_beta(features, options)->think(Game(loaded.rules), nodes(1'000));
  REQUIRE(thought);
  CHECK(thought->line.front() == "g3-h4");
  CHECK(thought->value > 0.5);
}

TEST_CASE("a game that is over has no move, and one of other rules is refused") {
  const auto rules = rules_of("tictactoe");
  const auto player = make_alpha_beta(rules);
  const Game over = after(rules, {"a1", "a2", "b1", "b2", "c1"});
  CHECK_FALSE(thought_of(*player, over, 100).move);
  CHECK_FALSE(player->think(Game(rules_of("tictactoe")), {}));
}

TEST_CASE("every line that is told can be played") {
  for (const char* name : {"chess", "eximo", "englishdraughts", "tempo"}) {
    INFO(name);
    const auto rules = rules_of(name);
    const auto player = make_alpha_beta(rules);
    ThinkLimits limits;
    limits.most_nodes = 20000;
    int told = 0;
    const auto thought = player->think(Game(rules), limits, [&](const Thought& now) {
      ++told;
      (void)after(rules, now.line);
    });
    REQUIRE(thought);
    CHECK(told > 0);
    (void)after(rules, thought->line);
  }
}

namespace {} // namespace

// Whoever closes a box moves again.
TEST_CASE("several moves of one player in a row are his") {
  for (const char* size : {"1", "2"}) {
    const auto rules = rules_of("dots", {{"size", size}});
    Game game(rules);
    std::map<std::uint64_t, int> known;
    const auto player = make_alpha_beta(rules);
    CHECK(thought_of(*player, game, 10'000'000).proof == proof_of(result_of(game, known)));
  }
}

TEST_CASE("four players: all others play against the one who thinks") {
  const auto rules = rules_of("halma4");
  const auto player = make_alpha_beta(rules);
  const Thought thought = thought_of(*player, Game(rules), 300);
  CHECK(thought.move);
  CHECK(thought.proof == Proof::unknown);
}

} // namespace boardwright::runtime::search::alpha_beta_test
