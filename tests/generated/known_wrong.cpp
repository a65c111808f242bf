#include "tests/generated/known_wrong.hpp"

#include <algorithm>
#include <limits>

namespace boardwright::tests {

namespace {

using runtime::Node;
using runtime::NodeId;
using runtime::Op;
using runtime::Program;

template <class F>
bool anywhere(const Program& program, NodeId id, const F& holds) {
  const Node& n = program.nodes[id];
  if (holds(n)) return true;
  const auto kids = program.kids_of(n);
  return std::any_of(kids.begin(), kids.end(), [&](NodeId kid) { return anywhere(program, kid, holds); });
}

template <class F>
bool in_rules(const Program& program, const F& holds) {
  return std::any_of(program.nodes.begin(), program.nodes.end(), holds);
}

bool changes_anything(const Node& n) {
  switch (n.op) {
  case Op::lift:
  case Op::put:
  case Op::discard:
  case Op::remove:
  case Op::drop:
  case Op::change:
  case Op::move_by:
  case Op::set_local:
  case Op::set_variable:
  case Op::set_hand: return true;
  default: return false;
  }
}

// A loop that only walks, and chooses where to.
bool is_loose_loop(const Program& program, const Node& n) {
  if (n.op != Op::repeat || (n.a & runtime::kUnbounded) == 0) return false;
  const NodeId body = program.kid(n, 0);
  const auto chooses = [](const Node& m) { return m.op == Op::choose || m.op == Op::choose_some; };
  return anywhere(program, body, chooses) && !anywhere(program, body, changes_anything);
}

// The interpreter makes none: it knows the owner where the kind is constant.
bool has_natural_drop(const Program& program) {
  return in_rules(program, [&](const Node& n) {
    return n.op == Op::drop && n.a == runtime::kNatural && program.nodes[program.kid(n, 1)].op == Op::kind;
  });
}

constexpr const char* kNaturalDrop =
    "`drop` for the natural owner of a constant kind: another cell's owner is set, or an exception";

} // namespace

std::string not_tried(const Program& program) {
  if (program.initial.ply > std::numeric_limits<std::int32_t>::max() - 100)
    return "`ply` at the bound of 32 bits overflows";
  if (in_rules(program, [&](const Node& n) { return is_loose_loop(program, n); }))
    return "a loop that chooses its direction inside goes round until a limit stops it";
  return {};
}

std::string known_wrong(const Program& program, const Difference& difference) {
  const auto has = [&](Op op) { return in_rules(program, [op](const Node& n) { return n.op == op; }); };
  switch (difference.kind) {
  case Differs::seen:
  case Differs::chosen:
  case Differs::perft:
    if (has_natural_drop(program)) return kNaturalDrop;
    if (has(Op::otherwise)) return "counts and random games with `otherwise` (in `or`, or followed by more)";
    break;
  case Differs::moves:
    if (program.board.stacks)
      return "stacks: after a second piece was laid down the top of a stack is an older one";
    break;
  case Differs::throws:
    if (difference.detail.find("bitset::set") != std::string::npos) return kNaturalDrop;
    break;
  default: break;
  }
  return {};
}

} // namespace boardwright::tests
