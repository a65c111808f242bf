// Connected parts of sets. What has been found of a set is kept from one question to the next: a set that has
// gained or lost one cell since then is the common case, and only what that cell changes is looked at. What
// is kept is a statement about a set that is kept with it, so it is true whatever position comes next.
#include "runtime/lowering/idioms/groups.hpp"
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/cells/steps.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = AbstractValue::Kind;

namespace {

bool is_told_by(const Context& cx, NodeId id, std::vector<std::int32_t> names, const AbstractDraft& d,
                const std::function<bool(NodeId)>& known, std::uint16_t of_walk = kNoPart);

// All names in a value stand for something here (names that it binds itself are taken for unknown).
bool names_bound(const Context& cx, NodeId id, const AbstractDraft& d) {
  const Node& n = cx.node(id);
  if (n.op == Op::local && d.locals.count(n.a) == 0 && !cx.facts.is_changed(n.a)) return false;
  for (std::uint32_t k = 0; k < n.count; ++k)
    if (cx.program.kid(n, k) != kNoNode && !names_bound(cx, cx.program.kid(n, k), d)) return false;
  return true;
}

// `group(c, S, D)`: reach(c & S, (go D, at S)*). What c is the caller says.
std::optional<Group> group(Context& cx, NodeId id, AbstractDraft& d) {
  const Node n = cx.node(id);
  if (n.op != Op::reach) return std::nullopt;
  const NodeId begin = cx.kid(id, 0);
  const Path* loop = cx.facts.path(cx.kid(id, 1));
  const Op first = cx.node(begin).op;
  if ((first != Op::meet && first != Op::minus) || loop == nullptr || !loop->is_any_rounds() ||
      *loop->least > 0)
    return std::nullopt;
  const auto body = cx.facts.round(*loop, d);
  if (!body || body->steps.count() < 2 || !cx.facts.goes_both_ways(body->steps)) return std::nullopt;
  for (const NodeId tested : body->tests)
    if (reads_walker(cx, tested) || !names_bound(cx, tested, d)) return std::nullopt;
  for (const std::uint32_t k : {1u, 0u}) {
    const NodeId of = cx.kid(begin, 1 - k), set_of_it = cx.kid(begin, k);
    if (first == Op::minus && k == 0) continue; // c - S is c & ~S
    if (reads_walker(cx, set_of_it) || !names_bound(cx, set_of_it, d)) continue;
    // The set that the group is in may not go by the cell that it is the group of.
    const auto by_cell = [&](NodeId value) {
      return cx.node(of).op == Op::local && cx.facts.contains_local(value, cx.node(of).a);
    };
    if (by_cell(set_of_it) || std::any_of(body->tests.begin(), body->tests.end(), by_cell)) continue;
    const Reg through_it = through(cx, *body, d);
    Reg within = set(cx, set_of_it, d);
    if (first == Op::minus) within = minus(cx, cx.all_cells, within);
    if (within == through_it) return Group{of, body->steps, through_it};
  }
  return std::nullopt;
}

} // namespace

std::optional<Group> all_groups(Context& cx, NodeId list, AbstractDraft& d) {
  if (!is_on(Idiom::groups)) return std::nullopt;
  const Node n = cx.node(list);
  if (n.op != Op::list_for || n.type != Type::sets || n.b != 1) return std::nullopt;
  const Node every = cx.node(cx.kid(list, 1));
  if (every.op != Op::truth || every.a == 0 || cx.node(cx.kid(list, 2)).type != Type::cells)
    return std::nullopt;
  if (!names_bound(cx, cx.kid(list, 2), d)) return std::nullopt;
  Emitter::Attempt attempt(cx.e);
  AbstractDraft inside = d;
  inside.locals[n.a] =
      make_cell(cx.e.number_constant(-1), cx.facts.all_contents()); // which one doesn't matter
  const auto g = group(cx, cx.kid(list, 0), inside);
  if (g && cx.node(g->of).op == Op::local && cx.node(g->of).a == n.a &&
      set(cx, cx.kid(list, 2), d) == g->through)
    return g;
  attempt.give_up();
  return std::nullopt;
}

void each_group(Context& cx, const Group& all, const std::function<void(AbstractValue, Label)>& body) {
  const Emitter::Scope scope(cx.e);
  const Label next = cx.e.label(), past = cx.e.label();
  const Reg left = cx.e.new_set(), one = cx.e.new_set(), part = cx.e.new_set(), cell = cx.e.new_number();
  cx.e.emit(Ir::set_copy, left, all.through);
  cx.e.place(next);
  cx.e.emit(Ir::take, cell, left, 0, 0, past);
  cx.e.emit(Ir::set_cell, one, cell);
  cx.e.emit(Ir::set_flood, part, one, all.through, 0, steps_table(cx, all.steps));
  cx.e.emit(Ir::set_minus, left, left, part);
  {
    const Emitter::Scope inside(cx.e);
    body(any_set(cx, part), next);
  }
  cx.e.go(next);
  cx.e.place(past);
}

std::optional<Reg> cached_group(Context& cx, NodeId id, AbstractDraft& d) {
  if (!is_on(Idiom::cached_groups)) return std::nullopt;
  Emitter::Attempt attempt(cx.e);
  const auto g = group(cx, id, d);
  if (g && cx.node(g->of).op == Op::local)
    if (const auto known = cx.caches.groups.find(cx.node(g->of).a); known != cx.caches.groups.end())
      if (known->second.first.through == g->through && known->second.first.steps == g->steps)
        return known->second.second;
  if (g && cx.node(g->of).op == Op::cells && cx.e.known_set(g->through) == nullptr)
    return grown(cx, set(cx, g->of, d), g->steps, g->through);
  attempt.give_up();
  return std::nullopt;
}

Reg grown(Context& cx, Reg seeds, const StepSet& steps, Reg through) {
  const Reg result = cx.e.new_set(), then = cx.e.new_kept_set(), found = cx.e.new_kept_set();
  const auto table = steps_table(cx, steps);
  {
    const Emitter::Scope scope(cx.e);
    const Label more = cx.e.label(), anew = cx.e.label(), add = cx.e.label(), later = cx.e.label(),
                done = cx.e.label();
    const Reg change = cx.e.new_set(), one = cx.e.new_set(), near = cx.e.new_set(), left = cx.e.new_set(),
              part = cx.e.new_set();
    const Reg cell = cx.e.new_number();
    const auto one_cell = [&](Reg a, Reg b) { // by which a has more than b
      cx.e.emit(Ir::set_minus, change, a, b);
      cx.e.emit(Ir::first, cell, change);
      cx.e.emit(Ir::set_cell, one, cell);
      cx.e.emit(Ir::if_not_same, 0, change, one, 0, anew);
      cx.e.emit(Ir::set_around, near, cell, 0, 0, table);
    };
    cx.e.emit(Ir::if_part, 0, then, through, 0, more);
    cx.e.emit(Ir::if_not_part, 0, through, then, 0, anew);
    // A cell has gone. If those around it that were found are connected among themselves nothing else is
    // lost, unless it was itself where it all began.
    one_cell(then, through);
    cx.e.emit(Ir::if_out, 0, cell, found, 0, later);
    cx.e.emit(Ir::set_minus, left, found, one);
    cx.e.emit(Ir::set_meet, near, near, left);
    const Label elsewhere = cx.e.label(), good = cx.e.label();
    cx.e.emit(Ir::if_none, 0, near, 0, 0, good);
    cx.e.emit(Ir::if_out, 0, cell, seeds, 0, elsewhere);
    cx.e.emit(Ir::if_apart, 0, near, seeds, 0, anew);
    cx.e.place(elsewhere);
    cx.e.emit(Ir::set_first, part, near);
    cx.e.emit(Ir::set_flood, part, part, near, 0, table);
    cx.e.emit(Ir::if_not_same, 0, part, near, 0, anew);
    cx.e.place(good);
    cx.e.emit(Ir::set_copy, found, left);
    cx.e.go(later);
    cx.e.place(anew);
    cx.e.emit(Ir::set_meet, part, seeds, through);
    cx.e.emit(Ir::set_flood, found, part, through, 0, table);
    cx.e.go(later);
    // A cell has come.
    cx.e.place(more);
    cx.e.emit(Ir::if_same, 0, then, through, 0, done);
    one_cell(through, then);
    cx.e.emit(Ir::if_in, 0, cell, seeds, 0, add);
    cx.e.emit(Ir::if_apart, 0, near, found, 0, later);
    cx.e.place(add);
    cx.e.emit(Ir::set_minus, left, through, found);
    cx.e.emit(Ir::set_flood, part, one, left, 0, table);
    cx.e.emit(Ir::set_join, found, part);
    cx.e.place(later);
    cx.e.emit(Ir::set_copy, then, through);
    cx.e.place(done);
    cx.e.emit(Ir::set_copy, result, found);
  }
  cx.e.depend(result, cx.e.parts_of_set(through) | cx.e.parts_of_set(seeds));
  return result;
}

// ---------------------------------------------------------------- some group for which something holds

namespace {

// A value that is the same whenever these names stand for the same. Within a walk the walker is its own.
bool is_told_by(const Context& cx, NodeId id, std::vector<std::int32_t> names, const AbstractDraft& d,
                const std::function<bool(NodeId)>& known, std::uint16_t of_walk) {
  if (known && known(id)) return true;
  const Node& n = cx.node(id);
  if (n.op == Op::local) {
    if (std::find(names.begin(), names.end(), n.a) != names.end()) return true;
    const auto bound = d.locals.find(n.a);
    return bound != d.locals.end() && bound->second.is(Kind::steps);
  }
  if ((own_reads(n.op) & ~of_walk) != 0) return false;
  for (std::int32_t k = 0; k < slots_bound_by(n.op, n.b); ++k) names.push_back(n.a + k);
  for (std::uint32_t k = 0; k < n.count; ++k) {
    const std::uint16_t walker = n.op == Op::reach && k == 1 ? kHere | kHeading : of_walk;
    if (cx.program.kid(n, k) != kNoNode && !is_told_by(cx, cx.program.kid(n, k), names, d, known, walker))
      return false;
  }
  return true;
}

// All cells of the set that has the groups, or those of a constant set; nothing where it is something else.
std::optional<Reg> cells_asked(Context& cx, NodeId of, Reg through, AbstractDraft& d) {
  if (set(cx, of, d) == through) return cx.all_cells;
  if (cx.node(of).op != Op::meet) return std::nullopt;
  const Reg a = set(cx, cx.kid(of, 0), d), b = set(cx, cx.kid(of, 1), d);
  if ((a != through || cx.e.known_set(b) == nullptr) && (b != through || cx.e.known_set(a) == nullptr))
    return std::nullopt;
  return a == through ? b : a;
}

// The condition of all groups with marked cells that have a new cell. `slot`: the name of a cell that stands
// for its group; -1 where the name stands for the group itself.
void ask_new_groups(Context& cx, const Node& n, std::int32_t slot, const Group& g, Reg marked, bool when,
                    Label to, AbstractDraft& d) {
  const Reg then = cx.e.new_kept_set();
  const Label past = cx.e.label(), loop = cx.e.label(), done = cx.e.label(), all = cx.e.label();
  {
    const Emitter::Scope scope(cx.e);
    const Reg left = cx.e.new_set(), part = cx.e.new_set();
    const Reg cell = cx.e.new_number();
    cx.e.emit(Ir::set_copy, left, g.through);
    cx.e.emit(Ir::if_not_part, 0, then, g.through, 0, all);
    cx.e.emit(Ir::set_minus, left, g.through, then);
    cx.e.place(all);
    cx.e.place(loop);
    cx.e.emit(Ir::take, cell, left, 0, 0, done);
    {
      const Emitter::Scope round(cx.e);
      cx.e.emit(Ir::set_cell, part, cell);
      cx.e.emit(Ir::set_flood, part, part, g.through, 0, steps_table(cx, g.steps));
      cx.e.emit(Ir::set_minus, left, left, part);
      Reg one = cell;
      if (marked != cx.all_cells) {
        const Reg among = cx.e.new_set();
        cx.e.emit(Ir::set_meet, among, part, marked);
        cx.e.emit(Ir::if_none, 0, among, 0, 0, loop);
        one = cx.e.new_number();
        cx.e.emit(Ir::first, one, among);
      }
      AbstractDraft asked = d;
      asked.locals[n.a] = slot < 0 ? any_set(cx, part) : make_cell(one, cx.facts.all_contents());
      if (slot >= 0) cx.caches.groups[slot] = {g, part};
      jump(cx, cx.program.kid(n, 1), true, when ? to : past, asked);
      cx.caches.groups.erase(slot);
    }
    cx.e.go(loop);
    cx.e.place(done);
    cx.e.emit(Ir::set_copy, then, g.through);
  }
  if (!when) cx.e.go(to);
  cx.e.place(past);
}

// The group of the cell that a name stands for, wherever it comes in a value. It is always the same: the
// first that is met says in which set and by which steps.
class GroupOf {
public:
  GroupOf(Context& cx, std::int32_t slot, const AbstractDraft& d) : cx_(cx), slot_(slot), inside_(d) {
    inside_.locals[slot] =
        make_cell(cx.e.number_constant(-1), cx.facts.all_contents()); // which one doesn't matter
  }
  [[nodiscard]] bool is(NodeId id) {
    if (cx_.node(id).op != Op::reach) return false;
    auto other = group(cx_, id, inside_);
    if (!other || cx_.node(other->of).op != Op::local || cx_.node(other->of).a != slot_) return false;
    if (!met) met = other;
    return met->through == other->through && met->steps == other->steps;
  }

  std::optional<Group> met;

private:
  Context& cx_;
  std::int32_t slot_;
  AbstractDraft inside_;
};

// Is a condition of all members of a list of groups, or of all cells, told by the group alone?
bool is_of_groups(Context& cx, const Node& n, bool of_list, GroupOf& groups, const AbstractDraft& d) {
  const NodeId from = cx.program.kid(n, 0), condition = cx.program.kid(n, 1);
  if (!of_list)
    return is_told_by(cx, condition, {}, d, [&](NodeId id) { return groups.is(id); }) && groups.met;
  const Node all = cx.node(cx.kid(from, 1));
  return all.op == Op::truth && all.a != 0 && groups.is(cx.kid(from, 0)) &&
         is_told_by(cx, condition, {n.a}, d, nullptr);
}

// `some(g & {a1 a2 …})`: the cells, which are constant. The group is one that is met, or has a name.
std::optional<Reg> goal_of(Context& cx, NodeId part, std::optional<std::int32_t> name, GroupOf* groups,
                           AbstractDraft& d) {
  if (cx.node(part).op != Op::some || cx.node(cx.kid(part, 0)).op != Op::meet) return std::nullopt;
  for (const std::uint32_t k : {0u, 1u}) {
    const NodeId of_it = cx.kid(cx.kid(part, 0), k), goal = cx.kid(cx.kid(part, 0), 1 - k);
    if (cx.node(goal).op != Op::cells) continue;
    const bool by_name = cx.node(of_it).op == Op::local && cx.node(of_it).a == name;
    if (by_name || (groups != nullptr && groups->is(of_it))) return set(cx, goal, d);
  }
  return std::nullopt;
}

// Has the group cells of two constant sets? These sets.
std::optional<std::pair<Reg, Reg>> two_goals(Context& cx, const Node& n, bool of_list, GroupOf& groups,
                                             AbstractDraft& d) {
  const NodeId condition = cx.program.kid(n, 1);
  const bool named = cx.node(condition).op == Op::let_value;
  const NodeId asked = named ? cx.kid(condition, 1) : condition;
  if (cx.node(asked).op != Op::all_of || cx.node(asked).count != 2) return std::nullopt;
  if (named && (of_list || !groups.is(cx.kid(condition, 0)))) return std::nullopt;
  std::optional<std::int32_t> name;
  if (named) name = cx.node(condition).a;
  if (of_list) name = n.a;
  GroupOf* const others = of_list ? nullptr : &groups;
  const auto one = goal_of(cx, cx.kid(asked, 0), name, others, d);
  const auto other = one ? goal_of(cx, cx.kid(asked, 1), name, others, d) : std::nullopt;
  return other ? std::optional(std::pair(*one, *other)) : std::nullopt;
}

} // namespace

bool jump_some_group(Context& cx, const Node& n, bool when, Label to, AbstractDraft& d) {
  if (!is_on(Idiom::groups)) return false;
  const NodeId from = cx.program.kid(n, 0);
  const Node list = cx.node(from);
  const bool of_list = list.op == Op::list_for;
  if (of_list ? list.b != 1 || cx.node(cx.kid(from, 0)).type != Type::cells : list.type != Type::cells)
    return false;
  const std::int32_t slot = of_list ? list.a : n.a;
  Emitter::Attempt attempt(cx.e);
  const auto fails = [&] {
    attempt.give_up();
    return false;
  };
  GroupOf groups(cx, slot, d);
  if (!is_of_groups(cx, n, of_list, groups, d)) return fails();
  const Group g = *groups.met;
  // All of them, or those with a cell in a constant set.
  const auto marked = cells_asked(cx, of_list ? cx.kid(from, 2) : from, g.through, d);
  if (!marked) return fails();
  // What is connected with one of two constant sets meets the other?
  if (*marked == cx.all_cells && cx.e.known_set(g.through) == nullptr)
    if (const auto goals = two_goals(cx, n, of_list, groups, d)) {
      test(cx, Ir::if_meet, grown(cx, goals->first, g.steps, g.through), goals->second, when, to);
      return true;
    }
  ask_new_groups(cx, n, of_list ? -1 : slot, g, *marked, when, to, d);
  return true;
}

} // namespace boardwright::runtime::lowering
