// The rules between two turns as actions of a rule file.
#pragma once

#include "tools/import/rbg/action.hpp"
#include "tools/import/rbg/layout.hpp"
#include "tools/import/rbg/shifts.hpp"

namespace boardwright::tools {

// What is known of the walker at one place of the rules.
struct RbgWalker {
  bool here = false;  // is it on a cell that the action knows?
  bool said = true;   // is its cell in the notation, or the same for all moves of the turn?
  bool first = true;  // is nothing in the notation yet?
  bool tells = false; // does it write a notation: in a player's turn, not in the keeper's, nor in conditions

  [[nodiscard]] auto operator<=>(const RbgWalker&) const = default;
  // Either of the two.
  [[nodiscard]] RbgWalker joined(const RbgWalker& other) const {
    return {here && other.here, said && other.said, first && other.first, tells};
  }
};

// What a rule file calls what the game has.
struct RbgWords {
  std::vector<std::string> players, pieces, variables;
  std::vector<std::string> scores; // the variables that hold the players' scores
  int empty = 0;                   // the piece that is none
  std::string stage, spot, over, finish;
  std::vector<std::string> lay; // of each piece: the action that lays it
};

class RbgWalks {
public:
  RbgWalks(const RbgGame& game, const RbgLayout& layout, const RbgWords& words, RbgNames& names);

  // Of a part without turns. `needs_here` is set where it asks for a cell that the walker has not.
  RbgAction of(int node, RbgWalker& walker);
  RbgAction of_all(const std::vector<int>& nodes, RbgWalker& walker);
  // Writes the cell if it has to be written before something is changed there.
  RbgAction tell(RbgWalker& walker);
  // What tells alternatives apart whose moves could be written alike, one for each child of a sum.
  [[nodiscard]] std::vector<RbgAction> marks(const RbgNode& sum) const;
  void need(RbgWalker& walker);

  bool needs_here = false;
  std::optional<ImportFault> fault;
  std::vector<std::pair<std::string, std::string>> definitions; // parts that occur more than once
  [[nodiscard]] bool lays(int piece) const { return lays_.contains(piece); }
  [[nodiscard]] bool changes(int node) const { return changes_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] const std::vector<int>& alike() const { return alike_; }

private:
  [[nodiscard]] const RbgNode& at(int node) const { return game_.nodes[static_cast<std::size_t>(node)]; }
  RbgAction written(int node, RbgWalker& walker);
  RbgAction shifts(const std::vector<int>& nodes, RbgWalker& walker);
  RbgAction on(const RbgNode& node, RbgWalker& walker);
  RbgAction assign(const RbgNode& node, RbgWalker& walker);
  RbgAction check(const RbgNode& node, RbgWalker& walker);
  RbgAction sum(const RbgNode& node, RbgWalker& walker);
  RbgAction star(const RbgNode& node, RbgWalker& walker);
  RbgAction go(const std::vector<int>& labels, RbgWalker& walker);
  [[nodiscard]] std::string set_of(const RbgCells& cells);
  [[nodiscard]] std::string kinds(const std::vector<int>& pieces) const;
  [[nodiscard]] std::string number(int expression) const;
  [[nodiscard]] std::pair<long long, long long> range(int expression) const;
  [[nodiscard]] bool branches(int node) const;
  [[nodiscard]] bool apart(int one, int other) const;

  const RbgGame& game_;
  const RbgLayout& layout_;
  const RbgWords& words_;
  RbgNames& names_;
  std::vector<int> alike_;
  RbgShifts shifts_;
  std::vector<bool> changes_;      // is there a modifier in it?
  std::vector<int> weight_, uses_; // leaves of a node; nodes that are written alike
  std::set<int> lays_;
  std::map<RbgCells, std::string> sets_; // as texts
  struct Part {
    std::string name;
    RbgAction::Join join;
    RbgWalker after;
    bool needs_here;
  };
  std::map<std::pair<int, RbgWalker>, Part> parts_;
  std::size_t work_ = 0;
};

} // namespace boardwright::tools
