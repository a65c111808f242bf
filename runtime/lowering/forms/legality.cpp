// Conditions behind a choice of a cell that hold for many cells at once: `to S, put, require not attacked`.
//
// # What it rests on
// A piece is in the air, and what comes next lays it on one of many cells. That changes one cell only, from
// something that is known (Contents) to something that is known. So of many conditions it can be said that
// they can't fail because of it if they hold before: a piece that comes may stand in the way of an attack,
// but it opens none. Such a condition is asked once, with the piece in the air, instead of once for every
// cell. Of walks for which a new piece may be good (the screen of a piece that leaps) the cells they look at
// are collected: elsewhere a change can't matter to them. All other cells are tried one by one, as ever.
#include "runtime/lowering/forms/legality.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// ---------------------------------------------------------------- what comes behind the choice

// Follows the actions behind the choice, which must begin with `put`. False: nothing can be said.
bool Lowering::follow_sure(const Todo* todo, bool laid, Sure& s) const {
  if (todo == nullptr) return laid;
  if (todo->then != nullptr) return todo->then->shares && follow_sure(todo->then->after, laid, s);
  const NodeId id = todo->action;
  const Node n = node(id);
  const auto on = [&] { return follow_sure(todo->next, laid, s); };
  if (laid && never_open_.count(id) == 0 && certain(todo, s.behind)) {
    s.left = id;
    return true;
  }
  switch (n.op) {
  case Op::sequence: {
    std::vector<Todo> chain(n.count);
    for (std::size_t k = chain.size(); k-- > 0;)
      chain[k] = {program_.kids[n.kids + k], k + 1 < chain.size() ? &chain[k + 1] : todo->next, nullptr};
    return follow_sure(chain.empty() ? todo->next : chain.data(), laid, s);
  }
  case Op::put:
    if (laid || n.count > 0) return false;
    return follow_sure(todo->next, true, s);
  case Op::set_variable:
    if (!harmless(kid(id, 0))) return false;
    s.change.variables.insert(n.a);
    return on();
  case Op::pass:
  case Op::say: {
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (!harmless(kid(id, i))) return false;
    return on();
  }
  case Op::let:
    if (!harmless(kid(id, 0)) || is_changed(n.a)) return false;
    s.change.locals[n.a] = Trend::unknown; // what is bound only now can't be asked before
    return on();
  case Op::if_action: {
    if (!laid) return false;
    const auto where = cells_where(kid(id, 0), s.change.after & ~s.spoiling);
    if (!where) return false;
    const bool holds = s.cells == (s.cells & where->first);
    if (!holds) s.cells = s.cells - where->second;
    if (s.cells.none()) return false;
    s.choices.push_back({ir::Choice::From::constant, holds ? 0 : 1, -1});
    const Todo branch{holds ? kid(id, 1) : n.count > 2 ? kid(id, 2) : kNoNode, todo->next, nullptr};
    return follow_sure(branch.action == kNoNode ? todo->next : &branch, laid, s);
  }
  case Op::require: return laid && hold_sure(kid(id, 0), s) && on();
  default: return false;
  }
}

// A condition that comes then.
bool Lowering::hold_sure(NodeId id, Sure& s) const {
  const Node& n = node(id);
  if (const auto where = cells_where(id, s.change.after & ~s.spoiling)) {
    s.cells = s.cells & where->first;
    return s.cells.any();
  }
  if (n.op == Op::all_of) {
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (!hold_sure(kid(id, i), s)) return false;
    return true;
  }
  std::vector<NodeId> any;
  if (n.op == Op::any_of) { // those of which something can be said
    for (std::uint32_t i = 0; i < n.count; ++i) {
      Sure with = s;
      if (!condition_stays(kid(id, i), with)) continue;
      any.push_back(kid(id, i));
      s = std::move(with);
    }
  } else if (condition_stays(id, s)) {
    any.push_back(id);
  }
  if (any.empty()) return false;
  s.conditions.push_back(std::move(any));
  return true;
}

// `not some few & reach(many, walk)`, where the piece in the air will be one of the few: it may go wherever
// the walk doesn't lead, as long as a new piece opens no way for it.
bool Lowering::not_attacked(NodeId id, Sure& s) const {
  if (!s.one_of_few || node(id).op != Op::negation || node(kid(id, 0)).op != Op::some) return false;
  const NodeId of = kid(kid(id, 0), 0);
  if (node(of).op != Op::meet) return false;
  for (const std::uint32_t k : {0u, 1u}) {
    const NodeId walk = kid(of, k), few = kid(of, 1 - k);
    if (node(walk).op != Op::reach || !codes_in(few) || !codes_in(kid(walk, 0))) continue;
    const Trend t = Trends(*this).trend(walk, s.change);
    if (t != Trend::same && t != Trend::shrinks) continue;
    s.attacks.push_back(walk);
    return true;
  }
  return false;
}

// A condition that stays, perhaps not with every piece in the air.
bool Lowering::condition_stays(NodeId id, Sure& s) const {
  const std::vector<NodeId> watched = s.watched;
  const Contents codes = s.change.after;
  const auto stays_with = [&](const Contents& c) {
    CellChange change = s.change;
    change.after = c;
    s.watched = watched;
    return Trends(*this).stays(id, true, change, s.watched);
  };
  if (s.one_of_few) {
    if (stays_with(codes)) return true;
    s.watched = watched;
    return not_attacked(id, s);
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

// `few`: nothing for any piece in the air, or those that conditions ask for.
std::optional<Lowering::Sure> Lowering::sure_behind(const Todo* after, const Val& from, const Draft& d,
                                                    const Contents* few) const {
  if (!is_on(Form::sure)) return std::nullopt;
  if (stacks() || d.air.kind == Air::Kind::nothing || !d.here.is(Kind::cell) || after == nullptr)
    return std::nullopt;
  Sure s;
  s.cells = board().all;
  s.change.before = from.contents;
  s.change.before.set(0); // it may be the cell that has just been left
  s.change.after = few != nullptr ? *few : d.air.codes;
  s.change.after.reset(0);
  s.one_of_few = few != nullptr;
  s.behind.here = make_cell(0, from.contents);
  if (!follow_sure(after, false, s) || s.conditions.empty()) return std::nullopt;
  if (d.air.kind == Air::Kind::known && s.spoiling.any()) return std::nullopt;
  return s;
}

// Those cells of a set are a leaf, and leave it, for which all conditions hold. `few`: likewise for pieces
// with which that can't be said so.
void Lowering::take_sure(const Sure& s, const std::optional<Sure>& few, Reg left, Draft d) {
  const Label slow = e_.label(), spoilt = e_.label();
  const Emitter::Scope scope(e_);
  for (std::size_t code = 0; code < s.spoiling.size(); ++code)
    if (s.spoiling.test(code))
      e_.emit(Ir::if_equal, 0, layout_.air, e_.number_constant(static_cast<std::int32_t>(code)), 0, spoilt);
  const Reg seen = s.watched.empty() ? none_ : e_.new_set();
  {
    const Emitter::Scope inside(e_);
    ask_conditions(s, d, slow);
    if (seen != none_) {
      e_.emit(Ir::set_copy, seen, none_);
      CellChange change = s.change;
      change.after &= ~s.spoiling;
      for (const NodeId question : s.watched) watch(question, seen, change, d);
    }
  }
  take_all(s, seen, left, d);
  if (few) e_.go(slow);
  e_.place(spoilt);
  if (few) {
    const Emitter::Scope inside(e_);
    ask_conditions(*few, d, slow);
    const Reg attacked = e_.new_set();
    e_.emit(Ir::set_copy, attacked, none_);
    for (const NodeId question : few->watched) watch(question, attacked, few->change, d);
    for (const NodeId walk : few->attacks) join_reached(walk, attacked, d);
    take_all(*few, attacked, left, d);
  }
  e_.place(slow);
}

// All cells that are left but some.
void Lowering::take_all(const Sure& s, Reg except, Reg left, Draft d) {
  const Emitter::Scope scope(e_); // `left` changes, and not every way comes through here
  Reg leaves = s.cells == board().all ? left : meet(left, e_.set_constant(s.cells));
  if (except != none_) {
    const Reg others = e_.new_set();
    e_.emit(Ir::set_minus, others, leaves, except);
    leaves = others;
  }
  if (s.left != kNoNode) left_open_.insert(s.left);
  d.choices.push_back({ir::Choice::From::open, 0, -1});
  d.choices.insert(d.choices.end(), s.choices.begin(), s.choices.end());
  const Val open = any_set(leaves);
  leaf(&open, d);
  e_.emit(Ir::set_minus, left, left, leaves);
}

void Lowering::ask_conditions(const Sure& s, Draft& d, Label fail) {
  for (const auto& any : s.conditions) {
    const Label holds = e_.label();
    const Emitter::Scope scope(e_);
    for (std::size_t i = 0; i + 1 < any.size(); ++i) {
      const Emitter::Scope one(e_);
      jump(any[i], true, holds, d);
    }
    {
      const Emitter::Scope one(e_);
      jump(any.back(), false, fail, d);
    }
    e_.place(holds);
  }
}

// Adds where a walk leads from many cells, kind by kind.
void Lowering::join_reached(NodeId walk, Reg into, Draft& d) {
  Steps parts;
  flatten(kid(walk, 1), parts);
  const Node first = node(parts[0]);
  const bool by_kind =
      parts.size() == 1 && first.op == Op::by_kind_action && node(kid(parts[0], 0)).op == Op::here;
  const Reg many = set(kid(walk, 0), d);
  if (!by_kind) {
    const Emitter::Scope scope(e_);
    e_.emit(Ir::set_join, into, set(walk, d));
    return;
  }
  for (std::uint32_t k = 0; k + 2 < first.count; ++k) {
    const NodeId body = program_.kid(first, k + 1);
    if (node(body).op == Op::never) continue;
    const Label none = e_.label();
    const Emitter::Scope scope(e_);
    const Reg starts = meet(many, kind_cells(static_cast<int>(k)));
    e_.emit(Ir::if_none, 0, starts, 0, 0, none);
    {
      const Emitter::Scope inside(e_);
      Steps way;
      flatten(body, way);
      Draft e = d;
      e.here = e.heading = {};
      Emitter::Attempt attempt(e_);
      if (const auto ends = walked(way, 0, any_set(starts), e)) {
        e_.emit(Ir::set_join, into, *ends);
      } else {
        attempt.give_up();
        e_.emit(Ir::set_copy, into, board_); // whatever it reaches
      }
    }
    e_.place(none);
  }
}

// Adds the cells that a question looks at (`some few & reach(many, walk)`, asked from the few backwards).
void Lowering::watch(NodeId question, Reg seen, const CellChange& change, Draft& d) {
  const NodeId of = kid(question, 0);
  const std::uint32_t k = node(kid(of, 0)).op == Op::reach ? 0 : 1;
  const NodeId walk = kid(of, k), few = kid(of, 1 - k), many = kid(walk, 0);
  std::vector<NodeId> bodies;
  std::vector<Reg> starts;
  const Reg all = set(many, d);
  Steps parts;
  flatten(kid(walk, 1), parts);
  const Node& first = node(parts[0]);
  if (parts.size() == 1 && first.op == Op::by_kind_action) {
    for (std::uint32_t i = 0; i + 2 < first.count; ++i) {
      const NodeId body = program_.kid(first, i + 1);
      const Trend t = Trends(*this).trend_of_kind(many, body, static_cast<int>(i), change);
      if (t == Trend::same || t == Trend::shrinks) continue; // no new piece is good for it
      bodies.push_back(body);
      starts.push_back(meet(all, kind_cells(static_cast<int>(i))));
    }
  } else {
    bodies.push_back(kid(walk, 1));
    starts.push_back(all);
  }
  const Val targets = value(few, d);
  // Or could the piece that comes begin one?
  const Trend more = Trends(*this).trend(many, change);
  const bool comes = more != Trend::same && more != Trend::shrinks;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Label none = e_.label();
    const Emitter::Scope scope(e_);
    if (!comes) e_.emit(Ir::if_none, 0, starts[i], 0, 0, none); // no such walk begins anywhere
    each_member(targets, Type::cells, [&](const Val& target, Label) {
      Steps body;
      flatten(bodies[i], body);
      seen_ = {seen};
      looked_.clear();
      Draft inside = d;
      Emitter::Attempt attempt(e_);
      if (!walked_back_from_cell(body, target, inside)) {
        attempt.give_up();
        e_.emit(Ir::set_copy, seen, board_); // whatever it looks at
      }
      seen_.clear();
    });
    e_.place(none);
  }
}

// A set of cells that is looked at, where anybody wants to know.
void Lowering::look(Reg cells) {
  if (seen_.empty() || !looked_.insert(cells).second) return;
  for (const Reg seen : seen_) e_.emit(Ir::set_join, seen, cells);
}

} // namespace boardwright::runtime::lowering
