// What the proof that notations differ speaks of: see notation_proof.cpp.
#pragma once

#include "runtime/lowering/lowering.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace boardwright::runtime::lowering {

// Does one of two actions, before the same that comes next, always write what the other never does?
// (notation_texts.cpp)
[[nodiscard]] bool never_written_alike(const Program& program, NodeId a, NodeId b, const Todo* next);

// What is written next.
struct Lowering::Sign {
  // `any`: it may be anything, and nothing. `gone`: what has left, if anything has.
  enum class What : std::uint8_t { cell, put, drop, letter, text, number, gone, end, any } what = What::end;
  CellRelation at;     // by the cell written last: what cell it may be
  std::string text;    // of a text; of a drop the letter of its kind, if one is written; of a change its kind
  Contents there;      // of `put`: what is on the cell, when the choice is made
  bool plain = true;   // of a text, a number or a drop's letter: it can't be taken for a cell
  bool behind = false; // of a drop: something stands before it
  int of = 0;          // signs of branches between which a condition decides are never of one position
  Contents start;      // what was on the cell where the walker began
  bool gone = false;   // of a cell and the end: what has left may be written before it
  // What may be written behind it, if that is known.
  std::shared_ptr<const std::vector<Sign>> next;
  Sign() { start.set(); }
};

// Where the walker is, seen from the cell that was written last.
struct Lowering::Written {
  CellRelation here;         // by that cell; empty: there is no walker yet
  bool anchored = false;     // something has been written
  bool free = false;         // a choice hasn't been written yet
  std::int32_t slot = -1;    // of which name it is: then it isn't the walker's cell
  bool gone = false;         // something may have left that is to be written
  bool kind = false;         // the choice is of a kind
  bool perhaps_none = false; // the choice is of a set of cells that may be empty
  bool laid = false;         // nothing is in the air: what was carried has been laid down
  bool partly = false;       // some of it has, perhaps all
  bool stood_on = false;     // what was carried lies where the walker is: there is a piece
  bool wrote = false;        // something, since the round of a repetition began
  Contents there;            // what is on the walker's cell, since the last sign; all bits: unknown
  bool touched = false, touched_start = false; // pieces have changed since then; only where it was written
  // Of names that were bound when nothing had changed: their values.
  std::map<std::int32_t, NodeId> bound;
  Contents start; // what was on the cell where the walker began
  Written() {
    there.set();
    start.set();
  }
};

} // namespace boardwright::runtime::lowering
