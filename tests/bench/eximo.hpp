// Eximo (Matteo Perlini, 2013), written by hand. See yardstick.hpp.
#pragma once

#include "tests/bench/yardstick.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace boardwright::yardstick {

class Eximo {
public:
  static constexpr int kFiles = 8, kRanks = 8;
  // Three along each of four rows, and three from row to row: a chain never turns back on its row.
  static constexpr int kMaxCaptures = 15;

  using Cell = std::uint8_t; // 10 * rank + file
  struct Move {
    Cell from = 0, to = 0;
    std::uint8_t captures = 0, drops = 0;
    std::array<Cell, kMaxCaptures> captured;
    std::array<Cell, 2> dropped;
  };

  Eximo(); // the set-up
  static Eximo blank(int to_move);
  void put(int x, int y, int owner) { at(10 * y + x) = static_cast<std::int8_t>(owner); }

  void list(std::vector<Move>& moves);
  void play(const Move& move);

  [[nodiscard]] int to_move() const { return mover_; }
  // Nobody: a player without men is one who can't move.
  [[nodiscard]] std::optional<int> winner() const { return std::nullopt; }
  [[nodiscard]] int owner(int x, int y) const { return board_[static_cast<std::size_t>(10 * y + x)]; }

private:
  struct Vacant {};
  explicit Eximo(Vacant);

  std::int8_t& at(int cell) { return board_[static_cast<std::size_t>(cell)]; }
  [[nodiscard]] bool in_last_row(int cell) const { return cell / 10 == (mover_ == 0 ? 8 : 1); }

  template <class F>
  void each_man(F&& list_moves);
  bool captures(int cell, Move& move, std::vector<Move>& moves);
  bool vaults(int cell, Move& move, std::vector<Move>& moves);
  void steps(int cell, Move& move, std::vector<Move>& moves);
  void end_at(int cell, Move& move, std::vector<Move>& moves);
  void drops(Move& move, std::vector<Move>& moves);

  std::array<std::int8_t, 100> board_; // a player, kNobody, or outside, which the rim of the array is
  int mover_ = 0;
};

} // namespace boardwright::yardstick
