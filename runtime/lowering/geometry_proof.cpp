// Another proof that two ways through a turn are never one move: all ways are gone through as the board alone
// has them, whatever stands on it, and no two are written alike. The first and the last cell of a line and
// where it goes tell which line went how far.
//
// It is for turns in one line: directions and cells are chosen, the walker goes straight on, something is
// said of cells that are known by then; what else happens has one outcome. A set that pieces tell is taken as
// the whole board, so there are more ways than any position has. Where cells, texts and their order are the
// same in every way, different cells are different notations (see keys.cpp for why), whatever is written
// behind them.
#include "runtime/lowering/lowering.hpp"

#include <algorithm>
#include <vector>

namespace boardwright::runtime::lowering {

namespace {

constexpr std::size_t kMostWays = 200'000; // some milliseconds

} // namespace

struct Lowering::Geometry {
  Steps parts;
  std::map<std::int32_t, int> cells, steps; // what chosen names stand for
  std::map<std::int32_t, NodeId> values;    // of other names
  CellSet here;                             // where the walker may be
  bool stands = false;                      // on a cell that is known
  bool loops = false;
  std::uint64_t key = 0;
  std::vector<std::uint64_t> told; // of every way
  // Where the walker is hasn't been gone through cell by cell.
  [[nodiscard]] bool is_open() const { return !stands && here.count() > 1; }
};

// Every cell of a set with a name of its own, or as the walker's place.
bool Lowering::every_cell(Geometry& g, std::size_t i, std::int32_t slot, const CellSet& cells) {
  bool good = true;
  const CellSet here = g.here;
  const bool stood = g.stands;
  cells.each([&](int cell) {
    if (!good) return;
    if (slot >= 0) {
      g.cells[slot] = cell;
    } else {
      g.here = CellSet::of(cell);
      g.stands = true;
    }
    good = every_way(g, i);
  });
  g.here = here;
  g.stands = stood;
  return good;
}

// All ways from part i on; false if two could be written alike, or if something isn't seen through.
bool Lowering::every_way(Geometry& g, std::size_t i) {
  if (i == g.parts.size()) {
    g.told.push_back(g.key);
    return !g.is_open() && g.told.size() <= kMostWays;
  }
  const Node n = node(g.parts[i]);
  switch (n.op) {
  case Op::choose: {
    const NodeId of = kid(g.parts[i], 0);
    if (node(of).type == Type::cells) return every_cell(g, i + 1, n.a, at_most(of, g));
    if (node(of).op != Op::directions) return false;
    bool good = true;
    program_.step_sets[at(node(of).a)].each([&](int s) {
      if (!good) return;
      g.steps[n.a] = s;
      good = every_way(g, i + 1);
    });
    return good;
  }
  case Op::let: g.values[n.a] = kid(g.parts[i], 0); return every_way(g, i + 1);
  case Op::to: return !g.is_open() && every_cell(g, i + 1, -1, at_most(kid(g.parts[i], 0), g));
  case Op::go:
  case Op::repeat: {
    if (n.op == Op::repeat && g.loops) return false; // so many rounds of one and of the other
    const auto ends = straight_ends(g.parts[i], g.here, g);
    if (!ends) return false;
    if (ends->none()) return true; // no way goes on
    const CellSet here = g.here;
    const bool stood = g.stands, looped = g.loops;
    g.here = *ends;
    g.stands = stood && n.op == Op::go;
    g.loops = looped || n.op == Op::repeat;
    const bool good = every_way(g, i + 1);
    g.here = here, g.stands = stood, g.loops = looped;
    return good;
  }
  case Op::say: {
    if (!g.stands && !g.here.none()) return every_cell(g, i, -1, g.here);
    const std::uint64_t key = g.key;
    for (std::uint32_t k = 0; k < n.count; ++k) {
      const NodeId part = kid(g.parts[i], k);
      if (node(part).op == Op::text) continue;
      const auto cells = exactly(part, g);
      if (!cells || cells->none()) return false;
      for (std::size_t w = 0; w < at(layout_.words); ++w) {
        g.key = (g.key ^ cells->word[w]) * ir::kKeyFactor;
        g.key ^= g.key >> ir::kKeyShift;
      }
    }
    const bool good = every_way(g, i + 1);
    g.key = key;
    return good;
  }
  default: return every_way(g, i + 1); // told_by_geometry has seen to it
  }
}

// Cells that a value can't have more than.
CellSet Lowering::at_most(NodeId set, const Geometry& g) const {
  const Node& n = node(set);
  const auto operand = [&](std::uint32_t i) { return at_most(program_.kid(n, i), g); };
  switch (n.op) {
  case Op::unite: return operand(0) | operand(1);
  case Op::meet: return operand(0) & operand(1);
  case Op::minus: return operand(0);
  case Op::reach: {
    const auto from = exactly(program_.kid(n, 0), g);
    if (!from || from->count() != 1) return board().all;
    Steps walk;
    flatten(program_.kid(n, 1), walk);
    Geometry inside = {};
    inside.steps = g.steps;
    CellSet now = *from;
    for (const NodeId part : walk) {
      const Node& w = node(part);
      if (w.op == Op::choose) {
        const int step = direction_of(program_.kid(w, 0), inside);
        if (step < 0) return board().all;
        inside.steps[w.a] = step;
        continue;
      }
      if (w.op == Op::at) continue;
      const auto ends = straight_ends(part, now, inside);
      if (!ends) return board().all;
      now = *ends;
    }
    return now;
  }
  default: return exactly(set, g).value_or(board().all);
  }
}

// The cells of a value that no piece tells; nothing where it isn't known.
std::optional<CellSet> Lowering::exactly(NodeId set, const Geometry& g) const {
  const Node& n = node(set);
  switch (n.op) {
  case Op::cells: return program_.cell_sets[at(n.a)];
  case Op::here: return g.stands ? std::optional(g.here) : std::nullopt;
  case Op::local: {
    if (const auto known = g.cells.find(n.a); known != g.cells.end()) return CellSet::of(known->second);
    const auto value = g.values.find(n.a);
    if (value == g.values.end() || contains(value->second, Op::here)) return std::nullopt;
    return exactly(value->second, g);
  }
  case Op::unite: {
    const auto a = exactly(program_.kid(n, 0), g), b = exactly(program_.kid(n, 1), g);
    return a && b ? std::optional(*a | *b) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

// One that leads straight on, or -1.
int Lowering::direction_of(NodeId id, const Geometry& g) const {
  const Node& n = node(id);
  int step = -1;
  if (n.op == Op::directions && program_.step_sets[at(n.a)].count() == 1)
    step = program_.step_sets[at(n.a)].first();
  if (n.op == Op::local)
    if (const auto known = g.steps.find(n.a); known != g.steps.end()) step = known->second;
  if (n.op == Op::opposite) {
    const int of = direction_of(program_.kid(n, 0), g);
    step = of < 0 ? -1 : compass_.opposite[at(of)];
  }
  return step >= 0 && board().steps[at(step)].track < 0 ? step : -1;
}

// Where a step leads, or rounds of steps and tests.
std::optional<CellSet> Lowering::straight_ends(NodeId part, const CellSet& from, const Geometry& g) const {
  const Node& n = node(part);
  const auto stepped = [&](const CellSet& cells, int step) {
    CellSet found;
    cells.each([&](int c) {
      if (const int to = board().steps[at(step)].to[at(c)]; to != kNowhere) found.set(to);
    });
    return found;
  };
  if (n.op == Op::go) {
    const int step = direction_of(program_.kid(n, 0), g);
    return step < 0 ? std::nullopt : std::optional(stepped(from, step));
  }
  if (n.op != Op::repeat || (n.a & (kMaximal | kUntil)) != 0) return std::nullopt;
  const Node& low = node(program_.kid(n, 1));
  if (low.op != Op::number) return std::nullopt;
  Steps body;
  flatten(program_.kid(n, 0), body);
  int step = -1;
  for (const NodeId id : body) {
    if (node(id).op == Op::at) continue;
    if (node(id).op != Op::go || step >= 0) return std::nullopt;
    step = direction_of(program_.kid(node(id), 0), g);
    if (step < 0) return std::nullopt;
  }
  if (step < 0) return std::nullopt;
  const auto& to = board().steps[at(step)].to;
  CellSet found;
  bool comes_back = false;
  from.each([&](int begin) {
    int cell = begin;
    for (int round = 0; cell != kNowhere && !comes_back; ++round) {
      if (round >= low.a) found.set(cell);
      cell = to[at(cell)];
      comes_back = cell == begin;
    }
  });
  return comes_back ? std::nullopt : std::optional(found);
}

// Neither chooses nor writes more than what has left, and leaves the walker where it is.
bool Lowering::has_one_outcome(NodeId action) const {
  const Node& n = node(action);
  const auto kids = program_.kids_of(n);
  switch (n.op) {
  case Op::at:
  case Op::require:
  case Op::remove:
  case Op::move_by:
  case Op::set_variable:
  case Op::again: return true;
  case Op::let: return true;
  case Op::sequence:
    return std::all_of(kids.begin(), kids.end(), [this](NodeId k) { return has_one_outcome(k); });
  case Op::if_action: return has_one_outcome(kids[1]) && (n.count < 3 || has_one_outcome(kids[2]));
  case Op::alternatives: return excludes({kids.begin(), kids.end()});
  default: return false;
  }
}

// Of branches that test the walker's cell first for different things one is taken.
bool Lowering::excludes(const std::vector<NodeId>& branches) const {
  std::vector<Contents> tested;
  for (const NodeId branch : branches) {
    Steps parts;
    flatten(branch, parts);
    if (parts.empty() || node(parts[0]).op != Op::at || !has_one_outcome(branch)) return false;
    const auto codes = codes_in(program_.kid(node(parts[0]), 0));
    if (!codes) return false;
    for (const Contents& other : tested)
      if ((other & codes->second).any()) return false;
    tested.push_back(codes->second);
  }
  return true;
}

// It is asked whenever the turn is compiled anew, and has one answer.
bool Lowering::told_by_geometry(NodeId turn) {
  if (const auto known = geometry_->find(turn); known != geometry_->end()) return known->second;
  return (*geometry_)[turn] = finds_all_different(turn);
}

bool Lowering::finds_all_different(NodeId turn) {
  if (!has_plain_names()) return false;
  Geometry g;
  flatten(turn, g.parts);
  bool said = false, may_have_left = false;
  for (const NodeId part : g.parts) {
    const Node n = node(part);
    switch (n.op) {
    case Op::choose:
    case Op::let:
      if (changed_.count(n.a) != 0) return false;
      if (n.op == Op::choose && may_have_left) return false;
      break;
    case Op::to:
    case Op::go:
    case Op::repeat:
      if (contains_action(part, Op::remove)) return false;
      break;
    case Op::say:
      if (may_have_left) return false;
      for (std::uint32_t k = 0; k < n.count; ++k) {
        const Node& what = node(program_.kid(n, k));
        if (what.op == Op::text ? !is_plain(program_.texts[at(what.a)]) : what.type != Type::cells)
          return false;
      }
      said = true;
      break;
    default:
      if (!has_one_outcome(part)) return false;
      may_have_left = may_have_left || may_leave(part);
    }
  }
  if (!said || !every_way(g, 0)) return false;
  std::sort(g.told.begin(), g.told.end());
  return std::adjacent_find(g.told.begin(), g.told.end()) == g.told.end();
}

} // namespace boardwright::runtime::lowering
