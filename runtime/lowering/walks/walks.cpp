// Walks as sets of cells: where a Path leads from a cell or from all cells of a set at once (`image`), and
// from where it leads into one: that is where its reverse leads (`preimage`).
//
// # How it is read
// Parts in a row go from set to set. A walk from one cell that runs straight on is one operation; rounds of
// one step and its tests run along a line, or flood; any other round is gone anew by all cells that are new.
#include "runtime/lowering/walks/walks.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/idioms/groups.hpp"
#include "runtime/lowering/idioms/legality.hpp"
#include "runtime/lowering/idioms/memos.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/walks/set_at_a_time.hpp"
#include "runtime/model/idioms.hpp"
#include "runtime/model/numbering.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

// ---------------------------------------------------------------- what is a walk

Reg through(Context& cx, const Round& r, AbstractDraft& d) {
  Reg all = cx.all_cells;
  for (const NodeId tested : r.tests) all = meet(cx, all, set(cx, tested, d));
  return all;
}

namespace {

using Parts = std::span<const Path>;

std::optional<Reg> image_of_part(Context& cx, const Path& p, const AbstractValue& from, AbstractDraft& d);
std::optional<Reg> image_of_row(Context& cx, Parts row, AbstractValue from, AbstractDraft& d);
std::optional<std::pair<Reg, Reg>> run_back(Context& cx, Reg over, int step);

// ---------------------------------------------------------------- straight on from one cell

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
Reg straight_if_cheap(Context& cx, NodeId cheap, const Round& round, const AbstractValue& from,
                      AbstractDraft& d) {
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

// Straight on: (go d, at S)+ or *, perhaps with a further `go d`; and what comes behind. `choice`: d is each
// of several directions; every step must go the way that was chosen then.
std::optional<Reg> straight(Context& cx, Parts row, const Path* choice, const AbstractValue& from,
                            AbstractDraft d) {
  if (row.empty() || row[0].backwards) return std::nullopt;
  const auto line = cx.facts.line(row[0], choice, d);
  const bool several = choice != nullptr && line && line->steps.count() > 1;
  if (!line || (!several && line->steps.count() != 1)) return std::nullopt;
  const auto next = row.subspan(1);
  // What comes behind mustn't go by the way, but for one more step.
  const bool steps_on = !next.empty() && next[0].is_straight_step() &&
                        (choice == nullptr || cx.facts.goes_by_name(next[0].of, *choice));
  for (const Path& part : next.subspan(steps_on ? 1 : 0))
    if (several && cx.facts.reads_name(part, choice->slot)) return std::nullopt;
  const bool some = *row[0].least == 1; // one round at least
  if (some && next.empty() && !several && cx.maybe_none.count(from.reg) == 0)
    if (const auto cheap = cheap_part(cx, *line)) return straight_if_cheap(cx, *cheap, *line, from, d);
  const Reg over = through(cx, *line, d);
  const auto way = steps_on ? cx.facts.constant_steps(next[0].of, d) : std::nullopt;
  const bool one_more = way && *way == line->steps;
  if (one_more && some && several) return std::nullopt;
  if (one_more && !some) {
    const Reg seen = rays(cx, Ir::set_slides, from.reg, line->steps, over);
    return image_of_row(cx, next.subspan(1), any_set(cx, seen), d);
  }
  const Reg none_gone = some ? cx.no_cells : set_of(cx, from);
  const Reg ends = unite(cx, none_gone, rays(cx, Ir::set_rays, from.reg, line->steps, over));
  return image_of_row(cx, next, any_set(cx, ends), d);
}

// Straight on over V as far as a cell of S, where the rule has the runs of V that begin beside cells of S,
// `choose d in D, (go d, at V & run(S, opposite(d), V))+`: the line is followed from the one cell instead of
// from all of S.
std::optional<Reg> enclosed(Context& cx, const Path& choice, const StepSet& steps, const AbstractValue& from,
                            const AbstractDraft& d) {
  const Path& loop = choice.parts[0];
  if (!is_on(Idiom::enclosed) || !from.is(Kind::cell) || steps.none()) return std::nullopt;
  if (!loop.is_any_rounds() || *loop.least != 1) return std::nullopt;
  const auto over_of = [&](int step) -> std::optional<std::pair<Reg, Reg>> {
    AbstractDraft inside = d;
    inside.locals[choice.slot] = make_steps(StepSet::of(step));
    const auto body = cx.facts.round(loop, inside);
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

// ---------------------------------------------------------------- rounds

// So many rounds at most, each written out.
std::optional<Reg> few_rounds(Context& cx, const Path& star, const AbstractValue& from,
                              const AbstractDraft& d) {
  constexpr std::int32_t kMostRounds = 16; // these are written out
  if (!star.most || *star.most > kMostRounds) return std::nullopt;
  Reg all = cx.no_cells;
  if (*star.most < std::max(*star.least, 0)) return all;
  AbstractValue now = from;
  if (*star.least <= 0) all = set_of(cx, from);
  for (std::int32_t i = 1; i <= *star.most; ++i) {
    AbstractDraft inside = d;
    const auto next = image(cx, star.parts[0], now, inside);
    if (!next) return std::nullopt;
    now = any_set(cx, *next);
    if (i >= *star.least) all = unite(cx, all, *next);
  }
  return all;
}

// Any other round: all cells that are new go another one.
std::optional<Reg> new_cells_go_on(Context& cx, const Path& star, const AbstractValue& from,
                                   const AbstractDraft& d) {
  if (cx.facts.contains(cx.kid(star.of, 0), Op::heading)) return std::nullopt;
  const Reg all = cx.e.new_set(), front = cx.e.new_set();
  const Label loop = cx.e.label(), past = cx.e.label();
  const auto round_from = [&](Reg begin) {
    AbstractDraft inside = d;
    return image(cx, star.parts[0], any_set(cx, begin), inside);
  };
  cx.e.emit(Ir::set_copy, front, set_of(cx, from));
  if (*star.least > 0) {
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

// Backwards: from where rounds of one step and its tests end in a set.
std::optional<Reg> rounds_back(Context& cx, const Path& star, const Round& body, Reg now, AbstractDraft& d) {
  for (const NodeId tested : body.tests)
    if (reads_walker(cx, tested)) return std::nullopt;
  const bool none_will_do = *star.least <= 0;
  const Reg over = through(cx, body, d);
  if (now == cx.all_cells) // from anywhere, without a round; or one will do
    return none_will_do ? now : stepped(cx, over, body.steps, true);
  if (body.steps.count() != 1) {
    // In all directions at once: backwards as forwards.
    if (!cx.facts.goes_both_ways(body.steps)) return std::nullopt;
    const bool keeps = cx.e.known_set(now) != nullptr && cx.e.known_set(over) == nullptr;
    const Reg all =
        keeps ? grown(cx, now, body.steps, over) : flooded(cx, meet(cx, now, over), body.steps, over);
    const Reg first = stepped(cx, all, body.steps, true);
    return none_will_do ? unite(cx, now, first) : first;
  }
  const int back = cx.facts.compass().opposite[at(body.steps.first())];
  if (back < 0) return std::nullopt;
  const Reg last = meet(cx, now, over);
  const Reg first = stepped(cx, unite(cx, last, ran(cx, last, back, over)), body.steps, true);
  look(cx, unite(cx, now, first));
  return none_will_do ? unite(cx, now, first) : first;
}

std::optional<Reg> image_of_rounds(Context& cx, const Path& star, const AbstractValue& from,
                                   AbstractDraft& d) {
  if (!star.least || star.maximal || star.until) return std::nullopt;
  if (!star.endless) return few_rounds(cx, star, from, d);
  if (*star.least > 1) return std::nullopt;
  const auto round = cx.facts.round(star, d);
  const bool watched = star.backwards && !cx.looks.seen.empty(); // each round's cells would have to be noted
  if (!round) return watched ? std::nullopt : new_cells_go_on(cx, star, from, d);
  if (star.backwards) return rounds_back(cx, star, *round, set_of(cx, from), d);
  const Reg over = through(cx, *round, d), begin = set_of(cx, from);
  if (round->steps.count() == 1) {
    const Reg onward = ran(cx, begin, round->steps.first(), over);
    return *star.least <= 0 ? unite(cx, begin, onward) : onward;
  }
  if (*star.least <= 0) return flooded(cx, begin, round->steps, over);
  return flooded(cx, meet(cx, stepped(cx, begin, round->steps, false), over), round->steps, over);
}

// ---------------------------------------------------------------- by kind

Contents contents_of_part(const Context& cx, const Path& by_kind, std::size_t k) {
  return k + 1 < by_kind.parts.size() ? cx.facts.contents_of_kind(static_cast<int>(k)) : Contents(1);
}

// From one cell: only the walk of the kind that is there.
std::optional<Reg> image_by_kind_of_cell(Context& cx, const Path& p, const AbstractValue& from,
                                         AbstractDraft& d) {
  const auto known = d.there.find(from.reg);
  const Contents there = known != d.there.end() ? known->second : cx.facts.all_contents();
  std::vector<std::size_t> possible; // parts
  for (std::size_t k = 0; k < p.parts.size(); ++k)
    if ((contents_of_part(cx, p, k) & there).any()) possible.push_back(k);
  const auto ends_of = [&](std::size_t k) {
    AbstractDraft inside = d;
    inside.there[from.reg] = there & contents_of_part(cx, p, k);
    return image(cx, p.parts[k], from, inside);
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
  std::vector<std::uint32_t> labels(p.parts.size(), static_cast<std::uint32_t>(done)); // an empty cell first
  for (const std::size_t k : possible) {
    const Emitter::Scope scope(cx.e);
    const Label here = cx.e.label();
    cx.e.place(here);
    labels[k + 1 < p.parts.size() ? k + 1 : 0] = static_cast<std::uint32_t>(here);
    const auto ends = ends_of(k);
    if (!ends) return std::nullopt;
    cx.e.emit(Ir::set_copy, all, *ends);
    cx.e.go(done);
  }
  cx.e.place(done);
  cx.code.labels[at(table)] = labels;
  return all;
}

std::optional<Reg> image_by_kind(Context& cx, const Path& p, const AbstractValue& from, AbstractDraft& d) {
  if (p.backwards || cx.node(p.of).op != Op::here) return std::nullopt;
  if (from.is(Kind::cell)) return image_by_kind_of_cell(cx, p, from, d);
  Reg all = cx.no_cells;
  for (std::size_t k = 0; k < p.parts.size(); ++k) {
    const bool empty = k + 1 == p.parts.size();
    const Reg of = empty ? cx.layout.empty : kind_cells(cx, static_cast<int>(k));
    if (p.parts[k].is_never()) continue;
    AbstractDraft inside = d;
    const auto ends = image(cx, p.parts[k], any_set(cx, meet(cx, set_of(cx, from), of)), inside);
    if (!ends) return std::nullopt;
    all = unite(cx, all, *ends);
  }
  return all;
}

// ---------------------------------------------------------------- steps, tests, alternatives

// `go n * D` from one cell, where D is known and has several directions.
std::optional<Reg> gone_times(Context& cx, NodeId way, Reg cell, AbstractDraft& d) {
  if (cx.node(way).op != Op::times) return std::nullopt;
  const NodeId factor = cx.kid(way, 0);
  const auto steps = cx.facts.constant_steps(cx.kid(way, 1), d);
  if (!steps || steps->count() < 2) return std::nullopt;
  return multiple_steps(cx, cell, number(cx, factor, d), cx.facts.never_negative(factor), *steps);
}

// A step from all cells of a value.
std::optional<Reg> gone(Context& cx, NodeId by, const AbstractValue& from, AbstractDraft& d) {
  const auto steps = cx.facts.constant_steps(by, d);
  if (steps && from.is(Kind::cell) && steps->count() > 1)
    return cx.e.set_value(Ir::set_around, from.reg, 0, 0, steps_table(cx, *steps));
  if (steps) return stepped(cx, set_of(cx, from), *steps, false);
  if (const auto by_cell = cx.facts.steps_by_cell(by, d)) {
    const Reg begin = set_of(cx, from);
    Reg all = cx.no_cells;
    for (const auto& [step, cells] : *by_cell)
      all = unite(cx, all, stepped(cx, meet(cx, begin, cx.e.set_constant(cells)), step, false));
    return all;
  }
  if (cx.facts.contains(by, Op::here) || cx.facts.contains(by, Op::heading)) return std::nullopt;
  if (from.is(Kind::cell))
    if (const auto ends = gone_times(cx, by, from.reg, d)) return ends;
  const AbstractValue way = value(cx, by, d);
  if (from.is(Kind::cell) && way.is(Kind::step))
    return set_of(cx, make_cell(cx.e.number_value(Ir::step_to, from.reg, way.reg), cx.facts.all_contents()));
  const Reg ways = ways_of(cx, way), r = cx.e.new_set();
  cx.e.emit(Ir::set_steps_by, r, set_of(cx, from), ways);
  return r;
}

// From where a step leads to a set.
std::optional<Reg> gone_back(Context& cx, NodeId by, Reg ends, const AbstractDraft& d) {
  if (const auto steps = cx.facts.constant_steps(by, d)) return stepped(cx, ends, *steps, true);
  const auto by_cell = cx.facts.steps_by_cell(by, d);
  if (!by_cell) return std::nullopt;
  Reg all = cx.no_cells;
  for (const auto& [step, cells] : *by_cell) {
    const Reg from = stepped(cx, ends, step, true);
    all = unite(cx, all, meet(cx, from, cx.e.set_constant(cells)));
  }
  return all;
}

std::optional<Reg> image_of_step(Context& cx, const Path& step, const AbstractValue& from, AbstractDraft& d) {
  if (step.curved) return std::nullopt;
  return step.backwards ? gone_back(cx, step.of, set_of(cx, from), d) : gone(cx, step.of, from, d);
}

// The cells where a test holds. (Forwards it may ask for names that go by where all walkers stand.)
std::optional<Reg> image_of_test(Context& cx, const Path& test, const AbstractValue& from, AbstractDraft& d) {
  const bool asks_walker = test.backwards ? reads_walker(cx, test.of) : cx.facts.contains(test.of, Op::here);
  if (test.condition || asks_walker) return std::nullopt;
  if (!test.backwards) {
    const Reg tested = set(cx, test.of, d);
    return meet(cx, set_of(cx, from), tested);
  }
  const Reg now = set_of(cx, from);
  if (cx.node(test.of).op != Op::cells) look(cx, now);
  return meet(cx, now, set(cx, test.of, d));
}

// Where any of the parts leads, or the only part for each direction that the name may stand for. A name that
// is bound in an alternative ends with it.
std::optional<Reg> image_of_alternatives(Context& cx, const Path& p, const AbstractValue& from,
                                         const AbstractDraft& d) {
  Reg all = cx.no_cells;
  const auto join = [&](const Path& part, AbstractDraft& inside) {
    const auto ends = image(cx, part, from, inside);
    if (ends) all = unite(cx, all, *ends);
    return ends.has_value();
  };
  if (!p.named()) {
    for (const Path& part : p.parts)
      if (AbstractDraft inside = d; !join(part, inside)) return std::nullopt;
    return all;
  }
  const auto steps = cx.facts.constant_steps(p.of, d);
  if (!steps) return std::nullopt;
  if (!p.backwards)
    if (const auto ends = enclosed(cx, p, *steps, from, d)) return ends;
  const bool good =
      by_direction(*steps, p.slot, d, [&](AbstractDraft& inside) { return join(p.parts[0], inside); });
  return good ? std::optional(all) : std::nullopt;
}

// A value that has a name in what comes behind.
std::optional<Reg> image_with_name(Context& cx, const Path& p, const AbstractValue& from, AbstractDraft& d) {
  if (p.backwards || cx.facts.contains(p.of, Op::here) || cx.facts.contains(p.of, Op::heading))
    return std::nullopt;
  d.locals[p.slot] = value(cx, p.of, d);
  return image_of_row(cx, p.parts, from, d);
}

std::optional<Reg> image_of_part(Context& cx, const Path& p, const AbstractValue& from, AbstractDraft& d) {
  switch (p.kind) {
  case Path::Kind::step: return image_of_step(cx, p, from, d);
  case Path::Kind::test: return image_of_test(cx, p, from, d);
  case Path::Kind::sequence:
    return p.named() ? image_with_name(cx, p, from, d) : image_of_row(cx, p.parts, from, d);
  case Path::Kind::alternatives: return image_of_alternatives(cx, p, from, d);
  case Path::Kind::star: return image_of_rounds(cx, p, from, d);
  case Path::Kind::by_kind: return image_by_kind(cx, p, from, d);
  }
  return std::nullopt;
}

std::optional<Reg> image_of_row(Context& cx, Parts row, AbstractValue from, AbstractDraft& d) {
  for (; !row.empty() && !cx.stopped(); row = row.subspan(1)) {
    const Path& part = row[0];
    if (part.is_never()) return cx.no_cells;
    std::optional<Reg> ends;
    if (from.is(Kind::cell) && !part.backwards) {
      const bool chooses = part.is(Path::Kind::alternatives) && part.named();
      ends = chooses ? straight(cx, parts_in_a_row(part.parts[0]), &part, from, d)
                     : straight(cx, row, nullptr, from, d);
      if (ends) return ends; // with all that comes behind
      ends = straight_by_number(cx, part, from, d);
    }
    if (!ends) ends = image_of_part(cx, part, from, d);
    if (!ends) return std::nullopt;
    from = any_set(cx, *ends);
  }
  return set_of(cx, from);
}

} // namespace

std::optional<Reg> image(Context& cx, const Path& walk, const AbstractValue& from, AbstractDraft& d) {
  const auto ends = image_of_row(cx, parts_in_a_row(walk), from, d);
  if (ends && walk.backwards && !walk.is(Path::Kind::alternatives))
    look(cx, *ends); // their parts have looked
  return ends;
}

// ---------------------------------------------------------------- backwards

namespace {

// Slides are seen from the cell where they end: choose d in D, (go d, at S)*, go d.
std::optional<Reg> slid_to(Context& cx, const Path& walk, Reg cell, AbstractDraft d) {
  if (!walk.is(Path::Kind::alternatives) || !walk.named()) return std::nullopt;
  const auto row = parts_in_a_row(walk.parts[0]);
  if (row.size() != 2 || !row[1].is_straight_step() || !cx.facts.goes_by_name(row[1].of, walk))
    return std::nullopt;
  const auto line = cx.facts.line(row[0], &walk, d);
  if (!line || *row[0].least > 0) return std::nullopt;
  const StepSet back = cx.facts.compass().opposites(line->steps);
  if (back.count() != line->steps.count()) return std::nullopt;
  return rays(cx, Ir::set_slides, cell, back, through(cx, *line, d));
}

// From where does one step lead to a cell? That is looked up.
std::optional<Reg> stepped_to(Context& cx, const Path& walk, Reg cell, const AbstractDraft& d) {
  if (!walk.is_straight_step()) return std::nullopt;
  const auto steps = cx.facts.constant_steps(walk.of, d);
  if (!steps || steps->count() < 2) return std::nullopt;
  bool exact = true;
  steps->each([&](int s) { exact = exact && cx.facts.leads_back(s); });
  if (!exact) return std::nullopt;
  return cx.e.set_value(Ir::set_around, cell, 0, 0, steps_table(cx, cx.facts.compass().opposites(*steps)));
}

} // namespace

std::optional<Reg> preimage(Context& cx, const Path& walk, const AbstractValue& ends, AbstractDraft& d) {
  if (ends.is(Kind::cell)) {
    auto from = slid_to(cx, walk, ends.reg, d);
    if (!from) from = stepped_to(cx, walk, ends.reg, d);
    if (from) look(cx, *from);
    if (from) return from;
  }
  if (!is_on(Idiom::preimages)) return std::nullopt;
  return image(cx, reversed(walk), any_set(cx, set_of(cx, ends)), d);
}

// ---------------------------------------------------------------- reach

namespace {

Reg reached(Context& cx, NodeId id, AbstractDraft& d) {
  const AbstractValue from = value(cx, cx.kid(id, 0), d);
  const Path* walk = cx.facts.path(cx.kid(id, 1));
  AbstractDraft inside = d;
  inside.here = inside.heading = {};
  // One piece walks as its kind does: the ways of all kinds would be more work than to ask which it is.
  const bool one_of_kinds = walk != nullptr && from.is(Kind::cell) && cx.mode == Mode::search &&
                            !parts_in_a_row(*walk).empty() &&
                            parts_in_a_row(*walk)[0].is(Path::Kind::by_kind);
  if (walk != nullptr && !one_of_kinds && !cx.facts.contains(cx.kid(id, 1), Op::heading)) {
    Emitter::Attempt attempt(cx.e);
    if (const auto ends = image(cx, *walk, from, inside)) return *ends;
    attempt.give_up();
  }
  return searched(cx, {cx.kid(id, 1)}, from, d);
}

} // namespace

namespace {

// `next(c, d)` of one cell and one known direction, on large boards: a cell, or none, which is looked up.
// What is asked of it next (what lies there, is it in a set?) is then asked of one cell, too.
std::optional<AbstractValue> next_cell(Context& cx, NodeId id, AbstractDraft& d) {
  constexpr int kWordsOfQuickShifts = 2; // such a set is shifted as quickly as a cell is looked up
  if (cx.layout.words <= kWordsOfQuickShifts) return std::nullopt;
  const NodeId from = cx.kid(id, 0);
  const Path* walk = cx.facts.path(cx.kid(id, 1));
  if (walk == nullptr || !walk->is_straight_step()) return std::nullopt;
  const auto steps = cx.facts.constant_steps(walk->of, d);
  if (!steps || steps->count() != 1) return std::nullopt;
  const auto cell_there = [&]() -> std::optional<AbstractValue> {
    const Op op = cx.node(from).op;
    if (op == Op::reach) return next_cell(cx, from, d);
    if (op != Op::here && op != Op::start && op != Op::local) return std::nullopt;
    return value(cx, from, d);
  };
  const auto cell = cell_there();
  if (!cell || !cell->is(Kind::cell)) return std::nullopt;
  std::optional<Reg> there;
  steps->each([&](int s) {
    there = cx.e.number_value(Ir::place, cell->reg, 0, 0, place_table(cx, cx.board().steps[at(s)].to));
  });
  cx.maybe_none.insert(*there);
  return make_cell(*there, cx.facts.all_contents());
}

} // namespace

AbstractValue reach(Context& cx, NodeId id, AbstractDraft& d) {
  if (const auto cell = next_cell(cx, id, d)) return *cell;
  if (const auto kept = cached_group(cx, id, d)) return any_set(cx, *kept);
  return any_set(cx, remembered(cx, id, d, [&] { return reached(cx, id, d); }));
}

Reg searched(Context& cx, const Actions& actions, const AbstractValue& from, AbstractDraft& d) {
  const Reg found = cx.e.new_set();
  cx.e.emit(Ir::set_copy, found, cx.no_cells);
  const Mode mode = std::exchange(cx.mode, Mode::search);
  const bool text = std::exchange(cx.text, false);
  const int exact = std::exchange(cx.within.each, 0);
  ++cx.within.reach;
  const auto from_each = [&](const std::function<void(const AbstractValue&, Label)>& body) {
    if (!from.is(Kind::cell)) return each_member(cx, from, Type::cells, body);
    const Emitter::Scope scope(cx.e);
    const Label past = cx.e.label();
    if (!(d.here.is(Kind::cell) && d.here.reg == from.reg && cx.maybe_none.count(from.reg) == 0))
      cx.e.emit(Ir::if_less, 0, from.reg, cx.e.number_constant(0), 0, past);
    body(from, past);
    cx.e.place(past);
  };
  from_each([&](const AbstractValue& cell, Label) {
    const Reg mark = cx.e.new_number(2);
    const std::size_t marked = cx.e.emit(Ir::mark, mark);
    const std::size_t begin = cx.e.here();
    AbstractDraft inside = d;
    inside.here = cell;
    inside.heading = {};
    inside.quiet = true;
    inside.recorded = false;
    inside.choices.clear();
    inside.there[cell.reg] = cell.contents;
    Continuation then;
    then.go = [&](const AbstractDraft& e) { cx.e.emit(Ir::set_add, found, cell_of(cx, e.here)); };
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

} // namespace boardwright::runtime::lowering
