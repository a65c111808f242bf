#include "runtime/search/tree_search.hpp"

#include "runtime/game/thread_group.hpp"
#include "runtime/model/random.hpp"
#include "runtime/search/tree.hpp"
#include "runtime/search/tree_worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace boardwright::runtime::search {

namespace {

using Clock = std::chrono::steady_clock;

// More moves than these between two thoughts: another game.
constexpr int kMostSteps = 16;
// What is told while thinking is told so often.
constexpr auto kBetweenThoughts = std::chrono::milliseconds(200);
// Of an expected line, longer than anybody reads.
constexpr std::size_t kMostLine = 24;
// When the tree fills half of its memory, positions are forgotten that had less than this part of all visits;
// four times as much, and so on, until it fills no more than half.
constexpr std::uint32_t kForgottenPart = 4096;

class TreeSearch final : public Player {
public:
  TreeSearch(std::shared_ptr<const Rules> rules, const TreeSearchOptions& options);
  tl::expected<Thought, Fault> think(const Game& game, const ThinkLimits& asked,
                                     const OnThought& on_thought) override;

private:
  struct alignas(kCacheLine) Helper { // what a thread keeps from one thought to the next
    LeafGames games;
    Random random;
    MoveHistory history;
  };

  [[nodiscard]] std::optional<Fault> find_root(const Game& game, const ThinkLimits& limits);
  [[nodiscard]] Node* known_root(const Game& game, const ListLimits& list);
  [[nodiscard]] Node* follow(Game& from, Node& node, std::uint64_t key, const ListLimits& list);
  void make_space();
  void search(TreeTask& task, const Game& game, const OnThought& on_thought);
  [[nodiscard]] Thought thought_of(const TreeTask& task, std::uint64_t nodes);
  void add_candidates(Thought& thought, const MoveList& moves) const;
  void add_line(Thought& thought, const ThinkLimits& limits);
  [[nodiscard]] std::string remark() const;

  std::shared_ptr<const Rules> rules_;
  TreeSearchOptions options_;
  int players_;
  std::vector<Helper> helpers_; // one for each thread
  TreeMemory memory_;
  Node* root_ = nullptr;
  std::optional<Game> at_root_; // the position that it is, with its moves listed
};

// Native code is made when it is first needed, which takes longer than a short thought: here.
TreeSearch::TreeSearch(std::shared_ptr<const Rules> rules, const TreeSearchOptions& options)
    : rules_(std::move(rules)), options_(options),
      players_(static_cast<int>(rules_->program().players.size())),
      memory_(options.most_bytes, static_cast<std::size_t>(std::max(options.threads, 1))) {
  Random seeds(mix(options.seed));
  for (int k = 0; k < std::max(options.threads, 1); ++k)
    helpers_.push_back({LeafGames(rules_, options.games), Random(seeds.next()), MoveHistory()});
  if (!rules_->problem().empty()) return;
  Random random(1);
  (void)RandomPlayer(rules_).play(random, 1);
  ListLimits one;
  one.most_moves = 1;
  (void)Game(rules_).moves(one);
}

// ---------------------------------------------------------------- from one move of the game to the next

// The child of the node whose position has the key. The game goes there.
Node* TreeSearch::follow(Game& from, Node& node, std::uint64_t key, const ListLimits& list) {
  const auto moves = from.moves(list);
  if (!moves || moves->size() != node.moves) return nullptr;
  for (std::uint32_t k = 0; k < node.edges; ++k) {
    if (!from.play((*moves)[node.edge[k].move])) continue;
    if (from.key() == key) return node.edge[k].child;
    from.undo();
  }
  return nullptr;
}

// The node of the game's position, if it goes on from where we thought last. The way there is found
// backwards: by the positions that the game comes to when its moves are taken back.
Node* TreeSearch::known_root(const Game& game, const ListLimits& list) {
  if (!options_.reuse || root_ == nullptr || !at_root_) return nullptr;
  const int steps = game.length() - at_root_->length();
  if (steps < 0 || steps > kMostSteps) return nullptr;
  Game back = game;
  std::vector<std::uint64_t> keys;
  for (int k = 0; k < steps; ++k) {
    keys.push_back(back.key());
    back.undo();
  }
  if (back.key() != at_root_->key() || back.to_move() != at_root_->to_move()) return nullptr;
  Node* node = root_;
  for (; !keys.empty() && node != nullptr; keys.pop_back())
    node = follow(*at_root_, *node, keys.back(), list);
  return node;
}

// In place as long as there is room, so that nothing is copied while the clock runs.
void TreeSearch::make_space() {
  if (root_ == nullptr || memory_.bytes() <= memory_.most_bytes() / 2) return;
  TreeMemory fresh(memory_.most_bytes(), helpers_.size());
  std::uint32_t least = std::max(1U, root_->visits / kForgottenPart);
  Node* copy = copy_tree(*root_, least, fresh);
  while (fresh.bytes() > fresh.most_bytes() / 2 && least < root_->visits) {
    fresh.clear();
    least = 4 * least;
    copy = copy_tree(*root_, least, fresh);
  }
  root_ = copy;
  memory_.swap(fresh);
}

std::optional<Fault> TreeSearch::find_root(const Game& game, const ThinkLimits& limits) {
  ListLimits list;
  list.stop = limits.stop;
  list.deadline = limits.deadline;
  root_ = known_root(game, list);
  at_root_ = game;
  make_space();
  auto moves = at_root_->moves(list);
  if (root_ != nullptr && moves && moves->size() == root_->moves) return std::nullopt;
  memory_.clear();
  if (!moves) return std::move(moves.error());
  if (moves->empty() && !moves->complete()) { // out of time already: a few moves will do
    list = {};
    list.most_moves = 1;
    moves = at_root_->moves(list);
    if (!moves) return std::move(moves.error());
  }
  root_ = moves->empty() ? nullptr : memory_.new_node();
  if (root_ == nullptr) return std::nullopt;
  begin_node(*root_, at_root_->to_move(), moves->size(), helpers_.front().random.next());
  root_->nature = at_root_->is_chance();
  return std::nullopt;
}

// ---------------------------------------------------------------- thinking

void TreeSearch::search(TreeTask& task, const Game& game, const OnThought& on_thought) {
  const auto work = [this, &task, &game](Helper& helper) {
    const auto thread = static_cast<std::size_t>(&helper - helpers_.data());
    TreeWorker worker(task, game, thread, helper.games, helper.random, helper.history);
    while (worker.iterate()) {
    }
  };
  TreeWorker worker(task, game, 0, helpers_.front().games, helpers_.front().random, helpers_.front().history);
  worker.begin();
  ThreadGroup threads([&task] { task.over = true; });
  for (std::size_t k = 1; k < helpers_.size(); ++k) // where the system gives no more, fewer think
    if (!threads.start([&work, &helper = helpers_[k]] { work(helper); })) break;
  auto told = Clock::now();
  for (std::uint64_t k = 0; worker.iterate(); ++k) {
    if (!on_thought || Clock::now() - told < kBetweenThoughts) continue;
    on_thought(thought_of(task, task.begun));
    told = Clock::now();
  }
  threads.join(); // they meet the same limits
}

// Where nothing was tried, for want of time, the first move that would have been.
void TreeSearch::add_candidates(Thought& thought, const MoveList& moves) const {
  const int best = best_edge(*root_, players_);
  for (std::uint32_t k = 0; k < root_->edges; ++k) {
    const Edge& e = root_->edge[k];
    if (e.move >= moves.size()) continue;
    const Proof proof = proof_of(e.certain, root_->mover, players_);
    const double value =
        e.certain == kUncertain ? e.mean() : static_cast<double>(share(e.certain, root_->mover, players_));
    thought.candidates.push_back({moves[e.move], value, e.visits, proof});
    if (static_cast<int>(k) == best) std::swap(thought.candidates.front(), thought.candidates.back());
  }
  if (thought.candidates.empty()) {
    thought.candidates.push_back({moves[std::min<std::size_t>(root_->next_move(), moves.size() - 1)]});
  } else {
    const auto rank = [](const Candidate& c) {
      return std::tuple(c.proof == Proof::win ? 0 : c.proof == Proof::loss ? 2 : 1, ~c.visits, -c.value);
    };
    std::stable_sort(thought.candidates.begin() + 1, thought.candidates.end(),
                     [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
  }
  thought.move = thought.candidates.front().move;
  thought.value = thought.candidates.front().value;
  thought.proof = proof_of(root_->certain, root_->mover, players_);
}

// Leaves out the moves that aren't to be answered.
void keep_allowed(Thought& thought, const MoveList& moves, const ThinkLimits& limits) {
  if (limits.only.empty()) return;
  std::erase_if(thought.candidates, [&](const Candidate& c) { return !limits.allows(c.move.index()); });
  if (thought.candidates.empty() && limits.only.front() < moves.size())
    thought.candidates.push_back({moves[limits.only.front()]});
  if (thought.candidates.empty()) return;
  const Candidate& best = thought.candidates.front();
  if (thought.move && best.move.index() == thought.move->index()) return;
  thought.move = best.move;
  thought.value = best.value;
  thought.proof = best.proof;
}

// What is played after the move that a node's best edge is.
struct Next {
  std::uint32_t move = 0;
  Node* child = nullptr;
  bool known = false;
};

Next best_of(Node* node, int players) {
  if (node == nullptr) return {};
  const std::lock_guard lock(node->lock);
  if (node->nature) return {}; // nobody expects an outcome
  const int best = best_edge(*node, players);
  return best < 0 ? Next{} : Next{node->edge[best].move, node->edge[best].child, true};
}

// The time is up: lists that take long aren't waited for.
void TreeSearch::add_line(Thought& thought, const ThinkLimits& limits) {
  ListLimits soon;
  if (limits.deadline) soon.deadline = std::max(*limits.deadline, Clock::now() + kTimeToWrite);
  const int begun = at_root_->length();
  Next next = best_of(root_, players_);
  if (!next.known || next.move != thought.move->index()) next = {thought.move->index(), nullptr, false};
  do {
    const auto moves = at_root_->moves(soon);
    if (!moves || next.move >= moves->size()) break;
    const Move move = (*moves)[next.move];
    auto text = at_root_->notation(move);
    if (!text || !at_root_->play(move)) break;
    thought.line.push_back(std::move(*text));
    next = best_of(next.child, players_);
  } while (next.known && thought.line.size() < kMostLine);
  while (at_root_->length() > begun) at_root_->undo();
}

Thought TreeSearch::thought_of(const TreeTask& task, std::uint64_t nodes) {
  Thought thought;
  ListLimits limits;
  limits.most_moves = root_->moves;
  const auto moves = at_root_->moves(limits);
  if (!moves || moves->empty()) return thought;
  {
    const std::lock_guard lock(root_->lock); // other threads may be at work
    add_candidates(thought, *moves);
  }
  keep_allowed(thought, *moves, task.limits);
  add_line(thought, task.limits);
  thought.depth = static_cast<int>(thought.line.size());
  thought.nodes = std::min(nodes, task.limits.most_nodes);
  thought.remark = fmt::format("tree of {:.1f} MB", static_cast<double>(memory_.bytes()) / (1 << 20));
  return thought;
}

tl::expected<Thought, Fault> TreeSearch::think(const Game& game, const ThinkLimits& asked,
                                               const OnThought& on_thought) {
  ThinkLimits limits = asked;
  limits.most_nodes = std::min(asked.most_nodes, options_.most_nodes);
  if (&game.rules() != rules_.get()) return tl::unexpected(Fault{"the game has other rules", 0});
  Game here = game;
  const auto outcome = here.outcome();
  if (!outcome) return tl::unexpected(outcome.error());
  if (*outcome) return Thought();
  if (auto fault = find_root(here, limits)) return tl::unexpected(std::move(*fault));
  if (root_ == nullptr) return tl::unexpected(Fault{"there is no memory for a tree", 0});
  TreeTask task(options_, limits, memory_, *root_, players_);
  if (root_->certain == kUncertain && root_->edges == 0) {
    at_root_->give_up_when(task.patience());
    scan(*at_root_, *root_, task);
    at_root_->give_up_when({}); // what was found is written down, whatever the time
  }
  if (root_->certain == kUncertain) search(task, game, on_thought);
  Thought thought = thought_of(task, task.begun);
  thought.remark += remark();
  return thought;
}

// While nobody plays.
std::string TreeSearch::remark() const {
  std::uint64_t games = 0, judged = 0, cut_off = 0;
  for (const Helper& helper : helpers_) {
    games += helper.games.games;
    judged += helper.games.judged;
    cut_off += helper.games.cut_off;
  }
  std::string text = fmt::format(", {} random games so far", games);
  if (judged > 0)
    text += fmt::format(", {} of them judged by pieces, which tell {:.0f} % of results", judged,
                        100 * std::max(helpers_.front().games.skill(), 0.0));
  if (cut_off > 0) text += fmt::format(", {} too long", cut_off);
  return text;
}

} // namespace

std::unique_ptr<Player> make_tree_search(std::shared_ptr<const Rules> rules,
                                         const TreeSearchOptions& options) {
  return std::make_unique<TreeSearch>(std::move(rules), options);
}

} // namespace boardwright::runtime::search
