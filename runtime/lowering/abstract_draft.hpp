// What is known at one place of the code: what comes after, and the draft of a move.
#pragma once

#include "runtime/ir/ir.hpp"
#include "runtime/lowering/abstract_value.hpp"
#include "runtime/model/index.hpp"
#include "runtime/model/program.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime::lowering {

// Actions one after the other.
using Actions = std::vector<NodeId>;

struct AbstractDraft;
struct Todo;

// Something that comes after, which isn't an action of the program.
struct Continuation {
  std::function<void(AbstractDraft)> go;
  // What it leads to, for those who look ahead: actions that come next, and others that may come.
  const Todo* after = nullptr;
  std::vector<NodeId> reads;
  std::function<bool(const void* written, const AbstractDraft&, void* found)>
      signs_of_next; // for unambiguity/
  std::function<void(const void* walkers, AbstractDraft)>
      set_at_a_time; // for walks/set_at_a_time.cpp: all walkers at once
  // Where it only notes that there is an outcome, and goes on with `after`: the note.
  std::function<void()> noted;
  bool compares = false;              // drafts are compared there, with their heading
  std::function<void(Reg cells)> all; // instead of `go`, for each of some cells: only the cell matters
  bool shares = false;                // stands for `after`, which is compiled once
  bool is_end = false; // nothing comes after, and the draft itself doesn't matter: it is enough to get there
};

// What comes after an action, innermost first; null: the end of the turn.
struct Todo {
  NodeId action = kNoNode;
  const Todo* next = nullptr;
  const Continuation* then = nullptr; // instead of an action
};

// What is carried, on a board without stacks.
struct Carried {
  enum class Kind : std::uint8_t { nothing, known, dynamic } kind = Kind::nothing;
  Contents codes;      // what it may be; of known one
  bool surely = false; // there is one, whatever it is
};

// By what the moves of a draft are compared (keys.cpp).
struct MoveKey {
  Reg key = 0;                                    // what has been written; 0: nothing
  std::vector<std::string> shapes{std::string()}; // of what kind: one of these
  bool some = false;                              // surely something
  bool leaves = false;                            // something may have left that isn't written yet
};

// What is known of a draft at one place of the code.
struct AbstractDraft {
  AbstractValue here, start, heading; // cells, or none; steps (one) or a step, or none
  std::map<std::int32_t, AbstractValue> locals;
  Carried carried;
  std::map<Reg, Contents> there; // by cell register: what may be on it
  bool quiet = false;
  bool decided = false;  // it passes every action unchanged
  bool compared = false; // its moves are compared
  bool recorded = true;  // choices make the move
  bool certain = false;  // they don't, since there are none; what is done belongs to the move all the same
  bool deferred = false; // what comes is deferred to the move that is played: it is done to be compared
  std::vector<ir::Choice> choices;
  int base = -1;            // the register that says how many choices have been written before these
  NodeId assumes = kNoNode; // a general draft: what is assumed of all that come there (Assumed)
  // Of carried.cpp. Pieces that are lifted and laid down are only counted; since then the walker has gone in
  // one direction (or kLineUnknown, kLineLost); nothing has been changed where it is.
  bool only_counted = false, fresh = false;
  int line = -1;
  MoveKey move_key;
  std::vector<std::pair<NodeId, NodeId>> fits; // sets and maps: every cell of the set has a place
};

// Nothing is known of it: the walker may have come from any direction.
[[nodiscard]] inline AbstractDraft any_draft() {
  AbstractDraft d;
  d.heading = make_step(0);
  return d;
}

// For each of some directions a draft in which a name stands for it alone, as long as `each` says yes.
template <class Each>
bool by_direction(const StepSet& steps, std::int32_t slot, const AbstractDraft& d, Each each) {
  bool good = true;
  steps.each([&](int step) {
    if (!good) return;
    AbstractDraft inside = d;
    inside.locals[slot] = make_steps(StepSet::of(step));
    good = each(inside);
  });
  return good;
}

inline constexpr int kLineUnknown = -1, kLineLost = -2;

enum class Mode : std::uint8_t { search, play_one, play_any };

// Is what comes next deferred to the move that is played?
enum class Deferral : std::uint8_t { no, if_nothing_carried, yes };

// One round of a walk that goes on and on.
struct Round {
  NodeId way = kNoNode; // of the step: these steps
  StepSet steps;
  std::vector<NodeId> tests; // of `at`, behind the step
};

// The part of a set that is connected with a cell.
struct Group {
  NodeId of = kNoNode;
  StepSet steps;
  Reg through = 0;
};

// What the moves that come from a round depend on: where that is the same they are counted once.
struct MemoKey {
  std::vector<Reg> key;       // of each round, besides the walker and how many rounds are left
  std::vector<NodeId> passes; // conditions that hold
  std::vector<NodeId> holds;  // if these do, which are the same for the whole turn
};

// How a walk is taken as a set of the cells where it ends: up to which of its actions (kNoNode: it isn't),
// and whether it goes round curves.
struct WalkAsSet {
  NodeId last = kNoNode;
  bool bent = false;
  friend bool operator==(const WalkAsSet& a, const WalkAsSet& b) {
    return a.last == b.last && a.bent == b.bent;
  }
};

} // namespace boardwright::runtime::lowering
