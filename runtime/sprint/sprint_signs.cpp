// The sprint compiler: can two drafts be one move?
//
// Drafts are the same move only if they write the same cells in the same order. So they needn't be compared
// if every choice shows in what is written next: then two drafts differ behind the first choice that they
// make in different ways. Here the actions are followed from one written cell to the next, with the cell as a
// table by the one before. What isn't known here is taken as if it could be the same.
#include "runtime/sprint/sprint_compiler.hpp"

namespace boardwright::runtime::sprint {

using Place = std::vector<std::int16_t>;

// Whatever the position, no two of them are the same: one of two cells, or a cell or the end of the move.
bool Sprinter::differ(const std::vector<Sign>& signs) {
  const auto meet = [](const Place& a, const Place& b) {
    for (std::size_t c = 0; c < a.size(); ++c)
      if (a[c] != kNowhere && a[c] == b[c]) return true;
    return false;
  };
  for (std::size_t i = 0; i < signs.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const Sign &a = signs[i], &b = signs[k];
      if (a.of != 0 && a.of == b.of) continue;
      if (a.what == Sign::What::set || b.what == Sign::What::set) return false;
      if (a.what == b.what && (a.what == Sign::What::end || meet(a.place, b.place))) return false;
    }
  }
  return true;
}

// From a cell that has just been written on.
bool Sprinter::signs_after(const Coming* coming, const Env& env) {
  Place same(at(board().cells));
  for (std::size_t c = 0; c < same.size(); ++c) same[c] = static_cast<std::int16_t>(c);
  std::vector<Sign> found;
  return signs(coming, &same, env, found) && differ(found);
}

// Which one is gone doesn't depend on a choice.
bool Sprinter::signs_of_branches(const std::vector<NodeId>& branches, const Coming* next, const Place* place,
                                 const Env& env, std::vector<Sign>& found) {
  const int of = ++branch_signs_;
  for (const NodeId id : branches) {
    std::vector<Sign> these;
    const Coming branch{id, kNoNode, next};
    if (!signs(id == kNoNode ? next : &branch, place, env, these) || !differ(these)) return false;
    for (Sign& sign : these) {
      sign.of = of;
      found.push_back(std::move(sign));
    }
  }
  return true;
}

bool Sprinter::signs(const Coming* coming, const Place* place, Env env, std::vector<Sign>& found) {
  constexpr std::size_t kMostSigns = 64;
  constexpr int kMostWays = 1 << 13; // choices behind each other multiply
  const Deeper deeper(depth_);
  if (depth_ > kMaxSprintDepth || found.size() > kMostSigns || ++branch_signs_ > kMostWays) return false;
  if (coming == nullptr) {
    found.push_back({Sign::What::end, {}, 0});
    return place != nullptr;
  }
  if (coming->repeat != kNoNode) // rounds that go on as long as they can end without a choice
    return (node(coming->repeat).a & kMaximal) != 0 && signs(coming->next, place, env, found);
  const Node n = node(coming->action);
  const auto go_on = [&](NodeId action) {
    const Coming first{action, kNoNode, coming->next};
    return signs(&first, place, env, found);
  };
  switch (n.op) {
  case Op::never: return true;
  case Op::sequence: {
    std::vector<Coming> chain(n.count);
    for (std::size_t k = chain.size(); k-- > 0;)
      chain[k] = {program_.kids[n.kids + k], kNoNode, k + 1 < chain.size() ? &chain[k + 1] : coming->next};
    return signs(chain.empty() ? coming->next : chain.data(), place, env, found);
  }
  case Op::alternatives:
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (!go_on(program_.kid(n, i))) return false;
    return true;
  case Op::otherwise: { // only one of them has moves
    if (place != nullptr) return false;
    for (std::uint32_t i = 0; i < n.count; ++i) {
      std::vector<Sign> these;
      const Coming first{program_.kid(n, i), kNoNode, coming->next};
      if (!signs(&first, place, env, these) || !differ(these)) return false;
    }
    return true;
  }
  case Op::if_action:
  case Op::by_kind_action: {
    std::vector<NodeId> branches;
    for (std::uint32_t i = 1; i < n.count; ++i) branches.push_back(program_.kid(n, i));
    if (n.op == Op::if_action && n.count < 3) branches.push_back(kNoNode);
    return signs_of_branches(branches, coming->next, place, env, found);
  }
  case Op::from: {
    if (place != nullptr) return false;
    Place same(at(board().cells));
    for (std::size_t c = 0; c < same.size(); ++c) same[c] = static_cast<std::int16_t>(c);
    return signs(coming->next, &same, env, found);
  }
  case Op::choose: {
    if (node(kid(coming->action, 0)).type != Type::directions) return false;
    const auto steps = directions(kid(coming->action, 0), env);
    if (!steps || failed_) return false;
    bool good = true;
    steps->each([&](int s) {
      env.slots[n.a] = one_way(s);
      good = good && signs(coming->next, place, env, found);
    });
    return good;
  }
  case Op::choose_some: { // the cells are chosen by what is then dropped on them
    const Coming* drop = coming->next;
    if (drop == nullptr || drop->action == kNoNode || place == nullptr) return false;
    const Node& d = node(drop->action);
    const bool chosen =
        d.op == Op::drop && node(program_.kid(d, 0)).op == Op::local && node(program_.kid(d, 0)).a == n.a;
    if (!chosen) return false;
    found.push_back({Sign::What::set, {}, 0});
    return signs_after(drop->next, env);
  }
  case Op::go: {
    if (place == nullptr) return false;
    const auto steps = directions(kid(coming->action, 0), env);
    if (!steps || failed_) return false;
    bool good = true;
    steps->each([&](int s) {
      const auto& to = board().steps[at(s)].to;
      Place there = *place;
      for (auto& c : there)
        if (c != kNowhere) c = to[at(c)];
      good = good && signs(coming->next, &there, env, found);
    });
    return good;
  }
  case Op::put:
    if (n.count > 0 || place == nullptr) return false;
    found.push_back({Sign::What::cell, *place, 0});
    return signs_after(coming->next, env);
  case Op::repeat: {
    if (place == nullptr || (n.a & kUnbounded) == 0 || node(kid(coming->action, 1)).op != Op::number ||
        node(kid(coming->action, 1)).a != 1)
      return false;
    const Coming end{kNoNode, coming->action, coming->next};
    const Coming first{kid(coming->action, 0), kNoNode, &end};
    // A later round begins on any cell that the one before has written.
    return ends_with_put(kid(coming->action, 0)) && signs(&first, place, env, found) &&
           signs_after(&first, env);
  }
  case Op::let: {
    if (node(kid(coming->action, 0)).type == Type::directions)
      if (const auto steps = directions(kid(coming->action, 0), env)) {
        Value v;
        v.kind = Value::Kind::directions;
        v.steps = *steps;
        env.slots[n.a] = v;
      }
    return signs(coming->next, place, env, found);
  }
  case Op::remove:
  case Op::at:
  case Op::require:
  case Op::lift:
  case Op::change:
  case Op::set_variable:
  case Op::again: return signs(coming->next, place, env, found);
  default: return false;
  }
}

// Then a round begins where the last one has written.
bool Sprinter::ends_with_put(NodeId action) const {
  const Node& n = node(action);
  if (n.op == Op::sequence) return n.count > 0 && ends_with_put(program_.kid(n, n.count - 1));
  return n.op == Op::put;
}

bool Sprinter::told_apart(const std::vector<NodeId>& actions) {
  if (failed_) return false;
  std::vector<Coming> chain(actions.size());
  for (std::size_t k = chain.size(); k-- > 0;)
    chain[k] = {actions[k], kNoNode, k + 1 < chain.size() ? &chain[k + 1] : nullptr};
  std::vector<Sign> found;
  branch_signs_ = 0;
  const std::size_t ops = code_.ops.size();
  const bool good = signs(chain.data(), nullptr, Env(), found) && differ(found);
  failed_ = false;
  code_.ops.resize(ops);
  memo_.clear();
  return good;
}

} // namespace boardwright::runtime::sprint
