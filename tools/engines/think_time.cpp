// Entry point: limit_by.
#include "tools/engines/think_time.hpp"

#include <algorithm>

namespace boardwright::tools {
namespace {

// Sending the answer and what the other program does with it take some of the clock.
constexpr std::int64_t kLagMs = 20;
constexpr int kMovesAhead = 30; // of which the clock must think, where nobody says

} // namespace

void limit_by(runtime::search::ThinkLimits& limits, double seconds) {
  using Seconds = std::chrono::duration<double>;
  using Steady = std::chrono::steady_clock;
  if (Seconds(seconds) < kLongestTime)
    limits.deadline = Steady::now() + std::chrono::duration_cast<Steady::duration>(Seconds(seconds));
}

std::int64_t share_of(const Clock& clock) {
  const std::int64_t moves = clock.moves_to_go > 0 ? clock.moves_to_go : kMovesAhead;
  const std::int64_t share = clock.left / moves + clock.increment * 3 / 4 + clock.overtime;
  return std::max<std::int64_t>(1, std::min(share, clock.left + clock.overtime - kLagMs));
}

// Never more than a good part of what is left beyond the share, which later moves need.
std::int64_t most_of(const Clock& clock) {
  constexpr std::int64_t kShares = 3, kPartOfRest = 4;
  const std::int64_t share = share_of(clock), rest = std::max<std::int64_t>(clock.left - kLagMs - share, 0);
  return share + std::min((kShares - 1) * share, rest / kPartOfRest);
}

void limit_by(runtime::search::ThinkLimits& limits, std::chrono::steady_clock::time_point begin,
              const Clock& clock) {
  limits.deadline = begin + std::chrono::milliseconds(share_of(clock));
  limits.latest = begin + std::chrono::milliseconds(most_of(clock));
}

int moves_made(runtime::Game game, int player) {
  int made = 0;
  while (game.undo())
    if (game.to_move() == player) ++made;
  return made;
}

int moves_until_more(int session, int made) { return session - made % session; }

} // namespace boardwright::tools
