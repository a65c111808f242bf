// Choices: how they are recorded, taken and left open.
#include "runtime/lowering/actions/choices.hpp"
#include "runtime/lowering/actions/changes.hpp"
#include "runtime/lowering/actions/keys.hpp"
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/idioms/images.hpp"
#include "runtime/lowering/idioms/legality.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/values/truths.hpp"
#include "runtime/lowering/values/values.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

// ---------------------------------------------------------------- recording and taking them

namespace {

// Random games draw by the weight of a draft, which must be known when it is found.
bool weighs(const Context& cx, NodeId action) {
  const auto sets_odds = [&](const Node& n) {
    return Terms::found(n.op == Op::set_variable && n.a == cx.program.chance->odds);
  };
  return cx.code.weighs && cx.facts.does(action, Op::set_variable) && cx.facts.finds(action, sets_odds);
}

Deferral leaves_open(Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (!is_on(Idiom::deferred)) return Deferral::no;
  if (cx.speculation.never_deferred.count(todo->action) != 0) return Deferral::no;
  bool handles_carried = false;
  bool has_cell = d.here.is(Kind::cell) && cx.maybe_none.count(d.here.reg) == 0, same_cell = has_cell;
  Carried::Kind carried = d.carried.kind, none = Carried::Kind::nothing;
  bool sure = true, sure_with_none = true;
  for (const Todo* part = todo; part != nullptr && (sure || sure_with_none);) {
    if (part->then != nullptr) {
      if (!part->then->noted) return Deferral::no;
      part = part->then->after;
      continue;
    }
    if (weighs(cx, part->action)) return Deferral::no;
    handles_carried =
        handles_carried || cx.facts.does(part->action, OperationSet(Op::lift, Op::put, Op::discard));
    const bool fits = surely_fits(cx, part->action, d);
    sure = sure && (fits || certain(cx, part->action, d, carried, has_cell));
    sure_with_none =
        sure_with_none && !handles_carried && (fits || certain(cx, part->action, d, none, same_cell));
    part = part->next;
  }
  const bool yes = sure && carried == Carried::Kind::nothing;
  const bool perhaps =
      sure_with_none && d.carried.kind == Carried::Kind::dynamic && none == Carried::Kind::nothing;
  if (!yes && !perhaps) return Deferral::no;
  cx.taken.deferred.insert(todo->action);
  return yes ? Deferral::yes : Deferral::if_nothing_carried;
}

} // namespace

std::int32_t given_constant(Context& cx) {
  if (cx.turn.given_next >= cx.turn.given->choices.size()) return 0;
  return cx.turn.given->choices[cx.turn.given_next++].value;
}

AbstractValue given_choice(Context& cx, Type type) {
  Reg r = 0;
  if (cx.mode == Mode::play_any) {
    r = cx.e.new_number();
    cx.e.emit(Ir::next_choice, r);
  } else {
    const ir::Choice c = cx.turn.given_next < cx.turn.given->choices.size()
                             ? cx.turn.given->choices[cx.turn.given_next++]
                             : ir::Choice();
    switch (c.from) {
    case ir::Choice::From::constant:
      if (type == Type::directions) return make_steps(StepSet::of(c.value));
      r = cx.e.number_constant(c.value);
      break;
    case ir::Choice::From::open:
      r = cx.e.new_number();
      cx.e.emit(Ir::choice, r, 0, 0, 0, -1);
      if (c.place >= 0) {
        const Reg cell = cx.e.new_number();
        cx.e.emit(Ir::place, cell, r, 0, 0, c.place);
        r = cell;
      }
      break;
    case ir::Choice::From::number: {
      const auto which =
          std::find(cx.turn.given->values.begin(), cx.turn.given->values.end(), static_cast<Reg>(c.value));
      r = cx.e.new_number();
      cx.e.emit(Ir::choice, r, 0, 0, 0, static_cast<std::int32_t>(which - cx.turn.given->values.begin()));
      break;
    }
    }
  }
  switch (type) {
  case Type::cells: return make_cell(r, cx.facts.all_contents());
  case Type::directions: return make_step(r);
  default: return make_number(r);
  }
}

void ways(Context& cx, const std::vector<std::int32_t>& values, const AbstractDraft& d,
          const std::function<void(std::size_t, AbstractDraft)>& way) {
  if (values.empty() || cx.stopped()) return;
  if (cx.plays(d) && cx.mode == Mode::play_one) {
    const std::int32_t given = given_constant(cx);
    const auto which = std::find(values.begin(), values.end(), given);
    if (which != values.end()) way(static_cast<std::size_t>(which - values.begin()), d);
    return;
  }
  if (cx.plays(d)) {
    const Reg given = given_choice(cx, Type::number).reg;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Label next = cx.e.label();
      const Emitter::Scope scope(cx.e);
      cx.e.emit(Ir::if_not_equal, 0, given, cx.e.number_constant(values[k]), 0, next);
      way(k, d);
      cx.e.place(next);
    }
    return;
  }
  if (values.size() == 1) {
    AbstractDraft e = d;
    record(e, values[0]);
    return way(0, std::move(e));
  }
  const Emitter::Scope all(cx.e);
  const Reg mark = cx.e.new_number(2);
  const std::size_t marked = cx.e.emit(Ir::mark, mark);
  bool dirty = false;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t begin = cx.e.here();
    {
      const Emitter::Scope scope(cx.e);
      AbstractDraft e = d;
      record(e, values[k]);
      way(k, std::move(e));
    }
    if (cx.e.changes_since(begin) && k + 1 < values.size()) {
      cx.e.emit(Ir::undo, 0, mark);
      dirty = true;
    }
  }
  if (!dirty) cx.e.forget(marked);
}

void two_ways(Context& cx, const AbstractDraft& d,
              const std::function<void(Label other, AbstractDraft&)>& to_other,
              const std::function<void(bool first, AbstractDraft)>& way) {
  if (cx.plays(d))
    return ways(cx, {0, 1}, d, [&](std::size_t k, AbstractDraft e) { way(k == 0, std::move(e)); });
  const Label other = cx.e.label(), past = cx.e.label();
  {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    to_other(other, e);
    e.choices = d.choices;
    record(e, std::int32_t{0});
    way(true, std::move(e));
    cx.e.go(past);
  }
  cx.e.place(other);
  {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    record(e, std::int32_t{1});
    way(false, std::move(e));
  }
  cx.e.place(past);
}

bool is_left_open(Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (!certain(cx, todo, d)) return false;
  if (todo == nullptr || todo->then != nullptr) return true;
  if (cx.speculation.never_deferred.count(todo->action) != 0) return false;
  cx.taken.deferred.insert(todo->action);
  return true;
}

Deferral left_to_play(Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (cx.mode != Mode::search || !d.recorded || cx.within.each > 0 || cx.within.reach > 0)
    return Deferral::no;
  if (keys(cx, d)) return tells_nothing(cx, todo) ? leaves_open(cx, todo, d) : Deferral::no;
  if (cx.comparison.once || cx.text || d.compared) return Deferral::no;
  return leaves_open(cx, todo, d);
}

void leave_to_play(Context& cx, const Todo* todo, Deferral how, const AbstractDraft& d) {
  const Label past = cx.e.label();
  for (const Todo* part = todo; part != nullptr;) { // who asks whether there is an outcome: there is one,
    if (part->then != nullptr) part->then->noted(); // even if something is carried and it is no move
    part = part->then != nullptr ? part->then->after : part->next;
  }
  if (how == Deferral::if_nothing_carried)
    cx.e.emit(Ir::if_not_equal, 0, cx.layout.carried, cx.e.number_constant(0), 0, past);
  if (cx.text) cx.e.emit(Ir::say_gone, 0, 0, 0, 0, 0, cx.said(d));
  AbstractDraft e = d;
  for (const Todo* part = todo; part != nullptr && part->then == nullptr; part = part->next)
    e.move_key.leaves = e.move_key.leaves || cx.facts.may_leave(part->action);
  leaf(cx, nullptr, e);
  cx.e.place(past);
}

bool compares_notations(Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (cx.mode != Mode::search || !d.recorded || cx.within.each > 0 || cx.within.reach > 0 ||
      !cx.comparison.once || !cx.text)
    return false;
  if (cx.comparison.in_full) return false;
  for (const Todo* part = todo; part != nullptr; part = part->next)
    if (part->then != nullptr || cx.facts.writes_text(part->action, d.quiet)) return false;
  const Deferral how = leaves_open(cx, todo, d);
  if (how == Deferral::no) return false;
  const Label full = cx.e.label(), past = cx.e.label();
  cx.e.emit(Ir::if_not_equal, 0, cx.layout.full, cx.e.number_constant(0), 0, full);
  {
    const Emitter::Scope scope(cx.e);
    leave_to_play(cx, todo, how, d);
  }
  cx.e.go(past);
  cx.e.place(full);
  {
    const Emitter::Scope scope(cx.e);
    AbstractDraft e = d;
    e.recorded = false; // it makes no choice
    act(cx, todo, std::move(e));
  }
  cx.e.place(past);
  return true;
}

namespace {

using TakeCell = std::function<void(AbstractDraft&, const AbstractValue&)>;

// There is one, or none.
void choose_only_cell(Context& cx, const AbstractValue& from, const Todo* after, AbstractDraft d,
                      const TakeCell& take) {
  const Label past = cx.e.label();
  {
    const Emitter::Scope inside(cx.e);
    const bool there_is =
        d.here.is(Kind::cell) && d.here.reg == from.reg && cx.maybe_none.count(from.reg) == 0;
    if (!there_is) cx.e.emit(Ir::if_less, 0, from.reg, cx.e.number_constant(0), 0, past);
    d.there.try_emplace(from.reg, from.contents);
    take(d, from);
    record(cx, d, from.reg);
    act(cx, after, std::move(d));
  }
  cx.e.place(past);
}

// Does the walker go to the cell that is chosen? (Or is only a name bound?)
bool takes_walker(Context& cx, const AbstractValue& from, const AbstractDraft& d, const TakeCell& take) {
  AbstractDraft e = d;
  Emitter::Attempt attempt(cx.e);
  const AbstractValue probe = make_cell(cx.e.new_number(), from.contents);
  take(e, probe);
  attempt.give_up();
  return e.here.is(Kind::cell) && e.here.reg == probe.reg;
}

// What is known behind the choice of some cell.
AbstractDraft with_some_cell(Context& cx, const AbstractValue& from, const AbstractDraft& d,
                             const TakeCell& take) {
  AbstractDraft e = d;
  Emitter::Attempt attempt(cx.e);
  take(e, make_cell(0, from.contents));
  attempt.give_up();
  return e;
}

} // namespace

void choose_cell(Context& cx, const AbstractValue& from, const Todo* after, AbstractDraft d,
                 const std::function<void(AbstractDraft&, const AbstractValue&)>& take, std::int32_t slot) {
  if (cx.stopped()) return;
  if (cx.plays(d)) {
    AbstractValue cell = given_choice(cx, Type::cells);
    cell.contents = from.contents;
    d.there[cell.reg] = from.contents;
    take(d, cell);
    return act(cx, after, std::move(d));
  }
  const Emitter::Scope scope(cx.e);
  if (from.is(Kind::cell)) return choose_only_cell(cx, from, after, std::move(d), take);
  const Reg set = set_of(cx, from);
  if (set == cx.no_cells) return;
  if (!d.recorded && cx.mode == Mode::search && after != nullptr && after->then != nullptr &&
      after->then->all) {
    if (takes_walker(cx, from, d, take)) return after->then->all(set);
  }
  std::optional<Sure> sure, few;
  if (d.recorded && !cx.comparison.once && !cx.text && !d.compared) {
    const AbstractDraft e = with_some_cell(cx, from, d, take);
    if (is_left_open(cx, after, e)) {
      AbstractValue open = from;
      open.reg = set;
      open.kind = Kind::set;
      d.choices.push_back({ir::Choice::From::open, 0, -1});
      return leaf(cx, &open, d);
    }
    if (e.here.is(Kind::cell) && e.here.reg == 0) sure = sure_behind(cx, after, from, d, nullptr);
    if (sure && sure->spoiling.any()) few = sure_behind(cx, after, from, d, &sure->spoiling);
  }
  if (keys(cx, d)) {
    const AbstractDraft e = with_some_cell(cx, from, d, take);
    if (key_open(cx, make_set(set, from.contents), slot, after, d, e)) return;
  }
  const Reg left = cx.e.new_set(), cell = cx.e.new_number(), mark = cx.e.new_number(2);
  const Label loop = cx.e.label(), past = cx.e.label();
  cx.e.emit(Ir::set_copy, left, set);
  if (sure) take_sure(cx, *sure, few, left, d);
  const std::size_t marked = cx.e.emit(Ir::mark, mark);
  const std::size_t begin = cx.e.here();
  cx.e.place(loop);
  cx.e.emit(Ir::take, cell, left, 0, 0, past);
  {
    const Emitter::Scope inside(cx.e);
    const AbstractValue here = make_cell(cell, from.contents);
    d.there[cell] = from.contents;
    take(d, here);
    record(cx, d, cell);
    act(cx, after, std::move(d));
  }
  cx.e.undo_since(begin, mark, marked);
  cx.e.go(loop);
  cx.e.place(past);
}

// ---------------------------------------------------------------- choose

namespace {

void choose_step(Context& cx, const Todo* todo, AbstractDraft d) {
  const Node n = cx.node(todo->action);
  const NodeId source = cx.kid(todo->action, 0);
  const auto bind = [&](AbstractDraft& e, const AbstractValue& step) {
    bind_local(cx, n.a, Type::directions, step, e);
  };
  if (cx.plays(d)) {
    const AbstractValue given = given_choice(cx, Type::directions);
    bind(d, given);
    return act(cx, todo->next, std::move(d));
  }
  const auto steps = cx.facts.constant_steps(source, d);
  constexpr std::size_t kWorthUnrolling = 6'000; // nodes: beyond that code takes longer to make than it saves
  const bool unrolls =
      steps && (steps->count() <= 1 || at(steps->count()) * cx.sizes.weight(todo->next) <= kWorthUnrolling);
  if (unrolls) {
    std::vector<std::int32_t> all;
    steps->each([&](int s) { all.push_back(s); });
    return ways(cx, all, d, [&](std::size_t k, AbstractDraft e) {
      bind(e, make_steps(StepSet::of(all[k])));
      act(cx, todo->next, std::move(e));
    });
  }
  // Each direction that may be among them, if it is.
  const StepSet possible = cx.facts.possible_steps(source, d);
  const bool cases = cx.node(source).op == Op::if_value || cx.node(source).op == Op::unite ||
                     cx.node(source).op == Op::meet || cx.node(source).op == Op::minus;
  if (!steps && cases && at(possible.count()) * cx.sizes.weight(todo->next) <= kWorthUnrolling) {
    std::vector<std::int32_t> all;
    possible.each([&](int s) { all.push_back(s); });
    return ways(cx, all, d, [&](std::size_t k, AbstractDraft e) {
      const Label past = cx.e.label();
      {
        const Emitter::Scope inside(cx.e);
        jump_step(cx, source, all[k], false, past, e);
        bind(e, make_steps(StepSet::of(all[k])));
        act(cx, todo->next, std::move(e));
      }
      cx.e.place(past);
    });
  }
  const AbstractValue v = value(cx, source, d);
  const Emitter::Scope scope(cx.e);
  const Reg mark = cx.e.new_number(2);
  cx.e.emit(Ir::mark, mark);
  each_member(cx, make_ways(ways_of(cx, v)), Type::directions, [&](const AbstractValue& member, Label) {
    AbstractDraft e = d;
    bind(e, member);
    record(cx, e, member.reg);
    act(cx, todo->next, std::move(e));
    cx.e.emit(Ir::undo, 0, mark);
  });
}

// A member of a list of numbers, kinds or players.
void choose_number(Context& cx, const Todo* todo, AbstractDraft d) {
  const Node n = cx.node(todo->action);
  const Type type = cx.node(cx.kid(todo->action, 0)).type;
  const Type member_type = type == Type::numbers ? Type::number
                           : type == Type::kinds ? Type::kind
                                                 : Type::player;
  const NodeId source = cx.kid(todo->action, 0);
  if (cx.plays(d)) {
    bind_local(cx, n.a, member_type, given_choice(cx, member_type), d);
    return act(cx, todo->next, std::move(d));
  }
  const auto follow = [&](const AbstractValue& member, AbstractDraft e) {
    bind_local(cx, n.a, member_type, member, e);
    record(cx, e, member.reg);
    act(cx, todo->next, std::move(e));
  };
  const Emitter::Scope scope(cx.e);
  const Reg mark = cx.e.new_number(2);
  const std::size_t marked = cx.e.emit(Ir::mark, mark);
  const std::size_t begin = cx.e.here();
  const Node list = cx.node(source);
  if (list.op == Op::range) { // counted up: no list is needed
    const Reg low = number(cx, cx.kid(source, 0), d), high = number(cx, cx.kid(source, 1), d);
    const auto kl = cx.e.known_number(low), kh = cx.e.known_number(high);
    if (!(kl && kh && *kh < *kl)) {
      const Reg k = cx.e.new_number();
      const Label loop = cx.e.label(), past = cx.e.label();
      cx.e.emit(Ir::copy, k, low);
      cx.e.place(loop);
      cx.e.emit(Ir::if_less, 0, high, k, 0, past);
      {
        const Emitter::Scope inside(cx.e);
        follow(make_number(k), d);
      }
      if (cx.e.changes_since(begin)) cx.e.emit(Ir::undo, 0, mark);
      cx.e.emit(Ir::if_not_less, 0, k, high, 0, past);
      cx.e.emit(Ir::add, k, k, cx.e.number_constant(1));
      cx.e.go(loop);
      cx.e.place(past);
    }
  } else {
    if (const auto members = cx.facts.constant_members(source)) {
      for (const std::int32_t member : *members) {
        const Emitter::Scope inside(cx.e);
        follow(constant_number(cx, member), d);
        if (cx.e.changes_since(begin)) cx.e.emit(Ir::undo, 0, mark);
      }
    } else {
      each_member(cx, source, d, [&](const AbstractValue& member, Label) {
        follow(member, d);
        if (cx.e.changes_since(begin)) cx.e.emit(Ir::undo, 0, mark);
      });
    }
  }
  if (!cx.e.changes_since(begin)) cx.e.forget(marked);
}

// Each of some constant sets has code of its own, if that isn't too much: its number in the list is the
// choice.
bool choose_constant_set(Context& cx, const Todo* todo, const AbstractDraft& d) {
  constexpr std::size_t kWorthUnrolling = 6'000; // nodes
  const Node n = cx.node(todo->action);
  const auto sets = cx.facts.constant_list(cx.kid(todo->action, 0));
  if (!sets || sets->size() * cx.sizes.weight(todo->next) > kWorthUnrolling) return false;
  std::vector<std::int32_t> numbers;
  for (std::size_t k = 0; k < sets->size(); ++k) numbers.push_back(static_cast<std::int32_t>(k));
  ways(cx, numbers, d, [&](std::size_t k, AbstractDraft e) {
    bind_local(cx, n.a, Type::cells, any_set(cx, cx.e.set_constant((*sets)[k])), e);
    act(cx, todo->next, std::move(e));
  });
  return true;
}

// A member of a list of sets: its number in the list is the choice.
void choose_set(Context& cx, const Todo* todo, AbstractDraft d) {
  if (choose_constant_set(cx, todo, d)) return;
  const Node n = cx.node(todo->action);
  const Reg list = box(cx, cx.kid(todo->action, 0), d);
  if (cx.plays(d)) {
    const AbstractValue which = given_choice(cx, Type::number);
    const Reg r = cx.e.new_set();
    cx.e.emit(Ir::box_get_set, r, list, which.reg);
    bind_local(cx, n.a, Type::cells, any_set(cx, r), d);
    return act(cx, todo->next, std::move(d));
  }
  const Emitter::Scope scope(cx.e);
  const Reg mark = cx.e.new_number(2), next_index = cx.e.new_number(), index = cx.e.new_number(),
            r = cx.e.new_set();
  const Label loop = cx.e.label(), past = cx.e.label();
  cx.e.emit(Ir::mark, mark);
  cx.e.emit(Ir::constant, next_index, 0, 0, 0, 0);
  cx.e.place(loop);
  cx.e.emit(Ir::copy, index, next_index);
  cx.e.emit(Ir::next_set, r, list, next_index, 0, past);
  {
    const Emitter::Scope inside(cx.e);
    bind_local(cx, n.a, Type::cells, any_set(cx, r), d);
    record(cx, d, index);
    act(cx, todo->next, std::move(d));
  }
  cx.e.emit(Ir::undo, 0, mark);
  cx.e.go(loop);
  cx.e.place(past);
}

} // namespace

void choose(Context& cx, const Todo* todo, AbstractDraft d) {
  const Node n = cx.node(todo->action);
  switch (cx.node(cx.kid(todo->action, 0)).type) {
  case Type::directions: return choose_step(cx, todo, std::move(d));
  case Type::cells: {
    const NodeId of = cx.kid(todo->action, 0);
    const auto bind = [&](AbstractDraft& e, const AbstractValue& cell) {
      bind_local(cx, n.a, Type::cells, cell, e);
    };
    if (cx.mode != Mode::search) {
      const AbstractValue from = cx.plays(d) ? somewhere_in(cx, of, d) : value(cx, of, d);
      return choose_cell(cx, from, todo->next, std::move(d), bind);
    }
    const Emitter::Scope scope(cx.e);
    const Label past = cx.e.label();
    const std::set<NodeId> before = cx.passing;
    const AbstractValue from = narrowed(cx, todo, value(cx, of, d), past, d);
    choose_cell(cx, from, todo->next, std::move(d), bind, n.a);
    cx.passing = before;
    return cx.e.place(past);
  }
  case Type::sets: return choose_set(cx, todo, std::move(d));
  default: return choose_number(cx, todo, std::move(d));
  }
}

// ---------------------------------------------------------------- choose n

void choose_some(Context& cx, const Todo* todo, AbstractDraft d) {
  const NodeId id = todo->action;
  const Type type = cx.node(cx.kid(id, 1)).type;
  const bool cells = type == Type::cells;
  const Reg wanted = number(cx, cx.kid(id, 0), d);
  const Emitter::Scope scope(cx.e);
  // Members are taken from a list: of cells the list of each as a set would be long, so they stay a set.
  const Reg chosen = cells ? cx.e.new_set() : cx.e.new_box();
  const Reg left = cells ? cx.e.new_set() : cx.e.new_number();
  const Reg list = cells ? 0 : cx.e.new_box();
  if (cells) {
    cx.e.emit(Ir::set_copy, chosen, cx.no_cells);
    cx.e.emit(Ir::set_copy, left, cx.plays(d) ? cx.all_cells : set(cx, cx.kid(id, 1), d));
  } else {
    cx.e.emit(Ir::box_clear, chosen);
    cx.e.emit(Ir::box_copy, list, box(cx, cx.kid(id, 1), d));
    cx.e.emit(Ir::constant, left, 0, 0, 0, 0);
  }
  choose_members(cx, todo, wanted, type, chosen, left, list, std::move(d));
}

} // namespace boardwright::runtime::lowering
