// Conditions. Negation stands on leaves only, numbers are compared by `at_most` where one is constant, and a
// question about one cell is a question of where it lies.
#include "runtime/normalize/conditions.hpp"
#include "runtime/model/idioms.hpp"
#include "runtime/normalize/names.hpp"
#include "runtime/normalize/sequences.hpp"
#include "runtime/normalize/sets.hpp"
#include "runtime/normalize/values.hpp"
#include "runtime/normalize/walks.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace boardwright::runtime::normal {

namespace {

void join_places(Rewriter& rw, Op op, Terms& kids, const DraftFacts& c, std::uint32_t origin);
std::optional<TermId> as_place(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_negation(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_join(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_less(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_at_most(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_equal(Rewriter& rw, TermId id, const DraftFacts& c);
TermId within(Rewriter& rw, TermId part, TermId whole, const DraftFacts& c, std::uint32_t origin);
TermId rewritten_within(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_can(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_some(Rewriter& rw, TermId id, const DraftFacts& c);
TermId some_binding(Rewriter& rw, TermId list, TermId condition, const DraftFacts& c);
TermId rewritten_some_where(Rewriter& rw, TermId id, const DraftFacts& c);

constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kGreatest = std::numeric_limits<std::int32_t>::max();
// Members of a written list of which a question is asked one by one: each makes the tree larger.
constexpr std::size_t kMostAskedOneByOne = 8;

} // namespace

// not not C = C; De Morgan: not (A and B) = not A or not B, where B is asked in the same cases on both sides:
// A holds. The order of numbers is total: not (a < b) = b <= a. One cell is in S or in the rest of the board.
TermId negation(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  switch (t.op) {
  case Op::truth: return rw.terms.truth(t.a == 0, t.origin);
  case Op::negation: return t.kids[0];
  case Op::less: return make(rw, Op::at_most, Type::truth, {t.kids[1], t.kids[0]}, c, t.origin);
  case Op::at_most: return make(rw, Op::less, Type::truth, {t.kids[1], t.kids[0]}, c, t.origin);
  case Op::all_of:
  case Op::any_of: {
    Terms kids = t.kids;
    for (TermId& k : kids) k = negation(rw, k, c);
    return joined(rw, t.op == Op::all_of ? Op::any_of : Op::all_of, std::move(kids), c, t.origin);
  }
  case Op::within: {
    if (!is_single(rw, t.kids[0], c)) break;
    if (rw.at(t.kids[0]).type == Type::cells)
      return within(rw, t.kids[0], complement(rw, t.kids[1], c), c, t.origin);
    if (!rw.is(t.kids[1], Op::directions)) break;
    StepSet rest;
    for (int i = 0; i < static_cast<int>(rw.program.board.steps.size()); ++i)
      if (!rw.terms.steps_of(t.kids[1]).test(i)) rest.set(i);
    return within(rw, t.kids[0], rw.terms.steps(rest, t.origin), c, t.origin);
  }
  case Op::equal:
    // A number that is never negative is 0, or at least 1.
    if (never_negative(rw, t.kids[0]) && rw.number_of(t.kids[1]) == 0)
      return make(rw, Op::at_most, Type::truth, {rw.terms.number(1, t.origin), t.kids[0]}, c, t.origin);
    break;
  default: break;
  }
  return rw.terms.make(Op::negation, Type::truth, {id}, 0, 0, t.origin);
}

TermId all_of(Rewriter& rw, Terms kids, const DraftFacts& c, std::uint32_t origin) {
  return joined(rw, Op::all_of, std::move(kids), c, origin);
}

TermId any_of(Rewriter& rw, Terms kids, const DraftFacts& c, std::uint32_t origin) {
  return joined(rw, Op::any_of, std::move(kids), c, origin);
}

// Joins are associative, asked from left to right. What decides the join ends it: what stands behind is never
// asked. A condition that was asked before says the same again. Where nothing can be a fault the order is of
// no account, because values change nothing.
TermId joined(Rewriter& rw, Op op, Terms kids, const DraftFacts& c, std::uint32_t origin) {
  const bool deciding = op == Op::any_of;
  Terms flat;
  const auto add = [&](const auto& self, TermId id) -> bool {
    if (rw.is(id, op)) {
      const Terms inner = rw.at(id).kids;
      return std::all_of(inner.begin(), inner.end(), [&](TermId k) { return self(self, k); });
    }
    if (rw.is_truth(id, !deciding)) return true;
    if (std::none_of(flat.begin(), flat.end(), [&](TermId k) { return rw.terms.same(k, id); }))
      flat.push_back(id);
    return !rw.is_truth(id, deciding);
  };
  for (const TermId k : kids)
    if (!add(add, k)) break;
  if (flat.empty()) return rw.terms.truth(!deciding, origin);
  if (!any_may_fault(rw, flat, c)) {
    if (rw.is_truth(flat.back(), deciding)) return flat.back();
    join_places(rw, op, flat, c, origin);
    sort(rw, flat);
    // C and not C
    for (const TermId k : flat)
      if (rw.is(k, Op::negation) && std::any_of(flat.begin(), flat.end(), [&](TermId other) {
            return rw.terms.same(other, rw.kid(k, 0));
          }))
        return rw.terms.truth(deciding, origin);
  }
  if (flat.size() == 1) return flat.front();
  return rw.terms.make(op, Type::truth, std::move(flat), 0, 0, origin);
}

namespace {

// x in S and x in T = x in S & T; for one member, x in S or x in T = x in S | T. Some S or some T = some S |
// T. Nothing of it can be a fault, so asking for more or less of it makes no difference.
void join_places(Rewriter& rw, Op op, Terms& kids, const DraftFacts& c, std::uint32_t origin) {
  const bool all = op == Op::all_of;
  for (std::size_t i = 0; i < kids.size(); ++i)
    for (std::size_t j = i + 1; j < kids.size();) {
      const Term s = rw.at(kids[i]), t = rw.at(kids[j]);
      const bool places = s.op == Op::within && t.op == Op::within && rw.terms.same(s.kids[0], t.kids[0]) &&
                          (all || is_single(rw, s.kids[0], c));
      const bool some_cells = !all && s.op == Op::some && t.op == Op::some &&
                              rw.at(s.kids[0]).type == Type::cells && rw.at(t.kids[0]).type == Type::cells;
      if (places) {
        const Type type = rw.at(s.kids[1]).type;
        const TermId both = all ? meet(rw, {s.kids[1], t.kids[1]}, c, type, origin)
                                : unite(rw, {s.kids[1], t.kids[1]}, c, type, origin);
        kids[i] = within(rw, s.kids[0], both, c, s.origin);
      } else if (some_cells) {
        kids[i] = some(rw, unite(rw, {s.kids[0], t.kids[0]}, c, Type::cells, origin), c);
      } else {
        ++j;
        continue;
      }
      kids.erase(kids.begin() + static_cast<std::ptrdiff_t>(j));
    }
}

} // namespace

TermId rewritten_truth(Rewriter& rw, TermId id, const DraftFacts& c) {
  if (const auto place = as_place(rw, id, c)) return *place;
  switch (rw.at(id).op) {
  case Op::negation: return rewritten_negation(rw, id, c);
  case Op::all_of:
  case Op::any_of: return rewritten_join(rw, id, c);
  case Op::equal:
  case Op::less:
  case Op::at_most:
    if (rw.is(id, Op::equal)) return rewritten_equal(rw, id, c);
    return rw.is(id, Op::less) ? rewritten_less(rw, id, c) : rewritten_at_most(rw, id, c);
  case Op::within: return rewritten_within(rw, id, c);
  case Op::some: return rewritten_some(rw, id, c);
  case Op::some_where: return rewritten_some_where(rw, id, c);
  case Op::can:
    // An action without effect on whether there is an outcome: nothing has one, `never` has none. (A decided
    // draft asks no questions: it passes every action.)
    if (rw.is_nothing(rw.kid(id, 0))) return rw.terms.truth(true, rw.at(id).origin);
    if (rw.is(rw.kid(id, 0), Op::never)) return rw.terms.truth(false, rw.at(id).origin);
    return rewritten_can(rw, id, c);
  default: return id;
  }
}

// Does a number go by the coordinates of these places and nothing else? Where none are given the first that
// is asked for is taken.
bool goes_by_coordinates(const Rewriter& rw, TermId id, Places& of) {
  const Term& t = rw.at(id);
  switch (t.op) {
  case Op::number: return true;
  case Op::x_of:
  case Op::y_of:
  case Op::z_of:
    if (of.empty()) of.emplace_back(t.kids[0], 0);
    return std::any_of(of.begin(), of.end(),
                       [&](const auto& p) { return rw.terms.same(p.first, t.kids[0]); });
  case Op::add:
  case Op::subtract:
  case Op::multiply:
  case Op::modulo:
  case Op::negate:
  case Op::absolute:
    return std::all_of(t.kids.begin(), t.kids.end(),
                       [&](TermId k) { return goes_by_coordinates(rw, k, of); });
  default: return false;
  }
}

namespace {

// The number that a term comes to, if the places are the cells that are given. Nothing where it could come to
// the bounds of numbers.
std::optional<std::int64_t> number_on(const Rewriter& rw, TermId id, const Places& places) {
  constexpr std::int64_t kMostSure = 1 << 15; // of these the product is far within the bounds
  const Term& t = rw.at(id);
  std::vector<std::int64_t> n;
  if (t.op == Op::number) return t.a;
  if (t.op == Op::x_of || t.op == Op::y_of || t.op == Op::z_of) {
    for (const auto& [of, cell] : places) {
      if (!rw.terms.same(of, t.kids[0])) continue;
      if (t.op == Op::z_of) return rw.program.board.z_of(cell);
      return (t.op == Op::x_of ? rw.program.board.x : rw.program.board.y)[static_cast<std::size_t>(cell)];
    }
    return std::nullopt;
  }
  for (const TermId part : t.kids) {
    const auto value = number_on(rw, part, places);
    if (!value || *value > kMostSure || *value < -kMostSure) return std::nullopt;
    n.push_back(*value);
  }
  switch (t.op) {
  case Op::add: return n[0] + n[1];
  case Op::subtract: return n[0] - n[1];
  case Op::multiply: return n[0] * n[1];
  case Op::negate: return -n[0];
  case Op::absolute: return n[0] < 0 ? -n[0] : n[0];
  case Op::modulo:
    if (n[1] <= 0) return std::nullopt;
    return (n[0] % n[1] + n[1]) % n[1];
  default: return std::nullopt;
  }
}

} // namespace

std::optional<bool> compared(const Rewriter& rw, TermId id, const Places& places) {
  const auto a = number_on(rw, rw.kid(id, 0), places), b = number_on(rw, rw.kid(id, 1), places);
  if (!a || !b) return std::nullopt;
  return rw.is(id, Op::equal) ? *a == *b : rw.is(id, Op::less) ? *a < *b : *a <= *b;
}

namespace {

// A comparison of the coordinates of one cell with numbers asks where the cell lies: y(c) = 2 = c in rank(2).
std::optional<TermId> compared_place(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  if (t.op != Op::equal && t.op != Op::less && t.op != Op::at_most) return std::nullopt;
  if (rw.at(t.kids[0]).type != Type::number) return std::nullopt;
  Places of;
  if (!goes_by_coordinates(rw, t.kids[0], of) || !goes_by_coordinates(rw, t.kids[1], of) || of.empty() ||
      !is_single(rw, of[0].first, c) || may_fault(rw, of[0].first, c))
    return std::nullopt;
  CellSet where;
  for (int cell = 0; cell < rw.program.board.cells; ++cell) {
    of[0].second = cell;
    const auto holds = compared(rw, id, of);
    if (!holds) return std::nullopt;
    if (*holds) where.set(cell);
  }
  return within(rw, of[0].first, rw.terms.cells(where, t.origin), c, t.origin);
}

// The term that reads a name.
std::optional<TermId> reader_of(const Rewriter& rw, TermId id, std::uint32_t slot) {
  const Term& t = rw.at(id);
  if (t.op == Op::local && t.a == static_cast<std::int32_t>(slot)) return id;
  for (const TermId k : t.kids)
    if (contains(rw.at(k).slots_read, slot)) return reader_of(rw, k, slot);
  return std::nullopt;
}

// The one cell by which a condition goes, if it goes by nothing else: the walker's, or one that a name stands
// for.
std::optional<TermId> only_cell(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term& t = rw.at(id);
  if (t.faults || t.faults_carrying || (t.reads & ~kHere) != 0) return std::nullopt;
  Slots names;
  std::set_difference(t.slots_read.begin(), t.slots_read.end(), t.slots_bound.begin(), t.slots_bound.end(),
                      std::back_inserter(names));
  if (t.reads == kHere) {
    if (!names.empty() || !c.placed) return std::nullopt;
    return rw.terms.make(Op::here, Type::cells, {}, 0, 0, t.origin);
  }
  if (t.faults_unplaced || names.size() != 1 || !contains(rw.single_names, names[0])) return std::nullopt;
  const auto reader = reader_of(rw, id, names[0]);
  return reader && rw.at(*reader).type == Type::cells ? reader : std::nullopt;
}

// A condition on one cell asks where the cell lies. The walker says for which cells it holds: those of
// `reach(board, require C)`, or of `c in board where C`.
std::optional<TermId> as_place(Rewriter& rw, TermId id, const DraftFacts& c) {
  if (!is_on(Idiom::as_place)) return std::nullopt;
  if (const auto place = compared_place(rw, id, c)) return place;
  const Term t = rw.at(id);
  if (is_constant(t.op) || (t.op == Op::within && rw.is(t.kids[1], Op::cells))) return std::nullopt;
  const auto cell = only_cell(rw, id, c);
  if (!cell) return std::nullopt;
  const auto [known, fresh] = rw.where_holds.try_emplace(id);
  if (fresh) {
    const TermId board = rw.terms.cells(rw.program.board.all, t.origin);
    const TermId asked =
        rw.is(*cell, Op::here)
            ? rw.terms.make(Op::reach, Type::cells,
                            {board, rw.terms.make(Op::require, Type::action, {id}, 0, 0, t.origin)}, 0, 0,
                            t.origin)
            : rw.terms.make(Op::select, Type::cells, {board, id}, rw.at(*cell).a, 0, t.origin);
    const TermId where = folded(rw, asked, rw.placing_left);
    if (where != asked) known->second = where;
  }
  if (!known->second) return std::nullopt;
  return within(rw, *cell, *known->second, c, t.origin);
}

TermId rewritten_negation(Rewriter& rw, TermId id, const DraftFacts& c) {
  const TermId result = negation(rw, rw.kid(id, 0), c);
  // The same negation of another place in the file is no change.
  return rw.is(result, Op::negation) && rw.kid(result, 0) == rw.kid(id, 0) ? id : result;
}

TermId rewritten_join(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  return joined(rw, t.op, t.kids, c, t.origin);
}

// a < a never. Of integers, x < n = x <= n - 1, and n < x = n + 1 <= x.
TermId rewritten_less(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  const auto a = rw.number_of(t.kids[0]), b = rw.number_of(t.kids[1]);
  const bool sure = !may_fault(rw, id, c);
  if (sure && (rw.terms.same(t.kids[0], t.kids[1]) || a == kGreatest || b == kLeast))
    return rw.terms.truth(false, t.origin);
  if (b && *b > kLeast)
    return make(rw, Op::at_most, Type::truth, {t.kids[0], rw.terms.number(*b - 1, rw.at(t.kids[1]).origin)},
                c, t.origin);
  if (a && *a < kGreatest)
    return make(rw, Op::at_most, Type::truth, {rw.terms.number(*a + 1, rw.at(t.kids[0]).origin), t.kids[1]},
                c, t.origin);
  return id;
}

// Numbers are between the least and the greatest; some are never negative. 1 <= count(S) = some S, and
// count(S) <= 0 = not some S.
TermId rewritten_at_most(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  const TermId x = t.kids[0], y = t.kids[1];
  const auto a = rw.number_of(x), b = rw.number_of(y);
  const auto fixed = [&](bool holds) { return rw.terms.truth(holds, t.origin); };
  const bool sure = !may_fault(rw, id, c);
  if (sure && (rw.terms.same(x, y) || a == kLeast || b == kGreatest)) return fixed(true);
  if (a && never_negative(rw, y)) {
    if (*a <= 0 && sure) return fixed(true);
    if (*a == 1 && rw.is(y, Op::count)) return some(rw, rw.kid(y, 0), c);
    if (rw.is(y, Op::count))
      if (const auto counted = counts_to(rw, *a, rw.kid(y, 0), c)) return *counted;
  }
  if (b && never_negative(rw, x)) {
    if (*b < 0 && sure) return fixed(false);
    if (*b == 0) return make(rw, Op::equal, Type::truth, {x, y}, c, t.origin);
    if (rw.is(x, Op::count) && *b < kGreatest)
      if (const auto counted = counts_to(rw, *b + 1, rw.kid(x, 0), c)) return negation(rw, *counted, c);
  }
  return id;
}

// Equality is symmetrical: the smaller operand comes first, constants last.
TermId rewritten_equal(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  TermId x = t.kids[0], y = t.kids[1];
  const bool sure = !may_fault(rw, id, c);
  if (sure && rw.terms.same(x, y)) return rw.terms.truth(true, t.origin);
  const bool x_fixed = is_constant(rw.at(x).op), y_fixed = is_constant(rw.at(y).op);
  if ((x_fixed && !y_fixed) || (x_fixed == y_fixed && rw.terms.compare(y, x) < 0)) std::swap(x, y);
  const Type type = rw.at(x).type;
  // A set is empty, or has something.
  if (is_set(type) && rw.is_none(y)) return negation(rw, some(rw, x, c), c);
  if (type == Type::truth && rw.is(y, Op::truth)) return rw.at(y).a != 0 ? x : negation(rw, x, c);
  if (const auto n = rw.number_of(y); n && never_negative(rw, x)) {
    if (*n < 0 && sure) return rw.terms.truth(false, t.origin);
    if (*n == 0 && rw.is(x, Op::count)) return negation(rw, some(rw, rw.kid(x, 0), c), c);
    // What n rounds find is n cells where all that there is is n cells; more where there is more.
    if (rw.is(x, Op::count))
      if (const auto few = rounds_of(rw, rw.kid(x, 0), *n, c))
        return make(rw, Op::equal, Type::truth,
                    {make(rw, Op::count, Type::number, {*few}, c, rw.at(x).origin), y}, c, t.origin);
  }
  // The kind on one cell is K where the cell is one of K's, and none where the cell is empty.
  if (rw.is(x, Op::kind_at) && rw.is(y, Op::kind) && is_single(rw, rw.kid(x, 0), c)) {
    const TermId where = rw.at(y).a < 0 ? rw.terms.make(Op::empty, Type::cells, {}, 0, 0, t.origin)
                                        : rw.terms.make(Op::kind_cells, Type::cells, {y}, 0, 0, t.origin);
    return within(rw, rw.kid(x, 0), where, c, t.origin);
  }
  // Two sets of one member are equal where the one is part of the other.
  if (is_single(rw, x, c) && is_single(rw, y, c)) return within(rw, x, y, c, t.origin);
  return rw.terms.make(Op::equal, Type::truth, {x, y}, 0, 0, t.origin);
}

TermId within(Rewriter& rw, TermId part, TermId whole, const DraftFacts& c, std::uint32_t origin) {
  return make(rw, Op::within, Type::truth, {part, whole}, c, origin);
}

// Every set is part of itself and of the board; nothing is part of every set; only nothing is part of
// nothing. P is part of what is not in B where P & B is empty.
TermId rewritten_within(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  const TermId part = t.kids[0], whole = t.kids[1];
  if (!may_fault(rw, id, c) && (rw.terms.same(part, whole) || rw.is_none(part) || rw.is_board(whole)))
    return rw.terms.truth(true, t.origin);
  if (rw.is_none(whole)) return negation(rw, some(rw, part, c), c);
  if (is_single(rw, part, c)) return id;
  if (rw.is(whole, Op::complement))
    return negation(rw, some(rw, meet(rw, {part, rw.kid(whole, 0)}, c, Type::cells, t.origin), c), c);
  return id;
}

} // namespace

TermId some(Rewriter& rw, TermId id, const DraftFacts& c) {
  return make(rw, Op::some, Type::truth, {id}, c, rw.at(id).origin);
}

// Does an action only walk? Then all that matters of it is where it ends.
bool only_walks(const Rewriter& rw, TermId id) {
  const Term& t = rw.at(id);
  switch (t.op) {
  case Op::go:
  case Op::at:
  case Op::never: return true;
  case Op::choose: return rw.at(t.kids[0]).type == Type::directions;
  case Op::sequence:
  case Op::alternatives:
    return std::all_of(t.kids.begin(), t.kids.end(), [&rw](TermId k) { return only_walks(rw, k); });
  case Op::repeat: return (t.a & (kMaximal | kUntil)) == 0 && only_walks(rw, t.kids[0]);
  default: return false;
  }
}

namespace {

// Does a walk ask for the heading that the walker has before it? Behind its first step it has one of its own.
bool asks_heading_before(const Rewriter& rw, const Terms& walk) {
  for (const TermId part : walk) {
    if ((rw.at(part).reads & kHeading) != 0) return true;
    if (rw.is(part, Op::go)) return false;
  }
  return false;
}

// A walk has an outcome where it leads to some cell: can W = some reach(here, W), where W doesn't ask for the
// heading before it, which `reach` forgets; can (from S, W) = some reach(S, W), where W doesn't ask for what
// `from` sets. Nothing of W can be a fault, so that it makes no difference whether one outcome is looked for,
// or all.
TermId rewritten_can(Rewriter& rw, TermId id, const DraftFacts& c) {
  const std::uint32_t origin = rw.at(id).origin;
  Terms walk = items_of(rw, rw.kid(id, 0));
  TermId begins = id;
  if (rw.is(walk[0], Op::from) || rw.is(walk[0], Op::to)) {
    begins = rw.kid(walk[0], 0);
    walk.erase(walk.begin());
    for (const TermId part : walk)
      if ((rw.at(part).reads & (kStart | kHeading)) != 0) return id;
  } else if (c.placed && (c.no_heading || !asks_heading_before(rw, walk))) {
    begins = rw.terms.make(Op::here, Type::cells, {}, 0, 0, origin);
  } else {
    return id;
  }
  DraftFacts placed = c;
  placed.placed = true;
  for (const TermId part : walk)
    if (!only_walks(rw, part) || may_fault(rw, part, placed)) return id;
  const TermId leads =
      make(rw, Op::reach, Type::cells, {begins, sequence_of(rw, std::move(walk), origin)}, c, origin);
  return some(rw, leads, c);
}

// Some member of S for which C holds = some S where C. Something of A - B is left where A isn't part of B.
// One cell and S have something in common where the cell is in S.
TermId rewritten_some(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  const TermId x = t.kids[0];
  const Term set = rw.at(x);
  const bool sure = !may_fault(rw, x, c);
  if (rw.is_none(x)) return rw.terms.truth(false, t.origin);
  if (set.op == Op::cells || set.op == Op::directions || (sure && is_single(rw, x, c)))
    return rw.terms.truth(true, t.origin);
  if (set.op == Op::select) return make(rw, Op::some_where, Type::truth, set.kids, c, t.origin, set.a);
  if (set.op == Op::list_for && !may_fault(rw, x, c)) return some_binding(rw, x, rw.kid(x, 1), c);
  if (!is_set(set.type)) return id;
  Terms parts;
  switch (set.op) {
  case Op::minus: return negation(rw, within(rw, set.kids[0], set.kids[1], c, t.origin), c);
  case Op::unite:
    operands(rw, x, Op::unite, parts);
    if (sure && std::any_of(parts.begin(), parts.end(), [&](TermId p) { return is_single(rw, p, c); }))
      return rw.terms.truth(true, t.origin);
    return id;
  case Op::meet: {
    operands(rw, x, Op::meet, parts);
    const auto one = std::find_if(parts.begin(), parts.end(), [&](TermId p) { return is_single(rw, p, c); });
    if (one == parts.end()) return id;
    const TermId cell = *one;
    parts.erase(one);
    return within(rw, cell, meet(rw, std::move(parts), c, set.type, t.origin), c, t.origin);
  }
  default: return id;
  }
}

// Some binding of the names of a list (E for v in S, w in T, …) for which a condition holds: some v in S
// where some w in T where C. Nothing can be a fault.
TermId some_binding(Rewriter& rw, TermId list, TermId condition, const DraftFacts& c) {
  const Term t = rw.at(list);
  for (std::size_t i = t.kids.size(); i-- > 2;)
    condition = make(rw, Op::some_where, Type::truth, {t.kids[i], condition}, c, t.origin,
                     t.a + static_cast<std::int32_t>(i) - 2);
  return condition;
}

// A question about the members of a written list is asked of each by itself. Some v in S where true = some S.
// Where v in T is asked first, it is asked of the members of S & T. Of one member it is the question itself;
// and a question that doesn't ask for v is asked once.
TermId rewritten_some_where(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  const auto slot = static_cast<std::uint32_t>(t.a);
  TermId set = t.kids[0];
  if (rw.is_truth(t.kids[1], true)) return some(rw, set, c);
  if (!may_fault(rw, set, c) && (rw.is_none(set) || rw.is_truth(t.kids[1], false)))
    return rw.terms.truth(false, t.origin);
  if (rw.is(set, Op::list_for) && !may_fault(rw, id, c)) {
    const TermId holds =
        rw.terms.make(Op::let_value, Type::truth, {rw.kid(set, 0), t.kids[1]}, t.a, 0, t.origin);
    return some_binding(rw, set, all_of(rw, {rw.kid(set, 1), value(rw, holds, c)}, c, t.origin), c);
  }
  if (rw.is(set, Op::list) && rw.at(set).kids.size() <= kMostAskedOneByOne && !may_fault(rw, id, c)) {
    Terms each;
    for (const TermId member : rw.at(set).kids)
      each.push_back(
          value(rw, rw.terms.make(Op::let_value, Type::truth, {member, t.kids[1]}, t.a, 0, t.origin), c));
    return any_of(rw, std::move(each), c, t.origin);
  }
  if (!is_set(rw.at(set).type)) return id;
  Terms conditions;
  operands(rw, t.kids[1], Op::all_of, conditions);
  if (may_fault(rw, id, c)) return id;
  if (rw.is(set, Op::select)) { // some v in (w in S where D) where C = some w in S where D and C
    const Term inner = rw.at(set);
    const TermId read = rw.terms.make(Op::local, inner.type, {}, inner.a, 0, t.origin);
    const TermId both = all_of(rw, {inner.kids[1], rw.terms.substituted(t.kids[1], slot, read)}, c, t.origin);
    return make(rw, Op::some_where, Type::truth, {inner.kids[0], both}, c, t.origin, inner.a);
  }
  split_condition(rw, set, conditions, slot, c);
  const TermId rest = all_of(rw, std::move(conditions), c, rw.at(t.kids[1]).origin);
  if (set != t.kids[0]) return make(rw, Op::some_where, Type::truth, {set, rest}, c, t.origin, t.a);
  if (!rw.reads(rest, slot)) return all_of(rw, {some(rw, set, c), rest}, c, t.origin);
  if (is_single(rw, set, c) && holds_at_reads(rw, rest, slot, set, false))
    return value(rw, rw.terms.substituted(rest, slot, set), c);
  return rest == t.kids[1] ? id : rw.terms.with_kids(id, {set, rest});
}

} // namespace

} // namespace boardwright::runtime::normal
