#include "runtime/lowering/facts/trends.hpp"

namespace boardwright::runtime::lowering {

namespace {

Trend trend_of(const Contents& surely, const Contents& maybe, const CellChange& c) {
  const bool grows = (c.after & ~surely).none() || (c.before & maybe).none();
  const bool shrinks = (c.before & ~surely).none() || (c.after & maybe).none();
  if (grows && shrinks) return Trend::same;
  return grows ? Trend::grows : shrinks ? Trend::shrinks : Trend::unknown;
}

Trend both(Trend a, Trend b) {
  if (a == Trend::same || a == b) return b;
  return b == Trend::same ? a : Trend::unknown;
}

Trend reversed(Trend a) {
  return a == Trend::grows ? Trend::shrinks : a == Trend::shrinks ? Trend::grows : a;
}

} // namespace

Trend Trends::trend(NodeId id, const CellChange& c) const {
  const Node& n = f_.node(id);
  const auto operand = [&](std::uint32_t i) { return trend(f_.rules().kid(n, i), c); };
  const auto together = [&] {
    Trend all = Trend::same;
    for (std::uint32_t i = 0; i < n.count; ++i) all = both(all, operand(i));
    return all;
  };
  if (const auto codes = f_.codes_in(id)) {
    const Trend t = trend_of(codes->first, codes->second, c);
    if (t != Trend::unknown) return t;
  }
  switch (n.op) {
  case Op::ply:
  case Op::turns:
  case Op::still_in:
  case Op::before: return Trend::same;
  case Op::here:
  case Op::heading: return c.walks ? Trend::same : Trend::unknown;
  case Op::local: {
    const auto known = c.locals.find(n.a);
    if (known != c.locals.end()) return known->second;
    return !f_.is_changed(n.a) ? Trend::same : Trend::unknown;
  }
  case Op::variable: return c.variables.count(n.a) == 0 ? Trend::same : Trend::unknown;
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
    return trend(f_.kid(id, 1), inside);
  }
  case Op::reach: return trend_of_walk(f_.kid(id, 0), f_.kid(id, 1), c);
  case Op::if_value: return operand(0) == Trend::same ? both(operand(1), operand(2)) : Trend::unknown;
  default:
    if (own_reads(n.op) != kNoPart) return Trend::unknown;
  }
  return together() == Trend::same ? Trend::same : Trend::unknown;
}

// Where a walk leads from the cells of a set.
Trend Trends::trend_of_walk(NodeId from, NodeId action, const CellChange& c) const {
  CellChange inside = c;
  inside.walks = true;
  const Path* walk = f_.path(action);
  if (walk == nullptr) return Trend::unknown;
  const auto row = parts_in_a_row(*walk);
  if (row.empty() || !row[0].is(Path::Kind::by_kind)) return both(trend(from, c), trend(*walk, inside));
  if (f_.node(row[0].of).op != Op::here) return Trend::unknown;
  Trend all = Trend::same;
  for (const Path& part : row.subspan(1)) all = both(all, trend(part, inside));
  for (std::size_t k = 0; k < row[0].parts.size(); ++k)
    all = both(all, trend_of_kind(from, row[0].parts[k],
                                  k + 1 == row[0].parts.size() ? -1 : static_cast<int>(k), c));
  return all;
}

// Likewise, of the walk for one kind of piece (-1: none).
Trend Trends::trend_of_kind(NodeId from, const Path& walk, int kind, const CellChange& c) const {
  if (walk.is_never()) return Trend::same;
  CellChange inside = c;
  inside.walks = true;
  const auto starts = f_.codes_in(from);
  const Contents of = kind < 0 ? Contents(1) : f_.contents_of_kind(kind);
  if (!starts) return Trend::unknown;
  return both(trend_of(starts->first & of, starts->second & of, c), trend(walk, inside));
}

// What a change does to a test it does to the walk; whatever else a walk goes by must stay the same.
Trend Trends::trend(const Path& walk, const CellChange& c) const {
  const auto stays = [&](NodeId id) { return trend(id, c) == Trend::same; };
  Trend all = Trend::same;
  bool good = !walk.curved && !walk.maximal && !walk.until && !walk.is(Path::Kind::by_kind);
  if (walk.is(Path::Kind::test))
    all = trend(walk.of, c);
  else if (walk.is(Path::Kind::star))
    good = good && stays(f_.kid(walk.of, 1)) && (walk.endless || stays(f_.kid(walk.of, 2)));
  else
    good = good && (walk.of == kNoNode || stays(walk.of));
  for (const Path& part : walk.parts) all = both(all, trend(part, c));
  return good ? all : Trend::unknown;
}

// If a condition is `when` before the change, is it so afterwards? Where that depends on which cell it is the
// questions that mustn't look at it are noted.
bool Trends::stays(NodeId id, bool when, const CellChange& c, std::vector<NodeId>& watched) const {
  const Node& n = f_.node(id);
  if (n.op == Op::negation) return stays(f_.kid(id, 0), !when, c, watched);
  const Trend t = trend(id, c);
  if (t == Trend::same || t == (when ? Trend::grows : Trend::shrinks)) return true;
  if (n.op != Op::some || when || f_.node(f_.kid(id, 0)).op != Op::meet) return false;
  for (const std::uint32_t k : {0u, 1u}) {
    const NodeId walk = f_.kid(f_.kid(id, 0), k), few = f_.kid(f_.kid(id, 0), 1 - k);
    if (f_.node(walk).op != Op::reach || !f_.is_few(few) || !f_.goes_by_cell(f_.kid(walk, 0))) continue;
    const Trend targets = trend(few, c);
    if (targets != Trend::same && targets != Trend::shrinks) continue;
    const Path* way = f_.path(f_.kid(walk, 1));
    if (way == nullptr || !can_watch(*way, c)) continue;
    watched.push_back(id);
    return true;
  }
  return false;
}

// Can it be said of a walk which cells it looks at? It goes by what lies on these alone.
bool Trends::can_watch(const Path& walk, const CellChange& c) const {
  CellChange inside = c;
  inside.walks = true;
  return all_of_path(walk, [&](const Path& p) {
    if (p.is(Path::Kind::test) && !p.condition && f_.codes_in(p.of)) return true;
    if (p.is(Path::Kind::by_kind)) return f_.node(p.of).op == Op::here;
    if (p.is(Path::Kind::star)) return !p.maximal && !p.until;
    return !p.curved && (p.of == kNoNode || trend(p.of, inside) == Trend::same);
  });
}

} // namespace boardwright::runtime::lowering
