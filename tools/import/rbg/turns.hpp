// The rules cut at their turns: what a player does from one `->` to the next is a turn of the rule file, and
// what the keeper does behind it belongs to that turn.
#pragma once

#include "tools/import/rbg/walk.hpp"

namespace boardwright::tools {

// More places where a turn begins; known files have 76.
inline constexpr std::size_t kMostRbgTurns = 500;

struct RbgTurns {
  std::vector<int> order;                                       // the players as they follow one another
  std::vector<std::pair<std::string, std::string>> definitions; // in the order in which they may be written
  std::vector<std::pair<int, std::string>> bodies;              // what each player does
  std::map<std::string, std::string> start; // what variables are at first, where it isn't 0
  bool uses_stage = false, uses_spot = false, uses_over = false;
};

class RbgTurnWriter {
public:
  // `first_cell` is where the walker stands before anybody has moved.
  RbgTurnWriter(const RbgGame& game, RbgWalks& walks, const RbgWords& words, RbgNames& names,
                std::string first_cell);

  [[nodiscard]] tl::expected<RbgTurns, ImportFault> write();

private:
  // A part with turns in it: what leads through it, and what ends at a turn.
  struct Flow {
    RbgAction through, stop;
    RbgWalker after;
  };
  // Of parts one after the other.
  struct Flows {
    std::vector<RbgAction> through, stop;
    RbgWalker after;
  };
  // A place where somebody begins to move: -1 is the beginning of the game.
  struct Begin {
    int player = -1;
    bool needs_spot = false, reached = false;
    bool dead = false;         // can nothing be done from here?
    bool before_first = false; // may the keeper be here before anybody has moved?
    std::string name;          // of its definition
    std::set<int> next, movers;
    RbgAction action;
  };

  [[nodiscard]] const RbgNode& at(int node) const { return game_.nodes[static_cast<std::size_t>(node)]; }
  void fail(int line, std::string message);
  Flow flow(int node, const RbgWalker& walker);
  Flows flows(const std::vector<int>& nodes, const RbgWalker& walker);
  RbgAction folded(const Flows& parts, RbgAction last);
  Flow flow_sequence(const RbgNode& node, const RbgWalker& walker);
  Flow flow_sum(const RbgNode& node, const RbgWalker& walker);
  Flow flow_star(const RbgNode& node, const RbgWalker& walker);
  RbgAction rest(int node, const RbgWalker& walker);
  RbgAction arrive(int turn, RbgWalker walker);
  void write_all();
  void write_from(int turn);
  void find_movers();
  void find_rings();
  bool find_order();
  bool take_start(RbgTurns& turns) const;
  [[nodiscard]] bool needs_stage() const;
  void collect(RbgTurns& turns);
  void collect_keeper(int turn, RbgTurns& turns, std::set<int>& done);
  RbgAction finish();
  [[nodiscard]] bool keeper(int turn) const { return begins_.at(turn).player < 0; }

  const RbgGame& game_;
  RbgWalks& walks_;
  const RbgWords& words_;
  RbgNames& names_;
  std::string first_cell_;
  std::vector<int> parents_;
  std::map<int, Begin> begins_; // by the node of the turn; -1: the beginning
  std::map<int, int> stages_;   // by node
  std::map<int, int> rings_;    // keeper's turns that come back to themselves: the number of their ring
  int now_ = -1;                // from where actions are written
  bool uses_stage_ = false, uses_over_ = false;
  std::vector<int> order_;
  std::set<int> beginners_; // who may be the first to move
  int first_player_ = -1;
  std::optional<ImportFault> fault_;
};

} // namespace boardwright::tools
