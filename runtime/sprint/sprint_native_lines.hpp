// What native code for sprints looks up of lines through cells. See sprint_native.hpp.
#pragma once

#include "runtime/sprint/sprint.hpp"
#include "runtime/sprint/sprint_sets.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace boardwright::runtime::machine::native {

// Lines through each cell, for rays that go along them both ways. What is free of a line is gathered to a
// small number, a table says how much of that is seen from the cell, and that is spread out to the line again
// ("pext bitboards").
class Lines {
public:
  // Longer ones have tables that don't fit into the nearest cache.
  static constexpr int kLongest = 10;
  struct Line {
    std::array<std::uint64_t, 2> cells{};
    const std::uint16_t* seen = nullptr; // by what is free
    std::uint64_t in_first = 0;          // cells in the first word
  };
  // Null where rays go one way, or too far.
  static std::unique_ptr<Lines> make(const Board& board, const std::vector<int>& steps, int words,
                                     bool with_stop);

  [[nodiscard]] const Line* lines() const { return lines_.data(); }
  [[nodiscard]] int axes() const { return axes_; }

private:
  bool add(const Board& board, int forth, int back, int cell);
  void make_table(bool with_stop);

  std::vector<Line> lines_;          // by cell and axis
  std::vector<std::uint16_t> table_; // by place in the line and what is free
  int axes_ = 0;
};

// All lines that the code of one sprint reads.
struct LineTables {
  std::vector<std::pair<std::pair<int, bool>, std::unique_ptr<Lines>>> lines; // by rays, with what stops them
  const Lines* of(const SprintCode& code, int rays, bool with_stop, int words) {
    const std::pair<int, bool> key(rays, with_stop);
    for (const auto& known : lines)
      if (known.first == key) return known.second.get();
    lines.emplace_back(key, Lines::make(code.board, code.rays[at(rays)], words, with_stop));
    return lines.back().second.get();
  }
};

} // namespace boardwright::runtime::machine::native
