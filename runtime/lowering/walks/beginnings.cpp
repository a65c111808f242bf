// From where could walkers get through what comes next? Asked of all cells at once, before walkers begin one
// by one: where no piece can capture no capture is begun.
//
// # What it may rest on
// The answer may have cells too many, never too few: whatever isn't seen through is taken as if it held. What
// comes next is taken backwards: the cells where a test holds, those from where a step leads there. Tests are
// asked of the position as it is now. Once the walker has changed something (it has lifted its piece), that
// is right only where it doesn't come back: so it is followed as long as it goes straight on, and sets must
// say of each cell by what lies there whether it is in them. Nothing is asked of the cell where it has just
// changed something.
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

namespace {

struct Way;
Reg could_step(Context& cx, const Actions& parts, std::size_t i, int step, Way way, const AbstractDraft& d);
Reg could_repeat(Context& cx, const Actions& parts, std::size_t i, const Way& way, const AbstractDraft& d);
std::optional<Reg> at_most_in(Context& cx, NodeId id, const Way& way, AbstractDraft& d);

constexpr std::size_t kMostParts = 16; // actions that are looked at
constexpr int kMostGoes = 4;           // steps behind each other
constexpr std::size_t kMostCode = 400; // operations: beyond, walkers find out by themselves
constexpr int kMostDirections = 24;    // directions: likewise

// Does it come back to where it was within so many steps?
bool comes_round(const Step& s, int steps) {
  if (!s.may_return()) return false;
  for (std::size_t c = 0; c < s.to.size(); ++c) {
    int on = static_cast<int>(c);
    for (int k = 0; k < steps && on != kNowhere; ++k) {
      on = s.to[static_cast<std::size_t>(on)];
      if (on == static_cast<int>(c)) return true;
    }
  }
  return false;
}

// What has been done on the way so far.
struct Way {
  bool changed = false;      // pieces, where the walker has been
  bool changed_here = false; // and where it is
  int step = -1;             // the direction since then
  int goes = 0;
  bool laden = false;   // something is carried, which must be laid down to make a move
  bool carries = false; // something may be carried: without stacks, to lift more is a fault
  bool to_end = false;  // the parts that are looked at are all that come until the turn ends
};

// Could one of the parts from i on lay down what is carried?
bool lays_down(const Context& cx, const Actions& parts, std::size_t i) {
  return std::any_of(parts.begin() + static_cast<std::ptrdiff_t>(i), parts.end(),
                     [&cx](NodeId part) { return cx.facts.does(part, OperationSet(Op::put, Op::discard)); });
}

// `let`: a name of cells that are the same wherever the walker is, or of nothing that is known.
void bind_if_known(Context& cx, NodeId id, const Way& way, AbstractDraft& d) {
  const Node n = cx.node(id);
  const NodeId source = cx.kid(id, 0);
  const bool asks = cx.node(source).type == Type::cells && !cx.facts.is_changed(n.a) && !way.changed &&
                    !reads_walker(cx, source) && !cx.facts.contains(source, Op::before) &&
                    cx.facts.harmless(source) && known_everywhere(cx, source, d);
  if (asks)
    d.locals[n.a] = any_set(cx, set(cx, source, d));
  else
    d.locals.erase(n.a);
}

Reg could_pass(Context& cx, const Actions& parts, std::size_t i, Way way, AbstractDraft d);

// The actions from i on, with another in the place of the first.
Reg could_pass_instead(Context& cx, NodeId inner, const Actions& parts, std::size_t i, const Way& way,
                       const AbstractDraft& d) {
  Actions all;
  cx.facts.flatten(inner, all);
  all.insert(all.end(), parts.begin() + static_cast<std::ptrdiff_t>(i) + 1, parts.end());
  return could_pass(cx, all, 0, way, d);
}

Reg could_pass_by_kind(Context& cx, const Actions& parts, std::size_t i, const Way& way,
                       const AbstractDraft& d) {
  const Node n = cx.node(parts[i]);
  if (way.changed || cx.node(cx.kid(parts[i], 0)).op != Op::here) return cx.all_cells;
  const auto with = [&](std::uint32_t k) {
    return could_pass_instead(cx, cx.program.kid(n, k), parts, i, way, d);
  };
  Reg all = with(n.count - 1); // of an empty cell
  all = all == cx.no_cells ? cx.no_cells : meet(cx, all, cx.layout.empty);
  for (std::uint32_t k = 1; k + 1 < n.count; ++k) {
    const Reg of_kind = kind_cells(cx, static_cast<int>(k) - 1);
    all = unite(cx, all, meet(cx, of_kind, with(k)));
  }
  return all;
}

Reg could_choose(Context& cx, const Actions& parts, std::size_t i, const Way& way, AbstractDraft d) {
  const NodeId id = parts[i];
  const auto slot = cx.node(id).a;
  d.locals.erase(slot);
  if (cx.node(cx.kid(id, 0)).type != Type::directions || cx.facts.is_changed(slot)) return cx.all_cells;
  const StepSet steps = cx.facts.possible_steps(cx.kid(id, 0), d);
  if (steps.count() > kMostDirections) return cx.all_cells;
  Reg all = cx.no_cells;
  steps.each([&](int s) {
    if (all == cx.all_cells) return;
    AbstractDraft e = d;
    e.locals[slot] = make_steps(StepSet::of(s));
    all = unite(cx, all, could_pass(cx, parts, i + 1, way, std::move(e)));
  });
  return all;
}

// From where the parts from i on can be passed.
Reg could_pass(Context& cx, const Actions& parts, std::size_t i, Way way, AbstractDraft d) {
  if (way.laden && way.to_end && !lays_down(cx, parts, i)) return cx.no_cells;
  if (i == parts.size() || cx.stopped()) return cx.all_cells;
  const NodeId id = parts[i];
  const Node n = cx.node(id);
  const auto any_of = [&](std::uint32_t first) {
    Reg all = cx.no_cells;
    for (std::uint32_t k = first; k < n.count && all != cx.all_cells; ++k)
      all = unite(cx, all, could_pass_instead(cx, cx.program.kid(n, k), parts, i, way, d));
    return all;
  };
  switch (n.op) {
  case Op::never: return cx.no_cells;
  case Op::alternatives:
  case Op::otherwise: return any_of(0);
  case Op::quietly:
  case Op::distinct:
  case Op::most: return could_pass_instead(cx, cx.kid(id, 0), parts, i, way, d);
  case Op::if_action: return n.count > 2 ? any_of(1) : cx.all_cells;
  case Op::by_kind_action: return could_pass_by_kind(cx, parts, i, way, d);
  case Op::choose: return could_choose(cx, parts, i, way, std::move(d));
  case Op::go: {
    const StepSet steps = cx.facts.possible_steps(cx.kid(id, 0), d);
    if (steps.count() > kMostDirections || way.goes >= kMostGoes) return cx.all_cells;
    Reg all = cx.no_cells;
    steps.each([&](int s) {
      if (all != cx.all_cells) all = unite(cx, all, could_step(cx, parts, i, s, way, d));
    });
    return all;
  }
  case Op::at: {
    const Reg rest = could_pass(cx, parts, i + 1, way, d);
    const auto tested = at_most_in(cx, cx.kid(id, 0), way, d);
    return tested ? meet(cx, rest, *tested) : rest;
  }
  case Op::repeat: return could_repeat(cx, parts, i, way, d);
  case Op::let: bind_if_known(cx, id, way, d); return could_pass(cx, parts, i + 1, way, std::move(d));
  case Op::set_local: d.locals.erase(n.a); return could_pass(cx, parts, i + 1, way, std::move(d));
  case Op::require:
  case Op::say: return could_pass(cx, parts, i + 1, way, std::move(d));
  case Op::remove:
    if (cx.node(cx.kid(id, 0)).op != Op::here) return cx.all_cells;
    [[fallthrough]];
  case Op::lift:
  case Op::put:
    if (n.op == Op::lift && way.carries && !cx.stacks()) return cx.all_cells;
    if (n.op != Op::remove) way.carries = n.op == Op::lift;
    way.laden = false;
    if (!way.changed) way.step = -1;
    way.changed = way.changed_here = true;
    return could_pass(cx, parts, i + 1, way, std::move(d));
  default: return cx.all_cells;
  }
}

Reg could_step(Context& cx, const Actions& parts, std::size_t i, int step, Way way, const AbstractDraft& d) {
  const Step& s = cx.board().steps[at(step)];
  const bool straight = !comes_round(s, kMostGoes) && (way.step < 0 || way.step == step);
  if (way.changed && !straight) return cx.all_cells;
  way.step = step;
  way.changed_here = false;
  ++way.goes;
  AbstractDraft behind = d;
  behind.heading = make_steps(StepSet::of(step));
  const Reg rest = could_pass(cx, parts, i + 1, way, behind);
  const CellSet* known = rest == cx.all_cells ? &cx.board().all : cx.e.known_set(rest);
  if (known == nullptr) return stepped(cx, rest, step, true);
  CellSet from;
  for (int cell = 0; cell < cx.board().cells; ++cell)
    if (const int to = s.to[at(cell)]; to != kNowhere && known->test(to)) from.set(cell);
  return from == cx.board().all ? cx.all_cells : cx.e.set_constant(from);
}

// One round must do, if there must be one; of rounds that only go straight on it is known where they lead.
Reg could_repeat(Context& cx, const Actions& parts, std::size_t i, const Way& way, const AbstractDraft& d) {
  const NodeId id = parts[i];
  const Node& low = cx.node(cx.kid(id, 1));
  if (low.op != Op::number) return cx.all_cells;
  const Path* loop = cx.facts.path(id);
  const auto round = loop != nullptr && *loop->least <= 1 ? cx.facts.round(*loop, d) : std::nullopt;
  const int step = round && round->steps.count() == 1 ? round->steps.first() : -1;
  const bool goes_on = step >= 0 && round->tests.size() <= 1 && !cx.board().steps[at(step)].may_return() &&
                       (!way.changed || way.step < 0 || way.step == step) && way.goes < kMostGoes;
  // The heading behind them isn't followed.
  for (const NodeId part : parts)
    if (cx.facts.contains(part, Op::heading)) return cx.all_cells;
  if (!goes_on) {
    Actions body;
    cx.facts.flatten(cx.kid(id, 0), body);
    Way inside = way;
    inside.to_end = false;
    const Reg further = low.a >= 1 || way.laden ? could_pass(cx, body, 0, inside, d) : cx.all_cells;
    return low.a >= 1 || further == cx.all_cells ? further
                                                 : unite(cx, further, could_pass(cx, parts, i + 1, way, d));
  }
  Way after = way;
  after.step = step;
  after.changed_here = false;
  ++after.goes;
  AbstractDraft e = d;
  std::optional<Reg> over;
  if (!round->tests.empty()) over = at_most_in(cx, round->tests[0], after, e);
  const Reg rest = could_pass(cx, parts, i + 1, after, d), through = over.value_or(cx.all_cells);
  if (rest == cx.all_cells && low.a < 1) return cx.all_cells;
  const Reg none_gone = low.a >= 1         ? cx.no_cells
                        : way.changed_here ? could_pass(cx, parts, i + 1, way, d)
                                           : rest;
  if (through != cx.all_cells && low.a < 1) { // whoever could go a round could go on at once
    Emitter::Attempt attempt(cx.e);
    if (stepped(cx, through, step, true) == none_gone) return none_gone;
    attempt.give_up();
  }
  const int back = cx.facts.compass().opposite[at(step)];
  if (back < 0) return cx.all_cells;
  const Reg last = meet(cx, rest, through);
  // Of several words a run takes long, and where none is needed all that could be run over will do.
  const bool roughly = cx.layout.words > 1 && low.a < 1 && over;
  const Reg on = roughly                ? through
                 : rest == cx.all_cells ? last
                                        : unite(cx, last, ran(cx, last, back, through));
  const Reg first = stepped(cx, on, step, true);
  return unite(cx, none_gone, first);
}

// A set that has all cells which may be in the one that is asked for; nothing where that could be any.
std::optional<Reg> at_most_in(Context& cx, NodeId id, const Way& way, AbstractDraft& d) {
  const Node n = cx.node(id);
  const bool asks = !reads_walker(cx, id) && !cx.facts.contains(id, Op::before) && cx.facts.harmless(id);
  if (n.op == Op::local && !known_everywhere(cx, id, d)) return std::nullopt;
  const bool stays =
      !way.changed || (cx.facts.goes_by_cell(id) && !way.changed_here) || cx.facts.reads(id) == kNoPart;
  if (asks && known_everywhere(cx, id, d) && stays) {
    const Reg r = cx.e.source_of(set(cx, id, d));
    return r == cx.all_cells ? std::nullopt : std::optional(r);
  }
  if (n.op == Op::unite) {
    const auto a = at_most_in(cx, cx.kid(id, 0), way, d), b = at_most_in(cx, cx.kid(id, 1), way, d);
    return a && b ? std::optional(unite(cx, *a, *b)) : std::nullopt;
  }
  if (n.op == Op::minus) return at_most_in(cx, cx.kid(id, 0), way, d);
  if (n.op != Op::meet) return std::nullopt;
  const auto a = at_most_in(cx, cx.kid(id, 0), way, d), b = at_most_in(cx, cx.kid(id, 1), way, d);
  return a && b ? std::optional(meet(cx, *a, *b)) : a ? a : b;
}

} // namespace

Reg could_begin(Context& cx, const Todo* todo, const AbstractDraft& d, bool changed, bool laden) {
  if (!is_on(Idiom::who_could_begin)) return cx.all_cells;
  Actions parts;
  for (; todo != nullptr && todo->then == nullptr && parts.size() < kMostParts; todo = todo->next)
    cx.facts.flatten(todo->action, parts);
  Way way;
  way.changed = way.changed_here = changed;
  way.laden = laden;
  way.carries = laden || d.carried.kind != Carried::Kind::nothing;
  way.to_end = todo == nullptr;
  Emitter::Attempt attempt(cx.e);
  const std::size_t begin = cx.e.here();
  const Reg from = could_pass(cx, parts, 0, way, d);
  if (from != cx.all_cells && cx.e.here() - begin <= kMostCode) return from;
  attempt.give_up();
  return cx.all_cells;
}

bool known_everywhere(const Context& cx, NodeId id, const AbstractDraft& d) {
  return !cx.facts.finds(id, [&](const Node& n) {
    return Terms::found(n.op == Op::local && (cx.facts.is_changed(n.a) || d.locals.count(n.a) == 0));
  });
}

} // namespace boardwright::runtime::lowering
