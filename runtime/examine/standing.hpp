// Where pieces stood and moved in random games: kinds that never came about, cells that pieces get to and
// never leave, single pieces that were lost.
#pragma once

#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace boardwright::runtime {

// Pieces of a player and kind that got to a cell several times (or to the cells of a rank or file together)
// and never left it, though one of the player's pieces drawn by lot would often have been one of them: only
// from a hand, or though they become another kind elsewhere.
struct DeadCell {
  int player = 0, kind = 0, cell = 0;
  std::uint64_t turns = 0; // of the player that they stood there
  Position last;           // one of these positions, the player to move
};

// A piece of a kind of which the player had no other, and the moves that were made after it had gone.
struct LostPiece {
  int player = 0, kind = 0;
  std::uint64_t moves = 0;
  Position first; // the first position without it
};

class Standing {
public:
  explicit Standing(const Program& program);

  // A position that came about, or that tests show.
  void seen(const Position& position);
  // A move of `before.to_move` that led from one position to the other.
  void moved(const Position& before, const Position& after);

  // The cells on which there was a piece in any position.
  [[nodiscard]] const CellSet& stood_on() const { return stood_on_; }
  [[nodiscard]] bool has_seen(int kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] std::vector<DeadCell> dead() const;
  [[nodiscard]] const std::vector<LostPiece>& lost() const { return lost_; }
  // Of so many moves so many left more pieces than there were, on the board and in the hands.
  [[nodiscard]] std::uint64_t moves() const { return moves_; }
  [[nodiscard]] std::uint64_t grew() const { return grew_; }

private:
  struct Entry {
    std::uint64_t chances = 0; // of being drawn, in thousandths
    std::uint64_t turns = 0, arrived = 0, dropped = 0, left = 0;
    std::optional<Position> last;
  };
  void note_lost(const Position& before);
  [[nodiscard]] std::vector<DeadCell> dead_line(int player, int kind, const std::vector<int>& cells) const;
  [[nodiscard]] std::size_t entry_of(int player, int kind, int cell) const;
  [[nodiscard]] bool often_leaves(int player, int kind) const;
  [[nodiscard]] std::optional<std::size_t> kind_promoted(const Position& before, const Position& after,
                                                         int player) const;

  const Program& program_;
  std::vector<bool> kinds_;
  CellSet stood_on_;
  std::vector<std::uint64_t> promoted_; // by kind: pieces that became another one
  std::uint64_t moves_ = 0, grew_ = 0;
  std::vector<Entry> entries_;  // by player, kind and cell
  std::vector<LostPiece> lost_; // a row for each single piece of the set-up
};

} // namespace boardwright::runtime
