// Actions: joining them, and the walker. What comes after an action is compiled behind it.
#include "runtime/lowering/actions/actions.hpp"
#include "runtime/lowering/actions/ambiguities.hpp"
#include "runtime/lowering/actions/carried.hpp"
#include "runtime/lowering/actions/changes.hpp"
#include "runtime/lowering/actions/choices.hpp"
#include "runtime/lowering/actions/join_points.hpp"
#include "runtime/lowering/actions/keys.hpp"
#include "runtime/lowering/actions/loops.hpp"
#include "runtime/lowering/actions/outcomes.hpp"
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/idioms/images.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/values/truths.hpp"
#include "runtime/lowering/values/values.hpp"
#include "runtime/lowering/walks/set_at_a_time.hpp"
#include "runtime/lowering/walks/walks.hpp"
#include "runtime/model/drops.hpp"
#include "runtime/model/idioms.hpp"
#include "runtime/model/meter.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

void act_all(Context& cx, const Node& n, const Todo* after, const AbstractDraft& d);
void at_cell(Context& cx, const Todo* todo, AbstractDraft d);
bool walk_as_set(Context& cx, const Todo* todo, const AbstractDraft& d);
void go(Context& cx, const Todo* todo, AbstractDraft d);
void hop(Context& cx, int step, const Todo* after, AbstractDraft d);
void hop_by(Context& cx, Reg step, const Todo* after, AbstractDraft d);
void bend(Context& cx, const Todo* todo, AbstractDraft d);
void if_action(Context& cx, const Todo* todo, const AbstractDraft& d);
void by_kind(Context& cx, const Todo* todo, const AbstractDraft& d);
void by_player(Context& cx, const Todo* todo, const AbstractDraft& d);

void join(Context& cx, const Todo* todo, AbstractDraft d) {
  const Node n = cx.node(todo->action);
  switch (as<JoiningOp>(n.op)) {
  case JoiningOp::sequence: return act_all(cx, n, todo->next, d);
  case JoiningOp::alternatives: {
    if (walk_as_set(cx, todo, d)) return;
    std::vector<NodeId> kids(cx.program.kids_of(n).begin(), cx.program.kids_of(n).end());
    std::optional<std::size_t> shared;
    const Todo* after = share(cx, todo->next, d, kids.size(), kids, shared);
    std::vector<std::int32_t> values;
    for (std::size_t k = 0; k < kids.size(); ++k)
      if (cx.node(kids[k]).op != Op::never) values.push_back(static_cast<std::int32_t>(k));
    const bool searches = cx.mode == Mode::search && d.recorded;
    const Comparing alike = searches && !d.compared ? comparing(cx, todo, d) : Comparing();
    ways(cx, values, d, [&](std::size_t way, AbstractDraft e) {
      const Todo branch{kids[at(values[way])], after, nullptr};
      const bool here = alike.sometimes.count(branch.action) != 0;
      if (alike.always.count(branch.action) != 0) e.compared = true;
      if (e.compared || !searches || !here) return act(cx, &branch, std::move(e));
      const Label compares = cx.e.label(), past = cx.e.label();
      {
        const Emitter::Scope scope(cx.e);
        cx.e.emit(Ir::if_not_equal, 0, alike.is_ambiguous, cx.e.number_constant(0), 0, compares);
        act(cx, &branch, e);
        cx.e.go(past);
      }
      cx.e.place(compares);
      e.compared = true;
      {
        const Emitter::Scope scope(cx.e);
        act(cx, &branch, std::move(e));
      }
      cx.e.place(past);
    });
    return compile_shared(cx, shared);
  }
  case JoiningOp::otherwise: return otherwise(cx, todo, d);
  case JoiningOp::repeat:
    if (walk_as_set(cx, todo, d)) return;
    return repeat(cx, todo, d);
  case JoiningOp::if_action: return if_action(cx, todo, d);
  case JoiningOp::choose:
    if (walk_as_set(cx, todo, d)) return;
    return choose(cx, todo, std::move(d));
  case JoiningOp::choose_some: return choose_some(cx, todo, std::move(d));
  case JoiningOp::each: return each(cx, todo, std::move(d));
  case JoiningOp::most: return most(cx, todo, d);
  case JoiningOp::distinct: return distinct(cx, todo, d);
  case JoiningOp::quietly: return quietly(cx, todo, d);
  case JoiningOp::by_kind_action: return by_kind(cx, todo, d);
  case JoiningOp::by_player_action: return by_player(cx, todo, d);
  }
}

// The hand that what comes next takes one piece from, wherever on the board: a place in Position::hands.
std::optional<int> hand_needed(Context& cx, const Todo* todo, const AbstractDraft& d) {
  Actions parts;
  for (; todo != nullptr && todo->then == nullptr; todo = todo->next) cx.facts.flatten(todo->action, parts);
  for (const NodeId part : parts) {
    const Node& n = cx.node(part);
    const bool only_asks = n.op == Op::at || n.op == Op::require; // that changes no hand
    if (only_asks && cx.facts.harmless(cx.program.kid(n, 0))) continue;
    if (n.op != Op::drop || n.count > 2 || cx.node(cx.program.kid(n, 0)).op != Op::here) return std::nullopt;
    const int kind = known_number(cx, cx.program.kid(n, 1), d).value_or(-1);
    const auto owner = kind < 0 ? std::nullopt : owner_of_drop(cx.program, n.a, n.b, kind);
    if (!owner) return std::nullopt;
    const int slot = cx.program.hand_slot[at(*owner < 0 ? n.b : *owner)][at(kind)];
    return slot >= 0 ? std::optional(slot) : std::nullopt;
  }
  return std::nullopt;
}

void to_cells(Context& cx, const Todo* todo, AbstractDraft d) {
  const NodeId id = todo->action;
  const bool starts = cx.node(id).op == Op::from;
  AbstractValue from = cx.plays(d) ? somewhere_in(cx, cx.kid(id, 0), d) : value(cx, cx.kid(id, 0), d);
  if (begin_set_at_a_time(cx, todo, from, d)) return;
  if (from.is(Kind::set) && !cx.plays(d))
    from.reg = meet(cx, from.reg, could_begin(cx, todo->next, d, false));
  choose_cell(cx, from, todo->next, std::move(d), [&, starts](AbstractDraft& e, const AbstractValue& cell) {
    e.here = cell;
    e.heading = {};
    if (starts) e.start = cell;
    if (starts && cx.writes(e)) cx.e.emit(Ir::say_from, 0, cell.reg, 0, 0, 0, cx.said(e));
    if (starts && keys(cx, e)) key_from(cx, cell, e);
  });
}

// With an empty hand no cell need be tried, unless that could be a fault.
void to_cells_from_hand(Context& cx, const Todo* todo, AbstractDraft d) {
  const bool asks = cx.mode == Mode::search && !d.decided && cx.facts.harmless(cx.kid(todo->action, 0));
  const auto hand = asks ? hand_needed(cx, todo->next, d) : std::nullopt;
  if (!hand) return to_cells(cx, todo, std::move(d));
  const Label past = cx.e.label();
  cx.e.emit(Ir::if_less, 0, static_cast<Reg>(cx.layout.hands + *hand), cx.e.number_constant(1), 0, past);
  {
    const Emitter::Scope scope(cx.e);
    to_cells(cx, todo, std::move(d));
  }
  cx.e.place(past);
}

void walk(Context& cx, const Todo* todo, AbstractDraft d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  switch (as<WalkingOp>(n.op)) {
  case WalkingOp::from: return to_cells(cx, todo, std::move(d));
  case WalkingOp::to: return to_cells_from_hand(cx, todo, std::move(d));
  case WalkingOp::at: return at_cell(cx, todo, std::move(d));
  case WalkingOp::go:
    if (walk_as_set(cx, todo, d)) return;
    return go(cx, todo, std::move(d));
  case WalkingOp::bend: return bend(cx, todo, std::move(d));
  case WalkingOp::let:
    if (let_either(cx, todo, d)) return;
    let(cx, id, d);
    return act(cx, todo->next, std::move(d));
  case WalkingOp::require: {
    if (cx.plays(d)) return act(cx, todo->next, std::move(d));
    const Label past = cx.e.label();
    {
      const Emitter::Scope scope(cx.e);
      jump(cx, cx.kid(id, 0), false, past, d);
      note_fits(cx, cx.kid(id, 0), d);
      act(cx, todo->next, std::move(d));
    }
    cx.e.place(past);
    return;
  }
  case WalkingOp::never: return;
  }
}

void act_all(Context& cx, const Node& n, const Todo* after, const AbstractDraft& d) {
  std::vector<Todo> chain(n.count);
  for (std::size_t k = chain.size(); k-- > 0;)
    chain[k] = {cx.program.kids[n.kids + k], k + 1 < chain.size() ? &chain[k + 1] : after, nullptr};
  act(cx, chain.empty() ? after : chain.data(), d);
}

} // namespace

bool need_here(Context& cx, const AbstractDraft& d, const char* what) {
  if (d.here.is(Kind::cell) && cx.maybe_none.count(d.here.reg) == 0) return true;
  const Label good = cx.e.label();
  if (d.here.is(Kind::cell)) cx.e.emit(Ir::if_not_less, 0, d.here.reg, cx.e.number_constant(0), 0, good);
  const std::string message = "`" + std::string(what) + "` before any `from` or `to`";
  cx.fail(message.c_str());
  cx.e.place(good);
  return d.here.is(Kind::cell);
}

void act(Context& cx, const Todo* todo, AbstractDraft d) {
  // A draft is copied for every action, with the choices that led to it.
  constexpr std::uint64_t kOfDraft = 64, kOfChoice = 8;
  if (Meter::is_unwanted()) cx.e.give_up();
  cx.e.spend(kOfDraft + kOfChoice * d.choices.size(), cx.facts.looked_at());
  if (cx.stopped()) return;
  if (todo == nullptr) return finish(cx, d);
  if (todo->then != nullptr) return todo->then->go(std::move(d));
  if (d.decided) {
    while (todo != nullptr && todo->then == nullptr) todo = todo->next;
    return act(cx, todo, std::move(d));
  }
  // Behind an open choice nothing has been chosen: conditions are asked.
  const bool searches_in_full = cx.comparison.in_full && cx.compares(d);
  const bool asks_all = cx.comparison.asks_all && cx.mode == Mode::search;
  if ((cx.mode != Mode::search || searches_in_full || asks_all) &&
      cx.taken.deferred.count(todo->action) != 0) {
    if (asks_all || (searches_in_full && !cx.comparison.once))
      d.deferred = true; // it is written yet
    else
      d.recorded = false;
  }
  if (cx.mode == Mode::search && cx.passing.count(todo->action) != 0) {
    if (cx.node(todo->action).op == Op::require) note_fits(cx, cx.kid(todo->action, 0), d);
    return act(cx, todo->next, std::move(d));
  }
  if (const Deferral how = left_to_play(cx, todo, d); how != Deferral::no)
    return leave_to_play(cx, todo, how, d);
  if (compares_notations(cx, todo, d)) return;
  if (d.only_counted && !goes_on_counting(cx, todo, d)) return give_up_counting(cx);
  if (cx.mode == Mode::search && d.compared && !cx.comparison.keyed && d.recorded && !cx.comparison.once &&
      cx.within.each == 0 && cx.within.reach == 0)
    d.deferred = d.deferred || is_left_open(cx, todo, d);
  if (cx.mode == Mode::search && d.recorded && !d.deferred) cx.taken.followed.insert(todo->action);
  if (++cx.depth > kMaxDepth) cx.fail("actions are nested too deeply");
  struct Leave {
    int& depth;
    std::uint32_t origin;
    Emitter& e;
    ~Leave() {
      --depth;
      e.at_origin(origin);
    }
  } const leave{cx.depth, cx.e.origin(), cx.e};
  if (cx.depth > kMaxDepth) return;
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  cx.e.at_origin(n.origin);
  key_action(cx, id, d);
  switch (group_of(n.op)) {
  case runtime::Group::joining: return join(cx, todo, std::move(d));
  case runtime::Group::walking: return walk(cx, todo, std::move(d));
  case runtime::Group::pieces: return handle(cx, todo, std::move(d));
  case runtime::Group::position: return change_position(cx, todo, std::move(d));
  case runtime::Group::any:
  case runtime::Group::number:
  case runtime::Group::truth:
  case runtime::Group::set:
  case runtime::Group::cells:
  case runtime::Group::directions:
  case runtime::Group::name:
  case runtime::Group::list:
  case runtime::Group::map:
  case runtime::Group::text: return cx.fail("a value is no action");
  }
}

void act_then(Context& cx, NodeId action, AbstractDraft d, Continuation then) {
  const Todo end{kNoNode, nullptr, &then};
  const Todo begin{action, &end, nullptr};
  act(cx, &begin, std::move(d));
}

// ---------------------------------------------------------------- the walker

namespace {

void at_cell(Context& cx, const Todo* todo, AbstractDraft d) {
  if (!need_here(cx, d, "at")) return;
  if (cx.plays(d)) {
    d.there[d.here.reg] = on(cx, d, d.here.reg) & contents_of(cx, cx.kid(todo->action, 0), d);
    return act(cx, todo->next, std::move(d));
  }
  if (d.only_counted && !can_test_counted(cx, cx.kid(todo->action, 0), d)) return give_up_counting(cx);
  const Label past = cx.e.label();
  {
    const Emitter::Scope scope(cx.e);
    const AbstractValue tested = value(cx, cx.kid(todo->action, 0), d);
    cx.e.emit(Ir::if_out, 0, d.here.reg, set_of(cx, tested), 0, past);
    d.there[d.here.reg] = on(cx, d, d.here.reg) & tested.contents;
    act(cx, todo->next, std::move(d));
  }
  cx.e.place(past);
}

// Likewise a walk round curves, whose ends are found by going every way. What it has met before it asks for
// its heading it doesn't take from what came before it.
Actions bent_walk_ahead(const Context& cx, const Todo* todo, const AbstractDraft& d, const Todo*& rest,
                        std::vector<std::int32_t>& slots) {
  Actions walk;
  bool turns = false, heads = false;
  if (cx.within.each > 0 || d.here.is(Kind::none)) return {};
  for (rest = todo; rest != nullptr && rest->then == nullptr && cx.facts.bends(rest->action);
       rest = rest->next) {
    const Node& n = cx.node(rest->action);
    if (cx.facts.contains(rest->action, Op::here) || (!heads && cx.facts.contains(rest->action, Op::heading)))
      return {};
    if (n.op == Op::choose) slots.push_back(n.a);
    heads = heads || n.op == Op::go || n.op == Op::bend;
    turns = turns || cx.facts.does(rest->action, Op::bend);
    walk.push_back(rest->action);
  }
  if (!turns || cx.facts.reads_way(rest, -1)) return {};
  for (const std::int32_t slot : slots)
    if (cx.facts.reads_way(rest, slot)) return {};
  return walk;
}

// What may be on the cells where a walk ends, which has bound the slots on its way.
Contents contents_at_end(Context& cx, const Actions& walk, const std::vector<std::int32_t>& slots,
                         const AbstractDraft& d) {
  if (walk.empty() || cx.node(walk.back()).op != Op::at) return cx.facts.all_contents();
  const NodeId tested = cx.kid(walk.back(), 0);
  for (const std::int32_t slot : slots)
    if (cx.facts.contains_local(tested, slot)) return cx.facts.all_contents();
  return contents_of(cx, tested, d);
}

// A walk, of which only the cell matters where it ends, is a choice among these cells.
bool walk_as_set(Context& cx, const Todo* todo, const AbstractDraft& d) {
  const Todo* rest = nullptr;
  if (d.only_counted) { // such a set is asked of a board on which pieces have been lifted
    if (!taken_as_set(cx, todo, d, rest)) return false;
    give_up_counting(cx);
    return true;
  }
  std::vector<std::int32_t> slots;
  const auto stand = [](AbstractDraft& e, const AbstractValue& cell) {
    e.here = cell;
    e.heading = {};
  };
  // Playing a move takes the way that searching it has taken.
  if (cx.plays(d)) {
    const auto known = cx.taken.walks.find(todo->action);
    if (known == cx.taken.walks.end() || known->second.last == kNoNode) return false;
    const bool bent = known->second.bent;
    const Actions walk =
        bent ? bent_walk_ahead(cx, todo, d, rest, slots) : walk_ahead(cx, todo, d, rest, slots, false);
    note_walk(cx, todo->action, walk_up_to(cx, todo, rest, bent));
    AbstractValue ends = any_set(cx, cx.all_cells);
    ends.contents = contents_at_end(cx, walk, slots, d);
    choose_cell(cx, ends, rest, d, stand);
    return true;
  }
  Actions walk = walk_ahead(cx, todo, d, rest, slots, true);
  const bool bent = walk.empty() && d.recorded;
  if (bent) walk = bent_walk_ahead(cx, todo, d, rest, slots);
  if (walk.empty() || (d.recorded && cx.speculation.never_walks.count(todo->action) != 0)) {
    if (d.recorded) note_walk(cx, todo->action, {});
    return false;
  }
  AbstractDraft inside = d;
  const Emitter::Scope scope(cx.e);
  Emitter::Attempt attempt(cx.e);
  const auto ends =
      bent ? searched(cx, walk, d.here, inside) : image(cx, *cx.facts.path(walk), d.here, inside);
  if (d.recorded) note_walk(cx, todo->action, ends ? walk_up_to(cx, todo, rest, bent) : WalkAsSet());
  if (!ends) {
    attempt.give_up();
    return false;
  }
  AbstractValue found = any_set(cx, *ends);
  found.contents = contents_at_end(cx, walk, slots, d);
  choose_cell(cx, found, rest, d, stand);
  return true;
}

void go(Context& cx, const Todo* todo, AbstractDraft d) {
  if (!need_here(cx, d, "go")) return;
  const NodeId way = cx.kid(todo->action, 0);
  const auto steps = cx.facts.constant_steps(way, d);
  const bool chosen = !cx.facts.is_one_step(way); // which direction it is, is a choice of the move
  if (chosen && cx.plays(d)) {
    const AbstractValue step = given_choice(cx, Type::directions);
    if (step.is(Kind::steps)) return hop(cx, step.steps.first(), todo->next, std::move(d));
    return hop_by(cx, step.reg, todo->next, std::move(d));
  }
  if (!steps) {
    // Each direction that it may be, if it is.
    const StepSet possible = cx.facts.possible_steps(way, d);
    constexpr std::size_t kWorthUnrolling = 3'000; // nodes
    const bool plain = cx.node(way).op == Op::minus || cx.node(way).op == Op::meet ||
                       cx.node(way).op == Op::unite || cx.node(way).op == Op::if_value ||
                       cx.node(way).op == Op::select;
    if (plain && at(possible.count()) * (cx.sizes.weight(todo->next) + 4) <= kWorthUnrolling) {
      std::vector<std::int32_t> each;
      possible.each([&](int s) { each.push_back(s); });
      return ways(cx, each, d, [&](std::size_t k, AbstractDraft e) {
        const Label past = cx.e.label();
        {
          const Emitter::Scope scope(cx.e);
          jump_step(cx, way, each[k], false, past, e);
          hop(cx, each[k], todo->next, std::move(e));
        }
        cx.e.place(past);
      });
    }
    const AbstractValue v = value(cx, way, d);
    if (v.is(Kind::step)) {
      if (chosen) record(cx, d, v.reg);
      return hop_by(cx, v.reg, todo->next, std::move(d));
    }
    if (!chosen) return hop_by(cx, cx.e.number_value(Ir::first, ways_of(cx, v)), todo->next, std::move(d));
    const Reg mark = cx.e.new_number(2);
    cx.e.emit(Ir::mark, mark);
    each_member(cx, v, Type::directions, [&](const AbstractValue& member, Label) {
      AbstractDraft e = d;
      cx.e.forget_values();
      record(cx, e, member.reg);
      hop_by(cx, member.reg, todo->next, std::move(e));
      cx.e.emit(Ir::undo, 0, mark);
    });
    return;
  }
  if (steps->count() == 1) {
    if (chosen) record(d, static_cast<std::int32_t>(steps->first()));
    return hop(cx, steps->first(), todo->next, std::move(d));
  }
  if (steps->none()) return;
  std::vector<std::int32_t> all;
  steps->each([&](int s) { all.push_back(s); });
  std::optional<std::size_t> shared;
  const Todo* after = share(cx, todo->next, d, all.size(), {todo->action}, shared);
  ways(cx, all, d, [&](std::size_t k, AbstractDraft e) { hop(cx, all[k], after, std::move(e)); });
  compile_shared(cx, shared);
}

// One step, and the test behind it in the same operation.
void hop(Context& cx, int step, const Todo* after, AbstractDraft d) {
  const bool tests = after != nullptr && after->then == nullptr && cx.node(after->action).op == Op::at &&
                     !cx.facts.contains(cx.kid(after->action, 0), Op::here) &&
                     !cx.facts.contains(cx.kid(after->action, 0), Op::heading);
  step_counted(step, d);
  if (tests && d.only_counted && !can_test_counted(cx, cx.kid(after->action, 0), d))
    return give_up_counting(cx);
  const Label past = cx.e.label();
  {
    const Emitter::Scope scope(cx.e);
    AbstractValue in = any_set(cx, cx.all_cells);
    if (tests && !cx.plays(d)) in = value(cx, cx.kid(after->action, 0), d);
    const Reg cell = cx.e.new_number();
    if (cx.plays(d))
      cx.e.emit(Ir::step_to, cell, d.here.reg, cx.e.number_constant(step));
    else
      cx.e.emit(Ir::hop, cell, d.here.reg, set_of(cx, in), step, past);
    Contents there = in.contents;
    if (tests && cx.plays(d)) {
      AbstractDraft asked = d;
      Emitter::Attempt attempt(cx.e);
      there = value(cx, cx.kid(after->action, 0), asked).contents;
      attempt.give_up();
    }
    d.here = make_cell(cell, there);
    d.heading = make_steps(StepSet::of(step));
    d.there[cell] = there;
    act(cx, tests ? after->next : after, std::move(d));
  }
  cx.e.place(past);
}

void hop_by(Context& cx, Reg step, const Todo* after, AbstractDraft d) {
  d.line = kLineLost;
  d.fresh = false;
  const Label past = cx.e.label();
  {
    const Emitter::Scope scope(cx.e);
    const Reg cell = cx.e.new_number();
    if (cx.plays(d))
      cx.e.emit(Ir::step_to, cell, d.here.reg, step);
    else
      cx.e.emit(Ir::hop_by, cell, d.here.reg, cx.all_cells, step, past);
    d.here = make_cell(cell, cx.facts.all_contents());
    d.heading = make_step(step);
    d.there[cell] = cx.facts.all_contents();
    act(cx, after, std::move(d));
  }
  cx.e.place(past);
}

// The curve (its number + 1) by which a cell is left in a direction, -1 if there is none; nothing where it
// could be one of several.
std::optional<Reg> curve_from(Context& cx, Reg cell, const AbstractValue& way) {
  if (!is_on(Idiom::curves)) return std::nullopt;
  const std::size_t steps = cx.board().steps.size(), cells = at(cx.board().cells);
  constexpr std::size_t kMostEntries = 1 << 16;
  const bool known = way.is(Kind::steps) && way.steps.count() == 1;
  if ((!known && !way.is(Kind::step)) || cells * steps > kMostEntries) return std::nullopt;
  std::vector<std::int16_t> curves(cells * steps, -1); // by step, then by cell
  for (std::size_t k = 0; k < cx.board().curves.size(); ++k) {
    const Curve& c = cx.board().curves[k];
    std::int16_t& of = curves[at(c.leaving) * cells + at(c.from)];
    if (of >= 0) return std::nullopt;
    of = static_cast<std::int16_t>(k + 1);
  }
  const Reg curve = cx.e.new_number();
  if (known) {
    const auto begin = curves.begin() + static_cast<std::ptrdiff_t>(at(way.steps.first()) * cells);
    const std::vector<std::int16_t> leaving(begin, begin + static_cast<std::ptrdiff_t>(cells));
    cx.e.emit(Ir::place, curve, cell, 0, 0, place_table(cx, leaving));
    return curve;
  }
  const Reg begin = cx.e.new_number(), entry = cx.e.new_number();
  cx.e.emit(Ir::multiply, begin, way.reg, cx.e.number_constant(cx.board().cells));
  cx.e.emit(Ir::add, entry, begin, cell); // less than 0 for no step
  cx.e.emit(Ir::place, curve, entry, 0, 0, place_table(cx, curves));
  return curve;
}

// Along the curve whose number + 1 stands in a register.
void follow_curve(Context& cx, Reg curve, Reg to, AbstractDraft& d) {
  std::vector<std::int16_t> ends{-1}, headings{-1};
  for (const Curve& c : cx.board().curves) {
    ends.push_back(c.to);
    headings.push_back(c.heading);
  }
  cx.e.emit(Ir::place, to, curve, 0, 0, place_table(cx, ends));
  cx.e.emit(Ir::place, static_cast<Reg>(to + 1), curve, 0, 0, place_table(cx, headings));
  d.here = make_cell(to, cx.facts.all_contents());
  d.heading = make_step(static_cast<Reg>(to + 1));
  d.there[to] = cx.facts.all_contents();
}

// Goes round a curve. Which one is the choice: its number + 1, or its place among those that are found.
void bend(Context& cx, const Todo* todo, AbstractDraft d) {
  if (!need_here(cx, d, "bend")) return;
  const Reg to = cx.e.new_number(2), index = cx.e.new_number();
  if (cx.plays(d)) {
    follow_curve(cx, given_choice(cx, Type::number).reg, to, d);
    return act(cx, todo->next, std::move(d));
  }
  const Emitter::Scope scope(cx.e);
  const AbstractValue way = value(cx, cx.kid(todo->action, 0), d);
  if (const auto curve = curve_from(cx, d.here.reg, way)) {
    const Label none = cx.e.label();
    {
      const Emitter::Scope inside(cx.e);
      cx.e.emit(Ir::if_less, 0, *curve, cx.e.number_constant(0), 0, none);
      follow_curve(cx, *curve, to, d);
      record(cx, d, *curve);
      act(cx, todo->next, std::move(d));
    }
    return cx.e.place(none);
  }
  const Reg by = ways_of(cx, way);
  const Reg mark = cx.e.new_number(2);
  const Label next = cx.e.label(), past = cx.e.label();
  cx.e.emit(Ir::mark, mark);
  cx.e.emit(Ir::constant, index, 0, 0, 0, 0);
  cx.e.place(next);
  cx.e.forget_values();
  cx.e.emit(Ir::bend, to, d.here.reg, by, index, past);
  {
    const Emitter::Scope inside(cx.e);
    d.here = make_cell(to, cx.facts.all_contents());
    d.heading = make_step(static_cast<Reg>(to + 1));
    d.there[to] = cx.facts.all_contents();
    record(cx, d, index);
    act(cx, todo->next, std::move(d));
  }
  cx.e.emit(Ir::undo, 0, mark);
  cx.e.go(next);
  cx.e.place(past);
}

} // namespace

Actions walk_ahead(const Context& cx, const Todo* todo, const AbstractDraft& d, const Todo*& rest,
                   std::vector<std::int32_t>& slots, bool asks) {
  Actions walk;
  rest = todo;
  int goes = 0;
  if (cx.within.each > 0 || d.here.is(Kind::none)) return {};
  for (; rest != nullptr && rest->then == nullptr && cx.facts.is_walk(rest->action); rest = rest->next) {
    const Node& n = cx.node(rest->action);
    if (cx.facts.contains(rest->action, Op::heading) || cx.facts.contains(rest->action, Op::here)) return {};
    if (n.op == Op::choose) slots.push_back(n.a);
    goes += n.op == Op::at || n.op == Op::choose ? 0 : 1;
    cx.facts.flatten(rest->action, walk);
  }
  if (!asks) return walk;
  if (goes == 0 || cx.facts.reads_way(rest, -1)) return {};
  for (const std::int32_t slot : slots)
    if (cx.facts.reads_way(rest, slot)) return {};
  // A single step in one direction is taken as such.
  const auto tests_only = [&cx](NodeId part) { return cx.node(part).op == Op::at; };
  if (goes == 1 && cx.node(walk[0]).op == Op::go &&
      cx.facts.is_one_step(cx.program.kid(cx.node(walk[0]), 0)) &&
      std::all_of(walk.begin() + 1, walk.end(), tests_only))
    return {};
  return walk;
}

bool taken_as_set(Context& cx, const Todo* todo, const AbstractDraft& d, const Todo*& rest) {
  std::vector<std::int32_t> slots;
  const Actions walk = walk_ahead(cx, todo, d, rest, slots, true);
  if (walk.empty() && cx.speculation.never_walks.count(todo->action) == 0 &&
      !bent_walk_ahead(cx, todo, d, rest, slots).empty())
    return true;
  if (walk.empty() || cx.speculation.never_walks.count(todo->action) != 0) return false;
  AbstractDraft inside = d;
  Emitter::Attempt attempt(cx.e);
  const bool taken = image(cx, *cx.facts.path(walk), d.here, inside).has_value();
  attempt.give_up();
  return taken;
}

void note_walk(Context& cx, NodeId id, const WalkAsSet& as) {
  const auto [known, fresh] = cx.taken.walks.try_emplace(id, as);
  if (known->second == as) return;
  if (cx.speculation.never_walks.insert(id).second) cx.recompile = true;
}

WalkAsSet walk_up_to(const Context& cx, const Todo* todo, const Todo* rest, bool bent) {
  WalkAsSet as{todo->action, bent};
  for (; todo != rest; todo = todo->next)
    if (cx.node(todo->action).op != Op::at) as.last = todo->action;
  return as;
}

// ---------------------------------------------------------------- cases

namespace {

void if_action(Context& cx, const Todo* todo, const AbstractDraft& d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  if (cx.facts.only_says(id)) {
    AbstractDraft e = d;
    say_either(cx, id, e);
    return act(cx, todo->next, std::move(e));
  }
  const NodeId otherwise = n.count > 2 ? cx.kid(id, 2) : kNoNode;
  std::vector<NodeId> branches{cx.kid(id, 1)};
  if (otherwise != kNoNode) branches.push_back(otherwise);
  std::optional<std::size_t> shared;
  const Todo* after = share(cx, todo->next, d, 2, branches, shared, Tried::one);
  const Todo then{cx.kid(id, 1), after, nullptr}, no{otherwise, after, nullptr};
  const auto follow = [&](bool holds, AbstractDraft e) {
    // (One branch alone would be other code than what comes behind, for all that isn't in it.)
    const Contents possible =
        otherwise == kNoNode ? cx.facts.all_contents() : cx.facts.contents_where(cx.kid(id, 0), holds);
    if (e.here.is(Kind::cell) && possible != cx.facts.all_contents())
      e.there[e.here.reg] = on(cx, e, e.here.reg) & possible;
    act(cx, holds ? &then : otherwise != kNoNode ? &no : after, std::move(e));
  };
  two_ways(
      cx, d, [&](Label other, AbstractDraft& e) { jump(cx, cx.kid(id, 0), false, other, e); }, follow);
  compile_shared(cx, shared);
}

// The branches of an action that goes by a value, which is a choice of the move; what comes after is shared.
struct Branches {
  Branches(Context& cx, const Todo* todo, const AbstractDraft& d) {
    const Node& n = cx.node(todo->action);
    for (std::uint32_t k = 1; k < n.count; ++k) {
      values.push_back(static_cast<std::int32_t>(k) - 1);
      actions.push_back(cx.program.kid(n, k));
    }
    after = share(cx, todo->next, d, actions.size(), actions, shared);
  }
  void follow(Context& cx, std::size_t k, AbstractDraft d) const {
    const Todo branch{actions[k], after, nullptr};
    act(cx, &branch, std::move(d));
  }
  std::vector<NodeId> actions;
  std::vector<std::int32_t> values;
  std::optional<std::size_t> shared;
  const Todo* after = nullptr;
};

// By the kind of the piece on a cell.
void by_kind(Context& cx, const Todo* todo, const AbstractDraft& d) {
  const NodeId id = todo->action;
  const Branches branches(cx, todo, d);
  const auto contents = [&](std::size_t k) {
    return k + 1 == branches.actions.size() ? Contents(1) : cx.facts.contents_of_kind(static_cast<int>(k));
  };
  if (cx.plays(d)) {
    const bool walker = cx.node(cx.kid(id, 0)).op == Op::here && d.here.is(Kind::cell);
    ways(cx, branches.values, d, [&](std::size_t k, AbstractDraft e) {
      if (walker) e.there[e.here.reg] = on(cx, e, e.here.reg) & contents(k);
      branches.follow(cx, k, std::move(e));
    });
    return compile_shared(cx, branches.shared);
  }
  AbstractDraft asked = d;
  const AbstractValue where = value(cx, cx.kid(id, 0), asked);
  const Reg cell = cell_of(cx, where);
  const Contents possible = where.is(Kind::cell) ? on(cx, d, cell) : cx.facts.all_contents();
  const Label past = cx.e.label();
  const bool there_is = d.here.is(Kind::cell) && d.here.reg == cell && cx.maybe_none.count(cell) == 0;
  for (std::size_t k = 0; k < branches.actions.size(); ++k) {
    const bool last = k + 1 == branches.actions.size();
    const Contents here = contents(k);
    const bool never = cx.node(branches.actions[k]).op == Op::never;
    if (never || (here & possible).none()) continue;
    const Label next = cx.e.label();
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    if (last) {
      const Label none = cx.e.label();
      if (!there_is) cx.e.emit(Ir::if_less, 0, cell, cx.e.number_constant(0), 0, none);
      cx.e.emit(Ir::if_out, 0, cell, cx.layout.empty, 0, next);
      cx.e.place(none);
    } else {
      if (!there_is) cx.e.emit(Ir::if_less, 0, cell, cx.e.number_constant(0), 0, next);
      cx.e.emit(Ir::if_out, 0, cell, kind_cells(cx, static_cast<int>(k)), 0, next);
    }
    if (where.is(Kind::cell)) e.there[cell] = on(cx, d, cell) & here;
    record(e, static_cast<std::int32_t>(k));
    branches.follow(cx, k, std::move(e));
    cx.e.go(past);
    cx.e.place(next);
  }
  cx.e.place(past);
  compile_shared(cx, branches.shared);
}

void by_player(Context& cx, const Todo* todo, const AbstractDraft& d) {
  const NodeId id = todo->action;
  const Branches branches(cx, todo, d);
  if (cx.plays(d)) {
    ways(cx, branches.values, d,
         [&](std::size_t k, AbstractDraft e) { branches.follow(cx, k, std::move(e)); });
    return compile_shared(cx, branches.shared);
  }
  AbstractDraft asked = d;
  const Reg which = number(cx, cx.kid(id, 0), asked);
  const Label past = cx.e.label();
  for (std::size_t k = 0; k < branches.actions.size(); ++k) {
    const Label next = cx.e.label();
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    cx.e.emit(Ir::if_not_equal, 0, which, cx.e.number_constant(static_cast<std::int32_t>(k)), 0, next);
    record(e, static_cast<std::int32_t>(k));
    branches.follow(cx, k, std::move(e));
    cx.e.go(past);
    cx.e.place(next);
  }
  cx.e.place(past);
  compile_shared(cx, branches.shared);
}

} // namespace

} // namespace boardwright::runtime::lowering
