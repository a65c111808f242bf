// What is true of each operation by itself, whatever its operands are: what it reads and writes, which slots
// it binds, whether it is a value or an action. All that is asked of whole trees is put together from this.
#pragma once

#include "runtime/model/program.hpp"

#include <cstdint>

namespace boardwright::runtime {

// Goes through all bindings of b slots, from slot a on: c0 is what is asked of each, c1 the condition, and
// child 2 + i is what slot a + i takes the members of.
[[nodiscard]] inline bool goes_through_bindings(Op op) {
  return op == Op::list_for || op == Op::sum_for || op == Op::least_for || op == Op::greatest_for;
}

// How many slots, from operand a on, the operation binds anew.
[[nodiscard]] inline std::int32_t slots_bound_by(Op op, std::int32_t b) {
  switch (op) {
  case Op::let_value:
  case Op::some_where:
  case Op::select:
  case Op::choose:
  case Op::choose_some:
  case Op::each:
  case Op::let: return 1;
  case Op::list_for:
  case Op::sum_for:
  case Op::least_for:
  case Op::greatest_for: return b;
  default: return 0;
  }
}

// Is operand a a slot?
[[nodiscard]] inline bool names_slot(Op op) {
  return op == Op::local || op == Op::set_local || goes_through_bindings(op) || slots_bound_by(op, 0) > 0;
}

// A value that is written out: nothing is left to evaluate.
[[nodiscard]] inline bool is_constant(Op op) {
  switch (op) {
  case Op::number:
  case Op::truth:
  case Op::cells:
  case Op::directions:
  case Op::kind:
  case Op::player: return true;
  default: return false;
  }
}

// A node that is carried out, not a value. (The type of a node doesn't tell: `let` has its value's.)
[[nodiscard]] inline bool is_action(Op op) { return op >= Op::sequence && op != Op::text; }

[[nodiscard]] inline bool is_set(Type type) { return type == Type::cells || type == Type::directions; }

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

// What an operation reads by itself, besides what its operands give it.
[[nodiscard]] std::uint16_t own_reads(Op op);
// What it writes. A value writes nothing: what an action within it does is forgotten.
[[nodiscard]] std::uint16_t own_writes(Op op);

// What every engine says of an action that needs a kind where a value of this type is `none`.
inline constexpr const char* kNoKindToDrop = "`drop` of no kind: what it names is `none` here";
inline constexpr const char* kNoKindToChangeTo = "`change` to no kind: what it names is `none` here";
inline constexpr const char* kNoKindOfHand = "`set hand` of no kind: what it names is `none` here";

} // namespace boardwright::runtime
