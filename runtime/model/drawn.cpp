#include "runtime/model/drawn.hpp"

#include "runtime/model/index.hpp"
#include "runtime/model/operations.hpp"
#include "runtime/model/program_nodes.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace boardwright::runtime {

namespace {

// Finds each `distinct` whose outcomes are the turn's moves, one each: nothing is chosen before and behind
// it, and drafts that it lets through and that are different lead to different positions. It is written
// quietly then, whatever comes of it twice.
class DistinctTurns {
public:
  explicit DistinctTurns(Program& program) : program_(program) {}

  // True: some were found.
  bool rewrite() {
    bool found = false;
    for (Player& p : program_.players) {
      const NodeId before = p.turn;
      p.turn = rewritten(before, true);
      found = found || p.turn != before;
    }
    return found;
  }

private:
  [[nodiscard]] const Node& node(NodeId id) const { return program_.nodes[id]; }
  [[nodiscard]] std::span<const NodeId> kids(NodeId id) const { return program_.kids_of(node(id)); }

  // Is there at most one way through it, whatever the position?
  [[nodiscard]] bool is_single(NodeId id) {
    if (const auto known = single_.find(id); known != single_.end()) return known->second;
    const Outcomes outcomes = about(node(id).op).outcomes;
    bool single = outcomes != Outcomes::many;
    if (outcomes == Outcomes::as_children && node(id).op == Op::alternatives) single = kids(id).empty();
    if (outcomes == Outcomes::as_children && single)
      for (const NodeId kid : kids(id)) single = single && (!is_action(node(kid).op) || is_single(kid));
    return single_[id] = single;
  }

  // What its actions write.
  std::uint16_t writes(NodeId id) {
    if (const auto known = writes_.find(id); known != writes_.end()) return known->second;
    std::uint16_t all = about(node(id).op).writes;
    for (const NodeId kid : kids(id)) all = static_cast<std::uint16_t>(all | writes(kid));
    return writes_[id] = all;
  }

  // May it come behind outcomes that are told apart by the position alone? It leaves the position and the
  // walker as they are: what differs before it differs behind it.
  [[nodiscard]] bool leaves_all(NodeId id) {
    constexpr std::uint16_t kLeft = kPosition | kWalker | kCarried | kOut;
    return is_single(id) && (writes(id) & kLeft) == 0;
  }

  // Nodes may stand in several places: the old ones stay as they are. `last`: only what leaves all comes
  // behind it.
  NodeId rewritten(NodeId id, bool last) {
    if (const auto known = rewritten_.find({id, last}); known != rewritten_.end()) return known->second;
    const NodeId made = written_anew(id, last);
    return rewritten_[{id, last}] = made;
  }

  NodeId written_anew(NodeId id, bool last) {
    const Node n = node(id);
    std::vector<NodeId> all(kids(id).begin(), kids(id).end());
    switch (n.op) {
    case Op::sequence: {
      std::size_t ends = all.size(); // from there on all is left as it is
      while (ends > 0 && leaves_all(all[ends - 1])) --ends;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const bool comes_once = is_single(all[i]); // else what comes behind it comes in several ways
        all[i] = rewritten(all[i], last && i + 1 >= ends);
        if (!comes_once) break;
      }
      break;
    }
    case Op::otherwise:
    case Op::if_action:
    case Op::by_kind_action:
    case Op::by_player_action:
      for (NodeId& kid : all)
        if (is_action(node(kid).op)) kid = rewritten(kid, last);
      break;
    case Op::distinct: return last && tells_by_position(id) ? quiet(all[0]) : id;
    default: return id;
    }
    const bool same = std::equal(all.begin(), all.end(), kids(id).begin());
    return same ? id : with_kids(n.op, n.b, n, all);
  }

  // `most` stays outside: so nothing but the rest of the turn comes behind it.
  NodeId quiet(NodeId body) {
    const Node n = node(body);
    if (n.op != Op::most) return add_node(program_, Op::quietly, Type::action, {body}, 0, n.origin);
    const NodeId inner = kids(body)[0], score = kids(body)[1];
    return with_kids(Op::most, n.b, n, {quiet(inner), score});
  }

  NodeId with_kids(Op op, std::int32_t b, const Node& like, const std::vector<NodeId>& kids) {
    const NodeId made = add_node(program_, op, like.type, kids, like.a, like.origin);
    program_.nodes[made].b = b;
    return made;
  }

  // Are outcomes that `distinct` tells apart different positions? They stand on one cell, and go on alike.
  [[nodiscard]] bool tells_by_position(NodeId id) {
    constexpr std::uint16_t kGoesOn = kDecision | kAgain | kOut | kStart;
    const NodeId body = kids(id)[0];
    if ((writes(body) & kGoesOn) != 0 || !ends_in_place(body)) return false;
    const auto& frame = program_.frames[at(node(id).b)];
    const std::set<std::int32_t> bound = bound_in(body);
    return std::all_of(frame.begin(), frame.end(), [&](std::uint32_t named) {
      const auto slot = static_cast<std::int32_t>(named);
      return !bound.contains(slot) || is_score(body, slot);
    });
  }

  // Does every way through it end on the same cell?
  [[nodiscard]] bool ends_in_place(NodeId id) {
    const auto all = kids(id);
    switch (node(id).op) {
    case Op::to: return node(all[0]).op == Op::cells && program_.cell_sets[at(node(all[0]).a)].count() <= 1;
    case Op::most:
    case Op::quietly: return ends_in_place(all[0]);
    case Op::sequence:
      for (std::size_t i = all.size(); i-- > 0;) {
        if (ends_in_place(all[i])) return true;
        if ((writes(all[i]) & kWalker) != 0) return false;
      }
      return false;
    default: return false;
    }
  }

  // The slots that its actions bind.
  [[nodiscard]] std::set<std::int32_t> bound_in(NodeId id) const {
    std::set<std::int32_t> slots;
    std::set<NodeId> met{id};
    std::vector<NodeId> todo{id};
    while (!todo.empty()) {
      const Node& n = node(todo.back());
      todo.pop_back();
      if (is_action(n.op) && names_slot(n.op)) slots.insert(n.a);
      for (const NodeId kid : program_.kids_of(n))
        if (met.insert(kid).second) todo.push_back(kid);
    }
    return slots;
  }
  // Of `most`: all of its outcomes have the same.
  [[nodiscard]] bool is_score(NodeId most, std::int32_t slot) const {
    if (node(most).op != Op::most) return false;
    const Node& score = node(kids(most)[1]);
    return score.op == Op::local && score.a == slot;
  }

  Program& program_;
  std::map<NodeId, bool> single_;
  std::map<NodeId, std::uint16_t> writes_;
  std::map<std::pair<NodeId, bool>, NodeId> rewritten_;
};

} // namespace

std::shared_ptr<const Program> drawn(const Program& program) {
  auto made = std::make_shared<Program>(program);
  const bool weighs = program.chance && program.chance->odds >= 0;
  if (weighs) made->chance->draws = true;
  const bool is_quiet = DistinctTurns(*made).rewrite();
  return weighs || is_quiet ? made : nullptr;
}

} // namespace boardwright::runtime
