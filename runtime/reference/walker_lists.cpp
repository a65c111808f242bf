// Lists, and what is asked of all bindings of names without making a list.

#include "runtime/model/limits.hpp"
#include "runtime/model/operations.hpp"
#include "runtime/reference/walker_walk.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace boardwright::runtime {

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

} // namespace

Value Walk::list_value(const Node& n, const Draft& d) {
  switch (as<ListOp>(n.op)) {
  case ListOp::range: return range(n, d);
  case ListOp::list: return list(n, d);
  case ListOp::list_for: return list_for(n, d);
  case ListOp::still_in: return still_in(n, d);
  }
  unknown(n);
}

Value Walk::range(const Node& n, const Draft& d) {
  const std::int64_t low = number(kid(n, 0), d), high = number(kid(n, 1), d);
  if (high < low) return {};
  check_list(n, static_cast<std::size_t>(high - low) + 1);
  std::vector<Value> members;
  members.reserve(static_cast<std::size_t>(high - low) + 1);
  for (std::int64_t i = low; i <= high; ++i) members.push_back(as_value(i));
  work(n, members.size());
  return of_list(std::move(members));
}

Value Walk::list(const Node& n, const Draft& d) {
  std::vector<Value> members;
  for (const NodeId id : program_.kids_of(n)) members.push_back(value(id, d));
  return of_list(without_repeats(std::move(members)));
}

Value Walk::list_for(const Node& n, const Draft& d) {
  std::vector<Value> found;
  each_binding(n, 0, d, [&](const Draft& e) {
    found.push_back(value(kid(n, 0), e));
    if (found.size() < 2 * kMaxList) return; // repeats don't count, and are sorted out only now and then
    found = without_repeats(std::move(found));
    check_list(n, found.size());
  });
  found = without_repeats(std::move(found));
  check_list(n, found.size());
  return of_list(std::move(found));
}

// Binds the names from `generator` on in every way for which the condition holds.
void Walk::each_binding(const Node& n, std::uint32_t generator, const Draft& d,
                        const std::function<void(const Draft&)>& bound) {
  if (generator == static_cast<std::uint32_t>(n.b)) {
    if (holds(kid(n, 1), d)) bound(d);
    return;
  }
  for (Value& v : members(kid(n, 2 + generator), d)) {
    Draft e = d;
    e.locals.bind(static_cast<std::uint32_t>(n.a) + generator, std::move(v));
    each_binding(n, generator + 1, e, bound);
  }
}

// Numbers saturate at every step.
std::int64_t Walk::sum_for(const Node& n, const Draft& d) {
  using Limits = std::numeric_limits<std::int32_t>;
  std::int64_t sum = 0;
  each_binding(n, 0, d, [&](const Draft& e) {
    sum = std::clamp<std::int64_t>(sum + number(kid(n, 0), e), Limits::min(), Limits::max());
  });
  return sum;
}

std::int64_t Walk::extreme_for(const Node& n, const Draft& d, bool greatest) {
  std::optional<std::int64_t> best;
  each_binding(n, 0, d, [&](const Draft& e) {
    const std::int64_t next = number(kid(n, 0), e);
    best = !best ? next : greatest ? std::max(*best, next) : std::min(*best, next);
  });
  return best.value_or(0);
}

Value Walk::end_of_list(const Node& n, const Draft& d) {
  const Value v = value(kid(n, 0), d);
  if (v.list.empty()) return as_value(n.a);
  return n.op == Op::first_of ? v.list.front() : v.list.back();
}

Value Walk::still_in(const Node& n, const Draft& d) const {
  std::vector<Value> members;
  if (n.b != 1 && (d.out >> n.a & 1) == 0) members.push_back(as_value(n.a));
  for (const int player : following(n.a, d.out)) members.push_back(as_value(player));
  return of_list(std::move(members));
}

std::vector<int> Walk::following(int player, std::uint32_t out) const {
  std::vector<int> result;
  const int players = program_.player_count();
  for (int i = 1; i < players; ++i)
    if (const int next = (player + i) % players; (out >> next & 1) == 0) result.push_back(next);
  return result;
}

} // namespace boardwright::runtime
