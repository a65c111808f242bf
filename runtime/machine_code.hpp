// The engine's own form of a program: what is worked out once, when rules are loaded.
//
// # Actions
// A tree of actions becomes a row of instructions, each of which knows the one that goes on after it
// (`next`), so a sequence is just run through. What asks about the outcomes of an action (`otherwise`, a
// loop, `can`, …) compiles it with an end instruction of its own behind it. Only real choices make the
// machine recurse.
//
// Where an action can have at most one outcome ("sure"), a loop or `each` around it runs it as a block: up to
// `end`, in place, without recursion.
//
// # Values
// Values stay trees, with their children as pointers and their constants converted.
//
// # Values that are kept
// What a value is made of is known (machine_needs.hpp). One that depends on single cells alone is kept for
// each of them, for ever or for a position; one that depends on the position alone is kept until it changes;
// others, asked for in several places, until one of the slots is bound anew.
//
// # Walks over sets
// What `reach` walks is usually the same from every cell (no `here`, `heading` or change in it). Then it is
// compiled to a Walk, which takes a whole set of cells to the set of cells where they end.
#pragma once

#include "runtime/program.hpp"
#include "runtime/slots.hpp"
#include "runtime/sprint.hpp"
#include "runtime/state.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace boardwright::runtime::machine {

inline constexpr std::uint32_t kNone = 0xffffffff;

struct Expr;
struct Walk;

// What a value that is kept was made from.
struct Input {
  enum class From : std::uint8_t { slot, here, start, heading } from = From::slot;
  std::int32_t slot = -1;
  std::uint32_t size = 0; // of a single cell or direction: how many there are, and one for none
};

// A value that is kept: worked out again only when what it was made from is another. Values that are written
// alike share it.
struct Memo {
  // table: a set for each member (or pair of members) that it was made from; latest: the last one; text: what
  // an action writes, for the last few that it was made from; content: a set or a truth, likewise; map: a map
  // for each member.
  enum class Kind : std::uint8_t { table, latest, text, content, map } kind = Kind::latest;
  bool board = false, rest = false; // made from the position
  bool worth = true;                // asked for in several places, or kept by more than slots
  std::uint32_t index = 0;          // of its kind
  std::uint32_t size = 1;           // of the table
  std::vector<Input> inputs;
};

// In `… where part in whole`: members that stand in a part of their own must be in the whole. The part
// depends on nothing but the member, and another that is the same for all of them, so for each of those it is
// worked out once for which members this is so.
struct Prune {
  const Expr *part = nullptr, *whole = nullptr;
  std::int32_t slot = -1; // of the member
  std::optional<Input> other;
  std::uint32_t index = 0; // of its kind
};

// Of a list over two cells: the second is in a set that depends on nothing but the first, and in another that
// depends on neither.
struct PairSource {
  const Expr* by_first = nullptr; // kept in a table
  const Expr* also = nullptr;     // null: no more is asked
};

struct Expr {
  Op op = Op::truth;
  Type type = Type::truth;
  bool single = false;            // has one member at the most
  std::int32_t a = 0, b = 0;      // as in Node; `owned`: a is an owner index, or kOthers
  std::uint32_t constant = kNone; // Code::constants
  std::uint32_t fan = kNone;      // Code::fans, of constant directions
  std::uint32_t entry = kNone;    // first instruction of an action inside
  std::uint32_t origin = 0;
  const Walk* walk = nullptr;
  const Memo* memo = nullptr;
  const Expr* part_of =
      nullptr; // of a list of the connected parts of this set: no more is asked of a part's cells
  const PairSource* pairs = nullptr;
  const Expr* within = nullptr; // of a list: its members must be in this set, and that is the whole condition
  const Prune* prune = nullptr; // of a condition on the members of a set: the last generator's, of a list
  const Expr *c0 = nullptr, *c1 = nullptr, *c2 = nullptr;
  const std::vector<const Expr*>* kids = nullptr;
};

inline constexpr std::int32_t kOthers = -2; // of Op::owned: players, but not b
inline constexpr std::int32_t kAnyone = -3;

struct Walk {
  // go: c0 directions; at, to: c0 cells; both: go and at in one, c0 and c1, the cells read once for a whole
  // loop; let, choose: slot is c0 or each of its members, then kids[0]; branch: kids[0] where c0, else
  // kids[1], if any; loop: kids[0] from c0 to c1 (none: unbounded) times; require: c0; by_kind: kids[k] where
  // kind k is on top, the last of them from empty cells.
  enum class Kind : std::uint8_t {
    go,
    at,
    to,
    both,
    require,
    never,
    sequence,
    alternatives,
    let,
    choose,
    branch,
    loop,
    by_kind
  };
  Kind kind = Kind::never;
  std::int32_t slot = -1;
  std::uint32_t origin = 0;
  const Expr *c0 = nullptr, *c1 = nullptr;
  const Expr* first = nullptr; // of choose, of constant directions: where the first step must lead
  std::vector<const Walk*> kids;
};

// clang-format off
// X(instruction): operands in Instruction.
#define BOARDWRIGHT_INSTRUCTIONS(X) \
  /* --- with at most one outcome: carried out in place */ \
  X(at) X(let) X(require) X(never) X(too_deep) X(from_one) X(to_one) X(go_one) X(go_fixed) \
  X(lift) X(put) X(discard) X(remove) X(drop) X(change) X(move_by) \
  X(set_variable) X(set_hand) X(pass) X(again) X(win) X(lose) X(draw) X(say) X(say_kept) X(quiet) X(quiet_end) \
  X(each_sure) X(each_any) X(loop_sure) X(otherwise_sure) \
  /* --- branches without choice */ \
  X(branch) X(branch_by_kind) X(branch_by_player) \
  /* --- choices */ \
  X(from) X(to) X(go) X(go_fan) X(bend) X(choose) X(choose_some) X(alternatives) X(otherwise) \
  X(loop) X(loop_block) X(collect) \
  /* --- ends */ \
  X(otherwise_end) X(loop_end) X(collect_end) X(block_end) X(found) X(reached) X(turn_end)
// clang-format on

enum class Do : std::uint8_t {
#define X(name) name,
  BOARDWRIGHT_INSTRUCTIONS(X)
#undef X
};

// Rules may be nested so deep, which is what the C++ stack must hold once more; definitions that unfold
// further fault.
inline constexpr int kMaxNesting = 1000;

struct SlotRef {
  std::int32_t slot = 0;
  Type type = Type::number;
};

struct Instruction {
  Do what = Do::never;
  Type type = Type::number; // of the slot, variable or members
  bool keep = false;        // a slot's old value must come back: it may be bound again within a repetition
  bool in_reach = false;    // of loops: no draft twice on any path
  bool shared = false; // of such loops: it is all that the reach does, so its sources share what was visited
  bool check = false;  // of loops: drafts must be compared
  std::int32_t a = 0, b = 0;
  std::uint32_t next = kNone;
  std::uint32_t body = kNone;  // first of the inner instructions
  std::uint32_t other = kNone; // the `else`; the loop of a loop_end
  std::uint32_t list =
      kNone; // Code::lists: entries of alternatives, branches; Code::frames of loops, collect
  std::uint32_t bound = kNone; // collect: Code::frames, slots that choices in the body bind
  std::uint32_t fan = kNone;
  std::uint32_t origin = 0;
  const Expr *c0 = nullptr, *c1 = nullptr, *c2 = nullptr;
  const Expr* test = nullptr; // of steps: a following `at`, asked before anything is copied
  const std::vector<const Expr*>* items = nullptr; // say
  const Memo* memo = nullptr; // say_kept: what it writes is made from; the body is a block
};

// Constant directions: for each cell where they lead.
struct Fan {
  struct Hop {
    std::int16_t to = kNowhere, step = -1;
  };
  std::vector<std::uint32_t> begin; // by cell, and one more
  std::vector<Hop> hops;
};

struct EndRule {
  Verdict verdict = Verdict::draw;
  const Expr* condition = nullptr;
  std::vector<const Expr*> score; // by player
  std::uint32_t origin = 0;
};

// A SlotPlan, compiled.
struct SlotStep {
  SlotOp::What what = SlotOp::What::leaf;
  std::uint32_t depth = 0, leaf = 0, skip = 0;
  std::int32_t step = -1;
  const Expr* value = nullptr;
  // The commonest sets are taken as they lie in the state.
  enum class Source : std::uint8_t { value, owner, empty, constant } source = Source::value;
  std::uint32_t index = 0; // of the owner or constant
};

struct SlotEnd {
  std::uint32_t entry = kNone; // a block: the whole move
  std::uint32_t tail = kNone;  // a block: what follows the effects of a direct leaf
  SlotLeaf leaf;
};

struct SlotCode {
  std::vector<SlotStep> steps;
  std::vector<SlotEnd> ends; // by leaf
  std::vector<std::vector<std::int16_t>> places;
  std::vector<SlotGroup> groups;
  std::uint32_t depth = 0;
  std::int32_t slot = -1;
};

struct PlayerCode {
  std::uint32_t turn = kNone; // entry
  std::optional<SlotCode> slots;
  std::uint32_t rest = kNone; // entry of the part of the turn that the slots leave out
  std::vector<EndRule> end;
};

struct Code {
  std::vector<Instruction> instructions;
  std::deque<Expr> exprs;
  std::deque<std::vector<const Expr*>> kid_lists;
  std::deque<Walk> walks;
  std::deque<Memo> memos;
  std::uint32_t memo_tables = 0, memo_latest = 0, memo_texts = 0, memo_contents = 0,
                memo_maps = 0; // how many of each kind
  std::deque<Prune> prunes;
  std::deque<PairSource> pair_sources;
  std::vector<std::vector<std::uint32_t>> lists;
  std::vector<std::vector<SlotRef>> frames;
  std::vector<CellSet> constants; // cells and directions: both are sets of small numbers
  std::vector<Fan> fans;
  std::vector<CellSet> fan_sets; // the directions of each fan
  std::vector<PlayerCode> players;
  std::vector<Type> slot_types;
  std::optional<SprintCode> sprint;
  bool uses_history = false; // repeats, board_repeats
  bool uses_before = false;
  bool out_by_end = false; // an end line may put one of several players out
};

// How a player's turn is counted. The slots are for all of it, but for the action `rest`.
struct TurnPlan {
  std::optional<SlotPlan> slots;
  NodeId rest = kNoNode;
};

// `plans` by player; they speak of nodes of `program`.
[[nodiscard]] Code compile(const Program& program, const std::vector<TurnPlan>& plans);

// Is this an end instruction, which a decided draft must not pass over?
[[nodiscard]] constexpr bool is_end(Do what) { return what >= Do::otherwise_end || what == Do::quiet_end; }

} // namespace boardwright::runtime::machine
