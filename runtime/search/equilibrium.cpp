#include "runtime/search/equilibrium.hpp"

#include "runtime/model/index.hpp"
#include "runtime/model/shares.hpp"
#include "runtime/search/stopwatch.hpp"
#include "runtime/sight/knowledge.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <unordered_map>

namespace boardwright::runtime::search {
namespace {

constexpr std::uint64_t kRoundsBetweenLooks = 50; // at how far it has come
// Longer lines aren't followed: such games are too large anyway.
constexpr int kMostPliesOfTree = 400;

struct GameNode {
  enum class Kind : std::uint8_t { end, chance, decision } kind = Kind::end;
  std::uint32_t situation = 0;           // of a decision
  std::uint32_t first = 0, children = 0; // in GameTree::edges
  double value = 0;                      // of an end, for the first player
};

struct GameEdge {
  std::uint32_t node = 0;
  double probability = 0; // of nature's
};

struct Situation {
  int player = 0;
  std::uint32_t first = 0, moves = 0; // in regrets and sums
  std::string known;
  std::vector<std::string> texts;
  std::vector<std::uint32_t> nodes; // where it may be
};

struct GameTree {
  std::vector<GameNode> nodes;
  std::vector<GameEdge> edges;
  std::vector<Situation> situations;
};

class TreeWriter {
public:
  TreeWriter(const Game& game, const EquilibriumOptions& options, const std::function<bool()>& over)
      : game_(game), options_(options), over_(over) {}

  // False: it is too large.
  tl::expected<bool, Fault> write() {
    const Program& program = game_.rules().program();
    for (int p = 0; p < 2; ++p) {
      auto known = sight::knowledge_of(game_, p);
      if (!known) return tl::unexpected(std::move(known).error());
      known_[at(p)] = sight::text_of(*known, program);
    }
    const auto root = node(0);
    if (fault_) return tl::unexpected(std::move(*fault_));
    return root.has_value();
  }

  GameTree take() { return std::move(tree_); }
  [[nodiscard]] std::uint64_t nodes() const { return tree_.nodes.size(); }

private:
  template <class T>
  std::optional<T> of(tl::expected<T, Fault> answer) {
    if (answer) return std::move(*answer);
    fault_ = std::move(answer).error();
    return std::nullopt;
  }

  std::optional<std::uint32_t> node(int ply) {
    if (tree_.nodes.size() >= options_.most_nodes || ply > kMostPliesOfTree || over_()) return std::nullopt;
    const auto id = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes.emplace_back();
    const auto outcome = of(game_.outcome());
    if (!outcome) return std::nullopt;
    if (*outcome) {
      tree_.nodes[id].value = share(**outcome, 0, 2);
      return id;
    }
    const auto moves = of(game_.moves());
    const auto texts = of(game_.notations());
    if (!moves || !texts) return std::nullopt;
    std::vector<double> odds;
    if (!note_kind(id, *texts, odds)) return std::nullopt;
    const auto first = static_cast<std::uint32_t>(tree_.edges.size());
    tree_.edges.resize(first + texts->size());
    tree_.nodes[id].first = first;
    tree_.nodes[id].children = static_cast<std::uint32_t>(texts->size());
    for (std::uint32_t i = 0; i < texts->size(); ++i) {
      const auto child = behind((*moves)[i], ply);
      if (!child) return std::nullopt;
      tree_.edges[first + i] = {*child, odds.empty() ? 0 : odds[i]};
    }
    return id;
  }

  bool note_kind(std::uint32_t id, const std::vector<std::string>& texts, std::vector<double>& odds) {
    if (!game_.is_chance()) {
      tree_.nodes[id].kind = GameNode::Kind::decision;
      tree_.nodes[id].situation = situation(id, texts);
      return true;
    }
    tree_.nodes[id].kind = GameNode::Kind::chance;
    const auto weights = of(game_.weights());
    if (!weights) return false;
    double sum = 0;
    for (const std::int64_t weight : *weights) sum += static_cast<double>(weight);
    for (const std::int64_t weight : *weights) odds.push_back(static_cast<double>(weight) / sum);
    return true;
  }

  std::uint32_t situation(std::uint32_t id, const std::vector<std::string>& texts) {
    const Program& program = game_.rules().program();
    const int mover = game_.to_move();
    const std::string key = std::to_string(mover) + known_[at(mover)];
    const auto [found, is_new] =
        by_known_.try_emplace(key, static_cast<std::uint32_t>(tree_.situations.size()));
    if (is_new) {
      const auto first =
          tree_.situations.empty() ? 0 : tree_.situations.back().first + tree_.situations.back().moves;
      tree_.situations.push_back(
          {mover, first, static_cast<std::uint32_t>(texts.size()), known_[at(mover)], texts, {}});
    }
    Situation& found_one = tree_.situations[found->second];
    // Whoever sees other moves in two positions can tell them apart by that. Where there is one alone nothing
    // is to be chosen, and what it will tell may be told before.
    const bool forced = found_one.texts.size() == 1 && texts.size() == 1;
    if (found_one.texts != texts && !forced && !fault_)
      fault_ = Fault{"the moves that a player has tell him more than he sees: " + found_one.known,
                     program.nodes[program.players[at(mover)].turn].origin};
    found_one.nodes.push_back(id);
    return found->second;
  }

  std::optional<std::uint32_t> behind(const Move& move, int ply) {
    const Program& program = game_.rules().program();
    const std::array<std::size_t, 2> before{known_[0].size(), known_[1].size()};
    const int mover = game_.to_move();
    const auto text = of(game_.notation(move));
    if (!text) return std::nullopt;
    if (auto played = game_.play(move); !played) {
      fault_ = std::move(played).error();
      return std::nullopt;
    }
    for (int p = 0; p < 2; ++p) {
      const auto seen = of(sight::observation(game_, p));
      if (!seen) return std::nullopt;
      known_[at(p)] += "\n" + sight::read_by(program, *text, mover, p) + " | " + *seen;
    }
    const auto child = node(ply + 1);
    game_.undo();
    for (int p = 0; p < 2; ++p) known_[at(p)].resize(before[at(p)]);
    return child;
  }

  Game game_;
  const EquilibriumOptions& options_;
  const std::function<bool()>& over_;
  GameTree tree_;
  std::array<std::string, 2> known_;
  std::unordered_map<std::string, std::uint32_t> by_known_;
  std::optional<Fault> fault_;
};

// Regret matching over a tree: values are those of the first player, and of the second what is left of 1.
class RegretLearner {
public:
  explicit RegretLearner(const GameTree& tree) : tree_(tree) {
    const std::size_t moves =
        tree.situations.empty() ? 0 : tree.situations.back().first + tree.situations.back().moves;
    regrets_.assign(moves, 0);
    sums_.assign(moves, 0);
    now_.assign(moves, 0);
  }

  void round() {
    ++rounds_;
    for (int player = 0; player < 2; ++player) {
      match();
      gained_.assign(regrets_.size(), 0);
      walk(0, player, 1, 1);
      for (std::size_t i = 0; i < regrets_.size(); ++i) regrets_[i] = std::max(0.0, regrets_[i] + gained_[i]);
    }
  }

  // On average over all rounds, later ones counting more.
  [[nodiscard]] std::vector<double> strategy() const {
    std::vector<double> average(sums_.size());
    for (const Situation& s : tree_.situations) {
      double sum = 0;
      for (std::uint32_t i = 0; i < s.moves; ++i) sum += sums_[s.first + i];
      for (std::uint32_t i = 0; i < s.moves; ++i)
        average[s.first + i] = sum > 0 ? sums_[s.first + i] / sum : 1.0 / s.moves;
    }
    return average;
  }
  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }

private:
  void match() {
    for (const Situation& s : tree_.situations) {
      double sum = 0;
      for (std::uint32_t i = 0; i < s.moves; ++i) sum += regrets_[s.first + i];
      for (std::uint32_t i = 0; i < s.moves; ++i)
        now_[s.first + i] = sum > 0 ? regrets_[s.first + i] / sum : 1.0 / s.moves;
    }
  }

  // What `player` has from a node on; `own` and `others` are how likely each side makes it that one comes
  // there.
  double walk(std::uint32_t id, int player, double own, double others) {
    const GameNode& n = tree_.nodes[id];
    if (n.kind == GameNode::Kind::end) return player == 0 ? n.value : 1 - n.value;
    double value = 0;
    if (n.kind == GameNode::Kind::chance) {
      for (std::uint32_t i = 0; i < n.children; ++i) {
        const GameEdge& edge = tree_.edges[n.first + i];
        value += edge.probability * walk(edge.node, player, own, others * edge.probability);
      }
      return value;
    }
    const Situation& s = tree_.situations[n.situation];
    if (s.player != player) {
      for (std::uint32_t i = 0; i < n.children; ++i) {
        const double likely = now_[s.first + i];
        if (likely > 0) value += likely * walk(tree_.edges[n.first + i].node, player, own, others * likely);
      }
      return value;
    }
    const std::size_t before = values_.size();
    for (std::uint32_t i = 0; i < n.children; ++i) {
      const double likely = now_[s.first + i];
      const double of_move = walk(tree_.edges[n.first + i].node, player, own * likely, others);
      values_.push_back(of_move);
      value += likely * of_move;
    }
    for (std::uint32_t i = 0; i < n.children; ++i) {
      gained_[s.first + i] += others * (values_[before + i] - value);
      sums_[s.first + i] += static_cast<double>(rounds_) * own * now_[s.first + i];
    }
    values_.resize(before);
    return value;
  }

  const GameTree& tree_;
  std::vector<double> regrets_, sums_, now_, gained_, values_;
  std::uint64_t rounds_ = 0;
};

// What a player has who answers a strategy as well as can be.
class BestAnswer {
public:
  BestAnswer(const GameTree& tree, const std::vector<double>& strategy, int player)
      : tree_(tree), strategy_(strategy), player_(player), reach_(tree.nodes.size()),
        value_(tree.nodes.size(), kUnknown), chosen_(tree.situations.size(), kNone) {
    reach(0, 1);
  }
  double value() { return value(0); }

private:
  // How likely nature and the other one make it that one comes to each node.
  void reach(std::uint32_t id, double likely) {
    reach_[id] = likely;
    const GameNode& n = tree_.nodes[id];
    for (std::uint32_t i = 0; i < n.children; ++i) {
      const GameEdge& edge = tree_.edges[n.first + i];
      reach(edge.node, likely * share_of(n, i));
    }
  }
  [[nodiscard]] double share_of(const GameNode& n, std::uint32_t i) const {
    if (n.kind == GameNode::Kind::chance) return tree_.edges[n.first + i].probability;
    const Situation& s = tree_.situations[n.situation];
    return s.player == player_ ? 1 : strategy_[s.first + i];
  }

  double value(std::uint32_t id) {
    if (value_[id] != kUnknown) return value_[id];
    const GameNode& n = tree_.nodes[id];
    double value = 0;
    if (n.kind == GameNode::Kind::end)
      value = player_ == 0 ? n.value : 1 - n.value;
    else if (n.kind == GameNode::Kind::decision && tree_.situations[n.situation].player == player_)
      value = this->value(tree_.edges[n.first + best(n.situation)].node);
    else
      for (std::uint32_t i = 0; i < n.children; ++i)
        if (const double likely = share_of(n, i); likely > 0)
          value += likely * this->value(tree_.edges[n.first + i].node);
    return value_[id] = value;
  }

  std::uint32_t best(std::uint32_t situation) {
    if (chosen_[situation] != kNone) return chosen_[situation];
    const Situation& s = tree_.situations[situation];
    std::uint32_t best = 0;
    double most = -1;
    for (std::uint32_t i = 0; i < s.moves; ++i) {
      double sum = 0;
      for (const std::uint32_t id : s.nodes)
        if (reach_[id] > 0) sum += reach_[id] * value(tree_.edges[tree_.nodes[id].first + i].node);
      if (sum > most) most = sum, best = i;
    }
    return chosen_[situation] = best;
  }

  static constexpr double kUnknown = -1;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  const GameTree& tree_;
  const std::vector<double>& strategy_;
  int player_;
  std::vector<double> reach_, value_;
  std::vector<std::uint32_t> chosen_;
};

double value_of_strategy(const GameTree& tree, const std::vector<double>& strategy, std::uint32_t id = 0) {
  const GameNode& n = tree.nodes[id];
  if (n.kind == GameNode::Kind::end) return n.value;
  double value = 0;
  for (std::uint32_t i = 0; i < n.children; ++i) {
    const GameEdge& edge = tree.edges[n.first + i];
    const double likely = n.kind == GameNode::Kind::chance ? edge.probability
                                                           : strategy[tree.situations[n.situation].first + i];
    if (likely > 0) value += likely * value_of_strategy(tree, strategy, edge.node);
  }
  return value;
}

double exploitability(const GameTree& tree, const std::vector<double>& strategy) {
  return (BestAnswer(tree, strategy, 0).value() + BestAnswer(tree, strategy, 1).value() - 1) / 2;
}

} // namespace

tl::expected<Equilibrium, Fault>
find_equilibrium(const Game& game, const EquilibriumOptions& options,
                 const std::function<void(const EquilibriumProgress&)>& tell) {
  if (game.rules().program().player_count() != 2)
    return tl::unexpected(Fault{"only games of two players have a value of their own", 0});
  const auto began = cpu_now();
  const std::function<bool()> over = [&] {
    const ThinkLimits& l = options.limits;
    if (l.stop != nullptr && l.stop->load(std::memory_order_relaxed)) return true;
    if (l.deadline && std::chrono::steady_clock::now() >= *l.deadline) return true;
    return l.cpu_time && cpu_now() - began >= *l.cpu_time;
  };
  TreeWriter writer(game, options, over);
  const auto written = writer.write();
  if (!written) return tl::unexpected(written.error());
  Equilibrium found;
  found.nodes = writer.nodes();
  if (!*written) return found;
  const GameTree tree = writer.take();
  found.situations = tree.situations.size();
  RegretLearner learner(tree);
  std::vector<double> strategy = learner.strategy();
  found.exploitability = exploitability(tree, strategy);
  while (found.exploitability > options.close_enough && learner.rounds() < options.most_rounds && !over()) {
    for (std::uint64_t i = 0; i < kRoundsBetweenLooks && !over(); ++i) learner.round();
    strategy = learner.strategy();
    found.exploitability = exploitability(tree, strategy);
    if (tell) tell({found.nodes, learner.rounds(), found.exploitability});
  }
  found.complete = true;
  found.rounds = learner.rounds();
  found.value = value_of_strategy(tree, strategy);
  for (const Situation& s : tree.situations) {
    Strategy of{s.player, s.known, {}};
    for (std::uint32_t i = 0; i < s.moves; ++i) of.moves.emplace_back(s.texts[i], strategy[s.first + i]);
    found.strategies.push_back(std::move(of));
  }
  return found;
}

} // namespace boardwright::runtime::search
