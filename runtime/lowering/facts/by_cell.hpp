// What depends on nothing but one cell: the walker's, or one that a name stands for.
//
// Constants, directions and the board don't change, so such a value is the same whenever it is asked for that
// cell, and can be worked out for all cells before the first move. The walker does it: a table says what
// carrying out the rule would.
#pragma once

#include "runtime/lowering/facts/terms.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace boardwright::runtime::lowering {

// The walker's steps for all tables of a program: a fraction of a second. What isn't worked out by then is
// worked out in play.
inline constexpr std::uint64_t kMaxTabling = 200'000;

class ByCell {
public:
  ByCell(const Program& rules, normal::TermStore& store);

  // By which cell a value goes, if it goes by one alone: a name's, or that of the walker.
  struct Input {
    std::optional<std::int32_t> name;
    bool may_be_none = false; // the name needn't stand for a cell
  };
  // Nothing where the value takes no more than it would take to look it up.
  [[nodiscard]] std::optional<Input> input(NodeId id);

  // Its values: of cells `sets`, of what is a number `numbers`. Null where it can't be worked out.
  struct Values {
    std::vector<std::int16_t> numbers;
    std::vector<CellSet> sets;
    std::int16_t number_of_none = 0; // where there is no cell
    CellSet set_of_none;
  };
  [[nodiscard]] const Values* values(NodeId id, const Input& by);

private:
  // How long a value or an action within one takes, roughly.
  [[nodiscard]] int cost(NodeId id);
  [[nodiscard]] int saved_by_rays(const Node& n) const;
  [[nodiscard]] normal::Slots names_of(NodeId id) const;
  void values_by_number(NodeId id, std::map<NodeId, std::uint32_t>& found);
  [[nodiscard]] std::optional<Values> worked_out(NodeId id, const Input& by);

  const Program& rules_;
  const Terms terms_;
  std::set<std::uint32_t> numbers_; // names of one number, which stays
  std::set<std::uint32_t> lets_;    // names that are bound to a value, not to members: there may be none
  std::uint64_t steps_left_ = kMaxTabling;
  std::map<NodeId, int> costs_;
  std::map<NodeId, std::optional<Values>> values_;
};

} // namespace boardwright::runtime::lowering
