#include "runtime/lowering/facts/monotonicity.hpp"

namespace boardwright::runtime::lowering {

namespace {

Monotonicity monotonicity_of(const Contents& surely, const Contents& maybe, const CellChange& c) {
  const bool grows = (c.after & ~surely).none() || (c.before & maybe).none();
  const bool shrinks = (c.before & ~surely).none() || (c.after & maybe).none();
  if (grows && shrinks) return Monotonicity::same;
  return grows ? Monotonicity::grows : shrinks ? Monotonicity::shrinks : Monotonicity::unknown;
}

Monotonicity both(Monotonicity a, Monotonicity b) {
  if (a == Monotonicity::same || a == b) return b;
  return b == Monotonicity::same ? a : Monotonicity::unknown;
}

Monotonicity reversed(Monotonicity a) {
  return a == Monotonicity::grows     ? Monotonicity::shrinks
         : a == Monotonicity::shrinks ? Monotonicity::grows
                                      : a;
}

} // namespace

Monotonicity MonotonicityFacts::monotonicity(NodeId id, const CellChange& c) const {
  const Node& n = f_.node(id);
  const auto operand = [&](std::uint32_t i) { return monotonicity(f_.rules().kid(n, i), c); };
  const auto together = [&] {
    Monotonicity all = Monotonicity::same;
    for (std::uint32_t i = 0; i < n.count; ++i) all = both(all, operand(i));
    return all;
  };
  if (const auto codes = f_.codes_in(id)) {
    const Monotonicity t = monotonicity_of(codes->first, codes->second, c);
    if (t != Monotonicity::unknown) return t;
  }
  switch (n.op) {
  case Op::ply:
  case Op::turns:
  case Op::still_in:
  case Op::before: return Monotonicity::same;
  case Op::here:
  case Op::heading: return c.walks ? Monotonicity::same : Monotonicity::unknown;
  case Op::local: {
    const auto known = c.locals.find(n.a);
    if (known != c.locals.end()) return known->second;
    return !f_.is_changed(n.a) ? Monotonicity::same : Monotonicity::unknown;
  }
  case Op::variable: return c.variables.count(n.a) == 0 ? Monotonicity::same : Monotonicity::unknown;
  case Op::unite:
  case Op::meet:
  case Op::some:
  case Op::all_of:
  case Op::any_of: return together();
  case Op::negation:
  case Op::complement: return reversed(operand(0));
  case Op::minus: return both(operand(0), reversed(operand(1)));
  case Op::let_value: {
    CellChange inside = c;
    inside.locals[n.a] = operand(0);
    return monotonicity(f_.kid(id, 1), inside);
  }
  case Op::reach: return monotonicity_of_walk(f_.kid(id, 0), f_.kid(id, 1), c);
  case Op::if_value:
    return operand(0) == Monotonicity::same ? both(operand(1), operand(2)) : Monotonicity::unknown;
  default:
    if (own_reads(n.op) != kNoPart) return Monotonicity::unknown;
  }
  return together() == Monotonicity::same ? Monotonicity::same : Monotonicity::unknown;
}

// Where a walk leads from the cells of a set.
Monotonicity MonotonicityFacts::monotonicity_of_walk(NodeId from, NodeId action, const CellChange& c) const {
  CellChange inside = c;
  inside.walks = true;
  const Path* walk = f_.path(action);
  if (walk == nullptr) return Monotonicity::unknown;
  const auto row = parts_in_a_row(*walk);
  if (row.empty() || !row[0].is(Path::Kind::by_kind))
    return both(monotonicity(from, c), monotonicity(*walk, inside));
  if (f_.node(row[0].of).op != Op::here) return Monotonicity::unknown;
  Monotonicity all = Monotonicity::same;
  for (const Path& part : row.subspan(1)) all = both(all, monotonicity(part, inside));
  for (std::size_t k = 0; k < row[0].parts.size(); ++k)
    all = both(all, monotonicity_of_kind(from, row[0].parts[k],
                                         k + 1 == row[0].parts.size() ? -1 : static_cast<int>(k), c));
  return all;
}

// Likewise, of the walk for one kind of piece (-1: none).
Monotonicity MonotonicityFacts::monotonicity_of_kind(NodeId from, const Path& walk, int kind,
                                                     const CellChange& c) const {
  if (walk.is_never()) return Monotonicity::same;
  CellChange inside = c;
  inside.walks = true;
  const auto starts = f_.codes_in(from);
  const Contents of = kind < 0 ? Contents(1) : f_.contents_of_kind(kind);
  if (!starts) return Monotonicity::unknown;
  return both(monotonicity_of(starts->first & of, starts->second & of, c), monotonicity(walk, inside));
}

// What a change does to a test it does to the walk; whatever else a walk goes by must stay the same.
Monotonicity MonotonicityFacts::monotonicity(const Path& walk, const CellChange& c) const {
  const auto stays = [&](NodeId id) { return monotonicity(id, c) == Monotonicity::same; };
  Monotonicity all = Monotonicity::same;
  bool good = !walk.curved && !walk.maximal && !walk.until && !walk.is(Path::Kind::by_kind);
  if (walk.is(Path::Kind::test))
    all = monotonicity(walk.of, c);
  else if (walk.is(Path::Kind::star))
    good = good && stays(f_.kid(walk.of, 1)) && (walk.endless || stays(f_.kid(walk.of, 2)));
  else
    good = good && (walk.of == kNoNode || stays(walk.of));
  for (const Path& part : walk.parts) all = both(all, monotonicity(part, c));
  return good ? all : Monotonicity::unknown;
}

// If a condition is `when` before the change, is it so afterwards? Where that depends on which cell it is the
// questions that mustn't look at it are noted.
bool MonotonicityFacts::stays(NodeId id, bool when, const CellChange& c, std::vector<NodeId>& watched) const {
  const Node& n = f_.node(id);
  if (n.op == Op::negation) return stays(f_.kid(id, 0), !when, c, watched);
  const Monotonicity t = monotonicity(id, c);
  if (t == Monotonicity::same || t == (when ? Monotonicity::grows : Monotonicity::shrinks)) return true;
  if (n.op != Op::some || when || f_.node(f_.kid(id, 0)).op != Op::meet) return false;
  for (const std::uint32_t k : {0u, 1u}) {
    const NodeId walk = f_.kid(f_.kid(id, 0), k), few = f_.kid(f_.kid(id, 0), 1 - k);
    if (f_.node(walk).op != Op::reach || !f_.is_few(few) || !f_.goes_by_cell(f_.kid(walk, 0))) continue;
    const Monotonicity targets = monotonicity(few, c);
    if (targets != Monotonicity::same && targets != Monotonicity::shrinks) continue;
    const Path* way = f_.path(f_.kid(walk, 1));
    if (way == nullptr || !can_watch(*way, c)) continue;
    watched.push_back(id);
    return true;
  }
  return false;
}

// Can it be said of a walk which cells it looks at? It goes by what lies on these alone.
bool MonotonicityFacts::can_watch(const Path& walk, const CellChange& c) const {
  CellChange inside = c;
  inside.walks = true;
  return all_of_path(walk, [&](const Path& p) {
    if (p.is(Path::Kind::test) && !p.condition && f_.codes_in(p.of)) return true;
    if (p.is(Path::Kind::by_kind)) return f_.node(p.of).op == Op::here;
    if (p.is(Path::Kind::star)) return !p.maximal && !p.until;
    return !p.curved && (p.of == kNoNode || monotonicity(p.of, inside) == Monotonicity::same);
  });
}

} // namespace boardwright::runtime::lowering
