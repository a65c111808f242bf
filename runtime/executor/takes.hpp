// Whose pieces a move can take, and where, as its code says.
#pragma once

#include "runtime/ir/ir.hpp"

#include <cstdint>
#include <vector>

namespace boardwright::runtime::executor {

// A cell that the code of a move names: a value of the move's record (-1: the cell that is open), from there
// on by place tables and steps. It is no cell where one of them leads nowhere.
struct NamedCell {
  struct Way {
    bool is_step = false; // or else a place table
    std::int32_t index = 0;
    friend bool operator==(const Way&, const Way&) = default;
  };
  std::int32_t value = -1;
  std::vector<Way> ways;
  friend bool operator==(const NamedCell&, const NamedCell&) = default;
};

struct Takes {
  // A bit for each player who may have fewer cells after such a move. Where the code changes cells whose
  // pieces only the position tells, all bits are set.
  std::uint32_t losers = 0;
  // If `told`, no other cell can lose a piece than these.
  bool told = false;
  std::vector<NamedCell> cells;
};

// By leaf.
[[nodiscard]] std::vector<Takes> takes_by_leaf(const ir::Code& code);

} // namespace boardwright::runtime::executor
