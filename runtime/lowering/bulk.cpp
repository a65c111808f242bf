// Moves of all walkers at once: as long as what is done is the same for every walker, and what is asked can
// be said of all cells together, they are one set of cells.
//
// # What it may rest on
// A test is asked of the position before the move. That is right as long as the cells in question haven't
// changed on the way, which is known, because every cell is known by its place table: from the walker's cell
// to it. Where something doesn't fit, the walkers are taken one by one from there (`one_by_one`).
#include "runtime/lowering/lowering.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// Walkers on their way: the set of the cells where they are.
struct Lowering::Walkers {
  struct Change {
    NodeId action = kNoNode;
    std::vector<std::int16_t> place; // where: by the cell where the walker is now
  };
  Reg set = 0;
  Contents contents;               // what is on these cells
  bool starts = false;             // they began with `from`
  std::vector<std::int16_t> start; // where: by the cell where they are now
  std::vector<Change> changes;
  bool has_heading = false;
  int heading = -1;
  std::vector<std::size_t> chosen; // choices that are the cell where they began
  std::vector<std::size_t> ends;   // choices of cells where walks ended; `end` says which
  std::vector<std::vector<std::int16_t>> end;
  std::vector<Contents> known; // by change: what was there before
};

namespace {

std::vector<std::int16_t> moved(const std::vector<std::int16_t>& place, const std::vector<std::int16_t>& to) {
  std::vector<std::int16_t> result(place.size(), kNowhere);
  for (std::size_t c = 0; c < place.size(); ++c)
    if (to[c] != kNowhere) result[at(to[c])] = place[c];
  return result;
}

} // namespace

// Each cell by itself.
std::vector<std::int16_t> Lowering::everywhere() const {
  std::vector<std::int16_t> place;
  for (int c = 0; c < board().cells; ++c)
    place.push_back(board().all.test(c) ? static_cast<std::int16_t>(c) : kNowhere);
  return place;
}

std::int32_t Lowering::place_table(const std::vector<std::int16_t>& place) {
  const auto [known, fresh] =
      place_tables_.try_emplace(place, static_cast<std::int32_t>(code_.places.size()));
  if (fresh) code_.places.push_back(place);
  return known->second;
}

// A set that says of each cell by what lies there, or by nothing that changes, whether it is in it.
bool Lowering::goes_by_cell(NodeId id) const {
  const Node& n = node(id);
  switch (n.op) {
  case Op::cells:
  case Op::empty:
  case Op::owned: return true;
  case Op::kind_cells: return node(program_.kid(n, 0)).op == Op::kind;
  case Op::unite:
  case Op::meet:
  case Op::minus: return goes_by_cell(program_.kid(n, 0)) && goes_by_cell(program_.kid(n, 1));
  case Op::complement: return goes_by_cell(program_.kid(n, 0));
  default: return false;
  }
}

// Depends on where the walker is.
bool Lowering::reads_walker(NodeId id) const {
  for (const Op op : {Op::here, Op::start, Op::heading, Op::carried, Op::can})
    if (contains(id, op)) return true;
  return false;
}

// ---------------------------------------------------------------- begin and end

bool Lowering::begin_bulk(const Todo* todo, const Val& from, const Draft& d) {
  if (!d.recorded || d.compared || once_ || text_ || exact_ > 0 || reaching_ > 0 || mode_ != Mode::search)
    return false;
  if (d.air.kind != Air::Kind::nothing || d.here.is(Kind::cell) || !from.is(Kind::set)) return false;
  Walkers w;
  w.set = from.reg;
  w.contents = from.contents;
  w.starts = node(todo->action).op == Op::from;
  w.start = everywhere();
  Draft e = d;
  e.heading = {};
  w.chosen.push_back(e.choices.size());
  e.choices.push_back({ir::Choice::From::open, 0, -1});
  const Emitter::Scope scope(e_);
  bulk(todo->next, std::move(w), std::move(e));
  return true;
}

// All of them have made a move.
void Lowering::end_bulk(const Todo* rest, const Walkers& w, Draft d) {
  for (const std::size_t k : w.chosen) d.choices[k].place = place_table(w.start);
  for (std::size_t k = 0; k < w.ends.size(); ++k) d.choices[w.ends[k]].place = place_table(w.end[k]);
  const Val set = make_set(w.set, w.contents);
  ir::Leaf l;
  l.choices = d.choices;
  const auto index = static_cast<std::int32_t>(code_.leaves.size());
  l.base = d.base;
  l.dynamic = d.base >= 0;
  for (const ir::Choice& c : l.choices)
    if (c.from == ir::Choice::From::number &&
        std::find(l.values.begin(), l.values.end(), static_cast<Reg>(c.value)) == l.values.end())
      l.values.push_back(static_cast<Reg>(c.value));
  code_.leaves.push_back(std::move(l));
  e_.emit(Ir::leaf, 0, set.reg, 0, 0, index);
  (void)rest;
}

// If there are any, that is noted.
void Lowering::note_any_in_bulk(const void* walkers, Reg any, const Todo* after, Draft d) {
  const Walkers& w = *static_cast<const Walkers*>(walkers);
  const Label none = e_.label();
  {
    const Emitter::Scope scope(e_);
    e_.emit(Ir::if_none, 0, w.set, 0, 0, none);
    e_.emit(Ir::constant, any, 0, 0, 0, 1);
    bulk(after, w, std::move(d));
  }
  e_.place(none);
}

// From here on each by itself.
void Lowering::one_by_one(const Todo* todo, Walkers w, Draft d) {
  if (todo != nullptr && todo->then == nullptr) w.set = meet(w.set, could_go_on(todo, w, d));
  if (w.set == none_) return;
  const Reg left = e_.new_set(), cell = e_.new_number(), mark = e_.new_number(2);
  const Label loop = e_.label(), past = e_.label();
  e_.emit(Ir::set_copy, left, w.set);
  const std::size_t marked = e_.emit(Ir::mark, mark);
  const std::size_t begin = e_.here();
  e_.place(loop);
  e_.emit(Ir::take, cell, left, 0, 0, past);
  {
    const Emitter::Scope inside(e_);
    std::map<std::vector<std::int16_t>, Reg> cells;
    const auto cell_at = [&](const std::vector<std::int16_t>& place) {
      bool same = true;
      for (std::size_t c = 0; c < place.size(); ++c)
        same = same && (place[c] == static_cast<std::int16_t>(c) || place[c] == kNowhere);
      if (same) return cell;
      const auto known = cells.find(place);
      if (known != cells.end()) return known->second;
      const Reg r = e_.new_number();
      e_.emit(Ir::place, r, cell, 0, 0, place_table(place));
      cells[place] = r;
      return r;
    };
    const Val here = make_cell(cell, w.contents);
    const Reg start = cell_at(w.start);
    for (const std::size_t k : w.chosen) d.choices[k] = {ir::Choice::From::number, start, -1};
    for (std::size_t k = 0; k < w.ends.size(); ++k)
      d.choices[w.ends[k]] = {ir::Choice::From::number, cell_at(w.end[k]), -1};
    if (w.starts) d.start = make_cell(start, all_contents());
    // What has been done is done again, where each of them did it.
    std::function<void(std::size_t, Draft)> again = [&](std::size_t k, Draft e) {
      if (k == w.changes.size()) {
        e.here = here;
        e.there[cell] = w.contents;
        for (const auto& c : w.changes)
          if (cell_at(c.place) == cell) e.there.erase(cell);
        e.heading = w.has_heading ? make_steps(StepSet::of(w.heading)) : Val();
        return act(todo, std::move(e));
      }
      const Reg where = cell_at(w.changes[k].place);
      e.here = make_cell(where, all_contents());
      if (k < w.known.size()) e.there[where] = w.known[k];
      Continuation then;
      then.go = [&, k](Draft f) { again(k + 1, std::move(f)); };
      act_then(w.changes[k].action, std::move(e), then);
    };
    d.air = {};
    again(0, std::move(d));
  }
  if (e_.changes_since(begin))
    e_.emit(Ir::undo, 0, mark);
  else
    e_.forget(marked);
  e_.go(loop);
  e_.place(past);
}

// ---------------------------------------------------------------- what they do

void Lowering::bulk(const Todo* todo, Walkers w, Draft d) {
  if (stopped() || w.set == none_) return;
  // What comes after sees a walker that stands somewhere.
  Draft seen = d;
  seen.here = make_cell(static_cast<Reg>(layout_.draft_numbers), w.contents);
  if (is_left_open(todo, seen)) return end_bulk(todo, w, std::move(d));
  if (todo != nullptr && todo->then == nullptr) followed_.insert(todo->action);
  if (todo == nullptr) return; // something is in the air
  if (todo->then != nullptr) {
    if (todo->then->bulk) return todo->then->bulk(&w, d);
    return one_by_one(todo, std::move(w), std::move(d));
  }
  const NodeId id = todo->action;
  const Node n = node(id);
  e_.at_origin(n.origin);
  const auto on = [&] { bulk(todo->next, std::move(w), std::move(d)); };
  const auto singly = [&] { one_by_one(todo, std::move(w), std::move(d)); };
  switch (n.op) {
  case Op::never: return;
  case Op::sequence: {
    std::vector<Todo> chain(n.count);
    for (std::size_t k = chain.size(); k-- > 0;)
      chain[k] = {program_.kids[n.kids + k], k + 1 < chain.size() ? &chain[k + 1] : todo->next, nullptr};
    return bulk(chain.empty() ? todo->next : chain.data(), std::move(w), std::move(d));
  }
  case Op::alternatives: {
    const Todo* rest = nullptr;
    if (taken_as_set(todo, seen, rest)) return walk_in_bulk(todo, rest, std::move(w), std::move(d));
    for (std::uint32_t k = 0; k < n.count; ++k) {
      if (node(kid(id, k)).op == Op::never) continue;
      const Emitter::Scope scope(e_);
      Draft e = d;
      record(e, static_cast<std::int32_t>(k));
      const Todo branch{kid(id, k), todo->next, nullptr};
      bulk(&branch, w, std::move(e));
    }
    return;
  }
  case Op::choose: {
    const auto steps = constant_steps(kid(id, 0), d);
    const Todo* rest = nullptr;
    if (node(kid(id, 0)).type != Type::directions || !steps || changed_.count(n.a) != 0) return singly();
    const bool walks = taken_as_set(todo, seen, rest);
    if (walks) return walk_in_bulk(todo, rest, std::move(w), std::move(d));
    steps->each([&](int s) {
      const Emitter::Scope scope(e_);
      Draft e = d;
      e.locals[n.a] = make_steps(StepSet::of(s));
      record(e, static_cast<std::int32_t>(s));
      bulk(todo->next, w, std::move(e));
    });
    return;
  }
  case Op::go: {
    const auto steps = constant_steps(kid(id, 0), d);
    const Todo* rest = nullptr;
    if (!steps || !injective(*steps)) return singly();
    if (taken_as_set(todo, seen, rest)) return walk_in_bulk(todo, rest, std::move(w), std::move(d));
    const bool chosen = !is_one_step(kid(id, 0));
    steps->each([&](int s) {
      const Emitter::Scope scope(e_);
      Draft e = d;
      if (chosen) record(e, static_cast<std::int32_t>(s));
      bulk_step(todo->next, s, w, std::move(e));
    });
    return;
  }
  case Op::at: {
    if (!can_ask(kid(id, 0), w)) return singly();
    const Val tested = value(kid(id, 0), d);
    w.set = meet(w.set, set_of(tested));
    w.contents &= tested.contents;
    return on();
  }
  case Op::require: {
    if (!reads_walker(kid(id, 0)) && w.changes.empty()) { // the same for all
      const Label past = e_.label();
      {
        const Emitter::Scope scope(e_);
        jump(kid(id, 0), false, past, d);
        bulk(todo->next, std::move(w), std::move(d));
      }
      return e_.place(past);
    }
    Emitter::Attempt attempt(e_);
    const auto holding = where_holds(kid(id, 0), w, d);
    if (!holding) {
      attempt.give_up();
      return singly();
    }
    w.set = meet(w.set, *holding);
    return on();
  }
  case Op::if_action: {
    Emitter::Attempt attempt(e_);
    const auto holding = where_holds(kid(id, 0), w, d);
    if (!holding) {
      attempt.give_up();
      return singly();
    }
    for (const bool holds : {true, false}) {
      const Emitter::Scope scope(e_);
      Walkers v = w;
      v.set = holds ? meet(w.set, *holding) : minus(w.set, *holding);
      Draft e = d;
      record(e, holds ? 0 : 1);
      const Todo branch{holds ? kid(id, 1) : n.count > 2 ? kid(id, 2) : kNoNode, todo->next, nullptr};
      bulk(branch.action == kNoNode ? todo->next : &branch, std::move(v), std::move(e));
    }
    return;
  }
  case Op::by_kind_action: {
    if (node(kid(id, 0)).op != Op::here || !untouched(w)) return singly();
    for (std::uint32_t k = 1; k + 1 < n.count; ++k) {
      const Contents of = contents_of_kind(static_cast<int>(k) - 1);
      if (node(kid(id, k)).op == Op::never || (w.contents & of).none()) continue;
      const Emitter::Scope scope(e_);
      Walkers v = w;
      v.set = meet(w.set, kind_cells(static_cast<int>(k) - 1));
      v.contents &= of;
      Draft e = d;
      record(e, static_cast<std::int32_t>(k) - 1);
      const Todo branch{kid(id, k), todo->next, nullptr};
      bulk(&branch, std::move(v), std::move(e));
    }
    if (node(kid(id, n.count - 1)).op != Op::never && w.contents.test(0)) {
      Contents nothing;
      nothing.set(0);
      const Emitter::Scope scope(e_);
      Walkers v = w;
      v.set = meet(w.set, layout_.empty);
      v.contents &= nothing;
      record(d, static_cast<std::int32_t>(n.count) - 2);
      const Todo branch{kid(id, n.count - 1), todo->next, nullptr};
      bulk(&branch, std::move(v), std::move(d));
    }
    return;
  }
  case Op::let: {
    if (reads_walker(kid(id, 0)) || !w.changes.empty() || changed_.count(n.a) != 0) return singly();
    let(id, d);
    return on();
  }
  case Op::lift: {
    if (n.count > 0 || stacks() || d.air.kind != Air::Kind::nothing || !untouched(w)) return singly();
    if (w.contents.test(0)) {
      w.set = minus(w.set, layout_.empty);
      w.contents.reset(0);
    }
    d.air = {Air::Kind::known, w.contents};
    change_in_bulk(id, w, 0);
    return on();
  }
  case Op::put: {
    if (n.count > 0 || stacks() || d.air.kind != Air::Kind::known) return singly();
    const Contents codes = d.air.codes;
    d.air = {};
    change_in_bulk(id, w, -1);
    w.contents = codes;
    return on();
  }
  case Op::remove: {
    if (node(kid(id, 0)).op != Op::here || stacks() || !untouched(w)) return singly();
    change_in_bulk(id, w, 0);
    return on();
  }
  default: return singly();
  }
}

// The cell where they are changes. `code`: what is there then, or -1.
void Lowering::change_in_bulk(NodeId action, Walkers& w, int code) {
  w.changes.push_back({action, everywhere()});
  w.known.push_back(w.contents);
  if (code >= 0) {
    w.contents.reset();
    w.contents.set(at(code));
  }
}

void Lowering::step_in_bulk(int step, Walkers& w) {
  const auto& to = board().steps[at(step)].to;
  w.set = stepped(w.set, step, false);
  w.contents = all_contents();
  w.start = moved(w.start, to);
  for (auto& c : w.changes) c.place = moved(c.place, to);
  for (auto& e : w.end) e = moved(e, to);
  w.has_heading = true;
  w.heading = step;
}

void Lowering::bulk_step(const Todo* next, int step, Walkers w, Draft d) {
  step_in_bulk(step, w);
  d.heading = make_steps(StepSet::of(step));
  bulk(next, std::move(w), std::move(d));
}

// A walk of a few steps, of which only the cell matters where it ends: all walkers that have been moved alike
// are together, whatever way they took.
void Lowering::walk_in_bulk(const Todo* todo, const Todo* rest, Walkers w, Draft d) {
  Steps walk;
  for (const Todo* part = todo; part != rest; part = part->next) flatten(part->action, walk);
  std::vector<Walkers> ends;
  Emitter::Attempt attempt(e_);
  if (!walk_paths(walk, 0, w, d, ends)) {
    attempt.give_up();
    return one_by_one(todo, std::move(w), std::move(d));
  }
  note_walk(todo->action, true);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    Walkers all = std::move(ends[i]);
    for (std::size_t k = i + 1; k < ends.size(); ++k) {
      if (ends[k].set == none_) continue;
      if (ends[k].start == all.start) {
        all.set = unite(all.set, ends[k].set);
        all.contents |= ends[k].contents;
        ends[k].set = none_;
        continue;
      }
      // Along tracks and over holes two ways may lead from one cell to the same, if not from every cell.
      CellSet alike;
      for (std::size_t c = 0; c < all.start.size(); ++c)
        if (all.start[c] != kNowhere && all.start[c] == ends[k].start[c]) alike.set(static_cast<int>(c));
      if (alike.any()) ends[k].set = minus(ends[k].set, meet(all.set, e_.set_constant(alike)));
    }
    if (all.set == none_) continue;
    const Emitter::Scope scope(e_);
    Draft f = d;
    f.heading = {};
    all.has_heading = false;
    all.ends.push_back(f.choices.size());
    all.end.push_back(everywhere());
    f.choices.push_back({ir::Choice::From::open, 0, -1});
    bulk(rest, std::move(all), std::move(f));
  }
}

// Every way through a walk without repetition; false where there is more to it.
bool Lowering::walk_paths(const Steps& walk, std::size_t i, Walkers w, const Draft& d,
                          std::vector<Walkers>& ends) {
  constexpr std::size_t kMostWays = 24; // beyond that each walker is faster by itself
  if (ends.size() > kMostWays) return false;
  if (w.set == none_) return true;
  if (i == walk.size()) {
    ends.push_back(std::move(w));
    return true;
  }
  const NodeId id = walk[i];
  const Node n = node(id);
  switch (n.op) {
  case Op::never: return true;
  case Op::at: {
    if (!can_ask(kid(id, 0), w)) return false;
    Draft asked = d;
    const Val tested = value(kid(id, 0), asked);
    w.set = meet(w.set, set_of(tested));
    w.contents &= tested.contents;
    return walk_paths(walk, i + 1, std::move(w), d, ends);
  }
  case Op::choose:
  case Op::go: {
    const auto steps = constant_steps(kid(id, 0), d);
    if (!steps || (n.op == Op::go && !injective(*steps))) return false;
    bool good = true;
    steps->each([&](int s) {
      if (!good) return;
      Draft e = d;
      Walkers v = w;
      if (n.op == Op::choose)
        e.locals[n.a] = make_steps(StepSet::of(s));
      else
        step_in_bulk(s, v);
      good = walk_paths(walk, i + 1, std::move(v), e, ends);
    });
    return good;
  }
  case Op::alternatives: {
    for (std::uint32_t k = 0; k < n.count; ++k) {
      Steps branch;
      flatten(kid(id, k), branch);
      branch.insert(branch.end(), walk.begin() + static_cast<std::ptrdiff_t>(i) + 1, walk.end());
      if (!walk_paths(branch, 0, w, d, ends)) return false;
    }
    return true;
  }
  default: return false;
  }
}

// ---------------------------------------------------------------- what can be asked of all at once

// Two cells that become one couldn't be told apart any more.
bool Lowering::injective(const StepSet& steps) const {
  bool good = true;
  steps.each([&](int s) {
    CellSet arrived;
    for (const std::int16_t c : board().steps[at(s)].to) {
      if (c == kNowhere) continue;
      good = good && !arrived.test(c);
      arrived.set(c);
    }
  });
  return good;
}

// The cell where they are hasn't changed.
bool Lowering::untouched(const Walkers& w) const {
  for (const auto& c : w.changes)
    for (std::size_t k = 0; k < c.place.size(); ++k)
      if (c.place[k] == static_cast<std::int16_t>(k)) return false;
  return true;
}

// Is the walker's cell in a set? Where pieces have changed the set must go by what lies there.
bool Lowering::can_ask(NodeId tested, const Walkers& w) const {
  if (reads_walker(tested)) return false;
  return w.changes.empty() || (goes_by_cell(tested) && untouched(w));
}

// The cells for whose walkers a condition holds.
std::optional<Reg> Lowering::where_holds(NodeId id, const Walkers& w, Draft& d) {
  const Node n = node(id);
  const auto operand = [&](std::uint32_t i) { return where_holds(kid(id, i), w, d); };
  switch (n.op) {
  case Op::truth: return n.a != 0 ? board_ : none_;
  case Op::negation: {
    const auto a = operand(0);
    return a ? std::optional(minus(board_, *a)) : std::nullopt;
  }
  case Op::all_of:
  case Op::any_of: {
    Reg all = n.op == Op::all_of ? board_ : none_;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const auto part = operand(i);
      if (!part) return std::nullopt;
      all = n.op == Op::all_of ? meet(all, *part) : unite(all, *part);
    }
    return all;
  }
  case Op::within:
    if (node(kid(id, 0)).type == Type::directions) {
      const auto a = constant_steps(kid(id, 0), d), b = constant_steps(kid(id, 1), d);
      if (a && b) return a->within(*b) ? board_ : none_;
      return std::nullopt;
    }
    if (node(kid(id, 0)).op == Op::here) {
      if (!can_ask(kid(id, 1), w)) return std::nullopt;
      return set(kid(id, 1), d);
    }
    break;
  case Op::some: return w.changes.empty() ? leads_to(kid(id, 0), board_, d) : std::nullopt;
  case Op::equal:
  case Op::less:
  case Op::at_most: return w.changes.empty() ? where_count(n, d) : std::nullopt;
  default: break;
  }
  if (reads_walker(id) || !w.changes.empty()) return std::nullopt;
  // The same for all.
  const Reg all = e_.new_set();
  const Label past = e_.label();
  e_.emit(Ir::set_copy, all, none_);
  {
    const Emitter::Scope scope(e_);
    jump(id, false, past, d);
  }
  e_.emit(Ir::set_copy, all, board_);
  e_.place(past);
  return all;
}

// From which cells has a set that is found by walking from them a member among others?
std::optional<Reg> Lowering::leads_to(NodeId id, Reg goals, Draft& d) {
  const Node n = node(id);
  switch (n.op) {
  case Op::here: return goals;
  case Op::meet:
    for (const std::uint32_t k : {0u, 1u})
      if (!reads_walker(kid(id, 1 - k))) return leads_to(kid(id, k), meet(goals, set(kid(id, 1 - k), d)), d);
    return std::nullopt;
  case Op::minus:
    if (reads_walker(kid(id, 1))) return std::nullopt;
    return leads_to(kid(id, 0), minus(goals, set(kid(id, 1), d)), d);
  case Op::unite: {
    const auto a = leads_to(kid(id, 0), goals, d), b = leads_to(kid(id, 1), goals, d);
    return a && b ? std::optional(unite(*a, *b)) : std::nullopt;
  }
  case Op::reach: {
    if (node(kid(id, 0)).op != Op::here) return std::nullopt;
    Steps walk;
    flatten(kid(id, 1), walk);
    Draft inside = d;
    return walked_back(walk, walk.size(), goals, inside);
  }
  default: return std::nullopt;
  }
}

// From where does a walk of the first n parts end in a set?
std::optional<Reg> Lowering::walked_back(const Steps& walk, std::size_t n, Reg ends, Draft& d) {
  // Directions that are chosen are taken one by one, each with all that comes behind.
  for (std::size_t i = 0; i < n; ++i) {
    const Node& c = node(walk[i]);
    if (c.op != Op::choose || d.locals.count(c.a) != 0) continue;
    const auto steps = node(program_.kid(c, 0)).type == Type::directions
                           ? constant_steps(program_.kid(c, 0), d)
                           : std::nullopt;
    if (!steps) return std::nullopt;
    Reg all = none_;
    bool good = true;
    steps->each([&](int s) {
      if (!good) return;
      Draft inside = d;
      inside.locals[c.a] = make_steps(StepSet::of(s));
      const auto from = walked_back(walk, n, ends, inside);
      good = from.has_value();
      if (from) all = unite(all, *from);
    });
    return good ? std::optional(all) : std::nullopt;
  }
  Reg now = ends;
  for (std::size_t i = n; i-- > 0;) {
    const NodeId id = walk[i];
    const Node part = node(id);
    switch (part.op) {
    case Op::never: return none_;
    case Op::choose: break;
    case Op::at:
      if (reads_walker(kid(id, 0))) return std::nullopt;
      now = meet(now, set(kid(id, 0), d));
      break;
    case Op::go: {
      const auto steps = constant_steps(kid(id, 0), d);
      if (!steps) return std::nullopt;
      now = stepped(now, *steps, true);
      break;
    }
    case Op::alternatives: {
      Reg all = none_;
      for (std::uint32_t k = 0; k < part.count; ++k) {
        Steps inner;
        flatten(program_.kid(part, k), inner);
        Draft inside = d;
        const auto from = walked_back(inner, inner.size(), now, inside);
        if (!from) return std::nullopt;
        all = unite(all, *from);
      }
      now = all;
      break;
    }
    case Op::repeat: {
      const Node low = node(kid(id, 1));
      if (low.op != Op::number || low.a > 1 || part.a != kUnbounded) return std::nullopt;
      const auto body = round(kid(id, 0), d);
      if (!body) return std::nullopt;
      const Reg over = through(*body, d);
      if (now == board_ && low.a <= 0) break; // from anywhere, without a round
      if (now == board_) {
        now = stepped(over, body->steps, true); // one round will do
        break;
      }
      if (body->steps.count() != 1) return std::nullopt;
      const int back = compass_.opposite[at(body->steps.first())];
      if (back < 0) return std::nullopt;
      const Reg last = meet(now, over);
      const Reg first = stepped(unite(last, ran(last, back, over)), body->steps, true);
      now = low.a <= 0 ? unite(now, first) : first;
      break;
    }
    default: return std::nullopt;
    }
  }
  return now;
}

// Comparisons of how many neighbours are in a set with a number: added up for all cells at once, bit by bit.
std::optional<Reg> Lowering::where_count(const Node& n, Draft& d) {
  std::uint32_t counted = 2;
  for (const std::uint32_t k : {0u, 1u})
    if (node(program_.kid(n, k)).op == Op::count && node(program_.kid(n, 1 - k)).op == Op::number)
      counted = k;
  if (counted == 2) return std::nullopt;
  const std::int32_t number = node(program_.kid(n, 1 - counted)).a;
  // The members of a set around the cell: reach(here, go D), perhaps met with something.
  NodeId around = program_.kid(node(program_.kid(n, counted)), 0);
  Reg goals = board_;
  while (node(around).op == Op::meet || node(around).op == Op::minus) {
    const NodeId a = kid(around, 0), b = kid(around, 1);
    if (node(around).op == Op::minus) {
      if (reads_walker(b)) return std::nullopt;
      goals = minus(goals, set(b, d));
      around = a;
    } else if (!reads_walker(b)) {
      goals = meet(goals, set(b, d));
      around = a;
    } else if (!reads_walker(a)) {
      goals = meet(goals, set(a, d));
      around = b;
    } else {
      return std::nullopt;
    }
  }
  Draft inside = d;
  while (node(around).op == Op::let_value) {
    if (reads_walker(kid(around, 0))) return std::nullopt;
    inside.locals[node(around).a] = value(kid(around, 0), inside);
    around = kid(around, 1);
  }
  if (node(around).op != Op::reach || node(kid(around, 0)).op != Op::here ||
      node(kid(around, 1)).op != Op::go)
    return std::nullopt;
  const auto steps = constant_steps(kid(kid(around, 1), 0), inside);
  if (!steps || steps->count() > 8) return std::nullopt;
  Reg ones = none_, twos = none_, fours = none_, eights = none_;
  steps->each([&](int s) {
    Reg carry = stepped(goals, s, true);
    for (Reg* bit : {&ones, &twos, &fours, &eights}) {
      const Reg both = meet(*bit, carry);
      *bit = unite(minus(*bit, carry), minus(carry, *bit));
      carry = both;
    }
  });
  const auto equals = [&](std::int32_t k) {
    Reg all = board_;
    int place = 0;
    for (const Reg bit : {ones, twos, fours, eights})
      all = (k >> place++ & 1) != 0 ? meet(all, bit) : minus(all, bit);
    return all;
  };
  Reg all = none_;
  for (std::int32_t k = 0; k <= steps->count(); ++k) {
    const bool holds = n.op == Op::equal  ? k == number
                       : n.op == Op::less ? (counted == 0 ? k < number : number < k)
                                          : (counted == 0 ? k <= number : number <= k);
    if (holds) all = unite(all, equals(k));
  }
  return all;
}

// ---------------------------------------------------------------- who can go on

// Of walkers that are taken one by one: those that may get through what comes first. Whatever isn't seen
// through is taken as if it held.
Reg Lowering::could_go_on(const Todo* todo, const Walkers& w, const Draft& d) {
  const NodeId id = todo->action;
  const Node& n = node(id);
  if (n.op == Op::repeat) {
    const Node& low = node(kid(id, 1));
    if (low.op != Op::number || low.a < 1) return board_;
    Steps body;
    flatten(kid(id, 0), body);
    return first_round(body, 0, w, d, {});
  }
  Steps parts;
  for (const Todo* t = todo; t != nullptr && t->then == nullptr && parts.size() < 12; t = t->next)
    flatten(t->action, parts);
  return first_round(parts, 0, w, d, {});
}

Reg Lowering::first_round(const Steps& parts, std::size_t i, Walkers w, Draft d, std::vector<int> gone) {
  constexpr std::size_t kMostSteps = 3;
  for (; i < parts.size(); ++i) {
    const NodeId id = parts[i];
    const Node n = node(id);
    if (n.op == Op::choose || n.op == Op::go) {
      const bool chooses = n.op == Op::choose;
      if (chooses && node(kid(id, 0)).type != Type::directions) break;
      const auto steps = constant_steps(kid(id, 0), d);
      if (!steps || steps->count() > 8 || !injective(*steps) || (!chooses && gone.size() >= kMostSteps))
        break;
      Reg all = none_;
      steps->each([&](int s) {
        Draft e = d;
        Walkers v = w;
        std::vector<int> on = gone;
        if (chooses) {
          e.locals[n.a] = make_steps(StepSet::of(s));
        } else {
          const auto& to = board().steps[at(s)].to;
          v.set = stepped(v.set, s, false);
          v.start = moved(v.start, to);
          for (auto& c : v.changes) c.place = moved(c.place, to);
          on.push_back(s);
        }
        all = unite(all, first_round(parts, i + 1, v, e, on));
      });
      return all;
    }
    if (n.op == Op::at && can_ask(kid(id, 0), w)) {
      if (contains(kid(id, 0), Op::local)) break;
      w.set = meet(w.set, set(kid(id, 0), d));
      continue;
    }
    if (n.op == Op::lift || (n.op == Op::remove && node(kid(id, 0)).op == Op::here)) {
      change_in_bulk(id, w, -1);
      continue;
    }
    break;
  }
  Reg back = w.set;
  for (std::size_t k = gone.size(); k-- > 0;) back = stepped(back, gone[k], true);
  return back;
}

} // namespace boardwright::runtime::lowering
