// What may lie on cells.
#include "runtime/lowering/facts/facts.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;
using Bounds = std::pair<Contents, Contents>; // surely, and perhaps

Contents Facts::all_contents() const {
  Contents c;
  for (int code = 0; code < pieces_.count(); ++code) c.set(at(code));
  return c;
}

Contents Facts::contents_of_owner(const Node& n) const {
  Contents c;
  for (int code = 1; code < pieces_.count(); ++code) {
    const int owner = pieces_.of_code[at(code)].owner;
    const bool in = static_cast<Owners>(n.a) == Owners::exactly   ? owner == n.b
                    : static_cast<Owners>(n.a) == Owners::others  ? owner != n.b && owner >= 0
                    : static_cast<Owners>(n.a) == Owners::neutral ? owner < 0
                                                                  : true;
    if (in) c.set(at(code));
  }
  return c;
}

Contents Facts::contents_of_kind(int kind) const {
  Contents c;
  for (int code = 1; code < pieces_.count(); ++code)
    if (pieces_.kind[at(code)] == kind) c.set(at(code));
  return c;
}

// Of a set that goes by what lies on a cell: codes that are in it on every cell, and those that may be.
std::optional<std::pair<Contents, Contents>> Facts::codes_in(NodeId id) const {
  const Node& n = node(id);
  const auto exactly = [](const Contents& c) { return Bounds{c, c}; };
  const auto operand = [&](std::uint32_t i) { return codes_in(rules_.kid(n, i)); };
  switch (n.op) {
  case Op::cells: return Bounds{Contents(), all_contents()};
  case Op::empty: return exactly(Contents(1));
  case Op::owned: return exactly(contents_of_owner(n));
  case Op::kind_cells: {
    const Node& kind = node(rules_.kid(n, 0));
    if (kind.op != Op::kind) return std::nullopt;
    return exactly(kind.a < 0 ? Contents() : contents_of_kind(kind.a));
  }
  case Op::complement: {
    const auto a = operand(0);
    if (!a) return std::nullopt;
    return Bounds{all_contents() & ~a->second, all_contents() & ~a->first};
  }
  case Op::unite:
  case Op::meet:
  case Op::minus: {
    const auto a = operand(0), b = operand(1);
    if (!a || !b) return std::nullopt;
    if (n.op == Op::unite) return Bounds{a->first | b->first, a->second | b->second};
    if (n.op == Op::meet) return Bounds{a->first & b->first, a->second & b->second};
    return Bounds{a->first & ~b->second, a->second & ~b->first};
  }
  default: return std::nullopt;
  }
}

// For which cells does a condition on `here` hold, if one of the codes lies there: surely, and perhaps?
std::optional<std::pair<CellSet, CellSet>> Facts::cells_where(NodeId id, const Contents& there) const {
  using Cells = std::pair<CellSet, CellSet>;
  const Node& n = node(id);
  const auto operand = [&](std::uint32_t i) { return cells_where(rules_.kid(n, i), there); };
  const CellSet all = board().all;
  if (n.op == Op::cells) return Cells{rules_.cell_sets[at(n.a)], rules_.cell_sets[at(n.a)]};
  if (n.op == Op::empty || n.op == Op::owned || n.op == Op::kind_cells) {
    const auto codes = codes_in(id);
    if (!codes) return std::nullopt;
    return Cells{(there & ~codes->first).none() ? all : CellSet(),
                 (there & codes->second).any() ? all : CellSet()};
  }
  switch (n.op) {
  case Op::truth: return n.a != 0 ? Cells{all, all} : Cells{};
  case Op::within:
    if (node(rules_.kid(n, 0)).op != Op::here) return std::nullopt;
    return operand(1);
  case Op::some: { // some here & S
    const Node& m = node(rules_.kid(n, 0));
    if (m.op != Op::meet) return std::nullopt;
    for (const std::uint32_t k : {0u, 1u})
      if (node(rules_.kid(m, k)).op == Op::here) return cells_where(rules_.kid(m, 1 - k), there);
    return std::nullopt;
  }
  case Op::negation:
  case Op::complement: {
    const auto a = operand(0);
    if (!a) return std::nullopt;
    return Cells{all - a->second, all - a->first};
  }
  case Op::all_of:
  case Op::meet:
  case Op::any_of:
  case Op::unite: {
    const bool meets = n.op == Op::all_of || n.op == Op::meet;
    Cells both{meets ? all : CellSet(), meets ? all : CellSet()};
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const auto a = operand(i);
      if (!a) return std::nullopt;
      both.first = meets ? both.first & a->first : both.first | a->first;
      both.second = meets ? both.second & a->second : both.second | a->second;
    }
    return both;
  }
  case Op::minus: {
    const auto a = operand(0), b = operand(1);
    if (!a || !b) return std::nullopt;
    return Cells{a->first - b->second, a->second - b->first};
  }
  default: return std::nullopt;
  }
}

// What may be on the walker's cell where a condition holds, or where it doesn't.
Contents Facts::contents_where(NodeId condition, bool holds) const {
  const Node& n = node(condition);
  Contents possible = all_contents();
  switch (n.op) {
  case Op::negation: return contents_where(kid(condition, 0), !holds);
  case Op::all_of:
  case Op::any_of:
    if ((n.op == Op::all_of) != holds) return possible;
    for (const NodeId k : rules_.kids_of(n)) possible &= contents_where(k, holds);
    return possible;
  case Op::within: {
    const auto codes = node(kid(condition, 0)).op == Op::here ? codes_in(kid(condition, 1)) : std::nullopt;
    if (codes) possible &= holds ? codes->second : ~codes->first;
    return possible;
  }
  default: return possible;
  }
}

// What can be on the cells of a set.
Contents Facts::possible_contents(NodeId id, const AbstractDraft& env) const {
  if (const auto codes = codes_in(id)) return codes->second;
  const Node& n = node(id);
  const auto operand = [&](std::uint32_t i) { return possible_contents(rules_.kid(n, i), env); };
  switch (n.op) {
  case Op::meet: return operand(0) & operand(1);
  case Op::unite: return operand(0) | operand(1);
  case Op::if_value: return n.count > 2 ? operand(1) | operand(2) : all_contents();
  case Op::minus:
  case Op::select: return operand(0);
  case Op::reach: { // by the test behind its last step, or of every round
    if (!is_walk(kid(id, 1))) break;
    const Path& walk = *path(kid(id, 1));
    const Path& last = last_of(walk.is(Path::Kind::star) ? walk.parts[0] : walk);
    if (!last.is(Path::Kind::test)) break;
    const Contents tested = possible_contents(last.of, env);
    return walk.is(Path::Kind::star) ? operand(0) | tested : tested;
  }
  case Op::local:
    if (const auto known = env.locals.find(n.a); known != env.locals.end() && known->second.is(Kind::set))
      return known->second.contents;
    break;
  default: break;
  }
  return all_contents();
}

} // namespace boardwright::runtime::lowering
