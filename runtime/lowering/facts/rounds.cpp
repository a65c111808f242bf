// Can a repetition come back to a draft?
#include "runtime/lowering/facts/facts.hpp"

#include <algorithm>

namespace boardwright::runtime::lowering {

namespace {

// Which half of the plane steps go to: they never come back if all go to one.
struct Halves {
  bool up = true, down = true, left = true, right = true, any = false;
  void add(const Step& s) {
    const bool track = s.may_return();
    any = true;
    up = up && !track && s.dy > 0;
    down = down && !track && s.dy < 0;
    right = right && !track && s.dx > 0;
    left = left && !track && s.dx < 0;
  }
  [[nodiscard]] bool one() const { return any && (up || down || left || right); }
};

} // namespace

// Conservative: true unless every round certainly leads to a draft that the ones before it weren't.
bool Facts::comes_back(NodeId loop, const AbstractDraft& d) const {
  const NodeId body = rules_.kid(node(loop), 0);
  Actions parts;
  flatten(body, parts);
  // The walker only goes one way: every round steps, and nothing puts it elsewhere.
  Halves halves;
  bool steps = true, stepped = false;
  AbstractDraft chosen = d;
  const bool keeps_heading = std::all_of(parts.begin(), parts.end(), [this](NodeId id) {
    return node(id).op != Op::go || node(rules_.kid(node(id), 0)).op == Op::heading;
  });
  if (!keeps_heading) chosen.heading = make_step(0); // what it was in the last round isn't known
  for (const NodeId id : parts) {
    const Node& n = node(id);
    if (n.op == Op::choose && node(rules_.kid(n, 0)).type == Type::directions && !is_changed(n.a))
      chosen.locals[n.a] = make_steps(possible_steps(rules_.kid(n, 0), chosen));
    if (n.op == Op::go) {
      const auto way = constant_steps(rules_.kid(n, 0), chosen);
      if (!way) {
        steps = false;
        continue;
      }
      stepped = true;
      way->each([&](int s) { halves.add(board().steps[at(s)]); });
    } else if (changes_place(id)) {
      steps = false;
    }
  }
  if (steps && stepped && halves.one()) return false;
  // Every way through a round adds a cell to a set that it wasn't in, and nothing is taken from such sets.
  if (always_grows(body, body)) return false;
  // A number that only ever goes up, or down, in every round.
  if (std::any_of(parts.begin(), parts.end(), [&](NodeId part) { return counts_on(part, body); }))
    return false;
  if (always_carries(body, parts)) return false;
  // There are ever fewer pieces, on the board and carried: one is taken off in every round, and none
  // comes. Or ever more cells are in a set: one that isn't in it is added in every round, and none leaves.
  bool removes = false;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const Node &n = node(parts[i]), &before = node(parts[i - 1]);
    if (before.op != Op::at) continue;
    if (n.op == Op::set_local && grows(body, n, rules_.kid(before, 0))) return false;
    if (n.op != Op::remove || node(rules_.kid(n, 0)).op != Op::here) continue;
    const Node& there = node(rules_.kid(before, 0));
    removes = removes || there.op == Op::owned || there.op == Op::kind_cells ||
              (there.op == Op::meet &&
               (node(rules_.kid(there, 0)).op == Op::owned || node(rules_.kid(there, 1)).op == Op::owned));
  }
  return !removes || contains(body, Op::drop);
}

namespace {

// The set that an operation names: a variable, or a name that is set again.
struct NamedSet {
  bool variable = false;
  std::int32_t of = 0;
  friend bool operator==(const NamedSet&, const NamedSet&) = default;
};

std::optional<NamedSet> named_set(const Node& n) {
  if (n.op == Op::variable) return NamedSet{true, n.a};
  if (n.op == Op::local) return NamedSet{false, n.a};
  return std::nullopt;
}

std::optional<NamedSet> set_that_changes(const Node& n) {
  if (n.op == Op::set_variable) return NamedSet{true, n.a};
  if (one_of(n.op, Op::set_local, Op::let, Op::choose, Op::choose_some, Op::each))
    return NamedSet{false, n.a};
  return std::nullopt;
}

} // namespace

// Is something lifted in every round, and nothing put down again; or the other way round? Then never is as
// much carried as before. A part of a round that is none of its own, as one of several ways, isn't among
// `parts`.
bool Facts::always_carries(NodeId body, const Actions& parts) const {
  const auto surely = [&](NodeId id, Op op) {
    const Node& n = node(id);
    if (n.op != op) return false;
    if (n.count == 0) return op == Op::lift; // of an empty cell nothing is lifted: no outcome
    const Node& many = node(rules_.kid(n, 0));
    return many.op == Op::number && many.a > 0;
  };
  const auto any = [&](Op op) {
    return std::any_of(parts.begin(), parts.end(), [&](NodeId id) { return surely(id, op); });
  };
  if (any(Op::lift) && !contains(body, Op::put) && !contains(body, Op::discard)) return true;
  return (any(Op::put) || any(Op::discard)) && !contains(body, Op::lift);
}

// `set S = S | …`: then S only grows there. The set, and what is added.
std::optional<NodeId> Facts::added_to_itself(const Node& n) const {
  if (n.op != Op::set_variable && n.op != Op::set_local) return std::nullopt;
  const Node& value = node(rules_.kid(n, 0));
  if (value.op != Op::unite) return std::nullopt;
  for (const std::uint32_t k : {0U, 1U})
    if (named_set(node(rules_.kid(value, k))) == set_that_changes(n)) return rules_.kid(value, 1 - k);
  return std::nullopt;
}

// Does a condition on the walker's cell say that it isn't in the set that the action changes?
bool Facts::keeps_out_of(NodeId tested, const Node& change) const {
  const Node& n = node(tested);
  const auto is_it = [&](NodeId id) { return named_set(node(id)) == set_that_changes(change); };
  switch (n.op) {
  case Op::complement: return is_it(rules_.kid(n, 0));
  case Op::minus: return is_it(rules_.kid(n, 1)) || keeps_out_of(rules_.kid(n, 0), change);
  case Op::meet: return keeps_out_of(rules_.kid(n, 0), change) || keeps_out_of(rules_.kid(n, 1), change);
  default: return false;
  }
}

// On every way through an action: `at ~S, set S = S | here`, for some set that only grows in the whole round.
bool Facts::always_grows(NodeId id, NodeId round) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  const auto kids = rules_.kids_of(n);
  const auto grows_in = [&](NodeId k) { return always_grows(k, round); };
  const auto only_grows = [&](const Node& change) {
    return !finds(round, [&](const Node& m) {
      return found(set_that_changes(m) == set_that_changes(change) && !added_to_itself(m));
    });
  };
  switch (n.op) {
  case Op::sequence: {
    Actions parts;
    flatten(id, parts);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (node(parts[k]).op != Op::sequence && always_grows(parts[k], round)) return true;
      if (k == 0 || node(parts[k - 1]).op != Op::at) continue;
      const Node& change = node(parts[k]);
      const auto added = added_to_itself(change);
      if (added && node(*added).op == Op::here && keeps_out_of(rules_.kid(node(parts[k - 1]), 0), change) &&
          only_grows(change))
        return true;
    }
    return false;
  }
  case Op::alternatives:
  case Op::otherwise: return std::all_of(kids.begin(), kids.end(), grows_in);
  case Op::if_action: return n.count > 2 && grows_in(kids[1]) && grows_in(kids[2]);
  case Op::quietly: return grows_in(kids[0]);
  default: return false;
  }
}

// `set n = n + 2`: 1; `set n = n - 2`: -1; else 0.
int Facts::count_direction(const Node& n) const {
  if (n.op != Op::set_local) return 0;
  const Node& value = node(rules_.kid(n, 0));
  if (value.op != Op::add && value.op != Op::subtract) return 0;
  const auto is_name = [&](std::uint32_t k) {
    const Node& v = node(rules_.kid(value, k));
    return v.op == Op::local && v.a == n.a;
  };
  const auto number = [&](std::uint32_t k) {
    const Node& v = node(rules_.kid(value, k));
    return v.op == Op::number ? v.a : 0;
  };
  std::int32_t by = is_name(0) ? number(1) : 0;
  if (value.op == Op::add && by == 0 && is_name(1)) by = number(0);
  if (value.op == Op::subtract) by = by > 0 ? -1 : by < 0 ? 1 : 0;
  return by > 0 ? 1 : by < 0 ? -1 : 0;
}

namespace {

// Does an action by itself give a name a value?
bool gives_value(const Node& n, std::int32_t slot) {
  return n.a == slot && one_of(n.op, Op::set_local, Op::let, Op::choose, Op::choose_some, Op::each);
}

} // namespace

// Is the name set on every way through an action?
bool Facts::always_sets(NodeId id, std::int32_t slot) const {
  if (id == kNoNode) return false;
  const Node& n = node(id);
  const auto kids = rules_.kids_of(n);
  const auto sets = [&](NodeId k) { return always_sets(k, slot); };
  switch (n.op) {
  case Op::set_local: return n.a == slot;
  case Op::sequence: return std::any_of(kids.begin(), kids.end(), sets);
  case Op::quietly: return sets(kids[0]);
  case Op::alternatives:
  case Op::otherwise: return std::all_of(kids.begin(), kids.end(), sets);
  case Op::if_action: return n.count > 2 && sets(kids[1]) && sets(kids[2]);
  default: return false;
  }
}

// A part of a round that sets some name in one direction, as everything in the round that sets it does. What
// stands within it is looked at, too.
bool Facts::counts_on(NodeId id, NodeId body) const {
  return finds(id, [&](const Node& n) -> std::optional<bool> {
    if (!is_action(n.op)) return false;
    const int direction = count_direction(n);
    if (direction == 0 || !always_sets(body, n.a)) return std::nullopt;
    return found(!finds(
        body, [&](const Node& m) { return found(gives_value(m, n.a) && count_direction(m) != direction); }));
  });
}

// `at S - hit, set hit = hit | here`, and nothing else in the round sets this name.
bool Facts::grows(NodeId body, const Node& set, NodeId tested) const {
  const auto is_local = [&](NodeId id) { return node(id).op == Op::local && node(id).a == set.a; };
  const Node &value = node(rules_.kid(set, 0)), &of = node(tested);
  if (value.op != Op::unite || of.op != Op::minus || !is_local(rules_.kid(of, 1))) return false;
  const NodeId a = rules_.kid(value, 0), b = rules_.kid(value, 1);
  const bool adds = (is_local(a) && node(b).op == Op::here) || (is_local(b) && node(a).op == Op::here);
  return adds && times_set(body, set.a) == 1;
}

// How often a name is bound or set within an action.
int Facts::times_set(NodeId id, std::int32_t slot) const {
  int times = 0;
  (void)finds(id, [&](const Node& n) {
    times += gives_value(n, slot) ? 1 : 0;
    return found(false);
  });
  return times;
}

} // namespace boardwright::runtime::lowering
