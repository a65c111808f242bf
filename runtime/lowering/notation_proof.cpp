// Can two ways through a turn be the same move? They need not be compared where every choice shows in what is
// written next.
//
// # The argument
// A move is its notation and its result, so different notations are different moves. The actions are followed
// from one written sign to the next: the cell of `from`, `put` or `drop`, a letter behind `=`, a text, the
// end. Two ways that agree up to a choice differ behind it if the next signs of all branches differ, whatever
// comes then. A sign's cell is told by a relation: from the cell that was written last to the cells that it
// may be. Where it has several for one, the walker has been put on a cell that was chosen freely, which then
// must be written before anything else is chosen.
//
// What may be written or not is a sign that differs from no other (`any`). Whatever doesn't fit gives no
// proof, and moves are compared when they are found.
#include "runtime/lowering/notation_proof.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

namespace {

constexpr std::size_t kMostSigns = 200;
constexpr int kMostWays = 1 << 14; // choices behind each other multiply
// Rounds of a loop within rounds that are told by the same: a round that shows itself ends them, mostly the
// first.
constexpr int kMostRoundsDeep = 16;
// Relations that are kept, of up to 18 kilobytes each: two steps in each of eight directions, and some.
constexpr std::size_t kMostStepsOn = 100;

} // namespace

// The cell where the walker is has just been written.
Lowering::Written Lowering::just_written(bool gone) const {
  Written w;
  w.anchored = w.wrote = true;
  w.gone = gone;
  if (itself_.empty()) {
    std::vector<CellSet> sets(at(board().cells));
    board().all.each([&](int c) { sets[at(c)] = CellSet::of(c); });
    itself_ = CellRelation(std::move(sets));
  }
  w.here = itself_;
  return w;
}

// Any cell may be meant. If no cell has been written, there is none to see it from.
CellRelation Lowering::anywhere(bool anchored) const {
  if (!anchored) return CellRelation({board().all});
  if (anywhere_.empty()) anywhere_ = CellRelation(std::vector<CellSet>(at(board().cells), board().all));
  return anywhere_;
}

// One step on from each cell: whether none is reached from two of those that may be meant.
bool Lowering::step_on(int step, CellRelation& here) const {
  const bool again = here.shares_with(itself_) || stepped_on_.count(here.id()) != 0;
  const auto by = std::make_pair(here.id(), step);
  if (const auto known = steps_on_.find(by); again && known != steps_on_.end()) {
    here = known->second;
    return true;
  }
  const auto& to = board().steps[at(step)].to;
  for (CellSet& cells : here.own()) {
    CellSet moved;
    bool twice = false;
    cells.each([&](int c) {
      if (to[at(c)] == kNowhere) return;
      twice = twice || moved.test(to[at(c)]);
      moved.set(to[at(c)]);
    });
    if (twice) return false;
    cells = moved;
  }
  if (again && steps_on_.size() < kMostStepsOn) {
    steps_on_.emplace(by, here);
    stepped_on_.insert(here.id());
  }
  return true;
}

// Of names that are sets of cells is known what was there since the last sign, not longer.
Draft Lowering::without_sets(Draft env) {
  std::erase_if(env.locals, [](const auto& local) { return local.second.is(Kind::set); });
  return env;
}

// One of the branches is taken, and no choice is made: their signs needn't differ from each other, unless
// what was chosen before is still to be told.
bool Lowering::signs_of_branches(const std::vector<NodeId>& branches, const Todo* next, const Written& w,
                                 const Draft& env, std::vector<Sign>& found, bool by_kind, NodeId condition) {
  const int of = w.free ? 0 : ++sign_groups_;
  const bool starts = by_kind && !w.touched && !w.touched_start && stands(w);
  for (std::size_t k = 0; k < branches.size(); ++k) {
    const NodeId id = branches[k];
    if (starts && k + 1 < branches.size() && (w.start & contents_of_kind(static_cast<int>(k))).none())
      continue; // no such piece has begun
    std::vector<Sign> these;
    const Todo branch{id, next, nullptr};
    Written v = w;
    if (k == 0 && condition != kNoNode) look_where(condition, v, env);
    if (by_kind && !w.touched && !w.touched_start && k + 1 < branches.size())
      v.there &= contents_of_kind(static_cast<int>(k));
    if (!signs(id == kNoNode ? next : &branch, v, env, these)) return false;
    if (!only_first_ && !differ(these)) return false;
    for (Sign& s : these) {
      if (of != 0) s.of = of;
      found.push_back(std::move(s));
    }
  }
  return true;
}

// A text that can't be taken for anything else that may stand there.
bool Lowering::is_plain_sign(const std::string& text, bool anchored) const {
  if (std::string_view("-x /=,").find(text[0]) != std::string_view::npos) return false;
  return anchored || std::none_of(board().name.begin(), board().name.end(), [&](const std::string& cell) {
           return cell.compare(0, text.size(), text) == 0 || text.compare(0, cell.size(), cell) == 0;
         });
}

// Nobody knows what is written next.
bool Lowering::signs_of_anything(const Todo* next, Written w, const Draft& env, std::vector<Sign>& found) {
  Sign s;
  s.what = Sign::What::any;
  found.push_back(std::move(s));
  w.here.clear();
  return told_after(next, w, env, found);
}

bool Lowering::signs_of_say(const Node& n, const Todo* next, Written w, const Draft& env,
                            std::vector<Sign>& found) {
  if (n.count == 0 || env.quiet) return signs(next, w, env, found);
  if (w.free) return false;
  std::string text;
  std::uint32_t k = 0;
  for (; k < n.count && node(program_.kid(n, k)).op == Op::text; ++k)
    text += program_.texts[at(node(program_.kid(n, k)).a)];
  // What has left is written first; and where a cell's name ends other things than texts could go on.
  if (w.gone || text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) != 0) {
    w.gone = false;
    return signs_of_anything(next, w, env, found);
  }
  Sign s;
  s.what = Sign::What::text;
  s.plain = is_plain_sign(text, w.anchored);
  s.text = std::move(text);
  found.push_back(std::move(s));
  w.anchored = w.wrote = true;
  w.here.clear();
  if (k == n.count) return told_after(next, w, env, found);
  if (only_first_) return true;
  std::vector<Sign> behind; // the rest of what is said
  if (!signs_of_anything(next, w, env, behind)) return false;
  found.back().next = std::make_shared<const std::vector<Sign>>(std::move(behind));
  return true;
}

bool Lowering::signs_of_loop(const Todo* todo, const Written& w, const Draft& env, std::vector<Sign>& found) {
  const NodeId id = todo->action;
  const Node n = node(id);
  Steps body;
  flatten(kid(id, 0), body);
  if (signs_of_line(todo, body, w, env, found) || signs_of_certain(todo, w, env, found)) return true;
  const auto number_is = [&](std::uint32_t i, std::int32_t a) {
    return i < n.count && node(kid(id, i)).op == Op::number && node(kid(id, i)).a == a;
  };
  if (n.a == 0 && number_is(1, 0) && number_is(2, 1)) { // once, or not at all
    const Todo once{kid(id, 0), todo->next, nullptr};
    std::vector<Sign> round;
    if (!signs(&once, w, env, round) || !signs(todo->next, w, env, found)) return false;
    // A round that may write nothing isn't told from none.
    const auto silent = [&](const Sign& s) {
      return s.what == Sign::What::end || s.what == Sign::What::gone || s.what == Sign::What::any;
    };
    if (std::any_of(round.begin(), round.end(), silent)) return false;
    for (Sign& s : round) found.push_back(std::move(s));
    return true;
  }
  if (body.empty() || w.free || env.quiet) return false;
  // Every round must write something; then all rounds begin alike, where the walker was written last or
  // somewhere.
  const bool fixed = (n.a & kUnbounded) == 0 && same(kid(id, 1), kid(id, 2)); // so many rounds
  const bool chooses_end = (n.a & kMaximal) == 0 && !fixed;
  const Node& low = node(kid(id, 1));
  // That rounds after the first are told apart: where nothing, or something that has left, is to be written;
  // what is in the air; whether the walker stands where was written last.
  std::array<std::array<std::array<bool, 2>, 3>, 2> assumed{};
  int rounds_deep = 0;
  Continuation again;
  const Todo end{kNoNode, nullptr, &again};
  const Todo first{kid(id, 0), &end, nullptr};
  again.after = todo->next;
  again.reads = {kid(id, 0)};
  // A further round, or what comes after, into one list. Where no choice is made between them, one can't be
  // taken for the other.
  const auto round_or_end = [&](Written from, const Draft& d, bool may_end, std::vector<Sign>& into) {
    from.wrote = false;
    std::vector<Sign> stops, rounds;
    if (!signs(&first, from, d, rounds)) return false;
    if (may_end && !signs(todo->next, from, d, stops)) return false;
    if (!only_first_ && (!differ(rounds) || !differ(stops))) return false;
    const int of = chooses_end || stops.empty() ? 0 : ++sign_groups_;
    for (std::vector<Sign>* signs_of : {&rounds, &stops})
      for (Sign& s : *signs_of) {
        if (of != 0) s.of = of;
        into.push_back(std::move(s));
      }
    return true;
  };
  again.told = [&](const void* written, const Draft&, void* signs_found) {
    const Written& from = *static_cast<const Written*>(written);
    if (from.free || !from.wrote || rounds_deep == kMostRoundsDeep) return false;
    ++rounds_deep;
    Written general = just_written(from.gone);
    general.laid = from.laid;
    general.partly = from.partly;
    const bool stands_there = stands(from);
    if (!stands_there) general.here = anywhere(true);
    const Draft anywhere = without_sets(env);
    if (!std::exchange(assumed[from.gone ? 1 : 0][from.laid     ? 2
                                                  : from.partly ? 1
                                                                : 0][stands_there ? 1 : 0],
                       true)) {
      const bool first_only = std::exchange(only_first_, false);
      std::vector<Sign> all;
      const bool told = round_or_end(general, anywhere, true, all);
      only_first_ = first_only;
      if (!told) return --rounds_deep, false;
    }
    // What is written first, from this very draft.
    const bool first_only = std::exchange(only_first_, true);
    const bool told = round_or_end(general, anywhere, true, *static_cast<std::vector<Sign>*>(signs_found));
    only_first_ = first_only;
    --rounds_deep;
    return told;
  };
  return round_or_end(w, env, low.op != Op::number || low.a < 1, found);
}

// Does an action write anything? What leaves is written later.
bool Lowering::may_write(NodeId id) const {
  for (const Op op : {Op::from, Op::put, Op::drop, Op::say, Op::pass, Op::change})
    if (contains_action(id, op)) return true;
  return false;
}

// What writes nothing and has one outcome tells nothing, but the walker is somewhere else.
bool Lowering::signs_of_certain(const Todo* todo, Written w, const Draft& env, std::vector<Sign>& found) {
  const NodeId id = todo->action;
  const bool certain = node(id).op == Op::each || !chooses(id); // `each` has one outcome, or is a fault
  if (w.free || !certain || (!env.quiet && may_write(id)) || decides(id)) return false;
  w.touched = true;
  w.stood_on = false;
  for (const Op op : {Op::remove, Op::discard, Op::move_by})
    w.gone = w.gone || (!env.quiet && contains_action(id, op));
  for (const Op op : {Op::lift, Op::put, Op::discard})
    if (contains_action(id, op)) { // is anything in the air now?
      w.laid = false;
      w.partly = true;
    }
  w.there.set();
  if (changes_place(id) && !w.here.empty()) w.here = anywhere(w.here.size() > 1);
  return signs(todo->next, w, env, found);
}

// Straight on: how far the walker has gone shows in where it stops.
bool Lowering::signs_of_line(const Todo* todo, const Steps& body, Written w, const Draft& env,
                             std::vector<Sign>& found) {
  if (w.free || w.here.empty()) return false;
  int step = -1;
  int steps = 0;
  for (const NodeId part : body) {
    const Node& n = node(part);
    switch (n.op) {
    case Op::go: {
      const auto way = constant_steps(program_.kid(n, 0), env);
      if (!way || way->count() != 1 || (step >= 0 && way->first() != step)) return false;
      step = way->first();
      ++steps;
      break;
    }
    case Op::remove: w.gone = w.touched = true; break;
    case Op::at:
    case Op::require:
    case Op::set_local:
    case Op::let: break;
    default: return false;
    }
  }
  if (step < 0 || board().steps[at(step)].may_return()) return false;
  const auto& to = board().steps[at(step)].to;
  const Node loop = node(todo->action);
  const auto bound = [&](std::uint32_t i, int otherwise) {
    return i < loop.count && node(program_.kid(loop, i)).op == Op::number ? node(program_.kid(loop, i)).a
                                                                          : otherwise;
  };
  const int least = (loop.a & kUntil) != 0 ? std::min(bound(1, 0), 1) : bound(1, 0); // it may be over sooner
  const int most = (loop.a & kUnbounded) != 0 ? kMaxCells : bound(2, kMaxCells);
  const bool may_stay = least < 1;
  for (CellSet& cells : w.here.own()) {
    if (cells.count() > 1) return false;
    CellSet all = may_stay ? cells : CellSet();
    CellSet passed = cells;
    int cell = cells.first();
    for (int round = 1; cell >= 0 && round <= most; ++round) {
      for (int k = 0; k < steps && cell >= 0; ++k) cell = to[at(cell)];
      if (cell < 0) break;
      if (passed.test(cell)) return false; // it comes round
      passed.set(cell);
      if (round >= least) all.set(cell);
    }
    cells = all;
  }
  w.free = true;
  w.slot = -1;
  const NodeId last = body.back();
  w.there.set();
  if (!may_stay && node(last).op == Op::at) look_at(kid(last, 0), w, env);
  return signs(todo->next, w, env, found);
}

// Where a condition holds: what may be on the walker's cell.
void Lowering::look_where(NodeId condition, Written& w, const Draft& env) {
  const Node n = node(condition);
  if (n.op == Op::all_of)
    for (std::uint32_t i = 0; i < n.count; ++i) look_where(program_.kid(n, i), w, env);
  if (n.op == Op::within && node(kid(condition, 0)).op == Op::here) look_at(kid(condition, 1), w, env);
  if (n.op != Op::some || node(kid(condition, 0)).op != Op::meet) return;
  const NodeId meet = kid(condition, 0);
  for (const std::uint32_t k : {0U, 1U})
    if (node(kid(meet, k)).op == Op::here) look_at(kid(meet, 1 - k), w, env);
}

// The walker stands on a cell of a set: what may be there.
void Lowering::look_at(NodeId tested, Written& w, const Draft& env) {
  if (w.touched) return;
  // Where it has lifted its piece nothing is now.
  if (w.touched_start && !stacks() && !possible_contents(tested, env).test(0))
    for (std::size_t c = 0; c < w.here.size(); ++c)
      if (w.here[c].test(static_cast<int>(c))) w.here.own()[c].clear(static_cast<int>(c));
  for (std::size_t c = 0; w.touched_start && c < w.here.size(); ++c)
    if (w.here[c].test(static_cast<int>(c))) return;
  if (contains(tested, Op::here) || contains(tested, Op::start) || contains(tested, Op::local)) {
    w.there &= possible_contents(tested, env);
    return;
  }
  Draft d = env;
  Emitter::Attempt attempt(e_);
  w.there &= value(tested, d).contents;
  attempt.give_up();
}

// Branches of which a position only ever has one, before anything is chosen: moves of those that can't be
// told apart are compared, and no others.
bool Lowering::signs_of_outermost(const std::vector<NodeId>& branches, const Todo* next, const Written& w,
                                  const Draft& env, std::vector<Sign>& found) {
  if (w.anchored || w.free || w.gone || env.quiet) return false;
  for (const Todo* after = next; after != nullptr; after = after->next)
    if (after->then != nullptr) return false;
  const int of = ++sign_groups_;
  const std::set<std::uint32_t> before = compared_;
  for (const NodeId id : branches) {
    std::vector<Sign> these;
    const Todo branch{id, next, nullptr};
    if (!signs(&branch, w, env, these) || !differ(these)) {
      compared_.insert(id);
      these.assign(2, Sign()); // it may be anything, and nothing
      these[0].what = Sign::What::gone;
    }
    for (Sign& s : these) {
      s.of = of;
      found.push_back(std::move(s));
    }
  }
  const auto is_compared = [this](NodeId id) { return compared_.count(id) != 0; };
  if (!std::all_of(branches.begin(), branches.end(), is_compared)) return true;
  compared_ = before;
  return false;
}

bool Lowering::signs_of_walk(const Todo* todo, const Todo* rest, Written w, const Draft& env,
                             std::vector<Sign>& found) {
  if (w.free || w.here.empty()) return false;
  Draft inside;
  for (CellSet& s : w.here.own()) {
    inside = env;
    for (const Todo* part = todo; part != rest && s.any(); part = part->next)
      s = possible_ends(part->action, s, inside);
  }
  w.free = true;
  w.stood_on = false;
  w.there.set();
  const Todo* last = todo;
  while (last->next != rest) last = last->next;
  if (node(last->action).op == Op::at) look_at(kid(last->action, 0), w, env);
  return signs(rest, w, env, found);
}

// A kind that is chosen: as many alternatives as there are kinds, if that tells them apart.
bool Lowering::signs_of_kinds(const Todo* todo, const Written& w, const Draft& env,
                              std::vector<Sign>& found) {
  std::vector<Sign> these;
  const std::int32_t slot = node(todo->action).a;
  if (changed_.count(slot) != 0) return false;
  const auto listed = program_.kids_of(node(kid(todo->action, 0)));
  const bool known =
      node(kid(todo->action, 0)).op == Op::list &&
      std::all_of(listed.begin(), listed.end(), [&](NodeId k) { return node(k).op == Op::kind; });
  for (int kind = 0; kind < pieces_.kinds; ++kind) {
    const auto is_it = [&](NodeId k) { return node(k).a == kind; };
    if (known && std::none_of(listed.begin(), listed.end(), is_it)) continue;
    Draft inside = env;
    inside.locals[slot] = make_number(e_.number_constant(kind));
    if (!signs(todo->next, w, inside, these)) return false;
  }
  if (!only_first_ && !differ(these)) return false;
  for (Sign& s : these) found.push_back(std::move(s));
  return true;
}

bool Lowering::signs(const Todo* todo, Written w, Draft env, std::vector<Sign>& found) {
  if (found.size() > kMostSigns || ++sign_ways_ > kMostWays) return false;
  if (todo == nullptr) {
    if (w.free) return false;
    Sign s;
    s.gone = w.gone;
    found.push_back(std::move(s));
    return true;
  }
  if (todo->then != nullptr) return todo->then->told && todo->then->told(&w, env, &found);
  const NodeId id = todo->action;
  const Node n = node(id);
  const auto on = [&] { return signs(todo->next, w, env, found); };
  switch (n.op) {
  case Op::never: return true;
  case Op::sequence: {
    std::vector<Todo> chain(n.count);
    for (std::size_t k = chain.size(); k-- > 0;)
      chain[k] = {program_.kids[n.kids + k], k + 1 < chain.size() ? &chain[k + 1] : todo->next, nullptr};
    return signs(chain.empty() ? todo->next : chain.data(), w, env, found);
  }
  default: break;
  }
  // A walk that is taken as a set is a free choice of a cell.
  if (!w.here.empty() &&
      (n.op == Op::choose || n.op == Op::go || n.op == Op::repeat || n.op == Op::alternatives)) {
    Draft d = env;
    d.here = make_cell(static_cast<Reg>(layout_.draft_numbers), all_contents());
    const Todo* rest = nullptr;
    if (taken_as_set(todo, d, rest)) {
      std::vector<std::int32_t> slots;
      const Todo* end = nullptr;
      const bool bent = walk_ahead(todo, d, end, slots, true).empty();
      proven_walks_.emplace_back(id, walk_up_to(todo, rest, bent));
      return signs_of_walk(todo, rest, w, env, found);
    }
  }
  switch (n.op) {
  case Op::alternatives:
    if (signs_of_starts(todo, w, env, found)) return true;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const Todo branch{kid(id, i), todo->next, nullptr};
      if (!signs(&branch, w, env, found)) return false;
    }
    return true;
  case Op::otherwise: {
    std::vector<NodeId> kids(program_.kids_of(n).begin(), program_.kids_of(n).end());
    return !w.free && (signs_of_outermost(kids, todo->next, w, env, found) ||
                       signs_of_branches(kids, todo->next, w, env, found));
  }
  case Op::if_action:
  case Op::by_kind_action:
  case Op::by_player_action: {
    std::vector<NodeId> branches;
    for (std::uint32_t i = 1; i < n.count; ++i) branches.push_back(kid(id, i));
    if (n.op == Op::if_action && n.count < 3) branches.push_back(kNoNode);
    // The cell that is still to be written says which branch it is, and what that has set.
    if (w.free && only_sets(id)) return on();
    const bool of_here = n.op == Op::by_kind_action && node(kid(id, 0)).op == Op::here;
    return signs_of_branches(branches, todo->next, w, env, found, of_here,
                             n.op == Op::if_action ? kid(id, 0) : kNoNode);
  }
  case Op::most: {
    const Todo inner{kid(id, 0), todo->next, nullptr};
    return signs(&inner, w, env, found);
  }
  case Op::from: {
    if (w.free || env.quiet) return false;
    Sign s;
    s.what = Sign::What::cell;
    s.at = anywhere(w.anchored || w.gone);
    s.there.set();
    s.gone = w.gone;
    found.push_back(std::move(s));
    Written after = just_written(false);
    after.laid = w.laid;
    after.partly = w.partly;
    if (told_after(todo->next, after, env, found)) return true;
    std::vector<Sign> behind;
    return told_by_heights(todo, w, env, behind);
  }
  case Op::to: {
    const Node& source = node(kid(id, 0));
    if (told_by_heights(todo, w, env, found)) return true;
    if (source.op == Op::here) return on();
    if (w.free && w.slot >= 0 && !w.kind && source.op == Op::local && source.a == w.slot) w.free = false;
    if (w.free) return false;
    put_on(kid(id, 0), w, env);
    return on();
  }
  case Op::choose: {
    const Type type = node(kid(id, 0)).type;
    if (type == Type::directions) {
      if (changed_.count(n.a) != 0) return false;
      const StepSet steps = possible_steps(kid(id, 0), env);
      bool good = true;
      steps.each([&](int s) {
        if (!good) return;
        env.locals[n.a] = make_steps(StepSet::of(s));
        good = signs(todo->next, w, env, found);
      });
      return good;
    }
    const Node& of = node(kid(id, 0));
    if (of.op == Op::range && same(kid(kid(id, 0), 0), kid(kid(id, 0), 1))) return on(); // one, or none
    if (type == Type::kinds && signs_of_kinds(todo, w, env, found)) return true;
    if (w.free || (type != Type::cells && type != Type::kinds)) return false;
    w.free = true;
    w.slot = n.a;
    w.kind = type == Type::kinds;
    w.perhaps_none = false;
    return on();
  }
  case Op::choose_some: {
    const Node& many = node(kid(id, 0));
    if (w.free || node(kid(id, 1)).type != Type::cells) return false;
    w.free = true;
    w.slot = n.a;
    w.kind = false;
    w.perhaps_none = many.op != Op::number || many.a < 1;
    return on();
  }
  case Op::go: {
    if (w.here.empty()) return false;
    const StepSet steps = possible_steps(kid(id, 0), env);
    if (w.free && steps.count() > 1) return false;
    bool good = true;
    steps.each([&](int s) {
      if (!good) return;
      Written there = w;
      there.there.set();
      there.stood_on = false;
      good = step_on(s, there.here) && signs(todo->next, there, env, found);
    });
    return good;
  }
  case Op::put: {
    if (w.here.empty()) return false;
    if (env.quiet) {
      w.touched = true;
      w.stood_on = false;
      w.laid = n.count == 0;
      w.partly = n.count > 0;
      return !w.free && on();
    }
    if (n.count > 0 && (node(kid(id, 0)).op != Op::number || node(kid(id, 0)).a < 1)) return false;
    if (n.count == 0 && w.laid) return on();    // nothing is laid down, nothing is written
    if (n.count == 0 && w.partly) return false; // is anything?
    if (w.free && w.slot >= 0) return false;
    Sign s;
    s.what = Sign::What::put;
    s.at = w.here;
    s.there = w.there;
    found.push_back(std::move(s));
    Written after = just_written(false);
    after.laid = after.stood_on = n.count == 0;
    after.partly = n.count > 0;
    return told_after(todo->next, after, env, found);
  }
  case Op::drop: {
    const Node& where = node(kid(id, 0));
    if (env.quiet) {
      w.touched = true;
      return !w.free && on();
    }
    const auto kind = kind_of(kid(id, 1), env);
    if (n.count > 2 || !kind || *kind < 0) return false;
    const bool here = where.op == Op::here && !w.here.empty();
    const bool chosen = where.op == Op::local && w.free && where.a == w.slot;
    const bool known = where.op == Op::cells && program_.cell_sets[at(where.a)].any();
    // On no cell nothing would be written.
    if (w.free ? !(chosen || (w.slot < 0 && here)) : !here && !known) return false;
    if (chosen && w.perhaps_none) { // so many, which is the same number for all that are chosen
      w.free = w.perhaps_none = false;
      w.slot = -1;
      w.touched = w.gone = true;
      return signs_of_anything(todo->next, w, env, found);
    }
    Sign s;
    s.what = Sign::What::drop;
    s.text = letter_of_drop(n, *kind);
    s.plain = s.text.empty() || is_plain_letter(s.text[0]);
    s.behind = w.anchored;
    s.there.set();
    s.at = here && !chosen ? w.here : anywhere(w.anchored);
    found.push_back(std::move(s));
    const bool empty = here && !w.touched && !w.touched_start && w.there == Contents(1);
    Written after = just_written(!empty && !stacks()); // a piece that lies there leaves
    after.laid = w.laid;
    after.partly = w.partly;
    if (!here) after.here.clear();
    return told_after(todo->next, after, env, found);
  }
  case Op::change: {
    const Contents there = w.touched || w.touched_start ? Contents().set() : w.there;
    w.touched = true;
    const bool writes_kind = n.b == 1 && n.count > 1 && !env.quiet;
    if (!writes_kind) return on();
    const Node& kind = node(kid(id, 1));
    const auto which = kind_of(kid(id, 1), env);
    // A kind that is chosen is written, or it is the one that was there: as long as there is a piece, and
    // nothing comes behind that could be taken for it.
    const bool stands_on_piece = node(kid(id, 0)).op == Op::here && (w.stood_on || !there.test(0));
    if (stands_on_piece && w.free && w.slot >= 0 && w.kind && kind.op == Op::local && kind.a == w.slot) {
      w.free = w.kind = false;
      w.slot = -1;
      std::vector<Sign> rest;
      if (!signs(todo->next, w, env, rest) || !differ(rest)) return false;
      if (std::any_of(rest.begin(), rest.end(), [](const Sign& s) { return s.what != Sign::What::end; }))
        return false;
      Sign s;
      s.what = Sign::What::any;
      found.push_back(std::move(s));
      return true;
    }
    if (w.free) return false;
    if (!which || *which < 0 || there.test(0) || (there & contents_of_kind(*which)).any())
      return signs_of_anything(todo->next, w, env, found);
    Sign s; // of another kind than there is: it is written
    s.what = Sign::What::letter;
    s.text = std::to_string(*which);
    found.push_back(std::move(s));
    w.anchored = w.wrote = true;
    return told_after(todo->next, w, env, found);
  }
  case Op::remove:
    if (w.free && w.slot >= 0) return false;
    w.touched = true;
    w.stood_on = false;
    w.gone = w.gone || !env.quiet;
    return on();
  case Op::pass: {
    if (w.free) return false;
    if (env.quiet) return on();
    Sign s;
    s.what = Sign::What::text;
    s.text = "pass";
    s.plain = is_plain_sign(s.text, w.anchored);
    found.push_back(std::move(s));
    w.anchored = w.wrote = true;
    w.here.clear();
    return told_after(todo->next, w, env, found);
  }
  case Op::say: return signs_of_say(n, todo->next, w, env, found);
  case Op::repeat: return signs_of_loop(todo, w, env, found);
  case Op::let:
    if (node(kid(id, 0)).type == Type::directions)
      if (const auto steps = constant_steps(kid(id, 0), env)) env.locals[n.a] = make_steps(*steps);
    bind_name(id, w);
    if (node(kid(id, 0)).type == Type::cells && !w.touched && !w.touched_start && changed_.count(n.a) == 0)
      env.locals[n.a] = make_set(none_, possible_contents(kid(id, 0), env));
    return on();
  case Op::win:
  case Op::lose:
  case Op::draw: {
    // What is decided passes the rest unchanged.
    if (w.free) return false;
    const Todo* end = todo;
    while (end != nullptr && end->then == nullptr) end = end->next;
    return signs(end, w, env, found);
  }
  case Op::each: return signs_of_certain(todo, w, env, found);
  case Op::quietly: {
    if (env.quiet || w.free) return false;
    Continuation loud;
    loud.after = todo->next;
    loud.told = [&](const void* written, const Draft& d, void* into) {
      Draft e = d;
      e.quiet = false;
      return signs(todo->next, *static_cast<const Written*>(written), e,
                   *static_cast<std::vector<Sign>*>(into));
    };
    const Todo end{kNoNode, nullptr, &loud};
    const Todo inner{kid(id, 0), &end, nullptr};
    env.quiet = true;
    return signs(&inner, w, env, found);
  }
  case Op::at: look_at(kid(id, 0), w, env); return on();
  case Op::lift: {
    bool start = true; // of the cell that was written last
    for (std::size_t c = 0; c < w.here.size(); ++c)
      start = start && (w.here[c] - CellSet::of(static_cast<int>(c))).none();
    (start ? w.touched_start : w.touched) = true;
    w.laid = w.stood_on = false;
    w.partly = n.count > 0 && (node(kid(id, 0)).op != Op::number || node(kid(id, 0)).a < 1); // is anything?
    return on();
  }
  case Op::move_by:
    w.touched = true;
    w.stood_on = false;
    w.gone = w.gone || !env.quiet;
    return on();
  case Op::set_variable:
  case Op::set_hand:
  case Op::require:
  case Op::set_local:
  case Op::again: return on();
  default: return false;
  }
}

bool Lowering::needs_comparing(int p) {
  compared_.clear();
  alike_.clear();
  sign_groups_ = sign_ways_ = 0;
  proven_walks_.clear();
  std::vector<Sign> found;
  const Todo turn{program_.players[at(p)].turn, nullptr, nullptr};
  Emitter::Attempt attempt(e_);
  Written at_turn;
  at_turn.laid = true;
  const bool told = names_stand_alone() && signs(&turn, at_turn, any_draft(), found) && differ(found);
  attempt.give_up();
  if (!told) {
    compared_.clear();
    alike_.clear();
    proven_walks_.clear();
  }
  return !told;
}

} // namespace boardwright::runtime::lowering
