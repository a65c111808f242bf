// Truths: code that goes on in one of two places.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

namespace {

// A condition stands before its opposite in the table of operations.
[[nodiscard]] Ir opposite_of(Ir op) {
  const int distance = static_cast<int>(op) - static_cast<int>(Ir::if_none);
  return static_cast<Ir>(static_cast<int>(op) + (distance % 2 == 0 ? 1 : -1));
}
static_assert(static_cast<int>(Ir::if_some) == static_cast<int>(Ir::if_none) + 1);
static_assert((static_cast<int>(Ir::if_move) - static_cast<int>(Ir::if_none)) % 2 == 1);

} // namespace

void Lowering::test(Ir op, int a, int b, bool when, Label to, int c) {
  e_.emit(when ? op : opposite_of(op), 0, a, b, c, to);
}

void Lowering::jump(NodeId id, bool when, Label to, Draft& d) {
  if (stopped()) return;
  const Node n = node(id);
  if (jump_rows(id, when, to, d)) return;
  if (group_of(n.op) == runtime::Group::any) return jump_any(id, when, to, d);
  switch (as<TruthOp>(n.op)) {
  case TruthOp::truth:
    if ((n.a != 0) == when) e_.go(to);
    return;
  case TruthOp::negation: return jump(kid(id, 0), !when, to, d);
  case TruthOp::all_of: return jump_several(n, false, when, to, d);
  case TruthOp::any_of: return jump_several(n, true, when, to, d);
  case TruthOp::less: {
    const Reg a = number(kid(id, 0), d), b = number(kid(id, 1), d);
    return test(Ir::if_less, a, b, when, to);
  }
  case TruthOp::at_most: { // a <= b is not b < a
    const Reg a = number(kid(id, 0), d), b = number(kid(id, 1), d);
    return test(Ir::if_less, b, a, !when, to);
  }
  case TruthOp::equal: return jump_equal(n, when, to, d);
  case TruthOp::within: return jump_within(n, when, to, d);
  case TruthOp::member: {
    const Type type = node(kid(id, 1)).type;
    const Val member = value(kid(id, 0), d);
    const Reg list = box(kid(id, 1), d);
    if (type == Type::sets) return test(Ir::if_member_set, set_of(member), list, when, to);
    return test(Ir::if_member, member.reg, list, when, to);
  }
  case TruthOp::some: return jump_some(kid(id, 0), when, to, d);
  case TruthOp::some_where: return jump_some_where(n, when, to, d);
  case TruthOp::can: return jump_can(kid(id, 0), when, to, d);
  case TruthOp::no_move: return jump_no_move(n, when, to, d);
  case TruthOp::changed: code_.reads_beginning = true; return test(Ir::if_changed, 0, 0, when, to);
  }
  fail("a truth of an unknown operation");
}

// Truths by an operation that values of every type have.
void Lowering::jump_any(NodeId id, bool when, Label to, Draft& d) {
  const Node n = node(id);
  switch (as<AnyOp>(n.op)) {
  case AnyOp::let_value: {
    Draft inside = d;
    inside.locals[n.a] = value(kid(id, 0), d);
    return jump(kid(id, 1), when, to, inside);
  }
  case AnyOp::if_value: {
    const Label other = e_.label(), done = e_.label();
    {
      const Emitter::Scope scope(e_);
      jump(kid(id, 0), false, other, d);
      jump(kid(id, 1), when, to, d);
      e_.go(done);
    }
    e_.place(other);
    {
      const Emitter::Scope scope(e_);
      jump(kid(id, 2), when, to, d);
    }
    e_.place(done);
    return;
  }
  case AnyOp::local:
  case AnyOp::variable:
  case AnyOp::before:
  case AnyOp::by_kind:
  case AnyOp::by_player:
  case AnyOp::first_of:
  case AnyOp::last_of: {
    const Reg r = number(id, d);
    return test(Ir::if_equal, r, e_.number_constant(0), !when, to);
  }
  }
  fail("a truth of an unknown operation");
}

// What comes after the first is only reached if that didn't settle it.
void Lowering::jump_several(const Node& n, bool any, bool when, Label to, Draft& d) {
  const Label past = e_.label();
  const auto one = [&](std::uint32_t i) {
    if (i + 1 == n.count || any == when)
      jump(program_.kid(n, i), i + 1 == n.count ? when : any, to, d);
    else
      jump(program_.kid(n, i), any, past, d);
  };
  if (n.count == 0 && any != when) e_.go(to);
  if (n.count > 0) one(0);
  {
    const Emitter::Scope scope(e_);
    for (std::uint32_t i = 1; i < n.count; ++i) one(i);
  }
  e_.place(past);
}

void Lowering::jump_equal(const Node& n, bool when, Label to, Draft& d) {
  const NodeId a = program_.kid(n, 0), b = program_.kid(n, 1);
  switch (node(a).type) {
  case Type::number:
  case Type::truth:
  case Type::kind:
  case Type::player: {
    const Reg ra = number(a, d), rb = number(b, d);
    return test(Ir::if_equal, ra, rb, when, to);
  }
  case Type::cells: {
    const Val va = value(a, d), vb = value(b, d);
    if (va.is(Kind::cell) && vb.is(Kind::cell)) return test(Ir::if_equal, va.reg, vb.reg, when, to);
    const Reg ra = set_of(va), rb = set_of(vb);
    if (rb == none_) return test(Ir::if_none, ra, 0, when, to);
    if (ra == none_) return test(Ir::if_none, rb, 0, when, to);
    return test(Ir::if_same, ra, rb, when, to);
  }
  default: {
    const Val va = value(a, d), vb = value(b, d);
    if (va.is(Kind::steps) && vb.is(Kind::steps)) {
      if ((va.steps == vb.steps) == when) e_.go(to);
      return;
    }
    if (node(a).type == Type::directions) {
      if (va.is(Kind::step) && vb.is(Kind::step)) return test(Ir::if_equal, va.reg, vb.reg, when, to);
      const Reg ra = ways_of(va), rb = ways_of(vb);
      return test(Ir::if_same, ra, rb, when, to);
    }
    const Reg ra = box_of(va), rb = box_of(vb);
    return test(Ir::if_box_same, ra, rb, when, to);
  }
  }
}

void Lowering::jump_within(const Node& n, bool when, Label to, Draft& d) {
  const NodeId a = program_.kid(n, 0), b = program_.kid(n, 1);
  jump_part(a, b, when, to, d);
}

void Lowering::jump_part(NodeId a, NodeId b, bool when, Label to, Draft& d) {
  const Val part = value(a, d), whole = value(b, d);
  if (node(a).type == Type::directions) {
    if (part.is(Kind::steps) && whole.is(Kind::steps)) {
      if (part.steps.within(whole.steps) == when) e_.go(to);
      return;
    }
    if (part.is(Kind::step)) return test(Ir::if_in, part.reg, ways_of(whole), when, to);
    const Reg ra = ways_of(part), rb = ways_of(whole);
    return test(Ir::if_part, ra, rb, when, to);
  }
  const Reg of = set_of(whole);
  if (part.is(Kind::cell)) return test(Ir::if_in, part.reg, of, when, to);
  return test(Ir::if_part, set_of(part), of, when, to);
}

void Lowering::jump_some(NodeId of, bool when, Label to, Draft& d) {
  const Node n = node(of);
  if (n.type != Type::cells) {
    const Val v = value(of, d);
    if (v.is(Kind::steps) || v.is(Kind::none)) {
      if ((v.is(Kind::steps) && v.steps.any()) == when) e_.go(to);
      return;
    }
    if (v.is(Kind::step)) return test(Ir::if_less, v.reg, e_.number_constant(0), !when, to);
    if (v.is(Kind::ways)) return test(Ir::if_some, v.reg, 0, when, to);
    return test(Ir::if_box_some, box_of(v), 0, when, to);
  }
  if (jump_attacked(of, when, to, d)) return;
  if (n.op == Op::meet) {
    const Val a = value(kid(of, 0), d), b = value(kid(of, 1), d);
    if (a.is(Kind::cell) != b.is(Kind::cell)) {
      const Reg cell = a.is(Kind::cell) ? a.reg : b.reg, whole = set_of(a.is(Kind::cell) ? b : a);
      const Label past = e_.label(); // no cell is in every set, but is none
      test(Ir::if_less, cell, e_.number_constant(0), true, when ? past : to);
      test(Ir::if_in, cell, whole, when, to);
      e_.place(past);
      return;
    }
    const Reg ra = set_of(a), rb = set_of(b);
    // Does the group of a cell meet a constant set? The cell is connected with one of that. (A move that is
    // played most often adds one cell, so that what is connected with the set goes on from what it was.)
    for (const auto& [all, goal] : {std::pair(ra, rb), std::pair(rb, ra)}) {
      const auto flood = e_.made_by(all);
      if (!flood || flood->op != Ir::set_flood || d.decided || mode_ == Mode::search) continue;
      if (e_.known_set(goal) == nullptr || e_.known_set(flood->b) != nullptr) continue;
      const auto begin = e_.made_by(flood->a);
      const bool guarded =
          begin && begin->op == Ir::set_meet && (begin->a == flood->b || begin->b == flood->b);
      const auto one = guarded ? e_.made_by(begin->a == flood->b ? begin->b : begin->a) : begin;
      StepSet steps;
      for (const std::int16_t step : code_.steps[at(flood->x)]) steps |= StepSet::of(step);
      if (!one || one->op != Ir::set_cell || !goes_both_ways(steps)) continue;
      if (!lies_in(one->a, flood->b, d)) continue;
      return test(Ir::if_in, one->a, grown(goal, steps, flood->b), when, to);
    }
    return test(Ir::if_meet, ra, rb, when, to);
  }
  const Val v = value(of, d);
  if (v.is(Kind::cell)) return test(Ir::if_less, v.reg, e_.number_constant(0), !when, to);
  return test(Ir::if_some, set_of(v), 0, when, to);
}

// Code for every member of a value. `next` is where it goes on with the next one.
void Lowering::each_member(NodeId of, Draft& d, const std::function<void(Val, Label)>& body) {
  if (const auto sets = constant_list(of)) {
    for (const CellSet& set : *sets) {
      const Emitter::Scope scope(e_);
      const Label next = e_.label();
      body(any_set(e_.set_constant(set)), next);
      e_.place(next);
    }
    return;
  }
  each_member(value(of, d), node(of).type, body);
}

void Lowering::each_member(const Val& v, Type type, const std::function<void(Val, Label)>& body) {
  if (v.is(Kind::none)) return;
  if (v.is(Kind::steps)) {
    v.steps.each([&](int step) {
      const Emitter::Scope scope(e_);
      const Label next = e_.label();
      body(make_steps(StepSet::of(step)), next);
      e_.place(next);
    });
    return;
  }
  const Emitter::Scope scope(e_);
  const Label next = e_.label(), past = e_.label();
  Val member;
  if (type == Type::cells) {
    const Reg left = e_.new_set(), cell = e_.new_number();
    e_.emit(Ir::set_copy, left, set_of(v));
    e_.place(next);
    e_.emit(Ir::take, cell, left, 0, 0, past);
    member = make_cell(cell, v.contents);
  } else if (type == Type::directions) {
    const Reg left = e_.new_set(), step = e_.new_number();
    e_.emit(Ir::set_copy, left, ways_of(v));
    e_.place(next);
    e_.emit(Ir::take, step, left, 0, 0, past);
    member = make_step(step);
  } else {
    const Reg index = e_.new_number();
    e_.emit(Ir::constant, index, 0, 0, 0, 0);
    e_.place(next);
    if (type == Type::sets) {
      const Reg r = e_.new_set();
      e_.emit(Ir::next_set, r, v.reg, index, 0, past);
      member = any_set(r);
    } else {
      const Reg r = e_.new_number();
      e_.emit(Ir::next_member, r, v.reg, index, 0, past);
      member = make_number(r);
    }
  }
  {
    const Emitter::Scope inside(e_);
    body(member, next);
  }
  e_.go(next);
  e_.place(past);
}

// Code for every member for which a condition may hold, in an evaluation that changes nothing.
void Lowering::each_candidate(NodeId of, std::int32_t slot, NodeId condition, Draft& d,
                              const std::function<void(Val, Label)>& body) {
  if (const auto groups = all_groups(of, d)) {
    passing_.erase(condition);
    return each_group(*groups, body);
  }
  each_member(members(of, slot, condition, d), node(of).type, body);
}

void Lowering::jump_some_where(const Node& n, bool when, Label to, Draft& d) {
  if (jump_some_group(n, when, to, d)) return;
  if (const auto rows = selected_rows(program_.kid(n, 0), n.a, program_.kid(n, 1), d))
    return test(Ir::if_some, *rows, 0, when, to);
  const Label past = e_.label();
  const NodeId of = program_.kid(n, 0);
  // Groups of cells beside the walker are soon found one by one, those of all cells aren't.
  const bool beside = contains(of, Op::here) && contains(of, Op::reach) && !contains(of, Op::repeat) &&
                      contains(program_.kid(n, 1), Op::repeat);
  if (node(of).type == Type::cells && !is_few(of) && !beside) {
    const Val from = value(program_.kid(n, 0), d);
    if (const auto those = members_where(n, from, d)) return test(Ir::if_some, *those, 0, when, to);
  }
  each_candidate(of, n.a, program_.kid(n, 1), d, [&](const Val& member, Label) {
    Draft inside = d;
    inside.locals[n.a] = member;
    jump(program_.kid(n, 1), true, when ? to : past, inside);
  });
  if (!when) e_.go(to);
  e_.place(past);
}

// Does a walk from one of many cells end on one of few? `some (own king) & reach(enemy, hit)`: asked from
// each of the few backwards, by the kind of the piece that would have to stand where the walk begins.
bool Lowering::jump_attacked(NodeId of, bool when, Label to, Draft& d) {
  if (!is_on(Form::attacked)) return false;
  const Node n = node(of);
  if (n.op != Op::meet || d.decided) return false;
  for (const std::uint32_t k : {0u, 1u}) {
    const NodeId walk = kid(of, k), few = kid(of, 1 - k);
    if (node(walk).op != Op::reach || !is_few(few)) continue;
    const NodeId action = kid(walk, 1);
    if (contains(action, Op::heading) || reads_walker(kid(walk, 0))) continue;
    Emitter::Attempt attempt(e_);
    const Label found = e_.label(), past = e_.label();
    const Reg many = set(kid(walk, 0), d);
    const Val targets = value(few, d);
    bool good = true;
    each_member(targets, Type::cells, [&](const Val& target, Label) {
      good = good && jump_from_back(action, many, target, found, d);
    });
    if (!good) {
      attempt.give_up();
      continue;
    }
    if (!when) e_.go(to);
    if (when) e_.go(past);
    e_.place(found);
    if (when) e_.go(to);
    e_.place(past);
    return true;
  }
  return false;
}

// Goes to the label if the walk leads from a cell of `many` to the target.
bool Lowering::jump_from_back(NodeId action, Reg many, const Val& target, Label found, Draft& d) {
  Steps walk;
  flatten(action, walk);
  if (walk.size() == 1 && node(walk[0]).op == Op::by_kind_action && node(kid(walk[0], 0)).op == Op::here) {
    const Node n = node(walk[0]);
    for (std::uint32_t k = 0; k + 2 < n.count; ++k) {
      const NodeId body = program_.kid(n, k + 1);
      if (node(body).op == Op::never) continue;
      const Reg those = meet(many, kind_cells(static_cast<int>(k)));
      if (!jump_from_back(body, those, target, found, d)) return false;
    }
    return node(program_.kid(n, n.count - 1)).op == Op::never;
  }
  Draft inside = d;
  const auto from = walked_back_from_cell(walk, target, inside);
  if (!from) return false;
  e_.emit(Ir::if_meet, 0, *from, many, 0, found);
  return true;
}

// From where does a walk lead to a cell? Slides are seen from there.
std::optional<Reg> Lowering::walked_back_from_cell(const Steps& walk, const Val& target, Draft& d) {
  if (walk.size() == 3 && node(walk[0]).op == Op::choose && node(walk[1]).op == Op::repeat &&
      node(walk[2]).op == Op::go) {
    const Node choose = node(walk[0]), loop = node(walk[1]);
    const auto steps = constant_steps(kid(walk[0], 0), d);
    const Node low = node(kid(walk[1], 1)), way = node(kid(walk[2], 0));
    if (steps && loop.a == kUnbounded && low.op == Op::number && low.a <= 0 && way.op == Op::local &&
        way.a == choose.a) {
      Draft inside = d;
      inside.locals[choose.a] = make_steps(*steps);
      Steps parts;
      flatten(kid(walk[1], 0), parts);
      const Node& first = node(kid(parts[0], 0));
      const auto body = round(kid(walk[1], 0), inside);
      const bool straight_on = body && first.op == Op::local && first.a == choose.a;
      const StepSet back = compass_.opposites(*steps);
      bool tests_alike = straight_on && back.count() == steps->count();
      for (std::size_t i = 0; tests_alike && i < body->tests.size(); ++i)
        tests_alike = !contains_local(body->tests[i], choose.a);
      if (tests_alike) {
        const Reg seen = rays(Ir::set_slides, target.reg, back, through(*body, inside));
        look(seen);
        return seen;
      }
    }
  }
  if (const auto from = stepped_back_from_cell(walk, target.reg, d)) return from;
  return walked_back(walk, walk.size(), set_of(target), d);
}

// From where does one step lead to a cell? That is looked up.
std::optional<Reg> Lowering::stepped_back_from_cell(const Steps& walk, Reg cell, const Draft& d) {
  if (walk.size() != 1 || node(walk[0]).op != Op::go) return std::nullopt;
  const auto steps = constant_steps(kid(walk[0], 0), d);
  if (!steps || steps->count() < 2) return std::nullopt;
  bool exact = true;
  steps->each([&](int s) { exact = exact && leads_back(s); });
  if (!exact) return std::nullopt;
  const Reg from = e_.set_value(Ir::set_around, cell, 0, 0, steps_table(compass_.opposites(*steps)));
  look(from);
  return from;
}

// Is a step among the directions that a value is? Goes to the label if that is `when`.
void Lowering::jump_step(NodeId id, int step, bool when, Label to, Draft& d) {
  if (const auto known = constant_steps(id, d)) {
    if (known->test(step) == when) e_.go(to);
    return;
  }
  const Node n = node(id);
  const Label past = e_.label();
  switch (n.op) {
  case Op::if_value: {
    const Label other = e_.label();
    {
      const Emitter::Scope scope(e_);
      jump(kid(id, 0), false, other, d);
      jump_step(kid(id, 1), step, when, to, d);
      e_.go(past);
    }
    e_.place(other);
    const Emitter::Scope scope(e_);
    jump_step(kid(id, 2), step, when, to, d);
    break;
  }
  case Op::unite:
  case Op::meet: {
    const bool any = n.op == Op::unite;
    const Emitter::Scope scope(e_);
    jump_step(kid(id, 0), step, any, any == when ? to : past, d);
    jump_step(kid(id, 1), step, when, to, d);
    break;
  }
  case Op::minus: {
    const Emitter::Scope scope(e_);
    jump_step(kid(id, 0), step, false, when ? past : to, d);
    jump_step(kid(id, 1), step, !when, to, d);
    break;
  }
  case Op::heading:
  case Op::local: {
    const auto known = d.locals.find(n.a);
    const Val v = n.op == Op::heading                           ? d.heading
                  : known != d.locals.end() && !is_changed(n.a) ? known->second
                                                                : Val();
    if (!v.is(Kind::step)) goto any_other;
    test(Ir::if_equal, v.reg, e_.number_constant(step), when, to);
    break;
  }
  case Op::opposite: {
    const int back = compass_.opposite[at(step)];
    if (back < 0 || compass_.opposite[at(back)] != step) goto any_other;
    jump_step(kid(id, 0), back, when, to, d);
    break;
  }
  case Op::select: {
    const Emitter::Scope scope(e_);
    jump_step(kid(id, 0), step, false, when ? past : to, d);
    Draft inside = d;
    inside.locals[n.a] = make_steps(StepSet::of(step));
    jump(kid(id, 1), when, to, inside);
    break;
  }
  default:
  any_other : {
    const Emitter::Scope scope(e_);
    test(Ir::if_in, e_.number_constant(step), ways_of(value(id, d)), when, to);
    break;
  }
  }
  e_.place(past);
}

// Has an action an outcome (of a turn: one that leaves nothing in the air)? The state is as before
// afterwards.
void Lowering::jump_can(NodeId action, bool when, Label to, Draft& d, bool laid_down) {
  if (d.decided) { // it passes every action
    if (when) e_.go(to);
    return;
  }
  Steps walk;
  flatten(action, walk);
  if (!d.here.is(Kind::none)) {
    bool reads = false;
    for (const NodeId part : walk) reads = reads || contains(part, Op::heading);
    Emitter::Attempt attempt(e_);
    Draft inside = d;
    if (!reads)
      if (const auto ends = walked(walk, 0, d.here, inside)) return test(Ir::if_some, *ends, 0, when, to);
    attempt.give_up();
  }
  const Emitter::Scope scope(e_);
  const Reg mark = e_.new_number(2), stack = e_.new_number(4);
  const std::size_t marked = e_.emit(Ir::mark, mark);
  const std::size_t stacked = e_.emit(Ir::stack_mark, stack);
  const std::size_t begin = e_.here();
  const Label found = e_.label(), past = e_.label();
  std::vector<std::size_t> cuts;
  Draft inside = d;
  inside.quiet = true;
  inside.recorded = false;
  inside.choices.clear();
  Continuation then;
  const auto goes = [&] { cuts.push_back(e_.emit(Ir::cut, 0, stack, 0, 0, found)); };
  then.go = [&](const Draft& f) { laid_down ? unless_carried(f, goes) : goes(); };
  then.is_end = !laid_down;
  if (!laid_down)
    then.bulk = [&](const void* walkers, const Draft&) { ask_in_bulk(walkers, stack, found, cuts); };
  const Mode mode = std::exchange(mode_, Mode::search);
  const bool text = std::exchange(text_, false);
  const int exact = std::exchange(exact_, 0), reaching = std::exchange(reaching_, 0);
  act_then(action, inside, then);
  mode_ = mode, text_ = text, exact_ = exact, reaching_ = reaching;
  const bool dirty = e_.changes_since(begin), calls = e_.calls_since(begin);
  if (!calls) {
    e_.forget(stacked);
    for (const std::size_t c : cuts) code_.instructions[c].op = Ir::go;
  }
  if (dirty)
    e_.emit(Ir::undo, 0, mark);
  else
    e_.forget(marked);
  e_.forget_values();
  if (!when) e_.go(to);
  if (when) e_.go(past);
  e_.place(found);
  if (dirty) e_.emit(Ir::undo, 0, mark);
  if (when) e_.go(to);
  e_.place(past);
}

// Has the turn of a player an outcome? Of the player to move that is known when the moves are. Whoever is out
// has none.
void Lowering::jump_no_move(const Node& n, bool when, Label to, Draft& d) {
  if (asking_ && n.a == player_) {
    if (search_first_) return void(e_.emit(Ir::cut, 0, search_first_->stack, 0, 0, search_first_->label));
    return test(Ir::if_no_move, 0, 0, when, to);
  }
  Draft inside;
  inside.quiet = true;
  (void)d;
  const Label past = e_.label();
  if (players() > 2) jump_if_out(n.a, when ? to : past);
  const NodeId turn = program_.players[at(n.a)].turn;
  const int player = std::exchange(player_, n.a);
  const bool asking = std::exchange(asking_, false);
  const auto before = std::exchange(before_, {});
  jump_can(turn, !when, to, inside, contains_action(turn, Op::lift));
  player_ = player, asking_ = asking, before_ = before;
  e_.place(past);
}

} // namespace boardwright::runtime::lowering
