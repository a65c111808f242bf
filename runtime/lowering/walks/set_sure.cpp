// Who surely passes conditions that come behind the change of his own cell: `to empty, drop man on here, …,
// require some …`.
//
// # What it rests on
// Each walker changes his own cell, and no two change the same, so what the others' cells would be is not
// known where all are asked together. A condition that more (or fewer) pieces can only help holds if it holds
// of less than there will be: of the position before for what only grows, and without any of the cells in
// question for what shrinks. So a set of walkers is found for whom it surely holds; only the others are tried
// one by one. What is done between the change and the condition must be such that it can only help, too.
#include "runtime/lowering/cells/sets.hpp"
#include "runtime/lowering/context.hpp"
#include "runtime/lowering/facts/monotonicity.hpp"
#include "runtime/lowering/recursion.hpp"
#include "runtime/lowering/walks/set_at_a_time.hpp"
#include "runtime/lowering/walks/walkers.hpp"
#include "runtime/model/idioms.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering {

namespace {

// What each walker does to his cell, and those for whom something is asked.
struct Asked {
  CellChange change;
  Walkers who;
};

// The walkers who pass, surely; `exact`: nobody else does.
struct Passing {
  Reg who = 0;
  bool exact = false;
};

bool only_helps(Monotonicity t) { return t == Monotonicity::same || t == Monotonicity::grows; }
bool only_helps(const Context& cx, NodeId id, const CellChange& c) {
  return only_helps(MonotonicityFacts(cx.facts).monotonicity(id, c));
}

// Cells that are in a set whoever of them has changed his cell.
std::optional<Reg> whoever_it_is(Context& cx, NodeId id, const Asked& a, AbstractDraft& d) {
  if (reads_walker(cx, id)) return std::nullopt;
  const Monotonicity t = MonotonicityFacts(cx.facts).monotonicity(id, a.change);
  if (t == Monotonicity::same || t == Monotonicity::grows) return set(cx, id, d);
  return t == Monotonicity::shrinks && cx.facts.codes_in(id)
             ? std::optional(minus(cx, set(cx, id, d), a.who.set))
             : std::nullopt;
}

// Is the walker's cell in a set, now that it has changed?
bool has_walker(const Context& cx, NodeId id, const CellChange& c) {
  const auto codes = cx.facts.codes_in(id);
  return codes && (c.after & ~codes->first).none();
}

// Who surely reaches one of some cells, the same for all, by a value that begins where he is?
std::optional<Reg> who_reaches(Context& cx, NodeId id, Reg goals, const Asked& a, AbstractDraft& d) {
  const Node n = cx.node(id);
  switch (n.op) {
  case Op::here: return goals;
  case Op::meet:
    for (const std::uint32_t k : {0u, 1u}) {
      if (cx.node(cx.kid(id, k)).op == Op::here && has_walker(cx, cx.kid(id, 1 - k), a.change)) return goals;
      if (const auto those = whoever_it_is(cx, cx.kid(id, 1 - k), a, d))
        return who_reaches(cx, cx.kid(id, k), meet(cx, goals, *those), a, d);
    }
    return std::nullopt;
  case Op::reach: {
    const NodeId action = cx.kid(id, 1);
    CellChange inside = a.change;
    inside.walks = true;
    const Path* walk = cx.facts.path(action);
    if (walk == nullptr || cx.facts.contains(action, Op::heading) || cx.facts.contains(action, Op::start) ||
        !only_helps(MonotonicityFacts(cx.facts).monotonicity(*walk, inside)))
      return std::nullopt;
    AbstractDraft walking = d;
    const auto from = preimage(cx, *walk, any_set(cx, goals), walking);
    return from ? who_reaches(cx, cx.kid(id, 0), *from, a, d) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

// The walk without the rounds that it needn't take, if single steps remain.
std::optional<Path> shortest(const Path& walk) {
  Path result;
  for (const Path& part : parts_in_a_row(walk)) {
    const bool idle =
        part.is(Path::Kind::star) && part.least && *part.least <= 0 && !part.maximal && !part.until;
    if (!idle && !part.is_straight_step()) return std::nullopt;
    if (!idle) result.parts.push_back(part);
  }
  return result.parts.empty() ? std::nullopt : std::optional(result);
}

// Nobody comes back to where he began: then what his own cell has become doesn't matter as a goal.
bool leads_away(const Context& cx, const Path& walk) {
  for (int cell = 0; cell < cx.board().cells; ++cell)
    if (cx.facts.possible_ends(walk, CellSet::of(cell), AbstractDraft()).test(cell)) return false;
  return true;
}

// Who reaches a set that his own change takes a cell from, on the shortest way?
std::optional<Reg> who_reaches_soon(Context& cx, NodeId reach, NodeId goals, const Asked& a,
                                    AbstractDraft& d) {
  const NodeId from = cx.kid(reach, 0);
  const bool begins_here =
      cx.node(from).op == Op::here ||
      (cx.node(from).op == Op::meet &&
       ((cx.node(cx.kid(from, 0)).op == Op::here && has_walker(cx, cx.kid(from, 1), a.change)) ||
        (cx.node(cx.kid(from, 1)).op == Op::here && has_walker(cx, cx.kid(from, 0), a.change))));
  const Path* walk = cx.facts.path(cx.kid(reach, 1));
  const auto soon = walk != nullptr ? shortest(*walk) : std::nullopt;
  if (!begins_here || !soon || !leads_away(cx, *soon)) return std::nullopt;
  AbstractDraft walking = d;
  return preimage(cx, *soon, any_set(cx, set(cx, goals, d)), walking);
}

std::optional<Reg> who_has_some(Context& cx, NodeId of, Asked a, AbstractDraft& d) {
  const Node n = cx.node(of);
  Reg soon = cx.no_cells;
  for (const std::uint32_t k : {0u, 1u}) {
    if (n.op != Op::meet || cx.node(cx.kid(of, k)).op != Op::reach || reads_walker(cx, cx.kid(of, 1 - k)) ||
        !cx.facts.codes_in(cx.kid(of, 1 - k)) || only_helps(cx, cx.kid(of, 1 - k), a.change))
      continue;
    if (const auto those = who_reaches_soon(cx, cx.kid(of, k), cx.kid(of, 1 - k), a, d)) {
      soon = meet(cx, a.who.set, *those);
      a.who.set = minus(cx, a.who.set, soon); // the others: fewer cells are in question
      break;
    }
  }
  const auto later = who_reaches(cx, of, cx.all_cells, a, d);
  if (!later) return soon == cx.no_cells ? std::nullopt : std::optional(soon);
  return unite(cx, soon, *later);
}

// All of the conditions of a node, or any; of any, those of which nothing can be said don't count.
std::optional<Passing> who_passes(Context& cx, NodeId id, const Asked& a, AbstractDraft& d);
std::optional<Passing> who_passes_several(Context& cx, NodeId id, const Asked& a, AbstractDraft& d) {
  const Node n = cx.node(id);
  const bool every = n.op == Op::all_of;
  Passing all{every ? cx.all_cells : cx.no_cells, true};
  bool some = false;
  for (std::uint32_t i = 0; i < n.count; ++i) {
    const auto part = who_passes(cx, cx.kid(id, i), a, d);
    if (!part && every) return std::nullopt;
    some = some || part;
    all.exact = all.exact && part && part->exact;
    if (part) all.who = every ? meet(cx, all.who, part->who) : unite(cx, all.who, part->who);
  }
  return some ? std::optional(all) : std::nullopt;
}

// For whom does a condition surely hold?
std::optional<Passing> who_passes(Context& cx, NodeId id, const Asked& a, AbstractDraft& d) {
  const Node n = cx.node(id);
  if (const auto where = cx.facts.cells_where(id, a.change.after))
    return Passing{cx.e.set_constant(where->first), where->first == where->second};
  const Monotonicity t = MonotonicityFacts(cx.facts).monotonicity(id, a.change);
  if (only_helps(t)) {
    Emitter::Attempt attempt(cx.e);
    if (const auto before = where_holds(cx, id, a.who, d)) return Passing{*before, t == Monotonicity::same};
    attempt.give_up();
  }
  if (n.op == Op::all_of || n.op == Op::any_of) return who_passes_several(cx, id, a, d);
  if (n.op != Op::some || cx.node(cx.kid(id, 0)).type != Type::cells) return std::nullopt;
  Emitter::Attempt attempt(cx.e);
  if (const auto those = who_has_some(cx, cx.kid(id, 0), a, d)) return Passing{*those, false};
  attempt.give_up();
  return std::nullopt;
}

// What an action may do to cells and variables, each cell one thing; false where that can't be said.
bool note_changes(const Context& cx, NodeId id, std::vector<CellChange>& cells,
                  std::set<std::int32_t>& variables) {
  const Node& n = cx.node(id);
  const auto kids = cx.program.kids_of(n);
  const auto inner = [&](NodeId k) { return note_changes(cx, k, cells, variables); };
  switch (n.op) {
  case Op::each: return inner(kids[1]);
  case Op::if_action: return std::all_of(kids.begin() + 1, kids.end(), inner);
  case Op::sequence: return std::all_of(kids.begin(), kids.end(), inner);
  case Op::remove: {
    CellChange gone;
    gone.before = cx.facts.possible_contents(kids[0], AbstractDraft());
    gone.after.set(0);
    gone.before.reset(0);
    gone.walks = true;
    cells.push_back(std::move(gone));
    return true;
  }
  case Op::set_variable: variables.insert(n.a); return true;
  case Op::say: return true;
  default: return false;
  }
}

// What has been done up to a condition.
struct Done {
  std::vector<CellChange> cells;
  std::set<std::int32_t> variables;
};

// What it does to a condition: nothing (same), or it can only help (grows), or harm.
Monotonicity done_to(const Context& cx, NodeId condition, const Done& done) {
  CellChange noted; // what is set, and no cell
  noted.variables = done.variables;
  noted.walks = true;
  const MonotonicityFacts monotonicity(cx.facts);
  Monotonicity all = monotonicity.monotonicity(condition, noted);
  if (all != Monotonicity::same) return Monotonicity::unknown;
  for (const CellChange& c : done.cells) {
    const Monotonicity t = monotonicity.monotonicity(condition, c);
    if (!only_helps(t)) return Monotonicity::unknown;
    if (t == Monotonicity::grows) all = t;
  }
  return all;
}

// One more action behind the change; false where nothing can be said any more.
bool follow(Context& cx, NodeId id, const Asked& asked, Done& done, std::optional<Passing>& all,
            AbstractDraft& d, const AbstractDraft& behind) {
  const Node n = cx.node(id);
  if (n.op != Op::require) {
    Carried::Kind carried = Carried::Kind::nothing;
    bool has_cell = true;
    return n.op != Op::if_action && certain(cx, id, behind, carried, has_cell) &&
           note_changes(cx, id, done.cells, done.variables); // which way an `if` goes is a choice
  }
  const Monotonicity t = done_to(cx, cx.kid(id, 0), done);
  const auto those = only_helps(t) ? who_passes(cx, cx.kid(id, 0), asked, d) : std::nullopt;
  if (!those) return false;
  if (!all) all = Passing{asked.who.set, true};
  all = Passing{meet(cx, all->who, those->who), all->exact && those->exact && t == Monotonicity::same};
  return true;
}

} // namespace

std::optional<Reg> who_surely_goes_on(Context& cx, const Todo* todo, const Walkers& w, int code,
                                      AbstractDraft d, bool& exact) {
  if (!is_on(Idiom::sure_legality) || cx.stacks()) return std::nullopt;
  Asked asked{{w.contents, Contents(), {}, {}, true}, w};
  asked.change.after.set(at(code));
  AbstractDraft behind = d;
  behind.here = make_cell(static_cast<Reg>(cx.layout.draft_numbers), cx.facts.all_contents());
  Done done;
  std::optional<Passing> all;
  Emitter::Attempt attempt(cx.e);
  bool good = true;
  for (; good && todo != nullptr && todo->then == nullptr; todo = todo->next) {
    if (all && is_left_open(cx, todo, behind)) break;
    Actions parts;
    cx.facts.flatten(todo->action, parts);
    for (const NodeId part : parts) good = good && follow(cx, part, asked, done, all, d, behind);
  }
  if (!good || !all || !is_left_open(cx, todo, behind)) {
    attempt.give_up();
    return std::nullopt;
  }
  exact = all->exact;
  return all->who;
}

} // namespace boardwright::runtime::lowering
