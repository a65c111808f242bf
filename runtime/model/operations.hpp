// What is true of each operation by itself, whatever its operands are: the columns of operation_table.hpp.
// All that is asked of whole trees is put together from this.
#pragma once

#include "runtime/model/program.hpp"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace boardwright::runtime {

// The groups of the table.
enum class Group : std::uint8_t {
#define G(group, Ops, OPERATIONS) group,
  BOARDWRIGHT_GROUPS(G)
#undef G
};

// An enumeration for each group, whose members have the numbers that they have in Op: a switch over
// `NumberOp` names all operations of numbers, and only those.
#define X(name, ...) name = static_cast<std::uint8_t>(Op::name),
#define G(group, Ops, OPERATIONS) enum class Ops : std::uint8_t { OPERATIONS(X) };
BOARDWRIGHT_GROUPS(G)
#undef G
#undef X

// The parts of a draft that an operation can read or write.
enum Part : std::uint16_t {
  kNoPart = 0,
  kBoard = 1,
  kHands = 2,
  kVariables = 4,
  kHere = 8,
  kStart = 16,
  kHeading = 32,
  kCarried = 64,
  kOut = 128,      // who is out of the game
  kDecision = 256, // written where a draft may come out decided
  kAgain = 512,
  kNotation = 1024,  // what is written, and what waits to be
  kGame = 2048,      // the past and the clock: the same all turn long
  kBeginning = 4096, // the position that the turn began with: likewise
};
inline constexpr std::uint16_t kPosition = kBoard | kHands | kVariables;
inline constexpr std::uint16_t kWalker = kHere | kStart | kHeading;

// What an immediate operand is.
enum class Operand : std::uint8_t {
  none,
  slot,
  slots, // how many slots, from the one in a on
  number,
  truth,
  cell_set, // an index into Program::cell_sets
  step_set, // an index into Program::step_sets
  text,     // an index into Program::texts
  frame,    // an index into Program::frames
  kind,     // or -1: none
  player,
  owners,    // Owners: whose pieces, relative to the player in b
  owner,     // a player, kNeutral or kNatural
  new_owner, // a player, kNeutral or kKeepOwner
  giver,     // the player from whose hand neutral pieces come
  variable,  // an index into Program::variables
  flags,     // of a loop
  flag,      // 0 or 1
  corner,    // y * 1024 + x, or -1 for a child that says it
  fallback,  // the value where there is none: a number, a kind or a player
};

// Which slots an operation binds: slot a, but for `bindings`.
enum class Binds : std::uint8_t {
  nothing,
  once,     // to c0, in c1
  members,  // to the members of c0, one after the other, in c1
  bindings, // b slots from slot a on: to the members of the children from c2 on, each in those behind it; in
            // c0, c1
  onwards,  // in what comes next
};

// How many drafts an action goes on with.
enum class Outcomes : std::uint8_t {
  never,
  maybe, // one, or none
  once,
  many,        // none, one or several
  as_children, // as many as its children say
};

// When an operation goes wrong by itself: some of these.
enum Faults : std::uint8_t {
  kSafe = 0,
  kUnplaced = 1,        // where there is no `here`
  kUnplacedHolding = 2, // likewise, if it has anything to lay down
  kHolding = 4,         // where something is carried, on boards without stacks
  kByOperands = 8,      // whether it can is told by its operands
};

// How long an operation takes by itself, in this order: what is worked out once and kept, and what may as
// well be worked out again, goes by it.
enum class Cost : std::uint8_t {
  free,   // nothing is left to do
  small,  // about as long as looking it up
  large,  // several times that
  loop,   // that for each member, cell or round
  search, // it tries moves, or looks through the past
};

// What is true of a value besides: some of these.
enum Trait : std::uint8_t {
  kPlain = 0,
  kNotNegative = 1, // its number is at least 0, whatever its operands are
  // Of the word that it is written by:
  kPlaced = 2,     // asks where the walker is: behind a `from` or `to`
  kAtTurnsEnd = 4, // goes by who moves next, which isn't known inside `turn`
  kByEdges = 8,    // counts from an edge, or goes by coordinates: nothing on a board without edges
  kReserved = 16,  // no file may define a function of this name; of younger ones it may, as some did before
  kOwnCase = 32,   // what it takes isn't told by the row: it has a case of its own in interpreter/meaning/
};

struct Operation {
  const char* name;
  Operand a, b;
  std::string_view children, types;
  std::uint16_t reads, writes;
  Binds binds;
  Outcomes outcomes; // of a value: once
  std::uint8_t faults;
  Cost cost;
  std::string_view written; // of an action: nothing
  std::uint8_t traits;
  const char* what;
  Group group = Group::any;
};

namespace operations {

#define X(name, ...) +1
#define G(group, Ops, OPERATIONS) OPERATIONS(X)
inline constexpr std::size_t kCount = 0 BOARDWRIGHT_GROUPS(G);
#undef G
#undef X

using Table = std::array<Operation, kCount>;

[[nodiscard]] constexpr Table make_table() {
#define VALUE(name, a, b, children, types, reads, binds, faults, cost, written, traits, what)                \
  Operation{#name,        Operand::a,     Operand::b, children,   types,   reads,  kNoPart,                  \
            Binds::binds, Outcomes::once, faults,     Cost::cost, written, traits, what},
#define ACTION(name, a, b, children, types, reads, writes, binds, outcomes, faults, cost, what)              \
  Operation{#name,        Operand::a,         Operand::b, children,   types, reads,  writes,                 \
            Binds::binds, Outcomes::outcomes, faults,     Cost::cost, "",    kPlain, what},
#define VALUES(group, Ops, OPERATIONS) OPERATIONS(VALUE)
#define ACTIONS(group, Ops, OPERATIONS) OPERATIONS(ACTION)
  Table table = {
      {BOARDWRIGHT_VALUE_GROUPS(VALUES) BOARDWRIGHT_ACTION_GROUPS(ACTIONS) BOARDWRIGHT_TEXT_GROUPS(VALUES)}};
#undef ACTIONS
#undef VALUES
#undef ACTION
#undef VALUE
  std::size_t next = 0;
#define X(name, ...) +1
#define G(of, Ops, OPERATIONS)                                                                               \
  for (const std::size_t end = next + (0 OPERATIONS(X)); next < end; ++next) table[next].group = Group::of;
  BOARDWRIGHT_GROUPS(G)
#undef G
#undef X
  return table;
}

inline constexpr Table kTable = make_table();

// The group of an enumeration: `kGroup<NumberOp>`.
template <class Ops>
inline constexpr Group kGroup = Group::any;
#define G(group, Ops, OPERATIONS)                                                                            \
  template <>                                                                                                \
  inline constexpr Group kGroup<Ops> = Group::group;
BOARDWRIGHT_GROUPS(G)
#undef G

} // namespace operations

[[nodiscard]] constexpr const Operation& about(Op op) {
  return operations::kTable[static_cast<std::size_t>(op)];
}
[[nodiscard]] constexpr Group group_of(Op op) { return about(op).group; }

// An operation as one of its group's, for a switch that names them all: `switch (as<NumberOp>(n.op))`.
template <class Ops>
[[nodiscard]] constexpr Ops as(Op op) {
  assert(group_of(op) == operations::kGroup<Ops>);
  return static_cast<Ops>(op);
}

template <class... Ops>
[[nodiscard]] constexpr bool one_of(Op op, Ops... ops) {
  return ((op == ops) || ...);
}

// A node that is carried out, not a value. (The type of a node doesn't tell: `let` has its value's.)
[[nodiscard]] constexpr bool is_action(Op op) {
  const Group group = group_of(op);
  return group == Group::joining || group == Group::walking || group == Group::pieces ||
         group == Group::position;
}

// Goes through all bindings of b slots, from slot a on: c0 is what is asked of each, c1 the condition, and
// child 2 + i is what slot a + i takes the members of.
[[nodiscard]] constexpr bool goes_through_bindings(Op op) { return about(op).binds == Binds::bindings; }

// How many slots, from operand a on, the operation binds anew.
[[nodiscard]] constexpr std::int32_t slots_bound_by(Op op, std::int32_t b) {
  const Binds binds = about(op).binds;
  return binds == Binds::nothing ? 0 : binds == Binds::bindings ? b : 1;
}

// Is its number at least 0, whatever its operands are?
[[nodiscard]] constexpr bool is_never_negative(Op op) { return (about(op).traits & kNotNegative) != 0; }

// Is operand a a slot?
[[nodiscard]] constexpr bool names_slot(Op op) { return about(op).a == Operand::slot; }

// Has it a frame, in operand b?
[[nodiscard]] constexpr bool has_frame(Op op) { return about(op).b == Operand::frame; }

// A value that is written out: nothing is left to evaluate.
[[nodiscard]] constexpr bool is_constant(Op op) {
  const Operation& o = about(op);
  const bool stands_for_itself = o.a != Operand::none && !names_slot(op) && o.b == Operand::none;
  return stands_for_itself && o.children.empty() && o.reads == kNoPart && !is_action(op) &&
         o.group != Group::text;
}

[[nodiscard]] inline bool is_set(Type type) { return type == Type::cells || type == Type::directions; }

// What an operation reads by itself, besides what its operands give it.
[[nodiscard]] constexpr std::uint16_t own_reads(Op op) { return about(op).reads; }
// Likewise, where the type of its first child is known: a list of sets says itself which cells they are.
[[nodiscard]] constexpr std::uint16_t own_reads(Op op, Type first) {
  return op == Op::union_of && first == Type::sets ? std::uint16_t{kNoPart} : own_reads(op);
}
// Does a value go by the past or by the number of moves?
[[nodiscard]] constexpr bool asks_the_past(Op op) { return !is_action(op) && (own_reads(op) & kGame) != 0; }
// What it writes. A value writes nothing: what an action within it does is forgotten.
[[nodiscard]] constexpr std::uint16_t own_writes(Op op) { return about(op).writes; }

// What an operation reads because a child of it reads `below`: the walk of `reach` has a `here` and a
// `heading` of its own, and `before` goes by the position that the turn began with.
[[nodiscard]] constexpr std::uint16_t read_through(Op op, std::size_t child, std::uint16_t below) {
  if (op == Op::reach && child == 1) return static_cast<std::uint16_t>(below & ~(kHere | kHeading));
  if (op == Op::before && (below & kPosition) != 0)
    return static_cast<std::uint16_t>((below & ~kPosition) | kBeginning);
  return below;
}

// What all operations of a group write, together.
[[nodiscard]] constexpr std::uint16_t written_by(Group group) {
  std::uint16_t parts = kNoPart;
  for (const Operation& o : operations::kTable)
    if (o.group == group) parts |= o.writes;
  return parts;
}

// What every engine says of an action that needs a kind where a value of this type is `none`.
inline constexpr const char* kNoKindToDrop = "`drop` of no kind: what it names is `none` here";
inline constexpr const char* kNoKindToChangeTo = "`change` to no kind: what it names is `none` here";
inline constexpr const char* kNoKindOfHand = "`set hand` of no kind: what it names is `none` here";

} // namespace boardwright::runtime
