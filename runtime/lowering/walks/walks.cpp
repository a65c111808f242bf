// Walks as sets of cells: where `go`, `at`, choices of directions and repetitions of them lead from a cell,
// or from all cells of a set at once.
#include "runtime/lowering/walks/walks.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/forms/groups.hpp"
#include "runtime/lowering/forms/legality.hpp"
#include "runtime/lowering/forms/memos.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/walks/lanes.hpp"
#include "runtime/model/forms.hpp"
#include "runtime/model/numbering.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// ---------------------------------------------------------------- what is a walk

Reg through(Context& cx, const Round& r, Draft& d) {
  Reg all = cx.all_cells;
  for (const NodeId tested : r.tests) all = meet(cx, all, set(cx, tested, d));
  return all;
}

// ---------------------------------------------------------------- forwards

namespace {

std::optional<std::pair<Reg, Reg>> run_back(Context& cx, Reg over, int step);
std::optional<Reg> walked_kind_of_cell(Context& cx, const Steps& walk, std::size_t i, const Val& from,
                                       Draft& d);

// Where what is asked of each cell costs much: the part of it that doesn't.
std::optional<NodeId> cheap_part(const Context& cx, const Round& round) {
  for (const NodeId tested : round.tests) {
    if (cx.node(tested).op != Op::meet) continue;
    const NodeId a = cx.kid(tested, 0), b = cx.kid(tested, 1);
    if (cx.facts.goes_by_cell(a) && cx.facts.contains(b, Op::reach)) return a;
    if (cx.facts.goes_by_cell(b) && cx.facts.contains(a, Op::reach)) return b;
  }
  return std::nullopt;
}

// Straight on from one cell; the first is asked for the cheap part before anything else.
Reg straight_if_cheap(Context& cx, NodeId cheap, const Round& round, const Val& from, Draft& d) {
  const Reg ends = cx.e.new_set(), next = cx.e.new_number();
  const Label past = cx.e.label();
  cx.e.emit(Ir::set_copy, ends, cx.no_cells);
  {
    const Emitter::Scope scope(cx.e);
    cx.e.emit(Ir::hop, next, from.reg, set(cx, cheap, d), round.steps.first(), past);
    cx.e.emit(Ir::set_copy, ends, rays(cx, Ir::set_rays, from.reg, round.steps, through(cx, round, d)));
  }
  cx.e.place(past);
  return ends;
}

// Straight on from one cell: (go d, at S)+, perhaps with a further `go d`.
std::optional<Reg> straight(Context& cx, const Steps& walk, std::size_t i, const Val& from, Draft& d) {
  std::optional<StepSet> steps;
  std::int32_t slot = -1;
  std::size_t k = i;
  if (cx.node(walk[k]).op == Op::choose) {
    steps = cx.facts.constant_steps(cx.kid(walk[k], 0), d);
    slot = cx.node(walk[k]).a;
    if (!steps || ++k == walk.size()) return std::nullopt;
  }
  const Node loop = cx.node(walk[k]);
  if (loop.op != Op::repeat || loop.a != kUnbounded) return std::nullopt;
  const Node low = cx.node(cx.kid(walk[k], 1));
  if (low.op != Op::number || low.a > 1) return std::nullopt;
  Draft inside = d;
  if (steps) inside.locals[slot] = make_steps(*steps);
  const auto body = cx.facts.round(cx.kid(walk[k], 0), inside);
  // Every round must go the way that was chosen.
  const auto goes_by_slot = [&](NodeId go) {
    const Node& way = cx.node(cx.kid(go, 0));
    return way.op == Op::local && way.a == slot;
  };
  Steps parts;
  cx.facts.flatten(cx.kid(walk[k], 0), parts);
  if (!body || (steps ? !goes_by_slot(parts[0]) : body->steps.count() != 1)) return std::nullopt;
  if (steps) {
    for (const NodeId tested : body->tests)
      if (cx.facts.contains_local(tested, slot) && steps->count() > 1) return std::nullopt;
    // What comes behind mustn't go by the way, but for one more step.
    for (std::size_t m = k + 1; m < walk.size(); ++m) {
      const bool first = m == k + 1 && cx.node(walk[m]).op == Op::go && goes_by_slot(walk[m]);
      if (!first && cx.facts.contains_local(walk[m], slot) && steps->count() > 1) return std::nullopt;
    }
  }
  if (low.a == 1 && k + 1 == walk.size() && body->steps.count() == 1 && from.is(Kind::cell) &&
      cx.maybe_none.count(from.reg) == 0)
    if (const auto cheap = cheap_part(cx, *body)) return straight_if_cheap(cx, *cheap, *body, from, inside);
  const Reg over = through(cx, *body, inside);
  ++k;
  Val ends;
  bool one_more = k < walk.size() && cx.node(walk[k]).op == Op::go;
  if (one_more) {
    const auto way = cx.facts.constant_steps(cx.kid(walk[k], 0), inside);
    one_more = way && *way == body->steps && (!steps || goes_by_slot(walk[k]));
  }
  if (low.a <= 0 && one_more) {
    ends = any_set(cx, rays(cx, Ir::set_slides, from.reg, body->steps, over));
    ++k;
  } else if (low.a == 1) {
    if (one_more && body->steps.count() > 1) return std::nullopt;
    ends = any_set(cx, rays(cx, Ir::set_rays, from.reg, body->steps, over));
  } else {
    const Reg start = set_of(cx, from);
    ends = any_set(cx, unite(cx, start, rays(cx, Ir::set_rays, from.reg, body->steps, over)));
    if (one_more) return std::nullopt;
  }
  return walked(cx, walk, k, ends, inside);
}

// Straight on from one cell over V as far as a cell of S, where the rule has the runs of V that begin beside
// cells of S, `choose d in D, (go d, at V & run(S, opposite(d), V))+`: the line is followed from the one cell
// instead of from all of S.
std::optional<Reg> enclosed(Context& cx, const Steps& walk, std::size_t i, const StepSet& steps,
                            const Val& from, Draft& d) {
  if (!is_on(Form::enclosed)) return std::nullopt;
  if (!from.is(Kind::cell) || i + 2 != walk.size() || steps.none()) return std::nullopt;
  const Node loop = cx.node(walk[i + 1]);
  if (loop.op != Op::repeat || loop.a != kUnbounded) return std::nullopt;
  const Node low = cx.node(cx.kid(walk[i + 1], 1));
  if (low.op != Op::number || low.a != 1) return std::nullopt;
  const auto over_of = [&](int step) -> std::optional<std::pair<Reg, Reg>> {
    Draft inside = d;
    inside.locals[cx.node(walk[i]).a] = make_steps(StepSet::of(step));
    const auto body = cx.facts.round(cx.kid(walk[i + 1], 0), inside);
    if (!body || body->steps.count() != 1 || body->steps.first() != step) return std::nullopt;
    return run_back(cx, through(cx, *body, inside), step);
  };
  Emitter::Attempt attempt(cx.e);
  const auto registers = cx.e.registers();
  std::optional<std::pair<Reg, Reg>> sets;
  bool good = true, made_before = true;
  steps.each([&](int step) {
    if (!good) return;
    const auto now = over_of(step);
    good = now && (!sets || *sets == *now);
    made_before = good && now->first < registers.set && now->second < registers.set;
    sets = now;
  });
  attempt.give_up();
  if (!good) return std::nullopt;
  if (!made_before) sets = over_of(steps.first());
  return cx.e.set_value(Ir::set_between, from.reg, sets->first, sets->second, steps_table(cx, steps));
}

// Are these the cells of a set V from which a step leads over V to a cell of S? Then V and S.
std::optional<std::pair<Reg, Reg>> run_back(Context& cx, Reg over, int step) {
  const int back = cx.facts.compass().opposite[at(step)];
  if (back < 0 ||
      by_distance(cx.board().steps[at(step)].to, true) != by_distance(cx.board().steps[at(back)].to))
    return std::nullopt;
  const auto made = cx.e.made_by(over);
  if (!made) return std::nullopt;
  for (const Reg run : {over, made->a, made->b}) {
    const auto ran_by = run == over ? made : cx.e.made_by(run);
    if (!ran_by || ran_by->op != Ir::set_run_shift || ran(cx, ran_by->a, back, ran_by->b) != run) continue;
    const Reg over_run = ran_by->b; // what is left out isn't in it, or it leaves nothing out
    const auto is_left_out = [&](Reg set) {
      const auto less = cx.e.made_by(over_run);
      return less && less->op == Ir::set_minus && less->b == set;
    };
    const bool whole = run == over ||
                       (made->op == Ir::set_meet && (made->a == over_run || made->b == over_run)) ||
                       (made->op == Ir::set_minus && made->a == run && is_left_out(made->b));
    if (whole) return std::pair(ran_by->b, ran_by->a);
  }
  return std::nullopt;
}

// So many rounds at most, each written out.
std::optional<Reg> walked_few_rounds(Context& cx, NodeId id, const Steps& body, const Val& from,
                                     const Draft& d) {
  constexpr std::int32_t kMostRounds = 16; // these are written out
  const Node low = cx.node(cx.kid(id, 1)), high = cx.node(cx.kid(id, 2));
  if (high.op != Op::number || high.a > kMostRounds) return std::nullopt;
  Reg all = cx.no_cells;
  if (high.a < std::max(low.a, 0)) return all;
  Val now = from;
  if (low.a <= 0) all = set_of(cx, from);
  for (std::int32_t i = 1; i <= high.a; ++i) {
    Draft inside = d;
    const auto next = walked(cx, body, 0, now, inside);
    if (!next) return std::nullopt;
    now = any_set(cx, *next);
    if (i >= low.a) all = unite(cx, all, *next);
  }
  return all;
}

std::optional<Reg> walked_loop(Context& cx, NodeId id, const Val& from, Draft& d) {
  const Node n = cx.node(id);
  const Node low = cx.node(cx.kid(id, 1));
  if (low.op != Op::number || (n.a & (kMaximal | kUntil)) != 0) return std::nullopt;
  Steps body;
  cx.facts.flatten(cx.kid(id, 0), body);
  if ((n.a & kUnbounded) == 0) return walked_few_rounds(cx, id, body, from, d);
  if (low.a > 1) return std::nullopt;
  if (const auto steps = cx.facts.round(cx.kid(id, 0), d)) {
    const Reg over = through(cx, *steps, d), begin = set_of(cx, from);
    if (steps->steps.count() == 1) {
      const Reg onward = ran(cx, begin, steps->steps.first(), over);
      return low.a <= 0 ? unite(cx, begin, onward) : onward;
    }
    if (low.a <= 0) return flooded(cx, begin, steps->steps, over);
    return flooded(cx, meet(cx, stepped(cx, begin, steps->steps, false), over), steps->steps, over);
  }
  // Any other round: all cells that are new go another one.
  for (const NodeId part : body)
    if (cx.facts.contains(part, Op::heading)) return std::nullopt;
  const Reg all = cx.e.new_set(), front = cx.e.new_set();
  const Label loop = cx.e.label(), past = cx.e.label();
  const auto round_from = [&](Reg begin) -> std::optional<Reg> {
    Draft inside = d;
    return walked(cx, body, 0, any_set(cx, begin), inside);
  };
  cx.e.emit(Ir::set_copy, front, set_of(cx, from));
  if (low.a > 0) {
    const Emitter::Scope scope(cx.e);
    const auto first = round_from(front);
    if (!first) return std::nullopt;
    cx.e.emit(Ir::set_copy, front, *first);
  }
  cx.e.emit(Ir::set_copy, all, front);
  cx.e.place(loop);
  {
    const Emitter::Scope scope(cx.e);
    cx.e.emit(Ir::if_none, 0, front, 0, 0, past);
    const auto next = round_from(front);
    if (!next) return std::nullopt;
    cx.e.emit(Ir::set_minus, front, *next, all);
    cx.e.emit(Ir::set_join, all, front);
    cx.e.go(loop);
  }
  cx.e.place(past);
  return all;
}

// A walk that goes by the kind of the piece on its first cell.
std::optional<Reg> walked_kinds(Context& cx, const Steps& walk, std::size_t i, const Val& from, Draft& d) {
  const Node n = cx.node(walk[i]);
  if (cx.node(cx.program.kid(n, 0)).op != Op::here) return std::nullopt;
  if (from.is(Kind::cell)) return walked_kind_of_cell(cx, walk, i, from, d);
  Reg all = cx.no_cells;
  for (std::uint32_t k = 0; k + 1 < n.count; ++k) {
    const bool last = k + 2 == n.count;
    const int kind = last ? -1 : static_cast<int>(k);
    const Reg of = last ? cx.layout.empty : kind_cells(cx, kind);
    Steps parts;
    cx.facts.flatten(cx.program.kid(n, k + 1), parts);
    if (parts.size() == 1 && cx.node(parts[0]).op == Op::never) continue;
    parts.insert(parts.end(), walk.begin() + static_cast<std::ptrdiff_t>(i) + 1, walk.end());
    const Val those = any_set(cx, meet(cx, set_of(cx, from), of));
    Draft inside = d;
    const auto ends = walked(cx, parts, 0, those, inside);
    if (!ends) return std::nullopt;
    all = unite(cx, all, *ends);
  }
  return all;
}

// From one cell: only the walk of the kind that is there.
std::optional<Reg> walked_kind_of_cell(Context& cx, const Steps& walk, std::size_t i, const Val& from,
                                       Draft& d) {
  const Node n = cx.node(walk[i]);
  const auto known = d.there.find(from.reg);
  const Contents there = known != d.there.end() ? known->second : cx.facts.all_contents();
  std::vector<std::uint32_t> possible; // children
  for (std::uint32_t k = 1; k < n.count; ++k) {
    Contents of = k + 1 < n.count ? cx.facts.contents_of_kind(static_cast<int>(k) - 1) : Contents().set(0);
    if ((of & there).any()) possible.push_back(k);
  }
  const auto ends_of = [&](std::uint32_t k) {
    Steps parts;
    cx.facts.flatten(cx.program.kid(n, k), parts);
    parts.insert(parts.end(), walk.begin() + static_cast<std::ptrdiff_t>(i) + 1, walk.end());
    Draft inside = d;
    inside.there[from.reg] =
        there & (k + 1 < n.count ? cx.facts.contents_of_kind(static_cast<int>(k) - 1) : Contents().set(0));
    return walked(cx, parts, 0, from, inside);
  };
  if (possible.empty()) return cx.no_cells;
  if (possible.size() == 1) return ends_of(possible.front());
  cx.need_mailbox();
  const Reg all = cx.e.new_set();
  const Reg kind = cx.e.number_value(Ir::kind_at, from.reg, 0, 0, 0, kPieces);
  const Reg which = cx.e.number_value(Ir::add, kind, cx.e.number_constant(1));
  const Label done = cx.e.label();
  const auto table = static_cast<std::int32_t>(cx.code.labels.size());
  cx.code.labels.emplace_back();
  cx.e.emit(Ir::set_copy, all, cx.no_cells);
  cx.e.emit(Ir::jump_table, 0, which, 0, 0, table);
  std::vector<std::uint32_t> labels(n.count - 1, static_cast<std::uint32_t>(done));
  for (const std::uint32_t k : possible) {
    const Emitter::Scope scope(cx.e);
    const Label here = cx.e.label();
    cx.e.place(here);
    labels[k + 1 < n.count ? k : 0] = static_cast<std::uint32_t>(here);
    const auto ends = ends_of(k);
    if (!ends) return std::nullopt;
    cx.e.emit(Ir::set_copy, all, *ends);
    cx.e.go(done);
  }
  cx.e.place(done);
  cx.code.labels[at(table)] = labels;
  return all;
}

} // namespace

namespace {

// `go n * D` from one cell, where D is known and has several directions.
std::optional<Reg> gone_times(Context& cx, NodeId way, Reg cell, Draft& d) {
  if (cx.node(way).op != Op::times) return std::nullopt;
  const NodeId factor = cx.kid(way, 0);
  const auto steps = cx.facts.constant_steps(cx.kid(way, 1), d);
  if (!steps || steps->count() < 2) return std::nullopt;
  return multiple_steps(cx, cell, number(cx, factor, d), cx.facts.never_negative(factor), *steps);
}

// `go` from all cells of a value.
std::optional<Reg> gone(Context& cx, NodeId id, const Val& from, Draft& d) {
  const auto steps = cx.facts.constant_steps(cx.kid(id, 0), d);
  if (steps && from.is(Kind::cell) && steps->count() > 1)
    return cx.e.set_value(Ir::set_around, from.reg, 0, 0, steps_table(cx, *steps));
  if (steps) return stepped(cx, set_of(cx, from), *steps, false);
  if (const auto by_cell = cx.facts.steps_by_cell(cx.kid(id, 0), d)) {
    const Reg begin = set_of(cx, from);
    Reg all = cx.no_cells;
    for (const auto& [step, cells] : *by_cell)
      all = unite(cx, all, stepped(cx, meet(cx, begin, cx.e.set_constant(cells)), step, false));
    return all;
  }
  if (cx.facts.contains(cx.kid(id, 0), Op::here) || cx.facts.contains(cx.kid(id, 0), Op::heading))
    return std::nullopt;
  if (from.is(Kind::cell))
    if (const auto ends = gone_times(cx, cx.kid(id, 0), from.reg, d)) return ends;
  const Val way = value(cx, cx.kid(id, 0), d);
  if (from.is(Kind::cell) && way.is(Kind::step))
    return set_of(cx, make_cell(cx.e.number_value(Ir::step_to, from.reg, way.reg), cx.facts.all_contents()));
  const Reg by = ways_of(cx, way), r = cx.e.new_set();
  cx.e.emit(Ir::set_steps_by, r, set_of(cx, from), by);
  return r;
}

// What is behind a choice of directions, for each of them.
std::optional<Reg> walked_by_each(Context& cx, const Steps& walk, std::size_t i, const Val& from,
                                  const Draft& d) {
  if (cx.node(cx.kid(walk[i], 0)).type != Type::directions) return std::nullopt;
  const auto steps = cx.facts.constant_steps(cx.kid(walk[i], 0), d);
  if (!steps) return std::nullopt;
  if (Draft e = d; const auto ends = enclosed(cx, walk, i, *steps, from, e)) return ends;
  Reg all = cx.no_cells;
  const bool good = by_direction(*steps, cx.node(walk[i]).a, d, [&](Draft& inside) {
    const auto ends = walked(cx, walk, i + 1, from, inside);
    if (ends) all = unite(cx, all, *ends);
    return ends.has_value();
  });
  return good ? std::optional(all) : std::nullopt;
}

// Where any of some alternatives leads.
std::optional<Reg> walked_alternatives(Context& cx, const Node& n, const Val& from, const Draft& d) {
  Reg all = cx.no_cells;
  for (std::uint32_t k = 0; k < n.count; ++k) {
    Steps parts;
    cx.facts.flatten(cx.program.kid(n, k), parts);
    // A name that is bound in an alternative ends with it: what comes after is the same for all.
    Draft inside = d;
    const auto ends = walked(cx, parts, 0, from, inside);
    if (!ends) return std::nullopt;
    all = unite(cx, all, *ends);
  }
  return all;
}

} // namespace

std::optional<Reg> walked(Context& cx, const Steps& walk, std::size_t i, Val from, Draft& d) {
  for (; i < walk.size() && !cx.stopped(); ++i) {
    const NodeId id = walk[i];
    const Node n = cx.node(id);
    if (from.is(Kind::cell)) {
      if (const auto ends = straight(cx, walk, i, from, d)) return ends;
      if (const auto ends = straight_by_number(cx, id, from, d))
        return walked(cx, walk, i + 1, any_set(cx, *ends), d);
    }
    switch (n.op) {
    case Op::never: return cx.no_cells;
    case Op::at: {
      if (cx.facts.contains(cx.kid(id, 0), Op::here)) return std::nullopt;
      const Reg tested = set(cx, cx.kid(id, 0), d);
      from = any_set(cx, meet(cx, set_of(cx, from), tested));
      break;
    }
    case Op::go: {
      const auto ends = gone(cx, id, from, d);
      if (!ends) return std::nullopt;
      from = any_set(cx, *ends);
      break;
    }
    case Op::choose: return walked_by_each(cx, walk, i, from, d);
    case Op::let: {
      if (cx.facts.contains(cx.kid(id, 0), Op::here) || cx.facts.contains(cx.kid(id, 0), Op::heading))
        return std::nullopt;
      d.locals[n.a] = value(cx, cx.kid(id, 0), d);
      break;
    }
    case Op::sequence: {
      Steps parts(walk.begin(), walk.begin() + static_cast<std::ptrdiff_t>(i));
      cx.facts.flatten(id, parts);
      parts.insert(parts.end(), walk.begin() + static_cast<std::ptrdiff_t>(i) + 1, walk.end());
      return walked(cx, parts, i, from, d);
    }
    case Op::alternatives: {
      const auto ends = walked_alternatives(cx, n, from, d);
      if (!ends) return std::nullopt;
      from = any_set(cx, *ends);
      break;
    }
    case Op::by_kind_action: return walked_kinds(cx, walk, i, from, d);
    case Op::repeat: {
      const auto ends = walked_loop(cx, id, from, d);
      if (!ends) return std::nullopt;
      from = any_set(cx, *ends);
      break;
    }
    default: return std::nullopt;
    }
  }
  return set_of(cx, from);
}

// ---------------------------------------------------------------- reach

namespace {

Reg reached(Context& cx, NodeId id, Draft& d) {
  const Val from = value(cx, cx.kid(id, 0), d);
  Steps walk;
  cx.facts.flatten(cx.kid(id, 1), walk);
  Draft inside = d;
  inside.here = inside.heading = {};
  bool reads = false;
  for (const NodeId part : walk) reads = reads || cx.facts.contains(part, Op::heading);
  // One piece walks as its kind does: the ways of all kinds would be more work than to ask which it is.
  const bool one_of_kinds = from.is(Kind::cell) && !walk.empty() &&
                            cx.node(walk[0]).op == Op::by_kind_action && cx.mode == Mode::search;
  if (!reads && !one_of_kinds) {
    Emitter::Attempt attempt(cx.e);
    if (const auto ends = walked(cx, walk, 0, from, inside)) return *ends;
    attempt.give_up();
  }
  return searched(cx, {cx.kid(id, 1)}, from, d);
}

// From where does one step lead to a cell? That is looked up.
std::optional<Reg> stepped_back_from_cell(Context& cx, const Steps& walk, Reg cell, const Draft& d) {
  if (walk.size() != 1 || cx.node(walk[0]).op != Op::go) return std::nullopt;
  const auto steps = cx.facts.constant_steps(cx.kid(walk[0], 0), d);
  if (!steps || steps->count() < 2) return std::nullopt;
  bool exact = true;
  steps->each([&](int s) { exact = exact && cx.facts.leads_back(s); });
  if (!exact) return std::nullopt;
  const Reg from =
      cx.e.set_value(Ir::set_around, cell, 0, 0, steps_table(cx, cx.facts.compass().opposites(*steps)));
  look(cx, from);
  return from;
}

} // namespace

Val reach(Context& cx, NodeId id, Draft& d) {
  if (const auto kept = kept_group(cx, id, d)) return any_set(cx, *kept);
  return any_set(cx, remembered(cx, id, d, [&] { return reached(cx, id, d); }));
}

Reg searched(Context& cx, const Steps& actions, const Val& from, Draft& d) {
  const Reg found = cx.e.new_set();
  cx.e.emit(Ir::set_copy, found, cx.no_cells);
  const Mode mode = std::exchange(cx.mode, Mode::search);
  const bool text = std::exchange(cx.text, false);
  const int exact = std::exchange(cx.within.each, 0);
  ++cx.within.reach;
  const auto from_each = [&](const std::function<void(const Val&, Label)>& body) {
    if (!from.is(Kind::cell)) return each_member(cx, from, Type::cells, body);
    const Emitter::Scope scope(cx.e);
    const Label past = cx.e.label();
    if (!(d.here.is(Kind::cell) && d.here.reg == from.reg && cx.maybe_none.count(from.reg) == 0))
      cx.e.emit(Ir::if_less, 0, from.reg, cx.e.number_constant(0), 0, past);
    body(from, past);
    cx.e.place(past);
  };
  from_each([&](const Val& cell, Label) {
    const Reg mark = cx.e.new_number(2);
    const std::size_t marked = cx.e.emit(Ir::mark, mark);
    const std::size_t begin = cx.e.here();
    Draft inside = d;
    inside.here = cell;
    inside.heading = {};
    inside.quiet = true;
    inside.recorded = false;
    inside.choices.clear();
    inside.there[cell.reg] = cell.contents;
    Continuation then;
    then.go = [&](const Draft& e) { cx.e.emit(Ir::set_add, found, cell_of(cx, e.here)); };
    then.all = [&](Reg cells) { cx.e.emit(Ir::set_join, found, cells); };
    std::vector<Todo> chain(actions.size() + 1);
    chain.back() = {kNoNode, nullptr, &then};
    for (std::size_t k = actions.size(); k-- > 0;) chain[k] = {actions[k], &chain[k + 1], nullptr};
    act(cx, chain.data(), inside);
    cx.e.undo_since(begin, mark, marked);
    cx.e.forget_values();
  });
  --cx.within.reach;
  cx.mode = mode, cx.text = text, cx.within.each = exact;
  return found;
}

std::optional<Reg> walked_back_from_cell(Context& cx, const Steps& walk, const Val& target, Draft& d) {
  if (walk.size() == 3 && cx.node(walk[0]).op == Op::choose && cx.node(walk[1]).op == Op::repeat &&
      cx.node(walk[2]).op == Op::go) {
    const Node choose = cx.node(walk[0]), loop = cx.node(walk[1]);
    const auto steps = cx.facts.constant_steps(cx.kid(walk[0], 0), d);
    const Node low = cx.node(cx.kid(walk[1], 1)), way = cx.node(cx.kid(walk[2], 0));
    if (steps && loop.a == kUnbounded && low.op == Op::number && low.a <= 0 && way.op == Op::local &&
        way.a == choose.a) {
      Draft inside = d;
      inside.locals[choose.a] = make_steps(*steps);
      Steps parts;
      cx.facts.flatten(cx.kid(walk[1], 0), parts);
      const Node& first = cx.node(cx.kid(parts[0], 0));
      const auto body = cx.facts.round(cx.kid(walk[1], 0), inside);
      const bool straight_on = body && first.op == Op::local && first.a == choose.a;
      const StepSet back = cx.facts.compass().opposites(*steps);
      bool tests_alike = straight_on && back.count() == steps->count();
      for (std::size_t i = 0; tests_alike && i < body->tests.size(); ++i)
        tests_alike = !cx.facts.contains_local(body->tests[i], choose.a);
      if (tests_alike) {
        const Reg seen = rays(cx, Ir::set_slides, target.reg, back, through(cx, *body, inside));
        look(cx, seen);
        return seen;
      }
    }
  }
  if (const auto from = stepped_back_from_cell(cx, walk, target.reg, d)) return from;
  return walked_back(cx, walk, walk.size(), set_of(cx, target), d);
}

} // namespace boardwright::runtime::lowering
