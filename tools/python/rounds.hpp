// Work on many games, in threads, which somebody may stop.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/model/patience.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <utility>

namespace boardwright::python {

// Has work done that takes longer than a call should: see `attend` in calls.hpp. False: it was stopped.
using Attend = std::function<bool(std::atomic<bool>& stop, const std::function<void()>& work)>;

// Games are told by their numbers. What is asked of one is done whole or not at all: where it ends since
// somebody has no more patience it is asked again by whoever goes on. Threads change no answer.
class Rounds {
public:
  using Answer = tl::expected<void, runtime::Fault>;
  using Work = std::function<Answer(std::size_t game)>;
  // A thread isn't worth its beginning for fewer games than it is told.
  Rounds(int threads, Attend attend, std::size_t games_for_a_thread = 16)
      : threads_(threads), attend_(std::move(attend)), games_for_a_thread_(games_for_a_thread) {}

  // The fault of the first game that met one; the others have gone on. What is long from the start is
  // attended from the start; all else as soon as it turns out to be.
  Answer each(std::size_t games, const Work& work, bool is_long = false);
  // Of the round that is carried out.
  [[nodiscard]] const runtime::Patience& patience() const { return patience_; }

private:
  struct Round; // of all games
  void carry_out(Round& round, const runtime::Patience& patience);

  int threads_;
  Attend attend_; // none: nobody listens, and all is done at once
  std::size_t games_for_a_thread_;
  runtime::Patience patience_;
};

} // namespace boardwright::python
