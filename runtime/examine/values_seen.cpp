#include "runtime/examine/values_seen.hpp"

namespace boardwright::runtime {

Value ValuesSeen::value_of(NodeId id) const {
  const auto found = values_.find(id);
  return found == values_.end() ? Value() : found->second;
}

std::int64_t ValuesSeen::number_of(NodeId id) const {
  const Node& n = program_.nodes[id];
  return n.op == Op::number ? n.a : value_of(id).number;
}

CellSet ValuesSeen::cells_of(NodeId id) const {
  const Node& n = program_.nodes[id];
  return n.op == Op::cells ? program_.cell_sets[static_cast<std::size_t>(n.a)] : value_of(id).cells;
}

NodeId ValuesSeen::deciding(NodeId id, bool wanted) const {
  const Node& n = program_.nodes[id];
  switch (n.op) {
  case Op::negation: return deciding(program_.kid(n, 0), !wanted);
  case Op::let_value: return deciding(program_.kid(n, 1), wanted); // what a definition is called with
  case Op::if_value:
    return deciding(program_.kid(n, value_of(program_.kid(n, 0)).number != 0 ? 1 : 2), wanted);
  case Op::by_kind:
  case Op::by_player: // one body at the most was asked
    for (std::uint32_t i = 1; i < n.count; ++i)
      if (has(program_.kid(n, i)) && (value_of(program_.kid(n, i)).number != 0) != wanted)
        return deciding(program_.kid(n, i), wanted);
    return id;
  default: break;
  }
  const bool one_decides = (n.op == Op::all_of && wanted) || (n.op == Op::any_of && !wanted);
  if (!one_decides) return id;
  for (const NodeId kid : program_.kids_of(n))
    if (has(kid) && (value_of(kid).number != 0) != wanted) return deciding(kid, wanted);
  return id;
}

void ValuesSeen::explain(Stop& stop) const {
  const Node& n = program_.nodes[stop.cause];
  const bool numbers = n.op == Op::less || n.op == Op::at_most ||
                       (n.op == Op::equal && program_.nodes[program_.kid(n, 0)].type == Type::number);
  if (numbers) {
    stop.left = number_of(program_.kid(n, 0));
    stop.right = number_of(program_.kid(n, 1));
  }
  // Of `some S` and `no S` the set.
  if (n.op != Op::some || n.count == 0) return;
  const NodeId set = program_.kid(n, 0);
  if (program_.nodes[set].type == Type::cells) stop.seen = value_of(set).cells;
}

} // namespace boardwright::runtime
