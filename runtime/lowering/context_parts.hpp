// The parts of what is known while a program is compiled (context.hpp), by who needs them.
#pragma once

#include "runtime/lowering/abstract_draft.hpp"
#include "runtime/lowering/emitter.hpp"
#include "runtime/lowering/unambiguity/unambiguity.hpp"
#include "runtime/paths/path.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace boardwright::runtime::lowering {

// Of all drafts that come to a repetition's rounds, or to code that is shared: what may be on the walker's
// cell, and that nothing is carried. Where one comes with something else all is recompiled.
struct Assumed {
  Contents here;
  bool nothing_carried = false;
};

// What earlier runs have found to be different in one place and in another: then playing a move couldn't know
// what was chosen, and all is compiled anew without it.
struct Speculation {
  std::set<NodeId> never_walks;    // aren't taken as sets of cells
  std::set<NodeId> never_deferred; // actions that are searched, not deferred to the move that is played
  std::set<NodeId> never_at_once;  // of `most`: where what comes after may fail
  std::set<NodeId> never_straight; // repetitions whose rounds have a choice somewhere
  bool never_counted = false;      // pieces that are lifted are lifted
  bool never_keyed = false;        // something is written that isn't in keys
  bool wide = false;               // sets have room for all steps
  std::map<std::pair<NodeId, int>, Assumed> assumed; // by action and player
};

// How the search of this turn has taken what playing takes likewise.
struct Taken {
  std::map<NodeId, WalkAsSet> walks; // that begin at this action
  std::set<NodeId> deferred;         // actions that are deferred to the move that is played
  std::set<NodeId> followed;         // those that aren't, but searched
  std::map<NodeId, bool> straight;   // repetitions: have their rounds no choice?
};

// How the moves of the turn are compared.
struct Comparison {
  bool once = false;            // all moves are
  bool keyed = false;           // by keys, as long as none comes twice,
  bool in_full = false;         // or in full, once one has
  bool asks_all = false;        // conditions are asked that mostly needn't be; what is deferred then is done
  bool by_key = false;          // moves are searched, and what is written has only a key
  std::set<std::string> shapes; // of the keys so far
  std::map<std::string, std::int32_t> key_texts; // numbers for texts in keys
  unambiguity::Ambiguities ambiguities;
};

// The player's turn that is compiled.
struct TurnContext {
  int player = 0;
  std::size_t first_leaf = 0;
  const ir::Leaf* given = nullptr; // of Mode::play_one
  std::size_t given_next = 0;
  std::map<NodeId, AbstractValue> before; // values of the turn's beginning that have been worked out
};

// What encloses that which is being compiled.
struct Within {
  int reach = 0;       // only where one gets matters
  int each = 0;        // outcomes are counted
  bool most = false;   // moves only count if they are the best
  bool scores = false; // only the greatest value of the outcomes matters
};

// A line of `end` that is being asked: no turn has begun.
struct EndLines {
  struct Search { // where the moves are searched, and how many calls there are then
    Label label = 0;
    Reg stack = 0;
  };
  bool asking = false;
  std::optional<Search> search_first; // in a line that is asked before the moves are known
};

// All walkers at once (walks/set_at_a_time.cpp).
struct SetAtATime {
  std::map<std::int32_t, NodeId> names; // that stand for what goes by where the walker is
  bool must_stay = false, left = false; // a question that is given up where walkers part
};

// Sets that code keeps from one question to the next.
struct Caches {
  std::map<std::vector<std::int32_t>, std::int32_t> memos; // by what they depend on
  bool keeping = false;                                    // what a memo will keep is being compiled
  std::map<std::int32_t, std::pair<Group, Reg>> groups;    // by slot: of the cell that it stands for
};

// Numbers of the code's tables, each of which is made once.
struct TableNumbers {
  std::map<std::pair<int, bool>, std::int32_t> step;           // how far one gets by so many steps
  std::map<std::vector<std::int16_t>, std::int32_t> rays;      // by steps: all that is straight on
  std::map<std::vector<std::int16_t>, std::int32_t> multiples; // by steps: where so many times one leads
  std::map<Op, std::int32_t> lines;                            // files, ranks: by cell
  std::map<std::vector<std::int16_t>, std::int32_t> numbers;   // by cell, of what goes by it alone
  std::map<std::vector<CellSet>, std::int32_t> sets;           // likewise
  std::map<std::vector<std::int16_t>, std::int32_t> steps;     // lists of steps
  std::map<std::vector<std::int16_t>, std::int32_t> places;    // from each cell another
  std::map<const Path*, std::optional<std::int32_t>> origins;  // of a walk: by cell where it leads from
};

// What walks look at (idioms/legality.cpp).
struct Looks {
  std::set<Reg> looked;  // by the walk that is compiled
  std::vector<Reg> seen; // where the cells are collected that a walk backwards looks at
};

// While it is asked what would be after `move`: sets of the state are seen as they would be
// (idioms/images.cpp).
struct Moving {
  Reg moved = 0;
  NodeId map = kNoNode;
  AbstractDraft* d = nullptr;
};

// What comes after several ways to it, compiled once.
struct JoinPoint {
  Continuation closure;
  Todo todo;
  const Todo* after = nullptr;
  Label label = 0;
  AbstractDraft general;
  bool used = false;
  Emitter::Registers registers; // the callers use these
};

} // namespace boardwright::runtime::lowering
