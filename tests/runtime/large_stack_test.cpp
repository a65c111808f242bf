// Rules are made on a stack of their own, so that a caller with a small one can load any file and play it;
// and rules that are too large to be compiled are told, not played.
#include "dsl/finder.hpp"
#include "runtime/game/large_stack.hpp"
#include "runtime/game/perft.hpp"
#include "runtime/game/playout.hpp"
#include "tests/rule_files.hpp"
#include "tests/runtime/program_builder.hpp"

#include <catch2/catch.hpp>

#include <pthread.h>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

namespace large_stack_test {

using namespace boardwright;

namespace {

void* call(void* work) {
  (*static_cast<const std::function<void()>*>(work))();
  return nullptr;
}

void on_small_stack(const std::function<void()>& work) {
  // Sanitizers make frames several times as large.
  constexpr std::size_t kSize = (tests::kSanitized ? std::size_t{8} : std::size_t{1}) << 20;
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, kSize) == 0);
  pthread_t thread{};
  REQUIRE(pthread_create(&thread, &attributes, call, const_cast<void*>(static_cast<const void*>(&work))) ==
          0);
  pthread_attr_destroy(&attributes);
  REQUIRE(pthread_join(thread, nullptr) == 0);
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string rules_with(const std::string& turn, const std::string& define = "") {
  return "game: T\nplayers: { White: north, Black: south }\nboard: { squares: 5 by 5 }\n"
         "pieces: { man: w b }\nsetup: { w: a1, b: e5 }\n" +
         define + "turn: " + turn + "\nend:\n  - lose when no move\n  - draw when ply > 20\n";
}

// Everything that a game is asked; what it answers doesn't matter here. Nothing is checked on a thread of its
// own: the tests' library isn't made for that.
bool played(const std::shared_ptr<const runtime::Rules>& rules) {
  runtime::Game game(rules);
  bool good = true;
  for (int ply = 0; ply < 5 && good; ++ply) {
    const auto outcome = game.outcome();
    const auto moves = game.moves();
    good = outcome && moves;
    if (!good || *outcome || moves->empty()) break;
    good = game.notation((*moves)[0]).has_value() && game.play((*moves)[0]).has_value();
  }
  runtime::PlayoutOptions options;
  options.count = 2;
  options.max_plies = 12;
  return runtime::playouts(rules, options).has_value() && good;
}

} // namespace

TEST_CASE("work on a large stack is done, and what it throws comes through") {
  int depth = 0;
  const std::function<int(int)> dive = [&](int n) {
    volatile char frame[1024] = {};
    frame[0] = static_cast<char>(n);
    return n == 0 ? frame[0] : dive(n - 1) + frame[0] * 0;
  };
  on_small_stack([&] {
    runtime::on_large_stack([&] {
      depth = 1;
      dive(10'000);
      runtime::on_large_stack([&] { depth = 2; }); // there already
    });
  });
  CHECK(depth == 2);
  CHECK_THROWS_AS(runtime::on_large_stack([] { throw std::runtime_error("thrown"); }), std::runtime_error);
}

TEST_CASE("a caller with a stack of one megabyte loads and plays every bundled game") {
  // How deep frames are is seen without sanitizers, whose frames are others: there some games are enough.
  constexpr std::size_t kEach = tests::kSanitized ? 10 : 1;
  std::size_t seen = 0;
  for (const auto& name : tests::bundled_games()) {
    if (seen++ % kEach != 0) continue;
    INFO(name);
    bool good = false;
    on_small_stack([&] {
      const auto loaded = interpreter::load(name);
      good = loaded.rules != nullptr && played(loaded.rules);
    });
    CHECK(good);
  }
}

TEST_CASE("a caller with a stack of one megabyte loads and plays rules nested as deep as may be") {
  std::string define = "define:\n";
  for (int i = 0; i < 95; ++i)
    define += "  rule" + std::to_string(i) + ": rule" + std::to_string(i + 1) + "\n";
  define += "  rule95: pass\n";
  for (const auto& [turn, defined] :
       {std::pair(repeated("(pass or ", 95) + "pass" + repeated(")", 95), std::string()),
        std::pair("require 0 < " + repeated("1 + ", 300) + "1, pass", std::string()),
        std::pair("from own" + repeated(" | own", 300), std::string()),
        std::pair("pass" + repeated(", pass", 300), std::string()),
        std::pair(repeated("if true then ", 95) + "pass", std::string()),
        std::pair(std::string("rule0"), define)}) {
    INFO(turn.substr(0, 40));
    bool loads = false, good = false;
    const std::string text = rules_with(turn, defined);
    on_small_stack([&] {
      const auto loaded = interpreter::load_text("deep.yaml", text);
      loads = loaded.rules != nullptr;
      good = !loads || played(loaded.rules);
    });
    CHECK(loads);
    CHECK(good);
  }
}

namespace {

// Each definition is written out twice in the one before.
interpreter::Loaded doubled(int times) {
  std::string define = "define:\n";
  for (int i = 0; i < times; ++i) {
    const std::string next = "rule" + std::to_string(i + 1);
    define += "  rule" + std::to_string(i) + ": (" + next + " or (" + next + ", say \"" + std::to_string(i) +
              "\"))\n";
  }
  define += "  rule" + std::to_string(times) + ": drop man on a2\n";
  return interpreter::load_text("doubled.yaml", rules_with("rule0", define));
}

} // namespace

TEST_CASE("rules that make too much code are an error when they are loaded") {
  CHECK(doubled(12).rules != nullptr);
  const auto loaded = doubled(16);
  CHECK(loaded.rules == nullptr);
  CHECK(loaded.errors().find("the rules are too large") != std::string::npos);
  CHECK(loaded.errors().find("% of it is `rule") != std::string::npos); // where, and what to do
  CHECK(loaded.errors().find("say it once") != std::string::npos);
}

TEST_CASE("games of rules that make too much code answer with a fault") {
  runtime::ProgramBuilder b(3, 3);
  b.stack("a1", "w");
  runtime::NodeId rule = b.act(runtime::Op::drop, {b.cells({"a2"}), b.kind_node(0), b.number(1)}, 0, 0);
  for (int i = 0; i < 16; ++i)
    rule = b.alt({rule, b.seq({rule, b.act(runtime::Op::say, {b.text(std::to_string(i))})})});
  b.turn(rule);
  const auto rules = runtime::Rules::make(std::make_shared<const runtime::Program>(b.program));
  REQUIRE_FALSE(rules->problem().empty());
  runtime::Game game(rules);
  REQUIRE_FALSE(game.moves());
  CHECK(game.moves().error().message == rules->problem());
  CHECK_FALSE(game.outcome());
  CHECK_FALSE(game.notations());
  CHECK_FALSE(game.find("a2"));
  CHECK_FALSE(game.play(runtime::Move()));
  CHECK_FALSE(game.undo());
  CHECK(game.position().same_as(b.program.initial));
  CHECK(game.length() == 0);
  CHECK(game.to_move() == 0);
  runtime::Game copy(game);
  CHECK_FALSE(copy.moves());
  runtime::PlayoutOptions options;
  options.count = 1;
  CHECK_FALSE(runtime::playouts(rules, options));
  CHECK_FALSE(runtime::perft(game, {2}));
}

} // namespace large_stack_test
