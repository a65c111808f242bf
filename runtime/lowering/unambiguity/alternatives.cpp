// Alternatives whose moves could be the same.
//
// An alternative that nobody understands is taken as if it could be any other. Before anything has been
// written or chosen some may be compared, if not all need to be.
#include "runtime/lowering/unambiguity/first_signs.hpp"

#include <algorithm>
#include <utility>

namespace boardwright::runtime::lowering::unambiguity {

std::size_t first_that_matters(const std::vector<NodeId>& parts, const Facts& facts) {
  const auto matters = [&](NodeId id) {
    return !one_of(facts.node(id).op, Op::require, Op::let, Op::set_variable, Op::set_local);
  };
  return static_cast<std::size_t>(std::find_if(parts.begin(), parts.end(), matters) - parts.begin());
}

bool FirstSigns::of_alternatives(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found) {
  if (attempt([&] { return of_starts(todo, w, env, found); })) return true;
  for (const NodeId way : rules_.kids_of(node(todo->action))) {
    const Todo branch{way, todo->next, nullptr};
    if (!signs(&branch, w, env, found)) return false;
  }
  return true;
}

// Can they be one move?
bool FirstSigns::are_alike(const Alternative& a, const Alternative& b) const {
  if (&a != &b && never_written_alike(f_, a.action, b.action, a.next)) return false;
  if (a.unknown || b.unknown) return true;
  if (a.from != b.from) {
    Sign start(Sign::What::cell);
    start.at = CellRelation({board().all});
    start.start = a.from ? a.start : b.start;
    start.next = std::make_shared<const Signs>(a.from ? a.signs : b.signs);
    const auto& others = a.from ? b.signs : a.signs;
    return std::any_of(others.begin(), others.end(), [&](const Sign& s) { return !all_differ({s, start}); });
  }
  for (std::size_t i = 0; i < a.signs.size(); ++i)
    for (std::size_t k = 0; k < (&a == &b ? i : b.signs.size()); ++k)
      if (!all_differ({a.signs[i], b.signs[k]})) return true;
  return false;
}

// The signs of an alternative that begins with `from`, behind it.
bool FirstSigns::behind_from(const Actions& parts, std::size_t from, const Todo* next, const Written& w,
                             const AbstractDraft& env, Signs& found) {
  std::vector<Todo> chain(parts.size() - from - 1);
  for (std::size_t m = chain.size(); m-- > 0;)
    chain[m] = {parts[from + 1 + m], m + 1 < chain.size() ? &chain[m + 1] : next, nullptr};
  Written at_start = just_written(false);
  at_start.laid = w.laid;
  at_start.partly = w.partly;
  const bool untouched = !w.anchored && !w.gone && !w.touched; // as at the turn's beginning
  if (untouched) at_start.bound = w.bound;
  Written now = w; // what names stood for is known as long as no piece has changed
  if (!w.untouched()) now.bound.clear();
  at_start.start = codes_of(kid(parts[from], 0), now);
  // Where pieces go by their kinds each is looked at by itself.
  std::vector<Contents> cases{at_start.start};
  constexpr std::size_t kMostPieces = 16;
  bool by_kinds = false;
  for (std::size_t m = from + 1; m < parts.size(); ++m)
    by_kinds = by_kinds || f_.contains(parts[m], Op::by_kind_action);
  if (by_kinds && at_start.start.count() <= kMostPieces) {
    cases.clear();
    for (std::size_t code = 0; code < at_start.start.size(); ++code)
      if (at_start.start.test(code)) cases.push_back(Contents().set(code));
  }
  for (const Contents& start : cases) {
    at_start.start = start;
    Signs these;
    if (!signs(chain.empty() ? next : chain.data(), at_start, without_sets(env), these)) return false;
    for (Sign& s : these) {
      s.start = start;
      found.push_back(std::move(s));
    }
  }
  return true;
}

// Has nothing been written or chosen before, and is what comes next all there is?
bool FirstSigns::begins_turn(const Todo* next, const Written& w, const AbstractDraft& env) const {
  for (; next != nullptr; next = next->next)
    if (next->then != nullptr) return false;
  return !w.begun && !w.free && !w.gone && !env.quiet;
}

// Alternatives that begin with `from` go on behind one sign.
bool FirstSigns::of_starts(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found) {
  const auto ways = rules_.kids_of(node(todo->action));
  const bool outermost = begins_turn(todo->next, w, env);
  if (!outermost) inner_.insert(todo->action);
  if (w.free || env.quiet) return false;
  std::vector<Alternative> all(ways.size());
  bool only_from = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Alternative& a = all[i];
    a.action = ways[i];
    a.next = todo->next;
    Actions parts;
    f_.flatten(a.action, parts);
    const std::size_t k = first_that_matters(parts, f_);
    a.from = k < parts.size() && node(parts[k]).op == Op::from;
    only_from = only_from && a.from;
    if (a.from && !w.anchored && w.untouched()) a.start = f_.possible_contents(kid(parts[k], 0), env);
    const Todo branch{a.action, todo->next, nullptr};
    if (!a.from && !outermost) return false;
    if (attempt([&] {
          return a.from ? behind_from(parts, k, todo->next, w, env, a.signs)
                        : signs(&branch, w, without_sets(env), a.signs);
        }))
      continue;
    if (!outermost) return false;
    a.unknown = true;
    a.signs.clear();
    only_from = false;
  }
  if (!only_first_ && !compare_alike(todo->action, all, outermost)) return false;
  const int of = only_from ? 0 : ++groups_; // they have been told from one another
  const auto note = [&](Sign s) {
    s.of = of;
    found.push_back(std::move(s));
  };
  Sign start(Sign::What::cell);
  start.gone = w.gone;
  start.at = anywhere(w.anchored);
  if (std::any_of(all.begin(), all.end(), [](const Alternative& a) { return a.from; })) note(start);
  for (const Alternative& a : all) {
    if (a.unknown) { // it may be anything, and nothing
      note(Sign());
      note(Sign(Sign::What::gone));
    }
    if (!a.from)
      for (const Sign& s : a.signs) note(s);
  }
  return true;
}

// Notes which of them are compared. False: all or none of them would be.
bool FirstSigns::compare_alike(NodeId alternatives, const std::vector<Alternative>& all, bool outermost) {
  Alike alike;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    for (std::uint32_t k = 0; k <= i; ++k) {
      if (!are_alike(all[i], all[k])) continue;
      if (!outermost) return false;
      alike.insert({k, i});
    }
  std::size_t alone = 0;
  for (std::uint32_t i = 0; i < all.size(); ++i) alone += alike.count({i, i});
  if (alone == all.size()) return false;
  if (!alike.empty()) ambiguities_.alike[alternatives].merge(alike);
  return true;
}

// Branches of which a position only ever has one, before anything is chosen: moves of those that can't be
// told apart are compared, and no others.
bool FirstSigns::of_outermost(const std::vector<NodeId>& branches, const Todo* next, const Written& w,
                              const AbstractDraft& env, Signs& found) {
  if (!begins_turn(next, w, env)) {
    inner_.insert(branches.begin(), branches.end());
    return false;
  }
  const int of = ++groups_;
  for (const NodeId id : branches) {
    Signs these;
    const Todo branch{id, next, nullptr};
    if (!attempt([&] { return signs(&branch, w, env, these) && all_differ(these); })) {
      ambiguities_.branches.insert(id);
      these = {Sign(Sign::What::gone), Sign()}; // it may be anything, and nothing
    }
    for (Sign& s : these) {
      s.of = of;
      found.push_back(std::move(s));
    }
  }
  const auto is_compared = [this](NodeId id) { return ambiguities_.branches.count(id) != 0; };
  return !std::all_of(branches.begin(), branches.end(), is_compared);
}

} // namespace boardwright::runtime::lowering::unambiguity
