// Connected parts of sets. What has been found of a set is kept from one question to the next: a set that has
// gained or lost one cell since then is the common case, and only what that cell changes is looked at. What
// is kept is a statement about a set that is kept with it, so it is true whatever position comes next.
#include "runtime/lowering/lowering.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// All names in a value stand for something here (names that it binds itself are taken for unknown).
bool Lowering::names_bound(NodeId id, const Draft& d) const {
  const Node& n = node(id);
  if (n.op == Op::local && d.locals.count(n.a) == 0 && !is_changed(n.a)) return false;
  for (std::uint32_t k = 0; k < n.count; ++k)
    if (program_.kid(n, k) != kNoNode && !names_bound(program_.kid(n, k), d)) return false;
  return true;
}

// `group(c, S, D)`: reach(c & S, (go D, at S)*). What c is the caller says.
std::optional<Group> Lowering::group(NodeId id, Draft& d) {
  const Node n = node(id);
  if (n.op != Op::reach || d.decided) return std::nullopt;
  const NodeId begin = kid(id, 0), loop = kid(id, 1);
  const Op first = node(begin).op;
  if ((first != Op::meet && first != Op::minus) || node(loop).op != Op::repeat || node(loop).a != kUnbounded)
    return std::nullopt;
  const Node low = node(kid(loop, 1));
  if (low.op != Op::number || low.a > 0) return std::nullopt;
  const auto body = round(kid(loop, 0), d);
  if (!body || body->steps.count() < 2 || !goes_both_ways(body->steps)) return std::nullopt;
  for (const NodeId tested : body->tests)
    if (reads_walker(tested) || !names_bound(tested, d)) return std::nullopt;
  for (const std::uint32_t k : {1u, 0u}) {
    const NodeId of = kid(begin, 1 - k), set_of_it = kid(begin, k);
    if (first == Op::minus && k == 0) continue; // c - S is c & ~S
    if (reads_walker(set_of_it) || !names_bound(set_of_it, d)) continue;
    // The set that the group is in may not go by the cell that it is the group of.
    const auto by_cell = [&](NodeId value) {
      return node(of).op == Op::local && contains_local(value, node(of).a);
    };
    if (by_cell(set_of_it) || std::any_of(body->tests.begin(), body->tests.end(), by_cell)) continue;
    const Reg through_it = through(*body, d);
    Reg within = set(set_of_it, d);
    if (first == Op::minus) within = minus(board_, within);
    if (within == through_it) return Group{of, body->steps, through_it};
  }
  return std::nullopt;
}

// The set that a group is part of, whatever cell it is the group of; none_ where it isn't known.
Reg Lowering::group_within(NodeId id, Draft& d) {
  Emitter::Attempt attempt(e_);
  if (const auto g = group(id, d)) return g->through;
  attempt.give_up();
  return none_;
}

// `groups(S, D)`: of each cell of S the part of S that is connected with it.
std::optional<Group> Lowering::all_groups(NodeId list, Draft& d) {
  if (!is_on(Form::groups)) return std::nullopt;
  const Node n = node(list);
  if (n.op != Op::list_for || n.type != Type::sets || n.b != 1) return std::nullopt;
  const Node every = node(kid(list, 1));
  if (every.op != Op::truth || every.a == 0 || node(kid(list, 2)).type != Type::cells) return std::nullopt;
  if (!names_bound(kid(list, 2), d)) return std::nullopt;
  Emitter::Attempt attempt(e_);
  Draft inside = d;
  inside.locals[n.a] = make_cell(e_.number_constant(-1), all_contents()); // which one doesn't matter
  const auto g = group(kid(list, 0), inside);
  if (g && node(g->of).op == Op::local && node(g->of).a == n.a && set(kid(list, 2), d) == g->through)
    return g;
  attempt.give_up();
  return std::nullopt;
}

// Code for every group of a set, in the order of their first cells. Each is found once, from a cell that is
// in none of those before.
void Lowering::each_group(const Group& all, const std::function<void(Val, Label)>& body) {
  const Emitter::Scope scope(e_);
  const Label next = e_.label(), past = e_.label();
  const Reg left = e_.new_set(), one = e_.new_set(), part = e_.new_set(), cell = e_.new_number();
  e_.emit(Ir::set_copy, left, all.through);
  e_.place(next);
  e_.emit(Ir::take, cell, left, 0, 0, past);
  e_.emit(Ir::set_cell, one, cell);
  e_.emit(Ir::set_flood, part, one, all.through, 0, steps_table(all.steps));
  e_.emit(Ir::set_minus, left, left, part);
  {
    const Emitter::Scope inside(e_);
    body(any_set(part), next);
  }
  e_.go(next);
  e_.place(past);
}

// Sets that are told by different owners, or by having none.
bool Lowering::apart(Reg a, Reg b) const {
  const auto by_owner = [this](Reg r) { return r < layout_.owners || r == layout_.empty; };
  return a != b && by_owner(a) && by_owner(b);
}

// What is known already, and all that is connected with cells of a constant set.
std::optional<Reg> Lowering::kept_group(NodeId id, Draft& d) {
  if (!is_on(Form::kept_groups)) return std::nullopt;
  Emitter::Attempt attempt(e_);
  const auto g = group(id, d);
  if (g && node(g->of).op == Op::local)
    if (const auto known = known_groups_.find(node(g->of).a); known != known_groups_.end())
      if (known->second.first.through == g->through && known->second.first.steps == g->steps)
        return known->second.second;
  if (g && node(g->of).op == Op::cells && e_.known_set(g->through) == nullptr)
    return grown(set(g->of, d), g->steps, g->through);
  attempt.give_up();
  return std::nullopt;
}

Reg Lowering::grown(Reg seeds, const StepSet& steps, Reg through) {
  const Reg result = e_.new_set(), then = e_.new_kept_set(), found = e_.new_kept_set();
  const auto table = steps_table(steps);
  {
    const Emitter::Scope scope(e_);
    const Label more = e_.label(), anew = e_.label(), add = e_.label(), later = e_.label(), done = e_.label();
    const Reg change = e_.new_set(), one = e_.new_set(), near = e_.new_set(), left = e_.new_set(),
              part = e_.new_set();
    const Reg cell = e_.new_number();
    const auto one_cell = [&](Reg a, Reg b) { // by which a has more than b
      e_.emit(Ir::set_minus, change, a, b);
      e_.emit(Ir::first, cell, change);
      e_.emit(Ir::set_cell, one, cell);
      e_.emit(Ir::if_not_same, 0, change, one, 0, anew);
      e_.emit(Ir::set_around, near, cell, 0, 0, table);
    };
    e_.emit(Ir::if_part, 0, then, through, 0, more);
    e_.emit(Ir::if_not_part, 0, through, then, 0, anew);
    // A cell has gone. If those around it that were found are connected among themselves nothing else is
    // lost, unless it was itself where it all began.
    one_cell(then, through);
    e_.emit(Ir::if_out, 0, cell, found, 0, later);
    e_.emit(Ir::set_minus, left, found, one);
    e_.emit(Ir::set_meet, near, near, left);
    const Label elsewhere = e_.label(), good = e_.label();
    e_.emit(Ir::if_none, 0, near, 0, 0, good);
    e_.emit(Ir::if_out, 0, cell, seeds, 0, elsewhere);
    e_.emit(Ir::if_apart, 0, near, seeds, 0, anew);
    e_.place(elsewhere);
    e_.emit(Ir::set_first, part, near);
    e_.emit(Ir::set_flood, part, part, near, 0, table);
    e_.emit(Ir::if_not_same, 0, part, near, 0, anew);
    e_.place(good);
    e_.emit(Ir::set_copy, found, left);
    e_.go(later);
    e_.place(anew);
    e_.emit(Ir::set_meet, part, seeds, through);
    e_.emit(Ir::set_flood, found, part, through, 0, table);
    e_.go(later);
    // A cell has come.
    e_.place(more);
    e_.emit(Ir::if_same, 0, then, through, 0, done);
    one_cell(through, then);
    e_.emit(Ir::if_in, 0, cell, seeds, 0, add);
    e_.emit(Ir::if_apart, 0, near, found, 0, later);
    e_.place(add);
    e_.emit(Ir::set_minus, left, through, found);
    e_.emit(Ir::set_flood, part, one, left, 0, table);
    e_.emit(Ir::set_join, found, part);
    e_.place(later);
    e_.emit(Ir::set_copy, then, through);
    e_.place(done);
    e_.emit(Ir::set_copy, result, found);
  }
  e_.depend(result, e_.parts_of_set(through) | e_.parts_of_set(seeds));
  return result;
}

// ---------------------------------------------------------------- some group for which something holds

// A value that is the same whenever these names stand for the same. Within a walk the walker is its own.
bool Lowering::is_told_by(NodeId id, std::vector<std::int32_t> names, const Draft& d,
                          const std::function<bool(NodeId)>& known, std::uint16_t of_walk) const {
  if (known && known(id)) return true;
  const Node& n = node(id);
  if (n.op == Op::local) {
    if (std::find(names.begin(), names.end(), n.a) != names.end()) return true;
    const auto bound = d.locals.find(n.a);
    return bound != d.locals.end() && bound->second.is(Kind::steps);
  }
  if ((own_reads(n.op) & ~of_walk) != 0) return false;
  for (std::int32_t k = 0; k < slots_bound_by(n.op, n.b); ++k) names.push_back(n.a + k);
  for (std::uint32_t k = 0; k < n.count; ++k) {
    const std::uint16_t walker = n.op == Op::reach && k == 1 ? kHere | kHeading : of_walk;
    if (program_.kid(n, k) != kNoNode && !is_told_by(program_.kid(n, k), names, d, known, walker))
      return false;
  }
  return true;
}

// `some g in groups(S, D) where …`, or `some c in S where …`, where c matters only by its group. Groups of
// the set that was asked before are not asked again: those that have no new cell are the same.
bool Lowering::jump_some_group(const Node& n, bool when, Label to, Draft& d) {
  if (!is_on(Form::groups)) return false;
  const NodeId from = program_.kid(n, 0), condition = program_.kid(n, 1);
  const Node list = node(from);
  const bool of_list = list.op == Op::list_for;
  if (of_list ? list.b != 1 || node(kid(from, 0)).type != Type::cells : list.type != Type::cells)
    return false;
  const std::int32_t slot = of_list ? list.a : n.a;
  Emitter::Attempt attempt(e_);
  const auto fails = [&] {
    attempt.give_up();
    return false;
  };
  // The groups.
  Draft inside = d;
  inside.locals[slot] = make_cell(e_.number_constant(-1), all_contents()); // which one doesn't matter
  std::optional<Group> g;
  const auto is_group = [&](NodeId id) {
    if (node(id).op != Op::reach) return false;
    auto other = group(id, inside);
    if (!other || node(other->of).op != Op::local || node(other->of).a != slot) return false;
    if (!g) g = other;
    return g->through == other->through && g->steps == other->steps;
  };
  if (of_list) {
    const Node all = node(kid(from, 1));
    if (all.op != Op::truth || all.a == 0 || !is_group(kid(from, 0))) return fails();
    if (!is_told_by(condition, {n.a}, d, nullptr)) return fails();
  } else if (!is_told_by(condition, {}, d, is_group) || !g) {
    return fails();
  }
  // All of them, or those with a cell in a constant set.
  const NodeId of = of_list ? kid(from, 2) : from;
  Reg marked = board_;
  if (set(of, d) != g->through) {
    if (node(of).op != Op::meet) return fails();
    const Reg a = set(kid(of, 0), d), b = set(kid(of, 1), d);
    if ((a != g->through || e_.known_set(b) == nullptr) && (b != g->through || e_.known_set(a) == nullptr))
      return fails();
    marked = a == g->through ? b : a;
  }
  // Some group with cells of two constant sets: what is connected with the one meets the other.
  std::vector<Reg> goals;
  const bool named = node(condition).op == Op::let_value;
  const NodeId asked_of = named ? kid(condition, 1) : condition;
  const auto is_goal = [&](NodeId part) {
    if (node(part).op != Op::some || node(kid(part, 0)).op != Op::meet) return false;
    for (const std::uint32_t k : {0u, 1u}) {
      const NodeId of_it = kid(kid(part, 0), k), goal = kid(kid(part, 0), 1 - k);
      const bool by_name = node(of_it).op == Op::local &&
                           (named ? node(of_it).a == node(condition).a : of_list && node(of_it).a == n.a);
      if (node(goal).op != Op::cells || !(by_name || (!of_list && is_group(of_it)))) continue;
      goals.push_back(set(goal, d));
      return true;
    }
    return false;
  };
  if (marked == board_ && e_.known_set(g->through) == nullptr && node(asked_of).op == Op::all_of &&
      node(asked_of).count == 2 && (!named || (!of_list && is_group(kid(condition, 0)))) &&
      is_goal(kid(asked_of, 0)) && is_goal(kid(asked_of, 1))) {
    test(Ir::if_meet, grown(goals[0], g->steps, g->through), goals[1], when, to);
    return true;
  }
  const Reg then = e_.new_kept_set();
  const Label past = e_.label(), loop = e_.label(), done = e_.label(), all = e_.label();
  {
    const Emitter::Scope scope(e_);
    const Reg left = e_.new_set(), part = e_.new_set();
    const Reg cell = e_.new_number();
    e_.emit(Ir::set_copy, left, g->through);
    e_.emit(Ir::if_not_part, 0, then, g->through, 0, all);
    e_.emit(Ir::set_minus, left, g->through, then);
    e_.place(all);
    e_.place(loop);
    e_.emit(Ir::take, cell, left, 0, 0, done);
    {
      const Emitter::Scope round(e_);
      e_.emit(Ir::set_cell, part, cell);
      e_.emit(Ir::set_flood, part, part, g->through, 0, steps_table(g->steps));
      e_.emit(Ir::set_minus, left, left, part);
      Reg one = cell;
      if (marked != board_) {
        const Reg among = e_.new_set();
        e_.emit(Ir::set_meet, among, part, marked);
        e_.emit(Ir::if_none, 0, among, 0, 0, loop);
        one = e_.new_number();
        e_.emit(Ir::first, one, among);
      }
      Draft asked = d;
      asked.locals[n.a] = of_list ? any_set(part) : make_cell(one, all_contents());
      if (!of_list) known_groups_[slot] = {*g, part};
      jump(condition, true, when ? to : past, asked);
      known_groups_.erase(slot);
    }
    e_.go(loop);
    e_.place(done);
    e_.emit(Ir::set_copy, then, g->through);
  }
  if (!when) e_.go(to);
  e_.place(past);
  return true;
}

} // namespace boardwright::runtime::lowering
