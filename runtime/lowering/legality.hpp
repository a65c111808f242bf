// What a change of one cell does to conditions: see legality.cpp.
#pragma once

#include "runtime/lowering/lowering.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace boardwright::runtime::lowering {

// What the change of one cell does to a value: nothing, it can only become smaller (false), only greater
// (true), or anything.
enum class Lowering::Trend : std::uint8_t { same, shrinks, grows, unknown };

// The cell has one of the codes `before`, then one of `after`.
struct Lowering::CellChange {
  Contents before, after;
  std::set<std::int32_t> variables;     // that are set too
  std::map<std::int32_t, Trend> locals; // bound within the condition
  bool walks = false;                   // `here` is the walker of a walk in the condition
};

// What is known of a chain of actions behind the choice of a cell.
struct Lowering::Sure {
  CellSet cells;                   // for these it has one outcome if the conditions hold
  std::vector<ir::Choice> choices; // that it meets on the way
  struct Condition {
    std::vector<NodeId> any; // one of these must hold before
    bool whole = true;       // they are all that the rules ask for
  };
  std::vector<Condition> conditions;
  std::vector<NodeId> watched; // questions that mustn't look at the cell
  std::vector<NodeId> attacks; // `reach` that mustn't lead to the cell, if the piece is one of the few
  Contents spoiling;           // pieces in the air with which it can't be said
  bool one_of_few = false;     // the piece in the air is one that conditions ask for
  NodeId left = kNoNode;       // what can't fail from here on is left to the move that is played
  Draft behind;                // what is known there: nothing is in the air
  CellChange change;
};

} // namespace boardwright::runtime::lowering
