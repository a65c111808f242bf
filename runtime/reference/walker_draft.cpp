#include "runtime/reference/walker_draft.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace boardwright::runtime {

const Value* Locals::find(std::uint32_t slot) const {
  const auto at = std::lower_bound(bindings_->begin(), bindings_->end(), slot,
                                   [](const Binding& b, std::uint32_t s) { return b.first < s; });
  return at != bindings_->end() && at->first == slot ? at->second.get() : nullptr;
}

void Locals::bind(std::uint32_t slot, Value value) {
  std::vector<Binding>& bindings = bindings_.edit();
  const auto at = std::lower_bound(bindings.begin(), bindings.end(), slot,
                                   [](const Binding& b, std::uint32_t s) { return b.first < s; });
  auto shared = std::make_shared<const Value>(std::move(value));
  if (at != bindings.end() && at->first == slot)
    at->second = std::move(shared);
  else
    bindings.insert(at, {slot, std::move(shared)});
}

namespace {

auto as_tuple(const CellMap& m) {
  return std::tie(m.valid, m.xx, m.xy, m.yx, m.yy, m.over, m.px, m.py, m.dx, m.dy);
}

std::strong_ordering order(const std::vector<Value>& a, const std::vector<Value>& b) {
  return std::lexicographical_compare_three_way(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const Value& v, const Value& w) { return boardwright::runtime::order(v, w); });
}

std::strong_ordering order(const Value* a, const Value* b) { // null before any value
  if (a == b) return std::strong_ordering::equal;
  if (a == nullptr || b == nullptr) return (a != nullptr) <=> (b != nullptr);
  return boardwright::runtime::order(*a, *b);
}

std::strong_ordering order(const Locals& a, const Locals& b, const std::vector<std::uint32_t>& frame) {
  for (const std::uint32_t slot : frame)
    if (const auto o = order(a.find(slot), b.find(slot)); o != 0) return o;
  return std::strong_ordering::equal;
}

std::int64_t decision_number(const Draft& d) { return d.decision ? std::int64_t{d.decision->winners} : -1; }

} // namespace

std::strong_ordering order(const Value& a, const Value& b) {
  if (const auto o = std::tie(a.number, a.cells, a.steps) <=> std::tie(b.number, b.cells, b.steps); o != 0)
    return o;
  if (const auto o = as_tuple(a.map) <=> as_tuple(b.map); o != 0) return o;
  return order(a.list, b.list);
}

std::strong_ordering order(const Draft& a, const Draft& b, const std::vector<std::uint32_t>& frame) {
  const auto walker = [](const Draft& d) {
    return std::tuple(d.here, d.start, d.heading, decision_number(d), d.out, d.again);
  };
  if (const auto o = walker(a) <=> walker(b); o != 0) return o;
  if (const auto o = std::tie(a.carried, a.cells, a.hands, a.variables) <=>
                     std::tie(b.carried, b.cells, b.hands, b.variables);
      o != 0)
    return o;
  return order(a.locals, b.locals, frame);
}

std::vector<Value> without_repeats(std::vector<Value> members) {
  const auto before = [](const Value& a, const Value& b) { return order(a, b) < 0; };
  std::set<Value, decltype(before)> seen(before);
  std::vector<Value> unique;
  for (Value& v : members)
    if (seen.insert(v).second) unique.push_back(std::move(v));
  return unique;
}

} // namespace boardwright::runtime
