// What a program that embeds Boardwright may do wrong, or ask for much of: it is told, or its call ends; the
// process goes on.
#include "interpreter/load.hpp"
#include "rule_files.hpp"
#include "runtime/game/inspect.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/game/random_player.hpp"
#include "runtime/model/limits.hpp"
#include "runtime/search/make_player.hpp"
#include "runtime/search/solver.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace hostile_api_test {

using namespace boardwright;
using namespace boardwright::runtime;

namespace {

std::shared_ptr<const Rules> rules_of(const std::string& turn, const std::string& more = "") {
  const auto loaded = interpreter::load_text(
      "api.yaml", "game: Api\nplayers: [A, B]\nboard: { squares: 3 by 3 }\npieces: { man: a b }\nturn: " +
                      turn + "\n" + more);
  INFO(turn << "\n" << loaded.errors());
  REQUIRE(loaded.rules != nullptr);
  return loaded.rules;
}

struct Refused : std::runtime_error {
  Refused() : std::runtime_error("refused") {}
};

// Carries it out on a thread with so small a stack.
void on_small_stack(std::size_t bytes, const std::function<void()>& work) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, bytes) == 0);
  pthread_t thread{};
  const auto begin = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  auto* const argument = const_cast<void*>(static_cast<const void*>(&work));
  REQUIRE(pthread_create(&thread, &attributes, begin, argument) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

} // namespace

TEST_CASE("perft takes no stack for its depth") {
  Game game(rules_of("pass"));
  REQUIRE(game.moves().has_value()); // what is made once is made
  constexpr int kDepth = 50'000;
  constexpr std::size_t kStack = std::size_t{tests::kSanitized ? 1024 : 64} << 10;
  tl::expected<PerftCount, Fault> counted;
  on_small_stack(kStack, [&] { counted = perft(game, {kDepth, false, nullptr}); });
  REQUIRE(counted.has_value());
  CHECK(counted->leaves == 1);
  CHECK(game.length() == 0);
  on_small_stack(kStack, [&] { counted = perft(game, {kDepth, true, nullptr}); });
  CHECK(counted.value().leaves == 1);
}

TEST_CASE("perft that is stopped, or meets a fault, leaves the game as it was") {
  Game game(rules_of("(require ply < 3, pass) or (require ply = 3, pass, drop 2 man on a1)"));
  const std::uint64_t key = game.key();
  const std::atomic<bool> stop = true;
  CHECK(perft(game, {4, false, &stop}).value().stopped);
  CHECK(game.length() == 0);
  const auto counted = perft(game, {5, false, nullptr});
  REQUIRE_FALSE(counted);
  CHECK(counted.error().origin != 0);
  CHECK(game.length() == 0);
  CHECK(game.key() == key);
}

TEST_CASE("random games see within a game that they are to stop") {
  const auto rules = rules_of("pass"); // it goes on until it is cut off: for a minute or so
  std::atomic<bool> stop = false;
  PlayoutOptions options;
  options.count = 3;
  options.max_plies = std::numeric_limits<int>::max();
  options.stop = &stop;
  for (const int threads : {1, 3}) {
    options.threads = threads;
    stop = false;
    std::thread stopping([&stop] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      stop = true;
    });
    const auto run = run_playouts(rules, options);
    stopping.join();
    CHECK(run.result.stopped);
    CHECK(run.result.playouts == 0);
    CHECK_FALSE(run.faulty.has_value());
  }
}

TEST_CASE("a progress that throws ends its call, however many threads play") {
  const auto rules = tests::load_rules("breakthrough");
  for (const int threads : {1, 4}) {
    PlayoutOptions options;
    options.count = 1'000'000;
    options.threads = threads;
    int told = 0;
    options.progress = [&told](std::uint64_t) {
      ++told;
      throw Refused();
    };
    CHECK_THROWS_AS(playouts(rules, options), Refused);
    CHECK(told == 1);
    options.progress = {};
    options.count = 20;
    CHECK(playouts(rules, options).value().playouts == 20);
  }
}

TEST_CASE("a thought that is refused ends its call, however many threads think") {
  const auto rules = tests::load_rules("breakthrough");
  const Game game(rules);
  for (const char* description : {"mcts:threads=1", "mcts:threads=3", "alphabeta"}) {
    INFO(description);
    const auto player = search::make_player(description, rules).value();
    search::ThinkLimits limits;
    CHECK_THROWS_AS((void)player->think(game, limits, [](const search::Thought&) { throw Refused(); }),
                    Refused);
    limits.most_nodes = 500;
    const auto thought = player->think(game, limits); // it thinks again
    REQUIRE(thought.has_value());
    CHECK(thought->move.has_value());
  }
}

namespace {

// Whatever is asked of it is answered with a fault, or with nothing.
void check_useless(Game& game) {
  CHECK_FALSE(game.outcome());
  CHECK_FALSE(game.moves());
  CHECK_FALSE(game.notations());
  CHECK_FALSE(game.find("a1"));
  CHECK_FALSE(game.play(Move()));
  CHECK_FALSE(game.captures(Move()));
  CHECK_FALSE(game.from_to(Move()));
  CHECK_FALSE(game.notation(Move()));
  CHECK_FALSE(game.undo());
  CHECK_FALSE(perft(game, {2, false, nullptr}));
  CHECK_FALSE(search::solve(game, {}));
  std::vector<Move> moves;
  std::vector<std::uint64_t> labels;
  CHECK_FALSE(game.append_moves(Stage::captures, moves));
  CHECK_FALSE(game.append_labels(labels));
  CHECK_FALSE(label_of_move(game, 0));
  BoardView view;
  game.look(view);
  CHECK(game.length() == 0);
  CHECK(game.key() == 0);
  CHECK(game.repetitions() == 0);
  CHECK(game.to_move() == 0);
  CHECK(game.steps() == 0);
  CHECK(game.position().cells.empty());
  game.give_up_when({});
  CHECK(game.outcome().error().message == "there are no rules");
  Game copy = game;
  CHECK_FALSE(copy.outcome());
}

} // namespace

TEST_CASE("no rules are told, and so is a game that has been moved away") {
  Game none{std::shared_ptr<const Rules>()};
  check_useless(none);
  Game with_position(nullptr, Position());
  check_useless(with_position);
  CHECK(Rules::make(nullptr)->problem() == "there are no rules");
  Game game(tests::load_rules("breakthrough"));
  Game taken = std::move(game);
  check_useless(game); // NOLINT: that is what is tested
  CHECK(taken.moves().value().size() == 22);
  game = std::move(taken);
  CHECK(game.moves().value().size() == 22);
  CHECK_FALSE(playouts(nullptr, {}));
  CHECK_FALSE(search::make_player("auto", nullptr));
  Random random(1);
  RandomPlayer player(nullptr);
  CHECK_FALSE(player.play(random, 10));
  CHECK_FALSE(player.play_on(random, 10));
  CHECK_FALSE(player.begin_with(none));
}

TEST_CASE("a random player takes no game of other rules") {
  const auto rules = tests::load_rules("breakthrough");
  RandomPlayer player(rules);
  Random random(1);
  CHECK_FALSE(player.begin_with(Game(tests::load_rules("chess"))));
  CHECK(player.begin_with(Game(rules)).has_value());
  CHECK(player.play_on(random, 4).value().plies == 4);
}

TEST_CASE("whoever gives up gets a fault, in the middle of a turn, too") {
  // Some seconds of steps.
  const auto rules = rules_of("require sum(a for a in ply .. 50000, b in 1 .. 5000) > ply, pass");
  Game game(rules);
  const std::atomic<bool> stop = true;
  game.give_up_when({&stop, nullptr, std::nullopt});
  CHECK_FALSE(game.outcome());
  CHECK(game.steps() < kMaxWork / 100);
  CHECK_FALSE(game.moves().value().complete()); // as by limits of its own
  CHECK_FALSE(Game(game).moves().value().complete());
  RandomPlayer player(rules);
  player.give_up_when({nullptr, nullptr, std::chrono::steady_clock::now()});
  Random random(1);
  CHECK_FALSE(player.play(random, 1'000));
}

TEST_CASE("what moves are made of is told of all moves, or not at all, where somebody gives up") {
  Game game(tests::load_rules("blokus"));
  const std::size_t size = game.moves().value().size();
  Game copy(game); // whose engine lists anew
  const std::atomic<bool> stop = true;
  copy.give_up_when({&stop, nullptr, std::nullopt});
  const auto choices = choices_of_moves(copy);
  CHECK((!choices || choices->size() == size));
  std::vector<std::uint64_t> labels;
  const auto listed = copy.append_labels(labels);
  CHECK(labels.size() == (listed && copy.moves().value().complete() ? size : 0));
}

} // namespace hostile_api_test
