// A move chosen part by part, for rules that have too many moves for a number each.
//
// A move is made of choices, whole numbers (runtime::choices_of_moves), in which all moves of a position
// differ. Here they become symbols below a bound that is the same for all positions of the rules:
//
//   0 … base - 1   a choice of that number
//   base           a choice of another number follows, by digits
//   base + 1       the move ends here, though another one goes on
//
// What can't be otherwise is chosen at once: who chooses has always two symbols or more before him, but where
// a position has one move only; then it is base + 1. So each move is reached in exactly one way.
#pragma once

#include "runtime/game/game.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace boardwright::python {

using Symbol = std::int32_t;
using Symbols = std::vector<Symbol>;

// Numbers of choices below this are symbols themselves: as many as the board has cells by the engine's
// numbering, so that all cells are.
[[nodiscard]] Symbol part_base(const runtime::Rules& rules);
[[nodiscard]] inline Symbol part_count(Symbol base) { return base + 2; }

// The choice in a position. Good as long as the game is there.
class PartChoice {
public:
  // Costs as much as to list all moves, and the choices of each.
  [[nodiscard]] static tl::expected<PartChoice, runtime::Fault> begin(runtime::Game& game, Symbol base);

  // What can be chosen next, in increasing order; nothing where the game is over.
  [[nodiscard]] Symbols legal() const;
  // What has been chosen, with what couldn't be otherwise.
  [[nodiscard]] const Symbols& chosen() const { return chosen_; }
  // Nothing: it can't be chosen, and nothing has happened. Else whether the move is whole.
  [[nodiscard]] std::optional<bool> choose(Symbol symbol);
  // Of a whole move: its place in the list of moves.
  [[nodiscard]] std::uint32_t place() const { return left_.front(); }

private:
  explicit PartChoice(Symbol base) : base_(base) {}
  [[nodiscard]] Symbol end() const { return base_ + 1; }
  // The symbol of a move that comes next.
  [[nodiscard]] Symbol next_of(std::uint32_t move) const;
  void choose_what_must_be();

  Symbol base_;
  std::shared_ptr<const std::vector<Symbols>> moves_; // copies share them
  std::vector<std::uint32_t> left_;                   // moves that begin with what has been chosen
  Symbols chosen_;
};

} // namespace boardwright::python
