// Intermedium (Matt Crispis, 1976), written by hand. See yardstick.hpp.
#pragma once

#include "tests/bench/yardstick.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boardwright::yardstick {

class Intermedium {
public:
  static constexpr int kFiles = 7, kRanks = 10;
  static constexpr int kMaxStones = 44; // of a player

  using Cell = std::uint8_t; // 9 * rank + file
  // A stone is dropped on each cell of the way.
  struct Move {
    Cell from = 0;
    std::uint8_t steps = 0;
    std::array<Cell, kMaxStones> way;
  };

  Intermedium(); // the set-up
  static Intermedium blank(int to_move, int ply);
  void put(int x, int y, int owner) { add_stone(9 * y + x, owner); }

  void list(std::vector<Move>& moves) const;
  void play(const Move& move);

  [[nodiscard]] int to_move() const { return mover_; }
  [[nodiscard]] std::optional<int> winner() const { return winner_; }
  [[nodiscard]] int owner(int x, int y) const { return at(9 * y + x); }
  [[nodiscard]] int height(int x, int y) const { return height_[static_cast<std::size_t>(9 * y + x)]; }
  [[nodiscard]] std::string notation(const Move& move) const;

private:
  struct Vacant {};
  explicit Intermedium(Vacant);

  [[nodiscard]] int at(int cell) const { return owner_[static_cast<std::size_t>(cell)]; }
  [[nodiscard]] int height_of(int cell) const { return height_[static_cast<std::size_t>(cell)]; }
  void add_stone(int cell, int owner);
  void clear(int cell);

  [[nodiscard]] bool is_opening() const { return ply_ < 4; }
  void sow(int cell, int last_step, std::size_t sown, Move& move, std::vector<Move>& moves) const;
  [[nodiscard]] bool opens_well(const Move& move) const;
  [[nodiscard]] bool is_walled(int cell) const;
  [[nodiscard]] bool wins_city(int cell) const;

  std::array<std::int8_t, 9 * 12> owner_; // a player, kNobody, or outside, which the rim of the array is
  std::array<std::uint8_t, 9 * 12> height_{};
  int mover_ = 0, ply_ = 0;
  std::optional<int> winner_;
};

} // namespace boardwright::yardstick
