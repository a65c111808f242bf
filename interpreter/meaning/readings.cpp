// What expressions turn out to be, noted as they are elaborated.
#include "interpreter/meaning/readings.hpp"

#include "interpreter/meaning/elaborator.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace boardwright::interpreter {
namespace {

using runtime::Program;

// Sets nested deeper than this are taken for single cells, which no lint minds.
constexpr std::size_t kMostNested = 32;

using Slots = std::map<std::uint32_t, Extent>; // of local names, by where they are kept

Extent extent_of(const Program& program, const Slots& slots, NodeId id, std::size_t depth = 0) {
  if (depth > kMostNested) return {};
  const runtime::Node& n = program.nodes[id];
  const auto kid = [&](std::uint32_t i) { return extent_of(program, slots, program.kid(n, i), depth + 1); };
  switch (n.op) {
  case Op::cells: {
    const int count = program.cell_sets[static_cast<std::size_t>(n.a)].count();
    return {count > 1, false, count == 1};
  }
  case Op::here:
  case Op::start:
  case Op::first:
  case Op::last: return {false, false, true};
  case Op::local: {
    const auto found = slots.find(static_cast<std::uint32_t>(n.a));
    return found == slots.end() ? Extent{} : found->second;
  }
  case Op::owned:
  case Op::empty:
  case Op::kind_cells:
  case Op::complement:
  case Op::reach: return {true, true};
  case Op::unite: {
    const Extent a = kid(0), b = kid(1);
    return {a.many || b.many, a.live && b.live};
  }
  case Op::meet: {
    const Extent a = kid(0), b = kid(1);
    return {a.many && b.many, a.live || b.live};
  }
  case Op::minus: { // what a turn has changed is seldom much
    const bool changed = program.nodes[program.kid(n, 0)].op == Op::before ||
                         program.nodes[program.kid(n, 1)].op == Op::before;
    return {!changed && kid(0).many, true};
  }
  case Op::select: return {kid(0).many, true};
  case Op::before: return kid(0);
  default: return {};
  }
}

// Of a & b & c the parts that are known.
void known_parts(const Program& program, NodeId id, std::vector<NodeId>& parts) {
  const runtime::Node& n = program.nodes[id];
  if (n.op == Op::cells) parts.push_back(id);
  if (n.op != Op::meet || parts.size() >= kMostNested) return;
  for (const NodeId kid : program.kids_of(n)) known_parts(program, kid, parts);
}

// Have all the known parts of an intersection nothing in common? Then there is nothing in it, whatever else.
bool is_disjoint(const Program& program, NodeId id) {
  std::vector<NodeId> parts;
  known_parts(program, id, parts);
  if (parts.size() < 2) return false;
  runtime::CellSet all = program.board.all;
  for (const NodeId part : parts) all &= program.cell_sets[static_cast<std::size_t>(program.nodes[part].a)];
  return !all.any();
}

} // namespace

void Elaborator::note(const Ast& n, const Typed& value) {
  if (dead_ || value.type == Ty::error) return;
  Reading& reading = (*readings_)[&n];
  reading.type = value.type;
  const auto known = [&](bool holds) { (holds ? reading.holds : reading.fails) = true; };
  const auto& node = builder_.node(value.node);
  switch (value.type) {
  case Ty::truth:
    if (node.op == Op::truth) return known(node.a != 0);
    break;
  case Ty::cells: {
    if (node.op == Op::cells) known(builder_.cells_of(value.node).any());
    if (node.op == Op::meet && is_disjoint(builder_.program(), value.node)) return known(false);
    const Extent extent = extent_of(builder_.program(), extents_, value.node);
    reading.many = reading.many || extent.many;
    reading.live = reading.live || extent.live;
    reading.few = reading.few || !extent.many || !extent.live;
    reading.loose = reading.loose || !extent.one;
    if (node.op == Op::cells) {
      reading.cells |= builder_.cells_of(value.node);
      return;
    }
    break;
  }
  case Ty::directions:
    if (node.op == Op::directions) {
      reading.steps |= builder_.steps_of(value.node);
      reading.ways = std::max(reading.ways, builder_.steps_of(value.node).count());
      return known(builder_.steps_of(value.node).any());
    }
    break;
  case Ty::numbers:
  case Ty::sets:
  case Ty::kinds:
  case Ty::players:
    if (node.op != Op::list) break;
    for (const NodeId kid : builder_.program().kids_of(node))
      if (const auto& member = builder_.node(kid); member.op == Op::kind && member.a >= 0)
        reading.kinds.insert(member.a);
    return known(node.count > 0);
  default: break;
  }
  reading.varies = true;
}

void Elaborator::note_local(std::uint32_t slot, NodeId value) {
  if (readings_ == nullptr || builder_.node(value).type != runtime::Type::cells) return;
  extents_[slot] = extent_of(builder_.program(), extents_, value);
}

void Elaborator::note_member(std::uint32_t slot, Ty domain) {
  if (readings_ != nullptr && domain == Ty::cells) extents_[slot] = {false, false, true};
}

void Elaborator::note_action(const Ast& n) {
  if (!dead_) (*readings_)[&n].is_action = true;
}

} // namespace boardwright::interpreter
