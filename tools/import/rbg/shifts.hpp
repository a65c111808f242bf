// Where shifts lead: parts of the rules that look at nothing but the board's graph are worked out beforehand.
#pragma once

#include "tools/import/rbg/game.hpp"

#include <bitset>
#include <memory>

namespace boardwright::tools {

using RbgCells = std::bitset<kMostRbgCells>;
using RbgRelation = std::vector<RbgCells>; // of each vertex: where one can be after it

class RbgShifts {
public:
  // `alike`: of each node the first that is written alike.
  RbgShifts(const RbgGame& game, const std::vector<int>& alike);

  // Does it hold nothing but shifts, and conditions of shifts?
  [[nodiscard]] bool only_shifts(int node) const { return only_shifts_[static_cast<std::size_t>(node)]; }
  // Of such nodes one after the other; nothing if there is too much to work out.
  [[nodiscard]] std::optional<RbgRelation> of(const std::vector<int>& nodes);

private:
  [[nodiscard]] const RbgRelation* of(int node);
  [[nodiscard]] std::optional<RbgRelation> worked_out(const RbgNode& node);
  [[nodiscard]] RbgRelation nowhere_else() const; // each vertex to itself
  void follow(RbgRelation& relation, const RbgRelation& next);
  [[nodiscard]] RbgRelation closure(const RbgRelation& relation);

  const RbgGame& game_;
  const std::vector<int>& alike_;
  std::vector<bool> only_shifts_;
  std::vector<std::optional<RbgRelation>> known_;
  std::size_t work_ = 0, kept_ = 0;
};

} // namespace boardwright::tools
