// Lists, and what is asked of all bindings of names without making a list.

#include "runtime/model/limits.hpp"
#include "runtime/model/operations.hpp"
#include "runtime/reference/walker_operations.hpp"
#include "runtime/reference/walker_walk.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace boardwright::runtime::reference {

namespace {

Value as_value(std::int64_t n) {
  Value v;
  v.number = n;
  return v;
}

Value of_list(std::vector<Value> members) {
  Value v;
  v.list = std::move(members);
  return v;
}

Value range(Walk& w, const Node& n, const Draft& d) {
  const std::int64_t low = w.number(w.kid(n, 0), d), high = w.number(w.kid(n, 1), d);
  if (high < low) return {};
  w.check_list(n, static_cast<std::size_t>(high - low) + 1);
  std::vector<Value> members;
  members.reserve(static_cast<std::size_t>(high - low) + 1);
  for (std::int64_t i = low; i <= high; ++i) members.push_back(as_value(i));
  w.work(n, members.size());
  return of_list(std::move(members));
}

Value list(Walk& w, const Node& n, const Draft& d) {
  std::vector<Value> members;
  for (const NodeId id : w.program().kids_of(n)) members.push_back(w.value(id, d));
  return of_list(without_repeats(std::move(members)));
}

// Binds the names from `generator` on in every way for which the condition holds.
void each_binding(Walk& w, const Node& n, std::uint32_t generator, const Draft& d,
                  const std::function<void(const Draft&)>& bound) {
  if (generator == static_cast<std::uint32_t>(n.b)) {
    if (w.holds(w.kid(n, 1), d)) bound(d);
    return;
  }
  for (Value& v : w.members(w.kid(n, 2 + generator), d)) {
    Draft e = d;
    e.locals.bind(static_cast<std::uint32_t>(n.a) + generator, std::move(v));
    each_binding(w, n, generator + 1, e, bound);
  }
}

Value list_for(Walk& w, const Node& n, const Draft& d) {
  std::vector<Value> found;
  each_binding(w, n, 0, d, [&](const Draft& e) {
    found.push_back(w.value(w.kid(n, 0), e));
    if (found.size() < 2 * kMaxList) return; // repeats don't count, and are sorted out only now and then
    found = without_repeats(std::move(found));
    w.check_list(n, found.size());
  });
  found = without_repeats(std::move(found));
  w.check_list(n, found.size());
  return of_list(std::move(found));
}

Value still_in(Walk& w, const Node& n, const Draft& d) {
  std::vector<Value> members;
  if (n.b != 1 && (d.out >> n.a & 1) == 0) members.push_back(as_value(n.a));
  for (const int player : w.following(n.a, d.out)) members.push_back(as_value(player));
  return of_list(std::move(members));
}

Value owners(Walk& w, const Node& n, const Draft& d) {
  const CellSet where = w.cells(w.kid(n, 0), d);
  const int players = w.program().player_count();
  std::vector<Value> members;
  for (int i = 0; i < players; ++i) {
    const int player = (n.a + i) % players;
    bool is_there = false;
    where.each([&](int cell) {
      is_there = is_there || (!d.stack(cell).empty() && d.stack(cell).back().owner == player);
    });
    if (is_there) members.push_back(as_value(player));
  }
  return of_list(std::move(members));
}

} // namespace

Value list_value(Walk& w, const Node& n, const Draft& d) {
  switch (as<ListOp>(n.op)) {
  case ListOp::range: return range(w, n, d);
  case ListOp::list: return list(w, n, d);
  case ListOp::list_for: return list_for(w, n, d);
  case ListOp::still_in: return still_in(w, n, d);
  case ListOp::owners: return owners(w, n, d);
  }
  w.unknown(n);
}

// Numbers saturate at every step.
std::int64_t total_for(Walk& w, const Node& n, const Draft& d, bool product) {
  using Limits = std::numeric_limits<std::int32_t>;
  std::int64_t total = product ? 1 : 0;
  each_binding(w, n, 0, d, [&](const Draft& e) {
    const std::int64_t next = w.number(w.kid(n, 0), e);
    total = std::clamp<std::int64_t>(product ? total * next : total + next, Limits::min(), Limits::max());
  });
  return total;
}

std::int64_t extreme_for(Walk& w, const Node& n, const Draft& d, bool greatest) {
  std::optional<std::int64_t> best;
  each_binding(w, n, 0, d, [&](const Draft& e) {
    const std::int64_t next = w.number(w.kid(n, 0), e);
    best = !best ? next : greatest ? std::max(*best, next) : std::min(*best, next);
  });
  return best.value_or(0);
}

Value end_of_list(Walk& w, const Node& n, const Draft& d) {
  const Value v = w.value(w.kid(n, 0), d);
  if (v.list.empty()) return as_value(n.a);
  return n.op == Op::first_of ? v.list.front() : v.list.back();
}

} // namespace boardwright::runtime::reference

namespace boardwright::runtime {

std::vector<int> Walk::following(int player, std::uint32_t out) const {
  std::vector<int> result;
  const int players = program_.player_count();
  for (int i = 1; i < players; ++i)
    if (const int next = (player + i) % players; (out >> next & 1) == 0) result.push_back(next);
  return result;
}

} // namespace boardwright::runtime
