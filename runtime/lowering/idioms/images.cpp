// Formations: sets of cells that a map takes elsewhere, all at once.
//
// Whether a formation may go is asked without going: of all pivots of a scale together, and of what the board
// would be after `move S by m`, as sets. What can't fail any more is deferred to the move that is played.
#include "runtime/lowering/idioms/images.hpp"
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/cell_maps.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

// A scale by constants, as a table of the code.
std::optional<std::int32_t> scale_table(Context& cx, NodeId map) {
  constexpr std::int32_t kMost = 1'000; // beyond, coordinates could overflow
  const Node n = cx.node(map);
  if (n.op != Op::scale || cx.node(cx.kid(map, 0)).op != Op::number ||
      cx.node(cx.kid(map, 1)).op != Op::number)
    return std::nullopt;
  const ir::Scale scale{cx.node(cx.kid(map, 0)).a, cx.node(cx.kid(map, 1)).a};
  if (scale.by < 1 || scale.over < 1 || scale.by > kMost || scale.over > kMost) return std::nullopt;
  std::size_t k = 0;
  while (k < cx.code.scales.size() &&
         (cx.code.scales[k].by != scale.by || cx.code.scales[k].over != scale.over))
    ++k;
  if (k == cx.code.scales.size()) cx.code.scales.push_back(scale);
  return static_cast<std::int32_t>(k);
}

} // namespace

Reg image(Context& cx, Reg of, NodeId map, AbstractDraft& d) {
  const Node n = cx.node(map);
  if (n.op == Op::shift) {
    const Reg a = cell(cx, cx.kid(map, 0), d), b = cell(cx, cx.kid(map, 1), d);
    return cx.e.set_value(Ir::set_displaced, of, a, b);
  }
  if (const auto scale = scale_table(cx, map))
    return cx.e.set_value(Ir::set_scaled, of, set(cx, cx.kid(map, 2), d), 0, *scale);
  const Reg by = box(cx, map, d), r = cx.e.new_set();
  cx.e.emit(Ir::set_image, r, of, by);
  return r;
}

// ---------------------------------------------------------------- what has been asked already

void note_fits(const Context& cx, NodeId condition, AbstractDraft& d) {
  for (const NodeId part : cx.facts.parts_of_condition(condition))
    if (const auto fits = cx.facts.counts_image(part)) d.fits.push_back(*fits);
}

namespace {

// All cells that a set may have, where constants and names that stand for them tell that.
std::optional<CellSet> at_most_in(const Context& cx, NodeId id, const AbstractDraft& d) {
  const Node& n = cx.node(id);
  switch (n.op) {
  case Op::cells: return cx.program.cell_sets[at(n.a)];
  case Op::local: {
    const auto known = d.locals.find(n.a);
    if (cx.facts.is_changed(n.a) || known == d.locals.end() || !known->second.is(Kind::set))
      return std::nullopt;
    const CellSet* const set = cx.e.known_set(known->second.reg);
    return set == nullptr ? std::nullopt : std::optional(*set);
  }
  case Op::minus: return at_most_in(cx, cx.program.kid(n, 0), d);
  case Op::meet: {
    const auto a = at_most_in(cx, cx.program.kid(n, 0), d), b = at_most_in(cx, cx.program.kid(n, 1), d);
    return a && b ? std::optional(*a & *b) : a ? a : b;
  }
  default: return std::nullopt;
  }
}

// Is a set turned about a known set, so that each of its cells has another place on the board?
bool turns_within_board(const Context& cx, NodeId cells, NodeId map, const AbstractDraft& d) {
  const Node& by = cx.node(map);
  if (by.op != Op::rotate) return false;
  const auto moved = at_most_in(cx, cells, d);
  const auto degrees = known_number(cx, cx.program.kid(by, 0), d);
  const NodeId about = cx.program.kid(by, 1);
  const bool exact = cx.node(about).op == Op::cells || cx.node(about).op == Op::local;
  const auto middle = exact ? at_most_in(cx, about, d) : std::nullopt;
  if (!moved || !degrees || !middle) return false;
  const CellMap turn = maps::rotated(maps::about_middle(cx.board(), *middle), cx.board(), *degrees);
  if (!turn.valid) return false;
  CellSet there;
  bool fits = true;
  moved->each([&](int cell) {
    const int to = cx.board().map(turn, cell);
    fits = fits && to >= 0 && !there.test(to);
    if (fits) there.set(to);
  });
  return fits;
}

} // namespace

bool surely_fits(const Context& cx, NodeId move, const AbstractDraft& d) {
  const Node& n = cx.node(move);
  if (n.op != Op::move_by || cx.stacks()) return false;
  if (turns_within_board(cx, cx.program.kid(n, 0), cx.program.kid(n, 1), d)) return true;
  return std::any_of(d.fits.begin(), d.fits.end(), [&](const auto& f) {
    return cx.facts.same(f.first, cx.program.kid(n, 0)) && cx.facts.same(f.second, cx.program.kid(n, 1));
  });
}

// ---------------------------------------------------------------- all pivots of a scale

namespace {

// The cells that may be chosen, without those about which a scale doesn't take a set to where it must go.
// Nothing where the conditions are about something else; those that then hold for sure are noted.
std::optional<Reg> fitting(Context& cx, const std::vector<NodeId>& asks, std::int32_t slot, Reg from,
                           AbstractDraft& d) {
  if (!is_on(Idiom::fitting)) return std::nullopt;
  std::optional<std::pair<NodeId, NodeId>> moved;
  for (const NodeId require : asks)
    for (const NodeId part : cx.facts.parts_of_condition(cx.kid(require, 0))) {
      const auto found = cx.facts.counts_image(part);
      if (!found || cx.facts.contains_local(found->first, slot)) continue;
      const Node& about = cx.node(cx.kid(found->second, cx.node(found->second).count - 1));
      if (about.op == Op::local && about.a == slot && scale_table(cx, found->second)) moved = found;
    }
  if (!moved) return std::nullopt;
  const auto is_image = [&](NodeId id) {
    return cx.node(id).op == Op::image && cx.facts.same(cx.kid(id, 0), moved->first) &&
           cx.facts.same(cx.kid(id, 1), moved->second);
  };
  const auto known = [&](NodeId id) { return cx.facts.harmless(id) && !cx.facts.contains_local(id, slot); };
  Reg goals = cx.all_cells;
  const auto uses = [&](NodeId part) {
    if (const auto found = cx.facts.counts_image(part))
      return cx.facts.same(found->first, moved->first) && cx.facts.same(found->second, moved->second);
    const Node n = cx.node(part);
    if (n.op != Op::within || cx.node(cx.kid(part, 0)).type != Type::cells || !known(cx.kid(part, 1)))
      return false;
    const NodeId left = cx.kid(part, 0);
    if (is_image(left)) { // all of it goes there
      goals = meet(cx, goals, set(cx, cx.kid(part, 1), d));
      return true;
    }
    for (std::uint32_t k = 0; k < 2 && cx.node(left).op == Op::meet; ++k)
      if (is_image(cx.kid(left, k)) && known(cx.kid(left, 1 - k))) { // what of it goes there goes here
        const Reg others = set(cx, cx.kid(left, 1 - k), d);
        goals = minus(cx, goals, minus(cx, others, set(cx, cx.kid(part, 1), d)));
        return true;
      }
    return false;
  };
  for (const NodeId require : asks) {
    bool whole = true;
    for (const NodeId part : cx.facts.parts_of_condition(cx.kid(require, 0))) whole = uses(part) && whole;
    if (whole) cx.passing.insert(require);
  }
  const Reg fit = cx.e.new_set();
  const Reg of = set(cx, moved->first, d);
  cx.e.emit(Ir::set_fitting, fit, of, from, goals, *scale_table(cx, moved->second));
  return fit;
}

// The cells from where a walker that is put on them may get through what comes then.
Reg could_stand(Context& cx, const Todo* todo, std::int32_t slot, const AbstractDraft& d) {
  if (!is_on(Idiom::could_stand)) return cx.all_cells;
  for (; todo != nullptr && todo->then == nullptr; todo = todo->next) {
    const Node& n = cx.node(todo->action);
    if (n.op == Op::to || n.op == Op::from) {
      const Node& on = cx.node(cx.program.kid(n, 0));
      return on.op == Op::local && on.a == slot ? could_begin(cx, todo->next, d, false) : cx.all_cells;
    }
    if (n.op != Op::choose && n.op != Op::let && n.op != Op::require && n.op != Op::say) return cx.all_cells;
    if (n.a == slot && n.op != Op::require && n.op != Op::say) return cx.all_cells;
  }
  return cx.all_cells;
}

} // namespace

AbstractValue narrowed(Context& cx, const Todo* todo, AbstractValue from, Label fail, AbstractDraft& d) {
  const std::int32_t slot = cx.node(todo->action).a;
  if (cx.facts.is_changed(slot) || !from.is(Kind::set)) return from;
  std::vector<NodeId> says, asks;
  const Reg all = from.reg;
  for (const Todo* next = todo->next; next != nullptr && next->then == nullptr; next = next->next) {
    if (keys(cx, d) && cx.facts.only_says(next->action) && !cx.facts.contains_local(next->action, slot)) {
      says.push_back(next->action);
      continue;
    }
    if (cx.node(next->action).op != Op::require) break;
    const NodeId condition = cx.kid(next->action, 0);
    if (!cx.facts.harmless(condition)) break;
    if (!cx.facts.contains_local(condition, slot)) {
      jump(cx, condition, false, fail, d);
      cx.passing.insert(next->action);
      continue;
    }
    asks.push_back(next->action);
  }
  if (const auto fit = fitting(cx, asks, slot, from.reg, d)) from.reg = *fit;
  if (from.reg == all) from.reg = meet(cx, from.reg, could_stand(cx, todo->next, slot, d));
  if (from.reg != all) cx.e.emit(Ir::if_none, 0, from.reg, 0, 0, fail);
  for (const NodeId id : says) {
    say_either(cx, id, d);
    cx.passing.insert(id);
  }
  return from;
}

// ---------------------------------------------------------------- as if it had moved

namespace {

// Of values that are told by which pieces are where, and by nothing else of the state.
bool is_told_by_sets(Op op) {
  switch (op) {
  case Op::cells:
  case Op::empty:
  case Op::owned:
  case Op::unite:
  case Op::meet:
  case Op::minus:
  case Op::complement:
  case Op::first:
  case Op::last:
  case Op::image:
  case Op::shift:
  case Op::scale:
  case Op::rotate:
  case Op::reflect:
  case Op::directions:
  case Op::local:
  case Op::here:
  case Op::start:
  case Op::number:
  case Op::truth:
  case Op::count:
  case Op::add:
  case Op::subtract:
  case Op::x_of:
  case Op::y_of:
  case Op::equal:
  case Op::less:
  case Op::at_most:
  case Op::within:
  case Op::some:
  case Op::all_of:
  case Op::any_of:
  case Op::negation: return true;
  default: return false;
  }
}

bool told_by_sets(const Context& cx, NodeId id) {
  const Node& n = cx.node(id);
  if (n.op == Op::before) return cx.turn.before.count(id) != 0;
  if (n.op == Op::kind_cells) return cx.layout.kinds == 0;
  if (!is_told_by_sets(n.op)) return false;
  if (n.op == Op::local && cx.facts.is_changed(n.a)) return false;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (!told_by_sets(cx, cx.program.kid(n, i))) return false;
  return true;
}

} // namespace

Reg as_seen(Context& cx, Reg state) {
  if (!cx.moving || state > cx.layout.empty) return state;
  const auto there = std::exchange(cx.moving, std::nullopt); // these are the ones that are
  const auto [moved, map, d] = *there;
  const Reg to = image(cx, moved, map, *d);
  Reg now = state;
  if (state == cx.layout.empty) {
    now = minus(cx, unite(cx, state, moved), to);
  } else {
    const Reg others = minus(cx, minus(cx, state, moved), to);
    now = unite(cx, others, image(cx, meet(cx, state, moved), map, *d));
  }
  cx.moving = there;
  return now;
}

bool ask_as_if_moved(Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (!is_on(Idiom::as_if_moved)) return false;
  if (cx.mode != Mode::search || !d.recorded || cx.within.each > 0 || cx.within.reach > 0 || cx.stacks() ||
      cx.layout.kinds > 0)
    return false;
  if (cx.moving || (cx.compares(d) && !cx.comparison.keyed) || cx.text ||
      d.carried.kind != Carried::Kind::nothing)
    return false;
  std::vector<NodeId> conditions;
  const Todo* rest = todo->next;
  for (; rest != nullptr && rest->then == nullptr && cx.node(rest->action).op == Op::require;
       rest = rest->next)
    conditions.push_back(rest->action);
  for (const NodeId require : conditions)
    if (!told_by_sets(cx, cx.kid(require, 0)) || !cx.facts.harmless(cx.kid(require, 0))) return false;
  AbstractDraft e = d;
  e.move_key.leaves = true;
  const Deferral how = rest == nullptr ? Deferral::yes : left_to_play(cx, rest, e);
  if (how != Deferral::yes) return false;
  const Emitter::Scope scope(cx.e);
  const Label past = cx.e.label();
  const NodeId map = cx.kid(todo->action, 1);
  const Reg moved = minus(cx, set(cx, cx.kid(todo->action, 0), e), cx.layout.empty);
  if (!surely_fits(cx, todo->action, d)) {
    const Reg there = cx.e.number_value(Ir::count, moved);
    const Reg fits = cx.e.number_value(Ir::count, image(cx, moved, map, e));
    cx.e.emit(Ir::if_not_equal, 0, there, fits, 0, past);
  }
  AbstractDraft as_it_was = e;
  cx.moving = Moving{moved, map, &as_it_was};
  for (const NodeId require : conditions) jump(cx, cx.kid(require, 0), false, past, e);
  cx.moving.reset();
  if (rest == nullptr)
    leaf(cx, nullptr, e);
  else
    leave_to_play(cx, rest, how, e);
  cx.e.place(past);
  return true;
}

} // namespace boardwright::runtime::lowering
