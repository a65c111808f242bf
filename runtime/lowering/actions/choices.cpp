// Choices: how they are recorded, taken and left open.
#include "runtime/lowering/forms/legality.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// ---------------------------------------------------------------- recording and taking them

void Lowering::record(Draft& d, std::int32_t constant) const {
  if (d.recorded && !d.left) d.choices.push_back({ir::Choice::From::constant, constant, -1});
}

void Lowering::record(Draft& d, Reg number) const {
  if (!d.recorded || d.left) return;
  if (const auto known = e_.known_number(number)) return record(d, *known);
  d.choices.push_back({ir::Choice::From::number, number, -1});
}

std::int32_t Lowering::given_constant() {
  if (given_next_ >= given_->choices.size()) return 0;
  return given_->choices[given_next_++].value;
}

// The next choice of the move that is played: a constant, a value of its record, or the next of a list.
Val Lowering::given_choice(Type type) {
  Reg r = 0;
  if (mode_ == Mode::play_any) {
    r = e_.new_number();
    e_.emit(Ir::next_choice, r);
  } else {
    const ir::Choice c = given_next_ < given_->choices.size() ? given_->choices[given_next_++] : ir::Choice();
    switch (c.from) {
    case ir::Choice::From::constant:
      if (type == Type::directions) return make_steps(StepSet::of(c.value));
      r = e_.number_constant(c.value);
      break;
    case ir::Choice::From::open:
      r = e_.new_number();
      e_.emit(Ir::choice, r, 0, 0, 0, -1);
      if (c.place >= 0) {
        const Reg cell = e_.new_number();
        e_.emit(Ir::place, cell, r, 0, 0, c.place);
        r = cell;
      }
      break;
    case ir::Choice::From::number: {
      const auto which = std::find(given_->values.begin(), given_->values.end(), static_cast<Reg>(c.value));
      r = e_.new_number();
      e_.emit(Ir::choice, r, 0, 0, 0, static_cast<std::int32_t>(which - given_->values.begin()));
      break;
    }
    }
  }
  switch (type) {
  case Type::cells: return make_cell(r, all_contents());
  case Type::directions: return make_step(r);
  default: return make_number(r);
  }
}

void Lowering::ways(const std::vector<std::int32_t>& values, const Draft& d,
                    const std::function<void(std::size_t, Draft)>& way) {
  if (values.empty() || stopped()) return;
  if (plays(d) && mode_ == Mode::play_one) {
    const std::int32_t given = given_constant();
    const auto which = std::find(values.begin(), values.end(), given);
    if (which != values.end()) way(static_cast<std::size_t>(which - values.begin()), d);
    return;
  }
  if (plays(d)) {
    const Reg given = given_choice(Type::number).reg;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Label next = e_.label();
      const Emitter::Scope scope(e_);
      e_.emit(Ir::if_not_equal, 0, given, e_.number_constant(values[k]), 0, next);
      way(k, d);
      e_.place(next);
    }
    return;
  }
  if (values.size() == 1) {
    Draft e = d;
    record(e, values[0]);
    return way(0, std::move(e));
  }
  const Emitter::Scope all(e_);
  const Reg mark = e_.new_number(2);
  const std::size_t marked = e_.emit(Ir::mark, mark);
  bool dirty = false;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t begin = e_.here();
    {
      const Emitter::Scope scope(e_);
      Draft e = d;
      record(e, values[k]);
      way(k, std::move(e));
    }
    if (e_.changes_since(begin) && k + 1 < values.size()) {
      e_.emit(Ir::undo, 0, mark);
      dirty = true;
    }
  }
  if (!dirty) e_.forget(marked);
}

// Is what comes next left to the move that is played? It must be so wherever it comes next, because playing
// couldn't know which way the search has come.
bool Lowering::is_left_open(const Todo* todo, const Draft& d) {
  if (!certain(todo, d)) return false;
  if (todo == nullptr || todo->then != nullptr) return true;
  if (never_open_.count(todo->action) != 0) return false;
  left_open_.insert(todo->action);
  return true;
}

// Likewise, where nothing is to be chosen any more: then the draft is a move already. Or it is one if nothing
// is carried, which what comes doesn't change.
Lowering::LeftToPlay Lowering::left_to_play(const Todo* todo, const Draft& d) {
  if (mode_ != Mode::search || !d.recorded || exact_ > 0 || reaching_ > 0) return LeftToPlay::no;
  if (keys(d)) return tells_nothing(todo) ? leaves_open(todo, d) : LeftToPlay::no;
  if (once_ || text_ || d.compared) return LeftToPlay::no;
  return leaves_open(todo, d);
}

Lowering::LeftToPlay Lowering::leaves_open(const Todo* todo, const Draft& d) {
  if (!is_on(Form::left_open)) return LeftToPlay::no;
  if (never_open_.count(todo->action) != 0) return LeftToPlay::no;
  bool handles_air = false;
  bool has_cell = d.here.is(Kind::cell) && maybe_none_.count(d.here.reg) == 0, same_cell = has_cell;
  Air::Kind air = d.air.kind, none = Air::Kind::nothing;
  bool sure = true, sure_with_none = true;
  for (const Todo* part = todo; part != nullptr && (sure || sure_with_none);) {
    if (part->then != nullptr) {
      if (!part->then->noted) return LeftToPlay::no;
      part = part->then->after;
      continue;
    }
    for (const Op op : {Op::lift, Op::put, Op::discard})
      handles_air = handles_air || contains_action(part->action, op);
    const bool fits = surely_fits(part->action, d);
    sure = sure && (fits || certain(part->action, d, air, has_cell));
    sure_with_none = sure_with_none && !handles_air && (fits || certain(part->action, d, none, same_cell));
    part = part->next;
  }
  const bool yes = sure && air == Air::Kind::nothing;
  const bool perhaps = sure_with_none && d.air.kind == Air::Kind::dynamic && none == Air::Kind::nothing;
  if (!yes && !perhaps) return LeftToPlay::no;
  left_open_.insert(todo->action);
  return yes ? LeftToPlay::yes : LeftToPlay::if_nothing_carried;
}

// The draft is a move; what comes is left to the move that is played.
void Lowering::leave_to_play(const Todo* todo, LeftToPlay how, const Draft& d) {
  const Label past = e_.label();
  for (const Todo* part = todo; part != nullptr;) { // who asks whether there is an outcome: there is one,
    if (part->then != nullptr) part->then->noted(); // even if something is carried and it is no move
    part = part->then != nullptr ? part->then->after : part->next;
  }
  if (how == LeftToPlay::if_nothing_carried)
    e_.emit(Ir::if_not_equal, 0, layout_.air, e_.number_constant(0), 0, past);
  if (text_) e_.emit(Ir::say_gone);
  Draft e = d;
  for (const Todo* part = todo; part != nullptr && part->then == nullptr; part = part->next)
    e.told.leaves = e.told.leaves || may_leave(part->action);
  leaf(nullptr, e);
  e_.place(past);
}

// Moves of different notations are different, whatever comes: as long as no two have the same, what comes and
// writes nothing isn't carried out.
bool Lowering::compares_notations(const Todo* todo, const Draft& d) {
  if (mode_ != Mode::search || !d.recorded || exact_ > 0 || reaching_ > 0 || !once_ || !text_) return false;
  if (in_full_) return false;
  for (const Todo* part = todo; part != nullptr; part = part->next)
    if (part->then != nullptr || writes_text(part->action, d.quiet)) return false;
  const LeftToPlay how = leaves_open(todo, d);
  if (how == LeftToPlay::no) return false;
  const Label full = e_.label(), past = e_.label();
  e_.emit(Ir::if_not_equal, 0, layout_.full, e_.number_constant(0), 0, full);
  {
    const Emitter::Scope scope(e_);
    leave_to_play(todo, how, d);
  }
  e_.go(past);
  e_.place(full);
  {
    const Emitter::Scope scope(e_);
    Draft e = d;
    e.recorded = false; // it makes no choice
    act(todo, std::move(e));
  }
  e_.place(past);
  return true;
}

// One cell of a set, for all that comes after. Where that can't fail all cells together are moves.
void Lowering::choose_cell(const Val& from, const Todo* after, Draft d,
                           const std::function<void(Draft&, const Val&)>& take, std::int32_t slot) {
  if (stopped()) return;
  if (plays(d)) {
    Val cell = given_choice(Type::cells);
    cell.contents = from.contents;
    d.there[cell.reg] = from.contents;
    take(d, cell);
    return act(after, std::move(d));
  }
  const Emitter::Scope scope(e_);
  if (from.is(Kind::cell)) { // there is one, or none
    const Label past = e_.label();
    {
      const Emitter::Scope inside(e_);
      const bool there_is =
          d.here.is(Kind::cell) && d.here.reg == from.reg && maybe_none_.count(from.reg) == 0;
      if (!there_is) e_.emit(Ir::if_less, 0, from.reg, e_.number_constant(0), 0, past);
      d.there.try_emplace(from.reg, from.contents);
      take(d, from);
      record(d, from.reg);
      act(after, std::move(d));
    }
    e_.place(past);
    return;
  }
  const Reg set = set_of(from);
  if (set == none_) return;
  if (!d.recorded && mode_ == Mode::search && after != nullptr && after->then != nullptr &&
      after->then->all) {
    Draft e = d;
    Emitter::Attempt attempt(e_);
    const Val probe = make_cell(e_.new_number(), from.contents);
    take(e, probe);
    attempt.give_up();
    const bool walks = e.here.is(Kind::cell) && e.here.reg == probe.reg; // not only a name is bound
    if (walks) return after->then->all(set);
  }
  std::optional<Sure> sure, few;
  if (d.recorded && !once_ && !text_ && !d.compared) {
    Draft e = d;
    Emitter::Attempt attempt(e_);
    take(e, make_cell(0, from.contents)); // what comes after sees that there is a cell
    attempt.give_up();
    if (is_left_open(after, e)) {
      Val open = from;
      open.reg = set;
      open.kind = Kind::set;
      d.choices.push_back({ir::Choice::From::open, 0, -1});
      return leaf(&open, d);
    }
    if (e.here.is(Kind::cell) && e.here.reg == 0) sure = sure_behind(after, from, d, nullptr);
    if (sure && sure->spoiling.any()) few = sure_behind(after, from, d, &sure->spoiling);
  }
  if (keys(d)) {
    Draft e = d;
    Emitter::Attempt attempt(e_);
    take(e, make_cell(0, from.contents));
    attempt.give_up();
    if (key_open(make_set(set, from.contents), slot, after, d, e)) return;
  }
  const Reg left = e_.new_set(), cell = e_.new_number(), mark = e_.new_number(2);
  const Label loop = e_.label(), past = e_.label();
  e_.emit(Ir::set_copy, left, set);
  if (sure) take_sure(*sure, few, left, d);
  const std::size_t marked = e_.emit(Ir::mark, mark);
  const std::size_t begin = e_.here();
  e_.place(loop);
  e_.emit(Ir::take, cell, left, 0, 0, past);
  {
    const Emitter::Scope inside(e_);
    const Val here = make_cell(cell, from.contents);
    d.there[cell] = from.contents;
    take(d, here);
    record(d, cell);
    act(after, std::move(d));
  }
  if (e_.changes_since(begin))
    e_.emit(Ir::undo, 0, mark);
  else
    e_.forget(marked);
  e_.go(loop);
  e_.place(past);
}

// ---------------------------------------------------------------- choose

void Lowering::choose(const Todo* todo, Draft d) {
  const Node n = node(todo->action);
  switch (node(kid(todo->action, 0)).type) {
  case Type::directions: return choose_step(todo, std::move(d));
  case Type::cells: {
    const NodeId of = kid(todo->action, 0);
    const auto bind = [&](Draft& e, const Val& cell) { bind_local(n.a, Type::cells, cell, e); };
    if (mode_ != Mode::search) {
      const Val from = plays(d) ? somewhere_in(of, d) : value(of, d);
      return choose_cell(from, todo->next, std::move(d), bind);
    }
    const Emitter::Scope scope(e_);
    const Label past = e_.label();
    const std::set<NodeId> before = passing_;
    const Val from = narrowed(todo, value(of, d), past, d);
    choose_cell(from, todo->next, std::move(d), bind, n.a);
    passing_ = before;
    return e_.place(past);
  }
  case Type::sets: return choose_set(todo, std::move(d));
  default: return choose_number(todo, std::move(d));
  }
}

void Lowering::choose_step(const Todo* todo, Draft d) {
  const Node n = node(todo->action);
  const NodeId source = kid(todo->action, 0);
  const auto bind = [&](Draft& e, const Val& step) { bind_local(n.a, Type::directions, step, e); };
  if (plays(d)) {
    const Val given = given_choice(Type::directions);
    bind(d, given);
    return act(todo->next, std::move(d));
  }
  const auto steps = constant_steps(source, d);
  constexpr std::size_t kWorthUnrolling = 6'000; // nodes: beyond that code takes longer to make than it saves
  const bool unrolls =
      steps && (steps->count() <= 1 || at(steps->count()) * sizes_.weight(todo->next) <= kWorthUnrolling);
  if (unrolls) {
    std::vector<std::int32_t> all;
    steps->each([&](int s) { all.push_back(s); });
    return ways(all, d, [&](std::size_t k, Draft e) {
      bind(e, make_steps(StepSet::of(all[k])));
      act(todo->next, std::move(e));
    });
  }
  // Each direction that may be among them, if it is.
  const StepSet possible = possible_steps(source, d);
  const bool cases = node(source).op == Op::if_value || node(source).op == Op::unite ||
                     node(source).op == Op::meet || node(source).op == Op::minus;
  if (!steps && cases && at(possible.count()) * sizes_.weight(todo->next) <= kWorthUnrolling) {
    std::vector<std::int32_t> all;
    possible.each([&](int s) { all.push_back(s); });
    return ways(all, d, [&](std::size_t k, Draft e) {
      const Label past = e_.label();
      {
        const Emitter::Scope inside(e_);
        jump_step(source, all[k], false, past, e);
        bind(e, make_steps(StepSet::of(all[k])));
        act(todo->next, std::move(e));
      }
      e_.place(past);
    });
  }
  const Val v = value(source, d);
  const Emitter::Scope scope(e_);
  const Reg mark = e_.new_number(2);
  e_.emit(Ir::mark, mark);
  each_member(make_ways(ways_of(v)), Type::directions, [&](const Val& member, Label) {
    Draft e = d;
    bind(e, member);
    record(e, member.reg);
    act(todo->next, std::move(e));
    e_.emit(Ir::undo, 0, mark);
  });
}

// A member of a list of numbers, kinds or players.
void Lowering::choose_number(const Todo* todo, Draft d) {
  const Node n = node(todo->action);
  const Type type = node(kid(todo->action, 0)).type;
  const Type member_type = type == Type::numbers ? Type::number
                           : type == Type::kinds ? Type::kind
                                                 : Type::player;
  const NodeId source = kid(todo->action, 0);
  if (plays(d)) {
    bind_local(n.a, member_type, given_choice(member_type), d);
    return act(todo->next, std::move(d));
  }
  const auto follow = [&](const Val& member, Draft e) {
    bind_local(n.a, member_type, member, e);
    record(e, member.reg);
    act(todo->next, std::move(e));
  };
  const Emitter::Scope scope(e_);
  const Reg mark = e_.new_number(2);
  const std::size_t marked = e_.emit(Ir::mark, mark);
  const std::size_t begin = e_.here();
  const Node list = node(source);
  if (list.op == Op::range) { // counted up: no list is needed
    const Reg low = number(kid(source, 0), d), high = number(kid(source, 1), d);
    const auto kl = e_.known_number(low), kh = e_.known_number(high);
    if (!(kl && kh && *kh < *kl)) {
      const Reg k = e_.new_number();
      const Label loop = e_.label(), past = e_.label();
      e_.emit(Ir::copy, k, low);
      e_.place(loop);
      e_.emit(Ir::if_less, 0, high, k, 0, past);
      {
        const Emitter::Scope inside(e_);
        follow(make_number(k), d);
      }
      if (e_.changes_since(begin)) e_.emit(Ir::undo, 0, mark);
      e_.emit(Ir::if_not_less, 0, k, high, 0, past);
      e_.emit(Ir::add, k, k, e_.number_constant(1));
      e_.go(loop);
      e_.place(past);
    }
  } else {
    if (const auto members = constant_members(source)) {
      for (const std::int32_t member : *members) {
        const Emitter::Scope inside(e_);
        follow(constant_number(member), d);
        if (e_.changes_since(begin)) e_.emit(Ir::undo, 0, mark);
      }
    } else {
      each_member(source, d, [&](const Val& member, Label) {
        follow(member, d);
        if (e_.changes_since(begin)) e_.emit(Ir::undo, 0, mark);
      });
    }
  }
  if (!e_.changes_since(begin)) e_.forget(marked);
}

// A member of a list of sets: its number in the list is the choice.
void Lowering::choose_set(const Todo* todo, Draft d) {
  const Node n = node(todo->action);
  const Reg list = box(kid(todo->action, 0), d);
  if (plays(d)) {
    const Val which = given_choice(Type::number);
    const Reg r = e_.new_set();
    e_.emit(Ir::box_get_set, r, list, which.reg);
    bind_local(n.a, Type::cells, any_set(r), d);
    return act(todo->next, std::move(d));
  }
  const Emitter::Scope scope(e_);
  const Reg mark = e_.new_number(2), next_index = e_.new_number(), index = e_.new_number(), r = e_.new_set();
  const Label loop = e_.label(), past = e_.label();
  e_.emit(Ir::mark, mark);
  e_.emit(Ir::constant, next_index, 0, 0, 0, 0);
  e_.place(loop);
  e_.emit(Ir::copy, index, next_index);
  e_.emit(Ir::next_set, r, list, next_index, 0, past);
  {
    const Emitter::Scope inside(e_);
    bind_local(n.a, Type::cells, any_set(r), d);
    record(d, index);
    act(todo->next, std::move(d));
  }
  e_.emit(Ir::undo, 0, mark);
  e_.go(loop);
  e_.place(past);
}

// ---------------------------------------------------------------- choose n

// So many members, in every way. They are chosen in order: each is a choice of the move.
void Lowering::choose_some(const Todo* todo, Draft d) {
  const NodeId id = todo->action;
  const Type type = node(kid(id, 1)).type;
  const bool cells = type == Type::cells;
  const Reg wanted = number(kid(id, 0), d);
  const Emitter::Scope scope(e_);
  // Members are taken from a list: of cells the list of each as a set would be long, so they stay a set.
  const Reg chosen = cells ? e_.new_set() : e_.new_box();
  const Reg left = cells ? e_.new_set() : e_.new_number();
  const Reg list = cells ? 0 : e_.new_box();
  if (cells) {
    e_.emit(Ir::set_copy, chosen, none_);
    e_.emit(Ir::set_copy, left, plays(d) ? board_ : set(kid(id, 1), d));
  } else {
    e_.emit(Ir::box_clear, chosen);
    e_.emit(Ir::box_copy, list, box(kid(id, 1), d));
    e_.emit(Ir::constant, left, 0, 0, 0, 0);
  }
  choose_members(todo, wanted, type, chosen, left, list, std::move(d));
}

} // namespace boardwright::runtime::lowering
