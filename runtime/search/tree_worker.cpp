#include "runtime/search/tree_worker.hpp"

#include "runtime/model/meter.hpp"
#include "runtime/search/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <new>

namespace boardwright::runtime::search {

namespace {

// A position joins the tree when its move is played again.
constexpr std::uint32_t kVisitsOfLeaf = 1;
// On the account of the command, beside what positions and random games take: a step down the tree, an edge
// that is looked at there, and a position that is judged and backed up.
constexpr std::uint64_t kStepsOfStep = 200, kStepsOfEdge = 4, kStepsOfLeaf = 800;
// Longer lines are certain to go round in circles.
constexpr std::size_t kMostDepth = 2000;

// 1 / sqrt(n): asked for every edge that is looked at.
double inverse_root(std::uint32_t n) {
  constexpr std::uint32_t kKnown = 1024;
  static const auto known = [] {
    std::array<double, kKnown> roots{};
    for (std::uint32_t k = 1; k < kKnown; ++k) roots[k] = 1 / std::sqrt(static_cast<double>(k));
    roots[0] = 1;
    return roots;
  }();
  return n < kKnown ? known[n] : 1 / std::sqrt(static_cast<double>(n));
}

} // namespace

TreeTask::TreeTask(const TreeSearchOptions& o, const ThinkLimits& l, TreeMemory& m, Node& r, int p)
    : options(o), limits(l), memory(m), root(r), players(p), cpu_begin_(cpu_now()) {}

bool TreeTask::is_late() const {
  if (limits.deadline && std::chrono::steady_clock::now() >= *limits.deadline) return true;
  return limits.cpu_time && std::this_thread::get_id() == asker_ &&
         cpu_now() - cpu_begin_ >= *limits.cpu_time;
}

ListLimits TreeTask::list_limits() const {
  ListLimits list;
  list.stop = limits.stop;
  list.deadline = limits.deadline;
  return list;
}

bool TreeTask::is_over() {
  if (over.load(std::memory_order_relaxed)) return true;
  const bool stopped = limits.stop != nullptr && limits.stop->load(std::memory_order_relaxed);
  if (!stopped && !is_late()) return false;
  over = true;
  return true;
}

void scan(Game& game, Node& node, TreeTask& task) {
  const auto list = game.moves(task.list_limits());
  if (!list || !list->complete() || list->size() != node.moves) return;
  for (std::size_t k = 0; k < list->size(); ++k) {
    if (k > 0 && task.is_over()) return; // of long lists each move may take as long as the list
    if (!game.play((*list)[k])) continue;
    const auto outcome = game.outcome();
    const bool wins = outcome && *outcome && share(**outcome, node.mover, task.players) >= 1;
    const Certain certain = wins ? result_of(**outcome) : kUncertain;
    game.undo();
    if (!wins) continue;
    if (!task.memory.make_room(node)) return;
    Edge* const edge = new (node.edge + node.edges++) Edge();
    edge->move = static_cast<std::uint32_t>(k);
    edge->certain = certain;
    return conclude(node, task.players);
  }
}

// ---------------------------------------------------------------- down the tree

// What UCT goes on with, of the edges that were tried.
TreeWorker::Best TreeWorker::best_of(const Node& node) const {
  const double reach =
      task_.options.exploration * std::sqrt(std::log(static_cast<double>(node.visits) + 1.0));
  const double mean = node.mean();
  Best best;
  for (std::uint32_t k = 0; k < node.edges; ++k) {
    const Edge& e = node.edge[k];
    if (e.certain != kUncertain) {
      const auto worth = static_cast<double>(share(e.certain, node.mover, task_.players));
      if (worth <= best.certain_value) continue;
      best.certain = static_cast<int>(k);
      best.certain_value = worth;
    } else {
      const std::uint32_t n = e.visits + e.on_way;
      double worth = e.sum / std::max(n, 1U) + reach * inverse_root(n);
      if (e.slot != 0) worth += task_.options.history * history_.better_than(mean, e.slot) / (n - e.sum + 1);
      if (best.edge >= 0 && worth <= best.value) continue;
      best.edge = static_cast<int>(k);
      best.value = worth;
    }
  }
  return best;
}

// The one that such moves speak for most comes next. Of a long list only a part is looked at.
void TreeWorker::choose_untried(Node& node) const {
  constexpr std::uint32_t kMostLooks = 256;
  const std::uint32_t end = std::min(node.moves, node.edges + kMostLooks);
  std::uint32_t best = node.edges;
  double most = history_.better_than(node.mean(), node.untried[best].slot);
  for (std::uint32_t k = best + 1; k < end; ++k)
    if (const double hope = history_.better_than(node.mean(), node.untried[k].slot); hope > most)
      best = k, most = hope;
  std::swap(node.untried[best], node.untried[node.edges]);
}

// One more of the moves is tried; -1: there is none, or no memory for it.
int TreeWorker::new_edge(Node& node) {
  if (node.edges == node.moves || !task_.memory.make_room(node, thread_)) return -1;
  if (node.untried != nullptr) choose_untried(node);
  Edge* const edge = new (node.edge + node.edges) Edge();
  edge->move = node.untried != nullptr ? node.untried[node.edges].move : node.next_move();
  edge->slot = node.untried != nullptr ? node.untried[node.edges].slot : 0;
  return static_cast<int>(node.edges++);
}

// The outcome of a roll, as often as it weighs; -1: there is no memory for it.
int TreeWorker::draw(Node& node) {
  std::uint32_t move = 0;
  if (node.untried == nullptr) {
    move = static_cast<std::uint32_t>(random_.below(node.moves));
  } else {
    const std::uint64_t drawn = random_.below(node.untried[node.moves - 1].slot);
    const auto* const found =
        std::upper_bound(node.untried, node.untried + node.moves, drawn,
                         [](std::uint64_t ticket, const Untried& u) { return ticket < u.slot; });
    move = found->move;
  }
  for (std::uint32_t k = 0; k < node.edges; ++k)
    if (node.edge[k].move == move) return static_cast<int>(k);
  if (!task_.memory.make_room(node, thread_)) return -1;
  Edge* const edge = new (node.edge + node.edges) Edge();
  edge->move = move;
  return static_cast<int>(node.edges++);
}

// False: the position is certain, or there is no memory for its first edge.
bool TreeWorker::choose(Node& node, Choice& choice) {
  const std::lock_guard lock(node.lock);
  if (node.certain != kUncertain) return false;
  if (node.nature) {
    const int drawn = draw(node);
    if (drawn < 0) return false;
    Edge& e = node.edge[drawn];
    ++e.on_way;
    choice = {e.move, e.visits, e.child, e.certain};
    path_.push_back({&node, static_cast<std::uint32_t>(drawn), kUncertain});
    return true;
  }
  const Best best = best_of(node);
  int edge = best.edge;
  const double untried = node.mean() + task_.options.first_play;
  if (edge < 0 || untried >= best.value)
    if (const int added = new_edge(node); added >= 0) edge = added;
  const double value = edge == best.edge ? best.value : untried;
  const bool rather_certain = best.certain >= 0 && best.certain_value >= value;
  if (edge < 0) edge = best_edge(node, task_.players); // all lose, for all that is certain
  if (edge < 0) return false;
  Edge& e = node.edge[edge];
  ++e.on_way;
  choice = {e.move, e.visits, e.child, e.certain};
  const Certain instead = rather_certain ? node.edge[best.certain].certain : kUncertain;
  path_.push_back({&node, static_cast<std::uint32_t>(edge), instead});
  return true;
}

// Takes back what was played beyond the path.
void TreeWorker::stay() {
  for (; line_.size() > path_.size(); line_.pop_back()) game_.undo();
}

// Plays the last move of the path, unless it has been played already. False: a limit came first. A move that
// can't be played meets a fault: a rule went wrong.
bool TreeWorker::go_to(std::uint32_t move, bool& playable) {
  const std::size_t depth = path_.size() - 1;
  playable = true;
  if (line_.size() > depth && line_[depth] == move) return true;
  for (; line_.size() > depth; line_.pop_back()) game_.undo();
  const auto moves = game_.moves(task_.list_limits());
  if (moves && move >= moves->size()) return !moves->complete() ? false : (playable = false, true);
  playable = moves && game_.play((*moves)[move]);
  if (playable) line_.push_back(move);
  return true;
}

TreeWorker::Leaf TreeWorker::go_down(Scores& scores) {
  Node* node = &task_.root;
  for (;;) {
    Choice choice;
    Meter::charge(kStepsOfStep + kStepsOfEdge * node->moves);
    if (!choose(*node, choice)) {
      const std::lock_guard lock(node->lock);
      if (node->certain == kUncertain) break;
      if (path_.empty()) task_.over = true; // all is known
      return scores = scores_of(node->certain, task_.players), Leaf::result;
    }
    if (choice.certain != kUncertain) return scores = scores_of(choice.certain, task_.players), Leaf::result;
    bool playable = true;
    if (!go_to(choice.move, playable)) return Leaf::abandoned;
    if (!playable) return scores = Scores{}, Leaf::result;
    if (choice.child == nullptr) {
      const Leaf leaf = evaluate(choice, scores);
      if (leaf != Leaf::expanded) return leaf;
      const std::lock_guard lock(node->lock);
      choice.child = node->edge[path_.back().edge].child;
    }
    node = choice.child;
  }
  stay();
  return play_out(scores);
}

// A position that isn't in the tree, or not yet.
TreeWorker::Leaf TreeWorker::evaluate(const Choice& choice, Scores& scores) {
  Meter::charge(kStepsOfLeaf);
  stay();
  const auto outcome = game_.outcome();
  if (!outcome && task_.is_over()) return Leaf::abandoned;
  if (!outcome) return scores = scores_of(0, task_.players), Leaf::result;
  if (*outcome) {
    scores = scores_of(result_of(**outcome), task_.players);
    settle(result_of(**outcome), 0);
    return Leaf::result;
  }
  // What came about before may come about again: for ever, if nobody minds. Nothing is certain of it.
  // Where dice are rolled they decide when that ends.
  const bool may_go_round = !game_.rules().program().chance && game_.repetitions() > 0;
  if (may_go_round || path_.size() >= kMostDepth) return scores = scores_of(0, task_.players), Leaf::result;
  return choice.visits >= kVisitsOfLeaf ? expand(scores) : play_out(scores);
}

void TreeWorker::begin() {
  if (task_.root.edges > 0 || task_.root.untried != nullptr) return;
  const auto moves = game_.moves(task_.list_limits());
  if (moves && moves->complete()) list_untried(task_.root);
}

// What each outcome weighs, summed up. Sums that are too large are left out: all outcomes are taken for
// alike.
void TreeWorker::list_weights(Node& node) {
  if (game_.rules().program().chance->odds < 0 || node.moves > TreeMemory::kMostUntried) return;
  const auto weights = game_.weights();
  if (!weights || weights->size() != node.moves) return;
  std::int64_t sum = 0;
  for (const std::int64_t weight : *weights) sum += weight;
  if (sum > std::numeric_limits<std::uint32_t>::max()) return;
  Untried* const untried = task_.memory.new_untried(node.moves, thread_);
  if (untried == nullptr) return;
  sum = 0;
  for (std::uint32_t k = 0; k < node.moves; ++k)
    untried[k] = {k, static_cast<std::uint32_t>(sum += (*weights)[k])};
  node.untried = untried;
}

// Lists the moves by their kinds, so that those which were good elsewhere can be tried first.
void TreeWorker::list_untried(Node& node) {
  if (node.nature) return list_weights(node);
  if (task_.options.history <= 0 || node.moves < 2 || node.moves > TreeMemory::kMostUntried) return;
  labels_.clear();
  if (!game_.append_labels(labels_) || labels_.size() != node.moves) return;
  Untried* const untried = task_.memory.new_untried(node.moves, thread_);
  if (untried == nullptr) return;
  for (std::uint32_t k = 0; k < node.moves; ++k) {
    const std::uint32_t move = node.scattered(k);
    untried[k] = {move, MoveHistory::slot(labels_[move], node.mover)};
  }
  node.untried = untried;
}

// The position joins the tree.
TreeWorker::Leaf TreeWorker::expand(Scores& scores) {
  const auto moves = game_.moves(task_.list_limits());
  if (moves ? !moves->complete() : task_.is_over()) return Leaf::abandoned;
  if (!moves) return scores = scores_of(0, task_.players), Leaf::result;
  Node* const node = moves->empty() ? nullptr : task_.memory.new_node(thread_);
  if (node == nullptr) return play_out(scores);
  begin_node(*node, game_.to_move(), moves->size(), random_.next());
  node->nature = game_.is_chance();
  list_untried(*node);
  const Step parent = path_.back();
  const std::lock_guard lock(parent.node->lock);
  Edge& edge = parent.node->edge[parent.edge];
  if (edge.child == nullptr) edge.child = node; // else another thread was faster
  return Leaf::expanded;
}

TreeWorker::Leaf TreeWorker::play_out(Scores& scores) {
  const auto played = leaf_games_.play(game_, random_, over_);
  if (!played) return Leaf::abandoned;
  scores = *played;
  return Leaf::result;
}

// ---------------------------------------------------------------- and up again

// The end of the path is certain, and perhaps what is before it.
void TreeWorker::settle(Certain certain, std::uint16_t distance) {
  for (std::size_t k = path_.size(); k-- > 0;) {
    Node& node = *path_[k].node;
    const std::lock_guard lock(node.lock);
    Edge& edge = node.edge[path_[k].edge];
    edge.certain = certain;
    edge.distance = distance;
    conclude(node, task_.players);
    if (node.certain == kUncertain) return;
    certain = node.certain;
    distance = node.distance;
  }
}

void TreeWorker::back_up(Scores scores) {
  for (std::size_t k = path_.size(); k-- > 0;) {
    const Step& step = path_[k];
    Node& node = *step.node;
    const std::lock_guard lock(node.lock);
    Edge& edge = node.edge[step.edge];
    --edge.on_way;
    ++edge.visits;
    edge.sum += static_cast<double>(scores[node.mover]);
    if (edge.slot != 0) history_.add(edge.slot, scores[node.mover]);
    if (step.instead != kUncertain) scores = scores_of(step.instead, task_.players);
    ++node.visits;
    node.sum += static_cast<double>(scores[node.mover]);
    if (k == 0 && node.certain != kUncertain) task_.over = true; // the root: all is known
  }
}

void TreeWorker::abandon() {
  for (const Step step : path_) {
    const std::lock_guard lock(step.node->lock);
    --step.node->edge[step.edge].on_way;
  }
}

bool TreeWorker::iterate() {
  if (task_.is_over()) return false;
  // What others have begun is finished: no node is lost.
  if (task_.begun.fetch_add(1, std::memory_order_relaxed) >= task_.limits.most_nodes) return false;
  path_.clear();
  Scores scores{};
  if (go_down(scores) == Leaf::abandoned) {
    task_.over = true;
    abandon();
    return false;
  }
  back_up(scores);
  return !task_.over.load(std::memory_order_relaxed);
}

} // namespace boardwright::runtime::search
