// Rows: how many cells are in line with a cell, compared with a number. Whatever words it is written in, a
// sum of runs from one cell is recognised here, and asked of a cell as one operation (if_row) or of all cells
// of a set at once, by moving the set along the line.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"
#include "runtime/model/numbering.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

namespace {

constexpr int kLongestRow = 16; // that is looked for by moving sets: each member more is a move of all

} // namespace

// A sum of runs from one cell.
struct Lowering::RowSum {
  NodeId cell = kNoNode;
  StepSet ways;               // the directions that are counted
  std::optional<Reg> through; // the set that the runs are in
  bool begins = false;        // the cell is counted too,
  bool met = false;           // if it is in the set
  int guards = 0;             // bits: parts that count whatever the cell is; only if it is in the set
  std::int32_t constant = 0;
};

// A row, counted with its cell, has at least so many members, and fewer than `below`, if that isn't 0.
struct Lowering::RowTest {
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
bool Lowering::names_cell(NodeId id, const Draft& d) const {
  const Node& n = node(id);
  if (n.op == Op::here) return d.here.is(Kind::cell);
  if (n.op == Op::start) return d.start.is(Kind::cell);
  if (n.op != Op::local || n.type != Type::cells || is_changed(n.a)) return false;
  const auto known = d.locals.find(n.a);
  return known != d.locals.end() && known->second.is(Kind::cell);
}

// What is known to lie on the cell is in the set.
bool Lowering::surely_in(NodeId cell, NodeId set, const Draft& d) const {
  const Node& n = node(cell);
  const Val& named = n.op == Op::here ? d.here : n.op == Op::start ? d.start : d.locals.at(n.a);
  const auto codes = codes_in(set);
  return codes && (on(d, named.reg) & ~codes->first).none();
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
    const NodeId other = kid(id, 1 - k);
    guarded = !surely_in(kid(id, k), other, d);
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
bool Lowering::row_walk(NodeId action, Draft& d, RowSum& sum, StepSet& ways, bool& begins, bool& guarded) {
  Steps parts;
  flatten(action, parts);
  if (parts.size() == 1 && node(parts[0]).op == Op::alternatives) {
    int guards = 0;
    for (std::uint32_t k = 0; k < node(parts[0]).count; ++k) {
      bool guard = false;
      if (!row_walk(kid(parts[0], k), d, sum, ways, begins, guard)) return false;
      guards |= guard ? 2 : 1;
    }
    guarded = guarded || guards == 2;
    return guards != 3;
  }
  Draft inside = d;
  std::int32_t slot = -1;
  std::optional<StepSet> chosen;
  while (parts.size() > 1 && node(parts[0]).op != Op::repeat) {
    const Node first = node(parts[0]);
    const NodeId of = first.count > 0 ? kid(parts[0], 0) : kNoNode;
    if (first.op == Op::choose && !chosen && node(of).type == Type::directions) {
      chosen = constant_steps(of, d);
      if (!chosen) return false;
      slot = first.a;
      inside.locals[slot] = make_steps(*chosen);
    } else if (first.op == Op::at) { // only from a cell of the set
      if (!stands_still(of, sum) || (slot >= 0 && contains_local(of, slot))) return false;
      if (!row_through(set(of, inside), sum)) return false;
      guarded = guarded || !surely_in(sum.cell, of, d);
    } else {
      return false;
    }
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
  if (n.op == Op::meet && !names_cell(kid(id, 0), d) && !names_cell(kid(id, 1), d)) {
    // The same but for the cell itself, which counts if it is in the set.
    for (const std::uint32_t k : {0u, 1u}) {
      RowSum other = sum;
      StepSet there = ways;
      bool counts = begins;
      int all = guards;
      if (!row_cells(kid(id, k), d, other, there, counts, all) || !other.through) continue;
      if (!stands_still(kid(id, 1 - k), other) || set(kid(id, 1 - k), d) != *other.through) return false;
      other.met = other.met || (all & 1) != 0;
      sum = other, ways = there, begins = counts, guards = all;
      return true;
    }
    return false;
  }
  bool guarded = false;
  if (n.op == Op::reach) {
    if (!row_begin(kid(id, 0), d, sum, guarded) || !row_walk(kid(id, 1), d, sum, ways, begins, guarded))
      return false;
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
  if (node(kid(id, 0)).type != Type::number) return std::nullopt;
  for (const std::uint32_t k : {0u, 1u})
    if (node(kid(id, k)).op == Op::number) return row_compared(n.op, kid(id, k), k == 0, kid(id, 1 - k), d);
  return std::nullopt;
}

// A sum of runs, by an operation whose first or second operand is the number.
std::optional<Lowering::RowTest> Lowering::row_compared(Op op, NodeId number, bool number_first, NodeId runs,
                                                        Draft& d) {
  const std::int32_t wanted = node(number).a;
  RowSum sum;
  if (d.decided || std::abs(std::int64_t{wanted}) > kMaxCells) return std::nullopt;
  if (!row_sum(runs, d, sum) || !sum.through || sum.ways.none() || sum.guards == 3) return std::nullopt;
  if (std::abs(std::int64_t{sum.constant}) > kMaxCells || !is_axis(sum.ways)) return std::nullopt;
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

// So many steps one way, each to a cell of one set: (choose d in D, (go d, at S){n}), or written out.
bool Lowering::row_steps(NodeId action, Draft& d, RowTest& test) {
  Steps parts;
  flatten(action, parts);
  Draft inside = d;
  std::int32_t slot = -1;
  if (!parts.empty() && node(parts[0]).op == Op::choose) {
    const auto chosen = constant_steps(kid(parts[0], 0), d);
    if (!chosen || node(kid(parts[0], 0)).type != Type::directions) return false;
    slot = node(parts[0]).a;
    inside.locals[slot] = make_steps(*chosen);
    parts.erase(parts.begin());
  }
  RowSum sum; // of the set alone
  const auto steps_on = [&](const Steps& walk, std::size_t& k) {
    Steps go{walk[k++]};
    while (k < walk.size() && node(walk[k]).op == Op::at) go.push_back(walk[k++]);
    if (node(go[0]).op != Op::go) return false;
    const Node& way = node(kid(go[0], 0));
    const auto steps = constant_steps(kid(go[0], 0), inside);
    if (!steps || steps->none() || (slot >= 0 ? way.op != Op::local || way.a != slot : steps->count() != 1))
      return false;
    if (test.ways.any() && !(test.ways == *steps)) return false;
    test.ways = *steps;
    Reg all = board_;
    for (std::size_t i = 1; i < go.size(); ++i) {
      const NodeId tested = kid(go[i], 0);
      if (reads_walker(tested) || (slot >= 0 && contains_local(tested, slot))) return false;
      all = meet(all, set(tested, inside));
    }
    return row_through(all, sum);
  };
  int rounds = 0;
  for (std::size_t k = 0; k < parts.size();) {
    const Node n = node(parts[k]);
    if (n.op != Op::repeat) {
      if (!steps_on(parts, k)) return false;
      ++rounds;
      continue;
    }
    const Node low = node(kid(parts[k], 1));
    const bool last = k + 1 == parts.size(); // more rounds than needed lead nowhere else
    if ((n.a & (kMaximal | kUntil)) != 0 || low.op != Op::number || low.a < 1 || low.a > kMaxCells)
      return false;
    if ((n.a & kUnbounded) == 0) {
      const Node high = node(kid(parts[k], 2));
      if (high.op != Op::number || high.a < low.a || (high.a != low.a && !last)) return false;
    } else if (!last || low.a > 1) {
      return false;
    }
    Steps body;
    flatten(kid(parts[k], 0), body);
    std::size_t at_part = 0;
    if (!steps_on(body, at_part) || at_part != body.size()) return false;
    rounds += low.a;
    ++k;
  }
  bool good = rounds > 0 && rounds <= kMaxCells && sum.through && *sum.through != board_;
  test.ways.each([&](int s) { good = good && is_line(s); });
  if (!good) return false;
  test.through = *sum.through;
  test.least = rounds + 1;
  return true;
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
  if ((n.op == Op::at_most || n.op == Op::less) && node(kid(id, 0)).op == Op::number &&
      node(kid(id, 1)).op == Op::greatest) { // one is enough
    const Node all = node(kid(id, 1));
    for (std::uint32_t k = 0; k < all.count; ++k) {
      const auto test = row_compared(n.op, kid(id, 0), true, program_.kid(all, k), d);
      if (!test) return false;
      tests.push_back(*test);
    }
    return true;
  }
  const bool walks = n.op == Op::some && node(kid(id, 0)).op == Op::reach;
  if (walks || (n.op == Op::can && d.here.is(Kind::cell))) {
    const NodeId walk = kid(walks ? kid(id, 0) : id, walks ? 1 : 0);
    RowTest test;
    RowSum begin;
    if (d.decided || (walks && !row_from(kid(kid(id, 0), 0), d, begin)) || !row_steps(walk, d, test))
      return false;
    test.cell = begin.cell; // without a name: where the walker is
    test.ways.each([&](int s) {
      tests.push_back(test);
      tests.back().ways = StepSet::of(s);
    });
    return true;
  }
  const auto test = row_test(id, d);
  if (test) tests.push_back(*test);
  return test.has_value();
}

// Conditions of rows anywhere in a set, of which one is enough.
bool Lowering::rows_anywhere(NodeId id, Draft& d, std::vector<RowTest>& tests) {
  const Node n = node(id);
  if (d.decided) return false;
  if (n.op == Op::any_of) {
    for (std::uint32_t k = 0; k < n.count; ++k)
      if (!rows_anywhere(kid(id, k), d, tests)) return false;
    return true;
  }
  if (n.op == Op::some_where && node(kid(id, 0)).type == Type::directions) {
    const auto steps = constant_steps(kid(id, 0), d);
    if (!steps) return false;
    bool good = true;
    steps->each([&](int s) {
      if (!good) return;
      Draft inside = d;
      inside.locals[n.a] = make_steps(StepSet::of(s));
      good = rows_anywhere(kid(id, 1), inside, tests);
    });
    return good;
  }
  if (n.op == Op::some_where && node(kid(id, 0)).type == Type::cells) {
    const Reg members = set(kid(id, 0), d);
    const std::size_t begin = tests.size();
    Draft inside = d;
    inside.locals[n.a] = make_cell(e_.number_constant(-1), all_contents()); // which one doesn't matter
    if (!row_tests(kid(id, 1), inside, tests)) return false;
    for (std::size_t k = begin; k < tests.size(); ++k) {
      const RowTest& t = tests[k];
      if (t.cell == kNoNode || node(t.cell).op != Op::local || node(t.cell).a != n.a) return false;
      if (t.through != members || t.negated || (t.below != 0 && t.ways.count() != 2)) return false;
    }
    return true;
  }
  if (n.op == Op::some && node(kid(id, 0)).op == Op::reach) {
    RowTest test;
    if (!row_steps(kid(kid(id, 0), 1), d, test) || reads_walker(kid(kid(id, 0), 0))) return false;
    if (set(kid(kid(id, 0), 0), d) != test.through) return false;
    test.ways.each([&](int s) {
      tests.push_back(test);
      tests.back().ways = StepSet::of(s);
    });
    return true;
  }
  return false;
}

// ---------------------------------------------------------------- of one cell

std::int32_t Lowering::row_table(const std::vector<std::int16_t>& steps, std::int32_t length, bool one_way) {
  for (std::size_t k = 0; k < code_.rows.size(); ++k) {
    const ir::Row& row = code_.rows[k];
    if (row.steps == steps && row.length == length && row.one_way == one_way)
      return static_cast<std::int32_t>(k);
  }
  code_.rows.push_back({steps, length, one_way});
  return static_cast<std::int32_t>(code_.rows.size() - 1);
}

// All along one axis, two ways or one, of the same cell and the same length: their axes.
std::optional<std::vector<std::int16_t>> Lowering::alike(const std::vector<RowTest>& tests,
                                                         bool anywhere) const {
  std::vector<std::int16_t> axes;
  for (const RowTest& t : tests) {
    const RowTest& first = tests[0];
    const bool same_cell =
        t.cell == kNoNode || first.cell == kNoNode
            ? t.cell == first.cell
            : node(t.cell).op == node(first.cell).op && node(t.cell).a == node(first.cell).a;
    const int step = t.ways.first(), back = compass_.opposite[at(step)];
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

// Is what lies on the cell known to be in the set?
bool Lowering::lies_in(Reg cell, Reg set, const Draft& d) const {
  const Contents there = on(d, cell);
  if (set >= players()) return false;
  for (int code = 0; code < 256; ++code)
    if (there.test(at(code)) && (code == 0 || pieces_.of_code[at(code)].owner != static_cast<int>(set)))
      return false;
  return true;
}

bool Lowering::jump_rows(NodeId id, bool when, Label to, Draft& d) {
  if (!is_on(Form::rows)) return false;
  switch (node(id).op) {
  case Op::any_of:
  case Op::some_where:
  case Op::some:
  case Op::can:
  case Op::equal:
  case Op::less:
  case Op::at_most: break;
  default: return false;
  }
  Emitter::Attempt attempt(e_);
  std::vector<RowTest> tests;
  if (row_tests(id, d, tests) && !tests.empty() && (tests.size() == 1 || !tests[0].negated))
    if (const auto axes = alike(tests, false)) {
      const Reg place = tests[0].cell == kNoNode ? cell_of(d.here) : cell(tests[0].cell, d);
      if (!tests[0].met || lies_in(place, tests[0].through, d)) {
        jump_row(tests[0], place, *axes, when, to, d);
        return true;
      }
    }
  attempt.give_up();
  tests.clear();
  Emitter::Attempt second(e_);
  if (is_on(Form::kept_rows) && rows_anywhere(id, d, tests) && !tests.empty() &&
      std::max(tests[0].least, tests[0].below) <= kLongestRow && e_.known_set(tests[0].through) == nullptr)
    if (const auto axes = alike(tests, true)) {
      jump_kept_rows(tests[0], *axes, when, to, d);
      return true;
    }
  second.give_up();
  return false;
}

// Of one cell.
void Lowering::jump_row(const RowTest& test, Reg place, const std::vector<std::int16_t>& axes, bool when,
                        Label to, const Draft& d) {
  const bool one_way = test.ways.count() == 1;
  const auto row = [&](Ir op, const std::vector<std::int16_t>& along, std::int32_t length, Label where) {
    e_.emit(op, 0, place, test.through, row_table(along, length, one_way), where);
  };
  const Label past = e_.label();
  const bool holds = when != test.negated; // go on at `to` if there is such a row, or if there is none
  const Label none = holds ? past : to;
  if (test.guarded && !lies_in(place, test.through, d)) e_.emit(Ir::if_out, 0, place, test.through, 0, none);
  if (test.below == 0) {
    row(holds ? Ir::if_row : Ir::if_no_row, axes, test.least, to);
  } else {
    row(Ir::if_no_row, axes, test.least, none);
    for (const std::int16_t axis : axes) {
      const Label next = e_.label();
      if (axes.size() > 1) row(Ir::if_no_row, {axis}, test.least, next);
      row(Ir::if_no_row, {axis}, test.below, holds ? to : past);
      e_.place(next);
    }
    if (!holds) e_.go(to);
  }
  e_.place(past);
}

// Of any cell of the set that the rows are in. A row that the set hasn't had has a cell that is new in it: so
// it is kept of which set it is known that it has none.
void Lowering::jump_kept_rows(const RowTest& test, const std::vector<std::int16_t>& axes, bool when, Label to,
                              const Draft& d) {
  const Reg then = e_.new_kept_set();
  const Label past = e_.label(), loop = e_.label(), whole = e_.label(), none = e_.label();
  const Label found = when ? to : past;
  if (test.below == 0 && d.here.is(Kind::cell) && lies_in(d.here.reg, test.through, d)) {
    // Most often what stands where the walker is has come, and nothing else. What is kept has it before that
    // is known, and loses it again if it was wrong: a part of a set without rows has none.
    const Emitter::Scope scope(e_);
    const Reg one = e_.new_set();
    e_.emit(Ir::if_row, 0, d.here.reg, test.through, row_table(axes, test.least, false), found);
    e_.emit(Ir::set_add, then, d.here.reg);
    e_.emit(Ir::if_same, 0, then, test.through, 0, when ? past : to);
    e_.emit(Ir::set_cell, one, d.here.reg);
    e_.emit(Ir::set_minus, then, then, one);
  }
  {
    const Emitter::Scope scope(e_);
    const Reg left = e_.new_set(), cell = e_.new_number();
    const auto row = [&](Ir op, const std::vector<std::int16_t>& along, std::int32_t length, Label where) {
      e_.emit(op, 0, cell, test.through, row_table(along, length, false), where);
    };
    e_.emit(Ir::if_not_part, 0, then, test.through, 0, whole);
    e_.emit(Ir::set_minus, left, test.through, then);
    e_.place(loop);
    e_.emit(Ir::take, cell, left, 0, 0, none);
    if (test.below == 0) {
      row(Ir::if_row, axes, test.least, found);
    } else {
      row(Ir::if_no_row, axes, test.least, loop);
      for (const std::int16_t axis : axes) {
        const Label next = e_.label();
        row(Ir::if_no_row, {axis}, test.least, next);
        row(Ir::if_no_row, {axis}, test.below, found);
        e_.place(next);
      }
    }
    e_.go(loop);
    e_.place(whole);
    e_.emit(Ir::count, cell, test.through);
    e_.emit(Ir::if_less, 0, cell, e_.number_constant(test.least), 0, none);
    for (const std::int16_t axis : axes) {
      const Emitter::Scope one(e_);
      Reg rows = test.below == 0 ? row_begins(test.through, axis, test.least)
                                 : long_rows(test.through, axis, test.least);
      if (test.below != 0) rows = minus(rows, long_rows(test.through, axis, test.below));
      e_.emit(Ir::if_some, 0, rows, 0, 0, found);
    }
    e_.place(none);
    e_.emit(Ir::set_copy, then, test.through);
  }
  if (!when) e_.go(to);
  e_.place(past);
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

// The cells where so many members in line begin.
Reg Lowering::row_begins(Reg through, int step, std::int32_t length) {
  Reg all = through;
  for (int have = 1; have < length;) {
    const int by = std::min(have, length - have);
    all = meet(all, stepped_far(all, step, by, true));
    have += by;
  }
  return all;
}

// All members of a set that are in such rows.
Reg Lowering::long_rows(Reg through, int step, std::int32_t length) {
  Reg all = row_begins(through, step, length);
  for (int have = 1; have < length;) {
    const int by = std::min(have, length - have);
    all = unite(all, stepped_far(all, step, by, false));
    have += by;
  }
  return all;
}

// Likewise of any cells: k members to one side and the others to the other.
Reg Lowering::rows_at(const RowTest& test, std::int32_t length) {
  if (test.ways.count() == 1)
    return stepped(row_begins(test.through, test.ways.first(), length - 1), test.ways.first(), true);
  std::vector<std::vector<Reg>> sides;
  test.ways.each([&](int step) {
    auto& side = sides.emplace_back();
    side.push_back(board_);
    const Reg next = stepped(test.through, step, true);
    for (int k = 1; k < length; ++k)
      side.push_back(k == 1 ? next : meet(stepped(side.back(), step, true), next));
  });
  Reg all = none_;
  for (int k = 0; k < length; ++k) all = unite(all, meet(sides[0][at(k)], sides[1][at(length - 1 - k)]));
  return all;
}

// The cells, among `members`, for which a condition of rows holds; nothing where it is another.
std::optional<Reg> Lowering::where_rows(NodeId id, std::int32_t slot, Reg members, Draft& d) {
  if (!is_on(Form::rows)) return std::nullopt;
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
    if (test->met && members != test->through) return std::nullopt;
    if (slot < 0 ? of.op != Op::here : of.op != Op::local || of.a != slot) return std::nullopt;
    const int step = test->ways.first();
    const bool own = members == test->through && test->ways.count() == 2;
    const auto at_least = [&](std::int32_t length) {
      return own ? long_rows(test->through, step, length) : rows_at(*test, length);
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
  if (!is_on(Form::rows)) return std::nullopt;
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
