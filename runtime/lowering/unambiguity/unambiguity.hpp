// Can two ways through a turn be one move?
//
// Two ways are one move when writing and result are the same. So moves are compared as they are found, unless
// an argument says that they differ: then nothing needs to be written or remembered. README.md has the
// arguments.
#pragma once

#include "runtime/lowering/facts/facts.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace boardwright::runtime::lowering::unambiguity {

// A walk whose ends are one choice of a cell.
struct TakenWalk {
  const Todo* rest = nullptr; // what comes behind it
  WalkAsSet as;
};
// Whoever compiles says whether what comes next is taken so: how a move is chosen is part of the argument.
using TakesWalk = std::function<std::optional<TakenWalk>(const Todo*, const AbstractDraft&)>;

// Alternatives, by their numbers, that could be one move. One with itself: its own moves could be.
using Alike = std::set<std::pair<std::uint32_t, std::uint32_t>>;

// Which moves of a turn must be compared.
struct Ambiguities {
  bool all = false;
  std::set<NodeId> branches;                       // all moves of these branches of `otherwise`
  std::map<NodeId, Alike> alike;                   // of these alternatives
  std::vector<std::pair<NodeId, WalkAsSet>> walks; // that the argument has taken for one choice
};

[[nodiscard]] Ambiguities ambiguities_of(int player, NodeId turn, const Facts& facts,
                                         const TakesWalk& takes_walk);

// `from S, (A or B), C`, also behind a choice of a direction, as `(from S, A, C) or (from S, B, C)`: then A
// may be told from B by its beginning. The same turn where that says nothing new.
[[nodiscard]] NodeId alternatives_apart(NodeId turn, Program& rules, const Facts& facts);

// What comes before it neither writes nor chooses anything.
[[nodiscard]] std::size_t first_that_matters(const std::vector<NodeId>& parts, const Facts& facts);

} // namespace boardwright::runtime::lowering::unambiguity
