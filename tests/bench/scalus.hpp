// Scalus (Joao Pedro Neto, 2000), written by hand. See yardstick.hpp.
#pragma once

#include "tests/bench/yardstick.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace boardwright::yardstick {

class Scalus {
public:
  static constexpr int kFiles = 10, kRanks = 19;

  // Stones in rows and columns: the one in column c and row r is at (x + spacing * (c + slant * r), y +
  // spacing * r). Only diagonal pairs have a slant: they are one column of two rows.
  struct Group {
    std::int8_t x = 0, y = 0, columns = 1, rows = 1, spacing = 1, slant = 0;
  };
  // All that moves, a single stone or a group, keeps its columns and rows.
  struct Move {
    Group before, after;
  };

  Scalus(); // the set-up
  static Scalus blank(int to_move);
  void put(int x, int y, int owner);

  void list(std::vector<Move>& moves);
  void play(const Move& move);

  [[nodiscard]] int to_move() const { return mover_; }
  [[nodiscard]] std::optional<int> winner() const { return winner_; }
  [[nodiscard]] int owner(int x, int y) const { return board_[index(x, y)]; }

private:
  struct Vacant {};
  explicit Scalus(Vacant) { board_.fill(kNobody); }

  static std::size_t index(int x, int y) { return static_cast<std::size_t>((y - 1) * kFiles + x - 1); }
  [[nodiscard]] static bool inside(int x, int y) { return x >= 1 && x <= kFiles && y >= 1 && y <= kRanks; }
  [[nodiscard]] bool is_own(int x, int y) const { return inside(x, y) && owner(x, y) == mover_; }
  [[nodiscard]] int row_length(int x, int y, int spacing) const;

  void steps(int x, int y, std::vector<Move>& moves) const;
  void groups(int x, int y, int spacing, std::vector<Move>& moves);
  void scalings(const Group& group, std::vector<Move>& moves);
  void about_pivots(const Group& group, int spacing, std::vector<Move>& moves) const;
  void without_pivot(const Group& group, int spacing, std::vector<Move>& moves) const;
  [[nodiscard]] bool can_land(const Group& group) const;
  [[nodiscard]] bool is_clear(const Group& group) const;
  void set_stones(const Group& group, int owner);
  [[nodiscard]] bool holds_headquarters() const;

  std::array<std::int8_t, kFiles * kRanks> board_; // a player, or kNobody
  std::array<int, 2> stones_{};                    // by player
  int mover_ = 0;
  std::optional<int> winner_;
};

} // namespace boardwright::yardstick
