// Repetitions: rounds that are told by what they write.
#include "runtime/lowering/unambiguity/first_signs.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace boardwright::runtime::lowering::unambiguity {

namespace {

// Rounds of a loop within rounds that are told by the same: a round that shows itself ends them, mostly the
// first.
constexpr int kMostRoundsDeep = 16;

} // namespace

bool FirstSigns::of_loop(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found) {
  Actions body;
  f_.flatten(kid(todo->action, 0), body);
  if (attempt([&] { return of_line(todo, body, w, env, found); }) ||
      attempt([&] { return of_certain(todo, w, env, found); }))
    return true;
  return !body.empty() && !w.free && !env.quiet && of_rounds(todo, w, env, found);
}

// Every round must write something; then all rounds begin alike, where the walker was written last or
// somewhere, and what is told of one is told of all.
bool FirstSigns::of_rounds(const Todo* todo, const Written& w, const AbstractDraft& env, Signs& found) {
  const NodeId id = todo->action;
  const Node& n = node(id);
  const bool fixed = (n.a & kUnbounded) == 0 && f_.same(kid(id, 1), kid(id, 2)); // so many rounds
  const bool chooses_end = (n.a & kMaximal) == 0 && !fixed;
  const Node& low = node(kid(id, 1));
  const bool once = (n.a & kUnbounded) == 0 && node(kid(id, 2)).op == Op::number && node(kid(id, 2)).a <= 1;
  // Rounds after the first that are told apart: what may have left, what is carried, where the walker is.
  std::set<std::tuple<bool, bool, bool, bool>> assumed;
  int rounds_deep = 0;
  Continuation again;
  const Todo end{kNoNode, nullptr, &again};
  const Todo first{kid(id, 0), &end, nullptr};
  again.after = todo->next;
  again.reads = {kid(id, 0)};
  // A further round, or what comes after, into one list. Where no choice is made between them, one can't be
  // taken for the other.
  const auto round_or_end = [&](Written from, const AbstractDraft& d, bool may_end, Signs& into) {
    from.wrote = false;
    Signs stops, rounds;
    if (!signs(&first, from, d, rounds)) return false;
    if (may_end && !signs(todo->next, from, d, stops)) return false;
    if (!only_first_ && (!all_differ(rounds) || !all_differ(stops))) return false;
    const int of = chooses_end || stops.empty() ? 0 : ++groups_;
    for (Signs* some : {&rounds, &stops})
      for (Sign& s : *some) {
        if (of != 0) s.of = of;
        into.push_back(std::move(s));
      }
    return true;
  };
  const auto signs_of_next = [&](const Written& from, bool only_first, Signs& into) {
    const bool before = std::exchange(only_first_, only_first);
    const bool good = round_or_end(from, without_sets(env), true, into);
    only_first_ = before;
    return good;
  };
  again.signs_of_next = [&](const void* written, const AbstractDraft&, void* into) {
    const Written& from = *static_cast<const Written*>(written);
    if (from.free || !from.wrote || rounds_deep == kMostRoundsDeep) return false;
    if (once) return signs(todo->next, from, without_sets(env), *static_cast<Signs*>(into));
    ++rounds_deep;
    Written general = just_written(from.gone);
    general.laid = from.laid;
    general.partly = from.partly;
    const bool stays = stands(from);
    if (!stays) general.here = anywhere(true);
    Signs all;
    bool good = true;
    if (assumed.insert({from.gone, from.laid, from.partly, stays}).second)
      good = signs_of_next(general, false, all);
    good =
        good && signs_of_next(general, true, *static_cast<Signs*>(into)); // what this very draft writes first
    --rounds_deep;
    return good;
  };
  return round_or_end(w, env, low.op != Op::number || low.a < 1, found);
}

// Straight on: how far the walker has gone shows in where it stops.
bool FirstSigns::of_line(const Todo* todo, const Actions& body, Written w, const AbstractDraft& env,
                         Signs& found) {
  if (w.free || w.here.empty()) return false;
  int step = -1;
  int steps = 0;
  for (const NodeId part : body) {
    const Op op = node(part).op;
    if (op == Op::remove) w.gone = w.touched = true;
    if (one_of(op, Op::remove, Op::at, Op::require, Op::set_local, Op::let)) continue;
    const auto way = op == Op::go ? f_.constant_steps(kid(part, 0), env) : std::nullopt;
    if (!way || way->count() != 1 || (step >= 0 && way->first() != step)) return false;
    step = way->first();
    ++steps;
  }
  if (step < 0 || board().steps[at(step)].may_return()) return false;
  const auto& to = board().steps[at(step)].to;
  const NodeId id = todo->action;
  const Node& loop = node(id);
  const auto bound = [&](std::uint32_t i, int otherwise) {
    return i < loop.count && node(kid(id, i)).op == Op::number ? node(kid(id, i)).a : otherwise;
  };
  const int least = (loop.a & kUntil) != 0 ? std::min(bound(1, 0), 1) : bound(1, 0); // it may be over sooner
  const int most = (loop.a & kUnbounded) != 0 ? kMaxCells : bound(2, kMaxCells);
  for (CellSet& cells : w.here.own()) {
    if (cells.count() > 1) return false;
    CellSet all = least < 1 ? cells : CellSet(), passed = cells;
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
  w.walker_goes(f_);
  w.free = true;
  w.slot = -1;
  w.there.set();
  if (least >= 1 && node(body.back()).op == Op::at) look_at(kid(body.back(), 0), w, env);
  return signs(todo->next, w, env, found);
}

} // namespace boardwright::runtime::lowering::unambiguity
