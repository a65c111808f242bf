// What steps of some rules are worth on the account of a command (model/meter.hpp).
//
// A round of a loop counts as all that stands between its ends (passes/loop_costs.cpp), though most rounds
// leave most of it out. For the bound of one answer that will do, and it costs native code nothing. But of
// rules with long loops a command would be over after a tenth of its time. So what is carried out is counted
// once, instruction by instruction, in the interpreter, in random games that are the same on every machine;
// what that takes, by what it was counted as, is the price of a step of these rules.
#pragma once

#include "runtime/executor/executor.hpp"
#include "runtime/executor/stock.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace boardwright::runtime::executor {

// By instruction: about how many tenths of a nanosecond it takes as native code, or in what native code
// calls. What depends on the data is counted when it is done (Machine::work, Machine::charge).
[[nodiscard]] std::vector<std::uint32_t> tenths_of_nanoseconds(const ir::Code& code);

// A price, in parts of kWholePrice: neither so low that rules whose first moves pass everything over get a
// command's account many times, nor so high that it is over at once.
[[nodiscard]] std::uint32_t price_of(std::uint64_t steps_done, std::uint64_t steps_counted);

// Instructions that are enough for a price, and games: some hundredths of a second.
inline constexpr std::uint64_t kMeasuredInstructions = 400'000;
inline constexpr int kMeasuredGames = 20, kMeasuredPliesAtOnce = 8;
// Steps after which it is over in any case, be it in the middle of a move.
inline constexpr std::uint64_t kMeasuredSteps = 8'000'000;

// Plays until enough has been counted; what comes out is how many plies these were.
template <int W>
std::uint64_t play_measured(Executor<W>& executor, const std::vector<std::uint64_t>& counts) {
  std::uint64_t plies = 0;
  for (int game = 0; game < kMeasuredGames; ++game) {
    Random random(static_cast<std::uint64_t>(game + 1));
    for (bool first = true;; first = false) {
      const auto played = first ? executor.playout(random, kMeasuredPliesAtOnce)
                                : executor.play_on(random, kMeasuredPliesAtOnce);
      if (!played) return plies;
      plies += played->plies;
      if (std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) >= kMeasuredInstructions)
        return plies;
      if (played->outcome || played->plies == 0) break;
    }
  }
  return plies;
}

template <int W>
std::uint32_t find_price(const Tables<W>& tables) {
  const auto& all = tables.code.instructions;
  Meter meter(kMeasuredSteps);
  const Meter::Use use(&meter);
  std::vector<std::uint64_t> counts(all.size(), 0);
  std::uint64_t begun = 0, plies = 0;
  {
    Executor<W> executor(tables);
    executor.measure(counts);
    executor.load(tables.program.initial);
    begun = meter.spent();
    plies = play_measured(executor, counts);
  } // the last steps come on the account
  const std::vector<std::uint32_t> tenths = tenths_of_nanoseconds(tables.code);
  std::uint64_t of_instructions = 0, of_loops = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    of_instructions += counts[k] * tenths[k];
    of_loops += counts[k] * all[k].cost;
  }
  constexpr std::uint64_t kTenthsInAStep = 20;
  const std::uint64_t counted = meter.spent() - begun, of_data = counted - std::min(counted, of_loops);
  return price_of(of_instructions / kTenthsInAStep + of_data, counted + plies * steps_of_code(tables.code));
}

} // namespace boardwright::runtime::executor
