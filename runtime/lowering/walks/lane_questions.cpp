// What can be asked of all walkers at once (walks/lanes.cpp): conditions as sets of cells, walks taken
// backwards, and who can't go on anyway.
#include "runtime/lowering/walks/walkers.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace boardwright::runtime::lowering {

// The cell where they are hasn't changed.
bool Lowering::untouched(const Walkers& w) const {
  for (const auto& c : w.changes)
    if (!c.names)
      for (std::size_t k = 0; k < c.place.size(); ++k)
        if (c.place[k] == static_cast<std::int16_t>(k)) return false;
  return true;
}

// Is the walker's cell in a set? Where pieces have changed the set must go by what lies there.
bool Lowering::can_ask(NodeId tested, const Walkers& w) const {
  if (reads_walker(tested)) return false;
  return !disturbed(tested, w) || (goes_by_cell(tested) && untouched(w));
}

// Can what has changed on the way make a difference to it?
bool Lowering::disturbed(NodeId id, const Walkers& w) const {
  Contents touched;
  for (std::size_t k = 0; k < w.changes.size(); ++k)
    if (!w.changes[k].names) touched |= w.known[k];
  if (!w.changed()) return false;
  touched.set(0);
  return goes_by(id, touched);
}

// Likewise, but for what has changed on the cell where the walker is now.
bool Lowering::disturbed_elsewhere(NodeId id, const Walkers& w) const {
  Contents touched, all;
  for (std::size_t k = 0; k < w.changes.size(); ++k)
    if (!w.changes[k].names) all |= w.known[k];
  for (std::size_t k = 0; k < w.changes.size(); ++k) {
    const Walkers::Change& c = w.changes[k];
    bool at_walker = !c.names;
    for (std::size_t cell = 0; cell < c.place.size(); ++cell)
      at_walker =
          at_walker && (c.place[cell] == kNowhere || c.place[cell] == static_cast<std::int16_t>(cell));
    if (c.names || at_walker) continue;
    touched |= node(c.action).op == Op::put ? all : w.known[k]; // what is laid down was lifted
    touched.set(0);
  }
  return touched.any() && goes_by(id, touched);
}

// Is a set that is found by walking from the walker's cell the same whatever lies on that cell?
bool Lowering::looks_elsewhere(NodeId found, const Draft& d) const {
  const Node& n = node(found);
  switch (n.op) {
  case Op::reach: return is_walker_cell(kid(found, 0)) && walk_looks_elsewhere(kid(found, 1), d);
  case Op::meet:
    for (const std::uint32_t k : {0u, 1u})
      if (goes_by_cell(kid(found, 1 - k))) return looks_elsewhere(kid(found, k), d);
    return false;
  case Op::minus:
    return (goes_by_cell(kid(found, 1)) || is_walker_cell(kid(found, 1))) &&
           looks_elsewhere(kid(found, 0), d);
  case Op::unite: return looks_elsewhere(kid(found, 0), d) && looks_elsewhere(kid(found, 1), d);
  default: return false;
  }
}

// Does a walk neither test the cell where it begins nor end there, wherever that is?
bool Lowering::walk_looks_elsewhere(NodeId walk, const Draft& d) const {
  if (!is_walk(walk)) return false;
  const std::function<bool(NodeId)> plain = [&](NodeId id) {
    const Node& n = node(id);
    if (n.op == Op::at) return goes_by_cell(program_.kid(n, 0));
    if (n.op == Op::go || n.op == Op::choose) return (reads(program_.kid(n, 0)) & kBoard) == 0;
    const auto kids = program_.kids_of(n);
    return !is_action(n.op) || std::all_of(kids.begin(), kids.end(), plain);
  };
  if (!plain(walk)) return false;
  bool good = true;
  board().all.each([&](int cell) {
    CellSet begin, looked;
    begin.set(cell);
    Draft inside = d;
    if (good) looked |= possible_ends(walk, begin, inside, &looked);
    good = good && !looked.test(cell);
  });
  return good;
}

// Does nothing that has changed make a difference to a question about a set that is found by walking?
bool Lowering::spared(NodeId id, NodeId found, const Walkers& w, const Draft& d) const {
  return !disturbed(id, w) || (!disturbed_elsewhere(id, w) && looks_elsewhere(found, d));
}

// Does a value go by where such contents are?
bool Lowering::goes_by(NodeId id, const Contents& touched) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  switch (n.op) {
  case Op::owned: return (contents_of_owner(n) & touched).any();
  case Op::kind_cells: {
    const Node& kind = node(program_.kid(n, 0));
    return kind.op != Op::kind || (contents_of_kind(kind.a) & touched).any();
  }
  case Op::local: return walker_names_.count(n.a) != 0;
  default: break;
  }
  if ((own_reads(n.op) & ~(kHere | kVariables | kGame)) != 0) return true;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (goes_by(program_.kid(n, i), touched)) return true;
  return false;
}

// Is it the cell where the walker is?
bool Lowering::is_walker_cell(NodeId id) const {
  if (node(id).op != Op::local) return node(id).op == Op::here;
  const auto named = walker_names_.find(node(id).a);
  return named != walker_names_.end() && is_walker_cell(named->second);
}

// Do names of what goes by where the walker is mean what they would mean of its cell now? They do as long as
// it hasn't moved on.
bool Lowering::names_at_hand(NodeId id, const Walkers& w) const {
  for (const auto& c : w.changes) {
    if (!c.names || !contains_local(id, c.slot)) continue;
    for (std::size_t k = 0; k < c.place.size(); ++k)
      if (c.place[k] != static_cast<std::int16_t>(k) && c.place[k] != kNowhere) return false;
  }
  return true;
}

// The cells for whose walkers a condition holds.
std::optional<Reg> Lowering::where_holds(NodeId id, const Walkers& w, Draft& d) {
  const Node n = node(id);
  if (!names_at_hand(id, w)) return std::nullopt;
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
    if (is_walker_cell(kid(id, 0))) {
      if (!can_ask(kid(id, 1), w)) return std::nullopt;
      return set(kid(id, 1), d);
    }
    // It has nothing outside.
    if (spared(id, kid(id, 0), w, d) && (!disturbed(id, w) || goes_by_cell(kid(id, 1))) &&
        !reads_walker(kid(id, 1)) && reads_walker(kid(id, 0))) {
      const auto outside = leads_to(kid(id, 0), minus(board_, set(kid(id, 1), d)), d);
      return outside ? std::optional(minus(board_, *outside)) : std::nullopt;
    }
    break;
  case Op::some: {
    if (!reads_walker(id) || node(kid(id, 0)).type != Type::cells) break;
    const bool named = node(kid(id, 0)).op == Op::local; // of the state as it was
    if (named || spared(id, kid(id, 0), w, d)) return leads_to(kid(id, 0), board_, d);
    return std::nullopt;
  }
  case Op::some_where: { // each direction by itself
    if (!reads_walker(id) || node(kid(id, 0)).type != Type::directions) break;
    constexpr int kMostSteps = 24;
    const StepSet possible = possible_steps(kid(id, 0), d);
    if (possible.count() > kMostSteps) return std::nullopt;
    std::optional<Reg> all = none_;
    possible.each([&](int s) {
      Draft inside = d;
      inside.locals[n.a] = make_steps(StepSet::of(s));
      const auto who = all ? where_step(kid(id, 0), s, w, d) : std::nullopt;
      const auto holding = who ? where_holds(kid(id, 1), w, inside) : std::nullopt;
      all = holding ? std::optional(unite(*all, meet(*who, *holding))) : std::nullopt;
    });
    return all;
  }
  case Op::if_value: {
    if (!reads_walker(id)) break;
    const auto holds = operand(0), a = operand(1), b = operand(2);
    if (!holds || !a || !b) return std::nullopt;
    const Reg where_it_holds = meet(*a, *holds);
    return unite(where_it_holds, minus(*b, *holds));
  }
  case Op::can: return w.changed() ? std::nullopt : where_can(kid(id, 0), w, d);
  case Op::equal:
  case Op::less:
  case Op::at_most:
    if (!reads_walker(id)) break;
    for (const std::uint32_t k : {0u, 1u})
      if (node(kid(id, k)).op == Op::count && spared(id, kid(kid(id, k), 0), w, d)) return where_count(n, d);
    return std::nullopt;
  default: break;
  }
  const bool reads_names = std::any_of(walker_names_.begin(), walker_names_.end(),
                                       [&](const auto& name) { return contains_local(id, name.first); });
  if (!w.changed() && !reads_names) {
    Emitter::Attempt attempt(e_);
    Draft inside = d;
    inside.here = make_cell(e_.number_constant(-1), all_contents()); // which one doesn't matter
    if (const auto rows = where_rows(id, -1, none_, inside)) return rows;
    attempt.give_up();
  }
  if (reads_walker(id) || disturbed(id, w)) return std::nullopt;
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
  if (!is_on(Form::leads_to)) return std::nullopt;
  const Node n = node(id);
  switch (n.op) {
  case Op::here: return goals;
  case Op::local: {
    const auto named = walker_names_.find(n.a);
    return named != walker_names_.end() ? leads_to(named->second, goals, d) : std::nullopt;
  }
  case Op::let_value: {
    if (reads_walker(kid(id, 0))) return std::nullopt;
    Draft inside = d;
    inside.locals[n.a] = value(kid(id, 0), inside);
    return leads_to(kid(id, 1), goals, inside);
  }
  case Op::meet:
    for (const std::uint32_t k : {0u, 1u})
      if (!reads_walker(kid(id, 1 - k))) return leads_to(kid(id, k), meet(goals, set(kid(id, 1 - k), d)), d);
    return std::nullopt;
  case Op::minus:
    if (is_walker_cell(kid(id, 1)) && looks_elsewhere(kid(id, 0), d)) return leads_to(kid(id, 0), goals, d);
    if (reads_walker(kid(id, 1))) {
      // The walker's own group isn't among goals on which other pieces lie, or none.
      if (!apart(goals, group_within(kid(id, 1), d))) return std::nullopt;
      return leads_to(kid(id, 0), goals, d);
    }
    return leads_to(kid(id, 0), minus(goals, set(kid(id, 1), d)), d);
  case Op::unite: {
    const auto a = leads_to(kid(id, 0), goals, d), b = leads_to(kid(id, 1), goals, d);
    return a && b ? std::optional(unite(*a, *b)) : std::nullopt;
  }
  case Op::reach: {
    if (contains(kid(id, 1), Op::heading) || contains(kid(id, 1), Op::start)) return std::nullopt;
    Steps walk;
    flatten(kid(id, 1), walk);
    Draft inside = d;
    const auto from = walked_back(walk, walk.size(), goals, inside);
    return from ? leads_to(kid(id, 0), *from, d) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

// From where does a walk of the first n parts end in a set?
std::optional<Reg> Lowering::walked_back(const Steps& walk, std::size_t n, Reg ends, Draft& d) {
  if (!is_on(Form::leads_to)) return std::nullopt;
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
      if (node(kid(id, 0)).op != Op::cells) look(now);
      now = meet(now, set(kid(id, 0), d));
      break;
    case Op::require: { // asked of the cell where the walk has come to
      const auto is_named = [&](const auto& name) { return contains_local(id, name.first); };
      if (std::any_of(walker_names_.begin(), walker_names_.end(), is_named)) return std::nullopt;
      const auto holding = where_holds(kid(id, 0), Walkers(), d);
      if (!holding) return std::nullopt;
      now = meet(now, *holding);
      break;
    }
    case Op::go: {
      const auto steps = constant_steps(kid(id, 0), d);
      if (steps) {
        now = stepped(now, *steps, true);
        break;
      }
      const auto by_cell = steps_by_cell(kid(id, 0), d);
      if (!by_cell) return std::nullopt;
      Reg all = none_;
      for (const auto& [step, cells] : *by_cell) {
        const Reg reached = stepped(now, step, true);
        all = unite(all, meet(reached, e_.set_constant(cells)));
      }
      now = all;
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
      for (const NodeId tested : body->tests)
        if (reads_walker(tested)) return std::nullopt;
      const Reg over = through(*body, d);
      if (now == board_ && low.a <= 0) break; // from anywhere, without a round
      if (now == board_) {
        now = stepped(over, body->steps, true); // one round will do
        break;
      }
      if (body->steps.count() != 1) {
        // In all directions at once: backwards as forwards.
        if (!goes_both_ways(body->steps)) return std::nullopt;
        const bool keeps = e_.known_set(now) != nullptr && e_.known_set(over) == nullptr;
        const Reg all = keeps ? grown(now, body->steps, over) : flooded(meet(now, over), body->steps, over);
        const Reg first = stepped(all, body->steps, true);
        now = low.a <= 0 ? unite(now, first) : first;
        break;
      }
      const int back = compass_.opposite[at(body->steps.first())];
      if (back < 0) return std::nullopt;
      const Reg last = meet(now, over);
      const Reg first = stepped(unite(last, ran(last, back, over)), body->steps, true);
      look(unite(now, first));
      now = low.a <= 0 ? unite(now, first) : first;
      break;
    }
    default: return std::nullopt;
    }
  }
  look(now);
  return now;
}

// Comparisons of how many neighbours are in a set with a number: added up for all cells at once, bit by bit.
std::optional<Reg> Lowering::where_count(const Node& n, Draft& d) {
  if (!is_on(Form::where_count)) return std::nullopt;
  std::uint32_t counted = 2;
  for (const std::uint32_t k : {0u, 1u})
    if (node(program_.kid(n, k)).op == Op::count && node(program_.kid(n, 1 - k)).op == Op::number)
      counted = k;
  if (counted == 2) return std::nullopt;
  const std::int32_t number = node(program_.kid(n, 1 - counted)).a;
  // The members of a set around the cell: reach(here, go D), perhaps met with something.
  NodeId around = program_.kid(node(program_.kid(n, counted)), 0);
  Reg goals = board_;
  const auto named = walker_names_.find(node(around).op == Op::local ? node(around).a : -1);
  if (named != walker_names_.end()) around = named->second;
  while (node(around).op == Op::meet || node(around).op == Op::minus) {
    const NodeId a = kid(around, 0), b = kid(around, 1);
    if (node(around).op == Op::minus) {
      if (!is_walker_cell(b) || !looks_elsewhere(a, d)) {
        if (reads_walker(b)) return std::nullopt;
        goals = minus(goals, set(b, d));
      }
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
  if (node(around).op != Op::reach || !is_walker_cell(kid(around, 0)) || node(kid(around, 1)).op != Op::go ||
      contains(kid(around, 1), Op::heading))
    return std::nullopt;
  const auto steps = constant_steps(kid(kid(around, 1), 0), inside);
  constexpr int kMostNeighbours = 15; // four bits
  if (!steps || steps->count() > kMostNeighbours) return std::nullopt;
  Reg ones = none_, twos = none_, fours = none_, eights = none_;
  steps->each([&](int s) {
    Reg carry = stepped(goals, s, true);
    for (Reg* bit : {&ones, &twos, &fours, &eights}) {
      const Reg both = meet(*bit, carry);
      *bit = minus(unite(*bit, carry), both);
      carry = both;
    }
  });
  const std::array bits{ones, twos, fours, eights};
  if (n.op == Op::equal) {
    if (number < 0 || number > kMostNeighbours) return none_;
    Reg all = board_;
    for (std::size_t place = 0; place < bits.size(); ++place)
      all = (number >> place & 1) != 0 ? meet(all, bits[place]) : minus(all, bits[place]);
    return all;
  }
  // Those with fewer than k, from the lowest bit on: a higher one settles it where it differs from that of k.
  const auto fewer = [&](std::int64_t k) {
    if (k <= 0) return none_;
    if (k > kMostNeighbours) return board_;
    Reg all = none_;
    for (std::size_t place = 0; place < bits.size(); ++place)
      all = (k >> place & 1) != 0 ? unite(minus(board_, bits[place]), all) : minus(all, bits[place]);
    return all;
  };
  const std::int64_t least = std::int64_t{number} + ((n.op == Op::less) == (counted == 0) ? 0 : 1);
  return counted == 0 ? fewer(least) : minus(board_, fewer(least));
}

} // namespace boardwright::runtime::lowering
