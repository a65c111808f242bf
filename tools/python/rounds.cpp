#include "tools/python/rounds.hpp"

#include "runtime/game/thread_group.hpp"
#include "tools/python/calls.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace boardwright::python {

namespace {

using runtime::Fault;

// Games between looks at the clock, which cost some hundredths of what a quick game does.
constexpr std::size_t kGamesForALook = 8;

} // namespace

// What is to be done with each game, and how far it is done. Each thread has a stretch of the games: what
// they answer doesn't depend on it.
struct Rounds::Round {
  struct Stretch {
    std::size_t next = 0, end = 0;
  };
  const Work& work;
  std::vector<Stretch> stretches;
  std::mutex mutex{}; // of what follows
  std::optional<std::pair<std::size_t, Fault>> first{};

  Round(const Work& todo, std::size_t games, std::size_t threads) : work(todo) {
    for (std::size_t i = 0; i < threads; ++i)
      stretches.push_back({games * i / threads, games * (i + 1) / threads});
  }
  [[nodiscard]] bool done() const {
    return std::all_of(stretches.begin(), stretches.end(), [](const Stretch& s) { return s.next == s.end; });
  }
  void fail(std::size_t game, Fault fault) {
    const std::lock_guard lock(mutex);
    if (!first || game < first->first) first.emplace(game, std::move(fault));
  }
};

// As far as patience goes. What is asked of a game is done whole or not at all; so one that it ended with is
// asked again by whoever goes on.
void Rounds::carry_out(Round& round, const runtime::Patience& patience) {
  std::atomic<bool> thrown = false; // by a thread that found no memory
  patience_ = patience;
  patience_.other_stop = &thrown;
  const auto follow = [&](Round::Stretch& stretch) {
    for (; stretch.next < stretch.end; ++stretch.next) {
      if (stretch.next % kGamesForALook == 0 && patience_.is_over()) return;
      auto answer = round.work(stretch.next);
      if (answer) continue;
      if (patience_.is_over()) return;
      round.fail(stretch.next, std::move(answer.error()));
    }
  };
  runtime::ThreadGroup others([&thrown] { thrown = true; });
  std::size_t own = round.stretches.size(); // the last stretches go to the others
  while (own > 1 && others.start([&follow, &s = round.stretches[own - 1]] { follow(s); })) --own;
  for (std::size_t i = 0; i < own; ++i) follow(round.stretches[i]);
  others.join();
}

Rounds::Answer Rounds::each(std::size_t games, const Work& work, bool is_long) {
  const auto wanted = static_cast<std::size_t>(std::max(threads_, 1));
  Round round(work, games, std::min(wanted, games / games_for_a_thread_ + 1));
  if (!attend_) {
    carry_out(round, {});
  } else {
    if (!is_long) carry_out(round, {nullptr, nullptr, std::chrono::steady_clock::now() + kAtOnce});
    std::atomic<bool> stop = false;
    const auto rest = [&] { carry_out(round, {&stop, nullptr, std::nullopt}); };
    if (!round.done() && !attend_(stop, rest)) return tl::unexpected(Fault{"it was stopped", 0});
  }
  if (round.first) return tl::unexpected(std::move(round.first->second));
  return {};
}

} // namespace boardwright::python
