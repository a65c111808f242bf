#include "runtime/search/expectation.hpp"

#include "runtime/model/index.hpp"
#include "runtime/model/shares.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <unordered_map>
#include <utility>

namespace boardwright::runtime::search {
namespace {

constexpr std::uint64_t kMostSweeps = 1'000'000;
constexpr std::uint64_t kPositionsBetweenLooks = 256; // at the clock

struct PositionNode {
  std::uint32_t first = 0, children = 0; // in edges; none: the game is over
  std::int8_t mover = 0;                 // below 0: nature
};

struct MoveEdge {
  std::uint32_t node = 0;
  float weight = 1; // of nature's
};

class PositionGraph {
public:
  PositionGraph(std::shared_ptr<const Rules> rules, const Game& game)
      : rules_(std::move(rules)), root_(game), players_(game.rules().program().player_count()) {}

  // Until there are so many, or `over` says so. True: none was left out.
  tl::expected<bool, Fault> write(std::uint64_t most_positions, const std::function<bool()>& over,
                                  const std::function<void(std::uint64_t, double)>& tell) {
    Waiting waiting{root_.position()};
    number(root_);
    for (std::size_t next = 0; next < waiting.size(); ++next) {
      if (nodes_.size() > most_positions) return false;
      if (next % kPositionsBetweenLooks == 0) {
        if (over()) return false;
        if (tell) tell(next, 1);
      }
      const auto position = std::exchange(waiting[next], std::nullopt);
      if (!position) continue;
      if (auto fault = open(static_cast<std::uint32_t>(next), *position, waiting))
        return tl::unexpected(std::move(*fault));
    }
    return true;
  }

  // Goes over all positions, the last ones first: what lies behind them tends to be known then.
  void round() {
    for (std::size_t id = nodes_.size(); id-- > 0;) {
      const PositionNode& n = nodes_[id];
      if (n.children != 0) values_[id] = {behind(n, &ExpectedShare::low), behind(n, &ExpectedShare::high)};
    }
  }

  [[nodiscard]] const ExpectedShare& value() const { return values_[0]; }
  [[nodiscard]] std::vector<ExpectedShare> values_behind_root() const {
    std::vector<ExpectedShare> all;
    for (std::uint32_t i = 0; i < nodes_[0].children; ++i)
      all.push_back(values_[edges_[nodes_[0].first + i].node]);
    return all;
  }
  [[nodiscard]] std::uint64_t positions() const { return nodes_.size(); }

private:
  using Waiting = std::vector<std::optional<Position>>; // by node; nothing: the game is over there

  std::uint32_t number(const Game& game) {
    const auto [found, is_new] = numbers_.try_emplace(game.key(), static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) {
      nodes_.emplace_back();
      values_.emplace_back();
    }
    return found->second;
  }

  void settle(std::uint32_t id, const Outcome& outcome) {
    const double first = share(outcome, 0, players_);
    values_[id] = {first, first};
  }

  std::optional<Fault> open(std::uint32_t id, const Position& position, Waiting& waiting) {
    Game game = id == 0 ? root_ : Game(rules_, position);
    const auto outcome = game.outcome();
    if (!outcome) return outcome.error();
    if (*outcome) {
      settle(id, **outcome);
      return std::nullopt;
    }
    const auto moves = game.moves();
    if (!moves) return moves.error();
    std::vector<std::int64_t> weights;
    if (game.is_chance()) {
      auto found = game.weights();
      if (!found) return found.error();
      weights = std::move(*found);
    }
    const auto first = static_cast<std::uint32_t>(edges_.size());
    for (std::size_t i = 0; i < moves->size(); ++i) {
      const auto child = behind_move(game, i, waiting);
      if (!child) return child.error();
      edges_.push_back({*child, weights.empty() ? 1.0F : static_cast<float>(weights[i])});
    }
    nodes_[id] = {first, static_cast<std::uint32_t>(moves->size()),
                  static_cast<std::int8_t>(weights.empty() ? game.to_move() : -1)};
    return std::nullopt;
  }

  tl::expected<std::uint32_t, Fault> behind_move(Game& game, std::size_t move, Waiting& waiting) {
    const auto moves = game.moves(); // the list ends when the game moves on
    if (!moves) return tl::unexpected(moves.error());
    if (auto played = game.play((*moves)[move]); !played) return tl::unexpected(std::move(played).error());
    const auto ended = game.outcome();
    if (!ended) return tl::unexpected(ended.error());
    const std::size_t before = nodes_.size();
    const std::uint32_t child = number(game);
    if (nodes_.size() > before) waiting.push_back(*ended ? std::nullopt : std::optional(game.position()));
    if (*ended) settle(child, **ended);
    game.undo();
    return child;
  }

  double behind(const PositionNode& n, double ExpectedShare::*side) const {
    const auto of = [&](std::uint32_t i) { return values_[edges_[n.first + i].node].*side; };
    double value = of(0);
    if (n.mover < 0) {
      double sum = 0, all = 0;
      for (std::uint32_t i = 0; i < n.children; ++i) {
        const double weight = edges_[n.first + i].weight;
        all += weight;
        sum += weight * of(i);
      }
      return sum / all;
    }
    for (std::uint32_t i = 1; i < n.children; ++i)
      value = n.mover == 0 ? std::max(value, of(i)) : std::min(value, of(i));
    return value;
  }

  std::shared_ptr<const Rules> rules_;
  Game root_;
  int players_;
  std::vector<PositionNode> nodes_;
  std::vector<MoveEdge> edges_;
  std::vector<ExpectedShare> values_; // by node
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

} // namespace

tl::expected<Expectation, Fault>
expectation_of(const std::shared_ptr<const Rules>& rules, const Game& game, const ExpectationOptions& options,
               const std::function<void(std::uint64_t, double)>& on_progress) {
  if (rules->program().player_count() > 2)
    return tl::unexpected(Fault{"what is best for one of three players depends on what the others want", 0});
  using Time = std::chrono::steady_clock::time_point;
  const ThinkLimits& limits = options.limits;
  const Time began = std::chrono::steady_clock::now();
  const auto is_over = [&](double part) {
    if (limits.stop != nullptr && limits.stop->load(std::memory_order_relaxed)) return true;
    const auto now = std::chrono::steady_clock::now();
    return limits.deadline && (now - began) >= part * (*limits.deadline - began);
  };
  PositionGraph graph(rules, game);
  constexpr double kPartForWriting = 0.5; // of the time
  const auto written = graph.write(
      options.most_positions, [&] { return is_over(kPartForWriting); }, on_progress);
  if (!written) return tl::unexpected(written.error());
  Expectation found;
  found.positions = graph.positions();
  found.all = *written;
  const auto between = [&] { return graph.value().high - graph.value().low; };
  while (between() > options.close_enough && found.rounds < kMostSweeps && !is_over(1)) {
    graph.round();
    ++found.rounds;
    if (on_progress) on_progress(found.positions, between());
  }
  found.value = graph.value();
  Game copy = game;
  const auto texts = copy.notations();
  if (!texts) return tl::unexpected(texts.error());
  const auto behind = graph.values_behind_root();
  for (std::size_t i = 0; i < texts->size() && i < behind.size(); ++i)
    found.moves.emplace_back((*texts)[i], behind[i]);
  return found;
}

} // namespace boardwright::runtime::search
