// Tempo (Sid Sackson, 1970), written by hand. See yardstick.hpp.
#pragma once

#include "tests/bench/yardstick.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::yardstick {

class Tempo {
public:
  static constexpr int kFiles = 6, kRanks = 5;

  using Cell = std::uint8_t; // 8 * rank + file
  struct Move {
    Cell from = 0, to = 0;
  };

  Tempo(); // the set-up
  static Tempo blank(int to_move);
  void put(int x, int y, int owner) { set(8 * y + x, owner); }

  void list(std::vector<Move>& moves) const;
  void play(const Move& move);

  [[nodiscard]] int to_move() const { return mover_; }
  [[nodiscard]] std::optional<int> winner() const { return winner_; }
  [[nodiscard]] int owner(int x, int y) const { return at(8 * y + x); }
  [[nodiscard]] std::string notation(const Move& move) const;

private:
  struct Vacant {};
  explicit Tempo(Vacant);

  // Two bits for each of the 30 holes, and one for the player to move.
  using Key = std::uint64_t;

  [[nodiscard]] int at(int cell) const { return board_[static_cast<std::size_t>(cell)]; }
  void set(int cell, int owner);
  [[nodiscard]] bool is_filled(int cell) const { return at(cell) >= 0; }
  [[nodiscard]] bool are_filled(int a, int b) const { return std::min(at(a), at(b)) >= 0; }
  std::size_t own_pegs(std::array<Cell, kFiles * kRanks>& pegs) const;
  void go(int from, int way, std::vector<Move>& moves) const;
  [[nodiscard]] Key key() const;
  [[nodiscard]] int with_fewer_pegs() const;

  std::array<std::int8_t, 56> board_; // a player, kNobody, or outside, which the rim of the array is
  int mover_ = 0;
  std::optional<int> winner_;
  std::vector<Key> seen_; // the positions before this one, back to the last capture
};

} // namespace boardwright::yardstick
