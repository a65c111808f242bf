#include "tools/import/rbg/shifts.hpp"

namespace boardwright::tools {
namespace {

// Unions of sets of cells. What takes more is walked instead, which comes to the same.
constexpr std::size_t kMostUnions = 50'000'000;
// Sets of cells that are kept, of 72 bytes each. What is written alike is kept once: known files need 50,000.
constexpr std::size_t kMostKept = 1'000'000;

} // namespace

RbgShifts::RbgShifts(const RbgGame& game, const std::vector<int>& alike)
    : game_(game), alike_(alike), known_(game.nodes.size()) {
  for (const RbgNode& node : game.nodes) {
    bool only = node.what == RbgWhat::shift || node.what == RbgWhat::check || node.what == RbgWhat::sum ||
                node.what == RbgWhat::sequence || node.what == RbgWhat::star;
    // Children stand before their parents.
    for (const int child : node.children) only = only && only_shifts_[static_cast<std::size_t>(child)];
    only_shifts_.push_back(only);
  }
}

RbgRelation RbgShifts::nowhere_else() const {
  RbgRelation same(game_.board.vertices.size());
  for (std::size_t v = 0; v < same.size(); ++v) same[v].set(v);
  return same;
}

void RbgShifts::follow(RbgRelation& relation, const RbgRelation& next) {
  for (RbgCells& row : relation) {
    RbgCells reached;
    for (std::size_t v = row.from(0); v < next.size(); v = row.from(v + 1), ++work_) reached.add(next[v]);
    ++work_;
    row = reached;
  }
}

RbgRelation RbgShifts::closure(const RbgRelation& relation) {
  RbgRelation all = nowhere_else();
  for (RbgCells& row : all) {
    RbgCells fresh = row;
    while (fresh.any()) {
      RbgCells reached;
      for (std::size_t v = fresh.from(0); v < relation.size(); v = fresh.from(v + 1), ++work_)
        reached.add(relation[v]);
      fresh = reached;
      fresh.take_away(row);
      row.add(reached);
    }
  }
  return all;
}

std::optional<RbgRelation> RbgShifts::worked_out(const RbgNode& node) {
  kept_ += game_.board.vertices.size();
  if (work_ > kMostUnions || kept_ > kMostKept) return std::nullopt;
  RbgRelation made(game_.board.vertices.size());
  if (node.what == RbgWhat::shift) {
    const auto& targets = game_.board.targets[static_cast<std::size_t>(node.index)];
    for (std::size_t v = 0; v < made.size(); ++v)
      if (targets[v] >= 0) made[v].set(static_cast<std::size_t>(targets[v]));
    return made;
  }
  if (node.what == RbgWhat::sequence) return of(node.children);
  std::vector<const RbgRelation*> parts;
  for (const int child : node.children) {
    parts.push_back(of(child));
    if (parts.back() == nullptr) return std::nullopt;
  }
  if (node.what == RbgWhat::star) return closure(*parts.front());
  for (const RbgRelation* part : parts)
    for (std::size_t v = 0; v < made.size(); ++v) made[v].add((*part)[v]);
  if (node.what == RbgWhat::check)
    for (std::size_t v = 0; v < made.size(); ++v) {
      const bool holds = made[v].any() != node.negated;
      made[v].reset();
      if (holds) made[v].set(v);
    }
  return made;
}

const RbgRelation* RbgShifts::of(int node) {
  auto& known = known_[static_cast<std::size_t>(alike_[static_cast<std::size_t>(node)])];
  if (!known) known = worked_out(game_.nodes[static_cast<std::size_t>(node)]);
  return known ? &*known : nullptr;
}

std::optional<RbgRelation> RbgShifts::of(const std::vector<int>& nodes) {
  RbgRelation made = nowhere_else();
  for (const int node : nodes) {
    const RbgRelation* next = of(node);
    if (next == nullptr || work_ > kMostUnions) return std::nullopt;
    follow(made, *next);
  }
  return made;
}

} // namespace boardwright::tools
