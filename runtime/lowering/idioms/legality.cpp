// Conditions behind a choice of a cell that hold for many cells at once: `to S, put, require not attacked`.
//
// # What it rests on
// A piece is carried, and what comes next lays it on one of many cells. That changes one cell only, from
// something that is known (Contents) to something that is known. So of many conditions it can be said that
// they can't fail because of it if they hold before: a piece that comes may stand in the way of an attack,
// but it opens none. Such a condition is asked once, with the piece that is carried, instead of once for
// every cell. Of walks for which a new piece may be good (the screen of a piece that leaps) the cells they
// look at are collected: elsewhere a change can't matter to them. All other cells are tried one by one, as
// ever.
#include "runtime/lowering/idioms/legality.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

// ---------------------------------------------------------------- what comes behind the choice

namespace {

bool hold_sure(const Context& cx, NodeId id, Sure& s);
bool condition_stays(const Context& cx, NodeId id, Sure& s);

// Follows the actions behind the choice, which must begin with `put`. False: nothing can be said.
bool follow_sure(const Context& cx, const Todo* todo, bool laid, Sure& s) {
  if (todo == nullptr) return laid;
  if (todo->then != nullptr) return todo->then->shares && follow_sure(cx, todo->then->after, laid, s);
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  const auto on = [&] { return follow_sure(cx, todo->next, laid, s); };
  if (laid && cx.speculation.never_deferred.count(id) == 0 && certain(cx, todo, s.behind)) {
    s.left = id;
    return true;
  }
  switch (n.op) {
  case Op::put:
    if (laid || n.count > 0) return false;
    return follow_sure(cx, todo->next, true, s);
  case Op::set_variable:
    if (!cx.facts.harmless(cx.kid(id, 0))) return false;
    s.change.variables.insert(n.a);
    return on();
  case Op::pass:
  case Op::say: return cx.facts.harmless(id) && on();
  case Op::let:
    if (!cx.facts.harmless(cx.kid(id, 0)) || cx.facts.is_changed(n.a)) return false;
    s.change.locals[n.a] = Monotonicity::unknown; // what is bound only now can't be asked before
    return on();
  case Op::if_action: {
    if (!laid) return false;
    const auto where = cx.facts.cells_where(cx.kid(id, 0), s.change.after & ~s.spoiling);
    if (!where) return false;
    const bool holds = s.cells == (s.cells & where->first);
    if (!holds) s.cells = s.cells - where->second;
    if (s.cells.none()) return false;
    s.choices.push_back({ir::Choice::From::constant, holds ? 0 : 1, -1});
    const Todo branch{holds ? cx.kid(id, 1) : n.count > 2 ? cx.kid(id, 2) : kNoNode, todo->next, nullptr};
    return follow_sure(cx, branch.action == kNoNode ? todo->next : &branch, laid, s);
  }
  case Op::require: return laid && hold_sure(cx, cx.kid(id, 0), s) && on();
  default: return false;
  }
}

// A condition that comes then.
bool hold_sure(const Context& cx, NodeId id, Sure& s) {
  const Node& n = cx.node(id);
  if (const auto where = cx.facts.cells_where(id, s.change.after & ~s.spoiling)) {
    s.cells = s.cells & where->first;
    return s.cells.any();
  }
  std::vector<NodeId> any;
  if (n.op == Op::any_of) { // those of which something can be said
    for (std::uint32_t i = 0; i < n.count; ++i) {
      Sure with = s;
      if (!condition_stays(cx, cx.kid(id, i), with)) continue;
      any.push_back(cx.kid(id, i));
      s = std::move(with);
    }
  } else if (condition_stays(cx, id, s)) {
    any.push_back(id);
  }
  if (any.empty()) return false;
  s.conditions.push_back(std::move(any));
  return true;
}

// `not some few & reach(many, walk)`, where the piece that is carried will be one of the few: it may go
// wherever the walk doesn't lead, as long as a new piece opens no way for it.
bool not_attacked(const Context& cx, NodeId id, Sure& s) {
  if (!s.one_of_few || cx.node(id).op != Op::negation || cx.node(cx.kid(id, 0)).op != Op::some) return false;
  const NodeId of = cx.kid(cx.kid(id, 0), 0);
  if (cx.node(of).op != Op::meet) return false;
  for (const std::uint32_t k : {0u, 1u}) {
    const NodeId walk = cx.kid(of, k), few = cx.kid(of, 1 - k);
    if (cx.node(walk).op != Op::reach || !cx.facts.codes_in(few) || !cx.facts.codes_in(cx.kid(walk, 0)))
      continue;
    const Monotonicity t = MonotonicityFacts(cx.facts).monotonicity(walk, s.change);
    if (t != Monotonicity::same && t != Monotonicity::shrinks) continue;
    s.attacks.push_back(walk);
    return true;
  }
  return false;
}

// A condition that stays, perhaps not with every piece that is carried.
bool condition_stays(const Context& cx, NodeId id, Sure& s) {
  const std::vector<NodeId> watched = s.watched;
  const Contents codes = s.change.after;
  const auto stays_with = [&](const Contents& c) {
    CellChange change = s.change;
    change.after = c;
    s.watched = watched;
    return MonotonicityFacts(cx.facts).stays(id, true, change, s.watched);
  };
  if (s.one_of_few) {
    if (stays_with(codes)) return true;
    s.watched = watched;
    return not_attacked(cx, id, s);
  }
  Contents good;
  for (std::size_t code = 0; code < codes.size(); ++code)
    if (codes.test(code) && stays_with(Contents().set(code))) good.set(code);
  // Together they must be good too.
  s.spoiling |= codes & ~good;
  good &= ~s.spoiling;
  return good.any() && stays_with(good);
}

// ---------------------------------------------------------------- its code

// All cells that are left but some.
void take_all(Context& cx, const Sure& s, Reg except, Reg left, AbstractDraft d) {
  const Emitter::Scope scope(cx.e); // `left` changes, and not every way comes through here
  Reg leaves = s.cells == cx.board().all ? left : meet(cx, left, cx.e.set_constant(s.cells));
  if (except != cx.no_cells) {
    const Reg others = cx.e.new_set();
    cx.e.emit(Ir::set_minus, others, leaves, except);
    leaves = others;
  }
  if (s.left != kNoNode) cx.taken.deferred.insert(s.left);
  d.choices.push_back({ir::Choice::From::open, 0, -1});
  d.choices.insert(d.choices.end(), s.choices.begin(), s.choices.end());
  const AbstractValue open = any_set(cx, leaves);
  leaf(cx, &open, d);
  cx.e.emit(Ir::set_minus, left, left, leaves);
}

void ask_conditions(Context& cx, const Sure& s, AbstractDraft& d, Label fail) {
  for (const auto& any : s.conditions) {
    const Label holds = cx.e.label();
    const Emitter::Scope scope(cx.e);
    for (std::size_t i = 0; i + 1 < any.size(); ++i) {
      const Emitter::Scope one(cx.e);
      jump(cx, any[i], true, holds, d);
    }
    {
      const Emitter::Scope one(cx.e);
      jump(cx, any.back(), false, fail, d);
    }
    cx.e.place(holds);
  }
}

// Adds where a walk leads from many cells, kind by kind.
void join_reached(Context& cx, NodeId walk, Reg into, AbstractDraft& d) {
  const Path* way = cx.facts.path(cx.kid(walk, 1));
  const bool by_kind = way != nullptr && way->is(Path::Kind::by_kind) && cx.node(way->of).op == Op::here;
  const Reg many = set(cx, cx.kid(walk, 0), d);
  if (!by_kind) {
    const Emitter::Scope scope(cx.e);
    cx.e.emit(Ir::set_join, into, set(cx, walk, d));
    return;
  }
  for (std::size_t k = 0; k + 1 < way->parts.size(); ++k) {
    if (way->parts[k].is_never()) continue;
    const Label none = cx.e.label();
    const Emitter::Scope scope(cx.e);
    const Reg starts = meet(cx, many, kind_cells(cx, static_cast<int>(k)));
    cx.e.emit(Ir::if_none, 0, starts, 0, 0, none);
    {
      const Emitter::Scope inside(cx.e);
      AbstractDraft e = d;
      e.here = e.heading = {};
      Emitter::Attempt attempt(cx.e);
      if (const auto ends = image(cx, way->parts[k], any_set(cx, starts), e)) {
        cx.e.emit(Ir::set_join, into, *ends);
      } else {
        attempt.give_up();
        cx.e.emit(Ir::set_copy, into, cx.all_cells); // whatever it reaches
      }
    }
    cx.e.place(none);
  }
}

// Adds the cells that a question looks at (`some few & reach(many, walk)`, asked from the few backwards).
void watch(Context& cx, NodeId question, Reg seen, const CellChange& change, AbstractDraft& d) {
  const NodeId of = cx.kid(question, 0);
  const std::uint32_t k = cx.node(cx.kid(of, 0)).op == Op::reach ? 0 : 1;
  const NodeId walk = cx.kid(of, k), few = cx.kid(of, 1 - k), many = cx.kid(walk, 0);
  const Path& way = *cx.facts.path(cx.kid(walk, 1)); // it can be watched
  std::vector<std::pair<const Path*, Reg>> walks;    // and where each begins
  const Reg all = set(cx, many, d);
  if (way.is(Path::Kind::by_kind)) {
    for (std::size_t i = 0; i + 1 < way.parts.size(); ++i) {
      const Monotonicity t =
          MonotonicityFacts(cx.facts).monotonicity_of_kind(many, way.parts[i], static_cast<int>(i), change);
      if (t == Monotonicity::same || t == Monotonicity::shrinks) continue; // no new piece is good for it
      walks.emplace_back(&way.parts[i], meet(cx, all, kind_cells(cx, static_cast<int>(i))));
    }
  } else {
    walks.emplace_back(&way, all);
  }
  const AbstractValue targets = value(cx, few, d);
  // Or could the piece that comes begin one?
  const Monotonicity more = MonotonicityFacts(cx.facts).monotonicity(many, change);
  const bool comes = more != Monotonicity::same && more != Monotonicity::shrinks;
  for (const auto& [one, starts] : walks) {
    const Label none = cx.e.label();
    const Emitter::Scope scope(cx.e);
    if (!comes) cx.e.emit(Ir::if_none, 0, starts, 0, 0, none); // no such walk begins anywhere
    each_member(cx, targets, Type::cells, [&, walk_of_kind = one](const AbstractValue& target, Label) {
      cx.looks.seen = {seen};
      cx.looks.looked.clear();
      AbstractDraft inside = d;
      Emitter::Attempt attempt(cx.e);
      if (!preimage(cx, *walk_of_kind, target, inside)) {
        attempt.give_up();
        cx.e.emit(Ir::set_copy, seen, cx.all_cells); // whatever it looks at
      }
      cx.looks.seen.clear();
    });
    cx.e.place(none);
  }
}

} // namespace

std::optional<Sure> sure_behind(const Context& cx, const Todo* after, const AbstractValue& from,
                                const AbstractDraft& d, const Contents* few) {
  if (!is_on(Idiom::sure_legality)) return std::nullopt;
  if (cx.stacks() || d.carried.kind == Carried::Kind::nothing || !d.here.is(Kind::cell) || after == nullptr)
    return std::nullopt;
  Sure s;
  s.cells = cx.board().all;
  s.change.before = from.contents;
  s.change.before.set(0); // it may be the cell that has just been left
  s.change.after = few != nullptr ? *few : d.carried.codes;
  s.change.after.reset(0);
  s.one_of_few = few != nullptr;
  s.behind.here = make_cell(0, from.contents);
  if (!follow_sure(cx, after, false, s) || s.conditions.empty()) return std::nullopt;
  if (d.carried.kind == Carried::Kind::known && s.spoiling.any()) return std::nullopt;
  return s;
}

void take_sure(Context& cx, const Sure& s, const std::optional<Sure>& few, Reg left, AbstractDraft d) {
  const Label slow = cx.e.label(), spoilt = cx.e.label();
  const Emitter::Scope scope(cx.e);
  for (std::size_t code = 0; code < s.spoiling.size(); ++code)
    if (s.spoiling.test(code))
      cx.e.emit(Ir::if_equal, 0, cx.layout.carried, cx.e.number_constant(static_cast<std::int32_t>(code)), 0,
                spoilt);
  const Reg seen = s.watched.empty() ? cx.no_cells : cx.e.new_set();
  {
    const Emitter::Scope inside(cx.e);
    ask_conditions(cx, s, d, slow);
    if (seen != cx.no_cells) {
      cx.e.emit(Ir::set_copy, seen, cx.no_cells);
      CellChange change = s.change;
      change.after &= ~s.spoiling;
      for (const NodeId question : s.watched) watch(cx, question, seen, change, d);
    }
  }
  take_all(cx, s, seen, left, d);
  if (few) cx.e.go(slow);
  cx.e.place(spoilt);
  if (few) {
    const Emitter::Scope inside(cx.e);
    ask_conditions(cx, *few, d, slow);
    const Reg attacked = cx.e.new_set();
    cx.e.emit(Ir::set_copy, attacked, cx.no_cells);
    for (const NodeId question : few->watched) watch(cx, question, attacked, few->change, d);
    for (const NodeId walk : few->attacks) join_reached(cx, walk, attacked, d);
    take_all(cx, *few, attacked, left, d);
  }
  cx.e.place(slow);
}

void look(Context& cx, Reg cells) {
  if (cx.looks.seen.empty() || !cx.looks.looked.insert(cells).second) return;
  for (const Reg seen : cx.looks.seen) cx.e.emit(Ir::set_join, seen, cells);
}

} // namespace boardwright::runtime::lowering
