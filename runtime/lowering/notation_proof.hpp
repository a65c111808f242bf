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
  // `any`: it may be anything, and nothing.
  enum class What : std::uint8_t { cell, put, drop, letter, text, number, gone, end, any } what = What::end;
  CellRelation at;   // by the cell written last: what cell it may be
  std::string text;  // of a text; of a drop or a change its kind; a change to any kind has none
  Contents there;    // of `put`: what is on the cell, when the choice is made
  bool plain = true; // of a text or a number: it can't be taken for a cell
  std::uint32_t branch = 0;
  bool sure = false;         // of what leaves: something does
  int of = 0;                // signs of branches between which a condition decides are never of one position
  Contents start;            // what was on the cell where the walker began
  std::set<std::int32_t> in; // state variables that had the cell at the turn's beginning
  Contents since;            // of a cell that `from` writes: what was there at the `from` before
  bool gone = false;         // of a cell and the end: what has left may be written before it
  // What may be written behind it, if that is known.
  std::shared_ptr<const std::vector<Sign>> next;
  Sign() {
    start.set();
    since.set();
  }
};

// Where the walker is, seen from the cell that was written last.
struct Lowering::Written {
  CellRelation here;         // by that cell; empty: there is no walker yet
  bool anchored = false;     // something has been written
  bool free = false;         // a choice hasn't been written yet
  std::int32_t slot = -1;    // of which name it is: then it isn't the walker's cell
  bool gone = false;         // something may have left that is to be written
  bool kind = false;         // the choice is of a kind
  bool others_only = false;  // the cells that are chosen among have others' pieces
  bool told_by_gone = false; // the choice is of the cell that leaves
  bool laid = false;         // nothing is in the air: what was carried has been laid down
  bool partly = false;       // some of it has, perhaps all
  bool wrote = false;        // something, since the round of a repetition began
  Contents there;            // what is on the walker's cell, since the last sign; all bits: unknown
  bool touched = false, touched_start = false; // pieces have changed since then; only where it was written
  // Of names that were bound when nothing had changed: their values.
  std::map<std::int32_t, NodeId> bound;
  std::set<std::int32_t> variables; // that have been set
  Contents start;                   // what was on the cell where the walker began
  std::set<std::int32_t> in;        // state variables that had the walker's cell at the turn's beginning
  // Since the last `from`: has anything been written, have pieces changed; what was there on cells where
  // pieces have been laid; and at its time on the cells of names that were bound before pieces changed.
  bool signs = false, moved = false;
  Contents laid_on;
  std::map<std::int32_t, Contents> named;
  Written() {
    there.set();
    start.set();
  }
};

} // namespace boardwright::runtime::lowering
