// The sprint compiler: where only some ways through a turn need drafts, slots count the others.
//
// Only where no two drafts can be one move (sprint_signs.cpp): moves of slots aren't compared with them.
#include "runtime/model/program_nodes.hpp"
#include "runtime/sprint/sprint_compiler.hpp"

namespace boardwright::runtime::sprint {

NodeId Sprinter::add_node(Op op, Type type, const Actions& kids, std::int32_t a) {
  return runtime::add_node(program_, op, type, kids, a);
}

void Sprinter::flatten(NodeId action, Actions& into) const {
  const Node& n = node(action);
  if (n.op != Op::sequence) return into.push_back(action);
  for (std::uint32_t i = 0; i < n.count; ++i) flatten(program_.kid(n, i), into);
}

// A sequence for each way through its alternatives, but for those within other actions.
void Sprinter::split_alternatives(const Actions& actions, std::vector<Actions>& into) {
  constexpr std::size_t kMostParts = 16;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const Node n = node(actions[i]);
    if (n.op != Op::alternatives || into.size() + n.count > kMostParts) continue;
    for (std::uint32_t k = 0; k < n.count; ++k) {
      Actions part(actions.begin(), actions.begin() + static_cast<std::ptrdiff_t>(i));
      flatten(program_.kid(n, k), part);
      part.insert(part.end(), actions.begin() + static_cast<std::ptrdiff_t>(i) + 1, actions.end());
      split_alternatives(part, into);
    }
    return;
  }
  into.push_back(actions);
}

// Two sequences, for where the walker is and isn't in some cells when it comes to a branch that asks for
// that.
bool Sprinter::split_branch(const Actions& actions, std::vector<Actions>& into) {
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const Node n = node(actions[i]);
    if (n.op != Op::if_action) continue;
    const NodeId asked = program_.kid(n, 0);
    if (node(asked).op != Op::within || node(kid(asked, 0)).op != Op::here ||
        node(kid(asked, 1)).op != Op::cells)
      return false;
    const NodeId in = kid(asked, 1), out = add_node(Op::complement, Type::cells, {in});
    for (const bool inside : {true, false}) {
      Actions part(actions.begin(), actions.begin() + static_cast<std::ptrdiff_t>(i));
      part.push_back(add_node(Op::at, Type::action, {inside ? in : out}));
      const NodeId then = inside ? kid(actions[i], 1) : n.count > 2 ? kid(actions[i], 2) : kNoNode;
      if (then != kNoNode) flatten(then, part);
      part.insert(part.end(), actions.begin() + static_cast<std::ptrdiff_t>(i) + 1, actions.end());
      into.push_back(std::move(part));
    }
    return true;
  }
  return false;
}

void Sprinter::count_part(const SlotPlan& plan) {
  leaf_offset_ = at(leaf_base_) + draft_leaves_.size() - first_draft_leaf_;
  const auto places = static_cast<std::uint32_t>(code_.places.size());
  code_.places.insert(code_.places.end(), plan.places.begin(), plan.places.end());
  for (const SlotLeaf& l : plan.leaves) {
    DraftLeaf leaf;
    leaf.slot = l;
    leaf.places = places;
    draft_leaves_.push_back(std::move(leaf));
  }
  count_ops(plan, 0, static_cast<std::uint32_t>(plan.ops.size()), none_, false, 0);
  leaf_offset_ = 0;
  memo_.clear();
}

// False, and nothing has happened, if slots can do none of it.
bool Sprinter::follow_split(const Todo* todo, const Draft& d) {
  Actions actions;
  for (const Todo* t = todo; t != nullptr; t = t->next) {
    if (t->kind != Todo::Kind::act) return false;
    flatten(t->action, actions);
  }
  std::vector<Actions> parts, drafts;
  split_alternatives(actions, parts);
  Actions slots; // sequences
  std::optional<SlotPlan> plan;
  const auto take = [&](const Actions& part) {
    Actions more = slots;
    more.push_back(add_node(Op::sequence, Type::action, part));
    auto planned = plan_action(program_, player_, add_node(Op::alternatives, Type::action, more));
    if (!planned || planned->groups.size() != 1) return false;
    plan = std::move(planned);
    slots = std::move(more);
    return true;
  };
  for (const Actions& part : parts) {
    std::vector<Actions> halves;
    if (take(part)) continue;
    if (!split_branch(part, halves)) {
      drafts.push_back(part);
      continue;
    }
    const bool first = take(halves[0]), second = take(halves[1]);
    if (!first && !second) drafts.push_back(part);
    if (first != second) drafts.push_back(halves[first ? 1 : 0]);
  }
  std::size_t leaves = at(leaf_base_);
  for (std::size_t i = first_draft_leaf_; i < draft_leaves_.size(); ++i)
    leaves += draft_leaves_[i].slot ? 1 : 0;
  if (!plan || leaves + plan->leaves.size() > kMaxSlotLeaves) return false;
  count_part(*plan);
  split_ = true;
  Actions rest;
  for (const Actions& part : drafts) rest.push_back(add_node(Op::sequence, Type::action, part));
  const Todo others{Todo::Kind::act, add_node(Op::alternatives, Type::action, rest), nullptr, nullptr};
  if (!rest.empty()) follow(&others, d);
  split_ = false;
  return true;
}

} // namespace boardwright::runtime::sprint
