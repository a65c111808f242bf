// Many games of the same rules that go on together, in threads.
#pragma once

#include "runtime/game/game.hpp"
#include "runtime/model/random.hpp"
#include "tools/python/actions.hpp"
#include "tools/python/parts.hpp"
#include "tools/python/planes.hpp"
#include "tools/python/rounds.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace boardwright::python {

enum class End : std::uint8_t { none, over, cut_off };

// What each player has from a finished game: 1 for winners, as much less for the others that the sum is 0;
// nothing for a draw. Of a point that is shared, what is more than the same share for all, so that all of it
// is 1. A player alone wins 1 or nothing.
void write_returns(const runtime::Outcome& outcome, int players, float* to);

struct BatchOptions {
  std::size_t games = 1;
  int threads = 1;
  std::uint64_t seed = 1; // of sample(): game i has a stream of its own
  int max_plies = 2000;   // a game that is not over by then is cut off
  bool auto_reset = true; // a game that has ended begins anew at once
  bool rolls = false;     // nature's moves are made by the batch, by weight: nobody is asked for them
  Attend attend;          // none: nobody listens, and all is done at once
};

// A game of a batch as it is kept: the places of its moves in the lists of their positions.
struct KeptGame {
  std::vector<std::uint32_t> places;
  std::uint64_t random = 0; // the state of its stream
  std::uint64_t key = 0;    // of its position: other rules, or another version of them, would come to another
};

// Answers are written into arrays of the caller's: one row for each game. What goes wrong in a game is a
// fault, and the others have gone on. A copy is a batch of its own, with the same games.
class Batch {
public:
  using Answer = Rounds::Answer;
  // Without its games where whoever attends stops it.
  Batch(std::shared_ptr<const runtime::Rules> rules, std::shared_ptr<ActionNumbers> numbers,
        std::shared_ptr<const Planes> planes, Symbol part_base, const BatchOptions& options);

  [[nodiscard]] const BatchOptions& options() const { return options_; }
  [[nodiscard]] const Planes& planes() const { return *planes_; }
  [[nodiscard]] const ActionNumbers& numbers() const { return *numbers_; }
  [[nodiscard]] int players() const { return players_; }
  [[nodiscard]] const runtime::Game& game(std::size_t i) const { return slots_[i].game; }

  Answer reset();
  // An action of each game, evenly chosen; -1 where it is over.
  Answer sample(std::int64_t* actions);
  // Plays an action of each game, in which nothing happens where it is below 0. `rewards`: one for each
  // player.
  Answer step(const std::int64_t* actions, float* rewards, End* ends);
  // Moves part by part (parts.hpp): which parts are legal, part_count() for each game.
  [[nodiscard]] Symbol parts() const { return part_count(part_base_); }
  Answer parts_mask(std::uint8_t* to);
  // Chooses a part in each game (below 0: none). `played`: the move was whole then, and the rest is as for
  // step().
  Answer step_parts(const std::int64_t* parts, float* rewards, End* ends, std::uint8_t* played);
  Answer chosen_parts(std::vector<Symbols>& parts);
  // Which actions are legal: numbers().size() for each game, which must be dense.
  Answer mask(std::uint8_t* to);
  Answer legal(std::vector<Numbers>& actions);
  Answer observe(float* to);
  // The same in whole numbers from 0 to 255; a fault where a plane has others.
  Answer observe(std::uint8_t* to);
  // So many random games from where each game is: what each player has of them, on average.
  Answer rollouts(int count, std::uint64_t seed, float* to);
  // Who is to move; -1 where the game is over.
  Answer to_move(std::int32_t* players);
  Answer keep(std::vector<KeptGame>& games);
  // One for each game. A fault, and the batch is worth nothing, where they are of other rules.
  Answer restore(const std::vector<KeptGame>& games);

private:
  struct Slot {
    runtime::Game game;
    runtime::Random random;
    Numbers legal;
    bool listed = false;
    Seen seen;
    // What sample() has chosen, and where it stands in moves(); -1: nothing. A step that plays it needs no
    // numbers of the other moves.
    std::int64_t chosen = -1;
    std::size_t chosen_at = 0;
    // The choice was made ahead, with the generator as it is after it: sample() has only to take it over.
    std::optional<runtime::Random> ahead;
    std::vector<std::uint32_t> played; // the places of its moves
    std::optional<PartChoice> parts{}; // of a move that isn't whole yet
  };
  using Work = std::function<Answer(Slot&, std::size_t)>;
  Answer each(const Work& work, bool is_long = false);
  [[nodiscard]] runtime::Game& patient(Slot& slot) const;
  Answer list(Slot& slot) const;
  Answer choose(Slot& slot) const;
  Answer choose_by(runtime::Random& random, Slot& slot) const;
  void choose_ahead(Slot& slot) const;
  [[nodiscard]] tl::expected<std::size_t, runtime::Fault> place_of(Slot& slot, std::int64_t action) const;
  Answer judge(Slot& slot, float* rewards, End& end) const;
  Answer play(Slot& slot, std::int64_t action, float* rewards, End& end);
  Answer play_at(Slot& slot, std::size_t place, float* rewards, End& end);
  Answer play_on(Slot& slot, std::size_t place, float* rewards, End& end);
  template <class F>
  Answer whole(Slot& slot, F&& f) const;
  Answer begin_parts(Slot& slot) const;
  Answer choose_part(Slot& slot, std::int64_t part, float* rewards, End& end, std::uint8_t& played);
  Answer replay(Slot& slot, const KeptGame& kept) const;
  void go_back(Slot& slot) const;
  Answer begin_anew(Slot& slot) const;
  Answer roll(Slot& slot) const;
  static void forget_choice(Slot& slot);

  std::shared_ptr<const runtime::Rules> rules_;
  std::shared_ptr<ActionNumbers> numbers_;
  std::shared_ptr<const Planes> planes_;
  Symbol part_base_;
  BatchOptions options_;
  int players_ = 0;
  std::vector<Slot> slots_;
  Rounds rounds_;
  bool looks_ = false; // somebody observes: then the last move is followed
};

} // namespace boardwright::python
