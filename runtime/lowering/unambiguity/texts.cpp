// Characters that are always written by one action and never by another: then no move of one is a move of the
// other. `d4-e5(d4)` is no step, because steps are written without parentheses.
#include "runtime/lowering/unambiguity/first_signs.hpp"

#include <bitset>
#include <string>

namespace boardwright::runtime::lowering::unambiguity {

namespace {

using Characters = std::bitset<256>;

Characters characters_of(const std::string& text) {
  Characters all;
  for (const char c : text) all.set(static_cast<unsigned char>(c));
  return all;
}

// The characters that are written wherever an action is got through, by texts of the rules.
Characters surely_written(const Terms& terms, NodeId id) {
  Characters all;
  if (id == kNoNode) return all;
  const Program& program = terms.rules();
  const Node& n = program.nodes[id];
  const auto kids = program.kids_of(n);
  const auto by_either = [&](NodeId a, NodeId b) {
    return surely_written(terms, a) & surely_written(terms, b);
  };
  switch (n.op) {
  case Op::say:
    for (const NodeId part : kids)
      if (program.nodes[part].op == Op::text)
        all |= characters_of(program.texts[static_cast<std::size_t>(program.nodes[part].a)]);
    return all;
  case Op::sequence:
    for (const NodeId part : kids) {
      all |= surely_written(terms, part);
      if (terms.decides(part)) break; // nothing more is written then
    }
    return all;
  case Op::alternatives:
    all.set();
    for (const NodeId part : kids) all &= surely_written(terms, part);
    return all;
  case Op::if_action: return kids.size() < 3 ? all : by_either(kids[1], kids[2]);
  default: return all;
  }
}

// The characters that an action may write; all of them where that isn't known. Cells, and signs between
// them, may always be written: what has left is.
Characters perhaps_written(const Program& program, NodeId id) {
  Characters all;
  if (id == kNoNode) return all;
  const Node& n = program.nodes[id];
  switch (n.op) {
  case Op::quietly: return all;
  case Op::pass: return characters_of("pass");
  case Op::drop:
  case Op::change: return all.set();
  case Op::say:
    for (const NodeId part : program.kids_of(n)) {
      const Node& said = program.nodes[part];
      if (said.op == Op::text)
        all |= characters_of(program.texts[static_cast<std::size_t>(said.a)]);
      else if (said.type != Type::cells && said.type != Type::number)
        all.set();
    }
    return all;
  default:
    for (const NodeId part : program.kids_of(n))
      if (part != kNoNode && is_action(program.nodes[part].op)) all |= perhaps_written(program, part);
    return all;
  }
}

// Cells, numbers, and what stands between them.
Characters written_anywhere(const Program& program) {
  Characters all = characters_of(" -x,0123456789");
  for (const std::string& name : program.board.name) all |= characters_of(name);
  return all;
}

} // namespace

bool never_written_alike(const Terms& terms, NodeId a, NodeId b, const Todo* next) {
  const Program& program = terms.rules();
  Characters elsewhere = written_anywhere(program);
  for (; next != nullptr; next = next->next) {
    if (next->then != nullptr) return false;
    elsewhere |= perhaps_written(program, next->action);
  }
  const auto tells = [&](NodeId one, NodeId other) {
    return (surely_written(terms, one) & ~(perhaps_written(program, other) | elsewhere)).any();
  };
  return tells(a, b) || tells(b, a);
}

} // namespace boardwright::runtime::lowering::unambiguity
