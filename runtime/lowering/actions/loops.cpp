// Repetition: code that calls itself.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// ---------------------------------------------------------------- drafts that code is called with

// What is known of a draft wherever the code is called from: where the walker is stands in registers of its
// own. `within`: actions that may have been carried out between the calls. `of`: more may be assumed there.
Draft Lowering::generalised(const Draft& d, const std::vector<NodeId>& within, NodeId of) {
  Draft g = d;
  const auto any = [&](std::initializer_list<Op> ops) {
    for (const NodeId id : within)
      for (const Op op : ops)
        if (id != kNoNode && contains(id, op)) return true;
    return false;
  };
  const bool moves = any({Op::from, Op::to, Op::go, Op::bend});
  if (moves || d.here.is(Kind::cell)) {
    g.here = make_cell(e_.new_number(), all_contents());
    if (!d.here.is(Kind::cell) || maybe_none_.count(d.here.reg) != 0)
      maybe_none_.insert(g.here.reg);
    else
      maybe_none_.erase(g.here.reg);
  }
  if (any({Op::from})) {
    g.start = make_cell(e_.new_number(), all_contents());
    if (!d.start.is(Kind::cell) || maybe_none_.count(d.start.reg) != 0)
      maybe_none_.insert(g.start.reg);
    else
      maybe_none_.erase(g.start.reg);
  }
  if (reads_heading_)
    g.heading = make_step(e_.new_number());
  else
    g.heading = {};
  if (any({Op::lift, Op::put, Op::discard}) && (layout_.mailbox || stacks())) {
    if (!stacks() && d.air.kind == Air::Kind::known) need_mailbox();
    g.air = {Air::Kind::dynamic, all_contents()};
  }
  if (keys(d)) {
    g.told.key = e_.new_set();
    for (const NodeId id : within) g.told.leaves = g.told.leaves || (id != kNoNode && may_leave(id));
  }
  forget_contents(g);
  g.fresh = false;
  g.assumes = kNoNode;
  if (of != kNoNode) assume(of, d, g);
  return g;
}

// Mostly a walker that has put down its piece stands on it again, or carries it to empty cells. That is
// assumed, as far as it holds of the first draft, and asked of all that come (`check_assumed`).
void Lowering::assume(NodeId of, const Draft& d, Draft& g) {
  if (!g.here.is(Kind::cell)) return;
  Assumed first;
  first.here = d.here.is(Kind::cell) ? on(d, d.here.reg) : own_codes();
  first.nothing_carried = d.air.kind == Air::Kind::nothing;
  const Assumed& known = assumed_.try_emplace({of, player_}, first).first->second;
  g.assumes = of;
  g.there[g.here.reg] = known.here;
  if (known.nothing_carried && first.nothing_carried) g.air = {};
}

void Lowering::check_assumed(const Draft& d, const Draft& g) {
  if (g.assumes == kNoNode) return;
  Assumed& known = assumed_[{g.assumes, player_}];
  const Contents here = d.here.is(Kind::cell) ? on(d, d.here.reg) : all_contents();
  const bool fits = (here & ~known.here).none();
  const bool carries = d.air.kind != Air::Kind::nothing;
  if (fits && !(carries && g.air.kind == Air::Kind::nothing)) return;
  known.here |= here;
  known.nothing_carried = known.nothing_carried && !carries;
  again_ = true;
}

// Is it worth it: are pieces moved in the rounds, or carried through them?
bool Lowering::assumes_in(NodeId body, const Draft& d) const {
  if (stacks()) return false;
  return d.air.kind != Air::Kind::nothing || contains_action(body, Op::lift) ||
         contains_action(body, Op::put);
}

Contents Lowering::own_codes() const {
  Contents own;
  for (int code = 1; code < pieces_.count(); ++code)
    own.set(at(code), pieces_.owner_index[at(code)] == player_);
  return own;
}

// Puts a draft where code that is compiled for the general one looks for it.
void Lowering::write_place(const Draft& d, const Draft& g) {
  if (d.only_counted != g.only_counted || (d.only_counted && d.line != g.line)) give_up_counting();
  struct Copy {
    Reg to, from;
  };
  std::vector<Copy> copies;
  const Reg none = e_.number_constant(-1);
  const auto cell_from = [&](const Val& v) { return v.is(Kind::cell) ? v.reg : none; };
  if (g.here.is(Kind::cell)) copies.push_back({g.here.reg, cell_from(d.here)});
  if (g.start.is(Kind::cell)) copies.push_back({g.start.reg, cell_from(d.start)});
  if (g.heading.is(Kind::step)) {
    Reg from = none;
    if (d.heading.is(Kind::step)) from = d.heading.reg;
    if (d.heading.is(Kind::steps)) from = e_.number_constant(d.heading.steps.first());
    copies.push_back({g.heading.reg, from});
  }
  // One that is read after it has been written is put aside first.
  for (std::size_t i = 0; i < copies.size(); ++i)
    for (std::size_t k = i + 1; k < copies.size(); ++k)
      if (copies[k].from == copies[i].to) {
        const Reg aside = e_.new_number();
        e_.emit(Ir::copy, aside, copies[k].from);
        copies[k].from = aside;
      }
  for (const Copy& c : copies)
    if (c.to != c.from) e_.emit(Ir::copy, c.to, c.from);
  check_assumed(d, g);
  if (keys(d) && g.told.key != 0) {
    if (d.told.shapes != g.told.shapes) no_keys();
    if (key_of(d) != g.told.key) e_.emit(Ir::set_copy, g.told.key, key_of(d));
  }
  if (!stacks() && (g.air.kind != d.air.kind || g.air.codes != d.air.codes)) {
    // In the general draft it stands in the state, which it only does with a mailbox.
    if (g.air.kind != Air::Kind::dynamic) need_mailbox();
  }
}

// From here on choices are written behind those so far, whose number is in `base`.
void Lowering::begin_choices(Draft& d, Reg base) {
  if (!d.recorded) return;
  const auto list = static_cast<std::int32_t>(code_.choice_lists.size());
  code_.choice_lists.push_back(d.choices);
  e_.emit(Ir::choices, base, d.base < 0 ? e_.number_constant(0) : d.base, 0, 0, list);
  d.base = base;
  d.choices.clear();
}

std::int32_t Lowering::window_since(const Emitter::Registers& begin) {
  const Emitter::Registers now = e_.registers();
  ir::Window w;
  for (int r = begin.set; r < now.set; ++r) w.sets.push_back(static_cast<Reg>(r));
  for (int r = begin.number; r < now.number; ++r) w.numbers.push_back(static_cast<Reg>(r));
  w.box_begin = static_cast<Reg>(begin.box), w.box_end = static_cast<Reg>(now.box);
  code_.windows.push_back(w);
  return static_cast<std::int32_t>(code_.windows.size()) - 1;
}

// The registers by which drafts are compared at a place, besides the state.
std::int32_t Lowering::draft_key(Draft d, std::int32_t frame, int more) {
  ir::DraftKey key;
  const Reg none = e_.number_constant(-1);
  key.numbers.push_back(d.here.is(Kind::cell) ? d.here.reg : none);
  key.numbers.push_back(d.start.is(Kind::cell) ? d.start.reg : none);
  key.numbers.push_back(d.heading.is(Kind::step)    ? d.heading.reg
                        : d.heading.is(Kind::steps) ? e_.number_constant(d.heading.steps.first())
                                                    : none);
  if (more >= 0) key.numbers.push_back(static_cast<Reg>(more));
  if (!stacks() && d.air.kind == Air::Kind::known)
    for (int code = 0; code < pieces_.count(); ++code)
      if (d.air.codes.test(at(code))) key.numbers.push_back(e_.number_constant(code));
  for (const std::uint32_t slot : program_.frames[at(frame)]) {
    const auto s = static_cast<std::int32_t>(slot);
    const auto changed = changed_.find(s);
    const auto known = d.locals.find(s);
    if (changed == changed_.end() && known == d.locals.end()) continue;
    const Val v = changed != changed_.end() ? changed->second : known->second;
    switch (v.kind) {
    case Kind::cell:
    case Kind::set: key.sets.push_back(set_of(v)); break;
    case Kind::ways: key.sets.push_back(v.reg); break;
    case Kind::step:
    case Kind::number: key.numbers.push_back(v.reg); break;
    case Kind::steps:
    case Kind::none: break; // the same for all drafts that come there
    default: key.boxes.push_back(box_of(v)); break;
    }
  }
  code_.keys.push_back(std::move(key));
  return static_cast<std::int32_t>(code_.keys.size()) - 1;
}

// ---------------------------------------------------------------- rounds

namespace {

// Does an action leave everything but the walker and local names as it is? Then these tell its drafts apart.
bool only_walks(const Program& program, NodeId id) {
  if (id == kNoNode) return true;
  const Node& n = program.nodes[id];
  constexpr std::uint16_t kState = kPosition | kCarried | kOut | kDecision | kAgain;
  if ((own_writes(n.op) & kState) != 0) return false;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (!only_walks(program, program.kid(n, i))) return false;
  return true;
}

} // namespace

// A repetition that is being compiled.
struct Lowering::Loop {
  const Todo* todo = nullptr;
  Node n;
  NodeId body = kNoNode, until = kNoNode;
  bool bounded = false, maximal = false, paths = false, visits = false;
  Reg low = 0, high = 0;    // numbers
  Reg rounds = 0, owed = 0; // rounds so far; how many the lower bound still asks for
  Reg any = 0;              // this round has a further one
  Reg base = 0;             // where its choices are written
  Reg path = 0, own_path = 0, place = 0;
  bool counts = false;    // `rounds` and `owed` are kept
  std::int32_t memo = -1; // the key by which the moves that come from a round are counted once,
  Label round = 0;
  Emitter::Registers window;
  Draft general;
  const Todo* after = nullptr;
};

void Lowering::repeat(const Todo* todo, const Draft& d) {
  if (mode_ != Mode::search && d.recorded) {
    const auto known = straight_.find(todo->action);
    if (known != straight_.end() && known->second) return play_straight(todo, d);
    return play_rounds(todo, d);
  }
  if (d.only_counted && d.line == kLineUnknown) {
    Draft e = d;
    find_line(kid(todo->action, 0), e);
    return repeat(todo, e);
  }
  const bool straight = goes_straight(todo->action, d) && never_straight_.count(todo->action) == 0;
  if (d.recorded) {
    const auto [known, fresh] = straight_.try_emplace(todo->action, straight);
    if (!fresh && known->second != straight) {
      never_straight_.insert(todo->action);
      again_ = true;
    }
  }
  if (straight) return search_straight(todo, d);
  search_rounds(todo, d);
}

// ---------------------------------------------------------------- rounds without a choice

// Has every round at most one outcome, and does the walker never come back? Then how often it goes round is
// the only choice.
bool Lowering::goes_straight(NodeId id, const Draft& d) const {
  if (!is_on(Form::straight)) return false;
  const Node n = node(id);
  if (reaching_ > 0 && (n.a & kUnbounded) != 0) return false;
  if ((n.a & kUnbounded) != 0 && comes_back(id, d)) return false;
  Steps body;
  flatten(program_.kid(n, 0), body);
  bool steps = false;
  for (const NodeId part : body) {
    const Node& p = node(part);
    switch (p.op) {
    case Op::go:
      if (!is_one_step(program_.kid(p, 0))) return false;
      steps = true;
      break;
    case Op::at:
    case Op::require:
    case Op::remove:
    case Op::set_local:
    case Op::set_variable: break;
    default: return false;
    }
  }
  return steps && !d.decided;
}

// Is a round one step in a direction that is known and leads back to nowhere? Then no two ways meet.
bool Lowering::goes_one_way(NodeId body, const Draft& d) const {
  if (!is_on(Form::one_way)) return false;
  Steps parts;
  flatten(body, parts);
  int goes = 0;
  for (const NodeId part : parts) {
    if (node(part).op != Op::go && node(part).op != Op::at) return false;
    if (node(part).op == Op::at) continue;
    const auto steps = constant_steps(kid(part, 0), d);
    if (++goes > 1 || !steps || steps->count() != 1) return false;
    if (board().steps[at(steps->first())].may_return()) return false;
  }
  return goes == 1;
}

void Lowering::search_straight(const Todo* todo, const Draft& d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  const NodeId body = kid(id, 0);
  const bool bounded = (n.a & kUnbounded) == 0, maximal = (n.a & kMaximal) != 0;
  const NodeId until = (n.a & kUntil) != 0 ? kid(id, n.count - 1) : kNoNode;
  if (keys(d) && tells(body)) no_keys();
  const Emitter::Scope scope(e_);
  Draft e = d;
  const Reg zero = e_.number_constant(0), one = e_.number_constant(1);
  const Reg low = e_.number_value(Ir::greatest, number(kid(id, 1), e), zero);
  const Label past = e_.label(), round = e_.label(), ended = e_.label();
  Reg high = e_.number_constant(kMaxDepth);
  const Reg begun = e_.new_number(2);
  e_.emit(Ir::mark, begun); // before anything leads to where it is taken back to
  if (bounded) {
    high = number(kid(id, 2), e);
    e_.emit(Ir::if_less, 0, high, low, 0, past);
  }
  std::optional<std::size_t> shared;
  const Todo* after = share(todo->next, d, until != kNoNode ? 2 : 1, {body}, shared);
  Draft general = generalised(d, {body}, assumes_in(body, d) ? id : kNoNode);
  const Reg rounds = e_.new_number(), mark = e_.new_number(2);
  const Reg before_round = e_.new_number(2);
  const std::size_t begin = e_.here();
  write_place(d, general);
  general.choices = d.choices;
  e_.emit(Ir::constant, rounds, 0, 0, 0, 0);
  const auto leave = [&](const Draft& from) {
    const Label not_yet = e_.label();
    const Emitter::Scope inside(e_);
    e_.emit(Ir::if_less, 0, rounds, low, 0, not_yet);
    e_.emit(Ir::mark, mark);
    const std::size_t left = e_.here();
    Draft f = from;
    record(f, rounds);
    if (f.recorded && !once_ && !text_ && !f.compared && exact_ == 0 && is_left_open(after, f))
      leaf(nullptr, f);
    else
      act(after, std::move(f));
    if (e_.changes_since(left)) e_.emit(Ir::undo, 0, mark);
    e_.place(not_yet);
  };
  e_.place(round);
  e_.forget_values();
  if (!maximal) leave(general);
  e_.forget_values();
  const std::size_t marked = e_.emit(Ir::mark, before_round);
  const std::size_t round_begin = e_.here();
  e_.emit(Ir::if_not_less, 0, rounds, high, 0, ended);
  {
    const Emitter::Scope inside(e_);
    Continuation then;
    then.after = todo->next;
    then.reads = {body};
    if (until != kNoNode) then.reads.push_back(until);
    then.go = [&](const Draft& f) {
      write_place(f, general);
      e_.forget_values();
      e_.emit(Ir::add, rounds, rounds, one);
      if (until != kNoNode) {
        const Label goes_on = e_.label();
        {
          const Emitter::Scope test(e_);
          Draft g = general;
          jump(until, false, goes_on, g);
          leave_at_once(after, general, rounds);
          e_.go(past);
        }
        e_.place(goes_on);
      }
      e_.go(round);
    };
    Draft f = general;
    f.certain = f.recorded || f.certain;
    f.recorded = false; // nothing in it is a choice
    act_then(body, std::move(f), then);
  }
  e_.place(ended);
  e_.forget_values();
  if (maximal && e_.changes_since(round_begin))
    e_.emit(Ir::undo, 0, before_round); // what a round has done that came to nothing
  else
    e_.forget(marked);
  if (!bounded) {
    const Label good = e_.label();
    e_.emit(Ir::if_less, 0, rounds, high, 0, good);
    fail("more than 4000 rounds of one repetition");
    e_.place(good);
  }
  if (maximal) leave(general);
  e_.place(past);
  if (e_.changes_since(begin)) e_.emit(Ir::undo, 0, begun);
  compile_shared(shared);
}

// A condition has ended the repetition, however many rounds there were to be.
void Lowering::leave_at_once(const Todo* after, Draft d, Reg rounds) {
  record(d, rounds);
  act(after, std::move(d));
}

// So many rounds as the move says.
void Lowering::play_straight(const Todo* todo, const Draft& d) {
  const NodeId body = kid(todo->action, 0);
  const Reg wanted = given_choice(Type::number).reg;
  const Draft general = generalised(d, {body}, assumes_in(body, d) ? todo->action : kNoNode);
  const Reg rounds = e_.new_number();
  const Label round = e_.label(), after = e_.label();
  write_place(d, general);
  e_.emit(Ir::constant, rounds, 0, 0, 0, 0);
  e_.place(round);
  {
    const Emitter::Scope scope(e_);
    e_.forget_values();
    e_.emit(Ir::if_not_less, 0, rounds, wanted, 0, after);
    Continuation then;
    then.after = todo->next;
    then.reads = {body};
    then.go = [&](const Draft& f) {
      write_place(f, general);
      e_.emit(Ir::add, rounds, rounds, e_.number_constant(1));
      e_.go(round);
    };
    act_then(body, general, then);
  }
  e_.place(after);
  e_.forget_values();
  act(todo->next, general);
}

// What the number of the moves that come from a round depends on.
std::int32_t Lowering::memo_key(const Loop& loop, const std::vector<Reg>& more) {
  ir::DraftKey key;
  key.numbers = more;
  key.numbers.push_back(layout_.air);
  if (loop.general.here.is(Kind::cell)) key.numbers.push_back(loop.general.here.reg);
  if (contains(loop.body, Op::start) && loop.general.start.is(Kind::cell))
    key.numbers.push_back(loop.general.start.reg);
  if (contains(loop.body, Op::heading) && loop.general.heading.is(Kind::step))
    key.numbers.push_back(loop.general.heading.reg);
  if (loop.counts) key.numbers.push_back(loop.owed);
  if (!same(kid(loop.todo->action, 1), kid(loop.todo->action, 2))) { // else as many as are owed
    key.numbers.push_back(loop.rounds);
    key.numbers.push_back(loop.high);
  }
  code_.keys.push_back(std::move(key));
  return static_cast<std::int32_t>(code_.keys.size()) - 1;
}

void Lowering::rounds(const Todo* todo, const Draft& d, const std::vector<Reg>* memo) {
  const NodeId id = todo->action;
  const Emitter::Scope scope(e_);
  Loop loop;
  loop.todo = todo;
  loop.n = node(id);
  loop.body = kid(id, 0);
  loop.bounded = (loop.n.a & kUnbounded) == 0;
  loop.maximal = (loop.n.a & kMaximal) != 0;
  if ((loop.n.a & kUntil) != 0) loop.until = kid(id, loop.n.count - 1);
  Draft e = d;
  loop.low = e_.number_value(Ir::greatest, number(kid(id, 1), e), e_.number_constant(0));
  if (const auto low = e_.known_number(number(kid(id, 1), e)))
    loop.low = e_.number_constant(std::max(*low, 0));
  const Label past = e_.label();
  if (loop.bounded) {
    loop.high = number(kid(id, 2), e);
    e_.emit(Ir::if_less, 0, loop.high, loop.low, 0, past);
  }
  const auto known_low = e_.known_number(loop.low);
  loop.counts = loop.bounded || !known_low || *known_low > 0;
  loop.visits = !loop.bounded && reaching_ > 0 && !goes_one_way(loop.body, d);
  loop.paths = !loop.bounded && !loop.visits && comes_back(id, d);
  std::vector<NodeId> within{loop.body};
  std::optional<std::size_t> shared;
  loop.after = todo->next;
  if (loop.until != kNoNode) loop.after = share(todo->next, d, 2, within, shared);
  if (loop.paths) {
    loop.path = e_.new_number();
    e_.emit(Ir::path_mark, loop.path);
  }
  if (loop.visits) {
    loop.place = e_.new_number();
    e_.emit(Ir::visit_begin, loop.place);
  }
  loop.window = e_.registers();
  loop.general = generalised(d, within, assumes_in(loop.body, d) ? id : kNoNode);
  loop.base = e_.new_number();
  loop.any = e_.new_number();
  loop.own_path = e_.new_number();
  if (loop.counts) {
    loop.rounds = e_.new_number();
    loop.owed = e_.new_number();
  }
  loop.round = e_.label();
  if (memo != nullptr) loop.memo = memo_key(loop, *memo);
  write_place(d, loop.general);
  e.choices = d.choices;
  begin_choices(e, loop.base);
  loop.general.base = e.base;
  loop.general.choices.clear();
  if (loop.counts) {
    e_.emit(Ir::constant, loop.rounds, 0, 0, 0, 0);
    e_.emit(Ir::copy, loop.owed, loop.low);
  }
  e_.emit(Ir::call, 0, 0, 0, 0, loop.round);
  if (loop.visits) e_.emit(Ir::visit_end, 0, loop.place);
  e_.go(past);
  round_code(loop);
  compile_shared(shared);
  e_.place(past);
}

// From a draft that a number of rounds has led to: what comes after the repetition, and a further round.
void Lowering::round_code(Loop& loop) {
  const Emitter::Scope scope(e_);
  e_.forget_values();
  e_.place(loop.round);
  const Label done = e_.label(), back = e_.label();
  const Reg zero = e_.number_constant(0), mark = e_.new_number(2);
  if (loop.memo >= 0) e_.emit(Ir::memo_enter, 0, 0, 0, loop.memo, back);
  if (loop.visits)
    e_.emit(Ir::visit, 0, loop.place, 0, draft_key(loop.general, loop.n.b, loop.counts ? loop.owed : -1),
            back, bends(loop.body) ? 1 : 0); // 1: nothing but the walker changes
  if (loop.paths) {
    // A+ is A, A*: the path begins when the lower bound has been reached.
    const Label begins = e_.label();
    e_.emit(Ir::path_mark, loop.own_path);
    if (loop.counts) e_.emit(Ir::if_not_equal, 0, loop.owed, zero, 0, begins);
    e_.emit(Ir::path_enter, 0, loop.path, 0, draft_key(loop.general, loop.n.b), back,
            only_walks(program_, loop.body) ? 1 : 0); // 1: the state is the same all along
    e_.place(begins);
  }
  const std::size_t marked = e_.emit(Ir::mark, mark);
  const std::size_t begin = e_.here();
  const auto leave = [&] {
    const Label not_yet = e_.label();
    const Emitter::Scope inside(e_);
    if (loop.counts) e_.emit(Ir::if_not_equal, 0, loop.owed, zero, 0, not_yet);
    Draft e = loop.general;
    record(e, std::int32_t{0});
    act(loop.after, std::move(e));
    e_.place(not_yet);
  };
  if (loop.maximal)
    e_.emit(Ir::constant, loop.any, 0, 0, 0, 0);
  else
    leave();
  if (loop.bounded) {
    if (e_.changes_since(begin)) e_.emit(Ir::undo, 0, mark);
    e_.emit(Ir::if_not_less, 0, loop.rounds, loop.high, 0, done);
  } else if (e_.changes_since(begin)) {
    e_.emit(Ir::undo, 0, mark);
  }
  if (!loop.maximal) ask_carried(loop.body, loop.general, done);
  {
    const Emitter::Scope inside(e_);
    Draft e = loop.general;
    record(e, std::int32_t{1});
    Continuation then;
    then.after = loop.todo->next;
    then.reads = {loop.body};
    if (loop.until != kNoNode) then.reads.push_back(loop.until);
    then.compares = loop.paths;
    then.go = [&](Draft f) { end_of_round(loop, std::move(f)); };
    act_then(loop.body, std::move(e), then);
  }
  if (loop.maximal && e_.changes_since(begin)) e_.emit(Ir::undo, 0, mark);
  e_.place(done);
  if (loop.maximal) { // where no further round was found
    const Label past = e_.label();
    e_.emit(Ir::if_not_equal, 0, loop.any, zero, 0, past);
    leave();
    e_.place(past);
  }
  if (!e_.changes_since(begin)) e_.forget(marked);
  if (loop.paths) e_.emit(Ir::path_leave, 0, loop.own_path);
  if (loop.memo >= 0) e_.emit(Ir::memo_leave);
  e_.place(back);
  e_.emit(Ir::ret);
}

void Lowering::end_of_round(Loop& loop, Draft d) {
  if (loop.maximal) e_.emit(Ir::constant, loop.any, 0, 0, 0, 1);
  if (d.decided) return act(loop.todo->next, std::move(d));
  if (loop.until != kNoNode) {
    const Label goes_on = e_.label(), past = e_.label();
    {
      const Emitter::Scope scope(e_);
      Draft e = d;
      jump(loop.until, false, goes_on, e);
      e.choices = d.choices;
      record(e, std::int32_t{1});
      act(loop.after, std::move(e));
      e_.go(past);
    }
    e_.place(goes_on);
    {
      const Emitter::Scope scope(e_);
      record(d, std::int32_t{0});
      call_round(loop, std::move(d));
    }
    e_.place(past);
    return;
  }
  call_round(loop, std::move(d));
}

void Lowering::call_round(Loop& loop, Draft d) {
  const Emitter::Scope scope(e_);
  const std::size_t kept = e_.emit(Ir::keep);
  if (d.recorded) begin_choices(d, loop.base); // before the walker's cell changes: it may be one of them
  write_place(d, loop.general);
  if (loop.counts) {
    const Reg one = e_.number_constant(1);
    e_.emit(Ir::add, loop.rounds, loop.rounds, one);
    const auto low = e_.known_number(loop.low);
    if (low && *low <= 1) {
      e_.emit(Ir::constant, loop.owed, 0, 0, 0, 0);
    } else {
      e_.emit(Ir::subtract, loop.owed, loop.owed, one);
      e_.emit(Ir::greatest, loop.owed, loop.owed, e_.number_constant(0));
    }
  }
  e_.emit(Ir::call, 0, 0, 0, 0, loop.round);
  code_.instructions[std::min(kept, code_.instructions.size() - 1)].x = window_since(loop.window);
  e_.emit(Ir::restore);
}

// The choices say how many rounds there are.
void Lowering::play_rounds(const Todo* todo, const Draft& d) {
  const NodeId id = todo->action;
  const Node n = node(id);
  const NodeId body = kid(id, 0);
  const bool until = (n.a & kUntil) != 0;
  if (mode_ == Mode::play_one && is_perhaps(n)) return play_perhaps(todo, d);
  if (mode_ == Mode::play_one) return fail("a repetition can't be played at once");
  const Draft general = generalised(d, {body}, assumes_in(body, d) ? id : kNoNode);
  const Label round = e_.label(), after = e_.label();
  write_place(d, general);
  e_.place(round);
  {
    const Emitter::Scope scope(e_);
    e_.forget_values();
    const Reg on = given_choice(Type::number).reg;
    e_.emit(Ir::if_equal, 0, on, e_.number_constant(0), 0, after);
    Continuation then;
    then.after = todo->next;
    then.reads = {body};
    if (until) then.reads.push_back(kid(id, n.count - 1));
    then.go = [&](Draft f) {
      if (f.decided) return act(todo->next, std::move(f));
      Reg ended = 0;
      if (until) ended = given_choice(Type::number).reg;
      write_place(f, general);
      if (until) e_.emit(Ir::if_not_equal, 0, ended, e_.number_constant(0), 0, after);
      e_.go(round);
    };
    act_then(body, general, then);
  }
  e_.place(after);
  const Emitter::Scope scope(e_);
  e_.forget_values();
  act(todo->next, general);
}

} // namespace boardwright::runtime::lowering
