// Where the walker may be, seen from the cell that was written last, and what may lie there.
#include "runtime/lowering/unambiguity/first_signs.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering::unambiguity {

namespace {

// Relations that are kept, of up to 18 kilobytes each: two steps in each of eight directions, and some.
constexpr std::size_t kMostStepsOn = 100;

// From each cell at most to itself.
bool stays(const CellRelation& here) {
  for (std::size_t c = 0; c < here.size(); ++c)
    if ((here[c] - CellSet::of(static_cast<int>(c))).any()) return false;
  return true;
}

} // namespace

bool stands(const Written& w) { return w.anchored && !w.here.empty() && stays(w.here); }

// The cell where the walker is has just been written.
Written FirstSigns::just_written(bool gone) const {
  Written w;
  w.anchored = w.wrote = w.begun = true;
  w.gone = gone;
  w.here = itself_;
  return w;
}

// Any cell may be meant. If no cell has been written, there is none to see it from.
CellRelation FirstSigns::anywhere(bool anchored) const {
  return anchored ? everywhere_ : CellRelation({board().all});
}

// One step on from each cell: whether none is reached from two of those that may be meant.
bool FirstSigns::step_on(int step, CellRelation& here) const {
  const bool again = here.shares_with(itself_) || stepped_on_.count(here.id()) != 0;
  const auto by = std::make_pair(here.id(), step);
  if (const auto known = steps_on_.find(by); again && known != steps_on_.end()) {
    here = known->second;
    return true;
  }
  const auto& to = board().steps[at(step)].to;
  for (CellSet& cells : here.own()) {
    CellSet moved;
    bool twice = false;
    cells.each([&](int c) {
      if (to[at(c)] == kNowhere) return;
      twice = twice || moved.test(to[at(c)]);
      moved.set(to[at(c)]);
    });
    if (twice) return false;
    cells = moved;
  }
  if (again && steps_on_.size() < kMostStepsOn) {
    steps_on_.emplace(by, here);
    stepped_on_.insert(here.id());
  }
  return true;
}

// The walker stands on a cell of a set: what may be there.
void FirstSigns::look_at(NodeId tested, Written& w, const AbstractDraft& env) const {
  if (w.touched) return;
  const Contents possible = f_.possible_contents(tested, env);
  if (w.touched_start) { // where it has lifted its piece nothing is now
    for (std::size_t c = 0; c < w.here.size(); ++c) {
      if (!w.here[c].test(static_cast<int>(c))) continue;
      if (f_.stacks() || possible.test(0)) return;
      w.here.own()[c].clear(static_cast<int>(c));
    }
  }
  w.there &= possible;
}

// What may lie on the cells of a value.
Contents FirstSigns::codes_of(NodeId id, const Written& w) const {
  if (const auto codes = f_.codes_in(id)) return codes->second;
  const Node& n = node(id);
  switch (n.op) {
  case Op::meet: return codes_of(kid(id, 0), w) & codes_of(kid(id, 1), w);
  case Op::unite: return codes_of(kid(id, 0), w) | codes_of(kid(id, 1), w);
  case Op::minus: {
    const auto less = f_.codes_in(kid(id, 1));
    return less ? codes_of(kid(id, 0), w) & ~less->first : codes_of(kid(id, 0), w);
  }
  case Op::local: {
    const auto known = w.bound.find(n.a);
    return known == w.bound.end() ? Contents().set() : codes_of(known->second, w);
  }
  default: return Contents().set();
  }
}

// Cells that a value may have where the walker is on a cell, on which there is what there was at its start;
// or where the cell that was written last is a certain one: then whatever the position, since only steps and
// constants are followed. A name may stand in the value of the next twice, and so on: each is read once for a
// cell.
class FirstSigns::CellsSeen {
public:
  CellsSeen(const FirstSigns& of, bool by_walker, const Written& w, const AbstractDraft& env)
      : of_(of), by_walker_(by_walker), w_(w), env_(env) {}

  CellRelation from_each(NodeId id) {
    std::vector<CellSet> cells(at(of_.board().cells));
    of_.board().all.each([&](int c) { cells[at(c)] = from(id, c); });
    return CellRelation(std::move(cells));
  }

private:
  CellSet from(NodeId id, int cell) {
    const Node& n = of_.node(id);
    const auto operand = [&](std::uint32_t i) { return from(of_.kid(id, i), cell); };
    switch (n.op) {
    case Op::cells: return of_.rules_.cell_sets[at(n.a)];
    case Op::here: return by_walker_ || w_.last == kOfWalker ? CellSet::of(cell) : of_.board().all;
    case Op::meet: return operand(0) & operand(1);
    case Op::unite: return operand(0) | operand(1);
    case Op::minus:
    case Op::first:
    case Op::last: return operand(0);
    case Op::local: return !by_walker_ && n.a == w_.last ? CellSet::of(cell) : named(n.a, cell);
    case Op::reach: {
      const Path* walk = of_.f_.path(of_.kid(id, 1));
      if (walk == nullptr || (by_walker_ && of_.node(of_.kid(id, 0)).op != Op::here)) return of_.board().all;
      return by_walker_ ? of_.f_.possible_ends(*walk, operand(0), env_, w_.start)
                        : of_.f_.possible_ends(*walk, operand(0), env_);
    }
    default: return of_.board().all;
    }
  }

  CellSet named(std::int32_t name, int cell) {
    const auto& values = by_walker_ ? w_.bound : w_.means;
    const auto value = values.find(name);
    if (value == values.end()) return of_.board().all;
    const auto [known, fresh] = named_.try_emplace({name, cell}, of_.board().all);
    if (fresh) known->second = from(value->second, cell);
    return known->second;
  }

  const FirstSigns& of_;
  const bool by_walker_;
  const Written& w_;
  const AbstractDraft& env_;
  std::map<std::pair<std::int32_t, int>, CellSet> named_;
};

// Which cells a name may mean, seen from the one that was written last, where it surely means some.
std::optional<CellRelation> FirstSigns::from_written(NodeId id, const Written& w,
                                                     const AbstractDraft& env) const {
  const std::int32_t name = node(id).op == Op::local ? node(id).a : -1;
  const bool of_walker = !w.here.empty() && stands(w) && w.bound.count(name) != 0;
  if (w.members.count(name) == 0 || (w.last == -1 && !of_walker)) return std::nullopt;
  return CellsSeen(*this, w.last == -1, w, env).from_each(id);
}

// Is a value never of more cells than one?
bool FirstSigns::is_one_cell(NodeId id, const Written& w, const AbstractDraft& env) const {
  const Node& n = node(id);
  switch (n.op) {
  case Op::here:
  case Op::first:
  case Op::last: return true;
  case Op::cells: return rules_.cell_sets[at(n.a)].count() <= 1;
  case Op::meet: return is_one_cell(kid(id, 0), w, env) || is_one_cell(kid(id, 1), w, env);
  case Op::minus:
  case Op::select: return is_one_cell(kid(id, 0), w, env);
  case Op::reach: { // one step from it
    const Path* walk = f_.path(kid(id, 1));
    const auto ends = [&](int c) { return f_.possible_ends(*walk, CellSet::of(c), env).count(); };
    bool one = walk != nullptr;
    board().all.each([&](int c) { one = one && ends(c) <= 1; });
    return one && is_one_cell(kid(id, 0), w, env);
  }
  case Op::local: return w.single.count(n.a) != 0;
  default: return false;
  }
}

// Is the cell of a name surely none of a set?
bool FirstSigns::leaves_out(NodeId set, std::int32_t name) const {
  const Node& n = node(set);
  if (n.op == Op::meet) return leaves_out(kid(set, 0), name) || leaves_out(kid(set, 1), name);
  if (n.op == Op::select) return leaves_out(kid(set, 0), name);
  if (n.op != Op::minus) return false;
  const auto holds = [&](const auto& self, NodeId id) -> bool {
    const Node& m = node(id);
    if (m.op == Op::unite) return self(self, kid(id, 0)) || self(self, kid(id, 1));
    return m.op == Op::local && m.a == name;
  };
  return leaves_out(kid(set, 0), name) || holds(holds, kid(set, 1));
}

// Names of sets that have members where a condition holds.
void FirstSigns::note_members(NodeId condition, Written& w) const {
  const Node& n = node(condition);
  if (n.op == Op::all_of)
    for (std::uint32_t i = 0; i < n.count; ++i) note_members(kid(condition, i), w);
  if (n.op != Op::some) return;
  NodeId set = kid(condition, 0);
  while (node(set).op == Op::meet) set = kid(set, 0);
  if (node(set).op == Op::local && !f_.is_changed(node(set).a)) w.members.insert(node(set).a);
}

// What a name is, if it is bound where the walker began and nothing has changed yet.
void FirstSigns::bind_name(NodeId let, Written& w) const {
  const NodeId value = kid(let, 0);
  if (f_.is_changed(node(let).a) || node(value).type != Type::cells || !w.untouched()) return;
  if (!stands(w) && f_.reads_walker(value)) return;
  if (f_.contains(value, Op::variable)) return;
  w.bound[node(let).a] = value;
}

// The walker is put on a cell of a set.
void FirstSigns::put_on(NodeId id, Written& w, const AbstractDraft& env) const {
  const Written before = w; // as the value was bound
  const bool stood = stands(w);
  w.there.set();
  w.stood_on = false;
  w.here = anywhere(w.anchored);
  w.free = true;
  w.slot = -1;
  look_at(id, w, env);
  const bool bound = node(id).op == Op::local && w.bound.count(node(id).a) != 0;
  if (!stood || (!bound && before.touched_start)) return;
  w.here = CellsSeen(*this, true, before, env).from_each(id);
  if (!w.touched) w.there &= codes_of(id, before); // before the piece was lifted
}

} // namespace boardwright::runtime::lowering::unambiguity
