// One thread of a tree search: goes down the tree, plays a random game from where it ends, and takes the
// result back up.
#pragma once

#include "runtime/model/random.hpp"
#include "runtime/search/leaf_games.hpp"
#include "runtime/search/move_history.hpp"
#include "runtime/search/score.hpp"
#include "runtime/search/tree.hpp"
#include "runtime/search/tree_search.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace boardwright::runtime::search {

// What the threads of a search have in common.
struct TreeTask {
  const TreeSearchOptions& options;
  const ThinkLimits& limits;
  TreeMemory& memory;
  Node& root;
  int players = 2;
  std::atomic<bool> over = false;
  alignas(kCacheLine) std::atomic<std::uint64_t> begun = 0; // iterations

  TreeTask(const TreeSearchOptions& o, const ThinkLimits& l, TreeMemory& m, Node& r, int p);
  // Asks the clock, which takes as long as a ply or two.
  [[nodiscard]] bool is_over();
  // For all else that takes a rule's time.
  [[nodiscard]] Patience patience() const { return {limits.stop, &over, limits.deadline}; }
  // Of a position that is listed: what stops the thinking stops the list.
  [[nodiscard]] ListLimits list_limits() const;

private:
  [[nodiscard]] bool is_late() const;
  alignas(kCacheLine) std::thread::id asker_ = std::this_thread::get_id();
  std::chrono::nanoseconds cpu_begin_; // of the asker's thread
};

// Does a move of the position end the game in favour of who plays it? It becomes the first edge of the node,
// which is certain then. Only for the position that is asked about: below it, a move that wins is found when
// it is first tried, and to look at all of them takes longer than it gains (tests/bench).
void scan(Game& game, Node& node, TreeTask& task);

class TreeWorker {
public:
  // `thread`: its number, for its part of the memory.
  TreeWorker(TreeTask& task, const Game& root, std::size_t thread, LeafGames& leaf_games, Random& random,
             MoveHistory& history)
      : task_(task), thread_(thread), game_(root), leaf_games_(leaf_games), random_(random),
        history_(history), over_([&task] { return task.is_over(); }) {
    game_.give_up_when(task.patience());
    leaf_games_.give_up_when(task.patience());
  }
  ~TreeWorker() { leaf_games_.give_up_when({}); }
  TreeWorker(const TreeWorker&) = delete;
  TreeWorker& operator=(const TreeWorker&) = delete;

  // Before the first iteration of the first worker: what is known of the root's moves.
  void begin();
  // One playout, or less where the result is known. False: a limit was reached.
  bool iterate();

private:
  struct Step { // an edge by its number: rows of edges move
    Node* node;
    std::uint32_t edge;
    // The mover can have this end for certain, and it looks best; what is tried instead, to know more,
    // doesn't count for the positions before.
    Certain instead = kUncertain;
  };
  struct Choice { // what the edge was like when it was chosen
    std::uint32_t move = 0, visits = 0;
    Node* child = nullptr;
    Certain certain = kUncertain;
  };
  enum class Leaf : std::uint8_t { result, abandoned, expanded };

  [[nodiscard]] bool choose(Node& node, Choice& choice);
  struct Best {
    int edge = -1, certain = -1; // the best of those that aren't certain, and of those that are; -1: none
    double value = 0, certain_value = 0;
  };
  [[nodiscard]] Best best_of(const Node& node) const;
  void choose_untried(Node& node) const;
  [[nodiscard]] int new_edge(Node& node);
  int draw(Node& node);
  void list_untried(Node& node);
  void list_weights(Node& node);
  Leaf go_down(Scores& scores);
  Leaf evaluate(const Choice& choice, Scores& scores);
  Leaf expand(Scores& scores);
  Leaf play_out(Scores& scores);
  bool go_to(std::uint32_t move, bool& playable);
  void stay();
  void settle(Certain certain, std::uint16_t distance);
  void back_up(Scores scores);
  void abandon();

  TreeTask& task_;
  std::size_t thread_;
  Game game_; // at the root, or behind the moves of line_
  LeafGames& leaf_games_;
  Random& random_;
  MoveHistory& history_;
  std::vector<std::uint64_t> labels_; // of the position that is made a node
  std::function<bool()> over_;
  std::vector<Step> path_;
  std::vector<std::uint32_t> line_; // played in game_; kept for the next time down
};

} // namespace boardwright::runtime::search
