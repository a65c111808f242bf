// Random games allocate no memory once the engine has grown to what they need: every bundled game. A copy of
// a game takes no more memory for what the game was asked before.
#include "rule_files.hpp"

#include "dsl/finder.hpp"
#include "runtime/game/random_player.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <memory>
#include <new>
#include <vector>

using namespace boardwright;
using tests::load_rules;
using tests::required;

// The sanitizers bring operators of their own, which know more than these. What is counted is the same there.
#if !defined(__SANITIZE_ADDRESS__)

namespace {

thread_local bool counting = false;
thread_local std::uint64_t allocations = 0;

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  if (counting) ++allocations;
  return memory;
}

} // namespace

// The standard library's other forms (of arrays, those that don't throw) call these.
void* operator new(std::size_t size) { return counted(std::malloc(std::max<std::size_t>(size, 1))); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(unit, (std::max<std::size_t>(size, 1) + unit - 1) / unit * unit));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

template <class F>
std::uint64_t allocations_of(F&& work) {
  allocations = 0;
  counting = true;
  work();
  counting = false;
  return allocations;
}

constexpr int kGames = 5;
constexpr std::uint32_t kMaxPlies = 300;
constexpr std::uint64_t kMaxMoves = 200'000; // after so many moves seen no further game is begun

// Plays the same games each time, so that the second time nothing is larger than it was before.
bool play_games(runtime::RandomPlayer& player) {
  bool good = true;
  std::uint64_t moves = 0;
  for (int seed = 0; seed < kGames && moves < kMaxMoves; ++seed) {
    runtime::Random random(static_cast<std::uint64_t>(seed));
    const auto played = player.play(random, kMaxPlies);
    good = played.has_value() && good;
    if (played) moves += played->moves;
  }
  return good;
}

} // namespace

TEST_CASE("allocations are counted where asked, and only there") {
  const auto allocate = [] {
    std::vector<int> numbers(10);
    struct alignas(64) Line {
      char bytes[64];
    };
    std::vector<Line> lines(10);
    numbers.swap(*std::make_unique<std::vector<int>>(20));
    CHECK((reinterpret_cast<std::uintptr_t>(lines.data()) % 64) == 0);
  };
  CHECK(allocations_of([] {}) == 0);
  CHECK(allocations_of(allocate) >= 4);
  allocate();
  CHECK(allocations_of([] {}) == 0);
}

TEST_CASE("a random game allocates nothing once the engine has grown") {
  for (const auto& name : tests::bundled_games()) {
    INFO(name);
    if (name == "symple") continue; // on the whole board it soon has more moves than a list may hold
    runtime::RandomPlayer player(load_rules(name));
    REQUIRE(play_games(player));
    bool good = false;
    const auto counted_again = allocations_of([&] { good = play_games(player); });
    REQUIRE(good);
    CHECK(counted_again == 0);
  }
}

TEST_CASE("a copy of a game is as small after a list of many thousands of moves as before") {
  runtime::Game game(load_rules("arimaa"));
  runtime::ListLimits one;
  one.most_moves = 1;
  while (game.position().ply < 2) {
    const auto moves = game.moves(one);
    REQUIRE((moves && game.play((*moves)[0])));
  }
  const auto in_use = [] {
    const auto memory = mallinfo2();
    return memory.uordblks + memory.hblkhd;
  };
  const auto bytes_of_copy = [&] {
    const auto before = in_use();
    const runtime::Game copy(game);
    return in_use() - before;
  };
  const auto before = bytes_of_copy();
  const auto moves = game.moves();
  REQUIRE((moves && moves->size() > 1'000));
  CHECK(before > 0);
  CHECK(bytes_of_copy() <= before + before / 4);
}

#else

TEST_CASE("a random game allocates nothing once the engine has grown") {
  SUCCEED("left to builds without sanitizers");
}

#endif
