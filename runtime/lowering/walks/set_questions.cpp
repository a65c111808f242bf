// What can be asked of all walkers at once (walks/set_at_a_time.cpp): conditions as sets of cells.
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/idioms/groups.hpp"
#include "runtime/lowering/idioms/legality.hpp"
#include "runtime/lowering/idioms/rows.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/walks/set_at_a_time.hpp"
#include "runtime/lowering/walks/walkers.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace boardwright::runtime::lowering {

namespace {

// Does a value go by where such contents are?
bool goes_by(const Context& cx, NodeId id, const Contents& touched) {
  return cx.facts.finds(id, [&](const Node& n) -> std::optional<bool> {
    switch (n.op) {
    case Op::owned: return (cx.facts.contents_of_owner(n) & touched).any();
    case Op::kind_cells: {
      const Node& kind = cx.node(cx.program.kid(n, 0));
      return kind.op != Op::kind || (cx.facts.contents_of_kind(kind.a) & touched).any();
    }
    case Op::local: return cx.set_at_a_time.names.count(n.a) != 0;
    default: return Terms::found((own_reads(n.op) & ~(kHere | kVariables | kGame)) != 0);
    }
  });
}

// Can what has changed on the way make a difference to it?
bool disturbed(const Context& cx, NodeId id, const Walkers& w) {
  Contents touched;
  for (std::size_t k = 0; k < w.changes.size(); ++k)
    if (!w.changes[k].names) touched |= w.known[k];
  if (!w.changed()) return false;
  touched.set(0);
  return goes_by(cx, id, touched);
}

// From which cells has a set that is found by walking from them a member among others?
std::optional<Reg> leads_to(Context& cx, NodeId id, Reg goals, AbstractDraft& d) {
  if (!is_on(Idiom::preimages)) return std::nullopt;
  const Node n = cx.node(id);
  switch (n.op) {
  case Op::here: return goals;
  case Op::local: {
    const auto named = cx.set_at_a_time.names.find(n.a);
    return named != cx.set_at_a_time.names.end() ? leads_to(cx, named->second, goals, d) : std::nullopt;
  }
  case Op::let_value: {
    if (reads_walker(cx, cx.kid(id, 0))) return std::nullopt;
    AbstractDraft inside = d;
    inside.locals[n.a] = value(cx, cx.kid(id, 0), inside);
    return leads_to(cx, cx.kid(id, 1), goals, inside);
  }
  case Op::meet:
    for (const std::uint32_t k : {0u, 1u})
      if (!reads_walker(cx, cx.kid(id, 1 - k)))
        return leads_to(cx, cx.kid(id, k), meet(cx, goals, set(cx, cx.kid(id, 1 - k), d)), d);
    return std::nullopt;
  case Op::minus:
    if (reads_walker(cx, cx.kid(id, 1))) return std::nullopt;
    return leads_to(cx, cx.kid(id, 0), minus(cx, goals, set(cx, cx.kid(id, 1), d)), d);
  case Op::unite: {
    const auto a = leads_to(cx, cx.kid(id, 0), goals, d), b = leads_to(cx, cx.kid(id, 1), goals, d);
    return a && b ? std::optional(unite(cx, *a, *b)) : std::nullopt;
  }
  case Op::reach: {
    if (cx.facts.contains(cx.kid(id, 1), Op::heading) || cx.facts.contains(cx.kid(id, 1), Op::start))
      return std::nullopt;
    const Path* walk = cx.facts.path(cx.kid(id, 1));
    AbstractDraft inside = d;
    const auto from = walk != nullptr ? preimage(cx, *walk, any_set(cx, goals), inside) : std::nullopt;
    return from ? leads_to(cx, cx.kid(id, 0), *from, d) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

constexpr int kMostNeighbours = 15; // four bits
using NumberBits =
    std::array<Reg, 4>; // of each cell a number: the cells that have each bit, the lowest first

// One more for each cell of a set.
void add_one(Context& cx, NumberBits& bits, Reg cells) {
  for (Reg& bit : bits) {
    const Reg both = meet(cx, bit, cells);
    bit = minus(cx, unite(cx, bit, cells), both);
    cells = both;
  }
}

// A set of cells around the walker: those that steps lead to, met with sets that are the same for all
// walkers.
struct Around {
  StepSet steps;
  Reg goals = 0;                                // where all of these sets are, before the move
  std::vector<std::pair<NodeId, bool>> asked{}; // the sets, and which of them the cell must be in
  bool as_it_was = false;                       // it has been named before the move
};

std::optional<Around> around_walker(Context& cx, NodeId id, const Walkers& w, AbstractDraft& d) {
  Around all{.steps = {}, .goals = cx.all_cells};
  const auto met = [&](NodeId set_of_all, bool in) {
    const Reg those = set(cx, set_of_all, d);
    all.goals = in ? meet(cx, all.goals, those) : minus(cx, all.goals, those);
    all.asked.emplace_back(set_of_all, in);
  };
  const auto named = cx.set_at_a_time.names.find(cx.node(id).op == Op::local ? cx.node(id).a : -1);
  all.as_it_was = named != cx.set_at_a_time.names.end();
  if (all.as_it_was) id = named->second;
  while (cx.node(id).op == Op::meet || cx.node(id).op == Op::minus) {
    const NodeId a = cx.kid(id, 0), b = cx.kid(id, 1);
    const bool is_meet = cx.node(id).op == Op::meet;
    if (reads_walker(cx, b) && (!is_meet || reads_walker(cx, a))) return std::nullopt;
    const bool second = !reads_walker(cx, b);
    met(second ? b : a, is_meet);
    id = second ? a : b;
  }
  AbstractDraft inside = d;
  while (cx.node(id).op == Op::let_value) {
    if (reads_walker(cx, cx.kid(id, 0))) return std::nullopt;
    inside.locals[cx.node(id).a] = value(cx, cx.kid(id, 0), inside);
    id = cx.kid(id, 1);
  }
  if (cx.node(id).op != Op::reach || !is_walker_cell(cx, cx.kid(id, 0)) ||
      cx.node(cx.kid(id, 1)).op != Op::go || cx.facts.contains(cx.kid(id, 1), Op::heading))
    return std::nullopt;
  const auto steps = cx.facts.constant_steps(cx.kid(cx.kid(id, 1), 0), inside);
  if (!steps) return std::nullopt;
  all.steps = *steps;
  const bool settled =
      all.as_it_was || std::all_of(all.asked.begin(), all.asked.end(), [&](const auto& asked) {
        return !disturbed(cx, asked.first, w) || cx.facts.goes_by_cell(asked.first);
      });
  if (!settled) return std::nullopt;
  return all;
}

// The cells on which such contents are in all of the sets; nothing where that isn't known of some cell.
std::optional<CellSet> cells_in(const Context& cx, const Around& around, const Contents& there) {
  CellSet all = cx.board().all;
  for (const auto& [asked, in] : around.asked) {
    const auto cells = cx.facts.cells_where(asked, there);
    if (!cells || cells->first != cells->second) return std::nullopt;
    all = in ? all & cells->first : all - cells->first;
  }
  return all;
}

// The walkers for whom a step leads to such a cell. What they have changed is known, and where it is, seen
// from them: where they began nothing lies any more, whatever the sets were before.
std::optional<Reg> neighbour_in(Context& cx, const Around& around, int step, const Walkers& w) {
  Reg who = stepped(cx, around.goals, step, true);
  if (around.as_it_was) return who;
  const auto& to = cx.board().steps[at(step)].to;
  for (const Walkers::Change& change : w.changes) {
    if (change.names) continue;
    CellSet there; // of these walkers the neighbour has changed
    for (std::size_t c = 0; c < change.place.size(); ++c)
      if (to[c] != kNowhere && change.place[c] == to[c]) there.set(static_cast<int>(c));
    if (there.none()) continue;
    const auto cells = cells_in(cx, around, change.after);
    if (!cells) return std::nullopt;
    CellSet now;
    there.each([&](int c) {
      if (cells->test(to[at(c)])) now.set(c);
    });
    who = unite(cx, minus(cx, who, cx.e.set_constant(there)), cx.e.set_constant(now));
  }
  return who;
}

// Those who are among `who(step)` for some step.
template <class Who>
std::optional<Reg> where_some_step(Context& cx, const StepSet& steps, const Who& who) {
  std::optional<Reg> all = cx.no_cells;
  steps.each([&](int s) {
    const std::optional<Reg> those = all ? who(s) : std::nullopt;
    all = those ? std::optional(unite(cx, *all, *those)) : std::nullopt;
  });
  return all;
}

// For how many steps each is among `who(step)`.
template <class Who>
std::optional<NumberBits> how_many_steps(Context& cx, const StepSet& steps, const Who& who) {
  if (steps.count() > kMostNeighbours) return std::nullopt;
  std::optional<NumberBits> bits = NumberBits{cx.no_cells, cx.no_cells, cx.no_cells, cx.no_cells};
  steps.each([&](int s) {
    const std::optional<Reg> those = bits ? who(s) : std::nullopt;
    if (those)
      add_one(cx, *bits, *those);
    else
      bits.reset();
  });
  return bits;
}

// The cells from which a step leads where no lower one of these steps does: on a track, which may go along
// with other directions, two of them may lead to one neighbour.
CellSet leads_first(const Context& cx, const StepSet& steps, int step) {
  const auto& to = cx.board().steps[at(step)].to;
  CellSet first = cx.board().all;
  steps.each([&](int lower) {
    for (std::size_t c = 0; lower < step && c < to.size(); ++c)
      if (to[c] != kNowhere && cx.board().steps[at(lower)].to[c] == to[c]) first.clear(static_cast<int>(c));
  });
  return first;
}

// Those of whom some neighbour is in such a set.
std::optional<Reg> some_neighbour_in(Context& cx, NodeId id, const Walkers& w, AbstractDraft& d) {
  const auto around = around_walker(cx, id, w, d);
  if (!around) return std::nullopt;
  return where_some_step(cx, around->steps, [&](int s) { return neighbour_in(cx, *around, s, w); });
}

// How many neighbours are in such a set.
std::optional<NumberBits> neighbours_in(Context& cx, NodeId id, const Walkers& w, AbstractDraft& d) {
  const auto around = around_walker(cx, id, w, d);
  if (!around) return std::nullopt;
  return how_many_steps(cx, around->steps, [&](int s) -> std::optional<Reg> {
    const auto who = neighbour_in(cx, *around, s, w);
    if (!who) return std::nullopt;
    const CellSet first = leads_first(cx, around->steps, s);
    return first == cx.board().all ? who : meet(cx, *who, cx.e.set_constant(first));
  });
}

// The cells where a direction is one of those that `chosen` goes through and has the property that it asks
// for.
std::optional<Reg> where_direction(Context& cx, NodeId chosen, int step, const Walkers& w, AbstractDraft& d) {
  AbstractDraft inside = d;
  inside.locals[cx.node(chosen).a] = make_steps(StepSet::of(step));
  const auto who = where_step(cx, cx.kid(chosen, 0), step, w, d);
  const auto holding = who ? where_holds(cx, cx.kid(chosen, 1), w, inside) : std::nullopt;
  return holding ? std::optional(meet(cx, *who, *holding)) : std::nullopt;
}

// How many directions have a property.
std::optional<NumberBits> directions_where(Context& cx, NodeId chosen, const Walkers& w, AbstractDraft& d) {
  return how_many_steps(cx, cx.facts.possible_steps(cx.kid(chosen, 0), d),
                        [&](int s) { return where_direction(cx, chosen, s, w, d); });
}

// Where such a number compares with a constant, the `counted` operand of a comparison with the other.
Reg where_number(Context& cx, const Node& n, std::uint32_t counted, std::int32_t number,
                 const NumberBits& bits) {
  if (n.op == Op::equal) {
    if (number < 0 || number > kMostNeighbours) return cx.no_cells;
    Reg all = cx.all_cells;
    for (std::size_t place = 0; place < bits.size(); ++place)
      all = (number >> place & 1) != 0 ? meet(cx, all, bits[place]) : minus(cx, all, bits[place]);
    return all;
  }
  // The cells with fewer than k neighbours, from the lowest bit on: a higher one settles it where it differs
  // from that of k.
  const auto fewer = [&](std::int64_t k) {
    if (k <= 0) return cx.no_cells;
    if (k > kMostNeighbours) return cx.all_cells;
    Reg all = cx.no_cells;
    for (std::size_t place = 0; place < bits.size(); ++place)
      all = (k >> place & 1) != 0 ? unite(cx, minus(cx, cx.all_cells, bits[place]), all)
                                  : minus(cx, all, bits[place]);
    return all;
  };
  const std::int64_t least = std::int64_t{number} + ((n.op == Op::less) == (counted == 0) ? 0 : 1);
  return counted == 0 ? fewer(least) : minus(cx, cx.all_cells, fewer(least));
}

// Comparisons of how many neighbours are in a set with a number: added up for all cells at once, bit by bit.
std::optional<Reg> where_count(Context& cx, const Node& n, const Walkers& w, AbstractDraft& d) {
  if (!is_on(Idiom::counts_set_at_a_time)) return std::nullopt;
  std::uint32_t counted = 2;
  for (const std::uint32_t k : {0u, 1u})
    if (cx.node(cx.program.kid(n, k)).op == Op::count && cx.node(cx.program.kid(n, 1 - k)).op == Op::number)
      counted = k;
  if (counted == 2) return std::nullopt;
  const std::int32_t number = cx.node(cx.program.kid(n, 1 - counted)).a;
  const NodeId members = cx.program.kid(cx.node(cx.program.kid(n, counted)), 0);
  const bool ways = cx.node(members).op == Op::select && cx.node(members).type == Type::directions;
  if (ways && disturbed(cx, members, w)) return std::nullopt;
  const auto bits = ways ? directions_where(cx, members, w, d) : neighbours_in(cx, members, w, d);
  return bits ? std::optional(where_number(cx, n, counted, number, *bits)) : std::nullopt;
}

} // namespace

bool untouched(const Walkers& w) {
  for (const auto& c : w.changes)
    if (!c.names)
      for (std::size_t k = 0; k < c.place.size(); ++k)
        if (c.place[k] == static_cast<std::int16_t>(k)) return false;
  return true;
}

bool can_ask(const Context& cx, NodeId tested, const Walkers& w) {
  if (reads_walker(cx, tested)) return false;
  return !disturbed(cx, tested, w) || (cx.facts.goes_by_cell(tested) && untouched(w));
}

bool is_walker_cell(const Context& cx, NodeId id) {
  if (cx.node(id).op != Op::local) return cx.node(id).op == Op::here;
  const auto named = cx.set_at_a_time.names.find(cx.node(id).a);
  return named != cx.set_at_a_time.names.end() && is_walker_cell(cx, named->second);
}

bool names_at_hand(const Context& cx, NodeId id, const Walkers& w) {
  for (const auto& c : w.changes) {
    if (!c.names || !cx.facts.contains_local(id, c.slot)) continue;
    for (std::size_t k = 0; k < c.place.size(); ++k)
      if (c.place[k] != static_cast<std::int16_t>(k) && c.place[k] != kNowhere) return false;
  }
  return true;
}

namespace {

// Where some direction of a value has a property: each direction by itself.
std::optional<Reg> where_some_direction(Context& cx, NodeId id, const Walkers& w, AbstractDraft& d) {
  constexpr int kMostSteps = 24;
  const StepSet possible = cx.facts.possible_steps(cx.kid(id, 0), d);
  if (possible.count() > kMostSteps) return std::nullopt;
  return where_some_step(cx, possible, [&](int s) { return where_direction(cx, id, s, w, d); });
}

// Is a set at most one cell for each walker: his own, or the one that a step leads to?
bool is_one_cell(Context& cx, NodeId id, AbstractDraft& d) {
  if (is_walker_cell(cx, id)) return true;
  if (cx.node(id).op != Op::reach || !is_walker_cell(cx, cx.kid(id, 0))) return false;
  const NodeId walk = cx.kid(id, 1);
  if (cx.node(walk).op != Op::go || cx.facts.contains(walk, Op::heading)) return false;
  const auto steps = cx.facts.constant_steps(cx.kid(walk, 0), d);
  return steps && steps->count() <= 1;
}

// The cells of whose walkers `body` holds, which is the one for the kind of the piece on a cell that the
// walker sees, or the last one where none is there. Bodies that hold of everybody are asked together.
template <class Body>
std::optional<Reg> where_by_kind(Context& cx, NodeId id, const Walkers& w, AbstractDraft& d,
                                 const Body& body) {
  const NodeId seen = cx.kid(id, 0);
  if (!is_on(Idiom::preimages) || !is_one_cell(cx, seen, d) || w.changed()) return std::nullopt;
  Reg all = cx.no_cells, always = cx.no_cells;
  const std::uint32_t last = cx.node(id).count - 1;
  for (std::uint32_t k = 1; k < last; ++k) {
    const auto holding = body(cx.kid(id, k));
    if (!holding) return std::nullopt;
    const Reg there = kind_cells(cx, static_cast<int>(k) - 1);
    if (*holding == cx.all_cells) always = unite(cx, always, there);
    if (*holding == cx.all_cells || *holding == cx.no_cells) continue;
    const auto from = leads_to(cx, seen, there, d);
    if (!from) return std::nullopt;
    all = unite(cx, all, meet(cx, *from, *holding));
  }
  const auto from = leads_to(cx, seen, always, d), from_piece = leads_to(cx, seen, occupied(cx), d);
  const auto otherwise = body(cx.kid(id, last));
  if (!from || !from_piece || !otherwise) return std::nullopt;
  return unite(cx, unite(cx, all, *from), minus(cx, *otherwise, *from_piece));
}

// How many cells are in line with each, compared with a number.
std::optional<Reg> where_row_is(Context& cx, NodeId id, const Walkers& w, const AbstractDraft& d) {
  if (w.changed()) return std::nullopt;
  Emitter::Attempt attempt(cx.e);
  AbstractDraft inside = d;
  inside.here = make_cell(cx.e.number_constant(-1), cx.facts.all_contents()); // which one doesn't matter
  for (const auto& [slot, means] : cx.set_at_a_time.names)
    if (is_walker_cell(cx, means)) inside.locals[slot] = inside.here;
  if (const auto row = where_row(cx, id, w.set, inside)) return row;
  attempt.give_up();
  return std::nullopt;
}

// From which cells does a walk lead to one cell, which is the same for all? No cell is in every set.
std::optional<Reg> where_reaches(Context& cx, NodeId cell, NodeId walk, AbstractDraft& d) {
  const AbstractValue one = value(cx, cell, d);
  if (!one.is(AbstractValue::Kind::cell)) return std::nullopt;
  const auto from = leads_to(cx, walk, set_of(cx, one), d);
  if (!from) return std::nullopt;
  const Reg all = cx.e.new_set();
  const Label past = cx.e.label();
  cx.e.emit(Ir::set_copy, all, cx.all_cells);
  cx.e.emit(Ir::if_less, 0, one.reg, cx.e.number_constant(0), 0, past);
  cx.e.emit(Ir::set_copy, all, *from);
  cx.e.place(past);
  return all;
}

// All cells if a condition holds, which is the same for all; else none.
Reg where_any_holds(Context& cx, NodeId id, AbstractDraft& d) {
  const Reg all = cx.e.new_set();
  const Label past = cx.e.label();
  cx.e.emit(Ir::set_copy, all, cx.no_cells);
  {
    const Emitter::Scope scope(cx.e);
    jump(cx, id, false, past, d);
  }
  cx.e.emit(Ir::set_copy, all, cx.all_cells);
  cx.e.place(past);
  return all;
}

} // namespace

std::optional<Reg> where_holds(Context& cx, NodeId id, const Walkers& w, AbstractDraft& d) {
  const Node n = cx.node(id);
  if (!names_at_hand(cx, id, w)) return std::nullopt;
  if (const auto always = constant_truth(cx, id, d)) return *always ? cx.all_cells : cx.no_cells;
  const auto operand = [&](std::uint32_t i) { return where_holds(cx, cx.kid(id, i), w, d); };
  switch (n.op) {
  case Op::negation: {
    const auto a = operand(0);
    return a ? std::optional(minus(cx, cx.all_cells, *a)) : std::nullopt;
  }
  case Op::all_of:
  case Op::any_of: {
    Reg all = n.op == Op::all_of ? cx.all_cells : cx.no_cells;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const auto part = operand(i);
      if (!part) return std::nullopt;
      all = n.op == Op::all_of ? meet(cx, all, *part) : unite(cx, all, *part);
    }
    return all;
  }
  case Op::within:
    if (cx.node(cx.kid(id, 0)).type == Type::directions) {
      const auto a = cx.facts.constant_steps(cx.kid(id, 0), d), b = cx.facts.constant_steps(cx.kid(id, 1), d);
      if (a && b) return a->within(*b) ? cx.all_cells : cx.no_cells;
      if (!a) return std::nullopt;
      std::optional<Reg> all = cx.all_cells;
      a->each([&](int s) {
        const auto who = all ? where_step(cx, cx.kid(id, 1), s, w, d) : std::nullopt;
        all = who ? std::optional(meet(cx, *all, *who)) : std::nullopt;
      });
      return all;
    }
    if (is_walker_cell(cx, cx.kid(id, 0))) {
      if (!can_ask(cx, cx.kid(id, 1), w)) return std::nullopt;
      return set(cx, cx.kid(id, 1), d);
    }
    // A set is within another if it has nothing outside of that.
    if (!disturbed(cx, id, w) && !reads_walker(cx, cx.kid(id, 1)) && reads_walker(cx, cx.kid(id, 0))) {
      const auto outside = leads_to(cx, cx.kid(id, 0), minus(cx, cx.all_cells, set(cx, cx.kid(id, 1), d)), d);
      return outside ? std::optional(minus(cx, cx.all_cells, *outside)) : std::nullopt;
    }
    if (!disturbed(cx, id, w) && !reads_walker(cx, cx.kid(id, 0)) && reads_walker(cx, cx.kid(id, 1)))
      return where_reaches(cx, cx.kid(id, 0), cx.kid(id, 1), d);
    break;
  case Op::some: {
    if (!reads_walker(cx, id) || cx.node(cx.kid(id, 0)).type != Type::cells) break;
    const bool named = cx.node(cx.kid(id, 0)).op == Op::local; // of the state as it was
    if (named || !disturbed(cx, id, w)) return leads_to(cx, cx.kid(id, 0), cx.all_cells, d);
    return some_neighbour_in(cx, cx.kid(id, 0), w, d);
  }
  case Op::some_where:
    if (!reads_walker(cx, id) || cx.node(cx.kid(id, 0)).type != Type::directions) break;
    return where_some_direction(cx, id, w, d);
  case Op::if_value: {
    if (!reads_walker(cx, id)) break;
    const auto holds = operand(0), a = operand(1), b = operand(2);
    if (!holds || !a || !b) return std::nullopt;
    const Reg where_it_holds = meet(cx, *a, *holds);
    return unite(cx, where_it_holds, minus(cx, *b, *holds));
  }
  case Op::by_kind:
    if (!reads_walker(cx, id)) break;
    return where_by_kind(cx, id, w, d, [&](NodeId body) { return where_holds(cx, body, w, d); });
  case Op::can: return w.changed() ? std::nullopt : where_can(cx, cx.kid(id, 0), w, d);
  case Op::equal:
  case Op::less:
  case Op::at_most:
    if (!reads_walker(cx, id)) break;
    if (cx.node(cx.kid(id, 0)).type == Type::truth) {
      const auto a = operand(0), b = operand(1);
      if (!a || !b) return std::nullopt;
      return unite(cx, meet(cx, *a, *b), minus(cx, cx.all_cells, unite(cx, *a, *b)));
    }
    if (const auto row = where_row_is(cx, id, w, d)) return row;
    for (const std::uint32_t k : {0u, 1u})
      if (cx.node(cx.kid(id, k)).op == Op::count) return where_count(cx, n, w, d);
    return std::nullopt;
  default: break;
  }
  if (reads_walker(cx, id) || disturbed(cx, id, w)) return std::nullopt;
  return where_any_holds(cx, id, d);
}

std::optional<Reg> where_step(Context& cx, NodeId id, int step, const Walkers& w, AbstractDraft& d) {
  if (const auto known = cx.facts.constant_steps(id, d))
    return known->test(step) ? cx.all_cells : cx.no_cells;
  const Node n = cx.node(id);
  const auto operand = [&](std::uint32_t i) { return where_step(cx, cx.kid(id, i), step, w, d); };
  switch (n.op) {
  case Op::if_value: {
    const auto holds = where_holds(cx, cx.kid(id, 0), w, d);
    if (!holds) return std::nullopt;
    const auto a = operand(1), b = operand(2);
    if (!a || !b) return std::nullopt;
    const Reg where_it_holds = meet(cx, *a, *holds);
    return unite(cx, where_it_holds, minus(cx, *b, *holds));
  }
  case Op::by_kind:
    return where_by_kind(cx, id, w, d, [&](NodeId body) { return where_step(cx, body, step, w, d); });
  case Op::unite:
  case Op::meet:
  case Op::minus: {
    const auto a = operand(0), b = operand(1);
    if (!a || !b) return std::nullopt;
    return n.op == Op::unite ? unite(cx, *a, *b) : n.op == Op::meet ? meet(cx, *a, *b) : minus(cx, *a, *b);
  }
  default: return std::nullopt;
  }
}

} // namespace boardwright::runtime::lowering
