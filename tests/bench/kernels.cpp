// The smallest pieces: sets of cells by their width in words, and random numbers.
#include "runtime/game/playout.hpp"
#include "runtime/model/bits.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>

namespace boardwright::bench {

namespace {

using runtime::Bits;
using runtime::Random;

constexpr std::size_t kSets = 1024; // so many that no branch learns them by heart

// A third of the cells of each set, which is as full as boards are.
template <int W>
std::array<Bits<W>, kSets> random_sets() {
  Random random(1);
  std::array<Bits<W>, kSets> sets{};
  for (auto& set : sets)
    for (int i = 0; i < W * 64; ++i)
      if (random.below(3) == 0) set.set(i);
  for (auto& set : sets) set.set(0); // none empty
  return sets;
}

// Carries `work` out on one set after the other.
template <int W, class F>
void on_sets(benchmark::State& state, F&& work) {
  const auto sets = random_sets<W>();
  std::size_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(work(sets[i], i));
    i = (i + 1) % kSets;
  }
}

template <int W>
void count(benchmark::State& state) {
  on_sets<W>(state, [](const Bits<W>& set, std::size_t) { return set.count(); });
}

template <int W>
void nth(benchmark::State& state) {
  Random random(2);
  std::array<int, kSets> members{};
  const auto sets = random_sets<W>();
  for (std::size_t i = 0; i < kSets; ++i)
    members[i] = static_cast<int>(random.below(static_cast<std::uint64_t>(sets[i].count())));
  on_sets<W>(state, [&](const Bits<W>& set, std::size_t i) { return set.nth(members[i]); });
}

template <int W>
void each(benchmark::State& state) {
  on_sets<W>(state, [](const Bits<W>& set, std::size_t) {
    int sum = 0;
    set.each([&](int member) { sum += member; });
    return sum;
  });
}

// By a distance that is only known at run time, as the steps of boards are.
template <int W>
void moved(benchmark::State& state) {
  constexpr std::array<int, 8> kSteps{1, -1, 9, -9, 10, -10, 11, -11};
  on_sets<W>(state, [&](const Bits<W>& set, std::size_t i) { return set.moved(kSteps[i % kSteps.size()]); });
}

template <int W>
void meet(benchmark::State& state) {
  const auto others = random_sets<W>();
  on_sets<W>(state, [&](const Bits<W>& set, std::size_t i) { return (set & others[kSets - 1 - i]).any(); });
}

void random_next(benchmark::State& state) {
  Random random(1);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(random.next());
}

void random_below(benchmark::State& state) {
  Random random(1);
  std::uint64_t bound = 1;
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(random.below(bound));
    bound = bound % 300 + 1;
  }
}

#define BOARDWRIGHT_BENCHMARK_SETS(name)                                                                     \
  BENCHMARK_TEMPLATE(name, 1);                                                                               \
  BENCHMARK_TEMPLATE(name, 2);                                                                               \
  BENCHMARK_TEMPLATE(name, 3);                                                                               \
  BENCHMARK_TEMPLATE(name, 4)

BOARDWRIGHT_BENCHMARK_SETS(count);
BOARDWRIGHT_BENCHMARK_SETS(nth);
BOARDWRIGHT_BENCHMARK_SETS(each);
BOARDWRIGHT_BENCHMARK_SETS(moved);
BOARDWRIGHT_BENCHMARK_SETS(meet);
BENCHMARK(random_next);
BENCHMARK(random_below);

} // namespace

} // namespace boardwright::bench
