// What values are made of: so that one needn't be worked out again while that stays the same.
#pragma once

#include "runtime/program.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace boardwright::runtime::machine {

struct Needs {
  bool board = false;   // the pieces
  bool rest = false;    // hands, variables
  bool unknown = false; // anything else that isn't told apart: the value can't be kept
  bool here = false, start = false, heading = false;
  bool heavy = false;              // more work than a look into a table
  bool lists = false;              // has lists inside
  std::vector<std::int32_t> slots; // read, and not bound within; ascending
  std::vector<std::int32_t> binds; // bound within; ascending
};

class NeedsOf {
public:
  explicit NeedsOf(const Program& program);
  [[nodiscard]] const Needs& operator()(NodeId id);

  // Values with equal keys are equal wherever what they need is: the same but for the slots bound inside.
  // Nothing where it would be long.
  [[nodiscard]] std::optional<std::vector<std::int32_t>> key(NodeId id);
  // The slot that this one is only another name of.
  [[nodiscard]] std::int32_t original(std::int32_t slot) const;
  // The value of a slot, where it is bound within a value to one that takes no work and is the same wherever
  // the slot is read; else kNoNode.
  [[nodiscard]] NodeId stands_for(std::int32_t slot);

private:
  using Key = std::vector<std::int32_t>;
  [[nodiscard]] Needs find(const Node& n);
  void add(Needs& to, NodeId id);
  bool write(NodeId id, Key& key, std::map<std::int32_t, std::int32_t>& bound, int depth);
  void note_aliases();
  bool is_pure(NodeId id);

  const Program& program_;
  std::vector<std::optional<Needs>> known_;
  std::vector<std::int8_t> pure_;   // -1: not asked yet
  std::vector<std::int32_t> alias_; // by slot: another slot, or -1
  std::vector<NodeId> bound_at_;    // by slot: the `let_value` that alone binds it, or kNoNode
  int depth_ = 0;
};

// Do values of this operation take work that grows with the board?
[[nodiscard]] bool is_heavy(Op op);

} // namespace boardwright::runtime::machine
