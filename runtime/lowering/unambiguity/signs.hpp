// What is written next by the ways through a turn, and when two such signs differ.
#pragma once

#include "runtime/lowering/abstract_draft.hpp"
#include "runtime/lowering/unambiguity/cell_relation.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace boardwright::runtime::lowering::unambiguity {

struct Sign {
  // `any`: it may be anything, and nothing. `gone`: what has left, if anything has. `change`: `=` and the
  // letter of a kind, or nothing where the piece is of that kind already; nothing is written or changed
  // behind it.
  enum class What : std::uint8_t { cell, put, drop, text, number, change, gone, end, any } what = What::end;
  CellRelation at;  // by the cell written last: what cell it may be
  std::string text; // of a text; of a drop or change the letter of its kind, if one is written; of `any` what
                    // comes last
  Contents there;   // of `put`: what is on the cell, when the choice is made
  bool plain = true;   // of a text, a number or a drop's letter: it can't be taken for a cell
  bool behind = false; // of a drop: something stands before it
  bool bare = false;   // of a cell: its name alone is written, though something stands before it
  bool many = false;   // of a cell or drop: there may be several, whose names go on where one of them ends
  int of = 0;          // signs of branches between which a condition decides are never of one position
  Contents start;      // what was on the cell where the walker began
  bool gone = false;   // of a cell and the end: what has left may be written before it
  bool first = false;  // a secret begins: cells are written as if nothing stood before them
  bool digits = false; // of `any`: it may begin with a digit
  // What may be written behind it, if that is known.
  std::shared_ptr<const std::vector<Sign>> next;

  explicit Sign(What is = What::end) : what(is) {
    there.set();
    start.set();
  }
};

using Signs = std::vector<Sign>;

// Do they differ wherever the one may be written and the other?
[[nodiscard]] bool differ(const Sign& a, const Sign& b);
// Likewise, all of them, where all may be written in one position of one draft.
[[nodiscard]] bool all_differ(const Signs& signs);

} // namespace boardwright::runtime::lowering::unambiguity
