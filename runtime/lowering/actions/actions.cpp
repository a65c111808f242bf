// Actions: joining them, and the walker. What comes after an action is compiled behind it.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

void Lowering::fail(const char* message) {
  // What can't be said is a fault when it is carried out.
  e_.emit(Ir::fault, 0, 0, 0, 0, static_cast<std::int32_t>(code_.messages.size()));
  code_.messages.emplace_back(message);
}

bool Lowering::need_here(const Draft& d, const char* what) {
  if (d.here.is(Kind::cell) && maybe_none_.count(d.here.reg) == 0) return true;
  const Label good = e_.label();
  if (d.here.is(Kind::cell)) e_.emit(Ir::if_not_less, 0, d.here.reg, e_.number_constant(0), 0, good);
  const std::string message = "`" + std::string(what) + "` before any `from` or `to`";
  fail(message.c_str());
  e_.place(good);
  return d.here.is(Kind::cell);
}

void Lowering::act(const Todo* todo, Draft d) {
  if (stopped()) return;
  if (todo == nullptr) return finish(d);
  if (todo->then != nullptr) return todo->then->go(std::move(d));
  if (d.decided) {
    while (todo != nullptr && todo->then == nullptr) todo = todo->next;
    return act(todo, std::move(d));
  }
  // Behind an open choice nothing has been chosen: conditions are asked.
  const bool searches_in_full = in_full_ && compares(d);
  if ((mode_ != Mode::search || searches_in_full) && left_open_.count(todo->action) != 0) {
    if (searches_in_full && !once_)
      d.left = true; // it is written yet
    else
      d.recorded = false;
  }
  if (mode_ == Mode::search && passing_.count(todo->action) != 0) {
    if (node(todo->action).op == Op::require) note_fits(kid(todo->action, 0), d);
    return act(todo->next, std::move(d));
  }
  if (const LeftToPlay how = left_to_play(todo, d); how != LeftToPlay::no) return leave_to_play(todo, how, d);
  if (compares_notations(todo, d)) return;
  if (d.only_counted && !goes_on_counting(todo, d)) return give_up_counting();
  if (mode_ == Mode::search && d.compared && !keyed_ && d.recorded && !once_ && exact_ == 0 && reaching_ == 0)
    d.left = d.left || is_left_open(todo, d);
  if (mode_ == Mode::search && d.recorded && !d.left) followed_.insert(todo->action);
  if (++depth_ > kMaxDepth) fail("actions are nested too deeply");
  struct Leave {
    int& depth;
    std::uint32_t origin;
    Emitter& e;
    ~Leave() {
      --depth;
      e.at_origin(origin);
    }
  } const leave{depth_, e_.origin(), e_};
  if (depth_ > kMaxDepth) return;
  const NodeId id = todo->action;
  const Node n = node(id);
  e_.at_origin(n.origin);
  key_action(id, d);
  switch (group_of(n.op)) {
  case runtime::Group::joining: return join(todo, std::move(d));
  case runtime::Group::walking: return walk(todo, std::move(d));
  case runtime::Group::pieces: return handle(todo, std::move(d));
  case runtime::Group::position: return change_position(todo, std::move(d));
  case runtime::Group::any:
  case runtime::Group::number:
  case runtime::Group::truth:
  case runtime::Group::set:
  case runtime::Group::cells:
  case runtime::Group::directions:
  case runtime::Group::name:
  case runtime::Group::list:
  case runtime::Group::map:
  case runtime::Group::text: return fail("a value is no action");
  }
}

void Lowering::join(const Todo* todo, Draft d) {
  const Node n = node(todo->action);
  switch (as<JoiningOp>(n.op)) {
  case JoiningOp::sequence: return act_all(n, todo->next, d);
  case JoiningOp::alternatives: {
    if (walk_as_set(todo, d)) return;
    std::vector<NodeId> kids(program_.kids_of(n).begin(), program_.kids_of(n).end());
    std::optional<std::size_t> shared;
    const Todo* after = share(todo->next, d, kids.size(), kids, shared);
    std::vector<std::int32_t> values;
    for (std::size_t k = 0; k < kids.size(); ++k)
      if (node(kids[k]).op != Op::never) values.push_back(static_cast<std::int32_t>(k));
    const bool searches = mode_ == Mode::search && d.recorded;
    const Comparing alike = searches && !d.compared ? comparing(todo, d) : Comparing();
    ways(values, d, [&](std::size_t way, Draft e) {
      const Todo branch{kids[at(values[way])], after, nullptr};
      const bool here = alike.sometimes.count(branch.action) != 0;
      if (alike.always.count(branch.action) != 0) e.compared = true;
      if (e.compared || !searches || !here) return act(&branch, std::move(e));
      const Label compares = e_.label(), past = e_.label();
      {
        const Emitter::Scope scope(e_);
        e_.emit(Ir::if_not_equal, 0, alike.doubt, e_.number_constant(0), 0, compares);
        act(&branch, e);
        e_.go(past);
      }
      e_.place(compares);
      e.compared = true;
      {
        const Emitter::Scope scope(e_);
        act(&branch, std::move(e));
      }
      e_.place(past);
    });
    return compile_shared(shared);
  }
  case JoiningOp::otherwise: return otherwise(todo, d);
  case JoiningOp::repeat:
    if (walk_as_set(todo, d)) return;
    return repeat(todo, d);
  case JoiningOp::if_action: return if_action(todo, d);
  case JoiningOp::choose:
    if (walk_as_set(todo, d)) return;
    return choose(todo, std::move(d));
  case JoiningOp::choose_some: return choose_some(todo, std::move(d));
  case JoiningOp::each: return each(todo, std::move(d));
  case JoiningOp::most: return most(todo, d);
  case JoiningOp::distinct: return distinct(todo, d);
  case JoiningOp::quietly: return quietly(todo, d);
  case JoiningOp::by_kind_action: return by_kind(todo, d);
  case JoiningOp::by_player_action: return by_player(todo, d);
  }
}

void Lowering::walk(const Todo* todo, Draft d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  switch (as<WalkingOp>(n.op)) {
  case WalkingOp::from:
  case WalkingOp::to: {
    const bool starts = n.op == Op::from;
    Val from = plays(d) ? somewhere_in(kid(id, 0), d) : value(kid(id, 0), d);
    if (begin_bulk(todo, from, d)) return;
    if (from.is(Kind::set) && !plays(d)) from.reg = meet(from.reg, could_begin(todo->next, d, false));
    return choose_cell(from, todo->next, std::move(d), [&, starts](Draft& e, const Val& cell) {
      e.here = cell;
      e.heading = {};
      if (starts) e.start = cell;
      if (starts && writes(e)) e_.emit(Ir::say_from, 0, cell.reg);
      if (starts && keys(e)) key_from(cell, e);
    });
  }
  case WalkingOp::at: return at_cell(todo, std::move(d));
  case WalkingOp::go:
    if (walk_as_set(todo, d)) return;
    return go(todo, std::move(d));
  case WalkingOp::bend: return bend(todo, std::move(d));
  case WalkingOp::let:
    if (let_either(todo, d)) return;
    let(id, d);
    return act(todo->next, std::move(d));
  case WalkingOp::require: {
    if (plays(d)) return act(todo->next, std::move(d));
    const Label past = e_.label();
    {
      const Emitter::Scope scope(e_);
      jump(kid(id, 0), false, past, d);
      note_fits(kid(id, 0), d);
      act(todo->next, std::move(d));
    }
    e_.place(past);
    return;
  }
  case WalkingOp::never: return;
  }
}

void Lowering::act_all(const Node& n, const Todo* after, const Draft& d) {
  std::vector<Todo> chain(n.count);
  for (std::size_t k = chain.size(); k-- > 0;)
    chain[k] = {program_.kids[n.kids + k], k + 1 < chain.size() ? &chain[k + 1] : after, nullptr};
  act(chain.empty() ? after : chain.data(), d);
}

// An action, and then something that isn't one.
void Lowering::act_then(NodeId action, Draft d, Continuation then) {
  const Todo end{kNoNode, nullptr, &then};
  const Todo begin{action, &end, nullptr};
  act(&begin, std::move(d));
}

// ---------------------------------------------------------------- the walker

void Lowering::at_cell(const Todo* todo, Draft d) {
  if (!need_here(d, "at")) return;
  if (plays(d)) {
    d.there[d.here.reg] = on(d, d.here.reg) & contents_of(kid(todo->action, 0), d);
    return act(todo->next, std::move(d));
  }
  if (d.only_counted && !can_test_counted(kid(todo->action, 0), d)) return give_up_counting();
  const Label past = e_.label();
  {
    const Emitter::Scope scope(e_);
    const Val tested = value(kid(todo->action, 0), d);
    e_.emit(Ir::if_out, 0, d.here.reg, set_of(tested), 0, past);
    d.there[d.here.reg] = on(d, d.here.reg) & tested.contents;
    act(todo->next, std::move(d));
  }
  e_.place(past);
}

// The part of what comes next that goes from cell to cell and does nothing else, and of which nobody asks
// later which way it took; empty where there is none, or only a single step in one direction.
Lowering::Steps Lowering::walk_ahead(const Todo* todo, const Draft& d, const Todo*& rest,
                                     std::vector<std::int32_t>& slots, bool asks) const {
  Steps walk;
  rest = todo;
  int goes = 0;
  if (exact_ > 0 || d.here.is(Kind::none)) return {};
  for (; rest != nullptr && rest->then == nullptr && is_walk(rest->action); rest = rest->next) {
    const Node& n = node(rest->action);
    if (contains(rest->action, Op::heading) || contains(rest->action, Op::here)) return {};
    if (n.op == Op::choose) slots.push_back(n.a);
    goes += n.op == Op::at || n.op == Op::choose ? 0 : 1;
    flatten(rest->action, walk);
  }
  if (!asks) return walk;
  if (goes == 0 || reads_way(rest, -1)) return {};
  for (const std::int32_t slot : slots)
    if (reads_way(rest, slot)) return {};
  // A single step in one direction is taken as such.
  const auto tests_only = [this](NodeId part) { return node(part).op == Op::at; };
  if (goes == 1 && node(walk[0]).op == Op::go && is_one_step(program_.kid(node(walk[0]), 0)) &&
      std::all_of(walk.begin() + 1, walk.end(), tests_only))
    return {};
  return walk;
}

// Likewise a walk round curves, whose ends are found by going every way. What it has met before it asks for
// its heading it doesn't take from what came before it.
Lowering::Steps Lowering::bent_walk_ahead(const Todo* todo, const Draft& d, const Todo*& rest,
                                          std::vector<std::int32_t>& slots) const {
  Steps walk;
  bool turns = false, heads = false;
  if (exact_ > 0 || d.here.is(Kind::none)) return {};
  for (rest = todo; rest != nullptr && rest->then == nullptr && bends(rest->action); rest = rest->next) {
    const Node& n = node(rest->action);
    if (contains(rest->action, Op::here) || (!heads && contains(rest->action, Op::heading))) return {};
    if (n.op == Op::choose) slots.push_back(n.a);
    heads = heads || n.op == Op::go || n.op == Op::bend;
    turns = turns || contains_action(rest->action, Op::bend);
    walk.push_back(rest->action);
  }
  if (!turns || reads_way(rest, -1)) return {};
  for (const std::int32_t slot : slots)
    if (reads_way(rest, slot)) return {};
  return walk;
}

bool Lowering::taken_as_set(const Todo* todo, const Draft& d, const Todo*& rest) {
  std::vector<std::int32_t> slots;
  const Steps walk = walk_ahead(todo, d, rest, slots, true);
  if (walk.empty() && never_walks_.count(todo->action) == 0 && !bent_walk_ahead(todo, d, rest, slots).empty())
    return true;
  if (walk.empty() || never_walks_.count(todo->action) != 0) return false;
  Draft inside = d;
  Emitter::Attempt attempt(e_);
  const bool taken = walked(walk, 0, d.here, inside).has_value();
  attempt.give_up();
  return taken;
}

// Playing a move must know whether a walk is taken as a set, and how far it goes: what comes behind may be
// code that is shared, which no walk goes into. So it must be the same everywhere, or no walk anywhere.
void Lowering::note_walk(NodeId id, const WalkAsSet& as) {
  const auto [known, fresh] = walks_.try_emplace(id, as);
  if (known->second == as) return;
  if (never_walks_.insert(id).second) again_ = true;
}

// Tests behind the last step needn't belong to the walk: the walker is where it will be.
WalkAsSet Lowering::walk_up_to(const Todo* todo, const Todo* rest, bool bent) const {
  WalkAsSet as{todo->action, bent};
  for (; todo != rest; todo = todo->next)
    if (node(todo->action).op != Op::at) as.last = todo->action;
  return as;
}

// What may be on the cells where a walk ends, which has bound the slots on its way.
Contents Lowering::contents_at_end(const Steps& walk, const std::vector<std::int32_t>& slots,
                                   const Draft& d) {
  if (walk.empty() || node(walk.back()).op != Op::at) return all_contents();
  const NodeId tested = kid(walk.back(), 0);
  for (const std::int32_t slot : slots)
    if (contains_local(tested, slot)) return all_contents();
  return contents_of(tested, d);
}

// A walk, of which only the cell matters where it ends, is a choice among these cells.
bool Lowering::walk_as_set(const Todo* todo, const Draft& d) {
  const Todo* rest = nullptr;
  if (d.only_counted) { // such a set is asked of a board on which pieces have been lifted
    if (!taken_as_set(todo, d, rest)) return false;
    give_up_counting();
    return true;
  }
  std::vector<std::int32_t> slots;
  const auto stand = [](Draft& e, const Val& cell) {
    e.here = cell;
    e.heading = {};
  };
  // Playing a move takes the way that searching it has taken.
  if (plays(d)) {
    const auto known = walks_.find(todo->action);
    if (known == walks_.end() || known->second.last == kNoNode) return false;
    const bool bent = known->second.bent;
    const Steps walk = bent ? bent_walk_ahead(todo, d, rest, slots) : walk_ahead(todo, d, rest, slots, false);
    note_walk(todo->action, walk_up_to(todo, rest, bent));
    Val ends = any_set(board_);
    ends.contents = contents_at_end(walk, slots, d);
    choose_cell(ends, rest, d, stand);
    return true;
  }
  Steps walk = walk_ahead(todo, d, rest, slots, true);
  const bool bent = walk.empty() && d.recorded;
  if (bent) walk = bent_walk_ahead(todo, d, rest, slots);
  if (walk.empty() || (d.recorded && never_walks_.count(todo->action) != 0)) {
    if (d.recorded) note_walk(todo->action, {});
    return false;
  }
  Draft inside = d;
  const Emitter::Scope scope(e_);
  Emitter::Attempt attempt(e_);
  const auto ends = bent ? searched(walk, d.here, inside) : walked(walk, 0, d.here, inside);
  if (d.recorded) note_walk(todo->action, ends ? walk_up_to(todo, rest, bent) : WalkAsSet());
  if (!ends) {
    attempt.give_up();
    return false;
  }
  Val found = any_set(*ends);
  found.contents = contents_at_end(walk, slots, d);
  choose_cell(found, rest, d, stand);
  return true;
}

void Lowering::go(const Todo* todo, Draft d) {
  if (!need_here(d, "go")) return;
  const NodeId way = kid(todo->action, 0);
  const auto steps = constant_steps(way, d);
  const bool chosen = !is_one_step(way); // which direction it is, is a choice of the move
  if (chosen && plays(d)) {
    const Val step = given_choice(Type::directions);
    if (step.is(Kind::steps)) return hop(step.steps.first(), todo->next, std::move(d));
    return hop_by(step.reg, todo->next, std::move(d));
  }
  if (!steps) {
    // Each direction that it may be, if it is.
    const StepSet possible = possible_steps(way, d);
    constexpr std::size_t kWorthUnrolling = 3'000; // nodes
    const bool plain = node(way).op == Op::minus || node(way).op == Op::meet || node(way).op == Op::unite ||
                       node(way).op == Op::if_value || node(way).op == Op::select;
    if (plain && at(possible.count()) * (sizes_.weight(todo->next) + 4) <= kWorthUnrolling) {
      std::vector<std::int32_t> each;
      possible.each([&](int s) { each.push_back(s); });
      return ways(each, d, [&](std::size_t k, Draft e) {
        const Label past = e_.label();
        {
          const Emitter::Scope scope(e_);
          jump_step(way, each[k], false, past, e);
          hop(each[k], todo->next, std::move(e));
        }
        e_.place(past);
      });
    }
    const Val v = value(way, d);
    if (v.is(Kind::step)) {
      if (chosen) record(d, v.reg);
      return hop_by(v.reg, todo->next, std::move(d));
    }
    if (!chosen) return hop_by(e_.number_value(Ir::first, ways_of(v)), todo->next, std::move(d));
    const Reg mark = e_.new_number(2);
    e_.emit(Ir::mark, mark);
    each_member(v, Type::directions, [&](const Val& member, Label) {
      Draft e = d;
      e_.forget_values();
      record(e, member.reg);
      hop_by(member.reg, todo->next, std::move(e));
      e_.emit(Ir::undo, 0, mark);
    });
    return;
  }
  if (steps->count() == 1) {
    if (chosen) record(d, static_cast<std::int32_t>(steps->first()));
    return hop(steps->first(), todo->next, std::move(d));
  }
  if (steps->none()) return;
  std::vector<std::int32_t> all;
  steps->each([&](int s) { all.push_back(s); });
  std::optional<std::size_t> shared;
  const Todo* after = share(todo->next, d, all.size(), {todo->action}, shared);
  ways(all, d, [&](std::size_t k, Draft e) { hop(all[k], after, std::move(e)); });
  compile_shared(shared);
}

// One step, and the test behind it in the same operation.
void Lowering::hop(int step, const Todo* after, Draft d) {
  const bool tests = after != nullptr && after->then == nullptr && node(after->action).op == Op::at &&
                     !contains(kid(after->action, 0), Op::here) &&
                     !contains(kid(after->action, 0), Op::heading);
  step_counted(step, d);
  if (tests && d.only_counted && !can_test_counted(kid(after->action, 0), d)) return give_up_counting();
  const Label past = e_.label();
  {
    const Emitter::Scope scope(e_);
    Val in = any_set(board_);
    if (tests && !plays(d)) in = value(kid(after->action, 0), d);
    const Reg cell = e_.new_number();
    if (plays(d))
      e_.emit(Ir::step_to, cell, d.here.reg, e_.number_constant(step));
    else
      e_.emit(Ir::hop, cell, d.here.reg, set_of(in), step, past);
    Contents there = in.contents;
    if (tests && plays(d)) {
      Draft asked = d;
      Emitter::Attempt attempt(e_);
      there = value(kid(after->action, 0), asked).contents;
      attempt.give_up();
    }
    d.here = make_cell(cell, there);
    d.heading = make_steps(StepSet::of(step));
    d.there[cell] = there;
    act(tests ? after->next : after, std::move(d));
  }
  e_.place(past);
}

void Lowering::hop_by(Reg step, const Todo* after, Draft d) {
  d.line = kLineLost;
  d.fresh = false;
  const Label past = e_.label();
  {
    const Emitter::Scope scope(e_);
    const Reg cell = e_.new_number();
    if (plays(d))
      e_.emit(Ir::step_to, cell, d.here.reg, step);
    else
      e_.emit(Ir::hop_by, cell, d.here.reg, board_, step, past);
    d.here = make_cell(cell, all_contents());
    d.heading = make_step(step);
    d.there[cell] = all_contents();
    act(after, std::move(d));
  }
  e_.place(past);
}

// The number of the curve is the choice.
// The curve (its number + 1) by which a cell is left in a direction, -1 if there is none; nothing where it
// could be one of several.
std::optional<Reg> Lowering::curve_from(Reg cell, const Val& way) {
  if (!is_on(Form::curves)) return std::nullopt;
  const std::size_t steps = board().steps.size(), cells = at(board().cells);
  constexpr std::size_t kMostEntries = 1 << 16;
  const bool known = way.is(Kind::steps) && way.steps.count() == 1;
  if ((!known && !way.is(Kind::step)) || cells * steps > kMostEntries) return std::nullopt;
  std::vector<std::int16_t> curves(cells * steps, -1); // by step, then by cell
  for (std::size_t k = 0; k < board().curves.size(); ++k) {
    const Curve& c = board().curves[k];
    std::int16_t& of = curves[at(c.leaving) * cells + at(c.from)];
    if (of >= 0) return std::nullopt;
    of = static_cast<std::int16_t>(k + 1);
  }
  const Reg curve = e_.new_number();
  if (known) {
    const auto begin = curves.begin() + static_cast<std::ptrdiff_t>(at(way.steps.first()) * cells);
    const std::vector<std::int16_t> leaving(begin, begin + static_cast<std::ptrdiff_t>(cells));
    e_.emit(Ir::place, curve, cell, 0, 0, place_table(leaving));
    return curve;
  }
  const Reg begin = e_.new_number(), entry = e_.new_number();
  e_.emit(Ir::multiply, begin, way.reg, e_.number_constant(board().cells));
  e_.emit(Ir::add, entry, begin, cell); // less than 0 for no step
  e_.emit(Ir::place, curve, entry, 0, 0, place_table(curves));
  return curve;
}

// Along a curve that is known by its number + 1.
void Lowering::follow_curve(Reg curve, Reg to, Draft& d) {
  std::vector<std::int16_t> ends{-1}, headings{-1};
  for (const Curve& c : board().curves) {
    ends.push_back(c.to);
    headings.push_back(c.heading);
  }
  e_.emit(Ir::place, to, curve, 0, 0, place_table(ends));
  e_.emit(Ir::place, static_cast<Reg>(to + 1), curve, 0, 0, place_table(headings));
  d.here = make_cell(to, all_contents());
  d.heading = make_step(static_cast<Reg>(to + 1));
  d.there[to] = all_contents();
}

void Lowering::bend(const Todo* todo, Draft d) {
  if (!need_here(d, "bend")) return;
  const Reg to = e_.new_number(2), index = e_.new_number();
  if (plays(d)) {
    follow_curve(given_choice(Type::number).reg, to, d);
    return act(todo->next, std::move(d));
  }
  const Emitter::Scope scope(e_);
  const Val way = value(kid(todo->action, 0), d);
  if (const auto curve = curve_from(d.here.reg, way)) {
    const Label none = e_.label();
    {
      const Emitter::Scope inside(e_);
      e_.emit(Ir::if_less, 0, *curve, e_.number_constant(0), 0, none);
      follow_curve(*curve, to, d);
      record(d, *curve);
      act(todo->next, std::move(d));
    }
    return e_.place(none);
  }
  const Reg by = ways_of(way);
  const Reg mark = e_.new_number(2);
  const Label next = e_.label(), past = e_.label();
  e_.emit(Ir::mark, mark);
  e_.emit(Ir::constant, index, 0, 0, 0, 0);
  e_.place(next);
  e_.forget_values();
  e_.emit(Ir::bend, to, d.here.reg, by, index, past);
  {
    const Emitter::Scope inside(e_);
    d.here = make_cell(to, all_contents());
    d.heading = make_step(static_cast<Reg>(to + 1));
    d.there[to] = all_contents();
    record(d, index);
    act(todo->next, std::move(d));
  }
  e_.emit(Ir::undo, 0, mark);
  e_.go(next);
  e_.place(past);
}

// ---------------------------------------------------------------- cases

void Lowering::if_action(const Todo* todo, const Draft& d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  if (only_says(id)) {
    Draft e = d;
    say_either(id, e);
    return act(todo->next, std::move(e));
  }
  const NodeId otherwise = n.count > 2 ? kid(id, 2) : kNoNode;
  std::vector<NodeId> branches{kid(id, 1)};
  if (otherwise != kNoNode) branches.push_back(otherwise);
  std::optional<std::size_t> shared;
  const Todo* after = share(todo->next, d, 2, branches, shared);
  const Todo then{kid(id, 1), after, nullptr}, no{otherwise, after, nullptr};
  const auto follow = [&](bool holds, Draft e) {
    // (One branch alone would be other code than what comes behind, for all that isn't in it.)
    const Contents possible = otherwise == kNoNode ? all_contents() : contents_where(kid(id, 0), holds);
    if (e.here.is(Kind::cell) && possible != all_contents())
      e.there[e.here.reg] = on(e, e.here.reg) & possible;
    act(holds ? &then : otherwise != kNoNode ? &no : after, std::move(e));
  };
  if (plays(d)) {
    ways({0, 1}, d, [&](std::size_t way, Draft e) { follow(way == 0, std::move(e)); });
    return compile_shared(shared);
  }
  const Label other = e_.label(), past = e_.label();
  {
    const Emitter::Scope scope(e_);
    Draft e = d;
    jump(kid(id, 0), false, other, e);
    e.choices = d.choices;
    record(e, std::int32_t{0});
    follow(true, std::move(e));
    e_.go(past);
  }
  e_.place(other);
  {
    const Emitter::Scope scope(e_);
    Draft e = d;
    record(e, std::int32_t{1});
    follow(false, std::move(e));
  }
  e_.place(past);
  compile_shared(shared);
}

// By the kind of the piece on a cell: the kind is a choice of the move.
void Lowering::by_kind(const Todo* todo, const Draft& d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  std::vector<NodeId> branches;
  for (std::uint32_t k = 1; k < n.count; ++k) branches.push_back(kid(id, k));
  std::optional<std::size_t> shared;
  const Todo* after = share(todo->next, d, branches.size(), branches, shared);
  const auto follow = [&](std::size_t k, Draft e) {
    const Todo branch{branches[k], after, nullptr};
    act(&branch, std::move(e));
  };
  std::vector<std::int32_t> values;
  for (std::size_t k = 0; k < branches.size(); ++k) values.push_back(static_cast<std::int32_t>(k));
  const auto contents = [&](std::size_t k) {
    return k + 1 == branches.size() ? Contents(1) : contents_of_kind(static_cast<int>(k));
  };
  if (plays(d)) {
    const bool walker = node(kid(id, 0)).op == Op::here && d.here.is(Kind::cell);
    ways(values, d, [&](std::size_t k, Draft e) {
      if (walker) e.there[e.here.reg] = on(e, e.here.reg) & contents(k);
      follow(k, std::move(e));
    });
    return compile_shared(shared);
  }
  Draft asked = d;
  const Val where = value(kid(id, 0), asked);
  const Reg cell = cell_of(where);
  const Contents possible = where.is(Kind::cell) ? on(d, cell) : all_contents();
  const Label past = e_.label();
  const bool there_is = d.here.is(Kind::cell) && d.here.reg == cell && maybe_none_.count(cell) == 0;
  for (std::size_t k = 0; k < branches.size(); ++k) {
    const bool last = k + 1 == branches.size();
    const Contents here = contents(k);
    const bool never = node(branches[k]).op == Op::never;
    if (never || (here & possible).none()) continue;
    const Label next = e_.label();
    const Emitter::Scope scope(e_);
    Draft e = d;
    if (last) {
      const Label none = e_.label();
      if (!there_is) e_.emit(Ir::if_less, 0, cell, e_.number_constant(0), 0, none);
      e_.emit(Ir::if_out, 0, cell, layout_.empty, 0, next);
      e_.place(none);
    } else {
      if (!there_is) e_.emit(Ir::if_less, 0, cell, e_.number_constant(0), 0, next);
      e_.emit(Ir::if_out, 0, cell, kind_cells(static_cast<int>(k)), 0, next);
    }
    if (where.is(Kind::cell)) e.there[cell] = on(d, cell) & here;
    record(e, static_cast<std::int32_t>(k));
    follow(k, std::move(e));
    e_.go(past);
    e_.place(next);
  }
  e_.place(past);
  compile_shared(shared);
}

void Lowering::by_player(const Todo* todo, const Draft& d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  std::vector<NodeId> branches;
  for (std::uint32_t k = 1; k < n.count; ++k) branches.push_back(kid(id, k));
  std::optional<std::size_t> shared;
  const Todo* after = share(todo->next, d, branches.size(), branches, shared);
  const auto follow = [&](std::size_t k, Draft e) {
    const Todo branch{branches[k], after, nullptr};
    act(&branch, std::move(e));
  };
  std::vector<std::int32_t> values;
  for (std::size_t k = 0; k < branches.size(); ++k) values.push_back(static_cast<std::int32_t>(k));
  if (plays(d)) {
    ways(values, d, follow);
    return compile_shared(shared);
  }
  Draft asked = d;
  const Reg which = number(kid(id, 0), asked);
  const Label past = e_.label();
  for (std::size_t k = 0; k < branches.size(); ++k) {
    const Label next = e_.label();
    const Emitter::Scope scope(e_);
    Draft e = d;
    e_.emit(Ir::if_not_equal, 0, which, e_.number_constant(static_cast<std::int32_t>(k)), 0, next);
    record(e, static_cast<std::int32_t>(k));
    follow(k, std::move(e));
    e_.go(past);
    e_.place(next);
  }
  e_.place(past);
  compile_shared(shared);
}

} // namespace boardwright::runtime::lowering
