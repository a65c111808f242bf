// Repetition: code that calls itself.
#include "runtime/lowering/actions/loops.hpp"
#include "runtime/lowering/actions/carried.hpp"
#include "runtime/lowering/actions/choices.hpp"
#include "runtime/lowering/actions/join_points.hpp"
#include "runtime/lowering/actions/keys.hpp"
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

// ---------------------------------------------------------------- drafts that code is called with

namespace {

struct Loop;
Contents own_codes(const Context& cx);
void search_straight(Context& cx, const Todo* todo, const AbstractDraft& d);
void leave_at_once(Context& cx, const Todo* after, AbstractDraft d, Reg rounds);
void play_straight(Context& cx, const Todo* todo, const AbstractDraft& d);
void end_of_round(Context& cx, Loop& loop, AbstractDraft d);
void call_round(Context& cx, Loop& loop, AbstractDraft d);
void play_rounds(Context& cx, const Todo* todo, const AbstractDraft& d);

// Mostly a walker that has put down its piece stands on it again, or carries it to empty cells. That is
// assumed, as far as it holds of the first draft, and asked of all that come (`check_assumed`).
void assume(Context& cx, NodeId of, const AbstractDraft& d, AbstractDraft& g) {
  if (!g.here.is(Kind::cell)) return;
  Assumed first;
  first.here = d.here.is(Kind::cell) ? on(cx, d, d.here.reg) : own_codes(cx);
  if (cx.stacks()) first.here = cx.facts.all_contents();
  first.nothing_carried = d.carried.kind == Carried::Kind::nothing;
  const Assumed& known = cx.speculation.assumed.try_emplace({of, cx.turn.player}, first).first->second;
  g.assumes = of;
  g.there[g.here.reg] = known.here;
  if (known.nothing_carried && first.nothing_carried) g.carried = {};
}

void check_assumed(Context& cx, const AbstractDraft& d, const AbstractDraft& g) {
  if (g.assumes == kNoNode) return;
  Assumed& known = cx.speculation.assumed[{g.assumes, cx.turn.player}];
  const Contents here = d.here.is(Kind::cell) ? on(cx, d, d.here.reg) : cx.facts.all_contents();
  const bool fits = (here & ~known.here).none();
  const bool carries = d.carried.kind != Carried::Kind::nothing;
  if (fits && !(carries && g.carried.kind == Carried::Kind::nothing)) return;
  known.here |= here;
  known.nothing_carried = known.nothing_carried && !carries;
  cx.recompile = true;
}

// Is it worth it: are pieces moved in the rounds, or carried through them? With stacks it only matters that
// nothing is carried.
bool assumes_in(const Context& cx, NodeId body, const AbstractDraft& d) {
  if (cx.stacks() && d.carried.kind != Carried::Kind::nothing) return false;
  return d.carried.kind != Carried::Kind::nothing || cx.facts.does(body, OperationSet(Op::lift, Op::put));
}

Contents own_codes(const Context& cx) {
  Contents own;
  for (int code = 1; code < cx.facts.pieces().count(); ++code)
    own.set(at(code), cx.facts.pieces().owner_index[at(code)] == cx.turn.player);
  return own;
}

} // namespace

AbstractDraft generalised(Context& cx, const AbstractDraft& d, const std::vector<NodeId>& within, NodeId of) {
  AbstractDraft g = d;
  const auto any = [&](const OperationSet& ops) {
    return std::any_of(within.begin(), within.end(), [&](NodeId id) { return cx.facts.contains(id, ops); });
  };
  const bool moves = any(OperationSet(Op::from, Op::to, Op::go, Op::bend));
  if (moves || d.here.is(Kind::cell)) {
    g.here = make_cell(cx.e.new_number(), cx.facts.all_contents());
    if (!d.here.is(Kind::cell) || cx.maybe_none.count(d.here.reg) != 0)
      cx.maybe_none.insert(g.here.reg);
    else
      cx.maybe_none.erase(g.here.reg);
  }
  if (any(OperationSet(Op::from))) {
    g.start = make_cell(cx.e.new_number(), cx.facts.all_contents());
    if (!d.start.is(Kind::cell) || cx.maybe_none.count(d.start.reg) != 0)
      cx.maybe_none.insert(g.start.reg);
    else
      cx.maybe_none.erase(g.start.reg);
  }
  if (cx.reads_heading)
    g.heading = make_step(cx.e.new_number());
  else
    g.heading = {};
  if (any(OperationSet(Op::lift, Op::put, Op::discard)) && (cx.layout.mailbox || cx.stacks())) {
    if (!cx.stacks() && d.carried.kind == Carried::Kind::known) cx.need_mailbox();
    g.carried = {Carried::Kind::dynamic, cx.facts.all_contents()};
  }
  if (keys(cx, d)) {
    g.move_key.key = cx.e.new_set();
    for (const NodeId id : within) g.move_key.leaves = g.move_key.leaves || cx.facts.may_leave(id);
  }
  forget_contents(cx, g);
  g.fresh = false;
  g.assumes = kNoNode;
  if (of != kNoNode) assume(cx, of, d, g);
  return g;
}

void write_place(Context& cx, const AbstractDraft& d, const AbstractDraft& g) {
  if (d.only_counted != g.only_counted || (d.only_counted && d.line != g.line)) give_up_counting(cx);
  struct Copy {
    Reg to, from;
  };
  std::vector<Copy> copies;
  const Reg none = cx.e.number_constant(-1);
  const auto cell_from = [&](const AbstractValue& v) { return v.is(Kind::cell) ? v.reg : none; };
  if (g.here.is(Kind::cell)) copies.push_back({g.here.reg, cell_from(d.here)});
  if (g.start.is(Kind::cell)) copies.push_back({g.start.reg, cell_from(d.start)});
  if (g.heading.is(Kind::step)) {
    Reg from = none;
    if (d.heading.is(Kind::step)) from = d.heading.reg;
    if (d.heading.is(Kind::steps)) from = cx.e.number_constant(d.heading.steps.first());
    copies.push_back({g.heading.reg, from});
  }
  // One that is read after it has been written is put aside first.
  for (std::size_t i = 0; i < copies.size(); ++i)
    for (std::size_t k = i + 1; k < copies.size(); ++k)
      if (copies[k].from == copies[i].to) {
        const Reg aside = cx.e.new_number();
        cx.e.emit(Ir::copy, aside, copies[k].from);
        copies[k].from = aside;
      }
  for (const Copy& c : copies)
    if (c.to != c.from) cx.e.emit(Ir::copy, c.to, c.from);
  check_assumed(cx, d, g);
  if (keys(cx, d) && g.move_key.key != 0) {
    if (d.move_key.shapes != g.move_key.shapes) no_keys(cx);
    if (key_of(cx, d) != g.move_key.key) cx.e.emit(Ir::set_copy, g.move_key.key, key_of(cx, d));
  }
  if (!cx.stacks() && (g.carried.kind != d.carried.kind || g.carried.codes != d.carried.codes)) {
    // In the general draft it stands in the state, which it only does with a mailbox.
    if (g.carried.kind != Carried::Kind::dynamic) cx.need_mailbox();
  }
}

void begin_choices(Context& cx, AbstractDraft& d, Reg base) {
  if (!d.recorded) return;
  const auto list = static_cast<std::int32_t>(cx.code.choice_lists.size());
  cx.code.choice_lists.push_back(d.choices);
  cx.e.emit(Ir::choices, base, d.base < 0 ? cx.e.number_constant(0) : d.base, 0, 0, list);
  d.base = base;
  d.choices.clear();
}

std::int32_t spill_area_since(Context& cx, const Emitter::Registers& begin) {
  const Emitter::Registers now = cx.e.registers();
  ir::SpillArea w;
  for (int r = begin.set; r < now.set; ++r) w.sets.push_back(static_cast<Reg>(r));
  for (int r = begin.number; r < now.number; ++r) w.numbers.push_back(static_cast<Reg>(r));
  w.box_begin = static_cast<Reg>(begin.box), w.box_end = static_cast<Reg>(now.box);
  cx.code.spill_areas.push_back(w);
  return static_cast<std::int32_t>(cx.code.spill_areas.size()) - 1;
}

std::int32_t draft_key(Context& cx, AbstractDraft d, std::int32_t frame, int more) {
  ir::DraftKey key;
  const Reg none = cx.e.number_constant(-1);
  key.numbers.push_back(d.here.is(Kind::cell) ? d.here.reg : none);
  key.numbers.push_back(d.start.is(Kind::cell) ? d.start.reg : none);
  key.numbers.push_back(d.heading.is(Kind::step)    ? d.heading.reg
                        : d.heading.is(Kind::steps) ? cx.e.number_constant(d.heading.steps.first())
                                                    : none);
  if (more >= 0) key.numbers.push_back(static_cast<Reg>(more));
  if (!cx.stacks() && d.carried.kind == Carried::Kind::known)
    for (int code = 0; code < cx.facts.pieces().count(); ++code)
      if (d.carried.codes.test(at(code))) key.numbers.push_back(cx.e.number_constant(code));
  for (const std::uint32_t slot : cx.program.frames[at(frame)]) {
    const auto s = static_cast<std::int32_t>(slot);
    const auto changed = cx.changed_locals.find(s);
    const auto known = d.locals.find(s);
    if (changed == cx.changed_locals.end() && known == d.locals.end()) continue;
    const AbstractValue v = changed != cx.changed_locals.end() ? changed->second : known->second;
    switch (v.kind) {
    case Kind::cell:
    case Kind::set: key.sets.push_back(set_of(cx, v)); break;
    case Kind::ways: key.sets.push_back(v.reg); break;
    case Kind::step:
    case Kind::number: key.numbers.push_back(v.reg); break;
    case Kind::steps:
    case Kind::none: break; // the same for all drafts that come there
    default: key.boxes.push_back(box_of(cx, v)); break;
    }
  }
  cx.code.keys.push_back(std::move(key));
  return static_cast<std::int32_t>(cx.code.keys.size()) - 1;
}

// ---------------------------------------------------------------- rounds

namespace {

// Does an action leave everything but the walker and local names as it is? Then these tell its drafts apart.
bool only_walks(const Context& cx, NodeId id) {
  static constexpr OperationSet state = OperationSet::where(
      [](Op op) { return (own_writes(op) & (kPosition | kCarried | kOut | kDecision | kAgain)) != 0; });
  return !cx.facts.contains(id, state);
}

// A repetition that is being compiled.
struct Loop {
  const Todo* todo = nullptr;
  Node n;
  NodeId body = kNoNode, until = kNoNode;
  bool bounded = false, maximal = false, paths = false, visits = false, merges = false;
  Reg low = 0, high = 0;    // numbers
  Reg rounds = 0, owed = 0; // rounds so far; how many the lower bound still asks for
  Reg any = 0;              // this round has a further one
  Reg base = 0;             // where its choices are written
  Reg path = 0, own_path = 0, place = 0;
  Reg met = 0;            // rounds so far, of all ways, where ways that meet are merged
  bool counts = false;    // `rounds` and `owed` are kept
  std::int32_t memo = -1; // the key by which the moves that come from a round are counted once,
  Label round = 0;
  Emitter::Registers spill_area;
  AbstractDraft general;
  const Todo* after = nullptr;
};

} // namespace

void repeat(Context& cx, const Todo* todo, const AbstractDraft& d) {
  if (cx.mode != Mode::search && d.recorded) {
    const auto known = cx.taken.straight.find(todo->action);
    if (known != cx.taken.straight.end() && known->second) return play_straight(cx, todo, d);
    return play_rounds(cx, todo, d);
  }
  if (d.only_counted && d.line == kLineUnknown) {
    AbstractDraft e = d;
    find_line(cx, cx.kid(todo->action, 0), e);
    return repeat(cx, todo, e);
  }
  const bool straight =
      goes_straight(cx, todo->action, d) && cx.speculation.never_straight.count(todo->action) == 0;
  if (d.recorded) {
    const auto [known, fresh] = cx.taken.straight.try_emplace(todo->action, straight);
    if (!fresh && known->second != straight) {
      cx.speculation.never_straight.insert(todo->action);
      cx.recompile = true;
    }
  }
  if (straight) return search_straight(cx, todo, d);
  search_rounds(cx, todo, d);
}

// ---------------------------------------------------------------- rounds without a choice

namespace {

// Is a round one step in a direction that is known and leads back to nowhere? Then no two ways meet.
bool goes_one_way(const Context& cx, NodeId loop, const AbstractDraft& d) {
  const Path* walk = cx.facts.path(loop);
  const auto round = is_on(Idiom::one_way) && walk != nullptr ? cx.facts.round(*walk, d) : std::nullopt;
  return round && round->steps.count() == 1 && !cx.board().steps[at(round->steps.first())].may_return();
}

// How many rounds there must be: a bound below 0 is 0.
Reg least_rounds(Context& cx, NodeId loop, AbstractDraft& d) {
  const Reg low = number(cx, cx.kid(loop, 1), d);
  if (const auto known = cx.e.known_number(low)) return cx.e.number_constant(std::max(*known, 0));
  return cx.e.number_value(Ir::greatest, low, cx.e.number_constant(0));
}

void limit_rounds(Context& cx, Reg rounds, Reg most) {
  const Label good = cx.e.label();
  cx.e.emit(Ir::if_less, 0, rounds, most, 0, good);
  cx.fail("more than 4000 rounds of one repetition");
  cx.e.place(good);
}

// A repetition of rounds without a choice that is being compiled.
struct Straight {
  const Todo* todo = nullptr;
  const Todo* after = nullptr; // what comes then
  NodeId body = kNoNode, until = kNoNode;
  bool bounded = false, maximal = false;
  Reg low = 0, high = 0, rounds = 0; // numbers
  Reg mark = 0;                      // of the trail, before what comes after
  AbstractDraft general;             // before each round
  Label round = 0;                   // the next one
  Label past = 0;                    // behind it all
};

// What comes after so many rounds, if they are enough.
void leave_straight(Context& cx, const Straight& loop) {
  const Label not_yet = cx.e.label();
  const Emitter::Scope inside(cx.e);
  if (cx.e.known_number(loop.low) != 0) cx.e.emit(Ir::if_less, 0, loop.rounds, loop.low, 0, not_yet);
  cx.e.emit(Ir::mark, loop.mark);
  const std::size_t left = cx.e.here();
  AbstractDraft f = loop.general;
  record(cx, f, loop.rounds);
  if (f.recorded && !cx.comparison.once && !cx.text && !f.compared && cx.within.each == 0 &&
      is_left_open(cx, loop.after, f))
    leaf(cx, nullptr, f);
  else
    act(cx, loop.after, std::move(f));
  if (cx.e.changes_since(left)) cx.e.emit(Ir::undo, 0, loop.mark);
  cx.e.place(not_yet);
}

// Where the condition that ends the repetition holds: what comes after, however many rounds there were to be.
void end_by_condition(Context& cx, const Straight& loop) {
  const Label goes_on = cx.e.label();
  {
    const Emitter::Scope scope(cx.e);
    AbstractDraft d = loop.general;
    jump(cx, loop.until, false, goes_on, d);
    leave_at_once(cx, loop.after, loop.general, loop.rounds);
  }
  cx.e.go(loop.past);
  cx.e.place(goes_on);
}

// One more round, and to the next one.
void straight_round(Context& cx, const Straight& loop) {
  const Emitter::Scope inside(cx.e);
  Continuation then;
  then.after = loop.todo->next;
  then.reads = {loop.body};
  if (loop.until != kNoNode) then.reads.push_back(loop.until);
  then.go = [&](const AbstractDraft& f) {
    write_place(cx, f, loop.general);
    cx.e.forget_values();
    cx.e.emit(Ir::add, loop.rounds, loop.rounds, cx.e.number_constant(1));
    if (loop.until != kNoNode) end_by_condition(cx, loop);
    cx.e.go(loop.round);
  };
  AbstractDraft f = loop.general;
  f.certain = f.recorded || f.certain;
  f.recorded = false; // nothing in it is a choice
  act_then(cx, loop.body, std::move(f), then);
}

// All rounds, one after the other; after each of them what comes then, or after the last one where there are
// to be as many as there can be.
void straight_rounds(Context& cx, const Straight& loop) {
  const Label ended = cx.e.label();
  const Reg before_round = cx.e.new_number(2);
  cx.e.emit(Ir::constant, loop.rounds, 0, 0, 0, 0);
  cx.e.place(loop.round);
  cx.e.forget_values();
  if (!loop.maximal) leave_straight(cx, loop);
  cx.e.forget_values();
  const std::size_t marked = cx.e.emit(Ir::mark, before_round);
  const std::size_t round_begin = cx.e.here();
  cx.e.emit(Ir::if_not_less, 0, loop.rounds, loop.high, 0, ended);
  straight_round(cx, loop);
  cx.e.place(ended);
  cx.e.forget_values();
  if (loop.maximal && cx.e.changes_since(round_begin))
    cx.e.emit(Ir::undo, 0, before_round); // what a round has done that came to nothing
  else
    cx.e.forget(marked);
  if (!loop.bounded) limit_rounds(cx, loop.rounds, loop.high);
  if (loop.maximal) leave_straight(cx, loop);
}

void search_straight(Context& cx, const Todo* todo, const AbstractDraft& d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  Straight loop;
  loop.todo = todo;
  loop.body = cx.kid(id, 0);
  loop.bounded = (n.a & kUnbounded) == 0;
  loop.maximal = (n.a & kMaximal) != 0;
  if ((n.a & kUntil) != 0) loop.until = cx.kid(id, n.count - 1);
  if (keys(cx, d) && cx.facts.tells(loop.body)) no_keys(cx);
  const Emitter::Scope scope(cx.e);
  AbstractDraft e = d;
  loop.low = least_rounds(cx, id, e);
  loop.past = cx.e.label();
  loop.round = cx.e.label();
  loop.high = cx.e.number_constant(kMaxDepth);
  const Reg begun = cx.e.new_number(2);
  cx.e.emit(Ir::mark, begun); // before anything leads to where it is taken back to
  if (loop.bounded) {
    loop.high = number(cx, cx.kid(id, 2), e);
    test(cx, Ir::if_less, loop.high, loop.low, true, loop.past);
  }
  std::optional<std::size_t> shared;
  loop.after = share(cx, todo->next, d, loop.until != kNoNode ? 2 : 1, {loop.body}, shared);
  loop.general = generalised(cx, d, {loop.body}, assumes_in(cx, loop.body, d) ? id : kNoNode);
  loop.rounds = cx.e.new_number();
  loop.mark = cx.e.new_number(2);
  const std::size_t begin = cx.e.here();
  write_place(cx, d, loop.general);
  loop.general.choices = d.choices;
  straight_rounds(cx, loop);
  cx.e.place(loop.past);
  if (cx.e.changes_since(begin)) cx.e.emit(Ir::undo, 0, begun);
  compile_shared(cx, shared);
}

// A condition has ended the repetition, however many rounds there were to be.
void leave_at_once(Context& cx, const Todo* after, AbstractDraft d, Reg rounds) {
  record(cx, d, rounds);
  act(cx, after, std::move(d));
}

// So many rounds as the move says.
void play_straight(Context& cx, const Todo* todo, const AbstractDraft& d) {
  const NodeId body = cx.kid(todo->action, 0);
  const Reg wanted = given_choice(cx, Type::number).reg;
  const AbstractDraft general = generalised(cx, d, {body}, assumes_in(cx, body, d) ? todo->action : kNoNode);
  const Reg rounds = cx.e.new_number();
  const Label round = cx.e.label(), after = cx.e.label();
  write_place(cx, d, general);
  cx.e.emit(Ir::constant, rounds, 0, 0, 0, 0);
  cx.e.place(round);
  {
    const Emitter::Scope scope(cx.e);
    cx.e.forget_values();
    cx.e.emit(Ir::if_not_less, 0, rounds, wanted, 0, after);
    Continuation then;
    then.after = todo->next;
    then.reads = {body};
    then.go = [&](const AbstractDraft& f) {
      write_place(cx, f, general);
      cx.e.emit(Ir::add, rounds, rounds, cx.e.number_constant(1));
      cx.e.go(round);
    };
    act_then(cx, body, general, then);
  }
  cx.e.place(after);
  cx.e.forget_values();
  act(cx, todo->next, general);
}

// What the number of the moves that come from a round depends on.
std::int32_t memo_key(Context& cx, const Loop& loop, const std::vector<Reg>& more) {
  ir::DraftKey key;
  key.numbers = more;
  key.numbers.push_back(cx.layout.carried);
  if (loop.general.here.is(Kind::cell)) key.numbers.push_back(loop.general.here.reg);
  if (cx.facts.contains(loop.body, Op::start) && loop.general.start.is(Kind::cell))
    key.numbers.push_back(loop.general.start.reg);
  if (cx.facts.contains(loop.body, Op::heading) && loop.general.heading.is(Kind::step))
    key.numbers.push_back(loop.general.heading.reg);
  if (loop.counts) key.numbers.push_back(loop.owed);
  if (!cx.facts.same(cx.kid(loop.todo->action, 1),
                     cx.kid(loop.todo->action, 2))) { // else as many as are owed
    key.numbers.push_back(loop.rounds);
    key.numbers.push_back(loop.high);
  }
  cx.code.keys.push_back(std::move(key));
  return static_cast<std::int32_t>(cx.code.keys.size()) - 1;
}

// Ways that meet in one draft, with one thing written, lead to the same moves from there. Where moves are
// compared, or only what the best of them is worth is asked, those of the first way are enough. (Rounds that
// write seldom meet: each order is another notation. Where a draft may not come back on its way, its future
// depends on the way, and where rounds have a bound, on how many there were.)
bool may_merge(const Context& cx, const Loop& loop, const AbstractDraft& d) {
  if (loop.bounded || loop.visits || loop.paths || d.only_counted || cx.mode != Mode::search) return false;
  if (cx.within.each > 0 || cx.within.reach > 0) return false;
  if (!d.recorded) return cx.within.scores && !cx.text;
  return cx.compares(d) && (cx.comparison.keyed || cx.comparison.by_key) && !cx.facts.tells(loop.body);
}

// Mostly there are few rounds, and to ask whether ways have met would take longer than to go them twice. Many
// pieces that can be taken in any order have so many ways that only this ends in time.
constexpr std::int32_t kRoundsUnmerged = 1'000;

// Have ways met here, once there are many? Then back.
void merge_ways(Context& cx, const Loop& loop, Label back) {
  const Label few = cx.e.label();
  cx.e.emit(Ir::add, loop.met, loop.met, cx.e.number_constant(1));
  cx.e.emit(Ir::if_less, 0, loop.met, cx.e.number_constant(kRoundsUnmerged), 0, few);
  {
    const Emitter::Scope scope(cx.e);
    const std::int32_t key = draft_key(cx, loop.general, loop.n.b, loop.counts ? loop.owed : -1);
    cx.e.emit(Ir::visit, 0, loop.place, 0, key, back, only_walks(cx, loop.body) ? 3 : 2);
  }
  cx.e.place(few);
}

// Has the draft been here before, or been counted? Then back.
void enter_round(Context& cx, const Loop& loop, Label back) {
  if (loop.merges) merge_ways(cx, loop, back);
  if (loop.memo >= 0) cx.e.emit(Ir::memo_enter, 0, 0, 0, loop.memo, back);
  if (loop.visits)
    cx.e.emit(Ir::visit, 0, loop.place, 0,
              draft_key(cx, loop.general, loop.n.b, loop.counts ? loop.owed : -1), back,
              only_walks(cx, loop.body) ? 1 : 0); // 1: nothing but the walker changes
  if (loop.paths) {
    // A+ is A, A*: the path begins when the lower bound has been reached.
    const Label begins = cx.e.label();
    cx.e.emit(Ir::path_mark, loop.own_path);
    if (loop.counts) cx.e.emit(Ir::if_not_equal, 0, loop.owed, cx.e.number_constant(0), 0, begins);
    cx.e.emit(Ir::path_enter, 0, loop.path, 0, draft_key(cx, loop.general, loop.n.b), back,
              only_walks(cx, loop.body) ? 1 : 0); // 1: the state is the same all along
    cx.e.place(begins);
  }
}

// From a draft that a number of rounds has led to: what comes after the repetition, and a further round.
void round_code(Context& cx, Loop& loop) {
  const Emitter::Scope scope(cx.e);
  cx.e.forget_values();
  cx.e.place(loop.round);
  const Label done = cx.e.label(), back = cx.e.label();
  const Reg zero = cx.e.number_constant(0), mark = cx.e.new_number(2);
  enter_round(cx, loop, back);
  const std::size_t marked = cx.e.emit(Ir::mark, mark);
  const std::size_t begin = cx.e.here();
  const auto leave = [&] {
    const Label not_yet = cx.e.label();
    const Emitter::Scope inside(cx.e);
    if (loop.counts) cx.e.emit(Ir::if_not_equal, 0, loop.owed, zero, 0, not_yet);
    AbstractDraft e = loop.general;
    record(e, std::int32_t{0});
    act(cx, loop.after, std::move(e));
    cx.e.place(not_yet);
  };
  if (loop.maximal)
    cx.e.emit(Ir::constant, loop.any, 0, 0, 0, 0);
  else
    leave();
  if (loop.bounded) {
    if (cx.e.changes_since(begin)) cx.e.emit(Ir::undo, 0, mark);
    cx.e.emit(Ir::if_not_less, 0, loop.rounds, loop.high, 0, done);
  } else if (cx.e.changes_since(begin)) {
    cx.e.emit(Ir::undo, 0, mark);
  }
  if (!loop.maximal) ask_carried(cx, loop.body, loop.general, done);
  {
    const Emitter::Scope inside(cx.e);
    AbstractDraft e = loop.general;
    record(e, std::int32_t{1});
    Continuation then;
    then.after = loop.todo->next;
    then.reads = {loop.body};
    if (loop.until != kNoNode) then.reads.push_back(loop.until);
    then.compares = loop.paths;
    then.go = [&](AbstractDraft f) { end_of_round(cx, loop, std::move(f)); };
    act_then(cx, loop.body, std::move(e), then);
  }
  if (loop.maximal && cx.e.changes_since(begin)) cx.e.emit(Ir::undo, 0, mark);
  cx.e.place(done);
  if (loop.maximal) { // where no further round was found
    const Label past = cx.e.label();
    cx.e.emit(Ir::if_not_equal, 0, loop.any, zero, 0, past);
    leave();
    cx.e.place(past);
  }
  if (!cx.e.changes_since(begin)) cx.e.forget(marked);
  if (loop.paths) cx.e.emit(Ir::path_leave, 0, loop.own_path);
  if (loop.memo >= 0) cx.e.emit(Ir::memo_leave);
  cx.e.place(back);
  cx.e.emit(Ir::ret);
}

void end_of_round(Context& cx, Loop& loop, AbstractDraft d) {
  if (loop.maximal) cx.e.emit(Ir::constant, loop.any, 0, 0, 0, 1);
  if (d.decided) return act(cx, loop.todo->next, std::move(d));
  if (loop.until != kNoNode) {
    const Label goes_on = cx.e.label(), past = cx.e.label();
    {
      const Emitter::Scope scope(cx.e);
      AbstractDraft e = d;
      jump(cx, loop.until, false, goes_on, e);
      e.choices = d.choices;
      record(e, std::int32_t{1});
      act(cx, loop.after, std::move(e));
      cx.e.go(past);
    }
    cx.e.place(goes_on);
    {
      const Emitter::Scope scope(cx.e);
      record(d, std::int32_t{0});
      call_round(cx, loop, std::move(d));
    }
    cx.e.place(past);
    return;
  }
  call_round(cx, loop, std::move(d));
}

void call_round(Context& cx, Loop& loop, AbstractDraft d) {
  const Emitter::Scope scope(cx.e);
  const std::size_t kept = cx.e.emit(Ir::keep);
  if (d.recorded) begin_choices(cx, d, loop.base); // before the walker's cell changes: it may be one of them
  write_place(cx, d, loop.general);
  if (loop.counts) {
    const Reg one = cx.e.number_constant(1);
    cx.e.emit(Ir::add, loop.rounds, loop.rounds, one);
    const auto low = cx.e.known_number(loop.low);
    if (low && *low <= 1) {
      cx.e.emit(Ir::constant, loop.owed, 0, 0, 0, 0);
    } else {
      cx.e.emit(Ir::subtract, loop.owed, loop.owed, one);
      cx.e.emit(Ir::greatest, loop.owed, loop.owed, cx.e.number_constant(0));
    }
  }
  cx.e.emit(Ir::call, 0, 0, 0, 0, loop.round);
  cx.code.instructions[std::min(kept, cx.code.instructions.size() - 1)].x =
      spill_area_since(cx, loop.spill_area);
  cx.e.emit(Ir::restore);
}

// The choices say how many rounds there are.
void play_rounds(Context& cx, const Todo* todo, const AbstractDraft& d) {
  const NodeId id = todo->action;
  const Node n = cx.node(id);
  const NodeId body = cx.kid(id, 0);
  const bool until = (n.a & kUntil) != 0;
  if (cx.mode == Mode::play_one && cx.facts.is_perhaps(n)) return play_perhaps(cx, todo, d);
  if (cx.mode == Mode::play_one) return cx.fail("a repetition can't be played at once");
  const AbstractDraft general = generalised(cx, d, {body}, assumes_in(cx, body, d) ? id : kNoNode);
  const Label round = cx.e.label(), after = cx.e.label();
  write_place(cx, d, general);
  cx.e.place(round);
  {
    const Emitter::Scope scope(cx.e);
    cx.e.forget_values();
    const Reg on = given_choice(cx, Type::number).reg;
    cx.e.emit(Ir::if_equal, 0, on, cx.e.number_constant(0), 0, after);
    Continuation then;
    then.after = todo->next;
    then.reads = {body};
    if (until) then.reads.push_back(cx.kid(id, n.count - 1));
    then.go = [&](AbstractDraft f) {
      if (f.decided) return act(cx, todo->next, std::move(f));
      Reg ended = 0;
      if (until) ended = given_choice(cx, Type::number).reg;
      write_place(cx, f, general);
      if (until) cx.e.emit(Ir::if_not_equal, 0, ended, cx.e.number_constant(0), 0, after);
      cx.e.go(round);
    };
    act_then(cx, body, general, then);
  }
  cx.e.place(after);
  const Emitter::Scope scope(cx.e);
  cx.e.forget_values();
  act(cx, todo->next, general);
}

} // namespace

bool goes_straight(const Context& cx, NodeId id, const AbstractDraft& d) {
  if (!is_on(Idiom::straight_rounds)) return false;
  const Node n = cx.node(id);
  if (cx.within.reach > 0 && (n.a & kUnbounded) != 0) return false;
  if ((n.a & kUnbounded) != 0 && cx.facts.comes_back(id, d)) return false;
  Actions body;
  cx.facts.flatten(cx.program.kid(n, 0), body);
  bool steps = false;
  const auto straight = [&](NodeId part) {
    const Op op = cx.node(part).op;
    steps = steps || op == Op::go;
    return op == Op::go ? cx.facts.is_one_step(cx.kid(part, 0))
                        : one_of(op, Op::at, Op::require, Op::remove, Op::set_local, Op::set_variable);
  };
  return !d.decided && std::all_of(body.begin(), body.end(), straight) && steps;
}

namespace {

Loop loop_of(const Context& cx, const Todo* todo) {
  const NodeId id = todo->action;
  Loop loop;
  loop.todo = todo;
  loop.n = cx.node(id);
  loop.body = cx.kid(id, 0);
  loop.bounded = (loop.n.a & kUnbounded) == 0;
  loop.maximal = (loop.n.a & kMaximal) != 0;
  if ((loop.n.a & kUntil) != 0) loop.until = cx.kid(id, loop.n.count - 1);
  return loop;
}

} // namespace

void rounds(Context& cx, const Todo* todo, const AbstractDraft& d, const std::vector<Reg>* memo) {
  const NodeId id = todo->action;
  const Emitter::Scope scope(cx.e);
  Loop loop = loop_of(cx, todo);
  AbstractDraft e = d;
  loop.low = least_rounds(cx, id, e);
  const Label past = cx.e.label();
  if (loop.bounded) {
    loop.high = number(cx, cx.kid(id, 2), e);
    test(cx, Ir::if_less, loop.high, loop.low, true, past);
  }
  const auto known_low = cx.e.known_number(loop.low);
  loop.counts = loop.bounded || !known_low || *known_low > 0;
  loop.visits = !loop.bounded && cx.within.reach > 0 && !goes_one_way(cx, id, d);
  loop.paths = !loop.bounded && !loop.visits && cx.facts.comes_back(id, d);
  std::vector<NodeId> within{loop.body};
  std::optional<std::size_t> shared;
  loop.after = todo->next;
  if (loop.until != kNoNode) loop.after = share(cx, todo->next, d, 2, within, shared);
  if (loop.paths) {
    loop.path = cx.e.new_number();
    cx.e.emit(Ir::path_mark, loop.path);
  }
  loop.merges = memo == nullptr && may_merge(cx, loop, d);
  if (loop.visits || loop.merges) {
    loop.place = cx.e.new_number();
    cx.e.emit(Ir::visit_begin, loop.place);
  }
  if (loop.merges) {
    loop.met = cx.e.new_number();
    cx.e.emit(Ir::constant, loop.met, 0, 0, 0, 0);
  }
  loop.spill_area = cx.e.registers();
  loop.general = generalised(cx, d, within, assumes_in(cx, loop.body, d) ? id : kNoNode);
  loop.base = cx.e.new_number();
  loop.any = cx.e.new_number();
  loop.own_path = cx.e.new_number();
  if (loop.counts) {
    loop.rounds = cx.e.new_number();
    loop.owed = cx.e.new_number();
  }
  loop.round = cx.e.label();
  if (memo != nullptr) loop.memo = memo_key(cx, loop, *memo);
  write_place(cx, d, loop.general);
  e.choices = d.choices;
  begin_choices(cx, e, loop.base);
  loop.general.base = e.base;
  loop.general.choices.clear();
  if (loop.counts) {
    cx.e.emit(Ir::constant, loop.rounds, 0, 0, 0, 0);
    cx.e.emit(Ir::copy, loop.owed, loop.low);
  }
  cx.e.emit(Ir::call, 0, 0, 0, 0, loop.round);
  if (loop.visits || loop.merges) cx.e.emit(Ir::visit_end, 0, loop.place);
  cx.e.go(past);
  round_code(cx, loop);
  compile_shared(cx, shared);
  cx.e.place(past);
}

} // namespace boardwright::runtime::lowering
