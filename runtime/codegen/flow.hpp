// What can come after what: which instructions are carried out at all, and whose changes may be taken back.
#pragma once

#include "runtime/ir/ir.hpp"

#include <cstdint>
#include <vector>

namespace boardwright::runtime::codegen {

struct Flow {
  std::vector<bool> reached;    // by instruction
  std::vector<bool> taken_back; // what it changes may be taken back later in the same turn
  // The move that is played may have decided the game when it is come to; it may not have.
  std::vector<bool> decided, undecided;
  // By player: the leaves of his position if there are few, which are come to in this order, each at most
  // once, before one of the moves is picked, and whose sets stay as they are till then. (Instructions; empty:
  // it isn't so.)
  std::vector<std::vector<std::uint32_t>> in_order;
  std::vector<bool> passed_by; // such a leaf may not be come to
};

// Of random games, which begin at the code of a position and never ask for the notation of a move; or of all
// that may be asked: there everything is reached, and whatever changes may be taken back.
[[nodiscard]] Flow flow_of(const ir::Code& code, bool random_games);

} // namespace boardwright::runtime::codegen
