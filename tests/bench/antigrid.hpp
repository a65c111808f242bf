// Anti-Grid (David M. McCord, 2006) with 11 gems, written by hand. See yardstick.hpp.
#pragma once

#include "tests/bench/yardstick.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::yardstick {

class AntiGrid {
public:
  static constexpr int kFiles = 12, kRanks = 12;

  using Cell = std::uint8_t; // 16 * (rank + 1) + file
  struct Move {
    Cell from = 0, to = 0;
  };

  AntiGrid(); // the set-up
  static AntiGrid blank(int to_move);
  void put(int x, int y, int owner) { set(cell_at(x, y), owner); }

  void list(std::vector<Move>& moves) const;
  void play(const Move& move);

  [[nodiscard]] int to_move() const { return mover_; }
  // Nobody: a player with too few gems that can move is one who can't move.
  [[nodiscard]] std::optional<int> winner() const { return std::nullopt; }
  [[nodiscard]] int owner(int x, int y) const {
    const int found = at(cell_at(x, y));
    return found == kHole ? kNobody : found;
  }
  [[nodiscard]] std::string notation(const Move& move) const;

private:
  static constexpr std::int8_t kHole =
      -2; // where no gem may rest; such is the rim of the array, two ranks wide

  struct Vacant {};
  explicit AntiGrid(Vacant);

  static int cell_at(int x, int y) { return 16 * (y + 1) + x; }
  static int file_of(int cell) { return cell % 16; }
  static int rank_of(int cell) { return cell / 16 - 1; }
  [[nodiscard]] int at(int cell) const { return board_[static_cast<std::size_t>(cell)]; }
  void set(int cell, int owner) { board_[static_cast<std::size_t>(cell)] = static_cast<std::int8_t>(owner); }
  void gem_moves(int x, int y, std::vector<Move>& moves) const;
  void glide(int from, int step, int beside, std::vector<Move>& moves) const;
  [[nodiscard]] bool is_blockaded(int cell, int beside) const;
  void capture(int cell, int step);

  std::array<std::int8_t, 16 * 16> board_; // a player, kNobody, or kHole
  int mover_ = 0;
};

} // namespace boardwright::yardstick
