// Moves of all walkers at once: as long as what is done is the same for every walker, and what is asked can
// be said of all cells together, they are one set of cells.
//
// # What it may rest on
// A test is asked of the position before the move. That is right as long as the cells in question haven't
// changed on the way, which is known, because every cell is known by its place table: from the walker's cell
// to it. Where something doesn't fit, the walkers are taken one by one from there (`one_by_one`).
#include "runtime/lowering/walks/set_at_a_time.hpp"
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/walks/walkers.hpp"
#include "runtime/model/drops.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <tuple>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

bool reads_walker(const Context& cx, NodeId id) {
  if (cx.facts.reads_walker(id)) return true;
  for (const auto& [slot, means] : cx.set_at_a_time.names)
    if (cx.facts.contains_local(id, slot)) return true;
  return false;
}

// ---------------------------------------------------------------- begin and end

namespace {

using Onwards = std::function<bool(Walkers, AbstractDraft)>;
bool each_way(Context& cx, std::span<const Path> row, Walkers w, AbstractDraft d, const Onwards& then);
bool one_round(Context& cx, const Path& round, Walkers& w, AbstractDraft& d);

// The end of a question that takes all walkers together, if that is what comes after.
const Continuation* asks_set_at_a_time(const Todo* todo) {
  for (; todo != nullptr; todo = todo->next) {
    if (todo->then == nullptr) continue;
    if (!todo->then->set_at_a_time) return nullptr;
    if (todo->then->is_end) return todo->then;
    return asks_set_at_a_time(todo->then->after);
  }
  return nullptr;
}

// All of them have made a move.
void end_set_at_a_time(Context& cx, const Walkers& w, AbstractDraft d) {
  for (const std::size_t k : w.chosen) d.choices[k].place = place_table(cx, w.start);
  for (std::size_t k = 0; k < w.ends.size(); ++k) d.choices[w.ends[k]].place = place_table(cx, w.end[k]);
  const AbstractValue set = make_set(w.set, w.contents);
  leaf(cx, &set, d);
}

// Likewise where something stands between that only notes that somebody has come by (note_any_set_at_a_time):
// what comes before it is deferred to the move that is played as well, if all that comes behind it is.
bool is_left_open_past_notes(Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (todo == nullptr || todo->then != nullptr) return false;
  Carried::Kind carried = d.carried.kind;
  bool has_cell = true;
  for (const Todo* part = todo; part != nullptr;) {
    if (part->then != nullptr) {
      if (!part->then->set_at_a_time || part->then->is_end) return false;
      part = part->then->after;
      continue;
    }
    if (cx.speculation.never_deferred.count(part->action) != 0 ||
        !certain(cx, part->action, d, carried, has_cell))
      return false;
    part = part->next;
  }
  if (carried != Carried::Kind::nothing) return false;
  cx.taken.deferred.insert(todo->action);
  return true;
}

Reg who_could_go_on(Context& cx, const Todo* todo, const Walkers& w, const AbstractDraft& d) {
  if (todo == nullptr || todo->then != nullptr) return cx.all_cells;
  const auto stay = everywhere(cx);
  const bool unmoved = w.start == stay && std::all_of(w.changes.begin(), w.changes.end(),
                                                      [&](const auto& c) { return c.place == stay; });
  return unmoved ? could_begin(cx, todo, d, !w.changes.empty()) : cx.all_cells;
}

void take_one_by_one(Context& cx, const Todo* todo, Walkers w, AbstractDraft d) {
  const auto names = std::exchange(cx.set_at_a_time.names, {}); // each has its own
  const Reg left = cx.e.new_set(), cell = cx.e.new_number(), mark = cx.e.new_number(2);
  const Label loop = cx.e.label(), past = cx.e.label();
  cx.e.emit(Ir::set_copy, left, w.set);
  const std::size_t marked = cx.e.emit(Ir::mark, mark);
  const std::size_t begin = cx.e.here();
  cx.e.place(loop);
  cx.e.emit(Ir::take, cell, left, 0, 0, past);
  {
    const Emitter::Scope inside(cx.e);
    std::map<std::vector<std::int16_t>, Reg> cells;
    const auto cell_at = [&](const std::vector<std::int16_t>& place) {
      bool same = true;
      for (std::size_t c = 0; c < place.size(); ++c)
        same = same && (place[c] == static_cast<std::int16_t>(c) || place[c] == kNowhere);
      if (same) return cell;
      const auto known = cells.find(place);
      if (known != cells.end()) return known->second;
      const Reg r = cx.e.new_number();
      cx.e.emit(Ir::place, r, cell, 0, 0, place_table(cx, place));
      cells[place] = r;
      return r;
    };
    const AbstractValue here = make_cell(cell, w.contents);
    const Reg start = cell_at(w.start);
    for (const std::size_t k : w.chosen) d.choices[k] = {ir::Choice::From::number, start, -1};
    for (std::size_t k = 0; k < w.ends.size(); ++k)
      d.choices[w.ends[k]] = {ir::Choice::From::number, cell_at(w.end[k]), -1};
    if (w.starts) d.start = make_cell(start, cx.facts.all_contents());
    // What has been done is done again, where each of them did it.
    std::function<void(std::size_t, AbstractDraft)> again = [&](std::size_t k, AbstractDraft e) {
      if (k == w.changes.size()) {
        e.here = here;
        e.there[cell] = w.contents;
        for (const auto& c : w.changes)
          if (!c.names && cell_at(c.place) == cell) e.there.erase(cell);
        e.heading = w.has_heading ? make_steps(StepSet::of(w.heading)) : AbstractValue();
        return act(cx, todo, std::move(e));
      }
      const Reg where = cell_at(w.changes[k].place);
      e.here = make_cell(where, cx.facts.all_contents());
      if (k < w.known.size()) e.there[where] = w.known[k];
      Continuation then;
      then.go = [&, k](AbstractDraft f) { again(k + 1, std::move(f)); };
      act_then(cx, w.changes[k].action, std::move(e), then);
    };
    d.carried = {};
    again(0, std::move(d));
  }
  cx.e.undo_since(begin, mark, marked);
  cx.e.go(loop);
  cx.e.place(past);
  cx.set_at_a_time.names = names;
}

} // namespace

bool begin_set_at_a_time(Context& cx, const Todo* todo, const AbstractValue& from, const AbstractDraft& d) {
  if (!is_on(Idiom::set_at_a_time)) return false;
  if (cx.text || cx.within.each > 0 || cx.within.reach > 0 || cx.mode != Mode::search) return false;
  if (d.recorded ? d.compared || cx.comparison.once : d.decided || asks_set_at_a_time(todo->next) == nullptr)
    return false;
  if (d.carried.kind != Carried::Kind::nothing || d.here.is(Kind::cell) || !from.is(Kind::set)) return false;
  Walkers w;
  w.set = from.reg;
  w.contents = from.contents;
  w.starts = cx.node(todo->action).op == Op::from;
  w.start = everywhere(cx);
  AbstractDraft e = d;
  e.heading = {};
  if (d.recorded) {
    w.chosen.push_back(e.choices.size());
    e.choices.push_back({ir::Choice::From::open, 0, -1});
  }
  const Emitter::Scope scope(cx.e);
  const auto names = std::exchange(cx.set_at_a_time.names, {});
  act_set_at_a_time(cx, todo->next, std::move(w), std::move(e));
  cx.set_at_a_time.names = names;
  return true;
}

void ask_set_at_a_time(Context& cx, const void* walkers, Reg stack, Label found,
                       std::vector<std::size_t>& cuts) {
  const Walkers& w = *static_cast<const Walkers*>(walkers);
  const Label none = cx.e.label();
  cx.e.emit(Ir::if_none, 0, w.set, 0, 0, none);
  cuts.push_back(cx.e.emit(Ir::cut, 0, stack, 0, 0, found));
  cx.e.place(none);
}

void note_any_set_at_a_time(Context& cx, const void* walkers, Reg any, const Todo* after, AbstractDraft d) {
  const Walkers& w = *static_cast<const Walkers*>(walkers);
  const Label none = cx.e.label();
  {
    const Emitter::Scope scope(cx.e);
    cx.e.emit(Ir::if_none, 0, w.set, 0, 0, none);
    cx.e.emit(Ir::constant, any, 0, 0, 0, 1);
    act_set_at_a_time(cx, after, w, std::move(d));
  }
  cx.e.place(none);
}

void one_by_one(Context& cx, const Todo* todo, Walkers w, AbstractDraft d) {
  cx.set_at_a_time.left = true;
  if (cx.set_at_a_time.must_stay) return;
  const Label none = cx.e.label();
  cx.e.emit(Ir::if_none, 0, w.set, 0, 0, none);
  {
    const Emitter::Scope scope(cx.e);
    w.set = meet(cx, w.set, who_could_go_on(cx, todo, w, d));
    if (w.set != cx.no_cells) take_one_by_one(cx, todo, std::move(w), std::move(d));
  }
  cx.e.place(none);
}

// ---------------------------------------------------------------- what they do

namespace {

// The cell where they are changes. `code`: what is there then, or -1.
void change_set_at_a_time(Context& cx, NodeId action, Walkers& w, int code) {
  w.changes.push_back({action, everywhere(cx), false, -1, cx.facts.all_contents()});
  w.known.push_back(w.contents);
  if (code >= 0) {
    w.contents.reset();
    w.contents.set(at(code));
    w.changes.back().after = w.contents;
  }
}

// A piece from a hand comes on their cells, which are empty: that goes wrong only where the hand is short,
// the same for all. What comes then must be sure.
void drop_set_at_a_time(Context& cx, const Todo* todo, Walkers w, AbstractDraft d) {
  const Todo* rest = todo;
  bool good = d.recorded && untouched(w) && !w.changed(), dropped = false, hands_change = false;
  std::optional<int> from; // the hand that must have a piece
  int code = 0;            // what comes
  for (; good && rest != nullptr && rest->then == nullptr; rest = rest->next) {
    const Node& n = cx.node(rest->action);
    const auto kids = cx.program.kids_of(n);
    if (n.op == Op::set_hand) {
      good = cx.facts.harmless(rest->action);
    } else if (n.op == Op::drop && !dropped) {
      const int kind = known_number(cx, kids[1], d).value_or(-1);
      good = n.count == 2 && cx.node(kids[0]).op == Op::here && kind >= 0 && w.contents == Contents(1);
      if (!good) break;
      const auto owner = owner_of_drop(cx.program, n.a, n.b, kind);
      const int slot = owner ? cx.program.hand_slot[at(*owner < 0 ? n.b : *owner)][at(kind)] : -1;
      good = owner && (slot < 0 || !hands_change);
      if (slot >= 0) from = slot;
      dropped = true;
      code = owner ? cx.facts.pieces().code_of(*owner, kind) : 0;
    } else {
      break;
    }
    hands_change = true;
  }
  AbstractDraft seen = d;
  seen.here = make_cell(static_cast<Reg>(cx.layout.draft_numbers), cx.facts.all_contents());
  if (!good || rest == todo) return one_by_one(cx, todo, std::move(w), std::move(d));
  bool all = is_left_open(cx, rest, seen);
  const auto sure = all         ? std::optional(w.set)
                    : code != 0 ? who_surely_goes_on(cx, rest, w, code, d, all)
                                : std::nullopt;
  if (!sure) return one_by_one(cx, todo, std::move(w), std::move(d));
  const Label past = cx.e.label();
  {
    const Emitter::Scope scope(cx.e);
    if (from)
      cx.e.emit(Ir::if_less, 0, static_cast<Reg>(cx.layout.hands + *from), cx.e.number_constant(1), 0, past);
    Walkers those = w;
    those.set = *sure;
    end_set_at_a_time(cx, those, d);
    w.set = minus(cx, w.set, *sure);
    if (!all) one_by_one(cx, todo, std::move(w), std::move(d));
  }
  cx.e.place(past);
}

void step_set_at_a_time(Context& cx, int step, Walkers& w) {
  const auto& to = cx.board().steps[at(step)].to;
  w.set = stepped(cx, w.set, step, false);
  w.contents = cx.facts.all_contents();
  w.start = moved(w.start, to);
  for (auto& c : w.changes) c.place = moved(c.place, to);
  for (auto& e : w.end) e = moved(e, to);
  w.has_heading = true;
  w.heading = step;
  w.path.push_back(step);
}

// The walkers who stand in a set go on; false where that can't be asked of all of them.
bool stand_set_at_a_time(Context& cx, NodeId tested, Walkers& w, AbstractDraft& d) {
  if (!can_ask(cx, tested, w)) return false;
  const AbstractValue those = value(cx, tested, d);
  w.set = meet(cx, w.set, set_of(cx, those));
  w.contents &= those.contents;
  return true;
}

// A name of what goes by where the walker is: it stands for that from here on, and whoever is taken by
// himself later finds it out then.
void let_set_at_a_time(Context& cx, const Todo* todo, Walkers w, const AbstractDraft& d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  if (!names_at_hand(cx, cx.kid(id, 0), w) || !cx.facts.harmless(cx.kid(id, 0)))
    return one_by_one(cx, todo, std::move(w), d);
  w.changes.push_back({id, everywhere(cx), true, n.a});
  w.known.push_back(w.contents);
  const auto names = cx.set_at_a_time.names;
  cx.set_at_a_time.names[n.a] = cx.kid(id, 0);
  act_set_at_a_time(cx, todo->next, std::move(w), d);
  cx.set_at_a_time.names = names;
}

// Directions: those of them that are chosen by somebody, each with the walkers that may.
void choose_set_at_a_time(Context& cx, const Todo* todo, const Walkers& w, const AbstractDraft& d) {
  const NodeId source = cx.kid(todo->action, 0);
  const auto slot = cx.node(todo->action).a;
  const auto steps = cx.facts.constant_steps(source, d);
  constexpr int kMostSteps = 24; // each is code of its own
  const StepSet possible = steps ? *steps : cx.facts.possible_steps(source, d);
  if (!steps && possible.count() > kMostSteps) return one_by_one(cx, todo, w, d);
  std::vector<std::pair<int, Reg>> ways;
  Emitter::Attempt attempt(cx.e);
  bool good = true;
  possible.each([&](int s) {
    if (!good) return;
    AbstractDraft asked = d;
    const auto who = steps ? std::optional(cx.all_cells) : where_step(cx, source, s, w, asked);
    good = who.has_value();
    if (good) ways.emplace_back(s, *who);
  });
  if (!good) {
    attempt.give_up();
    return one_by_one(cx, todo, w, d);
  }
  for (const auto& [s, who] : ways) {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    Walkers v = w;
    v.set = meet(cx, w.set, who);
    e.locals[slot] = make_steps(StepSet::of(s));
    record(e, static_cast<std::int32_t>(s));
    act_set_at_a_time(cx, todo->next, std::move(v), std::move(e));
  }
}

void go_set_at_a_time(Context& cx, const Todo* next, int step, Walkers w, AbstractDraft d) {
  step_set_at_a_time(cx, step, w);
  d.heading = make_steps(StepSet::of(step));
  act_set_at_a_time(cx, next, std::move(w), std::move(d));
}

// Rounds are taken without a choice here, so they must be everywhere.
void note_straight(Context& cx, NodeId id) {
  note_walk(cx, id, {});
  const auto [known, fresh] = cx.taken.straight.try_emplace(id, true);
  if (!fresh && !known->second) {
    cx.speculation.never_straight.insert(id);
    cx.recompile = true;
  }
}

// Straight on, as often as the board allows: those who have gone so many rounds are together. What comes then
// must be sure, else each walker goes by himself.
bool repeat_set_at_a_time(Context& cx, const Todo* todo, const Walkers& w, const AbstractDraft& d,
                          const AbstractDraft& seen) {
  if (!is_on(Idiom::loops_set_at_a_time)) return false;
  constexpr int kMostRounds = 24; // they are written out
  const NodeId id = todo->action;
  const Node n = cx.node(id), low = cx.node(cx.kid(id, 1));
  if (low.op != Op::number || (n.a & (kMaximal | kUntil)) != 0 || !goes_straight(cx, id, seen)) return false;
  if (!certain(cx, todo->next, seen) || cx.speculation.never_straight.count(id) != 0) return false;
  if (todo->next != nullptr && todo->next->then == nullptr &&
      cx.speculation.never_deferred.count(todo->next->action) != 0)
    return false;
  int most = kMostRounds;
  if ((n.a & kUnbounded) == 0) {
    const Node high = cx.node(cx.kid(id, 2));
    if (high.op != Op::number || high.a > kMostRounds) return false;
    most = high.a;
  }
  const Path* body = cx.facts.path(cx.kid(id, 0));
  if (body == nullptr) return false;
  Emitter::Attempt attempt(cx.e);
  Walkers tried = w;
  AbstractDraft e = d;
  int rounds = 0;
  bool good = true;
  const auto somewhere = [](const Walkers& v) {
    return std::any_of(v.start.begin(), v.start.end(), [](std::int16_t c) { return c != kNowhere; });
  };
  for (; rounds < most && good; ++rounds) {
    good = one_round(cx, *body, tried, e);
    if (!somewhere(tried) || tried.set == cx.no_cells) break;
  }
  good = good && (rounds < kMostRounds || (n.a & kUnbounded) == 0);
  attempt.give_up();
  if (!good) return false;
  if (d.recorded) note_straight(cx, id);
  const std::function<void(int, Walkers, AbstractDraft)> from_round = [&](int k, Walkers v, AbstractDraft f) {
    if (k >= low.a) {
      const Emitter::Scope scope(cx.e);
      AbstractDraft g = f;
      record(g, static_cast<std::int32_t>(k));
      act_set_at_a_time(cx, todo->next, v, std::move(g));
    }
    if (k >= rounds) return;
    const Label none = cx.e.label();
    {
      const Emitter::Scope scope(cx.e);
      if (!one_round(cx, *body, v, f)) return; // it has been tried
      cx.e.emit(Ir::if_none, 0, v.set, 0, 0, none);
      from_round(k + 1, std::move(v), std::move(f));
    }
    cx.e.place(none);
  };
  from_round(0, w, d);
  return true;
}

constexpr std::size_t kMostWays = 24; // through a walk: beyond that each walker is faster by itself

// A walk of a few steps, of which only the cell matters where it ends: all walkers that have been moved alike
// are together, whatever way they took.
void walk_set_at_a_time(Context& cx, const Todo* todo, const Todo* rest, Walkers w, AbstractDraft d) {
  Actions walk;
  for (const Todo* part = todo; part != rest; part = part->next) cx.facts.flatten(part->action, walk);
  std::vector<Walkers> ends;
  const auto is_few = [&](Walkers v, const AbstractDraft&) {
    ends.push_back(std::move(v));
    return ends.size() <= kMostWays;
  };
  Emitter::Attempt attempt(cx.e);
  if (!each_way(cx, parts_in_a_row(*cx.facts.path(walk)), w, d, is_few)) {
    attempt.give_up();
    return one_by_one(cx, todo, std::move(w), std::move(d));
  }
  note_walk(cx, todo->action, walk_up_to(cx, todo, rest, false));
  for (std::size_t i = 0; i < ends.size(); ++i) {
    Walkers all = std::move(ends[i]);
    for (std::size_t k = i + 1; k < ends.size(); ++k) {
      if (ends[k].set == cx.no_cells) continue;
      if (ends[k].start == all.start) {
        all.set = unite(cx, all.set, ends[k].set);
        all.contents |= ends[k].contents;
        ends[k].set = cx.no_cells;
        continue;
      }
      // Along tracks, over holes and without edges two ways may lead from one cell to the same, if not from
      // every cell.
      CellSet alike;
      for (std::size_t c = 0; c < all.start.size(); ++c)
        if (all.start[c] != kNowhere && all.start[c] == ends[k].start[c]) alike.set(static_cast<int>(c));
      if (alike.any()) ends[k].set = minus(cx, ends[k].set, meet(cx, all.set, cx.e.set_constant(alike)));
    }
    if (all.set == cx.no_cells) continue;
    const Emitter::Scope scope(cx.e);
    AbstractDraft f = d;
    f.heading = {};
    all.has_heading = false;
    all.ends.push_back(f.choices.size());
    all.end.push_back(everywhere(cx));
    f.choices.push_back({ir::Choice::From::open, 0, -1});
    act_set_at_a_time(cx, rest, std::move(all), std::move(f));
  }
}

// Every number of rounds, and what comes behind.
bool each_number_of_rounds(Context& cx, const Path& star, Walkers w, AbstractDraft d, const Onwards& then) {
  const Path& round = star.parts[0];
  if (!star.least || star.maximal || star.until) return false;
  if (!star.endless) { // each round may be gone in several ways
    if (!star.most || *star.most > static_cast<std::int32_t>(kMostWays)) return false;
    const std::function<bool(std::int32_t, Walkers, AbstractDraft)> rounds = [&](std::int32_t left, Walkers v,
                                                                                 AbstractDraft e) {
      if (left == 0) return then(std::move(v), std::move(e));
      return each_way(cx, parts_in_a_row(round), std::move(v), std::move(e), [&](Walkers u, AbstractDraft f) {
        return rounds(left - 1, std::move(u), std::move(f));
      });
    };
    for (std::int32_t k = std::max(*star.least, 0); k <= *star.most; ++k)
      if (!rounds(k, w, d)) return false;
    return true;
  }
  // Straight on, as far as the board allows.
  const auto row = parts_in_a_row(round);
  const auto steps =
      !row.empty() && row[0].is_straight_step() ? cx.facts.constant_steps(row[0].of, d) : std::nullopt;
  if (!steps || steps->count() != 1 || cx.board().steps[at(steps->first())].may_return()) return false;
  for (std::size_t k = 0;; ++k) {
    if (static_cast<std::int32_t>(k) >= *star.least && !then(w, d)) return false;
    if (k > kMostWays || !one_round(cx, round, w, d)) return false;
    const bool none =
        std::all_of(w.start.begin(), w.start.end(), [](std::int16_t c) { return c == kNowhere; });
    if (none || w.set == cx.no_cells) return true;
  }
}

// The part at the head of a walk, and then what comes behind it; false where something can't be said of all
// together.
bool each_way_of(Context& cx, const Path& p, Walkers w, AbstractDraft d, const Onwards& then) {
  switch (p.kind) {
  case Path::Kind::test: {
    if (!p.condition) return stand_set_at_a_time(cx, p.of, w, d) && then(std::move(w), std::move(d));
    const auto holding = where_holds(cx, p.of, w, d);
    if (holding) w.set = meet(cx, w.set, *holding);
    return holding && then(std::move(w), std::move(d));
  }
  case Path::Kind::step: {
    const auto steps = p.curved ? std::nullopt : cx.facts.constant_steps(p.of, d);
    bool good = steps && cx.facts.injective(*steps);
    if (good)
      steps->each([&](int s) {
        if (!good) return;
        AbstractDraft e = d;
        Walkers v = w;
        step_set_at_a_time(cx, s, v);
        e.heading = make_steps(StepSet::of(s));
        good = then(std::move(v), std::move(e));
      });
    return good;
  }
  case Path::Kind::alternatives: {
    const auto from_part = [&](const Path& part, AbstractDraft e) {
      return each_way(cx, parts_in_a_row(part), w, std::move(e), then);
    };
    if (!p.named())
      return std::all_of(p.parts.begin(), p.parts.end(),
                         [&](const Path& part) { return from_part(part, d); });
    const auto steps = cx.facts.constant_steps(p.of, d);
    return steps &&
           by_direction(*steps, p.slot, d, [&](AbstractDraft& e) { return from_part(p.parts[0], e); });
  }
  case Path::Kind::star: return each_number_of_rounds(cx, p, std::move(w), std::move(d), then);
  case Path::Kind::sequence: return !p.named() && each_way(cx, p.parts, std::move(w), std::move(d), then);
  case Path::Kind::by_kind: return false;
  }
  return false;
}

bool each_way(Context& cx, std::span<const Path> row, Walkers w, AbstractDraft d, const Onwards& then) {
  if (w.set == cx.no_cells) return true;
  if (row.empty()) return then(std::move(w), std::move(d));
  return each_way_of(cx, row[0], std::move(w), std::move(d), [&](Walkers v, AbstractDraft e) {
    return each_way(cx, row.subspan(1), std::move(v), std::move(e), then);
  });
}

// One round of a repetition that goes straight on: there is one way, and they go it together.
bool one_round(Context& cx, const Path& round, Walkers& w, AbstractDraft& d) {
  int ways = 0;
  std::optional<std::pair<Walkers, AbstractDraft>> there;
  const bool good = each_way(cx, parts_in_a_row(round), w, d, [&](Walkers v, AbstractDraft e) {
    there.emplace(std::move(v), std::move(e));
    return ++ways == 1;
  });
  if (!good) return false;
  if (there) std::tie(w, d) = std::move(*there);
  if (!there) w.set = cx.no_cells;
  return true;
}

} // namespace

namespace {

// Each alternative for all of them, unless together they are a walk.
void alternatives_set_at_a_time(Context& cx, const Todo* todo, Walkers w, AbstractDraft d,
                                const AbstractDraft& seen) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  const Todo* rest = nullptr;
  if (d.recorded && taken_as_set(cx, todo, seen, rest))
    return walk_set_at_a_time(cx, todo, rest, std::move(w), std::move(d));
  if (d.recorded) note_walk(cx, id, {});
  for (std::uint32_t k = 0; k < n.count; ++k) {
    if (cx.node(cx.kid(id, k)).op == Op::never) continue;
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    record(e, static_cast<std::int32_t>(k));
    const Todo branch{cx.kid(id, k), todo->next, nullptr};
    act_set_at_a_time(cx, &branch, w, std::move(e));
  }
}

// `go` in each of some directions, unless it is a walk with what comes next.
void steps_set_at_a_time(Context& cx, const Todo* todo, Walkers w, AbstractDraft d,
                         const AbstractDraft& seen) {
  const NodeId id = todo->action;
  const auto steps = cx.facts.constant_steps(cx.kid(id, 0), d);
  const Todo* rest = nullptr;
  if (!steps || !cx.facts.injective(*steps)) return one_by_one(cx, todo, std::move(w), std::move(d));
  if (d.recorded && taken_as_set(cx, todo, seen, rest))
    return walk_set_at_a_time(cx, todo, rest, std::move(w), std::move(d));
  if (d.recorded) note_walk(cx, id, {});
  const bool chosen = !cx.facts.is_one_step(cx.kid(id, 0));
  steps->each([&](int s) {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    if (chosen) record(e, static_cast<std::int32_t>(s));
    go_set_at_a_time(cx, todo->next, s, w, std::move(e));
  });
}

// The walkers for whom a condition holds go on.
void require_set_at_a_time(Context& cx, const Todo* todo, Walkers w, AbstractDraft d) {
  const NodeId id = todo->action;
  if (!reads_walker(cx, cx.kid(id, 0)) && !w.changed()) { // the same for all
    const Label past = cx.e.label();
    {
      const Emitter::Scope scope(cx.e);
      jump(cx, cx.kid(id, 0), false, past, d);
      act_set_at_a_time(cx, todo->next, std::move(w), std::move(d));
    }
    return cx.e.place(past);
  }
  Emitter::Attempt attempt(cx.e);
  const auto holding = where_holds(cx, cx.kid(id, 0), w, d);
  if (!holding) {
    attempt.give_up();
    return one_by_one(cx, todo, std::move(w), std::move(d));
  }
  w.set = meet(cx, w.set, *holding);
  return act_set_at_a_time(cx, todo->next, std::move(w), std::move(d));
}

// The walkers for whom a condition holds and the others go on apart.
void if_set_at_a_time(Context& cx, const Todo* todo, Walkers w, AbstractDraft d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  if (cx.facts.only_says(id))
    return keys(cx, d)
               ? one_by_one(cx, todo, std::move(w), std::move(d))
               : act_set_at_a_time(cx, todo->next, std::move(w), std::move(d)); // which it is isn't a choice
  Emitter::Attempt attempt(cx.e);
  const auto holding = where_holds(cx, cx.kid(id, 0), w, d);
  if (!holding) {
    attempt.give_up();
    return one_by_one(cx, todo, std::move(w), std::move(d));
  }
  for (const bool holds : {true, false}) {
    const Emitter::Scope scope(cx.e);
    Walkers v = w;
    v.set = holds ? meet(cx, w.set, *holding) : minus(cx, w.set, *holding);
    if (n.count > 2 && untouched(w)) v.contents &= cx.facts.contents_where(cx.kid(id, 0), holds);
    AbstractDraft e = d;
    record(e, holds ? 0 : 1);
    const Todo branch{holds ? cx.kid(id, 1) : n.count > 2 ? cx.kid(id, 2) : kNoNode, todo->next, nullptr};
    act_set_at_a_time(cx, branch.action == kNoNode ? todo->next : &branch, std::move(v), std::move(e));
  }
}

// Pieces of each kind go on apart.
void by_kind_set_at_a_time(Context& cx, const Todo* todo, Walkers w, AbstractDraft d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  if (cx.node(cx.kid(id, 0)).op != Op::here || !untouched(w))
    return one_by_one(cx, todo, std::move(w), std::move(d));
  for (std::uint32_t k = 1; k < n.count; ++k) {
    const bool none = k + 1 == n.count;
    const int kind = static_cast<int>(k) - 1;
    const Contents of = none ? Contents(1) : cx.facts.contents_of_kind(kind);
    if (cx.node(cx.kid(id, k)).op == Op::never || (w.contents & of).none()) continue;
    const Emitter::Scope scope(cx.e);
    Walkers v = w;
    v.set = meet(cx, w.set, none ? cx.layout.empty : kind_cells(cx, kind));
    v.contents &= of;
    AbstractDraft e = d;
    record(e, kind);
    const Todo branch{cx.kid(id, k), todo->next, nullptr};
    act_set_at_a_time(cx, &branch, std::move(v), std::move(e));
  }
}

void lift_set_at_a_time(Context& cx, const Todo* todo, Walkers w, AbstractDraft d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  const bool topmost =
      n.count > 0 && cx.node(cx.kid(id, 0)).op == Op::number && cx.node(cx.kid(id, 0)).a == 1;
  if ((n.count > 0 && !topmost) || d.carried.kind != Carried::Kind::nothing || !untouched(w))
    return one_by_one(cx, todo, std::move(w), std::move(d));
  if (w.contents.test(0)) {
    w.set = minus(cx, w.set, cx.layout.empty);
    w.contents.reset(0);
  }
  d.carried = {Carried::Kind::known, w.contents};
  change_set_at_a_time(cx, id, w, 0);
  if (cx.stacks() && topmost)
    w.contents = w.known.back() = w.changes.back().after = cx.facts.all_contents(); // there may be more below
  return act_set_at_a_time(cx, todo->next, std::move(w), std::move(d));
}

// A question is settled without another round, if that is allowed and what comes then is sure. (As often as
// possible may be never: a round that comes back is one, and is dropped.)
bool needs_no_round(const Context& cx, const Todo* todo, const AbstractDraft& d, const AbstractDraft& seen) {
  const Node &n = cx.node(todo->action), &low = cx.node(cx.kid(todo->action, 1));
  const bool ends = (n.a & (kUnbounded | kMaximal)) != (kUnbounded | kMaximal) ||
                    (goes_straight(cx, todo->action, seen) && !cx.facts.comes_back(todo->action, seen));
  return ends && !d.recorded && low.op == Op::number && low.a <= 0 && certain(cx, todo->next, seen);
}

void choose_cell_or_way_set_at_a_time(Context& cx, const Todo* todo, const Walkers& w, const AbstractDraft& d,
                                      const AbstractDraft& seen) {
  const NodeId id = todo->action;
  const Todo* rest = nullptr;
  if (choose_constant_set_at_a_time(cx, todo, w, d)) return;
  if (cx.node(cx.kid(id, 0)).type != Type::directions || cx.facts.is_changed(cx.node(id).a))
    return one_by_one(cx, todo, w, d);
  if (d.recorded && taken_as_set(cx, todo, seen, rest)) return walk_set_at_a_time(cx, todo, rest, w, d);
  if (d.recorded) note_walk(cx, id, {});
  return choose_set_at_a_time(cx, todo, w, d);
}

// Is all that comes sure, or deferred to the move that is played? Then they are done with it.
bool settled_set_at_a_time(Context& cx, const Todo* todo, const Walkers& w, AbstractDraft d,
                           const AbstractDraft& seen) {
  if (d.recorded && is_left_open(cx, todo, seen)) {
    end_set_at_a_time(cx, w, std::move(d));
    return true;
  }
  if (d.recorded ? !is_left_open_past_notes(cx, todo, seen) : !certain(cx, todo, seen)) return false;
  while (todo != nullptr && todo->then == nullptr) todo = todo->next;
  if (d.recorded) d.carried = {};
  if (todo != nullptr) todo->then->set_at_a_time(&w, std::move(d));
  return true;
}

} // namespace

void act_set_at_a_time(Context& cx, const Todo* todo, Walkers w, AbstractDraft d) {
  if (cx.stopped() || w.set == cx.no_cells) return;
  // What comes after sees a walker that stands somewhere.
  AbstractDraft seen = d;
  seen.here = make_cell(static_cast<Reg>(cx.layout.draft_numbers), w.contents);
  if (settled_set_at_a_time(cx, todo, w, d, seen)) return;
  if (d.recorded && todo != nullptr && todo->then == nullptr) cx.taken.followed.insert(todo->action);
  if (todo == nullptr) return; // something is carried
  if (todo->then != nullptr) {
    if (todo->then->set_at_a_time) return todo->then->set_at_a_time(&w, d);
    return one_by_one(cx, todo, std::move(w), std::move(d));
  }
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  cx.e.at_origin(n.origin);
  const auto on = [&] { act_set_at_a_time(cx, todo->next, std::move(w), std::move(d)); };
  const auto singly = [&] { one_by_one(cx, todo, std::move(w), std::move(d)); };
  switch (n.op) {
  case Op::never: return;
  case Op::sequence: {
    std::vector<Todo> chain(n.count);
    for (std::size_t k = chain.size(); k-- > 0;)
      chain[k] = {cx.program.kids[n.kids + k], k + 1 < chain.size() ? &chain[k + 1] : todo->next, nullptr};
    return act_set_at_a_time(cx, chain.empty() ? todo->next : chain.data(), std::move(w), std::move(d));
  }
  case Op::alternatives: return alternatives_set_at_a_time(cx, todo, std::move(w), std::move(d), seen);
  case Op::choose: return choose_cell_or_way_set_at_a_time(cx, todo, w, d, seen);
  case Op::go: return steps_set_at_a_time(cx, todo, std::move(w), std::move(d), seen);
  case Op::at: return stand_set_at_a_time(cx, cx.kid(id, 0), w, d) ? on() : singly();
  case Op::require: return require_set_at_a_time(cx, todo, std::move(w), std::move(d));
  case Op::if_action: return if_set_at_a_time(cx, todo, std::move(w), std::move(d));
  case Op::by_kind_action: return by_kind_set_at_a_time(cx, todo, std::move(w), std::move(d));
  case Op::let: {
    if (w.changed() || cx.facts.is_changed(n.a)) return singly();
    if (reads_walker(cx, cx.kid(id, 0))) return let_set_at_a_time(cx, todo, std::move(w), d);
    let(cx, id, d);
    return on();
  }
  case Op::repeat:
    if (needs_no_round(cx, todo, d, seen)) return on();
    if (!repeat_set_at_a_time(cx, todo, w, d, seen)) singly();
    return;
  case Op::lift: return lift_set_at_a_time(cx, todo, std::move(w), std::move(d));
  case Op::put: { // of a stack all: its top is what it was
    if (n.count > 0 || d.carried.kind != Carried::Kind::known || (cx.stacks() && !cx.heights_bounded))
      return singly();
    const Contents codes = d.carried.codes;
    d.carried = {};
    change_set_at_a_time(cx, id, w, -1);
    w.contents = w.changes.back().after = codes;
    return on();
  }
  case Op::again:
  case Op::set_variable: return set_set_at_a_time(cx, todo, std::move(w), std::move(d));
  case Op::drop:
  case Op::set_hand: return drop_set_at_a_time(cx, todo, std::move(w), std::move(d));
  case Op::remove: {
    if (cx.node(cx.kid(id, 0)).op != Op::here || !untouched(w)) return singly();
    change_set_at_a_time(cx, id, w, 0);
    return on();
  }
  default: return singly();
  }
}

} // namespace boardwright::runtime::lowering
