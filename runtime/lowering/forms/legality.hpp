// What is known of conditions behind a choice of a cell: see legality.cpp.
#pragma once

#include "runtime/lowering/lowering.hpp"

#include <vector>

namespace boardwright::runtime::lowering {

// What is known of a chain of actions behind the choice of a cell.
struct Lowering::Sure {
  CellSet cells;                               // for these it has one outcome if the conditions hold
  std::vector<ir::Choice> choices;             // that it meets on the way
  std::vector<std::vector<NodeId>> conditions; // of each of them one must hold before
  std::vector<NodeId> watched;                 // questions that mustn't look at the cell
  std::vector<NodeId> attacks; // `reach` that mustn't lead to the cell, if the piece is one of the few
  Contents spoiling;           // pieces in the air with which it can't be said
  bool one_of_few = false;     // the piece in the air is one that conditions ask for
  NodeId left = kNoNode;       // what can't fail from here on is left to the move that is played
  Draft behind;                // what is known there: nothing is in the air
  CellChange change;
};

} // namespace boardwright::runtime::lowering
