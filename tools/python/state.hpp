// One game, asked by action numbers.
#pragma once

#include "runtime/game/game.hpp"
#include "tools/python/actions.hpp"
#include "tools/python/parts.hpp"
#include "tools/python/planes.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace boardwright::python {

// What its rules have for all their games.
struct Shared {
  std::shared_ptr<const runtime::Rules> rules;
  std::shared_ptr<ActionNumbers> numbers;
  std::shared_ptr<const Planes> planes;
  Symbol part_base = 0; // see parts.hpp
};

// A move as it is kept: how it was written, and its place in the list of moves, since two may be written
// alike.
struct KeptMove {
  std::string text;
  std::uint32_t place = 0;
};

// What two games of the same rules must have in common to be the same: their positions, and how they came to
// them.
struct Identity {
  runtime::Position position;
  std::optional<runtime::Outcome> outcome;
  std::vector<std::uint64_t> past; // keys of the positions before, from the first one that is known
  std::vector<std::string> moves;
  std::uint64_t key = 0;

  [[nodiscard]] bool same_as(const Identity& other) const;
  [[nodiscard]] std::uint64_t hash() const;
};

class State {
public:
  template <class T>
  using Answer = tl::expected<T, runtime::Fault>;
  State(Shared shared, runtime::Game game);

  [[nodiscard]] const Shared& shared() const { return shared_; }
  [[nodiscard]] const runtime::Game& game() const { return game_; }
  [[nodiscard]] const Seen& seen() const { return seen_; }
  [[nodiscard]] int players() const { return shared_.rules->program().player_count(); }
  // The actions played since the beginning, and how they were written.
  [[nodiscard]] const std::vector<std::int64_t>& history() const { return history_; }
  [[nodiscard]] const std::vector<KeptMove>& kept() const { return kept_; }
  // Whatever is asked from now on ends with a fault when this is over, and nothing has happened. A copy must
  // be told anew.
  void give_up_when(const runtime::Patience& patience) { game_.give_up_when(patience); }

  Answer<std::optional<runtime::Outcome>> outcome() { return game_.outcome(); }
  Answer<Numbers> legal();
  // The action of the move at a place of the list of moves.
  Answer<std::int64_t> number_at(std::uint32_t place);
  // Of each of them, where it is nature's move: see Game::weights.
  Answer<std::vector<std::int64_t>> weights() { return game_.weights(); }
  Answer<void> apply(std::int64_t action);
  // Plays a move that was kept: the one at its place if that is still written so, else the only one that is.
  Answer<void> replay(const KeptMove& kept);
  // Plays the move at a place of the list of moves.
  Answer<void> play_at(std::uint32_t place);
  bool undo();
  // A move part by part (parts.hpp): what comes next; nothing: the game is over.
  Answer<Symbols> legal_parts();
  // Whether the move was whole then, and has been played. A fault, and nothing happens, for what isn't legal.
  Answer<bool> choose_part(Symbol symbol);
  [[nodiscard]] Symbols chosen_parts() const { return choice_ ? choice_->chosen() : Symbols(); }
  // The move is begun anew.
  void forget_parts() { choice_.reset(); }
  Answer<std::string> text(std::int64_t action);
  Answer<std::optional<std::int64_t>> find(std::string_view text);
  Answer<Parts> parts(std::int64_t action);
  Answer<runtime::FromTo> cells(std::int64_t action);
  Answer<Identity> identity();

private:
  Answer<runtime::Move> move_of(std::int64_t action);
  Answer<std::optional<runtime::Move>> move_of(const KeptMove& kept);
  Answer<void> play(const runtime::Move& move, std::int64_t action);
  Answer<void> begin_parts();

  Shared shared_;
  runtime::Game game_;
  Seen seen_;
  std::vector<std::int64_t> history_;
  std::vector<KeptMove> kept_;
  std::vector<std::uint64_t> past_;
  std::optional<PartChoice> choice_; // of a move that isn't whole yet
};

} // namespace boardwright::python
