// Rows: how many cells are in line with a cell, compared with a number. Whatever words it is written in, a
// sum of runs from one cell is recognised here, and asked of a cell as one operation (if_row) or of all cells
// of a set at once, by moving the set along the line.
#include "runtime/lowering/idioms/rows.hpp"
#include "runtime/lowering/cells/drafts.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/idioms.hpp"
#include "runtime/model/numbering.hpp"

#include <algorithm>
#include <span>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

struct RowSum;
struct RowTest;
bool stands_still(const Context& cx, NodeId id, const RowSum& sum);
bool row_through(Reg set, RowSum& sum);
std::optional<RowTest> row_compared(Context& cx, Op op, NodeId number, bool number_first, NodeId runs,
                                    AbstractDraft& d);
Reg row_begins(Context& cx, Reg through, int step, std::int32_t length);
Reg long_rows(Context& cx, Reg through, int step, std::int32_t length);

constexpr int kLongestRow = 16; // that is looked for by moving sets: each member more is a move of all

// A sum of runs from one cell.
struct RowSum {
  NodeId cell = kNoNode;
  StepSet ways;               // the directions that are counted
  std::optional<Reg> through; // the set that the runs are in
  bool begins = false;        // the cell is counted too,
  bool met = false;           // if it is in the set
  int guards = 0;             // bits: parts that count whatever the cell is; only if it is in the set
  std::int32_t constant = 0;
};

// A row, counted with its cell, has at least so many members, and fewer than `below`, if that isn't 0.
struct RowTest {
  NodeId cell = kNoNode;
  StepSet ways;
  Reg through = 0;
  bool guarded = false; // and the cell is in the set
  bool met = false;     // this holds only of cells of the set
  bool negated = false;
  std::int32_t least = 0, below = 0;
};

// ---------------------------------------------------------------- what is a row

// A name of one cell.
bool names_cell(const Context& cx, NodeId id, const AbstractDraft& d) {
  const Node& n = cx.node(id);
  if (n.op == Op::here) return d.here.is(Kind::cell);
  if (n.op == Op::start) return d.start.is(Kind::cell);
  if (n.op != Op::local || n.type != Type::cells || cx.facts.is_changed(n.a)) return false;
  const auto known = d.locals.find(n.a);
  return known != d.locals.end() && known->second.is(Kind::cell);
}

// What is known to lie on the cell is in the set.
bool surely_in(const Context& cx, NodeId cell, NodeId set, const AbstractDraft& d) {
  const Node& n = cx.node(cell);
  const AbstractValue& named = n.op == Op::here ? d.here : n.op == Op::start ? d.start : d.locals.at(n.a);
  const auto codes = cx.facts.codes_in(set);
  return codes && (on(cx, d, named.reg) & ~codes->first).none();
}

bool row_from(const Context& cx, NodeId id, const AbstractDraft& d, RowSum& sum) {
  if (!names_cell(cx, id, d)) return false;
  if (sum.cell == kNoNode) sum.cell = id;
  const Node &a = cx.node(id), &b = cx.node(sum.cell);
  return a.op == b.op && a.a == b.a;
}

// A cell, or only if it is in a set (the same that the row goes through).
bool row_begin(Context& cx, NodeId id, AbstractDraft& d, RowSum& sum, bool& guarded) {
  const Node n = cx.node(id);
  if (n.op != Op::meet) return row_from(cx, id, d, sum);
  for (const std::uint32_t k : {0u, 1u}) {
    if (!names_cell(cx, cx.kid(id, k), d)) continue;
    const NodeId other = cx.kid(id, 1 - k);
    guarded = !surely_in(cx, cx.kid(id, k), other, d);
    return row_from(cx, cx.kid(id, k), d, sum) && stands_still(cx, other, sum) &&
           row_through(set(cx, other, d), sum);
  }
  return false;
}

// A set that is the same wherever the walker and the cell of the row are.
bool stands_still(const Context& cx, NodeId id, const RowSum& sum) {
  const Node& cell = cx.node(sum.cell);
  return !reads_walker(cx, id) && (cell.op != Op::local || !cx.facts.contains_local(id, cell.a));
}

bool row_through(Reg set, RowSum& sum) {
  if (!sum.through) sum.through = set;
  return *sum.through == set;
}

// Walks straight on from a cell: (choose d in D, (go d, at S)+), with any number of rounds; (go D, at S)*
// along one line.
bool row_walk(Context& cx, const Path& walk, AbstractDraft& d, RowSum& sum, StepSet& ways, bool& begins,
              bool& guarded) {
  if (walk.is(Path::Kind::alternatives) && !walk.named()) {
    int guards = 0;
    for (const Path& part : walk.parts) {
      bool guard = false;
      if (!row_walk(cx, part, d, sum, ways, begins, guard)) return false;
      guards |= guard ? 2 : 1;
    }
    guarded = guarded || guards == 2;
    return guards != 3;
  }
  AbstractDraft inside = d;
  const Path* choice = nullptr;
  const auto same_each_way = [&](NodeId of) {
    return stands_still(cx, of, sum) && (choice == nullptr || !cx.facts.contains_local(of, choice->slot));
  };
  auto row = parts_in_a_row(walk);
  for (; !row.empty() && !row[0].is(Path::Kind::star);) {
    const Path& first = row[0];
    row = row.subspan(1);
    if (first.is(Path::Kind::alternatives) && first.named() && choice == nullptr) {
      choice = &first;
      row = parts_in_a_row(first.parts[0]);
    } else { // only from a cell of the set
      if (!first.is(Path::Kind::test) || first.condition || !same_each_way(first.of)) return false;
      if (!row_through(set(cx, first.of, inside), sum)) return false;
      guarded = guarded || !surely_in(cx, sum.cell, first.of, d);
    }
  }
  const auto body = row.size() == 1 ? cx.facts.line(row[0], choice, inside) : std::nullopt;
  if (!body || !std::all_of(body->tests.begin(), body->tests.end(), same_each_way)) return false;
  const bool none_will_do = *row[0].least <= 0;
  if (choice == nullptr && body->steps.count() != 1) {
    // Back and forth along one line, which comes by the cell itself again.
    const int first = body->steps.first();
    const StepSet both = StepSet::of(first) | cx.facts.compass().opposites(StepSet::of(first));
    if (!none_will_do || !(body->steps == both)) return false;
  }
  begins = begins || none_will_do;
  ways |= body->steps;
  return row_through(through(cx, *body, inside), sum);
}

// The cell and what is in line with it, counted as one set.
bool row_cells(Context& cx, NodeId id, AbstractDraft& d, RowSum& sum, StepSet& ways, bool& begins,
               int& guards) {
  const Node n = cx.node(id);
  if (n.op == Op::unite)
    return row_cells(cx, cx.kid(id, 0), d, sum, ways, begins, guards) &&
           row_cells(cx, cx.kid(id, 1), d, sum, ways, begins, guards);
  if (n.op == Op::meet && !names_cell(cx, cx.kid(id, 0), d) && !names_cell(cx, cx.kid(id, 1), d)) {
    // The same but for the cell itself, which counts if it is in the set.
    for (const std::uint32_t k : {0u, 1u}) {
      RowSum other = sum;
      StepSet there = ways;
      bool counts = begins;
      int all = guards;
      if (!row_cells(cx, cx.kid(id, k), d, other, there, counts, all) || !other.through) continue;
      if (!stands_still(cx, cx.kid(id, 1 - k), other) || set(cx, cx.kid(id, 1 - k), d) != *other.through)
        return false;
      other.met = other.met || (all & 1) != 0;
      sum = other, ways = there, begins = counts, guards = all;
      return true;
    }
    return false;
  }
  bool guarded = false;
  if (n.op == Op::reach) {
    const Path* walk = cx.facts.path(cx.kid(id, 1));
    if (walk == nullptr || !row_begin(cx, cx.kid(id, 0), d, sum, guarded) ||
        !row_walk(cx, *walk, d, sum, ways, begins, guarded))
      return false;
  } else {
    if (!row_begin(cx, id, d, sum, guarded)) return false;
    begins = true;
  }
  guards |= guarded ? 2 : 1;
  return true;
}

bool row_sum(Context& cx, NodeId id, AbstractDraft& d, RowSum& sum) {
  const Node n = cx.node(id);
  switch (n.op) {
  case Op::number: sum.constant += n.a; return true;
  case Op::add: return row_sum(cx, cx.kid(id, 0), d, sum) && row_sum(cx, cx.kid(id, 1), d, sum);
  case Op::subtract:
    if (cx.node(cx.kid(id, 1)).op != Op::number) return false;
    sum.constant -= cx.node(cx.kid(id, 1)).a;
    return row_sum(cx, cx.kid(id, 0), d, sum);
  case Op::count: {
    StepSet ways;
    bool begins = false;
    if (cx.node(cx.kid(id, 0)).type != Type::cells ||
        !row_cells(cx, cx.kid(id, 0), d, sum, ways, begins, sum.guards))
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
std::optional<RowTest> row_test(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  if (n.op == Op::negation) {
    auto test = row_test(cx, cx.kid(id, 0), d);
    if (test) test->negated = !test->negated;
    return test;
  }
  if (n.op != Op::equal && n.op != Op::less && n.op != Op::at_most) return std::nullopt;
  if (cx.node(cx.kid(id, 0)).type != Type::number) return std::nullopt;
  for (const std::uint32_t k : {0u, 1u})
    if (cx.node(cx.kid(id, k)).op == Op::number)
      return row_compared(cx, n.op, cx.kid(id, k), k == 0, cx.kid(id, 1 - k), d);
  return std::nullopt;
}

// A sum of runs, by an operation whose first or second operand is the number.
std::optional<RowTest> row_compared(Context& cx, Op op, NodeId number, bool number_first, NodeId runs,
                                    AbstractDraft& d) {
  const std::int32_t wanted = cx.node(number).a;
  RowSum sum;
  if (std::abs(std::int64_t{wanted}) > kMaxCells) return std::nullopt;
  if (!row_sum(cx, runs, d, sum) || !sum.through || sum.ways.none() || sum.guards == 3) return std::nullopt;
  if (std::abs(std::int64_t{sum.constant}) > kMaxCells || !cx.facts.is_axis(sum.ways)) return std::nullopt;
  RowTest test;
  test.cell = sum.cell, test.ways = sum.ways, test.through = *sum.through;
  test.guarded = sum.guards == 2, test.met = sum.met;
  test.least = wanted - sum.constant - (sum.begins ? 1 : 0) + 1;
  if (op == Op::equal) test.below = test.least + 1;
  // At least so many, or not so many.
  test.negated = op != Op::equal && !number_first;
  if ((op == Op::less && number_first) || (op == Op::at_most && !number_first)) ++test.least;
  if (test.least < 2) return std::nullopt; // the cell alone would do, if there is one
  return test;
}

// How many rounds a repetition has at least, where more of them lead nowhere else (`last`) or there are no
// more.
std::optional<std::int32_t> fixed_rounds(const Path& star, bool last) {
  if (star.maximal || star.until || !star.least || *star.least < 1 || *star.least > kMaxCells)
    return std::nullopt;
  if (star.endless) return last && *star.least <= 1 ? star.least : std::nullopt;
  const bool good = star.most && *star.most >= *star.least && (*star.most == *star.least || last);
  return good ? star.least : std::nullopt;
}

// A step of the row, all in the same directions, and the tests behind it; then `row` is what comes after.
bool row_step(Context& cx, std::span<const Path>& row, const Path* choice, AbstractDraft& d, RowTest& test,
              RowSum& sum) {
  if (row.empty() || !row[0].is_straight_step()) return false;
  const auto steps = cx.facts.constant_steps(row[0].of, d);
  if (!steps || steps->none()) return false;
  if (choice != nullptr ? !cx.facts.goes_by_name(row[0].of, *choice) : steps->count() != 1) return false;
  if (test.ways.any() && !(test.ways == *steps)) return false;
  test.ways = *steps;
  Reg all = cx.all_cells;
  for (row = row.subspan(1); !row.empty() && row[0].is(Path::Kind::test); row = row.subspan(1)) {
    const NodeId tested = row[0].of;
    if (row[0].condition || reads_walker(cx, tested) ||
        (choice != nullptr && cx.facts.contains_local(tested, choice->slot)))
      return false;
    all = meet(cx, all, set(cx, tested, d));
  }
  return row_through(all, sum);
}

// So many steps one way, each to a cell of one set: (choose d in D, (go d, at S){n}), or written out.
bool row_steps(Context& cx, NodeId action, AbstractDraft& d, RowTest& test) {
  const Path* walk = cx.facts.path(action);
  if (walk == nullptr) return false;
  AbstractDraft inside = d;
  const Path* choice = walk->is(Path::Kind::alternatives) && walk->named() ? walk : nullptr;
  if (choice != nullptr) {
    const auto chosen = cx.facts.constant_steps(choice->of, d);
    if (!chosen) return false;
    inside.locals[choice->slot] = make_steps(*chosen);
  }
  RowSum sum; // of the set alone
  int rounds = 0;
  for (auto row = parts_in_a_row(choice != nullptr ? choice->parts[0] : *walk); !row.empty();) {
    if (!row[0].is(Path::Kind::star)) {
      if (!row_step(cx, row, choice, inside, test, sum)) return false;
      ++rounds;
      continue;
    }
    const auto least = fixed_rounds(row[0], row.size() == 1);
    auto body = parts_in_a_row(row[0].parts[0]);
    if (!least || !row_step(cx, body, choice, inside, test, sum) || !body.empty()) return false;
    rounds += *least;
    row = row.subspan(1);
  }
  bool good = rounds > 0 && rounds <= kMaxCells && sum.through && *sum.through != cx.all_cells;
  test.ways.each([&](int s) { good = good && cx.facts.is_line(s); });
  if (!good) return false;
  test.through = *sum.through;
  test.least = rounds + 1;
  return true;
}

// Conditions of which one is enough; false where one is no row.
bool row_tests(Context& cx, NodeId id, AbstractDraft& d, std::vector<RowTest>& tests) {
  const Node n = cx.node(id);
  if (n.op == Op::any_of) {
    for (std::uint32_t k = 0; k < n.count; ++k)
      if (!row_tests(cx, cx.kid(id, k), d, tests)) return false;
    return true;
  }
  if (n.op == Op::some_where) {
    if (cx.node(cx.kid(id, 0)).type != Type::directions) return false;
    const auto steps = cx.facts.constant_steps(cx.kid(id, 0), d);
    if (!steps) return false;
    return by_direction(*steps, n.a, d,
                        [&](AbstractDraft& inside) { return row_tests(cx, cx.kid(id, 1), inside, tests); });
  }
  if ((n.op == Op::at_most || n.op == Op::less) && cx.node(cx.kid(id, 0)).op == Op::number &&
      cx.node(cx.kid(id, 1)).op == Op::greatest) { // one is enough
    const Node all = cx.node(cx.kid(id, 1));
    for (std::uint32_t k = 0; k < all.count; ++k) {
      const auto test = row_compared(cx, n.op, cx.kid(id, 0), true, cx.program.kid(all, k), d);
      if (!test) return false;
      tests.push_back(*test);
    }
    return true;
  }
  const bool walks = n.op == Op::some && cx.node(cx.kid(id, 0)).op == Op::reach;
  if (walks || (n.op == Op::can && d.here.is(Kind::cell))) {
    const NodeId walk = cx.kid(walks ? cx.kid(id, 0) : id, walks ? 1 : 0);
    RowTest test;
    RowSum begin;
    if ((walks && !row_from(cx, cx.kid(cx.kid(id, 0), 0), d, begin)) || !row_steps(cx, walk, d, test))
      return false;
    test.cell = begin.cell; // without a name: where the walker is
    test.ways.each([&](int s) {
      tests.push_back(test);
      tests.back().ways = StepSet::of(s);
    });
    return true;
  }
  const auto test = row_test(cx, id, d);
  if (test) tests.push_back(*test);
  return test.has_value();
}

// Conditions of rows anywhere in a set, of which one is enough.
bool rows_anywhere(Context& cx, NodeId id, AbstractDraft& d, std::vector<RowTest>& tests) {
  const Node n = cx.node(id);
  if (n.op == Op::any_of) {
    for (std::uint32_t k = 0; k < n.count; ++k)
      if (!rows_anywhere(cx, cx.kid(id, k), d, tests)) return false;
    return true;
  }
  if (n.op == Op::some_where && cx.node(cx.kid(id, 0)).type == Type::directions) {
    const auto steps = cx.facts.constant_steps(cx.kid(id, 0), d);
    if (!steps) return false;
    return by_direction(*steps, n.a, d, [&](AbstractDraft& inside) {
      return rows_anywhere(cx, cx.kid(id, 1), inside, tests);
    });
  }
  if (n.op == Op::some_where && cx.node(cx.kid(id, 0)).type == Type::cells) {
    const Reg members = set(cx, cx.kid(id, 0), d);
    const std::size_t begin = tests.size();
    AbstractDraft inside = d;
    inside.locals[n.a] =
        make_cell(cx.e.number_constant(-1), cx.facts.all_contents()); // which one doesn't matter
    if (!row_tests(cx, cx.kid(id, 1), inside, tests)) return false;
    for (std::size_t k = begin; k < tests.size(); ++k) {
      const RowTest& t = tests[k];
      if (t.cell == kNoNode || cx.node(t.cell).op != Op::local || cx.node(t.cell).a != n.a) return false;
      if (t.through != members || t.negated || (t.below != 0 && t.ways.count() != 2)) return false;
    }
    return true;
  }
  if (n.op == Op::some && cx.node(cx.kid(id, 0)).op == Op::reach) {
    RowTest test;
    if (!row_steps(cx, cx.kid(cx.kid(id, 0), 1), d, test) || reads_walker(cx, cx.kid(cx.kid(id, 0), 0)))
      return false;
    if (set(cx, cx.kid(cx.kid(id, 0), 0), d) != test.through) return false;
    test.ways.each([&](int s) {
      tests.push_back(test);
      tests.back().ways = StepSet::of(s);
    });
    return true;
  }
  return false;
}

// ---------------------------------------------------------------- of one cell

std::int32_t row_table(Context& cx, const std::vector<std::int16_t>& steps, std::int32_t length,
                       bool one_way) {
  for (std::size_t k = 0; k < cx.code.rows.size(); ++k) {
    const ir::Row& row = cx.code.rows[k];
    if (row.steps == steps && row.length == length && row.one_way == one_way)
      return static_cast<std::int32_t>(k);
  }
  cx.code.rows.push_back({steps, length, one_way});
  return static_cast<std::int32_t>(cx.code.rows.size() - 1);
}

// All along one axis, two ways or one, of the same cell and the same length: their axes.
std::optional<std::vector<std::int16_t>> alike(const Context& cx, const std::vector<RowTest>& tests,
                                               bool anywhere) {
  std::vector<std::int16_t> axes;
  for (const RowTest& t : tests) {
    const RowTest& first = tests[0];
    const bool same_cell =
        t.cell == kNoNode || first.cell == kNoNode
            ? t.cell == first.cell
            : cx.node(t.cell).op == cx.node(first.cell).op && cx.node(t.cell).a == cx.node(first.cell).a;
    const int step = t.ways.first(), back = cx.facts.compass().opposite[at(step)];
    const bool both = t.ways.count() == 2;
    if (t.through != first.through || t.least != first.least || t.below != first.below) return std::nullopt;
    if (!anywhere && (!same_cell || t.guarded != first.guarded || t.met != first.met ||
                      t.negated != first.negated || t.ways.count() != first.ways.count()))
      return std::nullopt;
    const auto axis =
        static_cast<std::int16_t>(back >= 0 && (both || anywhere) ? std::min(step, back) : step);
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
  }
  return axes;
}

// Of one cell.
void jump_row(Context& cx, const RowTest& test, Reg place, const std::vector<std::int16_t>& axes, bool when,
              Label to, const AbstractDraft& d) {
  const bool one_way = test.ways.count() == 1;
  const auto row = [&](Ir op, const std::vector<std::int16_t>& along, std::int32_t length, Label where) {
    cx.e.emit(op, 0, place, test.through, row_table(cx, along, length, one_way), where);
  };
  const Label past = cx.e.label();
  const bool holds = when != test.negated; // go on at `to` if there is such a row, or if there is none
  const Label none = holds ? past : to;
  if (test.guarded && !lies_in(cx, place, test.through, d))
    cx.e.emit(Ir::if_out, 0, place, test.through, 0, none);
  if (test.below == 0) {
    row(holds ? Ir::if_row : Ir::if_no_row, axes, test.least, to);
  } else {
    row(Ir::if_no_row, axes, test.least, none);
    for (const std::int16_t axis : axes) {
      const Label next = cx.e.label();
      if (axes.size() > 1) row(Ir::if_no_row, {axis}, test.least, next);
      row(Ir::if_no_row, {axis}, test.below, holds ? to : past);
      cx.e.place(next);
    }
    if (!holds) cx.e.go(to);
  }
  cx.e.place(past);
}

// Of any cell of the set that the rows are in. A row that the set hasn't had has a cell that is new in it: so
// it is kept of which set it is known that it has none.
void jump_kept_rows(Context& cx, const RowTest& test, const std::vector<std::int16_t>& axes, bool when,
                    Label to, const AbstractDraft& d) {
  const Reg then = cx.e.new_kept_set();
  const Label past = cx.e.label(), loop = cx.e.label(), whole = cx.e.label(), none = cx.e.label();
  const Label found = when ? to : past;
  if (test.below == 0 && d.here.is(Kind::cell) && lies_in(cx, d.here.reg, test.through, d)) {
    // Most often what stands where the walker is has come, and nothing else. What is kept has it before that
    // is known, and loses it again if it was wrong: a part of a set without rows has none.
    const Emitter::Scope scope(cx.e);
    const Reg one = cx.e.new_set();
    cx.e.emit(Ir::if_row, 0, d.here.reg, test.through, row_table(cx, axes, test.least, false), found);
    cx.e.emit(Ir::set_add, then, d.here.reg);
    cx.e.emit(Ir::if_same, 0, then, test.through, 0, when ? past : to);
    cx.e.emit(Ir::set_cell, one, d.here.reg);
    cx.e.emit(Ir::set_minus, then, then, one);
  }
  {
    const Emitter::Scope scope(cx.e);
    const Reg left = cx.e.new_set(), cell = cx.e.new_number();
    const auto row = [&](Ir op, const std::vector<std::int16_t>& along, std::int32_t length, Label where) {
      cx.e.emit(op, 0, cell, test.through, row_table(cx, along, length, false), where);
    };
    cx.e.emit(Ir::if_not_part, 0, then, test.through, 0, whole);
    cx.e.emit(Ir::set_minus, left, test.through, then);
    cx.e.place(loop);
    cx.e.emit(Ir::take, cell, left, 0, 0, none);
    if (test.below == 0) {
      row(Ir::if_row, axes, test.least, found);
    } else {
      row(Ir::if_no_row, axes, test.least, loop);
      for (const std::int16_t axis : axes) {
        const Label next = cx.e.label();
        row(Ir::if_no_row, {axis}, test.least, next);
        row(Ir::if_no_row, {axis}, test.below, found);
        cx.e.place(next);
      }
    }
    cx.e.go(loop);
    cx.e.place(whole);
    cx.e.emit(Ir::count, cell, test.through);
    cx.e.emit(Ir::if_less, 0, cell, cx.e.number_constant(test.least), 0, none);
    for (const std::int16_t axis : axes) {
      const Emitter::Scope one(cx.e);
      Reg rows = test.below == 0 ? row_begins(cx, test.through, axis, test.least)
                                 : long_rows(cx, test.through, axis, test.least);
      if (test.below != 0) rows = minus(cx, rows, long_rows(cx, test.through, axis, test.below));
      cx.e.emit(Ir::if_some, 0, rows, 0, 0, found);
    }
    cx.e.place(none);
    cx.e.emit(Ir::set_copy, then, test.through);
  }
  if (!when) cx.e.go(to);
  cx.e.place(past);
}

} // namespace

bool jump_rows(Context& cx, NodeId id, bool when, Label to, AbstractDraft& d) {
  if (!is_on(Idiom::rows)) return false;
  switch (cx.node(id).op) {
  case Op::any_of:
  case Op::some_where:
  case Op::some:
  case Op::can:
  case Op::equal:
  case Op::less:
  case Op::at_most: break;
  default: return false;
  }
  Emitter::Attempt attempt(cx.e);
  std::vector<RowTest> tests;
  if (row_tests(cx, id, d, tests) && !tests.empty() && (tests.size() == 1 || !tests[0].negated))
    if (const auto axes = alike(cx, tests, false)) {
      const Reg place = tests[0].cell == kNoNode ? cell_of(cx, d.here) : cell(cx, tests[0].cell, d);
      if (!tests[0].met || lies_in(cx, place, tests[0].through, d)) {
        jump_row(cx, tests[0], place, *axes, when, to, d);
        return true;
      }
    }
  attempt.give_up();
  tests.clear();
  Emitter::Attempt second(cx.e);
  if (is_on(Idiom::cached_rows) && rows_anywhere(cx, id, d, tests) && !tests.empty() &&
      std::max(tests[0].least, tests[0].below) <= kLongestRow && cx.e.known_set(tests[0].through) == nullptr)
    if (const auto axes = alike(cx, tests, true)) {
      jump_kept_rows(cx, tests[0], *axes, when, to, d);
      return true;
    }
  second.give_up();
  return false;
}

// ---------------------------------------------------------------- of all cells of a set

namespace {

// So many steps at once.
Reg stepped_far(Context& cx, Reg from, int step, int times, bool back) {
  const auto& to = cx.board().steps[at(step)].to;
  std::vector<std::int16_t> far(to.size(), kNowhere);
  for (int cell = 0; cell < cx.board().cells; ++cell) {
    int on = cell;
    for (int k = 0; k < times && on != kNowhere; ++k) on = to[at(on)];
    far[at(cell)] = static_cast<std::int16_t>(on);
  }
  const auto groups = by_distance(far, back);
  if (groups.size() > kMostShifts) {
    for (int k = 0; k < times; ++k) from = stepped(cx, from, step, back);
    return from;
  }
  Reg all = cx.no_cells;
  for (const auto& [by, cells] : groups)
    all = unite(cx, all, cx.e.set_value(Ir::set_shift, from, cx.e.set_constant(cells), 0, by));
  return all;
}

// The cells where so many members in line begin.
Reg row_begins(Context& cx, Reg through, int step, std::int32_t length) {
  Reg all = through;
  for (int have = 1; have < length;) {
    const int by = std::min(have, length - have);
    all = meet(cx, all, stepped_far(cx, all, step, by, true));
    have += by;
  }
  return all;
}

// All members of a set that are in such rows.
Reg long_rows(Context& cx, Reg through, int step, std::int32_t length) {
  Reg all = row_begins(cx, through, step, length);
  for (int have = 1; have < length;) {
    const int by = std::min(have, length - have);
    all = unite(cx, all, stepped_far(cx, all, step, by, false));
    have += by;
  }
  return all;
}

// Likewise of any cells: k members to one side and the others to the other.
Reg rows_at(Context& cx, const RowTest& test, std::int32_t length) {
  if (test.ways.count() == 1)
    return stepped(cx, row_begins(cx, test.through, test.ways.first(), length - 1), test.ways.first(), true);
  std::vector<std::vector<Reg>> sides;
  test.ways.each([&](int step) {
    auto& side = sides.emplace_back();
    side.push_back(cx.all_cells);
    const Reg next = stepped(cx, test.through, step, true);
    for (int k = 1; k < length; ++k)
      side.push_back(k == 1 ? next : meet(cx, stepped(cx, side.back(), step, true), next));
  });
  Reg all = cx.no_cells;
  for (int k = 0; k < length; ++k)
    all = unite(cx, all, meet(cx, sides[0][at(k)], sides[1][at(length - 1 - k)]));
  return all;
}

} // namespace

std::optional<Reg> where_row(Context& cx, NodeId id, Reg members, AbstractDraft& d) {
  if (!is_on(Idiom::rows)) return std::nullopt;
  const auto test = row_test(cx, id, d);
  if (!test || std::max(test->least, test->below) > kLongestRow) return std::nullopt;
  if (cell(cx, test->cell, d) != d.here.reg || (test->met && members != test->through)) return std::nullopt;
  const bool own = members == test->through && test->ways.count() == 2;
  const auto at_least = [&](std::int32_t length) {
    return own ? long_rows(cx, test->through, test->ways.first(), length) : rows_at(cx, *test, length);
  };
  Reg all = at_least(test->least);
  if (test->below != 0) all = minus(cx, all, at_least(test->below));
  if (test->guarded) all = meet(cx, all, test->through);
  return test->negated ? minus(cx, cx.all_cells, all) : all;
}

} // namespace boardwright::runtime::lowering
