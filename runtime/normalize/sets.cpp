// Sets of cells and directions: of unions and intersections one order, with the constant members folded into
// one; complements stand outside, where they are not a difference.
#include "runtime/normalize/normalizer.hpp"

#include <algorithm>

namespace boardwright::runtime::normal {

// The members of nested joins of one operation, from left to right.
void Normalizer::operands(TermId id, Op op, Terms& into) const {
  if (!is(id, op)) {
    into.push_back(id);
    return;
  }
  for (const TermId k : at(id).kids) operands(k, op, into);
}

TermId Normalizer::none(Type type, std::uint32_t origin) {
  return type == Type::cells ? s_.cells({}, origin) : s_.steps({}, origin);
}

// Takes the constants out of the operands, and gives what they make together.
std::optional<TermId> Normalizer::fixed_part(Op op, Terms& kids, Type type, std::uint32_t origin) {
  const auto is_fixed = [&](TermId k) { return is(k, Op::cells) || is(k, Op::directions); };
  const auto first = std::find_if(kids.begin(), kids.end(), is_fixed);
  if (first == kids.end()) return std::nullopt;
  const bool join = op == Op::unite;
  TermId result = *first;
  for (auto k = first + 1; k != kids.end(); ++k) {
    if (!is_fixed(*k)) continue;
    if (type == Type::cells) {
      const CellSet a = s_.cells_of(result), b = s_.cells_of(*k);
      result = s_.cells(join ? a | b : a & b, origin);
    } else {
      const StepSet a = s_.steps_of(result), b = s_.steps_of(*k);
      result = s_.steps(join ? a | b : a & b, origin);
    }
  }
  std::erase_if(kids, is_fixed);
  return result;
}

TermId Normalizer::chained(Op op, const Terms& kids, Type type, std::uint32_t origin) {
  TermId result = kids.front();
  for (std::size_t i = 1; i < kids.size(); ++i) result = s_.make(op, type, {result, kids[i]}, 0, 0, origin);
  return result;
}

namespace {

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

bool Normalizer::never_meet(TermId x, TermId y) const { return are_disjoint(s_, x, y); }

// Every cell is empty or has a top piece of one player or of nobody: all owners' cells together are the cells
// that aren't empty. Where no kind has a neutral letter no piece is neutral.
void Normalizer::join_owners(Terms& kids, std::uint32_t origin) {
  const auto players = static_cast<std::uint32_t>(program_.player_count());
  std::uint32_t of_player = 0;
  bool neutral = !has_neutral();
  const auto is_owner = [&](TermId k) {
    const auto who = static_cast<Owners>(at(k).a);
    return is(k, Op::owned) && (who != Owners::others || at(k).b < static_cast<std::int32_t>(players));
  };
  for (const TermId k : kids) {
    if (!is_owner(k)) continue;
    const auto who = static_cast<Owners>(at(k).a);
    const auto his = std::uint32_t{1} << at(k).b;
    if (who == Owners::exactly) of_player |= his;
    if (who == Owners::others) of_player |= ((std::uint32_t{1} << players) - 1) & ~his;
    if (who == Owners::neutral) neutral = true;
  }
  if (!neutral || of_player != (std::uint32_t{1} << players) - 1) return;
  std::erase_if(kids, is_owner);
  const TermId empty = s_.make(Op::empty, Type::cells, {}, 0, 0, origin);
  kids.push_back(s_.make(Op::complement, Type::cells, {empty}, 0, 0, origin));
}

bool Normalizer::has_neutral() const {
  return std::any_of(program_.kinds.begin(), program_.kinds.end(), [&](const Kind& k) {
    return k.letter.size() > program_.players.size() && k.letter.back() != 0;
  });
}

// The union is associative, commutative and idempotent. X | ~A = ~(A - X). A member that lies within another
// adds nothing. (Every operand is evaluated whatever the order, so a fault stays one.)
TermId Normalizer::unite(Terms kids, const Context& c, Type type, std::uint32_t origin) {
  Terms flat;
  for (const TermId k : kids) operands(k, Op::unite, flat);
  if (type == Type::cells) join_owners(flat, origin);
  const auto turned = std::find_if(flat.begin(), flat.end(), [&](TermId k) { return is(k, Op::complement); });
  if (turned != flat.end()) {
    const TermId inside = kid(*turned, 0);
    flat.erase(turned);
    return complement(flat.empty() ? inside : minus(inside, unite(flat, c, type, origin), c), c);
  }
  const auto fixed = fixed_part(Op::unite, flat, type, origin);
  if (fixed && is_board(*fixed) && !any_may_fault(flat, c)) return *fixed;
  if (fixed && !is_none(*fixed)) flat.push_back(*fixed);
  drop_repeats(flat);
  const auto inside_another = [&](TermId k) {
    if (may_fault(k, c) || (!is(k, Op::meet) && !is(k, Op::minus))) return false;
    Terms parts;
    operands(is(k, Op::minus) ? kid(k, 0) : k, Op::meet, parts);
    return std::any_of(flat.begin(), flat.end(), [&](TermId other) {
      return other != k &&
             std::any_of(parts.begin(), parts.end(), [&](TermId p) { return s_.same(p, other); });
    });
  };
  Terms kept;
  std::copy_if(flat.begin(), flat.end(), std::back_inserter(kept),
               [&](TermId k) { return !inside_another(k); });
  if (kept.empty()) return none(type, origin);
  sort(kept);
  return chained(Op::unite, kept, type, origin);
}

// The intersection likewise. P & ~A = P - A, (P - A) & Q = (P & Q) - A, ~A & ~B = ~(A | B). What can't be in
// P needs no taking away.
TermId Normalizer::meet(Terms kids, const Context& c, Type type, std::uint32_t origin) {
  Terms inside, outside, open(kids.rbegin(), kids.rend());
  while (!open.empty()) {
    const TermId id = open.back();
    open.pop_back();
    const Term& t = at(id);
    if (t.op == Op::meet)
      open.insert(open.end(), t.kids.rbegin(), t.kids.rend());
    else if (t.op == Op::complement)
      operands(t.kids[0], Op::unite, outside);
    else if (t.op == Op::minus) {
      operands(t.kids[1], Op::unite, outside);
      open.push_back(t.kids[0]);
    } else
      inside.push_back(id);
  }
  if (const auto gone =
          fixed_part(Op::unite, outside, type, origin)) { // - constant = & the rest of the board
    if (type == Type::cells)
      inside.push_back(s_.cells(program_.board.all - s_.cells_of(*gone), origin));
    else {
      StepSet all;
      for (int i = 0; i < static_cast<int>(program_.board.steps.size()); ++i) all.set(i);
      inside.push_back(s_.steps(all - s_.steps_of(*gone), origin));
    }
  }
  const auto fixed = fixed_part(Op::meet, inside, type, origin);
  const bool sure = !any_may_fault(inside, c) && !any_may_fault(outside, c);
  if (fixed && is_none(*fixed) && sure) return *fixed;
  if (fixed && !(is_board(*fixed) && (!inside.empty() || !outside.empty()))) inside.push_back(*fixed);
  drop_repeats(inside);
  drop_repeats(outside);
  if (sure) {
    for (const TermId x : inside)
      for (const TermId y : inside)
        if (are_disjoint(s_, x, y)) return none(type, origin);
    std::erase_if(outside, [&](TermId x) {
      return std::any_of(inside.begin(), inside.end(), [&](TermId y) { return are_disjoint(s_, x, y); });
    });
    for (const TermId x : inside)
      for (const TermId y : outside)
        if (s_.same(x, y)) return none(type, origin);
  }
  if (inside.empty() && outside.empty()) return s_.cells(program_.board.all, origin);
  if (inside.empty()) return complement(unite(std::move(outside), c, type, origin), c);
  sort(inside);
  const TermId kept = chained(Op::meet, inside, type, origin);
  if (outside.empty()) return kept;
  return s_.make(Op::minus, type, {kept, unite(std::move(outside), c, type, origin)}, 0, 0, origin);
}

// A - ~B = A & B; else A - B as an intersection.
TermId Normalizer::minus(TermId from, TermId what, const Context& c) {
  const Term t = at(from);
  if (is(what, Op::complement)) return meet({from, kid(what, 0)}, c, t.type, t.origin);
  return meet({from, s_.make(Op::minus, t.type, {from, what}, 0, 0, t.origin)}, c, t.type, t.origin);
}

// ~~A = A; of a constant the other cells.
TermId Normalizer::complement(TermId id, const Context&) {
  if (is(id, Op::complement)) return kid(id, 0);
  if (is(id, Op::cells)) return s_.cells(program_.board.all - s_.cells_of(id), at(id).origin);
  return s_.make(Op::complement, Type::cells, {id}, 0, 0, at(id).origin);
}

TermId Normalizer::rewritten_set(TermId id, const Context& c) {
  const Term t = at(id);
  const auto whole_place = [&](TermId result) { return s_.same(result, id) ? id : result; };
  switch (t.op) {
  case Op::unite: return is_set(t.type) ? whole_place(unite(t.kids, c, t.type, t.origin)) : id;
  case Op::meet: return is_set(t.type) ? whole_place(meet(t.kids, c, t.type, t.origin)) : id;
  case Op::minus: return is_set(t.type) ? whole_place(minus(t.kids[0], t.kids[1], c)) : id;
  case Op::complement: return whole_place(complement(t.kids[0], c));
  case Op::select: return rewritten_select(id, c);
  case Op::reach: return rewritten_reach(id, c);
  case Op::union_of: return rewritten_union_of(id, c);
  case Op::first:
  case Op::last: return is_single(t.kids[0], c) ? t.kids[0] : id;
  case Op::owned: {
    // Of two players the others are one; of one there are none. A neutral piece can't come about without a
    // letter. Whose view it is makes no difference to neutral pieces.
    const auto who = static_cast<Owners>(t.a);
    if (who == Owners::others && program_.player_count() == 2)
      return s_.make(t.op, t.type, {}, static_cast<std::int32_t>(Owners::exactly), 1 - t.b, t.origin);
    if (who == Owners::others && program_.player_count() == 1) return none(t.type, t.origin);
    if (who == Owners::neutral) {
      if (!has_neutral()) return none(t.type, t.origin);
      if (t.b != 0) return s_.make(t.op, t.type, {}, t.a, 0, t.origin);
    }
    return id;
  }
  default: return id;
  }
}

// Moves the conditions of the form v in T, where T doesn't ask for v, into the set that v runs through: v is
// in S and in T where it is in S & T. The caller makes sure that nothing is a fault.
void Normalizer::split_condition(TermId& set, Terms& conditions, std::uint32_t slot, const Context& c) {
  const Type type = at(set).type;
  for (auto k = conditions.begin(); k != conditions.end();) {
    const Term t = at(*k);
    const bool place = t.op == Op::within && is(t.kids[0], Op::local) &&
                       at(t.kids[0]).a == static_cast<std::int32_t>(slot) && !reads(t.kids[1], slot) &&
                       at(t.kids[1]).type == type;
    if (!place) {
      ++k;
      continue;
    }
    set = meet({set, t.kids[1]}, c, type, t.origin);
    k = conditions.erase(k);
  }
}

// The members of S for which true holds are S, and so on, as for `some`.
TermId Normalizer::rewritten_select(TermId id, const Context& c) {
  const Term t = at(id);
  if (!is_set(t.type)) return id;
  TermId set = t.kids[0];
  if (is_truth(t.kids[1], true) || is_none(set)) return set;
  if (may_fault(id, c)) return id;
  if (is_truth(t.kids[1], false)) return none(t.type, t.origin);
  const auto slot = static_cast<std::uint32_t>(t.a);
  if (is(set, Op::select)) {
    const Term inner = at(set);
    const TermId read = s_.make(Op::local, inner.type, {}, inner.a, 0, t.origin);
    const TermId both = all_of({inner.kids[1], s_.substituted(t.kids[1], slot, read)}, c, t.origin);
    return make(Op::select, t.type, {inner.kids[0], both}, c, t.origin, inner.a);
  }
  Terms conditions;
  operands(t.kids[1], Op::all_of, conditions);
  split_condition(set, conditions, slot, c);
  for (auto k = conditions.begin(); c.placed && k != conditions.end();) {
    const auto narrower = steps_where(set, t.a, *k);
    if (narrower) set = *narrower;
    k = narrower ? conditions.erase(k) : k + 1;
  }
  if (set == t.kids[0]) return id;
  const TermId rest = all_of(std::move(conditions), c, at(t.kids[1]).origin);
  return make(Op::select, t.type, {set, rest}, c, t.origin, t.a);
}

// Doing nothing, a walk ends where it began. From where one walk ends another goes on: the two are one walk,
// if the second doesn't ask for the heading, which it would begin without.
TermId Normalizer::rewritten_reach(TermId id, const Context& c) {
  const Term t = at(id);
  const TermId from = t.kids[0];
  if (is_nothing(t.kids[1]) || is_none(from)) return from;
  if (is(t.kids[1], Op::never) && !may_fault(from, c)) return none(Type::cells, t.origin);
  if (is(from, Op::reach) && only_walks(kid(from, 1)) && only_walks(t.kids[1]) &&
      (at(t.kids[1]).reads & kHeading) == 0) {
    Terms walk = items_of(kid(from, 1));
    const Terms then = items_of(t.kids[1]);
    walk.insert(walk.end(), then.begin(), then.end());
    const auto repeats = [&](TermId part) { return is(part, Op::repeat); };
    if (std::any_of(walk.begin(), walk.end(), repeats))
      return make(Op::reach, t.type, {kid(from, 0), sequence_of(std::move(walk), t.origin)}, c, t.origin);
  }
  // Where a loop may end: reach(S, (A*, at T)) = reach(S, A*) & T, if T is the same wherever the walker is.
  const Terms items = items_of(t.kids[1]);
  if (items.size() == 2 && is(items[0], Op::repeat) && is(items[1], Op::at) && only_walks(items[0])) {
    const TermId ends = kid(items[1], 0);
    if ((at(ends).reads & (kHere | kHeading)) == 0 && !may_fault(ends, c))
      return meet({make(Op::reach, t.type, {from, items[0]}, c, t.origin), ends}, c, t.type, t.origin);
  }
  return id;
}

// The union of a written list is the union of its members; of kinds, of the cells that they stand on.
TermId Normalizer::rewritten_union_of(TermId id, const Context& c) {
  const Term list = at(kid(id, 0));
  if (list.op == Op::list_for) {
    const TermId walks = union_of_walks(id, c);
    return walks == id ? union_of_lines(id, c) : walks;
  }
  if (list.op != Op::list) return id;
  Terms sets = list.kids;
  if (list.type == Type::kinds)
    for (TermId& k : sets) k = s_.make(Op::kind_cells, Type::cells, {k}, 0, 0, at(k).origin);
  return unite(std::move(sets), c, Type::cells, at(id).origin);
}

} // namespace boardwright::runtime::normal
