// Conditions behind a choice of a cell that are asked once for many cells: see legality.cpp.
#pragma once

#include "runtime/lowering/context.hpp"
#include "runtime/lowering/facts/monotonicity.hpp"

#include <optional>
#include <vector>

namespace boardwright::runtime::lowering {

// What is known of a chain of actions behind the choice of a cell.
struct Sure {
  CellSet cells;                               // for these it has one outcome if the conditions hold
  std::vector<ir::Choice> choices;             // that it meets on the way
  std::vector<std::vector<NodeId>> conditions; // of each of them one must hold before
  std::vector<NodeId> watched;                 // questions that mustn't look at the cell
  std::vector<NodeId> attacks; // `reach` that mustn't lead to the cell, if the piece is one of the few
  Contents spoiling;           // pieces that are carried with which it can't be said
  bool one_of_few = false;     // the piece that is carried is one that conditions ask for
  NodeId left = kNoNode;       // what can't fail from here on is deferred to the move that is played
  AbstractDraft behind;        // what is known there: nothing is carried
  CellChange change;
};

// `few`: nothing for any piece that is carried, or those that conditions ask for.
[[nodiscard]] std::optional<Sure> sure_behind(const Context& cx, const Todo* after, const AbstractValue& from,
                                              const AbstractDraft& d, const Contents* few);
// The cells of a set for which all conditions hold are a leaf, and leave the set. `few`: likewise for pieces
// with which that can't be said so.
void take_sure(Context& cx, const Sure& s, const std::optional<Sure>& few, Reg left, AbstractDraft d);
// A set of cells that is looked at, where anybody wants to know.
void look(Context& cx, Reg cells);

} // namespace boardwright::runtime::lowering
