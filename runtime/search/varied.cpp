#include "runtime/search/varied.hpp"

#include "runtime/search/other_moves.hpp"
#include "runtime/search/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

namespace boardwright::runtime::search {

namespace {

// From one to the next two to three times as many positions.
constexpr std::array<Variety, kLastVariety> kVarieties = {{
    {60, 0.20},
    {120, 0.15},
    {250, 0.12},
    {500, 0.10},
    {1'000, 0.08},
    {2'500, 0.06},
    {7'000, 0.04},
    {20'000, 0.02},
}};

class VariedPlayer final : public Player {
public:
  VariedPlayer(std::unique_ptr<Player> search, const Variety& variety, std::uint64_t seed)
      : search_(std::move(search)), variety_(variety), random_(mix(seed + 1)) {}

  tl::expected<Thought, Fault> think(const Game& game, const ThinkLimits& limits,
                                     const OnThought& on_thought) override {
    ThinkLimits less = limits;
    less.most_nodes = std::min(limits.most_nodes, variety_.nodes);
    less.latest.reset(); // there are others to look at
    const auto began = cpu_now();
    auto thought = search_->think(game, less, on_thought);
    if (!thought || !thought->move || thought->proof == Proof::win) return thought;
    if (!knows_others(*thought)) {
      if (auto fault = look_at_others(game, limits, began, *thought))
        return tl::unexpected(std::move(*fault));
    }
    choose(game, *thought);
    return thought;
  }

private:
  // The best moves, as long as they are good enough, each found with as many positions as the first one.
  std::optional<Fault> look_at_others(const Game& game, const ThinkLimits& limits,
                                      std::chrono::nanoseconds cpu_began, Thought& thought) {
    constexpr std::size_t kMostLookedAt = 3;
    Game copy = game;
    ListLimits some;
    some.most_moves = kMostListed;
    const auto moves = copy.moves(some);
    if (!moves) return moves.error();
    thought.candidates.assign(1, {*thought.move, thought.value, 1, thought.proof});
    // A limit is seen now and then only: a set of moves that is found at once may go far beyond it.
    if (!moves->complete() || moves->size() > kMostListed) return {};
    ThinkLimits rest = limits;
    rest.latest.reset();
    rest.only = allowed_moves(limits, moves->size());
    std::uint64_t spent = thought.nodes;
    while (thought.candidates.size() <= kMostLookedAt && spent < limits.most_nodes) {
      std::erase(rest.only, thought.candidates.back().move.index());
      if (rest.only.empty()) break;
      rest.most_nodes = std::min(limits.most_nodes - spent, variety_.nodes);
      if (limits.cpu_time) rest.cpu_time = *limits.cpu_time - (cpu_now() - cpu_began);
      if (has_no_time(rest)) break;
      auto other = search_->think(game, rest);
      if (!other) return other.error();
      if (!other->move || thought.value - other->value > variety_.tolerance) break;
      spent += std::max<std::uint64_t>(other->nodes, 1);
      thought.candidates.push_back({*other->move, other->value, 1, other->proof});
    }
    return {};
  }

  // The more a move was looked at, and the less worse it looked, the likelier.
  void choose(const Game& game, Thought& thought) {
    if (thought.candidates.size() < 2) return;
    std::vector<double> weights;
    double sum = 0;
    for (const Candidate& c : thought.candidates) {
      const double worse = thought.value - c.value;
      const bool may = c.visits > 0 && worse <= variety_.tolerance && c.proof != Proof::loss;
      const double weight =
          may ? static_cast<double>(c.visits) * (1 - std::max(worse, 0.0) / variety_.tolerance) : 0;
      weights.push_back(weight);
      sum += weight;
    }
    if (sum <= 0) return;
    double drawn = fraction(random_) * sum;
    std::size_t k = 0;
    while (k + 1 < weights.size() && drawn >= weights[k]) drawn -= weights[k++];
    if (k == 0 || weights[k] <= 0) return;
    play_instead(game, k, thought);
  }

  std::unique_ptr<Player> search_;
  Variety variety_;
  Random random_;
};

} // namespace

Variety variety_of(int strength) {
  return kVarieties[static_cast<std::size_t>(std::clamp(strength, 1, kLastVariety) - 1)];
}

std::unique_ptr<Player> make_varied_player(const Variety& variety, std::uint64_t seed,
                                           std::unique_ptr<Player> search) {
  return std::make_unique<VariedPlayer>(std::move(search), variety, seed);
}

} // namespace boardwright::runtime::search
