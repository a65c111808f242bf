// Slots: the moves of a turn found for all cells at once.
//
// # The idea
// Where a turn takes one walker along fixed directions, all its instances are one bitboard: `from S` is S,
// `go d` a step of the whole set, `at T` an intersection. Each way through the rule (each choice of direction
// and alternative) ends in a leaf whose set has a bit for every move of that shape. Counting moves is
// counting bits, and a random move is a random bit; only the chosen move is carried out, by the leaf's own
// action, which has no choice left in it.
//
// # What it may rest on
// A test is asked of the position before the move. That is right as long as the cell in question hasn't
// changed on the way, which the planner knows, because it knows every cell by its displacement from the
// start. A tail of the rule that has exactly one outcome whatever happens is left to the leaf's action.
// Whatever doesn't fit this makes the planner give up, and the general engine derives the turn.
//
// # Each move once
// Two leaves can only write the same move if they begin alike and put or drop at the same displacements; such
// leaves must be disjoint by what they test, or the planner gives up.
#pragma once

#include "runtime/model/program.hpp"

#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

namespace boardwright::runtime {

struct SlotOp {
  enum class What : std::uint8_t {
    begin, // the set of `node`
    step,  // the set before, gone by `step`
    keep,  // the set before, met with the set of `node`
    able,  // of the set before the cells from which the walk of `node`, a reach, can end anywhere
    guard, // the set before, if the truth of `node` holds, else nothing
    leaf,  // the moves of leaf `leaf`; in a probe: a sign that there is an outcome, `leaf` the place of its
           // bits
  } what = What::leaf;
  std::uint32_t depth = 0; // the register it writes; it reads the one before
  NodeId node = kNoNode;
  std::int32_t step = -1;
  std::uint32_t leaf = 0;
  std::uint32_t skip = 0; // the first op behind all that needs this one's result
};

// A change that the chosen move makes, at the cell that `place` gives for the one where the walker began.
struct SlotEffect {
  enum class What : std::uint8_t { lift, put, clear, drop } what = What::lift;
  std::uint32_t place = 0;          // SlotPlan::places
  std::int8_t owner = -1, kind = 0; // of drop
};

// What may be on a cell: empty (0), or 1 + (owner + 1) * kinds + kind.
using Contents = std::bitset<256>;

// One action on the way of a leaf, in order.
struct SlotItem {
  NodeId action = kNoNode;
  std::uint32_t place = 0; // where the walker is after it: SlotPlan::places
  Contents before;         // what may be there before it, if the action changes that cell
};

struct SlotLeaf {
  // By the cell of a bit: where the walker began. That is what `action` is told, in SlotPlan::slot.
  std::vector<std::int16_t> origin;
  NodeId action = kNoNode; // begins with `from` or `to`
  // Where nothing but these effects is to be made before `tail`, they do for the action.
  bool direct = false;
  bool starts = false; // with `from`
  std::int32_t heading = -1;
  std::vector<SlotEffect> effects;
  NodeId tail = kNoNode;
  std::vector<SlotItem> items; // the whole of it
  std::uint32_t place = 0;     // where the bits of the leaf's set are
};

// Groups are tried in order: the first that has a move is the turn (`A otherwise B`). A probe only tells
// whether there are moves; where it says yes, the general engine lists them.
struct SlotGroup {
  bool probe = false;
  std::uint32_t begin = 0, end = 0; // ops
  std::vector<NodeId> actions;      // what it stands for, one after the other; of the first of several groups
};

struct SlotPlan {
  std::vector<SlotOp> ops;
  std::vector<SlotLeaf> leaves;
  std::vector<SlotGroup> groups;
  std::vector<std::vector<std::int16_t>> places; // displacements: by the cell where the walker began
  std::uint32_t depth = 0;                       // registers needed
  std::int32_t slot = -1;                        // the local that takes the cell of the chosen move
};

// At most so many ways through a turn are told apart: beyond that the general engine is faster.
inline constexpr std::size_t kMaxSlotLeaves = 256;

// Plans the turn of a player; adds the nodes that the plan needs to `program`. Nothing if the turn doesn't
// fit.
[[nodiscard]] std::optional<SlotPlan> plan_slots(Program& program, int player);

// Plans an action as if it were the whole turn of a player.
[[nodiscard]] std::optional<SlotPlan> plan_action(Program& program, int player, NodeId action);

// Plans whether an action of a walker that stands nowhere has an outcome: one group, a probe.
[[nodiscard]] std::optional<SlotPlan> plan_probe(Program& program, NodeId action);

// Plans where walkers can begin: a probe whose leaves may also be reached by some that get no farther. What
// doesn't fit is taken as if it held.
[[nodiscard]] std::optional<SlotPlan> plan_origins(Program& program, NodeId action);

} // namespace boardwright::runtime
