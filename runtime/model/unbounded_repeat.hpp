// Which repetition goes on without end, where an action within it has been carried out too often.
#pragma once

#include "runtime/model/operations.hpp"
#include "runtime/model/program.hpp"

#include <cstdint>

namespace boardwright::runtime {

namespace unbounded_repeat {

[[nodiscard]] inline bool holds_origin(const Program& program, NodeId id, std::uint32_t origin) {
  const Node& n = program.nodes[id];
  if (n.origin == origin) return true;
  for (const NodeId kid : program.kids_of(n))
    if (holds_origin(program, kid, origin)) return true;
  return false;
}

} // namespace unbounded_repeat

// The place of the innermost repetition without a bound that an action of this place stands in; this place
// where there is none.
[[nodiscard]] inline std::uint32_t unbounded_repeat_around(const Program& program, std::uint32_t origin) {
  // Children come before what they belong to, so the first one is the innermost.
  for (const Node& n : program.nodes) {
    if (n.op != Op::repeat || (n.a & kUnbounded) == 0 || n.origin == origin) continue;
    if (unbounded_repeat::holds_origin(program, program.kid(n, 0), origin)) return n.origin;
  }
  return origin;
}

} // namespace boardwright::runtime
