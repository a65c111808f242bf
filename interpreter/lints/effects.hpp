// What the turn of a player can change: cells by what they may hold, and variables.
#pragma once

#include "interpreter/lints/lints.hpp"

#include <cstdint>
#include <set>

namespace boardwright::interpreter {

// What cells may hold: some of these.
inline constexpr unsigned kHoldsOwn = 1, kHoldsEnemy = 2, kHoldsNeutral = 4, kHoldsNothing = 8,
                          kHoldsAnything = 15;

struct Effects {
  bool known = false;               // else the turn is too large to tell
  unsigned changed = 0;             // what cells that change may hold before or after
  unsigned taken = 0;               // what those may hold whose pieces leave the board, or their owner
  std::set<std::int32_t> variables; // that it may set
  std::set<runtime::NodeId>
      choices; // nodes of `if` that it comes to: others stand behind an option that is off
};

// What isn't known may hold anything: so more is said to change than may, and never less.
[[nodiscard]] Effects effects_of_turn(const Linted& in, int player);

// What the cells `owned` may hold, as one player sees them (operands of the operation `owned`).
[[nodiscard]] unsigned holdings_of(const runtime::Program& program, std::int32_t owners, int of, int me);
// Likewise of the cells with a kind on top.
[[nodiscard]] unsigned holdings_of_kind(const runtime::Program& program, const runtime::Node& kind, int me);

} // namespace boardwright::interpreter
