// What the operands of an operation are: slots, constants, frames.
#pragma once

#include "runtime/model/program.hpp"

#include <cstdint>

namespace boardwright::runtime {

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
  case Op::list_for: return b;
  default: return 0;
  }
}

// Is operand a a slot?
[[nodiscard]] inline bool names_slot(Op op) {
  return op == Op::local || op == Op::set_local || op == Op::list_for || slots_bound_by(op, 0) > 0;
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

} // namespace boardwright::runtime
