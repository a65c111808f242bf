// What the change of one cell does to values and conditions.
#pragma once

#include "runtime/lowering/facts/facts.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace boardwright::runtime::lowering {

// What the change of one cell does to a value: nothing, it can only become smaller (false), only greater
// (true), or anything.
enum class Monotonicity : std::uint8_t { same, shrinks, grows, unknown };

// The cell has one of the codes `before`, then one of `after`.
struct CellChange {
  Contents before, after;
  std::set<std::int32_t> variables;            // that are set too
  std::map<std::int32_t, Monotonicity> locals; // bound within the condition
  bool walks = false;                          // `here` is the walker of a walk in the condition
};

class MonotonicityFacts {
public:
  explicit MonotonicityFacts(const Facts& facts) : f_(facts) {}

  // Of a value; of where a walk leads, whose walker is `here`.
  [[nodiscard]] Monotonicity monotonicity(NodeId id, const CellChange& c) const;
  [[nodiscard]] Monotonicity monotonicity(const Path& walk, const CellChange& c) const;
  // Of where the walk for one kind of piece (-1: none) leads from the cells of a set.
  [[nodiscard]] Monotonicity monotonicity_of_kind(NodeId from, const Path& walk, int kind,
                                                  const CellChange& c) const;
  // If a condition is `when` before the change, is it so afterwards? Where that depends on which cell it is
  // the questions that mustn't look at it are noted.
  [[nodiscard]] bool stays(NodeId id, bool when, const CellChange& c, std::vector<NodeId>& watched) const;

private:
  [[nodiscard]] Monotonicity monotonicity_of_walk(NodeId from, NodeId action, const CellChange& c) const;
  [[nodiscard]] bool can_watch(const Path& walk, const CellChange& c) const;

  const Facts& f_;
};

} // namespace boardwright::runtime::lowering
