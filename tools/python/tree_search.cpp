#include "tools/python/tree_search.hpp"

#include "runtime/game/playout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace boardwright::python {

namespace {

using runtime::Fault;

// To go down a tree takes longer than to play a move: threads are worth their beginning sooner.
constexpr std::size_t kTreesForAThread = 4;

// From 0 to 1, without either.
double fraction(runtime::Random& random) {
  return (static_cast<double>(random.next() >> 11U) + 0.5) / 9007199254740992.0;
}

double normal(runtime::Random& random) { // G. Box and M. Muller, 1958
  constexpr double kPi = 3.14159265358979323846;
  const double radius = std::sqrt(-2 * std::log(fraction(random)));
  return radius * std::cos(2 * kPi * fraction(random));
}

// By the gamma distribution (G. Marsaglia and W. Tsang, ACM Transactions on Mathematical Software 26, 2000).
double gamma(runtime::Random& random, double alpha) {
  if (alpha < 1) return gamma(random, alpha + 1) * std::pow(fraction(random), 1 / alpha);
  const double d = alpha - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = normal(random), v = std::pow(1 + c * x, 3);
    if (v > 0 && std::log(fraction(random)) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

// Probabilities out of their logarithms, whatever these sum up to; alike where none has any.
void soften(const float* logarithms, std::size_t count, std::vector<float>& to) {
  to.assign(count, 1 / static_cast<float>(count));
  if (logarithms == nullptr || count == 0) return;
  const float most = *std::max_element(logarithms, logarithms + count);
  if (!std::isfinite(most)) return;
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += to[i] = std::exp(logarithms[i] - most);
  for (float& one : to) one /= sum;
}

// What was found counts so much more than priors: see root_scores.
constexpr double kVisitsOfDoubt = 50;
// More visits than that aren't halved, but found by PUCT: of each there is a number.
constexpr std::uint32_t kMostScheduled = 1U << 20U;

// For each of so many simulations, how often the move has been tried that is to be tried next: all that are
// considered in turn, then half of them, and so on; the last two to the end.
std::vector<std::uint32_t> sequential_halving(std::uint32_t considered, std::uint32_t simulations) {
  std::vector<std::uint32_t> schedule;
  const auto rounds =
      std::max<std::uint32_t>(static_cast<std::uint32_t>(std::ceil(std::log2(considered))), 1);
  std::uint32_t visits = 0;
  while (schedule.size() < simulations) {
    const std::uint32_t more = std::max<std::uint32_t>(simulations / (rounds * considered), 1);
    for (std::uint32_t i = 0; i < more; ++i) schedule.insert(schedule.end(), considered, visits++);
    considered = std::min(considered, std::max<std::uint32_t>(considered / 2, 2));
  }
  schedule.resize(simulations);
  return schedule;
}

} // namespace

TreeSearch::TreeSearch(Shared shared, const TreeOptions& options)
    : shared_(std::move(shared)), options_(options), players_(shared_.rules->program().player_count()),
      rounds_(options_.threads, options_.attend, kTreesForAThread) {
  const runtime::Game game(shared_.rules);
  const auto start = std::make_shared<const State>(shared_, game);
  slots_.reserve(options_.games);
  for (std::size_t i = 0; i < options_.games; ++i) {
    slots_.push_back({game, runtime::random_of_game(options_.seed, i), start});
    slots_.back().nodes.resize(1);
  }
}

runtime::Game& TreeSearch::patient(Slot& slot) const {
  slot.game.give_up_when(rounds_.patience());
  return slot.game;
}

void TreeSearch::go_back(Slot& slot, std::size_t depth) const {
  for (; slot.went > depth; --slot.went) slot.game.undo();
  slot.line.resize(depth);
}

// Plays the moves of a way that haven't been played already.
TreeSearch::Answer TreeSearch::go_to(Slot& slot, const Path& path) const {
  std::size_t common = 0;
  while (common < slot.went && common < path.size() && slot.line[common].edge == path[common].edge) ++common;
  go_back(slot, common);
  while (slot.went < path.size()) {
    const Edge& edge = slot.edges[path[slot.went].edge];
    const auto moves = all_moves(patient(slot));
    if (!moves) return tl::unexpected(moves.error());
    if (auto played = slot.game.play((*moves)[edge.move]); !played) return played;
    slot.line.push_back(path[slot.went++]);
  }
  return {};
}

TreeSearch::Answer TreeSearch::expand(Slot& slot, Node& node) const {
  Numbers actions;
  if (auto found = shared_.numbers->find(slot.game, actions); !found) return found;
  if (slot.edges.size() + actions.size() > options_.most_edges)
    return tl::unexpected(Fault{"the tree of a game has no room for more moves: see most_edges", 0});
  std::vector<std::int64_t> weights;
  if (node.kind == Kind::chance) {
    auto weighed = slot.game.weights();
    if (!weighed) return tl::unexpected(std::move(weighed.error()));
    weights = std::move(*weighed);
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  node.first = static_cast<std::uint32_t>(slot.edges.size());
  node.count = static_cast<std::uint32_t>(actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    Edge edge;
    edge.action = actions[i];
    edge.move = static_cast<std::uint32_t>(i);
    if (!weights.empty()) edge.prior = static_cast<float>(static_cast<double>(weights[i]) / sum);
    slot.edges.push_back(edge);
  }
  return {};
}

// Is the game over here? The list of moves comes first: it says so without more work.
TreeSearch::Answer TreeSearch::judge(Slot& slot, Node& node) const {
  if (const auto moves = all_moves(patient(slot)); !moves) return tl::unexpected(moves.error());
  const auto outcome = slot.game.outcome();
  if (!outcome) return tl::unexpected(outcome.error());
  node.mover = slot.game.to_move();
  if (!*outcome && slot.game.length() < options_.max_plies) {
    node.kind = slot.game.is_chance() ? Kind::chance : Kind::fresh;
    return {};
  }
  node.kind = Kind::over;
  node.returns = static_cast<std::uint32_t>(slot.returns.size());
  slot.returns.resize(slot.returns.size() + static_cast<std::size_t>(players_), 0.0F);
  if (*outcome) write_returns(**outcome, players_, slot.returns.data() + node.returns);
  return {};
}

// The game stands there. All is known of the node, or nothing has happened.
TreeSearch::Answer TreeSearch::open_node(Slot& slot, std::uint32_t at) const {
  Node node = slot.nodes[at];
  if (node.kind != Kind::unseen) return {};
  if (auto judged = judge(slot, node); !judged) return judged;
  if (node.kind != Kind::over)
    if (auto listed = expand(slot, node); !listed) return listed;
  slot.nodes[at] = node;
  return {};
}

std::uint32_t TreeSearch::select_edge(const Slot& slot, const Node& node) const {
  std::uint32_t virtual_visits = 0;
  for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
    virtual_visits += slot.edges[i].virtual_visits;
  const double visits = node.visits + options_.virtual_loss * virtual_visits;
  const double explored = options_.exploration * std::sqrt(std::max(visits, 1.0));
  const double first = (node.visits > 0 ? node.sum / node.visits : 0) - options_.first_play;
  std::uint32_t best = node.first;
  double most = -std::numeric_limits<double>::infinity();
  for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
    const Edge& edge = slot.edges[i];
    const double lost = options_.virtual_loss * edge.virtual_visits, n = edge.visits + lost;
    const double score =
        (n > 0 ? (edge.sum - lost) / n : first) + explored * static_cast<double>(edge.prior) / (1 + n);
    if (score > most) most = score, best = i;
  }
  return best;
}

// Once for a root, and for each number of visits.
void TreeSearch::begin_considering(Slot& slot, std::uint32_t visits) const {
  const Node& root = slot.nodes.front();
  if (options_.considered == 0 || root.kind != Kind::open) return;
  if (slot.noise.size() != root.count) {
    slot.noise.clear();
    for (std::uint32_t i = 0; i < root.count; ++i)
      slot.noise.push_back(-options_.gumbel * std::log(-std::log(fraction(slot.random))));
  }
  if (slot.simulations == visits || visits == 0) return;
  slot.simulations = visits;
  slot.schedule =
      sequential_halving(std::min(options_.considered, root.count), std::min(visits - 1, kMostScheduled));
}

// Logarithms of priors, and what was found, which weighs the more the more was visited. Where nothing
// was found of a move it is worth what the root is, by its own value and by what was found of the others.
std::vector<double> TreeSearch::root_scores(const Slot& slot) const {
  const Node& root = slot.nodes.front();
  const auto edge_at = [&](std::uint32_t i) -> const Edge& { return slot.edges[root.first + i]; };
  double seen = 0, of_seen = 0, visits = 0, sum = 0;
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < root.count; ++i) {
    const Edge& edge = edge_at(i);
    most = std::max(most, edge.visits);
    sum += edge.sum;
    visits += edge.visits;
    if (edge.visits == 0) continue;
    seen += static_cast<double>(edge.prior);
    of_seen += static_cast<double>(edge.prior) * edge.sum / edge.visits;
  }
  const double own = root.sum - sum; // the root's value, before it was searched
  const double mixed = visits > 0 && seen > 0 ? (own + visits * of_seen / seen) / (1 + visits) : own;
  std::vector<double> scores;
  for (std::uint32_t i = 0; i < root.count; ++i) {
    const Edge& edge = edge_at(i);
    const double found = edge.visits > 0 ? edge.sum / edge.visits : mixed;
    scores.push_back(std::log(static_cast<double>(edge.prior) + 1e-30) +
                     (kVisitsOfDoubt + most) * (found + 1) / 2);
  }
  return scores;
}

// The best of those that have been tried as often as the schedule says.
std::uint32_t TreeSearch::considered_edge(const Slot& slot) const {
  const Node& root = slot.nodes.front();
  const auto tried = [&](std::uint32_t i) {
    const Edge& edge = slot.edges[root.first + i];
    return edge.visits + edge.virtual_visits;
  };
  std::uint32_t so_far = 0;
  for (std::uint32_t i = 0; i < root.count; ++i) so_far += tried(i);
  if (so_far >= slot.schedule.size()) return select_edge(slot, root);
  const std::vector<double> scores = root_scores(slot);
  std::uint32_t best = root.count;
  for (std::uint32_t i = 0; i < root.count; ++i)
    if (tried(i) == slot.schedule[so_far] &&
        (best == root.count || scores[i] + slot.noise[i] > scores[best] + slot.noise[best]))
      best = i;
  return best == root.count ? select_edge(slot, root) : root.first + best;
}

void TreeSearch::improve_root(const Slot& slot, std::vector<RootMove>& moves) const {
  if (slot.nodes.front().kind != Kind::open || moves.empty()) return;
  const std::vector<double> scores = root_scores(slot);
  const double most = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (const double score : scores) sum += std::exp(score - most);
  for (std::size_t i = 0; i < moves.size(); ++i)
    moves[i].improved = static_cast<float>(std::exp(scores[i] - most) / sum);
}

std::uint32_t TreeSearch::drawn_edge(Slot& slot, const Node& node) {
  double rest = fraction(slot.random);
  std::uint32_t drawn = node.first;
  for (; drawn + 1 < node.first + node.count; ++drawn)
    if ((rest -= static_cast<double>(slot.edges[drawn].prior)) < 0) break;
  return drawn;
}

void TreeSearch::back_up(Slot& slot, const Path& path, const float* values) {
  for (const Step& step : path) {
    Node& node = slot.nodes[step.node];
    Edge& edge = slot.edges[step.edge];
    const auto value = static_cast<double>(values[node.mover]);
    ++node.visits;
    ++edge.visits;
    node.sum += value;
    edge.sum += value;
  }
}

void TreeSearch::look_at_root(Slot& slot) const {
  if (slot.looked) return;
  look_with_last_move(slot.game, slot.seen);
  slot.looked = true;
}

// Goes down to a position that isn't valued yet, or to an end, whose result is backed up at once.
tl::expected<TreeSearch::Found, Fault> TreeSearch::descend(Slot& slot) const {
  Path path;
  std::uint32_t at = 0;
  Seen seen;
  while (true) {
    if (slot.nodes[at].kind == Kind::unseen) {
      if (auto gone = go_to(slot, path); !gone) return tl::unexpected(gone.error());
      if (auto opened = open_node(slot, at); !opened) return tl::unexpected(opened.error());
    }
    Node& node = slot.nodes[at];
    if (node.kind == Kind::over) {
      back_up(slot, path, slot.returns.data() + node.returns);
      ++node.visits;
      return Found::result;
    }
    if (node.kind == Kind::waiting) return Found::nothing;
    if (node.kind == Kind::fresh) break;
    const bool considers = at == 0 && options_.considered > 0;
    const std::uint32_t edge = node.kind == Kind::chance ? drawn_edge(slot, node)
                               : considers               ? considered_edge(slot)
                                                         : select_edge(slot, node);
    path.push_back({at, edge});
    if (slot.edges[edge].child < 0) {
      slot.edges[edge].child = static_cast<std::int32_t>(slot.nodes.size());
      slot.nodes.emplace_back();
    }
    at = static_cast<std::uint32_t>(slot.edges[edge].child);
  }
  if (path.empty()) {
    look_at_root(slot);
    seen = slot.seen;
  } else {
    const Path before(path.begin(), path.end() - 1);
    if (auto gone = go_to(slot, before); !gone) return tl::unexpected(gone.error());
    look_anew(slot.game, seen);
    if (auto gone = go_to(slot, path); !gone) return tl::unexpected(gone.error());
    look_after_move(slot.game, seen);
  }
  slot.planes.resize(slot.planes.size() + shared_.planes->size());
  shared_.planes->write(slot.game, seen, slot.game.to_move(),
                        slot.planes.data() + slot.leaves.size() * shared_.planes->size());
  for (const Step& step : path) ++slot.edges[step.edge].virtual_visits;
  slot.nodes[at].kind = Kind::waiting;
  slot.leaves.push_back({at, std::move(path)});
  return Found::leaf;
}

TreeSearch::Answer TreeSearch::collect_in(Slot& slot, std::uint32_t visits) const {
  const auto wants_more = [&] {
    const Node& root = slot.nodes.front();
    return root.kind != Kind::over && root.kind != Kind::chance &&
           root.visits + slot.leaves.size() < visits && slot.leaves.size() < options_.leaves;
  };
  Answer answer = open_root(slot);
  if (answer) begin_considering(slot, visits);
  while (answer && wants_more()) {
    const runtime::Random before =
        slot.random; // a way down that is broken off is gone again, by the same rolls
    const auto found = descend(slot);
    if (!found) slot.random = before, answer = tl::unexpected(found.error());
    if (!found || *found == Found::nothing) break;
  }
  go_back(slot, 0);
  return answer;
}

TreeSearch::Answer TreeSearch::collect(std::uint32_t visits) {
  forget_leaves();
  return rounds_.each(slots_.size(), [&](std::size_t i) { return collect_in(slots_[i], visits); });
}

void TreeSearch::forget_leaves_of(Slot& slot) {
  for (const Leaf& leaf : slot.leaves) {
    slot.nodes[leaf.node].kind = Kind::fresh;
    for (const Step& step : leaf.path) --slot.edges[step.edge].virtual_visits;
  }
  slot.leaves.clear();
  slot.planes.clear();
}

void TreeSearch::forget_leaves() {
  for (Slot& slot : slots_) forget_leaves_of(slot);
}

std::size_t TreeSearch::leaves() const {
  return std::accumulate(slots_.begin(), slots_.end(), std::size_t{0},
                         [](std::size_t sum, const Slot& slot) { return sum + slot.leaves.size(); });
}

void TreeSearch::write_planes(float* to) const {
  for (const Slot& slot : slots_) to = std::copy(slot.planes.begin(), slot.planes.end(), to);
}

void TreeSearch::write_owners(std::int32_t* games, std::int32_t* movers) const {
  for (std::size_t i = 0; i < slots_.size(); ++i)
    for (const Leaf& leaf : slots_[i].leaves) {
      *games++ = static_cast<std::int32_t>(i);
      *movers++ = slots_[i].nodes[leaf.node].mover;
    }
}

void TreeSearch::list_actions(Numbers& actions, std::vector<std::int64_t>& begins) const {
  actions.clear();
  begins.assign(1, 0);
  for (const Slot& slot : slots_)
    for (const Leaf& leaf : slot.leaves) {
      const Node& node = slot.nodes[leaf.node];
      for (std::uint32_t i = 0; i < node.count; ++i) actions.push_back(slot.edges[node.first + i].action);
      begins.push_back(static_cast<std::int64_t>(actions.size()));
    }
}

void TreeSearch::value_leaf(Slot& slot, const Leaf& leaf, const float* values, const float* logits) const {
  Node& node = slot.nodes[leaf.node];
  std::vector<float> softened, of_players(static_cast<std::size_t>(players_));
  soften(logits, node.count, softened);
  for (std::uint32_t i = 0; i < node.count; ++i) slot.edges[node.first + i].prior = softened[i];
  for (int seat = 0; seat < players_; ++seat)
    of_players[static_cast<std::size_t>((node.mover + seat) % players_)] = values[seat];
  node.kind = Kind::open;
  node.visits = 1;
  node.sum = static_cast<double>(values[0]);
  for (const Step& step : leaf.path) --slot.edges[step.edge].virtual_visits;
  back_up(slot, leaf.path, of_players.data());
  if (leaf.node == 0) mix_noise(slot);
}

void TreeSearch::give(const float* values, const float* logits) {
  for (Slot& slot : slots_) {
    for (const Leaf& leaf : slot.leaves) {
      value_leaf(slot, leaf, values, logits);
      values += players_;
      if (logits != nullptr) logits += slot.nodes[leaf.node].count;
    }
    slot.leaves.clear();
    slot.planes.clear();
  }
}

TreeSearch::Answer TreeSearch::open_root(Slot& slot) const {
  go_back(slot, 0);
  return open_node(slot, 0);
}

TreeSearch::Answer TreeSearch::roots(std::vector<std::vector<RootMove>>& moves) {
  moves.assign(slots_.size(), {});
  return rounds_.each(slots_.size(), [&](std::size_t i) -> Answer {
    Slot& slot = slots_[i];
    if (auto opened = open_root(slot); !opened) return opened;
    const Node& root = slot.nodes.front();
    moves[i].clear();
    for (std::uint32_t k = root.first; k < root.first + root.count; ++k) {
      const Edge& edge = slot.edges[k];
      const double value = edge.visits > 0 ? edge.sum / edge.visits : 0;
      moves[i].push_back({edge.action, edge.visits, static_cast<float>(value), edge.prior, 0});
    }
    improve_root(slot, moves[i]);
    return {};
  });
}

TreeSearch::Answer TreeSearch::observe(float* to) {
  return rounds_.each(slots_.size(), [&](std::size_t i) -> Answer {
    go_back(slots_[i], 0);
    look_at_root(slots_[i]);
    shared_.planes->write(slots_[i].game, slots_[i].seen, slots_[i].game.to_move(),
                          to + i * shared_.planes->size());
    return {};
  });
}

TreeSearch::Answer TreeSearch::to_move(std::int32_t* players) {
  return rounds_.each(slots_.size(), [&](std::size_t i) -> Answer {
    if (auto opened = open_root(slots_[i]); !opened) return opened;
    const Node& root = slots_[i].nodes.front();
    players[i] = root.kind == Kind::over ? -1 : root.mover;
    return {};
  });
}

float TreeSearch::value(std::size_t game) const {
  const Node& root = slots_[game].nodes.front();
  return root.kind == Kind::over || root.visits == 0 ? 0 : static_cast<float>(root.sum / root.visits);
}

void TreeSearch::mix_noise(Slot& slot) {
  const Node& root = slot.nodes.front();
  if (slot.alpha <= 0 || root.kind != Kind::open) return;
  std::vector<double> drawn;
  for (std::uint32_t i = 0; i < root.count; ++i) drawn.push_back(gamma(slot.random, slot.alpha));
  const double sum = std::accumulate(drawn.begin(), drawn.end(), 0.0), share = slot.noise_share;
  for (std::uint32_t i = 0; i < root.count && sum > 0; ++i) {
    Edge& edge = slot.edges[root.first + i];
    edge.prior = static_cast<float>((1 - share) * static_cast<double>(edge.prior) + share * drawn[i] / sum);
  }
  slot.alpha = 0;
}

TreeSearch::Answer TreeSearch::add_noise(double alpha, double share) {
  for (Slot& slot : slots_) {
    slot.alpha = alpha;
    slot.noise_share = share;
    mix_noise(slot); // else when the root is valued
  }
  return {};
}

TreeSearch::Answer TreeSearch::choose_in(Slot& slot, double temperature, std::int64_t& action) const {
  action = -1;
  if (auto opened = open_root(slot); !opened) return opened;
  const Node& root = slot.nodes.front();
  if (root.kind == Kind::over) return {};
  if (root.kind == Kind::chance) {
    action = slot.edges[drawn_edge(slot, root)].action;
    return {};
  }
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < root.count; ++i) most = std::max(most, slot.edges[root.first + i].visits);
  std::vector<double> weights(root.count, 1);
  for (std::uint32_t i = 0; i < root.count && most > 0; ++i) {
    const std::uint32_t visits = slot.edges[root.first + i].visits;
    weights[i] = temperature > 0 ? std::pow(visits / static_cast<double>(most), 1 / temperature)
                                 : (visits == most ? 1.0 : 0.0);
  }
  if (options_.considered > 0 && temperature <= 0 && slot.noise.size() == root.count) {
    const std::vector<double> scores = root_scores(slot);
    const auto best = [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(weights[a], scores[a] + slot.noise[a]) <
             std::pair(weights[b], scores[b] + slot.noise[b]);
    };
    std::vector<std::uint32_t> places(root.count);
    std::iota(places.begin(), places.end(), 0U);
    action = slot.edges[root.first + *std::max_element(places.begin(), places.end(), best)].action;
    return {};
  }
  double rest = fraction(slot.random) * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::uint32_t chosen = root.count;
  for (std::uint32_t i = 0; i < root.count && rest >= 0; ++i) {
    if (weights[i] > 0) chosen = i;
    rest -= weights[i];
  }
  action = slot.edges[root.first + chosen].action;
  return {};
}

TreeSearch::Answer TreeSearch::choose(double temperature, std::int64_t* actions) {
  return rounds_.each(slots_.size(),
                      [&](std::size_t i) { return choose_in(slots_[i], temperature, actions[i]); });
}

// A position of the tree becomes the root: it and what is below it move to the front; the rest is forgotten.
void TreeSearch::keep_below(Slot& slot, std::int32_t child) const {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<float> returns;
  std::vector<std::uint32_t> from; // of each new node: the old one
  if (child >= 0) from.push_back(static_cast<std::uint32_t>(child));
  for (std::size_t next = 0; next < from.size(); ++next) {
    Node node = slot.nodes[from[next]];
    const std::uint32_t first = node.first;
    node.first = static_cast<std::uint32_t>(edges.size());
    for (std::uint32_t i = 0; i < node.count; ++i) {
      Edge edge = slot.edges[first + i];
      if (edge.child >= 0) {
        from.push_back(static_cast<std::uint32_t>(edge.child));
        edge.child = static_cast<std::int32_t>(from.size() - 1);
      }
      edges.push_back(edge);
    }
    if (node.kind == Kind::over) {
      const auto begin = slot.returns.begin() + static_cast<std::ptrdiff_t>(node.returns);
      node.returns = static_cast<std::uint32_t>(returns.size());
      returns.insert(returns.end(), begin, begin + players_);
    }
    nodes.push_back(node);
  }
  if (nodes.empty()) nodes.resize(1);
  slot.nodes = std::move(nodes);
  slot.edges = std::move(edges);
  slot.returns = std::move(returns);
  slot.looked = false;
  slot.alpha = 0;
  slot.noise.clear();
  slot.schedule.clear();
  slot.simulations = 0;
}

void TreeSearch::begin_anew(Slot& slot) const {
  forget_leaves_of(slot);
  slot.game = slot.start->game();
  slot.went = 0;
  slot.line.clear();
  slot.played.clear();
  keep_below(slot, -1);
}

void TreeSearch::reset() {
  for (Slot& slot : slots_) begin_anew(slot);
}

TreeSearch::Answer TreeSearch::play_in(Slot& slot, std::int64_t action, float* rewards, End& end) const {
  if (auto opened = open_root(slot); !opened) return opened;
  const Node root = slot.nodes.front();
  const auto begin = slot.edges.begin() + static_cast<std::ptrdiff_t>(root.first);
  const auto found = std::find_if(begin, begin + static_cast<std::ptrdiff_t>(root.count),
                                  [&](const Edge& edge) { return edge.action == action; });
  if (found == begin + static_cast<std::ptrdiff_t>(root.count))
    return tl::unexpected(Fault{"action " + std::to_string(action) + " isn't legal", 0});
  const Edge edge = *found;
  const auto moves = all_moves(patient(slot));
  if (!moves) return tl::unexpected(moves.error());
  if (auto played = slot.game.play((*moves)[edge.move]); !played) return played;
  Node next;
  const std::size_t returns = slot.returns.size();
  if (auto judged = judge(slot, next); !judged) {
    slot.game.undo();
    return judged;
  }
  if (next.kind == Kind::over) {
    std::copy_n(slot.returns.begin() + static_cast<std::ptrdiff_t>(next.returns), players_, rewards);
    const auto outcome = slot.game.outcome();
    end = outcome && *outcome ? End::over : End::cut_off;
    slot.returns.resize(returns);
  }
  slot.played.push_back(edge.move);
  keep_below(slot, options_.considered > 0 ? -1 : edge.child); // a schedule counts visits from none on
  if (end != End::none && options_.auto_reset) begin_anew(slot);
  return {};
}

TreeSearch::Answer TreeSearch::play(const std::int64_t* actions, float* rewards, End* ends) {
  forget_leaves();
  return rounds_.each(slots_.size(), [&](std::size_t i) -> Answer {
    float* const own = rewards + i * static_cast<std::size_t>(players_);
    std::fill(own, own + players_, 0.0F);
    ends[i] = End::none;
    if (actions[i] < 0) return {};
    return play_in(slots_[i], actions[i], own, ends[i]);
  });
}

bool TreeSearch::begin_with(std::size_t game, State state) {
  if (state.shared().rules != shared_.rules || state.shared().numbers != shared_.numbers) return false;
  Slot& slot = slots_[game];
  state.give_up_when({});
  slot.start = std::make_shared<const State>(std::move(state));
  begin_anew(slot);
  return true;
}

tl::expected<State, Fault> TreeSearch::state(std::size_t game) const {
  const Slot& slot = slots_[game];
  State state = *slot.start;
  for (const std::uint32_t place : slot.played)
    if (auto played = state.play_at(place); !played) return tl::unexpected(std::move(played.error()));
  return state;
}

} // namespace boardwright::python
