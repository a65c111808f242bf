#include "runtime/lowering/unambiguity/first_signs.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace boardwright::runtime::lowering::unambiguity {

using Kind = AbstractValue::Kind;

namespace {

constexpr std::size_t kMostSigns = 200;
constexpr int kMostWays = 1 << 14; // choices behind each other multiply

} // namespace

bool Written::owes(std::int32_t name) const {
  if (!free || name == -1) return false;
  return name == (slot < 0 ? kOfWalker : slot) || std::find(owed.begin(), owed.end(), name) != owed.end();
}

void Written::take_over_from(const Written& before, std::int32_t written) {
  laid = before.laid;
  partly = before.partly;
  chosen = before.chosen;
  last = before.several ? -1 : written; // of a set nobody knows from which of its cells another value is seen
  members = before.members;
  single = before.single;
  means = before.means;
  lay = before.lay;
  vacant = before.vacant;
  owed = before.owed;
  if (before.free) owed.push_back(before.slot < 0 ? kOfWalker : before.slot);
  std::erase(owed, written);
  free = !owed.empty();
  if (!free) return;
  // The walker's own cell last: as long as others are owed, what comes is read as written under their names.
  std::sort(owed.begin(), owed.end());
  slot = owed.back() == kOfWalker ? -1 : owed.back();
  owed.pop_back();
}

void Written::walker_goes(const Facts& facts) {
  if (last == kOfWalker) last = -1;
  std::erase_if(means, [&](const auto& one) { return facts.reads_walker(one.second); });
}

void Written::forget(std::int32_t name) {
  if (last == name) last = -1;
  members.erase(name);
  single.erase(name);
  means.erase(name);
  lay.erase(name);
  vacant.erase(name);
  for (auto& [vacated, others] : vacant) others.erase(name);
}

void Written::pieces_come() {
  touched = true;
  vacant.clear();
}

void Written::piece_comes_on(std::int32_t name) {
  touched = true;
  std::erase_if(vacant, [&](const auto& one) { return one.second.count(name) == 0; });
}

AbstractDraft without_sets(AbstractDraft env) {
  std::erase_if(env.locals, [](const auto& local) { return local.second.is(Kind::set); });
  return env;
}

FirstSigns::FirstSigns(int player, const Facts& facts, const TakesWalk& takes_walk)
    : player_(player), f_(facts), rules_(facts.rules()), takes_walk_(takes_walk),
      names_end_by_themselves_(names_end_by_themselves()) {
  std::vector<CellSet> sets(at(board().cells));
  board().all.each([&](int c) { sets[at(c)] = CellSet::of(c); });
  itself_ = CellRelation(std::move(sets));
  everywhere_ = CellRelation(std::vector<CellSet>(at(board().cells), board().all));
}

Ambiguities FirstSigns::read(NodeId turn) {
  Signs found;
  const Todo whole{turn, nullptr, nullptr};
  Written w;
  w.laid = true;
  const bool told = names_stand_alone() && signs(&whole, w, any_draft(), found) && all_differ(found);
  const bool apart = std::all_of(inner_.begin(), inner_.end(), [this](NodeId id) {
    return ambiguities_.branches.count(id) == 0 && ambiguities_.alike.count(id) == 0;
  });
  if (told && apart) return ambiguities_;
  Ambiguities all;
  all.all = true;
  return all;
}

Ambiguities ambiguities_of(int player, NodeId turn, const Facts& facts, const TakesWalk& takes_walk) {
  return FirstSigns(player, facts, takes_walk).read(turn);
}

// ---------------------------------------------------------------- from sign to sign

bool FirstSigns::signs(const Todo* todo, Written w, AbstractDraft env, Signs& found) {
  if (found.size() > kMostSigns || ++ways_ > kMostWays) return false;
  if (todo == nullptr) {
    if (w.free) return false;
    found.emplace_back().gone = w.gone;
    return true;
  }
  if (todo->then != nullptr) return todo->then->signs_of_next && todo->then->signs_of_next(&w, env, &found);
  const Op op = node(todo->action).op;
  // A walk that is taken as a set is a free choice of a cell.
  if (!w.here.empty() && one_of(op, Op::choose, Op::go, Op::repeat, Op::alternatives))
    if (const auto taken = takes_walk_(todo, env)) {
      ambiguities_.walks.emplace_back(todo->action, taken->as);
      return of_walk(todo, taken->rest, std::move(w), env, found);
    }
  switch (group_of(op)) {
  case runtime::Group::joining: return of_joining(todo, w, env, found);
  case runtime::Group::walking: return of_walker(todo, std::move(w), std::move(env), found);
  case runtime::Group::pieces: return of_pieces(todo, std::move(w), env, found);
  default: return of_text(todo, std::move(w), env, found);
  }
}

// Behind the last of the signs.
bool FirstSigns::signs_behind(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found) {
  if (only_first_) return true;
  Signs behind;
  if (!signs(todo, w, without_sets(env), behind)) return false;
  begin_secret(found.back().text, behind);
  if (!all_differ(behind) || !ends_before(found.back(), behind)) return false;
  found.back().next = std::make_shared<const Signs>(std::move(behind));
  return true;
}

// Is it known where the name of a cell ends, whatever of these stands behind it?
bool FirstSigns::ends_before(const Sign& sign, const Signs& behind) const {
  using What = Sign::What;
  if (names_end_by_themselves_ ||
      !(sign.what == What::cell || sign.what == What::put || sign.what == What::drop))
    return true;
  return std::none_of(behind.begin(), behind.end(), [](const Sign& s) {
    const bool begins_with_digit =
        s.what == What::text && std::isdigit(static_cast<unsigned char>(s.text[0])) != 0;
    return s.digits || s.bare || s.what == What::number || begins_with_digit;
  });
}

// Nobody knows what is written next.
bool FirstSigns::of_anything(const Todo* next, Written w, const AbstractDraft& env, Signs& found,
                             bool digits) {
  found.emplace_back(Sign::What::any).digits = digits;
  w.begun = true;
  w.here.clear();
  return signs_behind(next, w, env, found);
}

namespace {

// What takes pieces off.
constexpr OperationSet kTaking(Op::remove, Op::discard, Op::move_by);

// Does an action do one of these, other than quietly?
bool does_aloud(const Facts& facts, NodeId id, const OperationSet& what) {
  const Node& n = facts.node(id);
  if (n.op == Op::quietly || !facts.does(id, what)) return false;
  if (what.has(n.op)) return true;
  for (std::uint32_t i = 0; i < n.count; ++i)
    if (does_aloud(facts, facts.kid(id, i), what)) return true;
  return false;
}

// Does an action write anything? What leaves is written later.
bool may_write(const Facts& facts, NodeId id) {
  return does_aloud(facts, id, OperationSet(Op::from, Op::put, Op::drop, Op::say, Op::pass, Op::change));
}

} // namespace

bool FirstSigns::is_certain(NodeId id, const AbstractDraft& env) const {
  const bool certain = node(id).op == Op::each || !f_.chooses(id); // `each` has one outcome, or is a fault
  return certain && (env.quiet || !may_write(f_, id)) && !f_.decides(id);
}

// What writes nothing and has one outcome tells nothing, but the walker is somewhere else. What has been
// chosen under a name is still to be written then.
bool FirstSigns::of_certain(const Todo* todo, Written w, const AbstractDraft& env, Signs& found) {
  const NodeId id = todo->action;
  if ((w.free && w.slot < 0 && f_.changes_place(id)) || !is_certain(id, env)) return false;
  if (f_.changes_pieces(id)) {
    w.pieces_come();
    w.stood_on = false;
    w.there.set();
  }
  w.gone = w.gone || (!env.quiet && does_aloud(f_, id, kTaking));
  if (f_.does(id, OperationSet(Op::lift, Op::put, Op::discard))) { // is anything carried now?
    w.laid = false;
    w.partly = true;
  }
  if (f_.changes_place(id)) {
    w.walker_goes(f_);
    w.stood_on = false;
    w.there.set();
    if (!w.here.empty()) w.here = anywhere(w.here.size() > 1);
  }
  return signs(todo->next, w, env, found);
}

// ---------------------------------------------------------------- joining

bool FirstSigns::of_joining(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found) {
  const NodeId id = todo->action;
  const Node& n = node(id);
  switch (as<JoiningOp>(n.op)) {
  case JoiningOp::sequence: {
    std::vector<Todo> chain(n.count);
    for (std::size_t k = chain.size(); k-- > 0;)
      chain[k] = {kid(id, static_cast<std::uint32_t>(k)), k + 1 < chain.size() ? &chain[k + 1] : todo->next,
                  nullptr};
    return signs(chain.empty() ? todo->next : chain.data(), w, env, found);
  }
  case JoiningOp::alternatives: return of_alternatives(todo, w, env, found);
  case JoiningOp::otherwise:
  case JoiningOp::if_action:
  case JoiningOp::by_kind_action:
  case JoiningOp::by_player_action: return of_branches(todo, w, env, found);
  case JoiningOp::most: {
    const Todo inner{kid(id, 0), todo->next, nullptr};
    return signs(&inner, w, env, found);
  }
  case JoiningOp::choose:
  case JoiningOp::choose_some: return of_choice(todo, w, env, found);
  case JoiningOp::repeat: return of_loop(todo, w, env, found);
  case JoiningOp::each: return of_certain(todo, w, env, found);
  case JoiningOp::quietly: return of_quietly(todo, w, env, found);
  case JoiningOp::distinct: return false;
  }
  return false;
}

// Does an action write the cell that has been chosen before it writes anything else or moves the walker: by
// laying down all that is carried where the walker stands, or a new piece?
bool FirstSigns::tells_cell_first(NodeId id, const Written& w, const AbstractDraft& env) const {
  Actions parts;
  if (id != kNoNode) f_.flatten(id, parts);
  for (const NodeId part : parts) {
    const Node& n = node(part);
    if (n.op == Op::put) return n.count == 0 && w.slot < 0 && !w.laid;
    if (n.op == Op::drop) {
      const Node& where = node(kid(part, 0));
      const auto kind = kind_of(kid(part, 1), env);
      if (!kind || *kind < 0) return false;
      const std::string letter = f_.letter_of_drop(n, *kind);
      if (!letter.empty() && !is_plain_letter(letter[0])) return false; // nobody knows where the cell begins
      return where.op == Op::here ? w.slot < 0 : where.op == Op::local && w.owes(where.a);
    }
    if (!one_of(n.op, Op::require, Op::let, Op::set_variable, Op::set_local)) return false;
  }
  return false;
}

// One of the branches is taken, and no choice is made: their signs needn't differ from each other, unless
// what was chosen before is still to be told. Where that is a cell, and each branch lays down there first,
// they tell the same cell or differ, and for one cell only one of them is taken.
bool FirstSigns::of_branches(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found) {
  const NodeId id = todo->action;
  const Node& n = node(id);
  // Where they only change pieces they are followed as one: each way behind each branch would multiply, and
  // what is written behind them must differ after the branch that changes most in any case.
  if (n.op == Op::if_action && !f_.changes_place(id) && is_certain(id, env))
    return of_certain(todo, w, env, found);
  std::vector<NodeId> branches;
  for (std::uint32_t i = n.op == Op::otherwise ? 0 : 1; i < n.count; ++i) branches.push_back(kid(id, i));
  if (n.op == Op::if_action && n.count < 3) branches.push_back(kNoNode);
  if (n.op == Op::by_player_action)
    if (const auto who = known(kid(id, 0), w); who && who->type == Type::player) {
      const Todo branch{branches[at(who->number)], todo->next, nullptr};
      return signs(&branch, w, env, found);
    }
  if (n.op == Op::otherwise) {
    if (w.free) return false;
    if (attempt([&] { return of_outermost(branches, todo->next, w, env, found); })) return true;
  }
  const bool by_kind = n.op == Op::by_kind_action && node(kid(id, 0)).op == Op::here && w.untouched();
  const bool tell_the_cell =
      w.free && w.owed.empty() && !w.several && !w.partly && !env.quiet &&
      std::all_of(branches.begin(), branches.end(), [&](NodeId k) { return tells_cell_first(k, w, env); });
  const int of = w.free && !tell_the_cell ? 0 : ++groups_;
  for (std::size_t k = 0; k < branches.size(); ++k) {
    const Todo branch{branches[k], todo->next, nullptr};
    Written v = w;
    if (by_kind && k + 1 < branches.size()) {
      const Contents kind = f_.contents_of_kind(static_cast<int>(k));
      if (stands(w) && (w.start & kind).none()) continue; // no such piece has begun
      v.there &= kind;
    }
    Signs these;
    if (!signs(branches[k] == kNoNode ? todo->next : &branch, v, env, these)) return false;
    if (!only_first_ && !all_differ(these)) return false;
    for (Sign& s : these) {
      if (of != 0) s.of = of;
      found.push_back(std::move(s));
    }
  }
  return true;
}

bool FirstSigns::of_quietly(const Todo* todo, const Written& w, AbstractDraft env, Signs& found) {
  if (env.quiet) return false;
  if (w.free) {
    AbstractDraft silent = env;
    silent.quiet = true;
    const NodeId quiet = kid(todo->action, 0);
    if ((w.slot < 0 && f_.changes_place(quiet)) || !is_certain(quiet, silent)) return false;
  }
  Continuation loud;
  loud.after = todo->next;
  loud.signs_of_next = [&](const void* written, const AbstractDraft& d, void* into) {
    AbstractDraft e = d;
    e.quiet = false;
    return signs(todo->next, *static_cast<const Written*>(written), e, *static_cast<Signs*>(into));
  };
  const Todo end{kNoNode, nullptr, &loud};
  const Todo inner{kid(todo->action, 0), &end, nullptr};
  env.quiet = true;
  return w.free ? of_certain(&inner, w, env, found) : signs(&inner, w, env, found);
}

// ---------------------------------------------------------------- choices

bool FirstSigns::of_choice(const Todo* todo, Written w, AbstractDraft env, Signs& found) {
  const NodeId id = todo->action;
  const Node& n = node(id);
  const bool several = n.op == Op::choose_some;
  NodeId from = kid(id, several ? 1 : 0);
  if (node(from).op == Op::by_player)
    if (const auto who = known(kid(from, 0), w); who && who->type == Type::player)
      from = kid(from, 1 + static_cast<std::uint32_t>(who->number));
  const Type type = node(from).type;
  if (!several && type == Type::directions) { // each by itself
    if (f_.is_changed(n.a)) return false;
    bool good = true;
    f_.possible_steps(from, env).each([&](int s) {
      if (!good) return;
      env.locals[n.a] = make_steps(StepSet::of(s));
      good = signs(todo->next, w, env, found);
    });
    return good;
  }
  if (!several && node(from).op == Op::range && f_.same(kid(from, 0), kid(from, 1))) // one, or none
    return signs(todo->next, w, env, found);
  if (!several && type == Type::kinds && attempt([&] { return of_kinds(todo, w, env, found); })) return true;
  if (!several && attempt([&] { return of_constants(todo, w, env, found); })) return true;
  if (type != Type::cells && (several || (type != Type::kinds && type != Type::numbers))) return false;
  if (w.free) { // both are written later, each behind something that tells where it begins
    if (several || type == Type::kinds || w.kind || w.several) return false;
    w.owed.push_back(w.slot < 0 ? kOfWalker : w.slot);
  }
  if (f_.is_changed(n.a)) return false;
  w.forget(n.a);
  if (type == Type::cells && !several) w.single.insert(n.a);
  if (type == Type::cells && !several && w.untouched() && !w.anchored)
    w.lay[n.a] = f_.possible_contents(from, env);
  // What a name stands for was read before pieces have come.
  const bool as_it_is = w.untouched() || !f_.contains(from, Op::local);
  if (type == Type::cells && !several && as_it_is && f_.possible_contents(from, env) == Contents(1)) {
    auto& others = w.vacant[n.a];
    for (auto& [name, known] : w.vacant)
      if (name != n.a && leaves_out(from, name)) {
        others.insert(name);
        known.insert(n.a);
      }
  }
  const Node& many = node(kid(id, 0));
  w.several = several;
  w.free = true;
  w.slot = n.a;
  w.kind = type == Type::kinds;
  w.perhaps_none = several && (many.op != Op::number || many.a < 1);
  return signs(todo->next, w, env, found);
}

// A member of a list of constants, or a player: as many alternatives as there are members, if that tells them
// apart.
bool FirstSigns::of_constants(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found) {
  const NodeId from = kid(todo->action, 0);
  const std::int32_t slot = node(todo->action).a;
  std::vector<Known> members;
  const auto numbers = f_.constant_members(from);
  const auto sets = f_.constant_list(from);
  const Type type = node(from).type;
  if (f_.is_changed(slot) || (!numbers && !sets && type != Type::players)) return false;
  if (numbers && type != Type::numbers && type != Type::kinds) return false;
  for (int player = 0; type == Type::players && player < rules_.player_count(); ++player)
    members.push_back({Type::player, player, CellSet()}); // whoever of them may be a member
  if (numbers)
    for (const std::int32_t n : *numbers)
      members.push_back({type == Type::kinds ? Type::kind : Type::number, n, CellSet()});
  if (sets)
    for (const CellSet& s : *sets) members.push_back({Type::cells, 0, s});
  Signs these;
  for (const Known& member : members) {
    Written v = w;
    v.chosen[slot] = member;
    if (!signs(todo->next, v, env, these)) return false;
  }
  if (!only_first_ && !all_differ(these)) return false;
  for (Sign& s : these) found.push_back(std::move(s));
  return true;
}

// A kind that is chosen: as many alternatives as there are kinds, if that tells them apart.
bool FirstSigns::of_kinds(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found) {
  Signs these;
  const std::int32_t slot = node(todo->action).a;
  if (f_.is_changed(slot)) return false;
  const NodeId from = kid(todo->action, 0);
  const auto listed = rules_.kids_of(node(from));
  const bool known = node(from).op == Op::list && std::all_of(listed.begin(), listed.end(), [&](NodeId k) {
                       return node(k).op == Op::kind;
                     });
  for (int kind = 0; kind < f_.pieces().kinds; ++kind) {
    const auto is_it = [&](NodeId k) { return node(k).a == kind; };
    if (known && std::none_of(listed.begin(), listed.end(), is_it)) continue;
    AbstractDraft inside = env;
    inside.locals[slot] = make_number(static_cast<Reg>(kind)); // as kind_of reads it
    if (!signs(todo->next, w, inside, these)) return false;
  }
  if (!only_first_ && !all_differ(these)) return false;
  for (Sign& s : these) found.push_back(std::move(s));
  return true;
}

bool FirstSigns::of_walk(const Todo* todo, const Todo* rest, Written w, const AbstractDraft& env,
                         Signs& found) {
  if (w.free || w.here.empty()) return false;
  Actions actions;
  for (const Todo* part = todo; part != rest; part = part->next) actions.push_back(part->action);
  const Path* walk = f_.path(actions);
  for (CellSet& s : w.here.own()) s = walk != nullptr ? f_.possible_ends(*walk, s, env) : board().all;
  w.walker_goes(f_);
  w.free = true;
  w.stood_on = false;
  w.there.set();
  const Todo* last = todo;
  while (last->next != rest) last = last->next;
  if (node(last->action).op == Op::at) look_at(kid(last->action, 0), w, env);
  return signs(rest, w, env, found);
}

// ---------------------------------------------------------------- the walker

bool FirstSigns::of_walker(const Todo* todo, Written w, AbstractDraft env, Signs& found) {
  const NodeId id = todo->action;
  const Node& n = node(id);
  switch (as<WalkingOp>(n.op)) {
  case WalkingOp::never: return true;
  case WalkingOp::from: {
    if (w.free || env.quiet) return false;
    Sign& s = found.emplace_back(Sign::What::cell);
    s.at = anywhere(w.anchored || w.gone);
    s.gone = w.gone;
    if (!w.anchored && !w.gone && w.untouched()) s.start = f_.possible_contents(kid(id, 0), env);
    Written after = just_written(false);
    after.laid = w.laid;
    after.partly = w.partly;
    return attempt([&] { return signs_behind(todo->next, after, env, found); }) ||
           (!w.gone && told_by_heights(todo, f_, env));
  }
  case WalkingOp::to: {
    if (!w.free && !w.gone)
      if (auto first = told_by_heights(todo, f_, env)) {
        found.push_back(std::move(*first));
        return true;
      }
    const Node& source = node(kid(id, 0));
    if (source.op == Op::here) break;
    const bool is_one = w.owed.empty() && !w.kind && !w.several;
    if (w.free && is_one && source.op == Op::local && w.owes(source.a)) w.free = false;
    if (w.free) return false;
    put_on(kid(id, 0), w, env);
    w.walker_goes(f_);
    break;
  }
  case WalkingOp::go: {
    if (w.here.empty()) return false;
    const StepSet steps = f_.possible_steps(kid(id, 0), env);
    if (w.free && steps.count() > 1) return false;
    bool good = true;
    steps.each([&](int s) {
      if (!good) return;
      Written there = w;
      there.walker_goes(f_);
      there.there.set();
      there.stood_on = false;
      good = step_on(s, there.here) && signs(todo->next, there, env, found);
    });
    return good;
  }
  case WalkingOp::bend: return false;
  case WalkingOp::at: look_at(kid(id, 0), w, env); break;
  case WalkingOp::let: {
    const NodeId value = kid(id, 0);
    if (node(value).type == Type::directions)
      if (const auto steps = f_.constant_steps(value, env)) env.locals[n.a] = make_steps(*steps);
    w.forget(n.a);
    bind_name(id, w);
    if (node(value).type == Type::cells && !f_.is_changed(n.a)) {
      w.means[n.a] = value;
      if (is_one_cell(value, w, env)) w.single.insert(n.a);
    }
    if (node(value).type == Type::cells && w.untouched() && !f_.is_changed(n.a))
      env.locals[n.a] = make_set(0, f_.possible_contents(value, env));
    break;
  }
  case WalkingOp::require: note_members(kid(id, 0), w); break;
  }
  return signs(todo->next, w, env, found);
}

// ---------------------------------------------------------------- pieces

bool FirstSigns::of_pieces(const Todo* todo, Written w, const AbstractDraft& env, Signs& found) {
  const NodeId id = todo->action;
  const Node& n = node(id);
  switch (as<PiecesOp>(n.op)) {
  case PiecesOp::lift: {
    bool start = true; // of the cell that was written last
    for (std::size_t c = 0; c < w.here.size(); ++c)
      start = start && (w.here[c] - CellSet::of(static_cast<int>(c))).none();
    (start ? w.touched_start : w.touched) = true;
    w.laid = w.stood_on = false;
    w.partly = n.count > 0 && (node(kid(id, 0)).op != Op::number || node(kid(id, 0)).a < 1); // is anything?
    break;
  }
  case PiecesOp::put: return of_put(todo, std::move(w), env, found);
  case PiecesOp::drop: return of_drop(todo, std::move(w), env, found);
  case PiecesOp::change: return of_change(todo, std::move(w), env, found);
  case PiecesOp::remove:
    if (w.free && w.slot >= 0) return false;
    if (w.free && attempt([&] { return of_taken(todo, w, env, found); })) return true;
    [[fallthrough]];
  case PiecesOp::move_by:
    w.pieces_come();
    w.stood_on = false;
    w.gone = w.gone || !env.quiet;
    break;
  case PiecesOp::discard:
    if (w.free && w.slot >= 0) return false;
    w.laid = n.count == 0;
    w.partly = n.count > 0;
    w.gone = w.gone || !env.quiet;
    break;
  }
  return signs(todo->next, w, env, found);
}

// Does what comes write nothing, and take nothing off, as far as the end? `changes`: may it change pieces?
bool FirstSigns::ends_unwritten(const Todo* todo, bool changes) const {
  for (; todo != nullptr; todo = todo->next) {
    if (todo->then != nullptr || f_.chooses(todo->action) || may_write(f_, todo->action)) return false;
    if ((!changes && f_.changes_pieces(todo->action)) || f_.does(todo->action, kTaking)) return false;
  }
  return true;
}

// Another's piece is taken off a cell that has been chosen, and nothing else is written: the end shows which
// it was, as where `put` takes something.
bool FirstSigns::of_taken(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found) {
  const Contents there = w.touched ? Contents().set() : w.there;
  if (env.quiet || w.gone || w.here.empty() || node(kid(todo->action, 0)).op != Op::here) return false;
  if (f_.stacks() || !ends_unwritten(todo->next, false)) return false;
  for (int code = 0; code < static_cast<int>(there.size()); ++code)
    if (there.test(at(code)) && (code == 0 || code >= f_.pieces().count() ||
                                 f_.pieces().owner_of(static_cast<std::uint8_t>(code)) == player_))
      return false;
  Sign& s = found.emplace_back(Sign::What::put);
  s.at = w.here;
  s.there = there;
  Written after = just_written(false);
  after.laid = w.laid;
  after.partly = w.partly;
  return signs_behind(todo->next, after, env, found);
}

bool FirstSigns::of_put(const Todo* todo, Written w, const AbstractDraft& env, Signs& found) {
  const NodeId id = todo->action;
  const bool all = node(id).count == 0;
  if (w.here.empty()) return false;
  if (env.quiet) {
    w.pieces_come();
    w.stood_on = false;
    w.laid = all;
    w.partly = !all;
    return !w.free && signs(todo->next, w, env, found);
  }
  if (!all && (node(kid(id, 0)).op != Op::number || node(kid(id, 0)).a < 1)) return false;
  if (all && w.laid) return signs(todo->next, w, env, found); // nothing is laid down, nothing is written
  if (all && w.partly) return false;                          // is anything?
  if (w.free && w.slot >= 0) return false;
  Sign& s = found.emplace_back(Sign::What::put);
  s.at = w.here;
  s.there = w.there;
  Written after = just_written(false);
  after.laid = after.stood_on = all;
  after.partly = !all;
  return signs_behind(todo->next, after, env, found);
}

bool FirstSigns::of_drop(const Todo* todo, Written w, const AbstractDraft& env, Signs& found) {
  const NodeId id = todo->action;
  const Node& n = node(id);
  const Node& where = node(kid(id, 0));
  if (env.quiet) {
    w.pieces_come();
    return !w.free && signs(todo->next, w, env, found);
  }
  const auto kind = kind_of(kid(id, 1), env);
  if (n.count > 2 || !kind || *kind < 0) return false;
  const bool here = where.op == Op::here && !w.here.empty();
  const bool chosen = where.op == Op::local && w.owes(where.a);
  const bool known = where.op == Op::cells && rules_.cell_sets[at(where.a)].any();
  // On no cell nothing would be written.
  const auto follows = chosen || here || known || w.free ? std::nullopt : from_written(kid(id, 0), w, env);
  const bool tells_walker = here && w.owes(kOfWalker);
  if (w.free ? !chosen && !tells_walker : !here && !known && !follows) return false;
  if (chosen && w.perhaps_none) { // so many, which is the same number for all that are chosen
    w.free = w.perhaps_none = false;
    w.slot = -1;
    w.pieces_come();
    w.gone = true;
    return of_anything(todo->next, w, env, found, false);
  }
  Sign& s = found.emplace_back(Sign::What::drop);
  s.text = f_.letter_of_drop(n, *kind);
  s.plain = s.text.empty() || is_plain_letter(s.text[0]);
  s.behind = w.anchored;
  s.at = here && !chosen ? w.here : follows ? *follows : anywhere(w.anchored);
  s.many = chosen ? w.several : !here && !is_one_cell(kid(id, 0), w, env);
  const bool empty = chosen ? w.vacant.count(where.a) != 0 : here && w.untouched() && w.there == Contents(1);
  Written after = just_written(w.gone || (!empty && !f_.stacks())); // a piece that lies there leaves
  after.take_over_from(w, chosen ? where.a : here ? kOfWalker : -1);
  chosen ? after.piece_comes_on(where.a) : after.pieces_come();
  after.touched = false;
  if (!here) leave_walker(after);
  return signs_behind(todo->next, after, env, found);
}

bool FirstSigns::of_change(const Todo* todo, Written w, const AbstractDraft& env, Signs& found) {
  const NodeId id = todo->action;
  const Node& n = node(id);
  const Contents there = w.untouched() ? w.there : Contents().set();
  w.touched = true;
  if (n.b != 1 || n.count < 2 || env.quiet) return signs(todo->next, w, env, found); // no kind is written
  const Node& kind = node(kid(id, 1));
  // A kind that is chosen is written, or it is the one that was there: as long as there is a piece, and
  // nothing comes behind that could be taken for it.
  const bool stands_on_piece = node(kid(id, 0)).op == Op::here && (w.stood_on || !there.test(0));
  if (stands_on_piece && w.free && w.slot >= 0 && w.kind && kind.op == Op::local && kind.a == w.slot) {
    w.free = w.kind = false;
    w.slot = -1;
    Signs rest;
    if (!signs(todo->next, w, env, rest) || !all_differ(rest)) return false;
    found.emplace_back(Sign::What::any);
    return std::all_of(rest.begin(), rest.end(), [](const Sign& s) { return s.what == Sign::What::end; });
  }
  if (w.free) return false;
  // A known kind is written unless the piece is of it already. Then the result has that kind there, and so
  // tells it from others, if no piece changes any more.
  const bool tells = stands_on_piece && stands(w) && kind.op == Op::kind && kind.a >= 0 && !w.gone;
  if (tells && ends_unwritten(todo->next, false)) {
    Sign& s = found.emplace_back(Sign::What::change);
    s.text = std::string(1, rules_.letter_of_kind(kind.a));
    return true;
  }
  if (!stands_on_piece || !becomes_another(kid(id, 1)) || w.gone) // what has left is written first, if it is
    return of_anything(todo->next, w, env, found, false);
  Sign& s = found.emplace_back(Sign::What::text);
  s.text = "=";
  s.plain = is_plain_sign(s.text, w.anchored);
  w.anchored = w.wrote = w.begun = true;
  w.here.clear();
  if (only_first_) return true;
  Signs letter;
  if (!of_anything(todo->next, w, env, letter)) return false;
  found.back().next = std::make_shared<const Signs>(std::move(letter));
  return true;
}

// Is it, of each kind where the walker is, another one? Then it is always written. (No kind would be a
// fault.)
bool FirstSigns::becomes_another(NodeId kind) const {
  const Node& n = node(kind);
  if (n.op != Op::by_kind || node(kid(kind, 0)).op != Op::here) return false;
  for (std::uint32_t k = 0; k + 2 < n.count; ++k) {
    const Node& other = node(kid(kind, k + 1));
    if (other.op != Op::kind || other.a == static_cast<int>(k)) return false;
  }
  return true;
}

// ---------------------------------------------------------------- texts, and the position

// What is said from a part on, where what has been chosen is still to be written. A value is read where it
// stands behind a text, where nothing has been written before, or behind a cell's name that tells where it
// ends.
bool FirstSigns::of_said(const Todo* todo, std::uint32_t part, Written w, const AbstractDraft& env,
                         Signs& found) {
  const Node& n = node(todo->action);
  if (w.gone || w.kind || w.perhaps_none) return false;
  const bool begins = part == 0;
  std::string text;
  for (; part < n.count; ++part) {
    const auto known = known_text(kid(todo->action, part), w);
    if (!known) break;
    text += *known;
  }
  const bool at_beginning = begins && !w.anchored;
  if (text.empty())
    return (at_beginning || names_end_by_themselves_) && of_said_value(todo, part, w, env, found);
  if (!ends_a_name(text)) return false;
  Sign& s = found.emplace_back(Sign::What::text);
  s.plain = is_plain_sign(text, w.anchored);
  s.text = std::move(text);
  w.anchored = w.wrote = w.begun = true;
  if (only_first_) return true;
  Signs behind;
  const bool good = part == n.count ? signs(todo->next, w, without_sets(env), behind)
                                    : of_said_value(todo, part, w, env, behind);
  begin_secret(found.back().text, behind);
  if (!good || !all_differ(behind)) return false;
  found.back().next = std::make_shared<const Signs>(std::move(behind));
  return true;
}

bool FirstSigns::of_said_value(const Todo* todo, std::uint32_t part, const Written& w,
                               const AbstractDraft& env, Signs& found) {
  if (part == node(todo->action).count) return false;
  return node(kid(todo->action, part)).type == Type::number ? of_said_number(todo, part, w, env, found)
                                                            : of_said_cell(todo, part, w, env, found);
}

// What stands behind a value, from a part on.
bool FirstSigns::of_rest_of_said(const Todo* todo, std::uint32_t part, const Written& w,
                                 const AbstractDraft& env, Signs& found) {
  if (part == node(todo->action).count) return signs_behind(todo->next, w, env, found);
  if (only_first_) return true;
  Signs behind;
  if (!attempt([&] { return of_said(todo, part, w, env, behind) && all_differ(behind); })) {
    behind.clear(); // nobody knows what it is, which is no matter where nothing is to be written any more
    if (w.free || !of_anything(todo->next, w, env, behind)) return false;
  }
  if (!ends_before(found.back(), behind)) return false;
  found.back().next = std::make_shared<const Signs>(std::move(behind));
  return true;
}

// What has been written isn't the walker's cell. If that is still to be written it may be any.
void FirstSigns::leave_walker(Written& after) const {
  if (after.owes(kOfWalker))
    after.here = anywhere(true);
  else
    after.here.clear();
}

// A cell that has been chosen, or one that is known from the cell which was written last.
bool FirstSigns::of_said_cell(const Todo* todo, std::uint32_t part, const Written& w,
                              const AbstractDraft& env, Signs& found) {
  const NodeId said = kid(todo->action, part);
  const Node& cell = node(said);
  const bool walker = w.owes(kOfWalker) && cell.op == Op::here && !w.here.empty();
  const std::int32_t name = cell.op == Op::local ? cell.a : -1;
  const bool chosen = w.owes(name);
  const auto follows = walker || chosen ? std::nullopt : from_written(said, w, env);
  if (!walker && !chosen && !follows) return false;
  Sign& s = found.emplace_back(Sign::What::cell);
  s.at = walker ? w.here : follows ? *follows : anywhere(w.anchored);
  s.bare = w.anchored;
  s.many = chosen ? w.several : !walker && !is_one_cell(said, w, env);
  if (chosen)
    if (const auto lay = w.lay.find(name); lay != w.lay.end()) s.start = lay->second;
  Written after = just_written(false);
  after.take_over_from(w, chosen ? name : walker ? kOfWalker : -1);
  if (!walker) leave_walker(after);
  return of_rest_of_said(todo, part + 1, after, env, found);
}

// A number that has been chosen: it ends where a text begins that is none, or with the move.
bool FirstSigns::of_said_number(const Todo* todo, std::uint32_t part, const Written& w,
                                const AbstractDraft& env, Signs& found) {
  const Node& n = node(todo->action);
  const Node& number = node(kid(todo->action, part));
  if (number.op != Op::local || !w.owes(number.a)) return false;
  const auto behind = part + 1 < n.count ? known_text(kid(todo->action, part + 1), w) : std::nullopt;
  const bool ends = behind ? !behind->empty() && std::isdigit(static_cast<unsigned char>((*behind)[0])) == 0
                           : part + 1 == n.count && ends_unwritten(todo->next, true);
  if (!ends) return false;
  found.emplace_back(Sign::What::number).plain = false;
  Written after = just_written(false);
  after.take_over_from(w, number.a);
  after.last = -1;
  leave_walker(after);
  return of_rest_of_said(todo, part + 1, after, env, found);
}

// Where a secret begins cells are written as if nothing stood before them.
void FirstSigns::begin_secret(const std::string& text, Signs& behind) const {
  if (!rules_.secret || !text.ends_with(kSecretBegins)) return;
  for (Sign& s : behind) s.first = true;
}

bool FirstSigns::of_text(const Todo* todo, Written w, const AbstractDraft& env, Signs& found) {
  const NodeId id = todo->action;
  const Node& n = node(id);
  switch (n.op) {
  case Op::set_variable:
  case Op::set_hand:
  case Op::set_local:
  case Op::again: return signs(todo->next, w, env, found);
  case Op::win:
  case Op::lose:
  case Op::draw:
    return !w.free && signs(nullptr, w, env, found); // what is decided passes all the rest unchanged
  case Op::pass:
  case Op::say: break;
  default: return false;
  }
  if (env.quiet || (n.op == Op::say && n.count == 0))
    return (n.op == Op::say || !w.free) && signs(todo->next, w, env, found);
  std::string text = n.op == Op::pass ? "pass" : "";
  std::uint32_t k = 0;
  for (; n.op == Op::say && k < n.count; ++k) {
    const auto part = known_text(kid(id, k), w);
    if (!part) break;
    text += *part;
  }
  if (w.free) return n.op == Op::say && of_said(todo, 0, std::move(w), env, found);
  if (n.op == Op::say && k < n.count) {
    Signs said;
    if (attempt([&] { return of_said(todo, 0, w, env, said); })) {
      for (Sign& s : said) found.push_back(std::move(s));
      return true;
    }
  }
  // What has left is written first; and where a cell's name ends other things than texts could go on.
  if (n.op == Op::say && (w.gone || !ends_a_name(text))) {
    w.gone = false;
    w.begun = true;
    w.here.clear();
    Sign& s = found.emplace_back(Sign::What::any);
    s.digits = !ends_a_name(text);
    s.text = std::move(text);
    return signs_behind(todo->next, w, env, found);
  }
  Sign& s = found.emplace_back(Sign::What::text);
  s.plain = is_plain_sign(text, w.anchored);
  s.text = std::move(text);
  w.anchored = w.wrote = w.begun = true;
  w.here.clear();
  if (n.op == Op::pass || k == n.count) return signs_behind(todo->next, w, env, found);
  if (only_first_) return true;
  Signs behind; // the rest of what is said
  if (!of_anything(todo->next, w, env, behind)) return false;
  found.back().next = std::make_shared<const Signs>(std::move(behind));
  return true;
}

} // namespace boardwright::runtime::lowering::unambiguity
