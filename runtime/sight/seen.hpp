// What a player sees of a position, and reads of a move: all that follows from `sees`, from secret variables
// and from `secretly` in a rule file (dsl/README.md, "What a player sees").
#pragma once

#include "runtime/game/rules.hpp"
#include "runtime/model/position.hpp"
#include "runtime/model/program.hpp"

#include <tl/expected.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace boardwright::runtime::sight {

// A position as one player sees it. Two positions that he can't tell apart are equal here.
struct Seen {
  // What isn't seen is as if it were not there: dark cells are empty, hands and variables that aren't seen
  // hold nothing. A piece whose kind isn't seen has the first kind that its owner has.
  Position position;
  CellSet dark;            // it isn't seen whether anything lies there
  CellSet covered;         // it isn't seen of which kinds the pieces are that lie there
  std::vector<bool> hands; // by index into Position::hands: isn't it seen?
  std::vector<bool>
      variables; // likewise; of values that pieces carry what lies on dark and covered cells isn't
  friend bool operator==(const Seen& a, const Seen& b);
};

// A fault: a rule goes wrong that says what he sees. The sets of `sees` are compiled as rules are.
[[nodiscard]] tl::expected<Seen, Fault> seen_by(const Rules& rules, const Position& position, int player);
// The same by the literal walker, which judges the other one, and needs no more than a program.
[[nodiscard]] tl::expected<Seen, Fault> seen_by(const Program& program, const Position& position, int player);

// One line of text, the same for two positions exactly where `player` can't tell them apart:
// "White to move; a1 w, b1 ?, c1 dark; in hand: White man 2, Black man unknown; card(White) = 3, seed
// unknown". Cells that are seen to be empty aren't told.
[[nodiscard]] std::string text_of(const Program& program, const Seen& seen);

// The notation of a move as it is read by somebody: its mover reads all of it, without the signs around what
// is secret; others a `?` for each part that is.
[[nodiscard]] std::string read_by(const Program& program, std::string_view notation, int mover, int reader);

} // namespace boardwright::runtime::sight
