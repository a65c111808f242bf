#include "tools/python/batch.hpp"

#include "runtime/game/playout.hpp"
#include "runtime/game/random_player.hpp"
#include "runtime/model/shares.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <optional>
#include <utility>

namespace boardwright::python {

namespace {

using runtime::Fault;

// To make so many takes long enough for signals to be listened for.
constexpr std::size_t kManyGames = 1000;

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
             std::shared_ptr<const Planes> planes, Symbol part_base, const BatchOptions& options)
    : rules_(rules), numbers_(std::move(numbers)), planes_(std::move(planes)), part_base_(part_base),
      options_(options), players_(rules->program().player_count()),
      rounds_(options_.threads, options_.attend) {
  std::atomic<bool> stop = false;
  const auto make = [&] {
    slots_.reserve(options_.games);
    for (std::size_t i = 0; i < options_.games && !stop; ++i)
      slots_.push_back({runtime::Game(rules),
                        runtime::random_of_game(options_.seed, i),
                        {},
                        false,
                        {},
                        -1,
                        0,
                        std::nullopt,
                        {}});
  };
  if (!options_.attend || options_.games < kManyGames)
    make();
  else
    (void)options_.attend(stop, make); // who stops it has no use for it
}

// The game, for what may take long. (Others aren't looked at: many games don't fit into the cache.)
runtime::Game& Batch::patient(Slot& slot) const {
  slot.game.give_up_when(rounds_.patience());
  return slot.game;
}

Batch::Answer Batch::each(const Work& work, bool is_long) {
  return rounds_.each(
      slots_.size(), [&](std::size_t i) { return work(slots_[i], i); }, is_long);
}

void Batch::go_back(Slot& slot) const {
  while (slot.game.undo()) continue;
  slot.played.clear();
  forget_choice(slot);
  if (looks_) look_anew(slot.game, slot.seen);
}

Batch::Answer Batch::begin_anew(Slot& slot) const {
  go_back(slot);
  return options_.rolls ? roll(slot) : Answer();
}

// Nature's moves, until it is a player's turn or the game is over.
Batch::Answer Batch::roll(Slot& slot) const {
  while (true) {
    const auto outcome = patient(slot).outcome();
    if (!outcome) return tl::unexpected(outcome.error());
    if (*outcome || !slot.game.is_chance()) return {};
    runtime::Random random = slot.random;
    const auto drawn = slot.game.draw(random);
    if (!drawn) return tl::unexpected(drawn.error());
    if (!*drawn) return {};
    const std::uint32_t place = (*drawn)->index();
    if (auto played = slot.game.play(**drawn); !played) return played;
    slot.random = random;
    slot.played.push_back(place);
    forget_choice(slot);
    if (looks_) look_after_move(slot.game, slot.seen);
  }
}

Batch::Answer Batch::reset() {
  return each([this](Slot& slot, std::size_t) { return whole(slot, [&] { return begin_anew(slot); }); });
}

Batch::Answer Batch::list(Slot& slot) const {
  if (slot.listed) return {};
  auto found = numbers_->find(patient(slot), slot.legal);
  slot.listed = found.has_value();
  return found;
}

// What is known of the moves of a position that is left.
void Batch::forget_choice(Slot& slot) {
  slot.listed = false;
  slot.chosen = -1;
  slot.ahead.reset();
  slot.parts.reset();
}

Batch::Answer Batch::choose(Slot& slot) const {
  if (slot.ahead) {
    slot.random = *std::exchange(slot.ahead, std::nullopt);
    return {};
  }
  runtime::Random random = slot.random; // no number is used up where nothing comes of it
  auto chosen = choose_by(random, slot);
  if (chosen) slot.random = random;
  return chosen;
}

// Whoever played what was drawn for him will ask for the next draw: it costs least while the game is at hand,
// for many games don't fit into the cache. What goes wrong goes wrong again when he asks.
void Batch::choose_ahead(Slot& slot) const {
  runtime::Random random = slot.random;
  if (choose_by(random, slot) && slot.chosen >= 0) slot.ahead = random;
}

Batch::Answer Batch::choose_by(runtime::Random& random, Slot& slot) const {
  slot.chosen = -1;
  const auto moves = all_moves(patient(slot));
  if (!moves) return tl::unexpected(moves.error());
  if (moves->empty()) return {};
  const auto drawn = slot.game.draw(random);
  if (!drawn) return tl::unexpected(drawn.error());
  slot.chosen_at = (*drawn)->index();
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

// The list of a position also says whether it is the last.
Batch::Answer Batch::judge(Slot& slot, float* rewards, End& end) const {
  if (const auto next = slot.game.moves(); !next) return tl::unexpected(next.error());
  const auto outcome = slot.game.outcome();
  if (!outcome) return tl::unexpected(outcome.error());
  if (*outcome) {
    end = End::over;
    write_returns(**outcome, players_, rewards);
  } else if (slot.game.length() >= options_.max_plies) {
    end = End::cut_off;
  }
  return {};
}

// What is made of several moves happens as a whole, or not at all: where it takes long it is asked again, and
// must come to the same then.
template <class F>
Batch::Answer Batch::whole(Slot& slot, F&& f) const {
  if (!options_.rolls) return f();
  Slot before = slot;
  auto answer = f();
  if (!answer) slot = std::move(before);
  return answer;
}

Batch::Answer Batch::play_at(Slot& slot, std::size_t place, float* rewards, End& end) {
  return whole(slot, [&] { return play_on(slot, place, rewards, end); });
}

Batch::Answer Batch::play_on(Slot& slot, std::size_t place, float* rewards, End& end) {
  const auto moves = all_moves(patient(slot));
  if (!moves) return tl::unexpected(moves.error());
  if (auto played = slot.game.play((*moves)[place]); !played) return played;
  if (auto judged = judge(slot, rewards, end); !judged) {
    slot.game.undo();
    return judged;
  }
  slot.played.push_back(static_cast<std::uint32_t>(place));
  forget_choice(slot);
  if (looks_) look_after_move(slot.game, slot.seen);
  if (end != End::none) return options_.auto_reset ? begin_anew(slot) : Answer();
  if (!options_.rolls || !slot.game.is_chance()) return {};
  if (auto rolled = roll(slot); !rolled) return rolled;
  if (auto judged = judge(slot, rewards, end); !judged) return judged;
  return end != End::none && options_.auto_reset ? begin_anew(slot) : Answer();
}

Batch::Answer Batch::play(Slot& slot, std::int64_t action, float* rewards, End& end) {
  const auto place = place_of(slot, action);
  if (!place) return tl::unexpected(place.error());
  const bool as_drawn = action == slot.chosen;
  auto played = play_at(slot, *place, rewards, end);
  if (played && as_drawn) choose_ahead(slot);
  return played;
}

Batch::Answer Batch::begin_parts(Slot& slot) const {
  if (slot.parts) return {};
  auto begun = PartChoice::begin(patient(slot), part_base_);
  if (!begun) return tl::unexpected(std::move(begun.error()));
  slot.parts = std::move(*begun);
  return {};
}

Batch::Answer Batch::parts_mask(std::uint8_t* to) {
  const auto size = static_cast<std::size_t>(parts());
  return each([&](Slot& slot, std::size_t i) -> Answer {
    std::uint8_t* const row = to + i * size;
    std::fill(row, row + size, std::uint8_t{0});
    if (auto begun = begin_parts(slot); !begun) return begun;
    for (const Symbol symbol : slot.parts->legal()) row[symbol] = 1;
    return {};
  });
}

Batch::Answer Batch::choose_part(Slot& slot, std::int64_t part, float* rewards, End& end,
                                 std::uint8_t& played) {
  if (auto begun = begin_parts(slot); !begun) return begun;
  PartChoice next = *slot.parts;
  const bool is_symbol = part < parts();
  const auto whole = is_symbol ? next.choose(static_cast<Symbol>(part)) : std::nullopt;
  if (!whole) return tl::unexpected(Fault{"part " + std::to_string(part) + " isn't legal", 0});
  if (*whole) {
    if (auto moved = play_at(slot, next.place(), rewards, end); !moved) return moved;
    played = 1;
  } else {
    slot.parts = std::move(next);
  }
  return {};
}

Batch::Answer Batch::step_parts(const std::int64_t* parts, float* rewards, End* ends, std::uint8_t* played) {
  return each([&](Slot& slot, std::size_t i) -> Answer {
    float* const own = rewards + i * static_cast<std::size_t>(players_);
    std::fill(own, own + players_, 0.0F);
    ends[i] = End::none;
    played[i] = 0;
    if (parts[i] < 0) return {};
    return choose_part(slot, parts[i], own, ends[i], played[i]);
  });
}

Batch::Answer Batch::chosen_parts(std::vector<Symbols>& parts) {
  parts.resize(slots_.size());
  return each([&](Slot& slot, std::size_t i) -> Answer {
    if (auto begun = begin_parts(slot); !begun) return begun;
    parts[i] = slot.parts->chosen();
    return {};
  });
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
    if (begins) look_with_last_move(slot.game, slot.seen);
    planes_->write(slot.game, slot.seen, slot.game.to_move(), to + i * planes_->size());
    return {};
  });
}

Batch::Answer Batch::observe(std::uint8_t* to) {
  const bool begins = !std::exchange(looks_, true);
  const std::size_t size = planes_->size();
  return each([&](Slot& slot, std::size_t i) -> Answer {
    if (begins) look_with_last_move(slot.game, slot.seen);
    thread_local std::vector<float> planes;
    planes.resize(size);
    planes_->write(slot.game, slot.seen, slot.game.to_move(), planes.data());
    for (std::size_t k = 0; k < size; ++k) {
      const auto small = static_cast<std::uint8_t>(std::clamp(planes[k], 0.0F, 255.0F));
      if (static_cast<float>(small) != planes[k])
        return tl::unexpected(Fault{"the plane `" +
                                        planes_->names()[k / (planes_->ranks() * planes_->files())] +
                                        "` has a number that uint8 has no room for",
                                    0});
      to[i * size + k] = small;
    }
    return {};
  });
}

Batch::Answer Batch::to_move(std::int32_t* players) {
  return each([&](Slot& slot, std::size_t i) -> Answer {
    const auto outcome = patient(slot).outcome();
    if (!outcome) return tl::unexpected(outcome.error());
    players[i] = *outcome ? -1 : slot.game.to_move();
    return {};
  });
}

// The list comes first: it says whether the game is over, which is a part of the key.
Batch::Answer Batch::keep(std::vector<KeptGame>& games) {
  games.resize(slots_.size());
  return each([&](Slot& slot, std::size_t i) -> Answer {
    if (const auto moves = all_moves(patient(slot)); !moves) return tl::unexpected(moves.error());
    games[i] = {slot.played, slot.random.state(), slot.game.key()};
    return {};
  });
}

Batch::Answer Batch::replay(Slot& slot, const KeptGame& kept) const {
  go_back(slot);
  for (std::size_t ply = 0;; ++ply) {
    const auto moves = all_moves(patient(slot));
    if (!moves) return tl::unexpected(moves.error());
    if (ply == kept.places.size()) break;
    if (kept.places[ply] >= moves->size()) return tl::unexpected(Fault{"a game of other rules", 0});
    if (auto played = slot.game.play((*moves)[kept.places[ply]]); !played) return played;
  }
  if (slot.game.key() != kept.key) return tl::unexpected(Fault{"a game of other rules", 0});
  slot.played = kept.places;
  slot.random = runtime::Random(kept.random);
  return {};
}

Batch::Answer Batch::restore(const std::vector<KeptGame>& games) {
  if (games.size() != slots_.size()) return tl::unexpected(Fault{"another number of games", 0});
  return each([&](Slot& slot, std::size_t i) { return replay(slot, games[i]); });
}

Batch::Answer Batch::rollouts(int count, std::uint64_t seed, float* to) {
  const auto mean_of = [&](Slot& slot, std::size_t i) -> Answer {
    float* const mean = to + i * static_cast<std::size_t>(players_);
    std::fill(mean, mean + players_, 0.0F);
    const auto outcome = patient(slot).outcome();
    if (!outcome) return tl::unexpected(outcome.error());
    if (*outcome) {
      write_returns(**outcome, players_, mean);
      return {};
    }
    runtime::RandomPlayer player(rules_);
    player.give_up_when(rounds_.patience());
    if (auto begun = player.begin_with(slot.game); !begun) return begun;
    runtime::Random random = runtime::random_of_game(seed, i);
    std::vector<float> returns(static_cast<std::size_t>(players_));
    for (int game = 0; game < count; ++game) {
      if (rounds_.patience().is_over()) return tl::unexpected(Fault{"it was stopped", 0});
      const auto played = player.play(random, static_cast<std::uint32_t>(options_.max_plies));
      if (!played) return tl::unexpected(played.error());
      if (!played->outcome) continue;
      write_returns(*played->outcome, players_, returns.data());
      for (int p = 0; p < players_; ++p)
        mean[p] += returns[static_cast<std::size_t>(p)] / static_cast<float>(count);
    }
    return {};
  };
  constexpr bool kIsLong = true;
  return each(mean_of, kIsLong);
}

} // namespace boardwright::python
