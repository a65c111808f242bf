// Rows: how many cells are in line with a cell, compared with a number. Whatever words it is written in, a
// sum of runs from one cell is recognised here, and asked of a cell as one operation (if_row) or of all cells
// of a set at once, by moving the set along the line.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/numbering.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

namespace {

constexpr int kLongestRow = 16; // that is looked for by moving sets: each member more is a move of all

} // namespace

// The way back leads where one came from, and no way comes round to its beginning.
bool Lowering::is_axis(int step) const {
  const int back = compass_.opposite[at(step)];
  if (back < 0) return false;
  const auto &to = board().steps[at(step)].to, &from = board().steps[at(back)].to;
  for (int cell = 0; cell < board().cells; ++cell) {
    if (to[at(cell)] != kNowhere && from[at(to[at(cell)])] != cell) return false;
    if (from[at(cell)] != kNowhere && to[at(from[at(cell)])] != cell) return false;
    int length = 0;
    for (int on = to[at(cell)]; on != kNowhere; on = to[at(on)])
      if (++length > board().cells) return false;
  }
  return true;
}

// ---------------------------------------------------------------- what is a row

// A name of one cell.
bool Lowering::names_cell(NodeId id, const Draft& d) const {
  const Node& n = node(id);
  if (n.op == Op::here) return d.here.is(Kind::cell);
  if (n.op == Op::start) return d.start.is(Kind::cell);
  if (n.op != Op::local || n.type != Type::cells || changed_.count(n.a) != 0) return false;
  const auto known = d.locals.find(n.a);
  return known != d.locals.end() && known->second.is(Kind::cell);
}

bool Lowering::row_from(NodeId id, const Draft& d, RowSum& sum) const {
  if (!names_cell(id, d)) return false;
  if (sum.cell == kNoNode) sum.cell = id;
  const Node &a = node(id), &b = node(sum.cell);
  return a.op == b.op && a.a == b.a;
}

// A cell, or only if it is in a set (the same that the row goes through).
bool Lowering::row_begin(NodeId id, Draft& d, RowSum& sum, bool& guarded) {
  const Node n = node(id);
  if (n.op != Op::meet) return row_from(id, d, sum);
  for (const std::uint32_t k : {0u, 1u}) {
    if (!names_cell(kid(id, k), d)) continue;
    guarded = true;
    const NodeId other = kid(id, 1 - k);
    return row_from(kid(id, k), d, sum) && stands_still(other, sum) && row_through(set(other, d), sum);
  }
  return false;
}

// A set that is the same wherever the walker and the cell of the row are.
bool Lowering::stands_still(NodeId id, const RowSum& sum) const {
  const Node& cell = node(sum.cell);
  return !reads_walker(id) && (cell.op != Op::local || !contains_local(id, cell.a));
}

bool Lowering::row_through(Reg set, RowSum& sum) {
  if (!sum.through) sum.through = set;
  return *sum.through == set;
}

// Walks straight on from a cell: (choose d in D, (go d, at S)+), with any number of rounds; (go D, at S)*
// along one line.
bool Lowering::row_walk(NodeId action, Draft& d, RowSum& sum, StepSet& ways, bool& begins) {
  Steps parts;
  flatten(action, parts);
  if (parts.size() == 1 && node(parts[0]).op == Op::alternatives) {
    for (std::uint32_t k = 0; k < node(parts[0]).count; ++k)
      if (!row_walk(kid(parts[0], k), d, sum, ways, begins)) return false;
    return true;
  }
  Draft inside = d;
  std::int32_t slot = -1;
  std::optional<StepSet> chosen;
  if (parts.size() == 2 && node(parts[0]).op == Op::choose) {
    chosen = constant_steps(kid(parts[0], 0), d);
    slot = node(parts[0]).a;
    if (!chosen || node(kid(parts[0], 0)).type != Type::directions) return false;
    inside.locals[slot] = make_steps(*chosen);
    parts.erase(parts.begin());
  }
  if (parts.size() != 1 || node(parts[0]).op != Op::repeat || node(parts[0]).a != kUnbounded) return false;
  const Node low = node(kid(parts[0], 1));
  if (low.op != Op::number || low.a > 1) return false;
  const auto body = round(kid(parts[0], 0), inside);
  if (!body) return false;
  for (const NodeId tested : body->tests)
    if (!stands_still(tested, sum) || (slot >= 0 && contains_local(tested, slot))) return false;
  Steps go;
  flatten(kid(parts[0], 0), go);
  const Node& way = node(kid(go[0], 0));
  if (chosen && (way.op != Op::local || way.a != slot)) return false;
  if (!chosen && body->steps.count() != 1) {
    // Back and forth along one line, which comes by the cell itself again.
    const int first = body->steps.first();
    const StepSet both = StepSet::of(first) | compass_.opposites(StepSet::of(first));
    if (low.a > 0 || !(body->steps == both)) return false;
  }
  if (low.a <= 0) begins = true;
  ways |= body->steps;
  return row_through(through(*body, inside), sum);
}

// The cell and what is in line with it, counted as one set.
bool Lowering::row_cells(NodeId id, Draft& d, RowSum& sum, StepSet& ways, bool& begins, int& guards) {
  const Node n = node(id);
  if (n.op == Op::unite)
    return row_cells(kid(id, 0), d, sum, ways, begins, guards) &&
           row_cells(kid(id, 1), d, sum, ways, begins, guards);
  bool guarded = false;
  if (n.op == Op::reach) {
    if (!row_begin(kid(id, 0), d, sum, guarded) || !row_walk(kid(id, 1), d, sum, ways, begins)) return false;
  } else {
    if (!row_begin(id, d, sum, guarded)) return false;
    begins = true;
  }
  guards |= guarded ? 2 : 1;
  return true;
}

bool Lowering::row_sum(NodeId id, Draft& d, RowSum& sum) {
  const Node n = node(id);
  switch (n.op) {
  case Op::number: sum.constant += n.a; return true;
  case Op::add: return row_sum(kid(id, 0), d, sum) && row_sum(kid(id, 1), d, sum);
  case Op::subtract:
    if (node(kid(id, 1)).op != Op::number) return false;
    sum.constant -= node(kid(id, 1)).a;
    return row_sum(kid(id, 0), d, sum);
  case Op::count: {
    StepSet ways;
    bool begins = false;
    if (node(kid(id, 0)).type != Type::cells || !row_cells(kid(id, 0), d, sum, ways, begins, sum.guards))
      return false;
    if ((ways & sum.ways).any() || (begins && sum.begins)) return false; // these would count twice
    sum.ways |= ways;
    sum.begins = sum.begins || begins;
    return true;
  }
  default: return false;
  }
}

// A comparison of a row with a constant.
std::optional<Lowering::RowTest> Lowering::row_test(NodeId id, Draft& d) {
  const Node n = node(id);
  if (n.op == Op::negation) {
    auto test = row_test(kid(id, 0), d);
    if (test) test->negated = !test->negated;
    return test;
  }
  if (n.op != Op::equal && n.op != Op::less && n.op != Op::at_most) return std::nullopt;
  if (d.decided || node(kid(id, 0)).type != Type::number) return std::nullopt;
  for (const std::uint32_t k : {0u, 1u}) {
    const Node number = node(kid(id, k));
    if (number.op != Op::number || std::abs(std::int64_t{number.a}) > kMaxCells) continue;
    RowSum sum;
    if (!row_sum(kid(id, 1 - k), d, sum) || !sum.through || sum.ways.none() || sum.guards == 3)
      return std::nullopt;
    bool good = std::abs(std::int64_t{sum.constant}) <= kMaxCells;
    sum.ways.each([&](int s) { good = good && is_axis(s); });
    if (!good) return std::nullopt;
    RowTest test;
    test.cell = sum.cell, test.ways = sum.ways, test.through = *sum.through, test.guarded = sum.guards == 2;
    test.least = number.a - sum.constant - (sum.begins ? 1 : 0) + 1;
    if (n.op == Op::equal) test.below = test.least + 1;
    // At least so many, or not so many.
    const bool strict = n.op == Op::less;
    if (n.op != Op::equal && k == 0 && strict) ++test.least;
    if (n.op != Op::equal && k == 1) {
      test.negated = true;
      if (!strict) ++test.least;
    }
    if (test.least < 2) return std::nullopt; // the cell alone would do, if there is one
    return test;
  }
  return std::nullopt;
}

// Conditions of which one is enough; false where one is no row.
bool Lowering::row_tests(NodeId id, Draft& d, std::vector<RowTest>& tests) {
  const Node n = node(id);
  if (n.op == Op::any_of) {
    for (std::uint32_t k = 0; k < n.count; ++k)
      if (!row_tests(kid(id, k), d, tests)) return false;
    return true;
  }
  if (n.op == Op::some_where) {
    if (node(kid(id, 0)).type != Type::directions) return false;
    const auto steps = constant_steps(kid(id, 0), d);
    if (!steps) return false;
    bool good = true;
    steps->each([&](int s) {
      if (!good) return;
      Draft inside = d;
      inside.locals[n.a] = make_steps(StepSet::of(s));
      good = row_tests(kid(id, 1), inside, tests);
    });
    return good;
  }
  const auto test = row_test(id, d);
  if (test) tests.push_back(*test);
  return test.has_value();
}

// ---------------------------------------------------------------- of one cell

std::int32_t Lowering::row_table(const std::vector<std::int16_t>& steps, std::int32_t length) {
  for (std::size_t k = 0; k < code_.rows.size(); ++k)
    if (code_.rows[k].steps == steps && code_.rows[k].length == length) return static_cast<std::int32_t>(k);
  code_.rows.push_back({steps, length});
  return static_cast<std::int32_t>(code_.rows.size() - 1);
}

bool Lowering::jump_rows(NodeId id, bool when, Label to, Draft& d) {
  Emitter::Attempt attempt(e_);
  std::vector<RowTest> tests;
  if (!row_tests(id, d, tests) || tests.empty()) {
    attempt.give_up();
    return false;
  }
  const RowTest first = tests[0];
  std::vector<std::int16_t> axes;
  for (const RowTest& t : tests) {
    const Node &a = node(t.cell), &b = node(first.cell);
    const int step = t.ways.first(), back = compass_.opposite[at(step)];
    const bool alike = a.op == b.op && a.a == b.a && t.through == first.through &&
                       t.guarded == first.guarded && t.least == first.least && t.below == first.below;
    if (!alike || (t.negated && tests.size() > 1) || t.ways.count() != 2 || !t.ways.test(back)) {
      attempt.give_up();
      return false;
    }
    const auto axis = static_cast<std::int16_t>(std::min(step, back));
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
  }
  const Reg place = cell(first.cell, d);
  const auto row = [&](Ir op, const std::vector<std::int16_t>& along, std::int32_t length, Label where) {
    e_.emit(op, 0, place, first.through, row_table(along, length), where);
  };
  const Label past = e_.label();
  const bool holds = when != first.negated; // go on at `to` if there is such a row, or if there is none
  const Label none = holds ? past : to;
  if (first.guarded) e_.emit(Ir::if_out, 0, place, first.through, 0, none);
  if (first.below == 0) {
    row(holds ? Ir::if_row : Ir::if_no_row, axes, first.least, to);
  } else {
    row(Ir::if_no_row, axes, first.least, none);
    for (const std::int16_t axis : axes) {
      const Label next = e_.label();
      if (axes.size() > 1) row(Ir::if_no_row, {axis}, first.least, next);
      row(Ir::if_no_row, {axis}, first.below, holds ? to : past);
      e_.place(next);
    }
    if (!holds) e_.go(to);
  }
  e_.place(past);
  return true;
}

// ---------------------------------------------------------------- of all cells of a set

// So many steps at once.
Reg Lowering::stepped_far(Reg from, int step, int times, bool back) {
  const auto& to = board().steps[at(step)].to;
  std::vector<std::int16_t> far(to.size(), kNowhere);
  for (int cell = 0; cell < board().cells; ++cell) {
    int on = cell;
    for (int k = 0; k < times && on != kNowhere; ++k) on = to[at(on)];
    far[at(cell)] = static_cast<std::int16_t>(on);
  }
  const auto groups = by_distance(far, back);
  if (groups.size() > kMostShifts) {
    for (int k = 0; k < times; ++k) from = stepped(from, step, back);
    return from;
  }
  Reg all = none_;
  for (const auto& [by, cells] : groups)
    all = unite(all, e_.set_value(Ir::set_shift, from, e_.set_constant(cells), 0, by));
  return all;
}

// The cells whose row along the test's line has so many members; among those of the row's own set only.
Reg Lowering::long_rows(const RowTest& test, std::int32_t length) {
  const int step = test.ways.first();
  Reg all = test.through;
  for (int have = 1; have < length;) {
    const int by = std::min(have, length - have);
    all = meet(all, stepped_far(all, step, by, true));
    have += by;
  }
  for (int have = 1; have < length;) { // these begin rows: all that are in one
    const int by = std::min(have, length - have);
    all = unite(all, stepped_far(all, step, by, false));
    have += by;
  }
  return all;
}

// Likewise of any cells: k members to one side and the others to the other.
Reg Lowering::rows_at(const RowTest& test, std::int32_t length) {
  std::vector<std::vector<Reg>> sides;
  test.ways.each([&](int step) {
    auto& side = sides.emplace_back();
    side.push_back(board_);
    const Reg next = stepped(test.through, step, true);
    for (int k = 1; k < length; ++k)
      side.push_back(k == 1 ? next : meet(stepped(side.back(), step, true), next));
  });
  if (sides.size() == 1) return sides[0][at(length - 1)];
  Reg all = none_;
  for (int k = 0; k < length; ++k) all = unite(all, meet(sides[0][at(k)], sides[1][at(length - 1 - k)]));
  return all;
}

// The cells, among `members`, for which a condition of rows holds; nothing where it is another.
std::optional<Reg> Lowering::where_rows(NodeId id, std::int32_t slot, Reg members, Draft& d) {
  const Node n = node(id);
  switch (n.op) {
  case Op::truth: return n.a != 0 ? board_ : none_;
  case Op::negation: {
    const auto a = where_rows(kid(id, 0), slot, members, d);
    return a ? std::optional(minus(board_, *a)) : std::nullopt;
  }
  case Op::all_of:
  case Op::any_of: {
    Reg all = n.op == Op::all_of ? board_ : none_;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const auto part = where_rows(kid(id, i), slot, members, d);
      if (!part) return std::nullopt;
      all = n.op == Op::all_of ? meet(all, *part) : unite(all, *part);
    }
    return all;
  }
  case Op::some_where: {
    if (node(kid(id, 0)).type != Type::directions) return std::nullopt;
    const auto steps = constant_steps(kid(id, 0), d);
    if (!steps) return std::nullopt;
    Reg all = none_;
    bool good = true;
    steps->each([&](int s) {
      if (!good) return;
      Draft inside = d;
      inside.locals[n.a] = make_steps(StepSet::of(s));
      const auto part = where_rows(kid(id, 1), slot, members, inside);
      good = part.has_value();
      if (good) all = unite(all, *part);
    });
    return good ? std::optional(all) : std::nullopt;
  }
  case Op::equal:
  case Op::less:
  case Op::at_most: {
    const auto test = row_test(id, d);
    if (!test || std::max(test->least, test->below) > kLongestRow) return std::nullopt;
    const Node& of = node(test->cell);
    if (slot < 0 ? of.op != Op::here : of.op != Op::local || of.a != slot) return std::nullopt;
    const int step = test->ways.first(), back = compass_.opposite[at(step)];
    const StepSet both = StepSet::of(step) | StepSet::of(back);
    if (test->ways.count() > 1 && !(test->ways == both)) return std::nullopt;
    const bool own = members == test->through && test->ways.count() == 2;
    const auto at_least = [&](std::int32_t length) {
      return own ? long_rows(*test, length) : rows_at(*test, length);
    };
    Reg all = at_least(test->least);
    if (test->below != 0) all = minus(all, at_least(test->below));
    if (test->guarded) all = meet(all, test->through);
    return test->negated ? minus(board_, all) : all;
  }
  default: return std::nullopt;
  }
}

// Members of a set of cells for which a condition of rows holds.
std::optional<Reg> Lowering::selected_rows(NodeId of, std::int32_t slot, NodeId condition, Draft& d) {
  if (node(of).type != Type::cells) return std::nullopt;
  Emitter::Attempt attempt(e_);
  const Reg members = set(of, d);
  Draft inside = d;
  inside.locals[slot] = make_cell(e_.number_constant(-1), all_contents()); // which one doesn't matter
  const auto where = where_rows(condition, slot, members, inside);
  if (where) return meet(members, *where);
  attempt.give_up();
  return std::nullopt;
}

} // namespace boardwright::runtime::lowering
