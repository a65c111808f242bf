// What depends on nothing but one cell.
#include "runtime/lowering/facts/by_cell.hpp"
#include "runtime/reference/walker.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace boardwright::runtime::lowering {

namespace {

// A table has numbers of so many bits.
std::optional<std::int16_t> narrowed(std::int64_t n) {
  using Limits = std::numeric_limits<std::int16_t>;
  if (n < Limits::min() || n > Limits::max()) return std::nullopt;
  return static_cast<std::int16_t>(n);
}

constexpr int kMostCost = 1'000; // more needn't be told apart

// How long an operation takes by itself, where looking something up takes 1.
int own_cost(Op op) {
  constexpr int kLarge = 6, kLoop = 8;
  switch (about(op).cost) {
  case Cost::free: return 0;
  case Cost::small: return 1;
  case Cost::large: return kLarge;
  case Cost::loop: return kLoop;
  case Cost::search: return 1; // what it tries is counted by itself
  }
  return 0;
}

} // namespace

ByCell::ByCell(const Program& rules) : rules_(rules), terms_(rules) {
  for (const Node& n : rules.nodes) {
    if (n.op == Op::let || n.op == Op::let_value) lets_.insert(n.a);
    if (n.op == Op::local && n.type == Type::number && !terms_.is_changed(n.a)) numbers_.insert(n.a);
  }
}

std::optional<ByCell::Input> ByCell::input(NodeId id) {
  constexpr int kWorthATable = 4;
  const Node& n = rules_.nodes[id];
  const bool of_number = n.type == Type::number || n.type == Type::kind || n.type == Type::player;
  if ((n.type != Type::cells && !of_number) || is_constant(n.op)) return std::nullopt;
  const Shape& s = shape(id);
  if (s.cost < kWorthATable) return std::nullopt;
  const std::vector<std::int32_t> names = names_of(s);
  const std::uint16_t reads = terms_.reads(id);
  if (reads == kHere && names.empty()) return Input{};
  if (reads != kNoPart || names.size() != 1 || terms_.is_changed(names.front())) return std::nullopt;
  return Input{names.front(), lets_.count(names.front()) != 0};
}

// Straight on by constant steps is an operation of its own, which takes as long as there are steps.
int ByCell::saved_by_rays(const Node& n) const {
  constexpr int kRay = 2;
  if (n.op != Op::repeat) return 0;
  const Node& round = rules_.nodes[rules_.kid(n, 0)];
  if (round.op != Op::go) return 0;
  const Node& steps = rules_.nodes[rules_.kid(round, 0)];
  if (steps.op != Op::directions) return 0;
  const int rays = kRay * rules_.step_sets[at(steps.a)].count();
  return std::max(own_cost(n.op) - rays + 1, 0);
}

// Those that are bound outside of it.
std::vector<std::int32_t> ByCell::names_of(const Shape& s) {
  std::vector<std::int32_t> names;
  std::set_difference(s.read.begin(), s.read.end(), s.bound.begin(), s.bound.end(),
                      std::back_inserter(names));
  return names;
}

const ByCell::Shape& ByCell::shape(NodeId id) {
  if (const auto known = shapes_.find(id); known != shapes_.end()) return known->second;
  const Node& n = rules_.nodes[id];
  Shape s;
  s.cost = own_cost(n.op) - saved_by_rays(n);
  if (n.op == Op::local) s.read.push_back(n.a);
  for (std::int32_t i = 0; i < slots_bound_by(n.op, n.b); ++i) s.bound.push_back(n.a + i);
  for (const NodeId part : rules_.kids_of(n)) {
    if (part == kNoNode) continue;
    const Shape& of = shape(part);
    s.cost = std::min(s.cost + of.cost, kMostCost);
    s.read.insert(s.read.end(), of.read.begin(), of.read.end());
    s.bound.insert(s.bound.end(), of.bound.begin(), of.bound.end());
  }
  for (auto* names : {&s.read, &s.bound}) {
    std::sort(names->begin(), names->end());
    names->erase(std::unique(names->begin(), names->end()), names->end());
  }
  return shapes_[id] = std::move(s);
}

const ByCell::Values* ByCell::values(NodeId id, const Input& by) {
  const auto [known, fresh] = values_.try_emplace(id);
  if (!fresh) return known->second ? &*known->second : nullptr;
  for (const auto& [other, found] : values_)
    if (other != id && found && terms_.same(other, id)) {
      known->second = found;
      return &*known->second;
    }
  known->second = worked_out(id, by);
  return known->second ? &*known->second : nullptr;
}

// The values within a node that go by one name of a number, and are worth keeping.
void ByCell::values_by_number(NodeId id, std::map<NodeId, std::uint32_t>& found) {
  const Node& n = rules_.nodes[id];
  const std::vector<std::int32_t> names = names_of(shape(id));
  if (!is_action(n.op) && names.size() == 1 && numbers_.count(names.front()) != 0 && shape(id).cost > 1 &&
      terms_.reads(id) == kNoPart)
    found[id] = static_cast<std::uint32_t>(names.front());
  for (const NodeId part : rules_.kids_of(n))
    if (part != kNoNode) values_by_number(part, found);
}

std::optional<ByCell::Values> ByCell::worked_out(NodeId id, const Input& by) {
  const auto name = by.name ? std::optional(static_cast<std::uint32_t>(*by.name)) : std::nullopt;
  std::map<NodeId, std::uint32_t> by_number;
  values_by_number(id, by_number);
  const auto all = Walker(rules_).evaluate_by_cell(id, name, rules_.initial, steps_left_, by_number);
  if (!all) return std::nullopt;
  Values found;
  if (rules_.nodes[id].type == Type::cells) {
    found.set_of_none = all->front().cells;
    for (auto of_cell = all->begin() + 1; of_cell != all->end(); ++of_cell)
      found.sets.push_back(of_cell->cells);
    return found;
  }
  for (const Value& value : *all) {
    const auto n = narrowed(value.number);
    if (!n) return std::nullopt;
    found.numbers.push_back(*n);
  }
  found.number_of_none = found.numbers.front();
  found.numbers.erase(found.numbers.begin());
  return found;
}

} // namespace boardwright::runtime::lowering
