#include "tools/python/batch.hpp"

#include "runtime/game/playout.hpp"
#include "runtime/game/random_player.hpp"
#include "runtime/game/thread_group.hpp"
#include "runtime/model/shares.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <optional>
#include <utility>

namespace boardwright::python {

namespace {

using runtime::Fault;

// A thread isn't worth its beginning for fewer games.
constexpr std::size_t kGamesForAThread = 16;

} // namespace

void write_returns(const runtime::Outcome& outcome, int players, float* to) {
  if (outcome.shares != 0) { // of two players what one has more than the other
    for (int player = 0; player < players; ++player)
      to[player] = (static_cast<float>(players) * runtime::share(outcome, player, players) - 1) /
                   static_cast<float>(players - 1);
    return;
  }
  const int winners = std::popcount(outcome.winners);
  for (int player = 0; player < players; ++player) {
    const bool wins = (outcome.winners >> static_cast<unsigned>(player) & 1U) != 0;
    const bool undecided = winners == 0 || (winners == players && players > 1);
    to[player] = undecided ? 0.0F
                 : wins    ? 1.0F
                           : -static_cast<float>(winners) / static_cast<float>(players - winners);
  }
}

Batch::Batch(std::shared_ptr<const runtime::Rules> rules, std::shared_ptr<ActionNumbers> numbers,
             std::shared_ptr<const Planes> planes, const BatchOptions& options)
    : rules_(rules), numbers_(std::move(numbers)), planes_(std::move(planes)), options_(options),
      players_(rules->program().player_count()) {
  slots_.reserve(options_.games);
  for (std::size_t i = 0; i < options_.games; ++i)
    slots_.push_back({runtime::Game(rules),
                      runtime::random_of_game(options_.seed, i),
                      {},
                      false,
                      {},
                      -1,
                      0,
                      std::nullopt});
}

// Each thread takes a stretch of the games: what they answer doesn't depend on it.
Batch::Answer Batch::each(const std::function<Answer(Slot&, std::size_t)>& work) {
  std::mutex mutex;
  std::optional<std::pair<std::size_t, Fault>> first;
  const auto work_on = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      auto answer = work(slots_[i], i);
      if (answer) continue;
      const std::lock_guard lock(mutex);
      if (!first || i < first->first) first.emplace(i, std::move(answer.error()));
    }
  };
  const std::size_t games = slots_.size();
  const std::size_t threads = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(options_.threads, 1)),
                                                      1, games / kGamesForAThread + 1);
  runtime::ThreadGroup others([] {});
  std::size_t left = games; // the last stretches go to the others
  for (std::size_t i = threads; i-- > 1;) {
    const std::size_t begin = games * i / threads, end = left;
    if (!others.start([&work_on, begin, end] { work_on(begin, end); })) break;
    left = begin;
  }
  work_on(0, left);
  others.join();
  if (first) return tl::unexpected(std::move(first->second));
  return {};
}

void Batch::begin_anew(Slot& slot) const {
  while (slot.game.undo()) continue;
  forget_choice(slot);
  if (looks_) look_anew(slot.game, slot.seen);
}

Batch::Answer Batch::reset() {
  return each([this](Slot& slot, std::size_t) -> Answer {
    begin_anew(slot);
    return {};
  });
}

Batch::Answer Batch::list(Slot& slot) const {
  if (slot.listed) return {};
  slot.listed = true;
  return numbers_->find(slot.game, slot.legal);
}

// What is known of the moves of a position that is left.
void Batch::forget_choice(Slot& slot) {
  slot.listed = false;
  slot.chosen = -1;
  slot.ahead.reset();
}

Batch::Answer Batch::choose(Slot& slot) const {
  if (slot.ahead) {
    slot.random = *std::exchange(slot.ahead, std::nullopt);
    return {};
  }
  return choose_by(slot.random, slot);
}

// Whoever played what was drawn for him will ask for the next draw: it costs least while the game is at hand,
// for many games don't fit into the cache. What goes wrong goes wrong again when he asks.
void Batch::choose_ahead(Slot& slot) const {
  runtime::Random random = slot.random;
  if (choose_by(random, slot) && slot.chosen >= 0) slot.ahead = random;
}

Batch::Answer Batch::choose_by(runtime::Random& random, Slot& slot) const {
  slot.chosen = -1;
  const auto moves = slot.game.moves();
  if (!moves) return tl::unexpected(moves.error());
  if (moves->empty()) return {};
  slot.chosen_at = random.below(moves->size());
  if (slot.listed) {
    slot.chosen = slot.legal[slot.chosen_at];
    return {};
  }
  const auto number = numbers_->find_one(slot.game, slot.chosen_at);
  if (!number) return tl::unexpected(number.error());
  slot.chosen = *number;
  return {};
}

Batch::Answer Batch::sample(std::int64_t* actions) {
  return each([this, actions](Slot& slot, std::size_t i) -> Answer {
    auto chosen = choose(slot);
    actions[i] = slot.chosen;
    return chosen;
  });
}

tl::expected<std::size_t, Fault> Batch::place_of(Slot& slot, std::int64_t action) const {
  if (action == slot.chosen) return slot.chosen_at;
  if (auto listed = list(slot); !listed) return tl::unexpected(listed.error());
  const auto place = std::find(slot.legal.begin(), slot.legal.end(), action);
  if (place != slot.legal.end()) return static_cast<std::size_t>(place - slot.legal.begin());
  return tl::unexpected(Fault{"action " + std::to_string(action) + " isn't legal", 0});
}

Batch::Answer Batch::play(Slot& slot, std::int64_t action, float* rewards, End& end) {
  const auto place = place_of(slot, action);
  if (!place) return tl::unexpected(place.error());
  const auto moves = slot.game.moves();
  if (!moves) return tl::unexpected(moves.error());
  if (auto played = slot.game.play((*moves)[*place]); !played) return played;
  const bool as_drawn = action == slot.chosen;
  forget_choice(slot);
  if (looks_) look_after_move(slot.game, slot.seen);
  // The list of the next position also says whether it is the last.
  if (const auto next = slot.game.moves(); !next) return tl::unexpected(next.error());
  const auto outcome = slot.game.outcome();
  if (!outcome) return tl::unexpected(outcome.error());
  if (*outcome) {
    end = End::over;
    write_returns(**outcome, players_, rewards);
  } else if (slot.game.length() >= options_.max_plies) {
    end = End::cut_off;
  }
  if (end != End::none && options_.auto_reset) begin_anew(slot);
  if (as_drawn) choose_ahead(slot);
  return {};
}

Batch::Answer Batch::step(const std::int64_t* actions, float* rewards, End* ends) {
  return each([&](Slot& slot, std::size_t i) -> Answer {
    float* const own = rewards + i * static_cast<std::size_t>(players_);
    std::fill(own, own + players_, 0.0F);
    ends[i] = End::none;
    if (actions[i] < 0) return {};
    return play(slot, actions[i], own, ends[i]);
  });
}

Batch::Answer Batch::mask(std::uint8_t* to) {
  const auto size = static_cast<std::size_t>(numbers_->size());
  return each([&](Slot& slot, std::size_t i) -> Answer {
    std::uint8_t* const row = to + i * size;
    std::fill(row, row + size, std::uint8_t{0});
    if (auto listed = list(slot); !listed) return listed;
    for (const std::int64_t number : slot.legal) row[number] = 1;
    return {};
  });
}

Batch::Answer Batch::legal(std::vector<Numbers>& actions) {
  actions.resize(slots_.size());
  return each([&](Slot& slot, std::size_t i) -> Answer {
    if (auto listed = list(slot); !listed) return listed;
    actions[i] = slot.legal;
    return {};
  });
}

Batch::Answer Batch::observe(float* to) {
  const bool begins = !std::exchange(looks_, true);
  return each([&](Slot& slot, std::size_t i) -> Answer {
    if (begins) { // the last move is found by taking it back
      runtime::Game before(slot.game);
      const bool moved = before.undo();
      look_anew(before, slot.seen);
      look_after_move(slot.game, slot.seen);
      if (!moved) slot.seen.last.clear();
    }
    planes_->write(slot.game, slot.seen, slot.game.to_move(), to + i * planes_->size());
    return {};
  });
}

Batch::Answer Batch::to_move(std::int32_t* players) {
  return each([&](Slot& slot, std::size_t i) -> Answer {
    const auto outcome = slot.game.outcome();
    if (!outcome) return tl::unexpected(outcome.error());
    players[i] = *outcome ? -1 : slot.game.to_move();
    return {};
  });
}

Batch::Answer Batch::rollouts(int count, std::uint64_t seed, float* to) {
  return each([&](Slot& slot, std::size_t i) -> Answer {
    float* const mean = to + i * static_cast<std::size_t>(players_);
    std::fill(mean, mean + players_, 0.0F);
    const auto outcome = slot.game.outcome();
    if (!outcome) return tl::unexpected(outcome.error());
    if (*outcome) {
      write_returns(**outcome, players_, mean);
      return {};
    }
    runtime::RandomPlayer player(rules_);
    if (auto begun = player.begin_with(slot.game); !begun) return begun;
    runtime::Random random = runtime::random_of_game(seed, i);
    std::vector<float> returns(static_cast<std::size_t>(players_));
    for (int game = 0; game < count; ++game) {
      const auto played = player.play(random, static_cast<std::uint32_t>(options_.max_plies));
      if (!played) return tl::unexpected(played.error());
      if (!played->outcome) continue;
      write_returns(*played->outcome, players_, returns.data());
      for (int p = 0; p < players_; ++p)
        mean[p] += returns[static_cast<std::size_t>(p)] / static_cast<float>(count);
    }
    return {};
  });
}

} // namespace boardwright::python
