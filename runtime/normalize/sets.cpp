// Sets of cells and directions: of unions and intersections one order, with the constant members folded into
// one; complements stand outside, where they are not a difference.
#include "runtime/normalize/sets.hpp"
#include "runtime/normalize/ahead.hpp"
#include "runtime/normalize/conditions.hpp"
#include "runtime/normalize/groups.hpp"
#include "runtime/normalize/lines.hpp"
#include "runtime/normalize/sequences.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

namespace {

bool has_neutral(const Rewriter& rw);
TermId rewritten_select(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_reach(Rewriter& rw, TermId id, const DraftFacts& c);
TermId rewritten_union_of(Rewriter& rw, TermId id, const DraftFacts& c);

} // namespace

// The members of nested joins of one operation, from left to right.
void operands(const Rewriter& rw, TermId id, Op op, Terms& into) {
  if (!rw.is(id, op)) {
    into.push_back(id);
    return;
  }
  for (const TermId k : rw.at(id).kids) operands(rw, k, op, into);
}

TermId none(Rewriter& rw, Type type, std::uint32_t origin) {
  return type == Type::cells ? rw.terms.cells({}, origin) : rw.terms.steps({}, origin);
}

namespace {

// Takes the constants out of the operands, and gives what they make together.
std::optional<TermId> fixed_part(Rewriter& rw, Op op, Terms& kids, Type type, std::uint32_t origin) {
  const auto is_fixed = [&](TermId k) { return rw.is(k, Op::cells) || rw.is(k, Op::directions); };
  const auto first = std::find_if(kids.begin(), kids.end(), is_fixed);
  if (first == kids.end()) return std::nullopt;
  const bool join = op == Op::unite;
  TermId result = *first;
  for (auto k = first + 1; k != kids.end(); ++k) {
    if (!is_fixed(*k)) continue;
    if (type == Type::cells) {
      const CellSet a = rw.terms.cells_of(result), b = rw.terms.cells_of(*k);
      result = rw.terms.cells(join ? a | b : a & b, origin);
    } else {
      const StepSet a = rw.terms.steps_of(result), b = rw.terms.steps_of(*k);
      result = rw.terms.steps(join ? a | b : a & b, origin);
    }
  }
  std::erase_if(kids, is_fixed);
  return result;
}

TermId chained(Rewriter& rw, Op op, const Terms& kids, Type type, std::uint32_t origin) {
  TermId result = kids.front();
  for (std::size_t i = 1; i < kids.size(); ++i)
    result = rw.terms.make(op, type, {result, kids[i]}, 0, 0, origin);
  return result;
}

// Do two sets of one position never have a cell in common? Every cell is empty, or has a top piece of one
// owner and one kind.
bool are_disjoint(const TermStore& s, TermId x, TermId y) {
  const Term &a = s[x], &b = s[y];
  if (a.op == Op::empty) return b.op == Op::owned || b.op == Op::kind_cells;
  if (b.op == Op::empty) return are_disjoint(s, y, x);
  if (a.op == Op::kind_cells && b.op == Op::kind_cells) {
    const Term &k = s[a.kids[0]], &l = s[b.kids[0]];
    return k.op == Op::kind && l.op == Op::kind && k.a != l.a;
  }
  if (a.op != Op::owned || b.op != Op::owned) return false;
  const auto p = static_cast<Owners>(a.a), q = static_cast<Owners>(b.a);
  if (p == Owners::neutral || q == Owners::neutral) return p != q;
  if (p == Owners::exactly && q == Owners::exactly) return a.b != b.b;
  return p != q && a.b == b.b; // his, and the others'
}

} // namespace

bool never_meet(const Rewriter& rw, TermId x, TermId y) { return are_disjoint(rw.terms, x, y); }

namespace {

// Every cell is empty or has a top piece of one player or of nobody: all owners' cells together are the cells
// that aren't empty. Where no kind has a neutral letter no piece is neutral.
void join_owners(Rewriter& rw, Terms& kids, std::uint32_t origin) {
  const auto players = static_cast<std::uint32_t>(rw.program.player_count());
  std::uint32_t of_player = 0;
  bool neutral = !has_neutral(rw);
  const auto is_owner = [&](TermId k) {
    const auto who = static_cast<Owners>(rw.at(k).a);
    return rw.is(k, Op::owned) && (who != Owners::others || rw.at(k).b < static_cast<std::int32_t>(players));
  };
  for (const TermId k : kids) {
    if (!is_owner(k)) continue;
    const auto who = static_cast<Owners>(rw.at(k).a);
    const auto his = std::uint32_t{1} << rw.at(k).b;
    if (who == Owners::exactly) of_player |= his;
    if (who == Owners::others) of_player |= ((std::uint32_t{1} << players) - 1) & ~his;
    if (who == Owners::neutral) neutral = true;
  }
  if (!neutral || of_player != (std::uint32_t{1} << players) - 1) return;
  std::erase_if(kids, is_owner);
  const TermId empty = rw.terms.make(Op::empty, Type::cells, {}, 0, 0, origin);
  kids.push_back(rw.terms.make(Op::complement, Type::cells, {empty}, 0, 0, origin));
}

// n * D | n * E = n * (D | E)
void join_multiples(Rewriter& rw, Terms& kids, const DraftFacts& c) {
  for (std::size_t i = 0; i < kids.size(); ++i) {
    if (!rw.is(kids[i], Op::times)) continue;
    for (std::size_t j = i + 1; j < kids.size();) {
      if (!rw.is(kids[j], Op::times) || !rw.terms.same(rw.kid(kids[i], 0), rw.kid(kids[j], 0))) {
        ++j;
        continue;
      }
      const TermId steps =
          unite(rw, {rw.kid(kids[i], 1), rw.kid(kids[j], 1)}, c, Type::directions, rw.at(kids[i]).origin);
      kids[i] = rw.terms.with_kids(kids[i], {rw.kid(kids[i], 0), steps});
      kids.erase(kids.begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
}

bool has_neutral(const Rewriter& rw) {
  return std::any_of(rw.program.kinds.begin(), rw.program.kinds.end(), [&](const Kind& k) {
    return k.letter.size() > rw.program.players.size() && k.letter.back() != 0;
  });
}

} // namespace

// The union is associative, commutative and idempotent. X | ~A = ~(A - X). A member that lies within another
// adds nothing. (Every operand is evaluated whatever the order, so a fault stays one.)
TermId unite(Rewriter& rw, Terms kids, const DraftFacts& c, Type type, std::uint32_t origin) {
  Terms flat;
  for (const TermId k : kids) operands(rw, k, Op::unite, flat);
  if (type == Type::cells) join_owners(rw, flat, origin);
  if (type == Type::directions) join_multiples(rw, flat, c);
  const auto turned =
      std::find_if(flat.begin(), flat.end(), [&](TermId k) { return rw.is(k, Op::complement); });
  if (turned != flat.end()) {
    const TermId inside = rw.kid(*turned, 0);
    flat.erase(turned);
    return complement(rw, flat.empty() ? inside : minus(rw, inside, unite(rw, flat, c, type, origin), c), c);
  }
  const auto fixed = fixed_part(rw, Op::unite, flat, type, origin);
  if (fixed && rw.is_board(*fixed) && !any_may_fault(rw, flat, c)) return *fixed;
  if (fixed && !rw.is_none(*fixed)) flat.push_back(*fixed);
  drop_repeats(rw, flat);
  const auto inside_another = [&](TermId k) {
    if (may_fault(rw, k, c) || (!rw.is(k, Op::meet) && !rw.is(k, Op::minus))) return false;
    Terms parts;
    operands(rw, rw.is(k, Op::minus) ? rw.kid(k, 0) : k, Op::meet, parts);
    return std::any_of(flat.begin(), flat.end(), [&](TermId other) {
      return other != k &&
             std::any_of(parts.begin(), parts.end(), [&](TermId p) { return rw.terms.same(p, other); });
    });
  };
  Terms kept;
  std::copy_if(flat.begin(), flat.end(), std::back_inserter(kept),
               [&](TermId k) { return !inside_another(k); });
  if (kept.empty()) return none(rw, type, origin);
  sort(rw, kept);
  return chained(rw, Op::unite, kept, type, origin);
}

// The intersection likewise. P & ~A = P - A, (P - A) & Q = (P & Q) - A, ~A & ~B = ~(A | B). What can't be in
// P needs no taking away.
TermId meet(Rewriter& rw, Terms kids, const DraftFacts& c, Type type, std::uint32_t origin) {
  Terms inside, outside, open(kids.rbegin(), kids.rend());
  while (!open.empty()) {
    const TermId id = open.back();
    open.pop_back();
    const Term& t = rw.at(id);
    if (t.op == Op::meet)
      open.insert(open.end(), t.kids.rbegin(), t.kids.rend());
    else if (t.op == Op::complement)
      operands(rw, t.kids[0], Op::unite, outside);
    else if (t.op == Op::minus) {
      operands(rw, t.kids[1], Op::unite, outside);
      open.push_back(t.kids[0]);
    } else
      inside.push_back(id);
  }
  if (const auto gone =
          fixed_part(rw, Op::unite, outside, type, origin)) { // - constant = & the rest of the board
    if (type == Type::cells)
      inside.push_back(rw.terms.cells(rw.program.board.all - rw.terms.cells_of(*gone), origin));
    else {
      StepSet all;
      for (int i = 0; i < static_cast<int>(rw.program.board.steps.size()); ++i) all.set(i);
      inside.push_back(rw.terms.steps(all - rw.terms.steps_of(*gone), origin));
    }
  }
  const auto fixed = fixed_part(rw, Op::meet, inside, type, origin);
  const bool sure = !any_may_fault(rw, inside, c) && !any_may_fault(rw, outside, c);
  if (fixed && rw.is_none(*fixed) && sure) return *fixed;
  if (fixed && !(rw.is_board(*fixed) && (!inside.empty() || !outside.empty()))) inside.push_back(*fixed);
  drop_repeats(rw, inside);
  drop_repeats(rw, outside);
  if (sure) {
    for (const TermId x : inside)
      for (const TermId y : inside)
        if (are_disjoint(rw.terms, x, y)) return none(rw, type, origin);
    std::erase_if(outside, [&](TermId x) {
      return std::any_of(inside.begin(), inside.end(),
                         [&](TermId y) { return are_disjoint(rw.terms, x, y); });
    });
    for (const TermId x : inside)
      for (const TermId y : outside)
        if (rw.terms.same(x, y)) return none(rw, type, origin);
  }
  if (inside.empty() && outside.empty()) return rw.terms.cells(rw.program.board.all, origin);
  if (inside.empty()) return complement(rw, unite(rw, std::move(outside), c, type, origin), c);
  sort(rw, inside);
  const TermId kept = chained(rw, Op::meet, inside, type, origin);
  if (outside.empty()) return kept;
  return rw.terms.make(Op::minus, type, {kept, unite(rw, std::move(outside), c, type, origin)}, 0, 0, origin);
}

// A - ~B = A & B; else A - B as an intersection.
TermId minus(Rewriter& rw, TermId from, TermId what, const DraftFacts& c) {
  const Term t = rw.at(from);
  if (rw.is(what, Op::complement)) return meet(rw, {from, rw.kid(what, 0)}, c, t.type, t.origin);
  return meet(rw, {from, rw.terms.make(Op::minus, t.type, {from, what}, 0, 0, t.origin)}, c, t.type,
              t.origin);
}

// ~~A = A; of a constant the other cells.
TermId complement(Rewriter& rw, TermId id, const DraftFacts&) {
  if (rw.is(id, Op::complement)) return rw.kid(id, 0);
  if (rw.is(id, Op::cells))
    return rw.terms.cells(rw.program.board.all - rw.terms.cells_of(id), rw.at(id).origin);
  return rw.terms.make(Op::complement, Type::cells, {id}, 0, 0, rw.at(id).origin);
}

TermId rewritten_set(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  const auto whole_place = [&](TermId result) { return rw.terms.same(result, id) ? id : result; };
  switch (t.op) {
  case Op::unite: return is_set(t.type) ? whole_place(unite(rw, t.kids, c, t.type, t.origin)) : id;
  case Op::meet: return is_set(t.type) ? whole_place(meet(rw, t.kids, c, t.type, t.origin)) : id;
  case Op::minus: return is_set(t.type) ? whole_place(minus(rw, t.kids[0], t.kids[1], c)) : id;
  case Op::complement: return whole_place(complement(rw, t.kids[0], c));
  case Op::select: return rewritten_select(rw, id, c);
  case Op::reach: return rewritten_reach(rw, id, c);
  case Op::union_of: return rewritten_union_of(rw, id, c);
  case Op::first:
  case Op::last: return is_single(rw, t.kids[0], c) ? t.kids[0] : id;
  case Op::owned: {
    // Of two players the others are one; of one there are none. A neutral piece can't come about without a
    // letter. Whose view it is makes no difference to neutral pieces.
    const auto who = static_cast<Owners>(t.a);
    if (who == Owners::others && rw.program.player_count() == 2)
      return rw.terms.make(t.op, t.type, {}, static_cast<std::int32_t>(Owners::exactly), 1 - t.b, t.origin);
    if (who == Owners::others && rw.program.player_count() == 1) return none(rw, t.type, t.origin);
    if (who == Owners::neutral) {
      if (!has_neutral(rw)) return none(rw, t.type, t.origin);
      if (t.b != 0) return rw.terms.make(t.op, t.type, {}, t.a, 0, t.origin);
    }
    return id;
  }
  default: return id;
  }
}

// Moves the conditions of the form v in T, where T doesn't ask for v, into the set that v runs through: v is
// in S and in T where it is in S & T. The caller makes sure that nothing is a fault.
void split_condition(Rewriter& rw, TermId& set, Terms& conditions, std::uint32_t slot, const DraftFacts& c) {
  const Type type = rw.at(set).type;
  for (auto k = conditions.begin(); k != conditions.end();) {
    const Term t = rw.at(*k);
    const bool place = t.op == Op::within && rw.is(t.kids[0], Op::local) &&
                       rw.at(t.kids[0]).a == static_cast<std::int32_t>(slot) && !rw.reads(t.kids[1], slot) &&
                       rw.at(t.kids[1]).type == type;
    if (!place) {
      ++k;
      continue;
    }
    set = meet(rw, {set, t.kids[1]}, c, type, t.origin);
    k = conditions.erase(k);
  }
}

namespace {

// The members of a .. b that are at most n are a .. least(b, n).
TermId narrowed_range(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  if (!rw.is(t.kids[0], Op::range) || may_fault(rw, id, c)) return id;
  const auto slot = static_cast<std::uint32_t>(t.a);
  const auto is_member = [&](TermId k) { return rw.is(k, Op::local) && rw.at(k).a == t.a; };
  TermId low = rw.kid(t.kids[0], 0), high = rw.kid(t.kids[0], 1);
  Terms conditions;
  operands(rw, t.kids[1], Op::all_of, conditions);
  const std::size_t all = conditions.size();
  for (auto k = conditions.begin(); k != conditions.end();) {
    const bool bounds = rw.is(*k, Op::at_most);
    const TermId a = bounds ? rw.kid(*k, 0) : 0, b = bounds ? rw.kid(*k, 1) : 0;
    if (bounds && is_member(a) && !rw.reads(b, slot))
      high = make(rw, Op::least, Type::number, {high, b}, c, t.origin);
    else if (bounds && is_member(b) && !rw.reads(a, slot))
      low = make(rw, Op::greatest, Type::number, {low, a}, c, t.origin);
    else {
      ++k;
      continue;
    }
    k = conditions.erase(k);
  }
  if (conditions.size() == all) return id;
  const TermId range = make(rw, Op::range, t.type, {low, high}, c, t.origin);
  if (conditions.empty()) return range;
  const TermId rest = all_of(rw, std::move(conditions), c, rw.at(t.kids[1]).origin);
  return rw.terms.make(Op::select, t.type, {range, rest}, t.a, 0, t.origin);
}

// The members of S for which true holds are S, and so on, as for `some`.
TermId rewritten_select(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  if (!is_set(t.type)) return narrowed_range(rw, id, c);
  TermId set = t.kids[0];
  if (rw.is_truth(t.kids[1], true) || rw.is_none(set)) return set;
  if (may_fault(rw, id, c)) return id;
  if (rw.is_truth(t.kids[1], false)) return none(rw, t.type, t.origin);
  const auto slot = static_cast<std::uint32_t>(t.a);
  if (rw.is(set, Op::select)) {
    const Term inner = rw.at(set);
    const TermId read = rw.terms.make(Op::local, inner.type, {}, inner.a, 0, t.origin);
    const TermId both = all_of(rw, {inner.kids[1], rw.terms.substituted(t.kids[1], slot, read)}, c, t.origin);
    return make(rw, Op::select, t.type, {inner.kids[0], both}, c, t.origin, inner.a);
  }
  Terms conditions;
  operands(rw, t.kids[1], Op::all_of, conditions);
  split_condition(rw, set, conditions, slot, c);
  for (auto k = conditions.begin(); c.placed && k != conditions.end();) {
    const auto narrower = steps_where(rw, set, t.a, *k);
    if (narrower) set = *narrower;
    k = narrower ? conditions.erase(k) : k + 1;
  }
  if (set == t.kids[0]) return id;
  const TermId rest = all_of(rw, std::move(conditions), c, rw.at(t.kids[1]).origin);
  return make(rw, Op::select, t.type, {set, rest}, c, t.origin, t.a);
}

// Doing nothing, a walk ends where it began. From where one walk ends another goes on: the two are one walk,
// if the second doesn't ask for the heading, which it would begin without.
// All cells that a set may have, by the constants that it is an intersection with.
CellSet at_most_in(const Rewriter& rw, TermId set) {
  Terms parts;
  operands(rw, rw.is(set, Op::minus) ? rw.kid(set, 0) : set, Op::meet, parts);
  CellSet all = rw.program.board.all;
  for (const TermId p : parts)
    if (rw.is(p, Op::cells)) all = all & rw.terms.cells_of(p);
  return all;
}

// Does no walk of known steps lead from cells of a set to where it must go?
bool leads_nowhere(const Rewriter& rw, TermId from, TermId walk, const DraftFacts& c) {
  if (may_fault(rw, from, c)) return false;
  CellSet cells = at_most_in(rw, from);
  for (const TermId item : items_of(rw, walk)) {
    if (rw.is(item, Op::at) && !may_fault(rw, item, c)) {
      cells = cells & at_most_in(rw, rw.kid(item, 0));
    } else if (rw.is(item, Op::go) && rw.is(rw.kid(item, 0), Op::directions)) {
      CellSet there;
      rw.terms.steps_of(rw.kid(item, 0)).each([&](int step) {
        const auto& to = rw.program.board.steps[static_cast<std::size_t>(step)].to;
        cells.each([&](int cell) {
          if (const int next = to[static_cast<std::size_t>(cell)]; next != kNowhere) there.set(next);
        });
      });
      cells = there;
    } else {
      return false;
    }
  }
  return cells.none();
}

TermId rewritten_reach(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term t = rw.at(id);
  const TermId from = t.kids[0];
  if (rw.is_nothing(t.kids[1]) || rw.is_none(from)) return from;
  if (rw.is(t.kids[1], Op::never) && !may_fault(rw, from, c)) return none(rw, Type::cells, t.origin);
  if (leads_nowhere(rw, from, t.kids[1], c)) return none(rw, Type::cells, t.origin);
  if (rw.is(from, Op::reach) && only_walks(rw, rw.kid(from, 1)) && only_walks(rw, t.kids[1]) &&
      (rw.at(t.kids[1]).reads & kHeading) == 0) {
    Terms walk = items_of(rw, rw.kid(from, 1));
    const Terms then = items_of(rw, t.kids[1]);
    walk.insert(walk.end(), then.begin(), then.end());
    const auto repeats = [&](TermId part) { return rw.is(part, Op::repeat); };
    if (std::any_of(walk.begin(), walk.end(), repeats))
      return make(rw, Op::reach, t.type, {rw.kid(from, 0), sequence_of(rw, std::move(walk), t.origin)}, c,
                  t.origin);
  }
  // Where a loop may end: reach(S, (A*, at T)) = reach(S, A*) & T, if T is the same wherever the walker is.
  const Terms items = items_of(rw, t.kids[1]);
  if (items.size() == 2 && rw.is(items[0], Op::repeat) && rw.is(items[1], Op::at) &&
      only_walks(rw, items[0])) {
    const TermId ends = rw.kid(items[1], 0);
    if ((rw.at(ends).reads & (kHere | kHeading)) == 0 && !may_fault(rw, ends, c))
      return meet(rw, {make(rw, Op::reach, t.type, {from, items[0]}, c, t.origin), ends}, c, t.type,
                  t.origin);
  }
  return id;
}

// The union of a written list is the union of its members; of kinds, of the cells that they stand on.
TermId rewritten_union_of(Rewriter& rw, TermId id, const DraftFacts& c) {
  const Term list = rw.at(rw.kid(id, 0));
  if (const TermId groups = union_of_groups(rw, id, c); groups != id) return groups;
  if (list.op == Op::list_for) {
    const TermId walks = union_of_walks(rw, id, c);
    return walks == id ? union_of_lines(rw, id, c) : walks;
  }
  if (list.op != Op::list) return id;
  Terms sets = list.kids;
  if (list.type == Type::kinds)
    for (TermId& k : sets) k = rw.terms.make(Op::kind_cells, Type::cells, {k}, 0, 0, rw.at(k).origin);
  return unite(rw, std::move(sets), c, Type::cells, rw.at(id).origin);
}

} // namespace

} // namespace boardwright::runtime::normal
