// The rules as terms: what an action or a value contains, reads, binds and does, whatever the position. Most
// of it is stored with the term (normalize/term.hpp), so that asking takes no time.
#pragma once

#include "runtime/lowering/abstract_draft.hpp"
#include "runtime/model/limits.hpp"
#include "runtime/model/operations.hpp"
#include "runtime/normalize/term.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace boardwright::runtime::lowering {

// Kinds by name, or any.
struct OfKinds {
  bool any = false;
  std::set<std::int32_t> named;
};

class Terms {
public:
  // The store is one of this program, without origins.
  Terms(const Program& program, normal::TermStore& store);

  [[nodiscard]] const Node& node(NodeId id) const { return rules_.nodes[id]; }
  [[nodiscard]] NodeId kid(NodeId id, std::uint32_t i) const { return rules_.kid(rules_.nodes[id], i); }
  // Good until the next is asked for: the program may have got a node.
  [[nodiscard]] const normal::Term& term(NodeId id) const { return store_[store_.take(id)]; }
  [[nodiscard]] const Program& rules() const { return rules_; }
  [[nodiscard]] const Board& board() const { return rules_.board; }
  [[nodiscard]] int players() const { return rules_.player_count(); }
  [[nodiscard]] bool stacks() const { return board().stacks; }
  // Is a name set again by some action?
  [[nodiscard]] bool is_changed(std::int32_t slot) const { return changed_names_.count(slot) != 0; }

  // The parts of sequences (and of what is done quietly) as one row.
  void flatten(NodeId action, Actions& into) const;
  void flatten_quiet(NodeId id, Actions& into) const;
  // What isn't stored with terms: is there a node of which `asked` says so, here or below? Where it says no,
  // what is below isn't asked; where it says nothing, that is.
  template <class Asked>
  [[nodiscard]] bool finds(NodeId id, const Asked& asked) const {
    if (id == kNoNode) return false;
    ++looked_at_;
    const std::optional<bool> here = asked(node(id));
    if (here) return *here;
    const auto kids = rules_.kids_of(node(id));
    return std::any_of(kids.begin(), kids.end(), [&](NodeId k) { return finds(k, asked); });
  }
  // An answer for it: yes, or look further.
  [[nodiscard]] static std::optional<bool> found(bool yes) {
    return yes ? std::optional(true) : std::nullopt;
  }
  // Nodes that were looked at to find one.
  [[nodiscard]] std::uint64_t looked_at() const { return looked_at_; }
  // The same term, wherever it stands.
  [[nodiscard]] bool same(NodeId a, NodeId b) const;

  // ---- what is in it
  [[nodiscard]] bool contains(NodeId id, const OperationSet& any) const;
  [[nodiscard]] bool contains(NodeId id, Op op) const;
  // Is one of these carried out? Actions within values don't count.
  [[nodiscard]] bool does(NodeId id, const OperationSet& any) const;
  [[nodiscard]] bool does(NodeId id, Op op) const { return does(id, OperationSet(op)); }
  [[nodiscard]] bool contains_local(NodeId id, std::int32_t slot) const;
  [[nodiscard]] bool contains_variable(NodeId id, std::int32_t variable) const;
  [[nodiscard]] bool uses(Op op) const { return used_.has(op); }

  // ---- what it reads
  [[nodiscard]] std::uint16_t reads(NodeId id) const;
  [[nodiscard]] bool reads_walker(NodeId id) const;
  [[nodiscard]] bool reads_draft(NodeId id) const;
  [[nodiscard]] bool reads_no_state(NodeId id) const;
  [[nodiscard]] bool reads_no_pieces(NodeId id) const;
  [[nodiscard]] bool reads_way(const Todo* todo, std::int32_t slot) const;
  [[nodiscard]] bool reads_way(NodeId id, std::int32_t slot) const;

  // ---- what an action does
  [[nodiscard]] bool is_perhaps(const Node& loop) const;
  [[nodiscard]] bool changes_place(NodeId id) const;
  [[nodiscard]] bool changes_pieces(NodeId id) const;
  [[nodiscard]] bool only_notes(NodeId id) const;
  [[nodiscard]] bool decides(NodeId id) const;
  [[nodiscard]] bool writes_text(NodeId id, bool quiet) const;
  [[nodiscard]] bool tells(NodeId id) const;
  [[nodiscard]] bool may_leave(NodeId id) const;
  [[nodiscard]] bool may_go_wrong(NodeId id) const;

  // ---- what a value is
  [[nodiscard]] bool is_few(NodeId id) const;
  [[nodiscard]] bool is_rare(std::int32_t kind) const;
  [[nodiscard]] bool goes_by_cell(NodeId id) const;
  [[nodiscard]] std::optional<std::int32_t> least_of(NodeId range) const;
  [[nodiscard]] std::optional<std::int32_t> greatest_possible(NodeId number) const;
  [[nodiscard]] bool never_negative(NodeId number) const;
  [[nodiscard]] std::optional<std::vector<std::int32_t>> constant_members(NodeId list) const;
  [[nodiscard]] std::optional<std::vector<CellSet>> constant_list(NodeId id) const;
  [[nodiscard]] std::vector<NodeId> parts_of_condition(NodeId condition) const;

protected:
  void count_pieces();

  mutable std::uint64_t looked_at_ = 0;
  const Program& rules_;
  normal::TermStore& store_;
  OperationSet used_;
  std::set<std::int32_t> changed_names_;
  // Names that stand for one value wherever they stand: the value.
  std::map<std::int32_t, NodeId> values_of_names_;
  std::vector<int> pieces_; // by kind: at the beginning, on the board and in hands
  OfKinds laid_down_;       // kinds of which a piece may come without having been in a hand
};

} // namespace boardwright::runtime::lowering
