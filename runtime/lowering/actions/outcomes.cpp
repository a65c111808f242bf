// Actions that ask what outcomes another has: `otherwise`, `most`, `distinct`, `quietly`, `each`.
#include "runtime/lowering/actions/outcomes.hpp"
#include "runtime/lowering/actions/changes.hpp"
#include "runtime/lowering/actions/choices.hpp"
#include "runtime/lowering/actions/join_points.hpp"
#include "runtime/lowering/actions/loops.hpp"
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/values/truths.hpp"
#include "runtime/lowering/walks/set_at_a_time.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

// Whatever draft comes there, does it become one move, or none where something is carried?
bool surely_ends(const Context& cx, const Todo* todo, const AbstractDraft& d) {
  Carried::Kind carried = d.carried.kind;
  bool has_cell = d.here.is(Kind::cell) && cx.maybe_none.count(d.here.reg) == 0;
  while (todo != nullptr) {
    if (todo->then != nullptr) {
      if (!todo->then->noted) return false;
      todo = todo->then->after;
      continue;
    }
    if (!certain(cx, todo->action, d, carried, has_cell)) return false;
    todo = todo->next;
  }
  return carried == Carried::Kind::nothing;
}

// While a value is asked nothing is decided, and the mover is in the game.
void set_decision_aside(Context& cx) {
  cx.e.emit(Ir::write, cx.layout.decision, cx.e.number_constant(0));
  if (cx.players() <= 2) return;
  const Label in = cx.e.label(), out = cx.e.label();
  jump_if_out(cx, cx.turn.player, out);
  cx.e.go(in);
  cx.e.place(out);
  {
    const Emitter::Scope scope(cx.e);
    const Reg rest = cx.e.new_number();
    cx.e.emit(Ir::subtract, rest, cx.layout.out, cx.e.number_constant(std::int32_t{1} << cx.turn.player));
    cx.e.emit(Ir::write, cx.layout.out, rest);
  }
  cx.e.place(in);
}

// What an outcome is worth. What a draft has decided ends its turn, not the walks within a value.
Reg worth(Context& cx, NodeId score, AbstractDraft& d) {
  if (!d.decided) return number(cx, score, d);
  const bool minds = cx.facts.contains(score, OperationSet(Op::win, Op::lose, Op::draw, Op::no_move));
  const Reg mark = cx.e.new_number(2), worth = cx.e.new_number();
  d.decided = false;
  if (minds) {
    cx.e.emit(Ir::mark, mark);
    set_decision_aside(cx);
    cx.e.forget_values();
  }
  cx.e.emit(Ir::copy, worth, number(cx, score, d));
  if (minds) {
    cx.e.emit(Ir::undo, 0, mark);
    cx.e.forget_values();
  }
  d.decided = true;
  return worth;
}

// The outcomes with the greatest value, each a move: where a better one is found those before don't count.
void most_at_once(Context& cx, const Todo* todo, const AbstractDraft& d) {
  const NodeId id = todo->action, score = cx.kid(id, 1);
  const Emitter::Scope scope(cx.e);
  const Reg best = cx.e.new_number(), found = cx.e.new_number(3);
  cx.e.emit(Ir::best_begin, best);
  cx.e.emit(Ir::best_moves, found);
  cx.within.most = true;
  Continuation then;
  then.reads = {score};
  then.after = todo->next;
  then.go = [&](AbstractDraft f) {
    if (!surely_ends(cx, todo->next, f)) {
      cx.speculation.never_at_once.insert(id);
      cx.recompile = true;
    }
    const Label worse = cx.e.label();
    {
      const Emitter::Scope test(cx.e);
      cx.e.emit(Ir::best_test, best, worth(cx, score, f), found, 0, worse);
      act(cx, todo->next, std::move(f));
    }
    cx.e.place(worse);
  };
  act_then(cx, cx.kid(id, 0), d, then);
  cx.within.most = false;
  cx.e.emit(Ir::best_end, 0, found);
}

// Counts the outcomes, up to two; if there is one, it is found again and left as it is.
void only_outcome(Context& cx, NodeId body, const AbstractDraft& d, const AbstractDraft& general) {
  const Mode mode = std::exchange(cx.mode, Mode::search);
  ++cx.within.each;
  const Reg count = cx.e.new_number(), mark = cx.e.new_number(2), stack = cx.e.new_number(4);
  const Label counted = cx.e.label(), good = cx.e.label(), done = cx.e.label(), none = cx.e.label();
  cx.e.emit(Ir::constant, count, 0, 0, 0, 0);
  cx.e.emit(Ir::mark, mark);
  cx.e.emit(Ir::stack_mark, stack);
  const bool text = cx.text;
  {
    const Emitter::Scope scope(cx.e);
    Continuation then;
    then.go = [&](const AbstractDraft&) {
      const Label more = cx.e.label();
      cx.e.emit(Ir::add, count, count, cx.e.number_constant(1));
      cx.e.emit(Ir::if_less, 0, count, cx.e.number_constant(2), 0, more);
      cx.e.emit(Ir::cut, 0, stack, 0, 0, counted);
      cx.e.place(more);
    };
    cx.text = false;
    act_then(cx, body, d, then);
    cx.text = text;
  }
  cx.e.place(counted);
  cx.e.emit(Ir::undo, 0, mark);
  cx.e.emit(Ir::if_equal, 0, count, cx.e.number_constant(1), 0, good);
  cx.e.emit(Ir::if_equal, 0, count, cx.e.number_constant(0), 0, none);
  cx.fail("the action of `each` must have exactly one outcome, and has several");
  cx.e.place(none);
  cx.fail("the action of `each` must have exactly one outcome, and has none");
  cx.e.place(good);
  {
    const Emitter::Scope scope(cx.e);
    Continuation then;
    then.go = [&](const AbstractDraft& f) {
      write_place(cx, f, general);
      cx.e.emit(Ir::cut, 0, stack, 0, 0, done);
    };
    act_then(cx, body, d, then);
  }
  cx.e.place(done);
  --cx.within.each;
  cx.mode = mode;
}

} // namespace

void otherwise(Context& cx, const Todo* todo, const AbstractDraft& d) {
  const Node n = cx.node(todo->action);
  std::vector<NodeId> kids(cx.program.kids_of(n).begin(), cx.program.kids_of(n).end());
  std::optional<std::size_t> shared;
  const Todo* after = share(cx, todo->next, d, kids.size(), kids, shared);
  std::vector<std::int32_t> values;
  for (std::size_t k = 0; k < kids.size(); ++k) values.push_back(static_cast<std::int32_t>(k));
  if (cx.plays(d)) {
    ways(cx, values, d, [&](std::size_t k, AbstractDraft e) {
      const Todo branch{kids[k], after, nullptr};
      act(cx, &branch, std::move(e));
    });
    return compile_shared(cx, shared);
  }
  const Emitter::Scope scope(cx.e);
  const Reg any = cx.e.new_number(), mark = cx.e.new_number(2);
  const Label past = cx.e.label();
  const std::size_t marked = cx.e.emit(Ir::mark, mark);
  bool dirty = false;
  for (std::size_t k = 0; k < kids.size(); ++k) {
    const bool last = k + 1 == kids.size();
    const std::size_t begin = cx.e.here();
    const Emitter::Scope inside(cx.e);
    AbstractDraft e = d;
    if (cx.mode == Mode::search && d.recorded && cx.comparison.ambiguities.branches.count(kids[k]) != 0)
      e.compared = true;
    record(e, static_cast<std::int32_t>(k));
    if (last) {
      const Todo branch{kids[k], after, nullptr};
      act(cx, &branch, std::move(e));
      break;
    }
    cx.e.emit(Ir::constant, any, 0, 0, 0, 0);
    Continuation then;
    then.after = after;
    then.go = [&](AbstractDraft f) {
      cx.e.emit(Ir::constant, any, 0, 0, 0, 1);
      act(cx, after, std::move(f));
    };
    then.noted = [&, any] { cx.e.emit(Ir::constant, any, 0, 0, 0, 1); };
    then.set_at_a_time = [&](const void* walkers, AbstractDraft f) {
      note_any_set_at_a_time(cx, walkers, any, after, std::move(f));
    };
    act_then(cx, kids[k], std::move(e), then);
    if (cx.e.changes_since(begin)) {
      cx.e.emit(Ir::undo, 0, mark);
      dirty = true;
    }
    cx.e.emit(Ir::if_not_equal, 0, any, cx.e.number_constant(0), 0, past);
  }
  if (!dirty) cx.e.forget(marked);
  cx.e.place(past);
  compile_shared(cx, shared);
}

void most(Context& cx, const Todo* todo, const AbstractDraft& d) {
  const NodeId id = todo->action;
  const NodeId inner = cx.kid(id, 0), score = cx.kid(id, 1);
  if (cx.plays(d)) {
    const Todo first{inner, todo->next, nullptr};
    return act(cx, &first, d);
  }
  // With stacks moves may be counted without enumerating them, unless they are compared: then they can't be
  // taken back one by one.
  const bool counts = cx.stacks() && !cx.compares(d);
  const bool may_go_wrong = cx.facts.may_go_wrong(inner) && !cx.facts.harmless(inner);
  if (is_on(Idiom::most_at_once) && cx.mode == Mode::search && d.recorded && !cx.within.most &&
      cx.within.each == 0 && cx.within.reach == 0 && !counts && cx.speculation.never_at_once.count(id) == 0 &&
      !may_go_wrong)
    return most_at_once(cx, todo, d);
  const Emitter::Scope scope(cx.e);
  const Reg best = cx.e.new_number(), any = cx.e.new_number(), mark = cx.e.new_number(2);
  const Label past = cx.e.label();
  cx.e.emit(Ir::best_begin, best);
  cx.e.emit(Ir::constant, any, 0, 0, 0, 0);
  cx.e.emit(Ir::mark, mark);
  {
    const Emitter::Scope inside(cx.e);
    AbstractDraft e = d;
    e.recorded = false;
    e.choices.clear();
    Continuation then;
    then.reads = {score};
    then.go = [&](AbstractDraft f) {
      const Reg s = worth(cx, score, f);
      cx.e.emit(Ir::greatest, best, best, s);
      cx.e.emit(Ir::constant, any, 0, 0, 0, 1);
    };
    const bool text = std::exchange(cx.text, false), scores = std::exchange(cx.within.scores, true);
    act_then(cx, inner, std::move(e), then);
    cx.text = text;
    cx.within.scores = scores;
  }
  cx.e.emit(Ir::undo, 0, mark);
  cx.e.emit(Ir::if_equal, 0, any, cx.e.number_constant(0), 0, past);
  {
    const Emitter::Scope inside(cx.e);
    Continuation then;
    then.reads = {score};
    then.after = todo->next;
    then.go = [&](AbstractDraft f) {
      const Label worse = cx.e.label();
      {
        const Emitter::Scope test(cx.e);
        const Reg s = worth(cx, score, f);
        cx.e.emit(Ir::if_not_equal, 0, s, best, 0, worse);
        act(cx, todo->next, std::move(f));
      }
      cx.e.place(worse);
    };
    act_then(cx, inner, d, then);
  }
  cx.e.place(past);
}

void distinct(Context& cx, const Todo* todo, const AbstractDraft& d) {
  const Node n = cx.node(todo->action);
  const NodeId inner = cx.kid(todo->action, 0);
  if (cx.plays(d)) {
    const Todo first{inner, todo->next, nullptr};
    return act(cx, &first, d);
  }
  const Emitter::Scope scope(cx.e);
  const Reg place = cx.e.new_number(), mark = cx.e.new_number(2);
  cx.e.emit(Ir::outcomes_begin, place);
  cx.e.emit(Ir::mark, mark);
  const bool text = std::exchange(cx.text, true);
  {
    const Emitter::Scope inside(cx.e);
    AbstractDraft e = d;
    e.recorded = false;
    e.choices.clear();
    Continuation then;
    then.reads = {todo->action};
    then.go = [&](const AbstractDraft& f) {
      cx.e.emit(Ir::outcomes_note, 0, place, 0, draft_key(cx, f, n.b));
    };
    act_then(cx, inner, std::move(e), then);
  }
  cx.e.emit(Ir::undo, 0, mark);
  {
    const Emitter::Scope inside(cx.e);
    Continuation then;
    then.reads = {todo->action};
    then.after = todo->next;
    then.go = [&](AbstractDraft f) {
      const Label past = cx.e.label();
      cx.e.emit(Ir::outcomes_test, 0, place, 0, draft_key(cx, f, n.b), past);
      const bool inner_text = std::exchange(cx.text, text);
      {
        const Emitter::Scope rest(cx.e);
        act(cx, todo->next, std::move(f));
      }
      cx.text = inner_text;
      cx.e.place(past);
    };
    act_then(cx, inner, d, then);
  }
  cx.text = text;
  cx.e.emit(Ir::outcomes_end, 0, place);
}

void quietly(Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (!cx.text && !d.compared && !keys(cx, d)) {
    const Todo first{cx.kid(todo->action, 0), todo->next, nullptr};
    return act(cx, &first, d);
  }
  const Emitter::Scope scope(cx.e);
  const Reg gone = cx.e.new_set();
  cx.e.emit(Ir::gone_copy, gone);
  const bool quiet = d.quiet;
  AbstractDraft e = d;
  e.quiet = true;
  Continuation then;
  then.after = todo->next;
  then.go = [&](AbstractDraft f) {
    f.quiet = quiet;
    cx.e.emit(Ir::gone_back, 0, gone);
    act(cx, todo->next, std::move(f));
  };
  act_then(cx, cx.kid(todo->action, 0), std::move(e), then);
}

void each(Context& cx, const Todo* todo, AbstractDraft d) {
  const Node n = cx.node(todo->action);
  const NodeId source = cx.kid(todo->action, 0), body = cx.kid(todo->action, 1);
  const Type type = cx.node(source).type;
  Carried::Kind carried = d.carried.kind;
  bool has_cell = !d.here.is(Kind::none);
  const bool plain =
      certain(cx, body, d, carried, has_cell) && carried == d.carried.kind && !cx.facts.changes_place(body);
  const AbstractValue members = value(cx, source, d);
  const Type member_type = type == Type::cells ? Type::cells : type;
  AbstractDraft general = plain ? d : generalised(cx, d, {body});
  if (!plain) write_place(cx, d, general);
  forget_contents(cx, general);
  const bool may_decide = cx.facts.decides(body);
  const Label decided = cx.e.label();
  each_member(cx, members, member_type, [&](const AbstractValue& member, Label) {
    AbstractDraft e = general;
    e.certain = e.recorded || e.certain;
    e.recorded = false;
    e.choices.clear();
    cx.e.forget_values();
    AbstractValue now = member; // what those before have changed may be there
    now.contents = cx.facts.all_contents();
    bind_local(cx, n.a, type == Type::sets ? Type::cells : type, now, e);
    if (plain) {
      Continuation then;
      then.go = [](const AbstractDraft&) {};
      act_then(cx, body, std::move(e), then);
    } else {
      only_outcome(cx, body, e, general);
    }
    if (may_decide) jump_if_decided(cx, decided);
  });
  cx.e.place(decided);
  cx.e.forget_values();
  AbstractDraft f = general;
  f.recorded = d.recorded, f.certain = d.certain;
  f.choices = d.choices;
  forget_contents(cx, f);
  if (may_decide) return act_if_undecided(cx, todo->next, f);
  act(cx, todo->next, std::move(f));
}

} // namespace boardwright::runtime::lowering
