#include "runtime/search/levels.hpp"

#include "runtime/model/random.hpp"
#include "runtime/search/tree_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace boardwright::runtime::search {

namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// From one to the next two to three times as many positions.
constexpr std::array<Level, kLastLevel> kLevels = {{
    {60, 0.20},
    {120, 0.15},
    {250, 0.12},
    {500, 0.10},
    {1'000, 0.08},
    {2'500, 0.06},
    {7'000, 0.04},
    {20'000, 0.02},
    {60'000, 0.0},
    {kUnlimited, 0.0},
}};

class LevelPlayer final : public Player {
public:
  LevelPlayer(std::unique_ptr<Player> search, const Level& level, std::uint64_t seed)
      : search_(std::move(search)), level_(level), random_(mix(seed + 1)) {}

  tl::expected<Thought, Fault> think(const Game& game, const ThinkLimits& limits,
                                     const OnThought& on_thought) override {
    ThinkLimits less = limits;
    less.most_nodes = std::min(limits.most_nodes, level_.nodes);
    auto thought = search_->think(game, less, on_thought);
    if (thought && thought->proof != Proof::win && level_.tolerance > 0) choose(game, *thought);
    return thought;
  }

private:
  // The more a move was looked at, and the less worse it looked, the likelier.
  void choose(const Game& game, Thought& thought) {
    if (thought.candidates.size() < 2) return;
    std::vector<double> weights;
    double sum = 0;
    for (const Candidate& c : thought.candidates) {
      const double worse = thought.value - c.value;
      const bool may = c.visits > 0 && worse <= level_.tolerance && c.proof != Proof::loss;
      const double weight =
          may ? static_cast<double>(c.visits) * (1 - std::max(worse, 0.0) / level_.tolerance) : 0;
      weights.push_back(weight);
      sum += weight;
    }
    if (sum <= 0) return;
    double drawn = static_cast<double>(random_.next() >> 11) * 0x1p-53 * sum;
    std::size_t k = 0;
    while (k + 1 < weights.size() && drawn >= weights[k]) drawn -= weights[k++];
    if (k == 0 || weights[k] <= 0) return;
    std::swap(thought.candidates[0], thought.candidates[k]);
    thought.move = thought.candidates[0].move;
    thought.value = thought.candidates[0].value;
    thought.line.clear();
    Game copy = game;
    if (auto text = copy.notation(*thought.move)) thought.line.push_back(std::move(*text));
  }

  std::unique_ptr<Player> search_;
  Level level_;
  Random random_;
};

} // namespace

Level level_of(int level) {
  return kLevels[static_cast<std::size_t>(std::clamp(level, kFirstLevel, kLastLevel) - kFirstLevel)];
}

std::unique_ptr<Player> make_level_player(const std::shared_ptr<const Rules>& rules, int level,
                                          std::uint64_t seed, std::unique_ptr<Player> strongest) {
  const Level found = level_of(level);
  if (plays_its_best(level)) return std::make_unique<LevelPlayer>(std::move(strongest), found, seed);
  TreeSearchOptions options;
  options.seed = seed;
  options.reuse = false;
  return std::make_unique<LevelPlayer>(make_tree_search(rules, options), found, seed);
}

} // namespace boardwright::runtime::search
