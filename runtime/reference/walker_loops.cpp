// Repetition. Rounds are kept on a list of what is still to do, not on the C++ stack.

#include "runtime/model/limits.hpp"
#include "runtime/reference/walker_operations.hpp"
#include "runtime/reference/walker_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace boardwright::runtime::reference {

namespace {

// A repetition with its bounds worked out.
struct Loop {
  const Node& node;
  NodeId body = kNoNode;
  std::int64_t low = 0;
  std::optional<std::int64_t> high; // none: unbounded
  bool maximal = false;
  NodeId until = kNoNode;
  const std::vector<std::uint32_t>& frame;
};

// A draft that a number of rounds has led to.
struct Round {
  // The drafts that one way through an unbounded repetition has come by, the last one first.
  struct Path {
    Draft draft;
    std::shared_ptr<const Path> before;
  };
  using PathPtr = std::shared_ptr<const Path>;

  Draft draft;
  std::int64_t done = 0;
  std::int64_t owed = 0; // how many rounds the lower bound still asks for
  bool ended = false;    // nothing more is to be tried from it
  PathPtr path;          // since the lower bound was reached, because A+ is A, A*

  [[nodiscard]] bool has_come_by(const Draft& d, const std::vector<std::uint32_t>& frame) const {
    for (const Path* at = path.get(); at != nullptr; at = at->before.get())
      if (order(at->draft, d, frame) == 0) return true;
    return false;
  }
};

constexpr int kChildrenBeforeHigh = 2; // the body and the lower bound

Loop loop_of(Walk& w, const Node& n, const Draft& d) {
  Loop loop{n,
            w.kid(n, 0),
            std::max<std::int64_t>(w.number(w.kid(n, 1), d), 0),
            std::nullopt,
            (n.a & kMaximal) != 0,
            kNoNode,
            w.program().frames[static_cast<std::size_t>(n.b)]};
  if ((n.a & kUnbounded) == 0) loop.high = w.number(w.kid(n, kChildrenBeforeHigh), d);
  if ((n.a & kUntil) != 0) loop.until = w.kid(n, n.count - 1);
  return loop;
}

// Does the repetition end with this outcome of a round?
bool ends(Walk& w, const Loop& loop, const Draft& d) {
  return d.decided() || (loop.until != kNoNode && w.holds(loop.until, d));
}

// Adds the outcomes of one more round to what is to do; `further`: there was one, even if it was dropped.
bool next_rounds(Walk& w, const Loop& loop, const Round& round, std::vector<Round>& todo, bool& further,
                 Sink out) {
  if (round.done >= kMaxDepth)
    w.fail(loop.node, fmt::format("more than {} rounds of one repetition", kMaxDepth));
  return w.run(loop.body, round.draft, [&](Draft&& e) {
    further = true;
    if (ends(w, loop, e)) return out(std::move(e));
    if (!loop.high && round.has_come_by(e, loop.frame)) return true;
    w.work(loop.node, static_cast<std::size_t>(loop.high ? 0 : round.done)); // for the comparisons
    const std::int64_t owed = std::max<std::int64_t>(round.owed - 1, 0);
    Round::PathPtr path;
    if (!loop.high && owed == 0) path = std::make_shared<Round::Path>(Round::Path{e, round.path});
    todo.push_back({std::move(e), round.done + 1, owed, false, std::move(path)});
    w.check_kept(loop.node, todo.size());
    return true;
  });
}

bool repeat_on_paths(Walk& w, const Loop& loop, Draft&& d, Sink out) {
  std::vector<Round> todo;
  Round::PathPtr path;
  if (!loop.high && loop.low == 0) path = std::make_shared<Round::Path>(Round::Path{d, nullptr});
  todo.push_back({std::move(d), 0, loop.low, false, std::move(path)});
  while (!todo.empty()) {
    Round round = std::move(todo.back());
    todo.pop_back();
    bool further = false;
    if (!loop.high || round.done < *loop.high)
      if (!next_rounds(w, loop, round, todo, further, out)) return false;
    if (round.owed == 0 && !(loop.maximal && further))
      if (!out(std::move(round.draft))) return false;
  }
  return true;
}

// Inside `reach` only the places matter, so a draft that any path has come by need not be followed again.
bool repeat_on_any_path(Walk& w, const Loop& loop, std::vector<Round> todo, Sink out) {
  const auto before = [&](const Round& a, const Round& b) {
    if (a.owed != b.owed) return a.owed < b.owed;
    if (a.ended != b.ended) return a.ended < b.ended;
    return order(a.draft, b.draft, loop.frame) < 0;
  };
  std::set<Round, decltype(before)> seen(before);
  while (!todo.empty()) {
    w.seek_draft(loop.node);
    const auto inserted = seen.insert(std::move(todo.back()));
    todo.pop_back();
    if (!inserted.second) continue;
    const Round& round = *inserted.first;
    w.check_kept(loop.node, seen.size());
    bool further = false;
    const auto next = [&](Draft&& e) {
      further = true;
      const bool ended = ends(w, loop, e);
      todo.push_back({std::move(e), 0, std::max<std::int64_t>(round.owed - 1, 0), ended, nullptr});
      w.check_kept(loop.node, todo.size());
      return true;
    };
    if (!round.ended) w.run(loop.body, round.draft, next);
    if (round.ended || (round.owed == 0 && !(loop.maximal && further)))
      if (!out(Draft(round.draft))) return false;
  }
  return true;
}

} // namespace

bool repeat(Walk& w, const Node& n, Draft&& d, Sink out) {
  const Loop loop = loop_of(w, n, d);
  if (loop.high && *loop.high < loop.low) return true;
  if (loop.high || !w.is_reaching()) return repeat_on_paths(w, loop, std::move(d), out);
  std::vector<Round> starts;
  starts.push_back({std::move(d), 0, loop.low, false, nullptr});
  return repeat_on_any_path(w, loop, std::move(starts), out);
}

// A `reach` whose whole action is a repetition: the starts share what has been seen, because only the union
// of where they end is asked for.
bool reach_from_all(Walk& w, const Node& loop_node, std::vector<Draft> starts, Sink out) {
  std::vector<Round> todo;
  std::optional<Loop> loop;
  for (Draft& d : starts) {
    loop.emplace(loop_of(w, loop_node, d));
    if (loop->high) {
      if (*loop->high >= loop->low && !repeat_on_paths(w, *loop, std::move(d), out)) return false;
      continue;
    }
    const std::int64_t low = loop->low;
    todo.push_back({std::move(d), 0, low, false, nullptr});
  }
  return todo.empty() || repeat_on_any_path(w, *loop, std::move(todo), out);
}

} // namespace boardwright::runtime::reference
