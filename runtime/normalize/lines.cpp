// Straight lines: walks in all directions, and what lies between a cell and another in line with it.
#include "runtime/normalize/lines.hpp"
#include "runtime/normalize/choices.hpp"
#include "runtime/normalize/conditions.hpp"
#include "runtime/normalize/names.hpp"
#include "runtime/normalize/sequences.hpp"
#include "runtime/normalize/sets.hpp"

#include "runtime/model/compass.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

namespace {

bool runs_straight(const Rewriter& rw, TermId round, const DraftFacts& c);

} // namespace

// The union of the walks in all directions is the walk in a direction that is chosen: union((reach(x, W) for
// d in D where C)) = reach(x, (choose d in D, require C, W)), if x doesn't go by d. Nothing has been done
// where C is asked now, but the walker is on a cell of x.
TermId union_of_walks(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term list = rw.at(rw.kid(id, 0));
  if (list.b != 1 || list.kids.size() != 3 || may_fault(rw, id, c)) return id;
  const TermId ways = list.kids[2];
  const auto slot = static_cast<std::uint32_t>(list.a);
  if (rw.at(ways).type != Type::directions || (rw.at(ways).reads & (kHere | kStart | kHeading)) != 0)
    return id;
  // What is met with the walk is asked where it ends. Where another condition fails there is nothing.
  Terms conditions, parts, tests;
  TermId member = list.kids[0];
  operands(rw, list.kids[1], Op::all_of, conditions);
  while (rw.is(member, Op::if_value) && (rw.is_none(rw.kid(member, 1)) || rw.is_none(rw.kid(member, 2)))) {
    const bool holds = rw.is_none(rw.kid(member, 2));
    conditions.push_back(holds ? rw.kid(member, 0) : negation(rw, rw.kid(member, 0), c));
    member = rw.kid(member, holds ? 1 : 2);
  }
  operands(rw, member, Op::meet, parts);
  const auto walks = [&](TermId p) { return rw.is(p, Op::reach); };
  const auto found = std::find_if(parts.begin(), parts.end(), walks);
  if (found == parts.end()) return id;
  const TermId walk = *found, from = rw.kid(walk, 0);
  parts.erase(found);
  for (const TermId p : parts) {
    if ((rw.at(p).reads & (kHere | kHeading)) != 0) return id;
    tests.push_back(rw.terms.make(Op::at, Type::action, {p}, 0, 0, list.origin));
  }
  TermId condition = all_of(rw, std::move(conditions), c, list.origin);
  const std::uint16_t moves = rw.is(from, Op::here) ? kHeading : kHere | kHeading;
  if (rw.reads(from, slot) || (rw.at(condition).reads & moves) != 0) return id;
  if (rw.is(from, Op::local) && is_single(rw, from, c)) { // that is where the walker is
    const TermId here = rw.terms.make(Op::here, Type::cells, {}, 0, 0, list.origin);
    const auto name = static_cast<std::uint32_t>(rw.at(from).a);
    if (holds_at_reads(rw, condition, name, here, false))
      condition = rw.terms.substituted(condition, name, here);
  }
  add_slots(rw.single_names, {slot});
  Terms items{rw.terms.make(Op::choose, Type::action, {ways}, list.a, 0, list.origin)};
  if (!rw.is_truth(condition, true))
    items.push_back(rw.terms.make(Op::require, Type::action, {condition}, 0, 0, list.origin));
  const Terms then = items_of(rw, rw.kid(walk, 1));
  items.insert(items.end(), then.begin(), then.end());
  items.insert(items.end(), tests.begin(), tests.end());
  return value(rw, rw.terms.with_kids(walk, {from, sequence_of(rw, std::move(items), list.origin)}), c);
}

// to S, (go d, at T)*! = to the cells of reach(S, (go d, at T)*) that have none of T straight on: there the
// walk has no further round, and nowhere else. No line of the board comes back, so no round is dropped.
bool slide_to_end(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before,
                  const std::vector<std::uint16_t>& live) {
  if (!is_on(Idiom::slide_to_end)) return false;
  const auto& steps = rw.program.board.steps;
  if (std::any_of(steps.begin(), steps.end(), [](const Step& s) { return s.may_return(); })) return false;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const Term t = rw.at(items[i]), loop = rw.at(items[i + 1]);
    if (t.op != Op::to || loop.op != Op::repeat || loop.a != (kUnbounded | kMaximal)) continue;
    if (before[i].counted || (live[i + 1] & kHeading) != 0 || rw.number_of(loop.kids[1]).value_or(2) > 1)
      continue;
    if (may_fault(rw, items[i], before[i]) || may_fault(rw, items[i + 1], before[i + 1])) continue;
    const TermId on = rw.terms.make(loop.op, loop.type, loop.kids, kUnbounded, loop.b, loop.origin);
    const TermId once = rw.terms.with_kids(on, {loop.kids[0], rw.terms.number(1, loop.origin)});
    const Terms round = items_of(rw, loop.kids[0]);
    if (!runs_straight(rw, once, before[i + 1]) || !rw.is(rw.kid(round[0], 0), Op::directions)) continue;
    if (!rw.at(loop.kids[0]).slots_bound.empty() || (rw.at(t.kids[0]).reads & (kHere | kHeading)) != 0)
      continue;
    // The name of the members: that of a choice that is made anew.
    const TermId choice = copy_of(rw, rw.terms.make(Op::choose, Type::action, {t.kids[0]}, 0, 0, t.origin));
    const std::int32_t name = rw.at(choice).a;
    add_slots(rw.single_names, {static_cast<std::uint32_t>(name)});
    const TermId member = rw.terms.make(Op::local, Type::cells, {}, name, 0, t.origin);
    const TermId further = rw.terms.make(Op::reach, Type::cells, {member, loop.kids[0]}, 0, 0, t.origin);
    const TermId ends = rw.terms.make(Op::reach, Type::cells, {t.kids[0], on}, 0, 0, t.origin);
    const TermId none_further =
        rw.terms.make(Op::negation, Type::truth,
                      {rw.terms.make(Op::some, Type::truth, {further}, 0, 0, t.origin)}, 0, 0, t.origin);
    const TermId stops = rw.terms.make(Op::select, Type::cells, {ends, none_further}, name, 0, t.origin);
    items[i] = rw.terms.with_kids(items[i], {value(rw, stops, before[i])});
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    return true;
  }
  return false;
}

namespace {

// The first (last) cells of S on each of the files (ranks) n from one to another: union((first(file(n) & S)
// for n in a .. b)) are the cells of S on these files that have none of S straight on before them. S must not
// go by n, and the way there must lead by all cells of the file. The name takes the place of n.
std::optional<TermId> ends_of_lines(Rewriter& rw, TermId of_line, std::int32_t name, TermId numbers,
                                    const DraftFacts& c) {
  const Term t = rw.at(of_line), range = rw.at(numbers);
  if ((t.op != Op::first && t.op != Op::last) || range.op != Op::range || may_fault(rw, of_line, c))
    return std::nullopt;
  const auto low = rw.number_of(range.kids[0]), high = rw.number_of(range.kids[1]);
  Terms parts;
  operands(rw, t.kids[0], Op::meet, parts);
  const auto is_line = [&](TermId p) {
    return (rw.is(p, Op::file_of) || rw.is(p, Op::rank_of)) && rw.is(rw.kid(p, 0), Op::local) &&
           rw.at(rw.kid(p, 0)).a == name;
  };
  const auto line = std::find_if(parts.begin(), parts.end(), is_line);
  if (!low || !high || line == parts.end()) return std::nullopt;
  const Board& board = rw.program.board;
  const bool file = rw.is(*line, Op::file_of);
  parts.erase(line);
  const auto slot = static_cast<std::uint32_t>(name);
  if (parts.empty() || std::any_of(parts.begin(), parts.end(), [&](TermId p) { return rw.reads(p, slot); }))
    return std::nullopt;
  const int sense = t.op == Op::first ? -1 : 1;
  const int way = board.step_by(file ? 0 : sense, file ? sense : 0);
  if (way < 0) return std::nullopt;
  const auto& along = file ? board.x : board.y;
  CellSet lines;
  for (int cell = 0; cell < board.cells; ++cell) {
    const auto k = static_cast<std::size_t>(cell);
    if (*low <= along[k] && along[k] <= *high) lines.set(cell);
    int before = 0, met = 0;
    for (int other = 0; other < board.cells; ++other)
      before += along[static_cast<std::size_t>(other)] == along[k] && (other - cell) * sense > 0 ? 1 : 0;
    for (int to = cell; met <= before;) {
      to = board.steps[static_cast<std::size_t>(way)].to[static_cast<std::size_t>(to)];
      if (to == kNowhere) break;
      ++met;
    }
    if (met != before) return std::nullopt;
  }
  const std::uint32_t origin = t.origin;
  const TermId set = meet(rw, parts, c, Type::cells, origin);
  const TermId go =
      rw.terms.make(Op::go, Type::action, {rw.terms.steps(StepSet::of(way), origin)}, 0, 0, origin);
  const TermId on = rw.terms.make(Op::repeat, Type::action, {go, rw.terms.number(1, origin)}, kUnbounded,
                                  rw.terms.frame({}), origin);
  const TermId member = rw.terms.make(Op::local, Type::cells, {}, name, 0, origin);
  const TermId beyond = rw.terms.make(Op::reach, Type::cells, {member, on}, 0, 0, origin);
  const TermId none_before = negation(rw, some(rw, meet(rw, {set, beyond}, c, Type::cells, origin), c), c);
  add_slots(rw.single_names, {slot});
  const TermId from = meet(rw, {set, rw.terms.cells(lines, origin)}, c, Type::cells, origin);
  return make(rw, Op::select, Type::cells, {from, none_before}, c, origin, name);
}

} // namespace

// choose n in a .. b, to first(file(n) & S) = to the first cells of all these files; likewise of a name, if
// the next test asks whether there is such a cell.
bool choose_end_of_line(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::choose_end_of_line)) return false;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const Term t = rw.at(items[i]), next = rw.at(items[i + 1]);
    const auto slot = static_cast<std::uint32_t>(t.a);
    const bool names = next.op == Op::let;
    if (t.op != Op::choose || (next.op != Op::to && next.op != Op::from && !names) || before[i].counted)
      continue;
    if (is_read_after(rw, items, i + 1, slot, before[i]) || is_set_after(rw, items, i, slot)) continue;
    if (names) {
      const auto name = static_cast<std::uint32_t>(next.a);
      if (i + 2 >= items.size() || !rw.is(items[i + 2], Op::require) || is_set_after(rw, items, i + 1, name))
        continue;
      const TermId asked = rw.kid(items[i + 2], 0);
      if (!rw.is(asked, Op::some) || !rw.is(rw.kid(asked, 0), Op::local) ||
          rw.at(rw.kid(asked, 0)).a != next.a)
        continue;
    }
    const auto ends = ends_of_lines(rw, next.kids[0], t.a, t.kids[0], before[i]);
    if (!ends) continue;
    if (names) {
      items[i + 1] = rw.terms.make(Op::choose, Type::action, {*ends}, next.a, 0, next.origin);
      add_slots(rw.single_names, {static_cast<std::uint32_t>(next.a)});
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(i) + 2);
    } else {
      items[i + 1] = rw.terms.with_kids(items[i + 1], {*ends});
    }
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

namespace {

// Do no two of the lines that leave a cell by these steps meet again, and does every step have a way back?
bool lines_part(const Rewriter& rw, const StepSet& ways) {
  const Board& board = rw.program.board;
  const Compass compass(board);
  bool good = true;
  for (int cell = 0; cell < board.cells && good; ++cell) {
    CellSet seen = CellSet::of(cell);
    ways.each([&](int way) {
      const int back = compass.opposite[static_cast<std::size_t>(way)];
      good = good && back >= 0;
      for (int from = cell; good;) {
        const int to = board.steps[static_cast<std::size_t>(way)].to[static_cast<std::size_t>(from)];
        if (to == kNowhere) break;
        good = !seen.test(to) &&
               board.steps[static_cast<std::size_t>(back)].to[static_cast<std::size_t>(to)] == from;
        seen.set(to);
        from = to;
      }
    });
  }
  return good;
}

// The cells of V from which V leads straight on, the way d, to a cell of S: V & reach(S, (go back along d, at
// V)+). `round` is (go d, at V)+.
TermId runs_up_to(Rewriter& rw, TermId goals, TermId round, const DraftFacts& c) {
  const Term t = rw.at(round);
  Terms back = items_of(rw, t.kids[0]);
  Terms over;
  const TermId way = rw.kid(back[0], 0);
  for (std::size_t i = 1; i < back.size(); ++i) over.push_back(rw.kid(back[i], 0));
  const TermId turned = rw.terms.make(Op::opposite, Type::directions, {way}, 0, 0, t.origin);
  back[0] = rw.terms.with_kids(back[0], {turned});
  const TermId walk = rw.terms.with_kids(round, {sequence_of(rw, std::move(back), t.origin), t.kids[1]});
  over.push_back(rw.terms.make(Op::reach, Type::cells, {goals, walk}, 0, 0, t.origin));
  return meet(rw, std::move(over), c, Type::cells, t.origin);
}

// (go d, at V)+ with one direction d and a V that goes by what is on each cell.
bool runs_straight(const Rewriter& rw, TermId round, const DraftFacts& c) {
  const Term t = rw.at(round);
  if (t.op != Op::repeat || t.a != kUnbounded || rw.number_of(t.kids[1]) != 1) return false;
  const Terms items = items_of(rw, t.kids[0]);
  if (items.size() < 2 || !rw.is(items[0], Op::go) || !is_single(rw, rw.kid(items[0], 0), c)) return false;
  return std::all_of(items.begin() + 1, items.end(), [&](TermId test) {
    return rw.is(test, Op::at) && is_pointwise(rw, rw.kid(test, 0)) && (rw.at(test).reads & kStart) == 0;
  });
}

} // namespace

// require some reach(here, ((go d, at V)+, go d)) & S, (go d, at V)+ = (go d, at V & R)+, where R are the
// cells from which V leads to a cell of S and V and S have no cell in common: then S can be met only where
// the whole run of V ends, and then every cell of the run is one of R.
bool run_to_goal(Rewriter& rw, Terms& items, const std::vector<DraftFacts>& before) {
  if (!is_on(Idiom::run_to_goal)) return false;
  const auto& steps = rw.program.board.steps;
  if (std::any_of(steps.begin(), steps.end(), [](const Step& s) { return s.may_return(); })) return false;
  for (std::size_t i = 0; i + 1 < items.size(); ++i) {
    const TermId round = items[i + 1];
    const DraftFacts& c = before[i];
    if (!rw.is(items[i], Op::require) || !rw.is(rw.kid(items[i], 0), Op::some) || !c.placed) continue;
    if (may_fault(rw, items[i], c) || may_fault(rw, round, before[i + 1]) || !runs_straight(rw, round, c))
      continue;
    Terms goals, walk;
    operands(rw, rw.kid(rw.kid(items[i], 0), 0), Op::meet, goals);
    const auto found = std::find_if(goals.begin(), goals.end(), [&](TermId g) {
      return rw.is(g, Op::reach) && rw.is(rw.kid(g, 0), Op::here);
    });
    if (found == goals.end()) continue;
    walk = items_of(rw, rw.kid(*found, 1));
    goals.erase(found);
    const TermId step = items_of(rw, rw.kid(round, 0))[0];
    if (walk.size() < 2 || !rw.terms.same(walk[0], round) || !rw.terms.same(walk[1], step)) continue;
    bool tests = true;
    for (std::size_t k = 2; k < walk.size(); ++k) {
      tests = tests && rw.is(walk[k], Op::at);
      if (tests) goals.push_back(rw.kid(walk[k], 0));
    }
    const auto moves = [&](TermId g) { return (rw.at(g).reads & (kHere | kHeading)) != 0; };
    if (!tests || std::any_of(goals.begin(), goals.end(), moves)) continue;
    const Terms run = items_of(rw, rw.kid(round, 0));
    const bool apart = std::any_of(goals.begin(), goals.end(), [&](TermId g) {
      return std::any_of(run.begin() + 1, run.end(), [&](TermId test) {
        Terms parts;
        operands(rw, rw.kid(test, 0), Op::meet, parts);
        return std::any_of(parts.begin(), parts.end(), [&](TermId p) { return never_meet(rw, g, p); });
      });
    });
    if (!apart) continue;
    const std::uint32_t origin = rw.at(round).origin;
    const TermId over = runs_up_to(rw, meet(rw, std::move(goals), c, Type::cells, origin), round, c);
    const TermId body =
        sequence_of(rw, {step, rw.terms.make(Op::at, Type::action, {over}, 0, 0, origin)}, origin);
    items[i] = rw.terms.with_kids(round, {body, rw.kid(round, 1)});
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    return true;
  }
  return false;
}

// union((between(x, z) for z in T where between(x, z) in V)) are the runs of V from x up to a cell of T,
// where between(x, z) is reach(x, (choose d in D, (go d, at reach(z, (go back along d)+))+)): a cell is
// between x and some z with nothing but V between them, if V leads from x to it and from it to z.
TermId union_of_lines(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term list = rw.at(rw.kid(id, 0));
  const TermId between = list.kids[0], ends = list.kids[2];
  if (list.b == 1 && rw.is_truth(list.kids[1], true) && !may_fault(rw, id, c))
    if (const auto set = ends_of_lines(rw, between, list.a, ends, c)) return *set;
  const auto slot = static_cast<std::uint32_t>(list.a);
  if (list.b != 1 || list.kids.size() != 3 || !rw.is(between, Op::reach) || may_fault(rw, id, c)) return id;
  if (rw.at(ends).type != Type::cells || (rw.at(ends).reads & (kHere | kHeading)) != 0) return id;
  const TermId from = rw.kid(between, 0);
  const Terms walk = items_of(rw, rw.kid(between, 1));
  if (!is_single(rw, from, c) || rw.reads(from, slot) || walk.size() != 2 || !rw.is(walk[0], Op::choose))
    return id;
  if (!rw.is(rw.kid(walk[0], 0), Op::directions) || !rw.is(walk[1], Op::repeat)) return id;
  const Term round = rw.at(walk[1]);
  const Terms step = items_of(rw, round.kids[0]);
  if (round.a != kUnbounded || rw.number_of(round.kids[1]) != 1 || step.size() != 2 ||
      !rw.is(step[1], Op::at))
    return id;
  const TermId name = rw.terms.make(Op::local, Type::directions, {}, rw.at(walk[0]).a, 0, list.origin);
  if (!rw.is(step[0], Op::go) || !rw.terms.same(rw.kid(step[0], 0), name)) return id;
  // …up to the name of the list: all that is straight on, back from it.
  const TermId back = rw.kid(step[1], 0);
  const auto is_name = [&](TermId t) { return rw.is(t, Op::local) && rw.at(t).a == list.a; };
  if (!rw.is(back, Op::reach) || !is_name(rw.kid(back, 0))) return id;
  Terms line = items_of(rw, rw.kid(back, 1));
  const auto is_back = [&](TermId d) { return rw.is(d, Op::opposite) && rw.terms.same(rw.kid(d, 0), name); };
  std::optional<TermId> way;
  if (rw.is(line[0], Op::choose) && is_back(rw.kid(line[0], 0))) {
    way = rw.terms.make(Op::local, Type::directions, {}, rw.at(line[0]).a, 0, list.origin);
    line.erase(line.begin());
  }
  if (line.size() != 1 || !rw.is(line[0], Op::repeat) || rw.at(line[0]).a != kUnbounded ||
      rw.number_of(rw.kid(line[0], 1)) != 1 || !rw.is(rw.kid(line[0], 0), Op::go))
    return id;
  const TermId goes = rw.kid(rw.kid(line[0], 0), 0);
  if (way ? !rw.terms.same(goes, *way) : !is_back(goes)) return id;
  // Nothing but V between them.
  Terms conditions;
  operands(rw, list.kids[1], Op::all_of, conditions);
  std::optional<TermId> over;
  for (const TermId condition : conditions) {
    const Term asked = rw.at(condition);
    if (asked.op == Op::some && rw.terms.same(asked.kids[0], between))
      continue; // else there is nothing to unite
    if (asked.op != Op::within || !rw.terms.same(asked.kids[0], between) || over) return id;
    over = asked.kids[1];
  }
  if (!over || rw.reads(*over, slot) || !is_pointwise(rw, *over) || (rw.at(*over).reads & kStart) != 0)
    return id;
  if (!lines_part(rw, rw.terms.steps_of(rw.kid(walk[0], 0)))) return id;
  const TermId test = rw.terms.make(Op::at, Type::action, {*over}, 0, 0, list.origin);
  const TermId run =
      rw.terms.with_kids(walk[1], {sequence_of(rw, {step[0], test}, list.origin), round.kids[1]});
  const TermId up_to = rw.terms.make(Op::at, Type::action, {runs_up_to(rw, ends, run, c)}, 0, 0, list.origin);
  const TermId body =
      rw.terms.with_kids(walk[1], {sequence_of(rw, {step[0], up_to}, list.origin), round.kids[1]});
  return value(rw, rw.terms.with_kids(between, {from, sequence_of(rw, {walk[0], body}, list.origin)}), c);
}

} // namespace boardwright::runtime::normal
