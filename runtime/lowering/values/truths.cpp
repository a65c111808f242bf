// Truths: code that goes on in one of two places.
#include "runtime/lowering/values/truths.hpp"
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/idioms/groups.hpp"
#include "runtime/lowering/idioms/members.hpp"
#include "runtime/lowering/idioms/rows.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/values/values.hpp"
#include "runtime/lowering/walks/set_at_a_time.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

void jump_part(Context& cx, NodeId a, NodeId b, bool when, Label to, AbstractDraft& d);
bool jump_attacked(Context& cx, NodeId of, bool when, Label to, AbstractDraft& d);
bool jump_from_back(Context& cx, const Path& walk, Reg many, const AbstractValue& target, Label found,
                    AbstractDraft& d);
void jump_can(Context& cx, NodeId action, bool when, Label to, AbstractDraft& d, bool laid_down = false);

// Truths by an operation that values of every type have.
void jump_any(Context& cx, NodeId id, bool when, Label to, AbstractDraft& d) {
  const Node n = cx.node(id);
  switch (as<AnyOp>(n.op)) {
  case AnyOp::let_value: {
    AbstractDraft inside = d;
    inside.locals[n.a] = value(cx, cx.kid(id, 0), d);
    return jump(cx, cx.kid(id, 1), when, to, inside);
  }
  case AnyOp::if_value: {
    if (const auto always = constant_truth(cx, cx.kid(id, 0), d))
      return jump(cx, cx.kid(id, *always ? 1 : 2), when, to, d);
    const Label other = cx.e.label(), done = cx.e.label();
    {
      const Emitter::Scope scope(cx.e);
      jump(cx, cx.kid(id, 0), false, other, d);
      jump(cx, cx.kid(id, 1), when, to, d);
      cx.e.go(done);
    }
    cx.e.place(other);
    {
      const Emitter::Scope scope(cx.e);
      jump(cx, cx.kid(id, 2), when, to, d);
    }
    cx.e.place(done);
    return;
  }
  case AnyOp::local:
  case AnyOp::variable:
  case AnyOp::before:
  case AnyOp::by_kind:
  case AnyOp::by_player:
  case AnyOp::first_of:
  case AnyOp::last_of: {
    const Reg r = number(cx, id, d);
    return test(cx, Ir::if_equal, r, cx.e.number_constant(0), !when, to);
  }
  }
  cx.fail("a truth of an unknown operation");
}

// What comes after the first is only reached if that didn't settle it.
void jump_several(Context& cx, const Node& n, bool any, bool when, Label to, AbstractDraft& d) {
  std::vector<NodeId> open; // that the position decides
  bool settled = false;     // behind these one settles it in every position
  for (std::uint32_t i = 0; i < n.count && !settled; ++i) {
    const NodeId kid = cx.program.kid(n, i);
    const auto always = constant_truth(cx, kid, d);
    if (!always)
      open.push_back(kid);
    else
      settled = *always == any;
  }
  const auto harmless = [&](NodeId kid) { return cx.facts.harmless(kid); };
  if (settled && std::all_of(open.begin(), open.end(), harmless)) open.clear();
  const Label past = cx.e.label();
  const auto one = [&](std::size_t i) {
    const bool last = i + 1 == open.size() && !settled;
    if (last || any == when)
      jump(cx, open[i], last ? when : any, to, d);
    else
      jump(cx, open[i], any, past, d);
  };
  if (!open.empty()) one(0);
  {
    const Emitter::Scope scope(cx.e);
    for (std::size_t i = 1; i < open.size(); ++i) one(i);
  }
  if (settled ? any == when : open.empty() && any != when) cx.e.go(to);
  cx.e.place(past);
}

void jump_equal(Context& cx, const Node& n, bool when, Label to, AbstractDraft& d) {
  const NodeId a = cx.program.kid(n, 0), b = cx.program.kid(n, 1);
  switch (cx.node(a).type) {
  case Type::number:
  case Type::truth:
  case Type::kind:
  case Type::player: {
    const Reg ra = number(cx, a, d), rb = number(cx, b, d);
    return test(cx, Ir::if_equal, ra, rb, when, to);
  }
  case Type::cells: {
    const AbstractValue va = value(cx, a, d), vb = value(cx, b, d);
    if (va.is(Kind::cell) && vb.is(Kind::cell)) return test(cx, Ir::if_equal, va.reg, vb.reg, when, to);
    const Reg ra = set_of(cx, va), rb = set_of(cx, vb);
    if (rb == cx.no_cells) return test(cx, Ir::if_none, ra, 0, when, to);
    if (ra == cx.no_cells) return test(cx, Ir::if_none, rb, 0, when, to);
    return test(cx, Ir::if_same, ra, rb, when, to);
  }
  default: {
    const AbstractValue va = value(cx, a, d), vb = value(cx, b, d);
    if (va.is(Kind::steps) && vb.is(Kind::steps)) {
      if ((va.steps == vb.steps) == when) cx.e.go(to);
      return;
    }
    if (cx.node(a).type == Type::directions) {
      if (va.is(Kind::step) && vb.is(Kind::step)) return test(cx, Ir::if_equal, va.reg, vb.reg, when, to);
      const Reg ra = ways_of(cx, va), rb = ways_of(cx, vb);
      return test(cx, Ir::if_same, ra, rb, when, to);
    }
    const Reg ra = box_of(cx, va), rb = box_of(cx, vb);
    return test(cx, Ir::if_box_same, ra, rb, when, to);
  }
  }
}

void jump_within(Context& cx, const Node& n, bool when, Label to, AbstractDraft& d) {
  const NodeId a = cx.program.kid(n, 0), b = cx.program.kid(n, 1);
  jump_part(cx, a, b, when, to, d);
}

void jump_part(Context& cx, NodeId a, NodeId b, bool when, Label to, AbstractDraft& d) {
  if (cx.node(a).type == Type::directions)
    if (const auto one = cx.facts.constant_steps(a, d); one && one->count() == 1)
      return jump_step(cx, b, one->first(), when, to, d);
  const AbstractValue part = value(cx, a, d), whole = value(cx, b, d);
  if (cx.node(a).type == Type::directions) {
    if (part.is(Kind::steps) && whole.is(Kind::steps)) {
      if (part.steps.within(whole.steps) == when) cx.e.go(to);
      return;
    }
    if (part.is(Kind::step)) return test(cx, Ir::if_in, part.reg, ways_of(cx, whole), when, to);
    const Reg ra = ways_of(cx, part), rb = ways_of(cx, whole);
    return test(cx, Ir::if_part, ra, rb, when, to);
  }
  const Reg of = set_of(cx, whole);
  if (part.is(Kind::cell)) return test(cx, Ir::if_in, part.reg, of, when, to);
  return test(cx, Ir::if_part, set_of(cx, part), of, when, to);
}

void jump_some(Context& cx, NodeId of, bool when, Label to, AbstractDraft& d) {
  const Node n = cx.node(of);
  if (n.type != Type::cells) {
    const AbstractValue v = value(cx, of, d);
    if (v.is(Kind::steps) || v.is(Kind::none)) {
      if ((v.is(Kind::steps) && v.steps.any()) == when) cx.e.go(to);
      return;
    }
    if (v.is(Kind::step)) return test(cx, Ir::if_less, v.reg, cx.e.number_constant(0), !when, to);
    if (v.is(Kind::ways)) return test(cx, Ir::if_some, v.reg, 0, when, to);
    return test(cx, Ir::if_box_some, box_of(cx, v), 0, when, to);
  }
  if (jump_attacked(cx, of, when, to, d)) return;
  if (n.op == Op::meet) {
    const AbstractValue a = value(cx, cx.kid(of, 0), d), b = value(cx, cx.kid(of, 1), d);
    if (a.is(Kind::cell) != b.is(Kind::cell)) {
      const Reg cell = a.is(Kind::cell) ? a.reg : b.reg, whole = set_of(cx, a.is(Kind::cell) ? b : a);
      const Label past = cx.e.label(); // no cell is in every set, but is none
      test(cx, Ir::if_less, cell, cx.e.number_constant(0), true, when ? past : to);
      test(cx, Ir::if_in, cell, whole, when, to);
      cx.e.place(past);
      return;
    }
    const Reg ra = set_of(cx, a), rb = set_of(cx, b);
    // Does the group of a cell meet a constant set? The cell is connected with one of that. (A move that is
    // played most often adds one cell, so that what is connected with the set goes on from what it was.)
    for (const auto& [all, goal] : {std::pair(ra, rb), std::pair(rb, ra)}) {
      const auto flood = cx.e.made_by(all);
      if (!flood || flood->op != Ir::set_flood || cx.mode == Mode::search) continue;
      if (cx.e.known_set(goal) == nullptr || cx.e.known_set(flood->b) != nullptr) continue;
      const auto begin = cx.e.made_by(flood->a);
      const bool guarded =
          begin && begin->op == Ir::set_meet && (begin->a == flood->b || begin->b == flood->b);
      const auto one = guarded ? cx.e.made_by(begin->a == flood->b ? begin->b : begin->a) : begin;
      StepSet steps;
      for (const std::int16_t step : cx.code.steps[at(flood->x)]) steps |= StepSet::of(step);
      if (!one || one->op != Ir::set_cell || !cx.facts.goes_both_ways(steps)) continue;
      if (!lies_in(cx, one->a, flood->b, d)) continue;
      return test(cx, Ir::if_in, one->a, grown(cx, goal, steps, flood->b), when, to);
    }
    return test(cx, Ir::if_meet, ra, rb, when, to);
  }
  const AbstractValue v = value(cx, of, d);
  if (v.is(Kind::cell)) return test(cx, Ir::if_less, v.reg, cx.e.number_constant(0), !when, to);
  return test(cx, Ir::if_some, set_of(cx, v), 0, when, to);
}

void jump_some_where(Context& cx, const Node& n, bool when, Label to, AbstractDraft& d) {
  if (jump_some_group(cx, n, when, to, d)) return;
  const Label past = cx.e.label();
  const NodeId of = cx.program.kid(n, 0);
  if (asked_at_once(cx, of, cx.program.kid(n, 1))) {
    const AbstractValue from = value(cx, of, d);
    if (const auto those = members_where(cx, cx.program.kid(n, 1), n.a, from, d))
      return test(cx, Ir::if_some, *those, 0, when, to);
  }
  const auto ask = [&](const AbstractValue& member, Label) {
    AbstractDraft inside = d;
    inside.locals[n.a] = member;
    jump(cx, cx.program.kid(n, 1), true, when ? to : past, inside);
  };
  if (!each_known(cx, of, d, ask)) each_candidate(cx, of, n.a, cx.program.kid(n, 1), d, ask);
  if (!when) cx.e.go(to);
  cx.e.place(past);
}

// Does a walk from one of many cells end on one of few? `some (own king) & reach(enemy, hit)`: asked from
// each of the few backwards, by the kind of the piece that would have to stand where the walk begins.
bool jump_attacked(Context& cx, NodeId of, bool when, Label to, AbstractDraft& d) {
  if (!is_on(Idiom::attacked)) return false;
  const Node n = cx.node(of);
  if (n.op != Op::meet) return false;
  for (const std::uint32_t k : {0u, 1u}) {
    const NodeId walk = cx.kid(of, k), few = cx.kid(of, 1 - k);
    if (cx.node(walk).op != Op::reach || !cx.facts.is_few(few)) continue;
    const NodeId action = cx.kid(walk, 1);
    const Path* way = cx.facts.path(action);
    if (way == nullptr || cx.facts.contains(action, Op::heading) || reads_walker(cx, cx.kid(walk, 0)))
      continue;
    Emitter::Attempt attempt(cx.e);
    const Label found = cx.e.label(), past = cx.e.label();
    const Reg many = set(cx, cx.kid(walk, 0), d);
    const AbstractValue targets = value(cx, few, d);
    bool good = true;
    each_member(cx, targets, Type::cells, [&](const AbstractValue& target, Label) {
      good = good && jump_from_back(cx, *way, many, target, found, d);
    });
    if (!good) {
      attempt.give_up();
      continue;
    }
    if (!when) cx.e.go(to);
    if (when) cx.e.go(past);
    cx.e.place(found);
    if (when) cx.e.go(to);
    cx.e.place(past);
    return true;
  }
  return false;
}

// The table of where a walk leads from into each cell, whatever lies on the board; nothing where that is most
// of the board.
std::optional<std::int32_t> table_of_origins(Context& cx, const Path& walk) {
  const auto [known, fresh] = cx.tables.origins.try_emplace(&walk, std::nullopt);
  if (!fresh) return known->second;
  const int cells = cx.board().cells;
  std::vector<CellSet> origins(at(cells));
  int pairs = 0;
  cx.board().all.each([&](int from) {
    CellSet one;
    one.set(from);
    cx.facts.possible_ends(walk, one, AbstractDraft()).each([&](int to) {
      origins[at(to)].set(from), ++pairs;
    });
  });
  if (pairs > cells * cells / 2) return std::nullopt;
  const auto [table, added] =
      cx.tables.sets.try_emplace(origins, static_cast<std::int32_t>(cx.code.set_tables.size()));
  if (added) cx.code.set_tables.push_back({1, std::move(origins)});
  return known->second = table->second;
}

// A look into a table tells whether a piece stands where it could come from at all. What takes no more
// operations than this is as quickly asked.
constexpr std::size_t kQuickWalk = 6;

// Goes to the label if the walk leads from a cell of `many` to the target.
bool jump_from_back(Context& cx, const Path& walk, Reg many, const AbstractValue& target, Label found,
                    AbstractDraft& d) {
  if (walk.is(Path::Kind::by_kind) && cx.node(walk.of).op == Op::here) {
    for (std::size_t k = 0; k + 1 < walk.parts.size(); ++k) {
      if (walk.parts[k].is_never()) continue;
      const Reg those = meet(cx, many, kind_cells(cx, static_cast<int>(k)));
      if (!jump_from_back(cx, walk.parts[k], those, target, found, d)) return false;
    }
    return walk.parts.back().is_never();
  }
  const auto ask = [&] {
    AbstractDraft inside = d;
    const auto from = preimage(cx, walk, target, inside);
    if (from) cx.e.emit(Ir::if_meet, 0, *from, many, 0, found);
    return from.has_value();
  };
  Emitter::Attempt attempt(cx.e);
  const std::size_t begin = cx.e.here();
  if (!ask()) return false;
  if (cx.e.here() - begin <= kQuickWalk || !target.is(Kind::cell) || !cx.looks.seen.empty()) return true;
  const auto origins = table_of_origins(cx, walk);
  if (!origins) return true;
  attempt.give_up();
  const Label past = cx.e.label();
  {
    const Emitter::Scope scope(cx.e);
    const Reg near = cx.e.set_value(Ir::set_table, target.reg, cx.e.number_constant(0), 0, *origins);
    test(cx, Ir::if_meet, near, many, false, past);
    (void)ask();
  }
  cx.e.place(past);
  return true;
}

// Has an action an outcome (of a turn: one that leaves nothing carried)? The state is as before
// afterwards.
void jump_can(Context& cx, NodeId action, bool when, Label to, AbstractDraft& d, bool laid_down) {
  const Path* walk = cx.facts.path(action);
  if (walk != nullptr && !d.here.is(Kind::none) && !cx.facts.contains(action, Op::heading)) {
    Emitter::Attempt attempt(cx.e);
    AbstractDraft inside = d;
    if (const auto ends = image(cx, *walk, d.here, inside)) return test(cx, Ir::if_some, *ends, 0, when, to);
    attempt.give_up();
  }
  const Emitter::Scope scope(cx.e);
  const Reg mark = cx.e.new_number(2), stack = cx.e.new_number(4);
  const std::size_t marked = cx.e.emit(Ir::mark, mark);
  const std::size_t stacked = cx.e.emit(Ir::stack_mark, stack);
  const std::size_t begin = cx.e.here();
  const Label found = cx.e.label(), past = cx.e.label();
  std::vector<std::size_t> cuts;
  AbstractDraft inside = d;
  inside.quiet = true;
  inside.recorded = false;
  inside.choices.clear();
  Continuation then;
  const auto goes = [&] { cuts.push_back(cx.e.emit(Ir::cut, 0, stack, 0, 0, found)); };
  then.go = [&](const AbstractDraft& f) { laid_down ? unless_carried(cx, f, goes) : goes(); };
  then.is_end = !laid_down;
  if (!laid_down)
    then.set_at_a_time = [&](const void* walkers, const AbstractDraft&) {
      ask_set_at_a_time(cx, walkers, stack, found, cuts);
    };
  const Mode mode = std::exchange(cx.mode, Mode::search);
  const bool text = std::exchange(cx.text, false);
  const int exact = std::exchange(cx.within.each, 0), reaching = std::exchange(cx.within.reach, 0);
  act_then(cx, action, inside, then);
  cx.mode = mode, cx.text = text, cx.within.each = exact, cx.within.reach = reaching;
  const bool dirty = cx.e.changes_since(begin);
  if (!cx.e.begins_since(begin)) {
    cx.e.forget(stacked);
    for (const std::size_t c : cuts) cx.code.instructions[c].op = Ir::go;
  }
  cx.e.undo_since(begin, mark, marked);
  cx.e.forget_values();
  if (!when) cx.e.go(to);
  if (when) cx.e.go(past);
  cx.e.place(found);
  if (dirty) cx.e.emit(Ir::undo, 0, mark);
  if (when) cx.e.go(to);
  cx.e.place(past);
}

// Has the turn of a player an outcome? Of the player to move that is known when the moves are. Whoever is out
// has none.
void jump_no_move(Context& cx, const Node& n, bool when, Label to, AbstractDraft& d) {
  if (cx.end_lines.asking && n.a == cx.turn.player) {
    if (cx.end_lines.search_first)
      return void(
          cx.e.emit(Ir::cut, 0, cx.end_lines.search_first->stack, 0, 0, cx.end_lines.search_first->label));
    return test(cx, Ir::if_no_move, 0, 0, when, to);
  }
  AbstractDraft inside;
  inside.quiet = true;
  (void)d;
  const Label past = cx.e.label();
  if (cx.players() > 2) jump_if_out(cx, n.a, when ? to : past);
  const NodeId turn = cx.program.players[at(n.a)].turn;
  const int player = std::exchange(cx.turn.player, n.a);
  const bool asking = std::exchange(cx.end_lines.asking, false);
  const auto before = std::exchange(cx.turn.before, {});
  jump_can(cx, turn, !when, to, inside, cx.facts.does(turn, Op::lift));
  cx.turn.player = player, cx.end_lines.asking = asking, cx.turn.before = before;
  cx.e.place(past);
}

} // namespace

void jump(Context& cx, NodeId id, bool when, Label to, AbstractDraft& d) {
  if (cx.stopped()) return;
  const Node n = cx.node(id);
  if (jump_rows(cx, id, when, to, d)) return;
  if (group_of(n.op) == runtime::Group::any) return jump_any(cx, id, when, to, d);
  switch (as<TruthOp>(n.op)) {
  case TruthOp::truth:
    if ((n.a != 0) == when) cx.e.go(to);
    return;
  case TruthOp::negation: return jump(cx, cx.kid(id, 0), !when, to, d);
  case TruthOp::all_of: return jump_several(cx, n, false, when, to, d);
  case TruthOp::any_of: return jump_several(cx, n, true, when, to, d);
  case TruthOp::less: {
    const Reg a = number(cx, cx.kid(id, 0), d), b = number(cx, cx.kid(id, 1), d);
    return test(cx, Ir::if_less, a, b, when, to);
  }
  case TruthOp::at_most: { // a <= b is not b < a
    const Reg a = number(cx, cx.kid(id, 0), d), b = number(cx, cx.kid(id, 1), d);
    return test(cx, Ir::if_less, b, a, !when, to);
  }
  case TruthOp::equal: return jump_equal(cx, n, when, to, d);
  case TruthOp::within: return jump_within(cx, n, when, to, d);
  case TruthOp::member: {
    const Type type = cx.node(cx.kid(id, 1)).type;
    const AbstractValue member = value(cx, cx.kid(id, 0), d);
    const Reg list = box(cx, cx.kid(id, 1), d);
    if (type == Type::sets) return test(cx, Ir::if_member_set, set_of(cx, member), list, when, to);
    return test(cx, Ir::if_member, member.reg, list, when, to);
  }
  case TruthOp::some: return jump_some(cx, cx.kid(id, 0), when, to, d);
  case TruthOp::some_where: return jump_some_where(cx, n, when, to, d);
  case TruthOp::can: return jump_can(cx, cx.kid(id, 0), when, to, d);
  case TruthOp::no_move: return jump_no_move(cx, n, when, to, d);
  case TruthOp::changed: cx.code.reads_beginning = true; return test(cx, Ir::if_changed, 0, 0, when, to);
  }
  cx.fail("a truth of an unknown operation");
}

// Code for every member of a value. `next` is where it goes on with the next one.
void each_member(Context& cx, NodeId of, AbstractDraft& d,
                 const std::function<void(AbstractValue, Label)>& body) {
  if (const auto sets = cx.facts.constant_list(of)) {
    for (const CellSet& set : *sets) {
      const Emitter::Scope scope(cx.e);
      const Label next = cx.e.label();
      body(any_set(cx, cx.e.set_constant(set)), next);
      cx.e.place(next);
    }
    return;
  }
  each_member(cx, value(cx, of, d), cx.node(of).type, body);
}

bool asked_at_once(const Context& cx, NodeId of, NodeId condition) {
  if (cx.node(of).type != Type::cells) return false;
  const bool beside = cx.facts.contains(of, Op::here) && cx.facts.contains(of, Op::reach) &&
                      !cx.facts.contains(of, Op::repeat) && cx.facts.contains(condition, Op::repeat);
  const auto walks_among_them = [&](const Node& n) {
    return Terms::found(n.op == Op::at && cx.facts.same(cx.program.kid(n, 0), of));
  };
  return !beside && (!cx.facts.is_few(of) || cx.facts.finds(condition, walks_among_them));
}

AbstractValue candidates(Context& cx, NodeId of, std::int32_t slot, NodeId condition, AbstractDraft& d) {
  AbstractValue all = members(cx, of, slot, condition, d);
  if (cx.node(condition).op != Op::all_of || cx.node(of).type != Type::cells || !cx.facts.harmless(condition))
    return all;
  for (const NodeId part : cx.facts.parts_of_condition(condition)) {
    const bool walks = cx.facts.contains_local(part, slot) && cx.facts.contains(part, Op::reach);
    if (!walks || !asked_at_once(cx, of, part)) continue;
    if (const auto those = members_where(cx, part, slot, all, d)) all.reg = *those;
  }
  return all;
}

bool has_known_members(const Context& cx, NodeId of) {
  const auto members = cx.facts.constant_members(of);
  return members && members->size() == cx.node(of).count; // none of them twice
}

bool each_known(Context& cx, NodeId of, AbstractDraft& d,
                const std::function<void(AbstractValue, Label)>& body) {
  if (!has_known_members(cx, of)) return false;
  for (std::uint32_t i = 0; i < cx.node(of).count; ++i) {
    const Emitter::Scope scope(cx.e);
    const Label next = cx.e.label();
    body(value(cx, cx.kid(of, i), d), next);
    cx.e.place(next);
  }
  return true;
}

void each_candidate(Context& cx, NodeId of, std::int32_t slot, NodeId condition, AbstractDraft& d,
                    const std::function<void(AbstractValue, Label)>& body) {
  if (const auto groups = all_groups(cx, of, d)) return each_group(cx, *groups, body);
  each_member(cx, candidates(cx, of, slot, condition, d), cx.node(of).type, body);
}

namespace {

// By the kind on a cell: one look tells which of the values counts, and where to go on.
void jump_step_by_kind(Context& cx, const Node& n, int step, bool when, Label to, Label past,
                       AbstractDraft& d) {
  const Emitter::Scope scope(cx.e);
  const Reg which = row_of_kind(cx, cx.program.kid(n, 0), d);
  const auto table = static_cast<std::int32_t>(cx.code.labels.size());
  cx.code.labels.emplace_back();
  cx.e.emit(Ir::jump_table, 0, which, 0, 0, table);
  std::vector<std::uint32_t> labels;
  for (std::uint32_t k = 1; k < n.count; ++k) {
    const NodeId value_of_it = cx.program.kid(n, k);
    if (const auto known = cx.facts.constant_steps(value_of_it, d)) {
      labels.push_back(static_cast<std::uint32_t>(known->test(step) == when ? to : past));
      continue;
    }
    const Emitter::Scope inside(cx.e);
    const Label here = cx.e.label();
    cx.e.place(here);
    labels.push_back(static_cast<std::uint32_t>(here));
    jump_step(cx, value_of_it, step, when, to, d);
    cx.e.go(past);
  }
  std::rotate(labels.begin(), labels.end() - 1, labels.end()); // no kind comes first, and is the last value
  cx.code.labels[at(table)] = labels;
}

// By the parts of a value; false where it is something else. `past` stands behind it all.
bool jump_step_by_parts(Context& cx, NodeId id, int step, bool when, Label to, Label past, AbstractDraft& d) {
  const Node n = cx.node(id);
  switch (n.op) {
  case Op::if_value: {
    const Label other = cx.e.label();
    {
      const Emitter::Scope scope(cx.e);
      jump(cx, cx.kid(id, 0), false, other, d);
      jump_step(cx, cx.kid(id, 1), step, when, to, d);
      cx.e.go(past);
    }
    cx.e.place(other);
    const Emitter::Scope scope(cx.e);
    jump_step(cx, cx.kid(id, 2), step, when, to, d);
    return true;
  }
  case Op::unite:
  case Op::meet: {
    const bool any = n.op == Op::unite;
    const Emitter::Scope scope(cx.e);
    jump_step(cx, cx.kid(id, 0), step, any, any == when ? to : past, d);
    jump_step(cx, cx.kid(id, 1), step, when, to, d);
    return true;
  }
  case Op::minus: {
    const Emitter::Scope scope(cx.e);
    jump_step(cx, cx.kid(id, 0), step, false, when ? past : to, d);
    jump_step(cx, cx.kid(id, 1), step, !when, to, d);
    return true;
  }
  case Op::heading:
  case Op::local: {
    const auto known = d.locals.find(n.a);
    const AbstractValue v = n.op == Op::heading                                    ? d.heading
                            : known != d.locals.end() && !cx.facts.is_changed(n.a) ? known->second
                                                                                   : AbstractValue();
    if (!v.is(Kind::step)) return false;
    test(cx, Ir::if_equal, v.reg, cx.e.number_constant(step), when, to);
    return true;
  }
  case Op::opposite: {
    const int back = cx.facts.compass().opposite[at(step)];
    if (back < 0 || cx.facts.compass().opposite[at(back)] != step) return false;
    jump_step(cx, cx.kid(id, 0), back, when, to, d);
    return true;
  }
  case Op::by_kind: jump_step_by_kind(cx, n, step, when, to, past, d); return true;
  default: return false;
  }
}

} // namespace

void jump_step(Context& cx, NodeId id, int step, bool when, Label to, AbstractDraft& d) {
  if (const auto known = cx.facts.constant_steps(id, d)) {
    if (known->test(step) == when) cx.e.go(to);
    return;
  }
  const Label past = cx.e.label();
  if (!jump_step_by_parts(cx, id, step, when, to, past, d)) {
    const Emitter::Scope scope(cx.e);
    test(cx, Ir::if_in, cx.e.number_constant(step), ways_of(cx, value(cx, id, d)), when, to);
  }
  cx.e.place(past);
}

void jump_if_out(Context& cx, int player, Label to) {
  const Emitter::Scope scope(cx.e);
  const Reg bit = cx.e.new_number();
  cx.e.emit(Ir::divide, bit, cx.layout.out, cx.e.number_constant(std::int32_t{1} << player));
  cx.e.emit(Ir::modulo, bit, bit, cx.e.number_constant(2));
  cx.e.emit(Ir::if_not_equal, 0, bit, cx.e.number_constant(0), 0, to);
}

} // namespace boardwright::runtime::lowering
