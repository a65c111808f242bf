// Actions that ask what outcomes another has: `otherwise`, `most`, `distinct`, `quietly`, `each`.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

void Lowering::otherwise(const Todo* todo, const Draft& d) {
  const Node n = node(todo->action);
  std::vector<NodeId> kids(program_.kids_of(n).begin(), program_.kids_of(n).end());
  std::optional<std::size_t> shared;
  const Todo* after = share(todo->next, d, kids.size(), kids, shared);
  std::vector<std::int32_t> values;
  for (std::size_t k = 0; k < kids.size(); ++k) values.push_back(static_cast<std::int32_t>(k));
  if (plays(d)) {
    ways(values, d, [&](std::size_t k, Draft e) {
      const Todo branch{kids[k], after, nullptr};
      act(&branch, std::move(e));
    });
    return compile_shared(shared);
  }
  const Emitter::Scope scope(e_);
  const Reg any = e_.new_number(), mark = e_.new_number(2);
  const Label past = e_.label();
  const std::size_t marked = e_.emit(Ir::mark, mark);
  bool dirty = false;
  for (std::size_t k = 0; k < kids.size(); ++k) {
    const bool last = k + 1 == kids.size();
    const std::size_t begin = e_.here();
    const Emitter::Scope inside(e_);
    Draft e = d;
    if (mode_ == Mode::search && d.recorded && doubts_.branches.count(kids[k]) != 0) e.compared = true;
    record(e, static_cast<std::int32_t>(k));
    if (last) {
      const Todo branch{kids[k], after, nullptr};
      act(&branch, std::move(e));
      break;
    }
    e_.emit(Ir::constant, any, 0, 0, 0, 0);
    Continuation then;
    then.after = after;
    then.go = [&](Draft f) {
      e_.emit(Ir::constant, any, 0, 0, 0, 1);
      act(after, std::move(f));
    };
    then.noted = [&, any] { e_.emit(Ir::constant, any, 0, 0, 0, 1); };
    then.bulk = [&](const void* walkers, Draft f) { note_any_in_bulk(walkers, any, after, std::move(f)); };
    act_then(kids[k], std::move(e), then);
    if (e_.changes_since(begin)) {
      e_.emit(Ir::undo, 0, mark);
      dirty = true;
    }
    e_.emit(Ir::if_not_equal, 0, any, e_.number_constant(0), 0, past);
  }
  if (!dirty) e_.forget(marked);
  e_.place(past);
  compile_shared(shared);
}

// Whatever draft comes there, does it become one move, or none where something is carried?
bool Lowering::surely_ends(const Todo* todo, const Draft& d) const {
  Air::Kind air = d.air.kind;
  bool has_cell = d.here.is(Kind::cell) && maybe_none_.count(d.here.reg) == 0;
  while (todo != nullptr) {
    if (todo->then != nullptr) {
      if (!todo->then->noted) return false;
      todo = todo->then->after;
      continue;
    }
    if (!certain(todo->action, d, air, has_cell)) return false;
    todo = todo->next;
  }
  return air == Air::Kind::nothing;
}

// The outcomes with the greatest value, each a move: where a better one is found those before don't count.
void Lowering::most_at_once(const Todo* todo, const Draft& d) {
  const NodeId id = todo->action, score = kid(id, 1);
  const Emitter::Scope scope(e_);
  const Reg best = e_.new_number(), found = e_.new_number(3);
  e_.emit(Ir::best_begin, best);
  e_.emit(Ir::best_moves, found);
  seeking_best_ = true;
  Continuation then;
  then.reads = {score};
  then.after = todo->next;
  then.go = [&](Draft f) {
    if (!surely_ends(todo->next, f)) {
      never_at_once_.insert(id);
      again_ = true;
    }
    const Label worse = e_.label();
    {
      const Emitter::Scope test(e_);
      e_.emit(Ir::best_test, best, number(score, f), found, 0, worse);
      act(todo->next, std::move(f));
    }
    e_.place(worse);
  };
  act_then(kid(id, 0), d, then);
  seeking_best_ = false;
  e_.emit(Ir::best_end, 0, found);
}

// The outcomes with the greatest value: it is worked out for all first, if each of them isn't a move.
void Lowering::most(const Todo* todo, const Draft& d) {
  const NodeId id = todo->action;
  const NodeId inner = kid(id, 0), score = kid(id, 1);
  if (plays(d)) {
    const Todo first{inner, todo->next, nullptr};
    return act(&first, d);
  }
  // With stacks moves may be counted without enumerating them: then they can't be taken back one by one.
  if (is_on(Form::most_at_once) && mode_ == Mode::search && d.recorded && !seeking_best_ && exact_ == 0 &&
      reaching_ == 0 && !stacks() && never_at_once_.count(id) == 0 && !may_go_wrong(inner))
    return most_at_once(todo, d);
  const Emitter::Scope scope(e_);
  const Reg best = e_.new_number(), any = e_.new_number(), mark = e_.new_number(2);
  const Label past = e_.label();
  e_.emit(Ir::best_begin, best);
  e_.emit(Ir::constant, any, 0, 0, 0, 0);
  e_.emit(Ir::mark, mark);
  {
    const Emitter::Scope inside(e_);
    Draft e = d;
    e.recorded = false;
    e.choices.clear();
    Continuation then;
    then.reads = {score};
    then.go = [&](Draft f) {
      const Reg s = number(score, f);
      e_.emit(Ir::greatest, best, best, s);
      e_.emit(Ir::constant, any, 0, 0, 0, 1);
    };
    const bool text = std::exchange(text_, false);
    act_then(inner, std::move(e), then);
    text_ = text;
  }
  e_.emit(Ir::undo, 0, mark);
  e_.emit(Ir::if_equal, 0, any, e_.number_constant(0), 0, past);
  {
    const Emitter::Scope inside(e_);
    Continuation then;
    then.reads = {score};
    then.after = todo->next;
    then.go = [&](Draft f) {
      const Label worse = e_.label();
      {
        const Emitter::Scope test(e_);
        const Reg s = number(score, f);
        e_.emit(Ir::if_not_equal, 0, s, best, 0, worse);
        act(todo->next, std::move(f));
      }
      e_.place(worse);
    };
    act_then(inner, d, then);
  }
  e_.place(past);
}

// Of equal outcomes the one with the best notation: all are noted first.
void Lowering::distinct(const Todo* todo, const Draft& d) {
  const Node n = node(todo->action);
  const NodeId inner = kid(todo->action, 0);
  if (plays(d)) {
    const Todo first{inner, todo->next, nullptr};
    return act(&first, d);
  }
  const Emitter::Scope scope(e_);
  const Reg place = e_.new_number(), mark = e_.new_number(2);
  e_.emit(Ir::outcomes_begin, place);
  e_.emit(Ir::mark, mark);
  const bool text = std::exchange(text_, true);
  {
    const Emitter::Scope inside(e_);
    Draft e = d;
    e.recorded = false;
    e.choices.clear();
    Continuation then;
    then.reads = {todo->action};
    then.go = [&](const Draft& f) { e_.emit(Ir::outcomes_note, 0, place, 0, draft_key(f, n.b)); };
    act_then(inner, std::move(e), then);
  }
  e_.emit(Ir::undo, 0, mark);
  {
    const Emitter::Scope inside(e_);
    Continuation then;
    then.reads = {todo->action};
    then.after = todo->next;
    then.go = [&](Draft f) {
      const Label past = e_.label();
      e_.emit(Ir::outcomes_test, 0, place, 0, draft_key(f, n.b), past);
      const bool inner_text = std::exchange(text_, text);
      {
        const Emitter::Scope rest(e_);
        act(todo->next, std::move(f));
      }
      text_ = inner_text;
      e_.place(past);
    };
    act_then(inner, d, then);
  }
  text_ = text;
  e_.emit(Ir::outcomes_end, 0, place);
}

void Lowering::quietly(const Todo* todo, const Draft& d) {
  if (!text_ && !d.compared && !keys(d)) {
    const Todo first{kid(todo->action, 0), todo->next, nullptr};
    return act(&first, d);
  }
  const Emitter::Scope scope(e_);
  const Reg gone = e_.new_set();
  e_.emit(Ir::gone_copy, gone);
  const bool quiet = d.quiet;
  Draft e = d;
  e.quiet = true;
  Continuation then;
  then.after = todo->next;
  then.go = [&](Draft f) {
    f.quiet = quiet;
    e_.emit(Ir::gone_back, 0, gone);
    act(todo->next, std::move(f));
  };
  act_then(kid(todo->action, 0), std::move(e), then);
}

// Every member in turn. What is done must have one outcome; where that can't be seen it is counted. What is
// decided for one member passes those behind it.
void Lowering::each(const Todo* todo, Draft d) {
  const Node n = node(todo->action);
  const NodeId source = kid(todo->action, 0), body = kid(todo->action, 1);
  const Type type = node(source).type;
  Air::Kind air = d.air.kind;
  bool has_cell = !d.here.is(Kind::none);
  const bool plain = certain(body, d, air, has_cell) && air == d.air.kind && !changes_place(body);
  const Val members = value(source, d);
  const Type member_type = type == Type::cells ? Type::cells : type;
  Draft general = plain ? d : generalised(d, {body});
  if (!plain) write_place(d, general);
  forget_contents(general);
  const bool may_decide = decides(body);
  const Label decided = e_.label();
  each_member(members, member_type, [&](const Val& member, Label) {
    Draft e = general;
    e.certain = e.recorded || e.certain;
    e.recorded = false;
    e.choices.clear();
    e_.forget_values();
    Val now = member; // what those before have changed may be there
    now.contents = all_contents();
    bind_local(n.a, type == Type::sets ? Type::cells : type, now, e);
    if (plain) {
      Continuation then;
      then.go = [](const Draft&) {};
      act_then(body, std::move(e), then);
    } else {
      only_outcome(body, e, general);
    }
    if (may_decide) jump_if_decided(decided);
  });
  e_.place(decided);
  e_.forget_values();
  Draft f = general;
  f.recorded = d.recorded, f.certain = d.certain;
  f.choices = d.choices;
  forget_contents(f);
  if (may_decide) return act_if_undecided(todo->next, f);
  act(todo->next, std::move(f));
}

// Counts the outcomes, up to two; if there is one, it is found again and left as it is.
void Lowering::only_outcome(NodeId body, const Draft& d, const Draft& general) {
  const Mode mode = std::exchange(mode_, Mode::search);
  ++exact_;
  const Reg count = e_.new_number(), mark = e_.new_number(2), stack = e_.new_number(4);
  const Label counted = e_.label(), good = e_.label(), done = e_.label(), none = e_.label();
  e_.emit(Ir::constant, count, 0, 0, 0, 0);
  e_.emit(Ir::mark, mark);
  e_.emit(Ir::stack_mark, stack);
  const bool text = text_;
  {
    const Emitter::Scope scope(e_);
    Continuation then;
    then.go = [&](const Draft&) {
      const Label more = e_.label();
      e_.emit(Ir::add, count, count, e_.number_constant(1));
      e_.emit(Ir::if_less, 0, count, e_.number_constant(2), 0, more);
      e_.emit(Ir::cut, 0, stack, 0, 0, counted);
      e_.place(more);
    };
    text_ = false;
    act_then(body, d, then);
    text_ = text;
  }
  e_.place(counted);
  e_.emit(Ir::undo, 0, mark);
  e_.emit(Ir::if_equal, 0, count, e_.number_constant(1), 0, good);
  e_.emit(Ir::if_equal, 0, count, e_.number_constant(0), 0, none);
  fail("the action of `each` must have exactly one outcome, and has several");
  e_.place(none);
  fail("the action of `each` must have exactly one outcome, and has none");
  e_.place(good);
  {
    const Emitter::Scope scope(e_);
    Continuation then;
    then.go = [&](const Draft& f) {
      write_place(f, general);
      e_.emit(Ir::cut, 0, stack, 0, 0, done);
    };
    act_then(body, d, then);
  }
  e_.place(done);
  --exact_;
  mode_ = mode;
}

} // namespace boardwright::runtime::lowering
