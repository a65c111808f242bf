// Conditions. Negation stands on leaves only, numbers are compared by `at_most` where one is constant, and a
// question about one cell is a question of where it lies.
#include "runtime/model/forms.hpp"
#include "runtime/normalize/normalizer.hpp"

#include <algorithm>
#include <limits>

namespace boardwright::runtime::normal {

namespace {

constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kGreatest = std::numeric_limits<std::int32_t>::max();
// Members of a written list of which a question is asked one by one: each makes the tree larger.
constexpr std::size_t kMostAskedOneByOne = 8;

} // namespace

// not not C = C; De Morgan: not (A and B) = not A or not B, where B is asked in the same cases on both sides:
// A holds. The order of numbers is total: not (a < b) = b <= a. One cell is in S or in the rest of the board.
TermId Normalizer::negation(TermId id, const Context& c) {
  const Term t = at(id);
  switch (t.op) {
  case Op::truth: return s_.truth(t.a == 0, t.origin);
  case Op::negation: return t.kids[0];
  case Op::less: return make(Op::at_most, Type::truth, {t.kids[1], t.kids[0]}, c, t.origin);
  case Op::at_most: return make(Op::less, Type::truth, {t.kids[1], t.kids[0]}, c, t.origin);
  case Op::all_of:
  case Op::any_of: {
    Terms kids = t.kids;
    for (TermId& k : kids) k = negation(k, c);
    return joined(t.op == Op::all_of ? Op::any_of : Op::all_of, std::move(kids), c, t.origin);
  }
  case Op::within: {
    if (!is_single(t.kids[0], c)) break;
    if (at(t.kids[0]).type == Type::cells) return within(t.kids[0], complement(t.kids[1], c), c, t.origin);
    if (!is(t.kids[1], Op::directions)) break;
    StepSet rest;
    for (int i = 0; i < static_cast<int>(program_.board.steps.size()); ++i)
      if (!s_.steps_of(t.kids[1]).test(i)) rest.set(i);
    return within(t.kids[0], s_.steps(rest, t.origin), c, t.origin);
  }
  case Op::equal:
    // A number that is never negative is 0, or at least 1.
    if (never_negative(t.kids[0]) && number_of(t.kids[1]) == 0)
      return make(Op::at_most, Type::truth, {s_.number(1, t.origin), t.kids[0]}, c, t.origin);
    break;
  default: break;
  }
  return s_.make(Op::negation, Type::truth, {id}, 0, 0, t.origin);
}

TermId Normalizer::all_of(Terms kids, const Context& c, std::uint32_t origin) {
  return joined(Op::all_of, std::move(kids), c, origin);
}

TermId Normalizer::any_of(Terms kids, const Context& c, std::uint32_t origin) {
  return joined(Op::any_of, std::move(kids), c, origin);
}

// Joins are associative, asked from left to right. What decides the join ends it: what stands behind is never
// asked. A condition that was asked before says the same again. Where nothing can be a fault the order is of
// no account, because values change nothing.
TermId Normalizer::joined(Op op, Terms kids, const Context& c, std::uint32_t origin) {
  const bool deciding = op == Op::any_of;
  Terms flat;
  const auto add = [&](const auto& self, TermId id) -> bool {
    if (is(id, op)) {
      const Terms inner = at(id).kids;
      return std::all_of(inner.begin(), inner.end(), [&](TermId k) { return self(self, k); });
    }
    if (is_truth(id, !deciding)) return true;
    if (std::none_of(flat.begin(), flat.end(), [&](TermId k) { return s_.same(k, id); })) flat.push_back(id);
    return !is_truth(id, deciding);
  };
  for (const TermId k : kids)
    if (!add(add, k)) break;
  if (flat.empty()) return s_.truth(!deciding, origin);
  if (!any_may_fault(flat, c)) {
    if (is_truth(flat.back(), deciding)) return flat.back();
    join_places(op, flat, c, origin);
    sort(flat);
    // C and not C
    for (const TermId k : flat)
      if (is(k, Op::negation) &&
          std::any_of(flat.begin(), flat.end(), [&](TermId other) { return s_.same(other, kid(k, 0)); }))
        return s_.truth(deciding, origin);
  }
  if (flat.size() == 1) return flat.front();
  return s_.make(op, Type::truth, std::move(flat), 0, 0, origin);
}

// x in S and x in T = x in S & T; for one member, x in S or x in T = x in S | T. Some S or some T = some S |
// T. Nothing of it can be a fault, so asking for more or less of it makes no difference.
void Normalizer::join_places(Op op, Terms& kids, const Context& c, std::uint32_t origin) {
  const bool all = op == Op::all_of;
  for (std::size_t i = 0; i < kids.size(); ++i)
    for (std::size_t j = i + 1; j < kids.size();) {
      const Term s = at(kids[i]), t = at(kids[j]);
      const bool places = s.op == Op::within && t.op == Op::within && s_.same(s.kids[0], t.kids[0]) &&
                          (all || is_single(s.kids[0], c));
      const bool some_cells = !all && s.op == Op::some && t.op == Op::some &&
                              at(s.kids[0]).type == Type::cells && at(t.kids[0]).type == Type::cells;
      if (places) {
        const Type type = at(s.kids[1]).type;
        const TermId both = all ? meet({s.kids[1], t.kids[1]}, c, type, origin)
                                : unite({s.kids[1], t.kids[1]}, c, type, origin);
        kids[i] = within(s.kids[0], both, c, s.origin);
      } else if (some_cells) {
        kids[i] = some(unite({s.kids[0], t.kids[0]}, c, Type::cells, origin), c);
      } else {
        ++j;
        continue;
      }
      kids.erase(kids.begin() + static_cast<std::ptrdiff_t>(j));
    }
}

TermId Normalizer::rewritten_truth(TermId id, const Context& c) {
  switch (at(id).op) {
  case Op::negation: return rewritten_negation(id, c);
  case Op::all_of:
  case Op::any_of: return rewritten_join(id, c);
  case Op::equal:
  case Op::less:
  case Op::at_most: {
    if (const auto place = as_place(id, c)) return *place;
    if (is(id, Op::equal)) return rewritten_equal(id, c);
    return is(id, Op::less) ? rewritten_less(id, c) : rewritten_at_most(id, c);
  }
  case Op::within: return rewritten_within(id, c);
  case Op::some: return rewritten_some(id, c);
  case Op::some_where: return rewritten_some_where(id, c);
  case Op::can:
    // An action without effect on whether there is an outcome: nothing has one, `never` has none. (A decided
    // draft asks no questions: it passes every action.)
    if (is_nothing(kid(id, 0))) return s_.truth(true, at(id).origin);
    if (is(kid(id, 0), Op::never)) return s_.truth(false, at(id).origin);
    return rewritten_can(id, c);
  default: return id;
  }
}

// Does a number go by the coordinates of these places and nothing else? Where none are given the first that
// is asked for is taken.
bool Normalizer::goes_by_coordinates(TermId id, Places& of) const {
  const Term& t = at(id);
  switch (t.op) {
  case Op::number: return true;
  case Op::x_of:
  case Op::y_of:
  case Op::z_of:
    if (of.empty()) of.emplace_back(t.kids[0], 0);
    return std::any_of(of.begin(), of.end(), [&](const auto& p) { return s_.same(p.first, t.kids[0]); });
  case Op::add:
  case Op::subtract:
  case Op::multiply:
  case Op::modulo:
  case Op::negate:
  case Op::absolute:
    return std::all_of(t.kids.begin(), t.kids.end(), [&](TermId k) { return goes_by_coordinates(k, of); });
  default: return false;
  }
}

// Such a number, if the places are these cells. Nothing where it could come to the bounds of numbers.
std::optional<std::int64_t> Normalizer::number_on(TermId id, const Places& places) const {
  constexpr std::int64_t kMostSure = 1 << 15; // of these the product is far within the bounds
  const Term& t = at(id);
  std::vector<std::int64_t> n;
  if (t.op == Op::number) return t.a;
  if (t.op == Op::x_of || t.op == Op::y_of || t.op == Op::z_of) {
    for (const auto& [of, cell] : places) {
      if (!s_.same(of, t.kids[0])) continue;
      if (t.op == Op::z_of) return program_.board.z_of(cell);
      return (t.op == Op::x_of ? program_.board.x : program_.board.y)[static_cast<std::size_t>(cell)];
    }
    return std::nullopt;
  }
  for (const TermId part : t.kids) {
    const auto value = number_on(part, places);
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

std::optional<bool> Normalizer::compared(TermId id, const Places& places) const {
  const auto a = number_on(kid(id, 0), places), b = number_on(kid(id, 1), places);
  if (!a || !b) return std::nullopt;
  return is(id, Op::equal) ? *a == *b : is(id, Op::less) ? *a < *b : *a <= *b;
}

// A comparison of the coordinates of one cell with numbers asks where the cell lies: y(c) = 2 = c in rank(2).
std::optional<TermId> Normalizer::as_place(TermId id, const Context& c) {
  if (!is_on(Form::as_place)) return std::nullopt;
  const Term t = at(id);
  if (at(t.kids[0]).type != Type::number) return std::nullopt;
  Places of;
  if (!goes_by_coordinates(t.kids[0], of) || !goes_by_coordinates(t.kids[1], of) || of.empty() ||
      !is_single(of[0].first, c) || may_fault(of[0].first, c))
    return std::nullopt;
  CellSet where;
  for (int cell = 0; cell < program_.board.cells; ++cell) {
    of[0].second = cell;
    const auto holds = compared(id, of);
    if (!holds) return std::nullopt;
    if (*holds) where.set(cell);
  }
  return within(of[0].first, s_.cells(where, t.origin), c, t.origin);
}

TermId Normalizer::rewritten_negation(TermId id, const Context& c) {
  const TermId result = negation(kid(id, 0), c);
  // The same negation of another place in the file is no change.
  return is(result, Op::negation) && kid(result, 0) == kid(id, 0) ? id : result;
}

TermId Normalizer::rewritten_join(TermId id, const Context& c) {
  const Term t = at(id);
  return joined(t.op, t.kids, c, t.origin);
}

// a < a never. Of integers, x < n = x <= n - 1, and n < x = n + 1 <= x.
TermId Normalizer::rewritten_less(TermId id, const Context& c) {
  const Term t = at(id);
  const auto a = number_of(t.kids[0]), b = number_of(t.kids[1]);
  const bool sure = !may_fault(id, c);
  if (sure && (s_.same(t.kids[0], t.kids[1]) || a == kGreatest || b == kLeast))
    return s_.truth(false, t.origin);
  if (b && *b > kLeast)
    return make(Op::at_most, Type::truth, {t.kids[0], s_.number(*b - 1, at(t.kids[1]).origin)}, c, t.origin);
  if (a && *a < kGreatest)
    return make(Op::at_most, Type::truth, {s_.number(*a + 1, at(t.kids[0]).origin), t.kids[1]}, c, t.origin);
  return id;
}

// Numbers are between the least and the greatest; some are never negative. 1 <= count(S) = some S, and
// count(S) <= 0 = not some S.
TermId Normalizer::rewritten_at_most(TermId id, const Context& c) {
  const Term t = at(id);
  const TermId x = t.kids[0], y = t.kids[1];
  const auto a = number_of(x), b = number_of(y);
  const auto fixed = [&](bool holds) { return s_.truth(holds, t.origin); };
  const bool sure = !may_fault(id, c);
  if (sure && (s_.same(x, y) || a == kLeast || b == kGreatest)) return fixed(true);
  if (a && never_negative(y)) {
    if (*a <= 0 && sure) return fixed(true);
    if (*a == 1 && is(y, Op::count)) return some(kid(y, 0), c);
  }
  if (b && never_negative(x)) {
    if (*b < 0 && sure) return fixed(false);
    if (*b == 0) return make(Op::equal, Type::truth, {x, y}, c, t.origin);
  }
  return id;
}

// Equality is symmetrical: the smaller operand comes first, constants last.
TermId Normalizer::rewritten_equal(TermId id, const Context& c) {
  const Term t = at(id);
  TermId x = t.kids[0], y = t.kids[1];
  const bool sure = !may_fault(id, c);
  if (sure && s_.same(x, y)) return s_.truth(true, t.origin);
  const bool x_fixed = is_constant(at(x).op), y_fixed = is_constant(at(y).op);
  if ((x_fixed && !y_fixed) || (x_fixed == y_fixed && s_.compare(y, x) < 0)) std::swap(x, y);
  const Type type = at(x).type;
  // A set is empty, or has something.
  if (is_set(type) && is_none(y)) return negation(some(x, c), c);
  if (type == Type::truth && is(y, Op::truth)) return at(y).a != 0 ? x : negation(x, c);
  if (const auto n = number_of(y); n && never_negative(x)) {
    if (*n < 0 && sure) return s_.truth(false, t.origin);
    if (*n == 0 && is(x, Op::count)) return negation(some(kid(x, 0), c), c);
  }
  // The kind on one cell is K where the cell is one of K's, and none where the cell is empty.
  if (is(x, Op::kind_at) && is(y, Op::kind) && is_single(kid(x, 0), c)) {
    const TermId where = at(y).a < 0 ? s_.make(Op::empty, Type::cells, {}, 0, 0, t.origin)
                                     : s_.make(Op::kind_cells, Type::cells, {y}, 0, 0, t.origin);
    return within(kid(x, 0), where, c, t.origin);
  }
  // Two sets of one member are equal where the one is part of the other.
  if (is_single(x, c) && is_single(y, c)) return within(x, y, c, t.origin);
  return s_.make(Op::equal, Type::truth, {x, y}, 0, 0, t.origin);
}

TermId Normalizer::within(TermId part, TermId whole, const Context& c, std::uint32_t origin) {
  return make(Op::within, Type::truth, {part, whole}, c, origin);
}

// Every set is part of itself and of the board; nothing is part of every set; only nothing is part of
// nothing, or of what has nothing in common with it. P is part of what is not in B where P & B is empty.
TermId Normalizer::rewritten_within(TermId id, const Context& c) {
  const Term t = at(id);
  const TermId part = t.kids[0], whole = t.kids[1];
  if (!may_fault(id, c) && (s_.same(part, whole) || is_none(part) || is_board(whole)))
    return s_.truth(true, t.origin);
  if (is_none(whole)) return negation(some(part, c), c);
  if (is_single(part, c)) return id;
  Terms parts;
  operands(part, Op::meet, parts);
  if (!may_fault(id, c) &&
      std::any_of(parts.begin(), parts.end(), [&](TermId p) { return go_apart(p, whole, c); }))
    return negation(some(part, c), c);
  if (is(whole, Op::complement))
    return negation(some(meet({part, kid(whole, 0)}, c, Type::cells, t.origin), c), c);
  return id;
}

TermId Normalizer::some(TermId id, const Context& c) {
  return make(Op::some, Type::truth, {id}, c, at(id).origin);
}

// Does an action only walk? Then all that matters of it is where it ends.
bool Normalizer::only_walks(TermId id) const {
  const Term& t = at(id);
  switch (t.op) {
  case Op::go:
  case Op::at:
  case Op::never: return true;
  case Op::choose: return at(t.kids[0]).type == Type::directions;
  case Op::sequence:
  case Op::alternatives:
    return std::all_of(t.kids.begin(), t.kids.end(), [this](TermId k) { return only_walks(k); });
  case Op::repeat: return (t.a & (kMaximal | kUntil)) == 0 && only_walks(t.kids[0]);
  default: return false;
  }
}

// Does a walk ask for the heading that the walker has before it? Behind its first step it has one of its own.
bool Normalizer::asks_heading_before(const Terms& walk) const {
  for (const TermId part : walk) {
    if ((at(part).reads & kHeading) != 0) return true;
    if (is(part, Op::go)) return false;
  }
  return false;
}

// A walk has an outcome where it leads to some cell: can W = some reach(here, W), where W doesn't ask for the
// heading before it, which `reach` forgets; can (from S, W) = some reach(S, W), where W doesn't ask for what
// `from` sets. Nothing of W can be a fault, so that it makes no difference whether one outcome is looked for,
// or all.
TermId Normalizer::rewritten_can(TermId id, const Context& c) {
  const std::uint32_t origin = at(id).origin;
  Terms walk = items_of(kid(id, 0));
  TermId begins = id;
  if (is(walk[0], Op::from) || is(walk[0], Op::to)) {
    begins = kid(walk[0], 0);
    walk.erase(walk.begin());
    for (const TermId part : walk)
      if ((at(part).reads & (kStart | kHeading)) != 0) return id;
  } else if (c.placed && (c.no_heading || !asks_heading_before(walk))) {
    begins = s_.make(Op::here, Type::cells, {}, 0, 0, origin);
  } else {
    return id;
  }
  Context placed = c;
  placed.placed = true;
  for (const TermId part : walk)
    if (!only_walks(part) || may_fault(part, placed)) return id;
  const TermId leads =
      make(Op::reach, Type::cells, {begins, sequence_of(std::move(walk), origin)}, c, origin);
  return some(leads, c);
}

// Some member of S for which C holds = some S where C. Something of A - B is left where A isn't part of B.
// One cell and S have something in common where the cell is in S.
TermId Normalizer::rewritten_some(TermId id, const Context& c) {
  const Term t = at(id);
  const TermId x = t.kids[0];
  const Term set = at(x);
  const bool sure = !may_fault(x, c);
  if (is_none(x)) return s_.truth(false, t.origin);
  if (set.op == Op::cells || set.op == Op::directions || (sure && is_single(x, c)))
    return s_.truth(true, t.origin);
  if (set.op == Op::select) return make(Op::some_where, Type::truth, set.kids, c, t.origin, set.a);
  if (set.op == Op::list_for && !may_fault(x, c)) return some_binding(x, kid(x, 1), c);
  if (!is_set(set.type)) return id;
  Terms parts;
  switch (set.op) {
  case Op::minus: return negation(within(set.kids[0], set.kids[1], c, t.origin), c);
  case Op::unite:
    operands(x, Op::unite, parts);
    if (sure && std::any_of(parts.begin(), parts.end(), [&](TermId p) { return is_single(p, c); }))
      return s_.truth(true, t.origin);
    return id;
  case Op::meet: {
    operands(x, Op::meet, parts);
    const auto one = std::find_if(parts.begin(), parts.end(), [&](TermId p) { return is_single(p, c); });
    if (one == parts.end()) return id;
    const TermId cell = *one;
    parts.erase(one);
    return within(cell, meet(std::move(parts), c, set.type, t.origin), c, t.origin);
  }
  default: return id;
  }
}

// Some binding of the names of a list (E for v in S, w in T, …) for which a condition holds: some v in S
// where some w in T where C. Nothing can be a fault.
TermId Normalizer::some_binding(TermId list, TermId condition, const Context& c) {
  const Term t = at(list);
  for (std::size_t i = t.kids.size(); i-- > 2;)
    condition = make(Op::some_where, Type::truth, {t.kids[i], condition}, c, t.origin,
                     t.a + static_cast<std::int32_t>(i) - 2);
  return condition;
}

// A question about the members of a written list is asked of each by itself. Some v in S where true = some S.
// Where v in T is asked first, it is asked of the members of S & T. Of one member it is the question itself;
// and a question that doesn't ask for v is asked once.
TermId Normalizer::rewritten_some_where(TermId id, const Context& c) {
  const Term t = at(id);
  const auto slot = static_cast<std::uint32_t>(t.a);
  TermId set = t.kids[0];
  if (is_truth(t.kids[1], true)) return some(set, c);
  if (!may_fault(set, c) && (is_none(set) || is_truth(t.kids[1], false))) return s_.truth(false, t.origin);
  if (is(set, Op::list_for) && !may_fault(id, c)) {
    const TermId holds = s_.make(Op::let_value, Type::truth, {kid(set, 0), t.kids[1]}, t.a, 0, t.origin);
    return some_binding(set, all_of({kid(set, 1), value(holds, c)}, c, t.origin), c);
  }
  if (is(set, Op::list) && at(set).kids.size() <= kMostAskedOneByOne && !may_fault(id, c)) {
    Terms each;
    for (const TermId member : at(set).kids)
      each.push_back(value(s_.make(Op::let_value, Type::truth, {member, t.kids[1]}, t.a, 0, t.origin), c));
    return any_of(std::move(each), c, t.origin);
  }
  if (!is_set(at(set).type)) return id;
  Terms conditions;
  operands(t.kids[1], Op::all_of, conditions);
  if (may_fault(id, c)) return id;
  if (is(set, Op::select)) { // some v in (w in S where D) where C = some w in S where D and C
    const Term inner = at(set);
    const TermId read = s_.make(Op::local, inner.type, {}, inner.a, 0, t.origin);
    const TermId both = all_of({inner.kids[1], s_.substituted(t.kids[1], slot, read)}, c, t.origin);
    return make(Op::some_where, Type::truth, {inner.kids[0], both}, c, t.origin, inner.a);
  }
  split_condition(set, conditions, slot, c);
  const TermId rest = all_of(std::move(conditions), c, at(t.kids[1]).origin);
  if (set != t.kids[0]) return make(Op::some_where, Type::truth, {set, rest}, c, t.origin, t.a);
  if (!reads(rest, slot)) return all_of({some(set, c), rest}, c, t.origin);
  if (is_single(set, c) && holds_at_reads(rest, slot, set, false))
    return value(s_.substituted(rest, slot, set), c);
  return rest == t.kids[1] ? id : s_.with_kids(id, {set, rest});
}

} // namespace boardwright::runtime::normal
