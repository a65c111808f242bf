// Alternatives of a turn whose moves could be the same: which of them are compared, and in what positions.
//
// Of two alternatives that nothing tells apart one is often rare: a pawn can seldom capture in passing. So
// the one that is cheaper to ask about is always compared, and the other only where the first could begin at
// all. An alternative through which the proof doesn't get is taken as if it could be any other.
#include "runtime/lowering/notation_proof.hpp"
#include "runtime/model/forms.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace boardwright::runtime::lowering {

using Kind = Val::Kind;

// What is written by one of several alternatives.
struct Lowering::Alternative {
  bool from = false;       // its first action that matters is `from`; the signs are those behind it
  bool unknown = false;    // the proof doesn't get through
  std::vector<Sign> signs; // what is written next
  NodeId action = kNoNode;
  const Todo* next = nullptr; // what comes then
};

// Can they be one move?
bool Lowering::are_alike(const Alternative& a, const Alternative& b) const {
  if (&a != &b && never_written_alike(program_, a.action, b.action, a.next)) return false;
  if (a.unknown || b.unknown) return true;
  if (a.from != b.from) {
    Sign start;
    start.what = Sign::What::cell;
    start.at = CellRelation({board().all});
    start.there.set();
    start.next = std::make_shared<const std::vector<Sign>>(a.from ? a.signs : b.signs);
    const auto& others = a.from ? b.signs : a.signs;
    return std::any_of(others.begin(), others.end(), [&](const Sign& s) { return !differ({s, start}); });
  }
  for (std::size_t i = 0; i < a.signs.size(); ++i)
    for (std::size_t k = 0; k < (&a == &b ? i : b.signs.size()); ++k)
      if (!differ({a.signs[i], b.signs[k]})) return true;
  return false;
}

// The signs of an alternative that begins with `from`, behind it.
bool Lowering::signs_from(const Steps& parts, std::size_t from, const Todo* next, const Written& w,
                          const Draft& env, std::vector<Sign>& found) {
  std::vector<Todo> chain(parts.size() - from - 1);
  for (std::size_t m = chain.size(); m-- > 0;)
    chain[m] = {parts[from + 1 + m], m + 1 < chain.size() ? &chain[m + 1] : next, nullptr};
  Written at_start = just_written(false);
  at_start.laid = w.laid;
  at_start.partly = w.partly;
  const bool untouched = !w.anchored && !w.gone && !w.touched; // as at the turn's beginning
  const Draft asked = without_sets(env);
  if (untouched) at_start.bound = w.bound;
  at_start.start = codes_of(kid(parts[from], 0), w);
  // Where pieces go by their kinds each is looked at by itself.
  std::vector<Contents> cases{at_start.start};
  constexpr std::size_t kMostPieces = 16;
  bool by_kinds = false;
  for (std::size_t m = from + 1; m < parts.size(); ++m)
    by_kinds = by_kinds || contains(parts[m], Op::by_kind_action);
  if (by_kinds && at_start.start.count() <= kMostPieces) {
    cases.clear();
    for (std::size_t code = 0; code < at_start.start.size(); ++code)
      if (at_start.start.test(code)) cases.push_back(Contents().set(code));
  }
  for (const Contents& start : cases) {
    at_start.start = start;
    std::vector<Sign> these;
    if (!signs(chain.empty() ? next : chain.data(), at_start, asked, these)) return false;
    for (Sign& s : these) {
      s.start = start;
      found.push_back(std::move(s));
    }
  }
  return true;
}

// Alternatives that begin with `from` go on behind one sign. Before anything has been written or chosen some
// may be compared, if not all need to be.
bool Lowering::signs_of_starts(const Todo* todo, const Written& w, const Draft& env,
                               std::vector<Sign>& found) {
  const Node n = node(todo->action);
  if (w.free || env.quiet) return false;
  bool outermost = !w.anchored && !w.gone;
  for (const Todo* next = todo->next; next != nullptr; next = next->next)
    outermost = outermost && next->then == nullptr;
  std::vector<Alternative> all(n.count);
  bool only_from = true;
  for (std::uint32_t i = 0; i < n.count; ++i) {
    all[i].action = kid(todo->action, i);
    all[i].next = todo->next;
    Steps parts;
    flatten(all[i].action, parts);
    const std::size_t k = first_that_matters(parts);
    all[i].from = k < parts.size() && node(parts[k]).op == Op::from;
    only_from = only_from && all[i].from;
    const Todo branch{kid(todo->action, i), todo->next, nullptr};
    if (!all[i].from && !outermost) return false;
    if (all[i].from ? signs_from(parts, k, todo->next, w, env, all[i].signs)
                    : signs(&branch, w, without_sets(env), all[i].signs))
      continue;
    if (!outermost) return false;
    all[i].unknown = true;
    all[i].signs.clear();
    only_from = false;
  }
  if (!only_first_ && !compare_alike(todo->action, all, outermost)) return false;
  const int of = only_from ? 0 : ++sign_groups_; // they have been told from one another
  const auto note = [&](Sign s) {
    s.of = of;
    found.push_back(std::move(s));
  };
  Sign start;
  start.what = Sign::What::cell;
  start.gone = w.gone;
  start.at = anywhere(w.anchored);
  start.there.set();
  if (std::any_of(all.begin(), all.end(), [](const Alternative& a) { return a.from; })) note(start);
  for (const Alternative& a : all) {
    if (a.unknown) { // it may be anything, and nothing
      note(Sign());
      start.what = Sign::What::gone;
      note(start);
    }
    if (!a.from)
      for (const Sign& s : a.signs) note(s);
  }
  return true;
}

// Notes which of them are compared. False: all or none of them would be.
bool Lowering::compare_alike(NodeId alternatives, const std::vector<Alternative>& all, bool outermost) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> alike;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    for (std::uint32_t k = 0; k <= i; ++k) {
      if (!are_alike(all[i], all[k])) continue;
      if (!outermost) return false;
      alike.insert({k, i});
    }
  const auto with_itself = [&](std::uint32_t i) { return alike.count({i, i}) != 0; };
  std::size_t alone = 0;
  for (std::uint32_t i = 0; i < all.size(); ++i) alone += with_itself(i) ? 1U : 0U;
  if (alone == all.size()) return false;
  if (!alike.empty()) alike_[alternatives].merge(alike);
  return true;
}

// What comes before it neither writes nor chooses anything.
std::size_t Lowering::first_that_matters(const Steps& parts) const {
  const auto matters = [this](NodeId id) {
    const Op op = node(id).op;
    return op != Op::require && op != Op::let && op != Op::set_variable && op != Op::set_local;
  };
  return static_cast<std::size_t>(std::find_if(parts.begin(), parts.end(), matters) - parts.begin());
}

// ---------------------------------------------------------------- alternatives apart

NodeId Lowering::new_action(Op op, const Steps& kids, NodeId like) {
  if (kids.size() == 1) return kids.front();
  Node n = node(like);
  n.op = op;
  n.a = n.b = 0;
  n.kids = static_cast<std::uint32_t>(program_.kids.size());
  n.count = static_cast<std::uint32_t>(kids.size());
  program_.kids.insert(program_.kids.end(), kids.begin(), kids.end());
  program_.nodes.push_back(n);
  return static_cast<NodeId>(program_.nodes.size() - 1);
}

// What is known of an action is kept by its node: where it stands twice it needs two.
NodeId Lowering::copied(NodeId id) {
  if (id == kNoNode) return id;
  Node n = node(id);
  Steps kids;
  for (std::uint32_t i = 0; i < n.count; ++i) kids.push_back(copied(kid(id, i)));
  n.kids = static_cast<std::uint32_t>(program_.kids.size());
  program_.kids.insert(program_.kids.end(), kids.begin(), kids.end());
  program_.nodes.push_back(n);
  return static_cast<NodeId>(program_.nodes.size() - 1);
}

// `from S, (A or B), C` as `(from S, A, C) or (from S, B, C)`: then A may be told from B by its beginning.
NodeId Lowering::apart(NodeId id) {
  if (!is_on(Form::apart)) return id;
  constexpr std::size_t kMostApart = 8;
  const Node n = node(id);
  if (n.op == Op::alternatives || n.op == Op::otherwise) {
    Steps kids;
    bool changed = false;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      const NodeId old = kid(id, i), now = apart(old);
      changed = changed || now != old;
      const bool joins = now != old && n.op == Op::alternatives && node(now).op == Op::alternatives;
      for (std::uint32_t k = 0; joins && k < node(now).count; ++k) kids.push_back(kid(now, k));
      if (!joins) kids.push_back(now);
    }
    return changed ? new_action(n.op, kids, id) : id;
  }
  Steps parts;
  flatten(id, parts);
  const std::size_t first = first_that_matters(parts);
  if (first == parts.size()) return id;
  std::size_t at_ways = first;
  if (node(parts[first]).op == Op::from) do
      ++at_ways;
    while (at_ways < parts.size() && !chooses(parts[at_ways]));
  if (at_ways == parts.size()) return id;
  const Node ways = node(parts[at_ways]);
  if (at_ways == first) { // nothing has begun yet
    if (ways.op != Op::alternatives && ways.op != Op::otherwise) return id;
    const NodeId now = apart(parts[first]);
    if (now == parts[first]) return id;
    parts[first] = now;
    return new_action(Op::sequence, parts, id);
  }
  if (ways.op != Op::alternatives || ways.count > kMostApart) return id;
  Steps all;
  for (std::uint32_t k = 0; k < ways.count; ++k) {
    Steps way = parts;
    way[at_ways] = kid(parts[at_ways], k);
    if (k > 0)
      for (std::size_t i = 0; i < way.size(); ++i)
        if (i != at_ways) way[i] = copied(way[i]);
    all.push_back(new_action(Op::sequence, way, id));
  }
  return new_action(Op::alternatives, all, parts[at_ways]);
}

// Must all moves of a player be compared? If so, or if those of whole branches must, it is tried with
// alternatives apart.
bool Lowering::compares_all(int p) {
  const bool all = needs_comparing(p);
  if (!all && compared_.empty()) return false;
  const std::size_t some = compared_.size();
  const NodeId turn = program_.players[at(p)].turn, other = apart(turn);
  if (other == turn) return all;
  program_.players[at(p)].turn = other;
  if (!needs_comparing(p) && (all || compared_.size() < some)) return false;
  program_.players[at(p)].turn = turn;
  return needs_comparing(p);
}

// ---------------------------------------------------------------- code

// Goes on if an alternative can't begin, else perhaps to the label. False: nothing is known of it.
bool Lowering::jump_if_begins(NodeId alternative, const Todo* next, Label begins, Draft d) {
  if (!is_on(Form::doubts)) return false;
  Steps parts;
  flatten(alternative, parts);
  const std::size_t k = first_that_matters(parts);
  if (k == parts.size() || (node(parts[k]).op != Op::from && node(parts[k]).op != Op::to)) return false;
  const Label not_at_all = e_.label();
  {
    const Emitter::Scope scope(e_);
    for (std::size_t i = 0; i < k; ++i) {
      const Node& n = node(parts[i]);
      if (n.op != Op::require && n.op != Op::let) return false;
      if (!harmless(kid(parts[i], 0)) || is_changed(n.op == Op::let ? n.a : -1)) return false;
      if (n.op == Op::let)
        let(parts[i], d);
      else
        jump(kid(parts[i], 0), false, not_at_all, d);
    }
    if (!harmless(kid(parts[k], 0))) return false;
    for (std::size_t i = k + 1; i < parts.size() && node(parts[i]).op == Op::require; ++i) {
      const NodeId condition = kid(parts[i], 0);
      if (reads_walker(condition) || !harmless(condition) || contains(condition, Op::local)) break;
      jump(condition, false, not_at_all, d);
    }
    const Reg from = set(kid(parts[k], 0), d);
    std::vector<Todo> chain(parts.size() - k - 1);
    for (std::size_t m = chain.size(); m-- > 0;)
      chain[m] = {parts[k + 1 + m], m + 1 < chain.size() ? &chain[m + 1] : next, nullptr};
    const Reg able = could_begin(chain.empty() ? next : chain.data(), d, false);
    e_.emit(Ir::if_meet, 0, from, able, 0, begins);
  }
  e_.place(not_at_all);
  return true;
}

// How seldom an alternative can begin, as it looks: what asks for names or variables seldom can, what asks
// for pieces alone often.
int Lowering::rarity(NodeId alternative) const {
  Steps parts;
  flatten(alternative, parts);
  const auto is_bound = [this](NodeId id) { return contains(id, Op::variable) || contains(id, Op::local); };
  const std::size_t k = first_that_matters(parts);
  for (std::size_t i = 0; i <= k && i < parts.size(); ++i)
    if (node(parts[i]).op != Op::let && node(parts[i]).count > 0 && is_bound(kid(parts[i], 0))) return 0;
  for (std::size_t i = k + 1; i < parts.size(); ++i)
    if (node(parts[i]).op == Op::at && is_bound(kid(parts[i], 0))) return 1;
  return 2;
}

// Which alternatives are compared always, and which if the number `doubt` isn't 0?
Lowering::Comparing Lowering::comparing(const Todo* alternatives, const Draft& d) {
  Comparing c;
  const NodeId id = alternatives->action;
  const auto known = alike_.find(id);
  if (known == alike_.end()) return c;
  std::vector<std::tuple<int, std::size_t, std::uint32_t>> costs; // of asking whether it could begin
  const std::uint32_t ways = node(id).count;
  constexpr std::size_t kUnknown = kMaxInstructions;
  for (std::uint32_t i = 0; i < ways; ++i) {
    Emitter::Attempt attempt(e_);
    const std::size_t begin = e_.here();
    const bool asked = jump_if_begins(kid(id, i), alternatives->next, e_.label(), d);
    costs.emplace_back(asked ? rarity(kid(id, i)) : 3, asked ? e_.here() - begin : kUnknown, i);
    attempt.give_up();
    if (known->second.count({i, i}) != 0) c.always.insert(kid(id, i));
  }
  std::sort(costs.begin(), costs.end());
  const auto alike = [&](std::uint32_t i, std::uint32_t k) {
    return known->second.count({std::min(i, k), std::max(i, k)}) != 0;
  };
  std::vector<std::uint32_t> rare;
  for (const auto& [rank, cost, i] : costs) {
    bool asked = false;
    for (std::uint32_t k = 0; k < ways; ++k) {
      if (i == k || !alike(i, k) || c.always.count(kid(id, k)) != 0) continue;
      asked = true;
      (cost == kUnknown ? c.always : c.sometimes).insert(kid(id, k));
    }
    if (!asked) continue;
    c.always.insert(kid(id, i));
    if (cost != kUnknown) rare.push_back(i);
  }
  for (const NodeId k : c.always) c.sometimes.erase(k);
  if (c.sometimes.empty()) {
    begin_comparing();
    return c;
  }
  c.doubt = e_.new_number();
  const Label past = e_.label(), begins = e_.label();
  {
    const Emitter::Scope scope(e_);
    for (const std::uint32_t i : rare) jump_if_begins(kid(id, i), alternatives->next, begins, d);
  }
  e_.emit(Ir::constant, c.doubt, 0, 0, 0, 0);
  if (c.always.size() > rare.size()) begin_comparing(); // moves of some are compared in any case
  e_.go(past);
  e_.place(begins);
  begin_comparing();
  e_.emit(Ir::constant, c.doubt, 0, 0, 0, 1);
  e_.place(past);
  return c;
}

} // namespace boardwright::runtime::lowering
