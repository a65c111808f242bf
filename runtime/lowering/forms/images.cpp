// Formations: sets of cells that a map takes elsewhere, all at once.
//
// Whether a formation may go is asked without going: of all pivots of a scale together, and of what the board
// would be after `move S by m`, as sets. What can't fail any more is left to the move that is played.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// A scale by constants, as a table of the code.
std::optional<std::int32_t> Lowering::scale_table(NodeId map) {
  constexpr std::int32_t kMost = 1'000; // beyond, coordinates could overflow
  const Node n = node(map);
  if (n.op != Op::scale || node(kid(map, 0)).op != Op::number || node(kid(map, 1)).op != Op::number)
    return std::nullopt;
  const ir::Scale scale{node(kid(map, 0)).a, node(kid(map, 1)).a};
  if (scale.by < 1 || scale.over < 1 || scale.by > kMost || scale.over > kMost) return std::nullopt;
  std::size_t k = 0;
  while (k < code_.scales.size() && (code_.scales[k].by != scale.by || code_.scales[k].over != scale.over))
    ++k;
  if (k == code_.scales.size()) code_.scales.push_back(scale);
  return static_cast<std::int32_t>(k);
}

Reg Lowering::image(Reg of, NodeId map, Draft& d) {
  const Node n = node(map);
  if (n.op == Op::shift) {
    const Reg a = cell(kid(map, 0), d), b = cell(kid(map, 1), d);
    return e_.set_value(Ir::set_displaced, of, a, b);
  }
  if (const auto scale = scale_table(map))
    return e_.set_value(Ir::set_scaled, of, set(kid(map, 2), d), 0, *scale);
  const Reg by = box(map, d), r = e_.new_set();
  e_.emit(Ir::set_image, r, of, by);
  return r;
}

// ---------------------------------------------------------------- what has been asked already

void Lowering::note_fits(NodeId condition, Draft& d) const {
  for (const NodeId part : parts_of_condition(condition))
    if (const auto fits = counts_image(part)) d.fits.push_back(*fits);
}

// `move S by m` can't fail: it has been asked whether all cells of S have places.
bool Lowering::surely_fits(NodeId move, const Draft& d) const {
  const Node& n = node(move);
  if (n.op != Op::move_by || stacks()) return false;
  return std::any_of(d.fits.begin(), d.fits.end(), [&](const auto& f) {
    return same(f.first, program_.kid(n, 0)) && same(f.second, program_.kid(n, 1));
  });
}

// ---------------------------------------------------------------- all pivots of a scale

// The cells that may be chosen, without those about which a scale doesn't take a set to where it must go.
// Nothing where the conditions are about something else; those that then hold for sure are noted.
std::optional<Reg> Lowering::fitting(const std::vector<NodeId>& asks, std::int32_t slot, Reg from, Draft& d) {
  if (!is_on(Form::fitting)) return std::nullopt;
  std::optional<std::pair<NodeId, NodeId>> moved;
  for (const NodeId require : asks)
    for (const NodeId part : parts_of_condition(kid(require, 0))) {
      const auto found = counts_image(part);
      if (!found || contains_local(found->first, slot)) continue;
      const Node& about = node(kid(found->second, node(found->second).count - 1));
      if (about.op == Op::local && about.a == slot && scale_table(found->second)) moved = found;
    }
  if (!moved) return std::nullopt;
  const auto is_image = [&](NodeId id) {
    return node(id).op == Op::image && same(kid(id, 0), moved->first) && same(kid(id, 1), moved->second);
  };
  const auto known = [&](NodeId id) { return harmless(id) && !contains_local(id, slot); };
  Reg goals = board_;
  const auto uses = [&](NodeId part) {
    if (const auto found = counts_image(part))
      return same(found->first, moved->first) && same(found->second, moved->second);
    const Node n = node(part);
    if (n.op != Op::within || node(kid(part, 0)).type != Type::cells || !known(kid(part, 1))) return false;
    const NodeId left = kid(part, 0);
    if (is_image(left)) { // all of it goes there
      goals = meet(goals, set(kid(part, 1), d));
      return true;
    }
    for (std::uint32_t k = 0; k < 2 && node(left).op == Op::meet; ++k)
      if (is_image(kid(left, k)) && known(kid(left, 1 - k))) { // what of it goes there goes here
        const Reg others = set(kid(left, 1 - k), d);
        goals = minus(goals, minus(others, set(kid(part, 1), d)));
        return true;
      }
    return false;
  };
  for (const NodeId require : asks) {
    bool whole = true;
    for (const NodeId part : parts_of_condition(kid(require, 0))) whole = uses(part) && whole;
    if (whole) passing_.insert(require);
  }
  const Reg fit = e_.new_set();
  const Reg of = set(moved->first, d);
  e_.emit(Ir::set_fitting, fit, of, from, goals, *scale_table(moved->second));
  return fit;
}

// The cells from where a walker that is put on them may get through what comes then.
Reg Lowering::could_stand(const Todo* todo, std::int32_t slot, const Draft& d) {
  if (!is_on(Form::could_stand)) return board_;
  for (; todo != nullptr && todo->then == nullptr; todo = todo->next) {
    const Node& n = node(todo->action);
    if (n.op == Op::to || n.op == Op::from) {
      const Node& on = node(program_.kid(n, 0));
      return on.op == Op::local && on.a == slot ? could_begin(todo->next, d, false) : board_;
    }
    if (n.op != Op::choose && n.op != Op::let && n.op != Op::require && n.op != Op::say) return board_;
    if (n.a == slot && n.op != Op::require && n.op != Op::say) return board_;
  }
  return board_;
}

// What is required behind a choice and doesn't depend on it is asked before; and of cells only those are
// taken that fit. Conditions that hold then aren't asked again.
Val Lowering::narrowed(const Todo* todo, Val from, Label fail, Draft& d) {
  const std::int32_t slot = node(todo->action).a;
  if (is_changed(slot) || !from.is(Kind::set)) return from;
  std::vector<NodeId> says, asks;
  const Reg all = from.reg;
  for (const Todo* next = todo->next; next != nullptr && next->then == nullptr; next = next->next) {
    if (keys(d) && only_says(next->action) && !contains_local(next->action, slot)) {
      says.push_back(next->action);
      continue;
    }
    if (node(next->action).op != Op::require) break;
    const NodeId condition = kid(next->action, 0);
    if (!harmless(condition)) break;
    if (!contains_local(condition, slot)) {
      jump(condition, false, fail, d);
      passing_.insert(next->action);
      continue;
    }
    asks.push_back(next->action);
  }
  if (const auto fit = fitting(asks, slot, from.reg, d)) from.reg = *fit;
  if (from.reg == all) from.reg = meet(from.reg, could_stand(todo->next, slot, d));
  if (from.reg != all) e_.emit(Ir::if_none, 0, from.reg, 0, 0, fail);
  for (const NodeId id : says) {
    say_either(id, d);
    passing_.insert(id);
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

} // namespace

bool Lowering::told_by_sets(NodeId id) const {
  const Node& n = node(id);
  if (n.op == Op::before) return before_.count(id) != 0;
  if (n.op == Op::kind_cells) return layout_.kinds == 0;
  if (!is_told_by_sets(n.op)) return false;
  if (n.op == Op::local && is_changed(n.a)) return false;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (!told_by_sets(program_.kid(n, i))) return false;
  return true;
}

// The cells of a set of the state: as they would be, while it is asked what would be.
Reg Lowering::as_seen(Reg state) {
  if (!moving_ || state > layout_.empty) return state;
  const auto there = std::exchange(moving_, std::nullopt); // these are the ones that are
  const auto [moved, map, d] = *there;
  const Reg to = image(moved, map, *d);
  Reg now = state;
  if (state == layout_.empty) {
    now = minus(unite(state, moved), to);
  } else {
    const Reg others = minus(minus(state, moved), to);
    now = unite(others, image(meet(state, moved), map, *d));
  }
  moving_ = there;
  return now;
}

// `move S by m`, conditions, and nothing more that could fail: they are asked of the sets that would be.
bool Lowering::ask_as_if_moved(const Todo* todo, const Draft& d) {
  if (!is_on(Form::as_if_moved)) return false;
  if (mode_ != Mode::search || !d.recorded || exact_ > 0 || reaching_ > 0 || stacks() || layout_.kinds > 0)
    return false;
  if (moving_ || (compares(d) && !keyed_) || text_ || d.air.kind != Air::Kind::nothing) return false;
  std::vector<NodeId> conditions;
  const Todo* rest = todo->next;
  for (; rest != nullptr && rest->then == nullptr && node(rest->action).op == Op::require; rest = rest->next)
    conditions.push_back(rest->action);
  for (const NodeId require : conditions)
    if (!told_by_sets(kid(require, 0)) || !harmless(kid(require, 0))) return false;
  Draft e = d;
  e.told.leaves = true;
  const LeftToPlay how = rest == nullptr ? LeftToPlay::yes : left_to_play(rest, e);
  if (how != LeftToPlay::yes) return false;
  const Emitter::Scope scope(e_);
  const Label past = e_.label();
  const NodeId map = kid(todo->action, 1);
  const Reg moved = minus(set(kid(todo->action, 0), e), layout_.empty);
  if (!surely_fits(todo->action, d)) {
    const Reg there = e_.number_value(Ir::count, moved);
    const Reg fits = e_.number_value(Ir::count, image(moved, map, e));
    e_.emit(Ir::if_not_equal, 0, there, fits, 0, past);
  }
  Draft as_it_was = e;
  moving_ = Moving{moved, map, &as_it_was};
  for (const NodeId require : conditions) jump(kid(require, 0), false, past, e);
  moving_.reset();
  if (rest == nullptr)
    leaf(nullptr, e);
  else
    leave_to_play(rest, how, e);
  e_.place(past);
  return true;
}

} // namespace boardwright::runtime::lowering
