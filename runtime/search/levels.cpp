#include "runtime/search/levels.hpp"

#include "runtime/search/long_lists.hpp"
#include "runtime/search/other_moves.hpp"
#include "runtime/search/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace boardwright::runtime::search {

namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// From one to the next twice as many positions or so: less at first, where each of them tells more.
constexpr std::array<Level, kLastLevel> kLevels = {{
    {120, 9},
    {200, 8},
    {350, 7},
    {650, 6},
    {1'300, 5},
    {2'800, 4},
    {6'500, 3},
    {16'000, 2},
    {45'000, 1},
    {kUnlimited, 0},
}};

// One turn in so many is a slip, for each step that is given away: three of four at the lowest level. The
// others are as good as the level sees. What a slip costs is the same at all levels: where no move costs as
// much they are still told apart by how often they slip.
constexpr std::uint64_t kTurnsOfSlip = 12;
// Moves that a slip chooses from, besides the best one.
constexpr int kMostOthers = 3;
// Random games tell how long a game is, but only roughly: of turns of one player.
constexpr double kFewestTurns = 10, kMostTurns = 40;

// Nearly won and lost positions differ much in their odds, and little in what they are worth.
double odds_of_value(double value) {
  constexpr double kSure = 0.98;
  const double v = std::clamp(value, 1 - kSure, kSure);
  return std::log(v / (1 - v));
}

class LevelPlayer final : public Player {
public:
  LevelPlayer(std::unique_ptr<Player> search, const Level& level, double plies, std::uint64_t seed)
      : search_(std::move(search)), nodes_(level.nodes),
        steps_given_(static_cast<std::uint64_t>(level.steps_given)),
        slip_(kTurnsOfSlip * kGivenOfStep / std::clamp(plies / 2, kFewestTurns, kMostTurns)),
        random_(mix(seed + 1)) {}

  tl::expected<Thought, Fault> think(const Game& game, const ThinkLimits& limits,
                                     const OnThought& on_thought) override {
    const bool slips = random_.below(kTurnsOfSlip) < steps_given_;
    ThinkLimits less = limits;
    less.most_nodes = std::min(limits.most_nodes, nodes_);
    less.latest.reset(); // it may look at other moves behind it
    if (slips) take_part_of_time(less);
    const auto began = cpu_now();
    auto thought = search_->think(game, less, on_thought);
    if (!slips || !thought || !thought->move || thought->proof == Proof::win) return thought;
    auto others =
        knows_others(*thought) ? some_of(*thought, limits) : look_at_others(game, limits, began, *thought);
    if (!others) return tl::unexpected(std::move(others.error()));
    choose(game, *others, *thought);
    return thought;
  }

private:
  using Candidates = std::vector<Candidate>;

  // So that there is time for the others.
  static void take_part_of_time(ThinkLimits& limits) {
    if (limits.cpu_time) *limits.cpu_time /= kMostOthers + 1;
    if (limits.deadline)
      limits.deadline = part_of_time(std::chrono::steady_clock::now(), *limits.deadline, kMostOthers + 1);
  }

  tl::expected<Candidates, Fault> some_of(const Thought& thought, const ThinkLimits& limits) {
    Candidates all;
    for (const Candidate& c : thought.candidates)
      if (c.visits > 0 && limits.allows(c.move.index()) && c.move.index() != thought.move->index())
        all.push_back(c);
    Candidates some;
    while (!all.empty() && some.size() < kMostOthers) {
      const auto drawn = all.begin() + static_cast<std::ptrdiff_t>(random_.below(all.size()));
      some.push_back(*drawn);
      all.erase(drawn);
    }
    return some;
  }

  // Moves drawn at random, each thought about as long as the best one.
  tl::expected<Candidates, Fault> look_at_others(const Game& game, const ThinkLimits& limits,
                                                 std::chrono::nanoseconds cpu_began, const Thought& best) {
    Game copy = game;
    ListLimits some;
    some.most_moves = kMostListed;
    const auto moves = copy.moves(some);
    if (!moves) return tl::unexpected(moves.error());
    auto left = allowed_moves(limits, moves->size()); // of very many the first ones
    std::erase(left, best.move->index());
    Candidates others;
    std::uint64_t spent = best.nodes;
    for (int parts = kMostOthers; parts > 0 && !left.empty() && spent < limits.most_nodes; --parts) {
      ThinkLimits one = limits;
      one.latest.reset();
      const auto drawn = left.begin() + static_cast<std::ptrdiff_t>(random_.below(left.size()));
      one.only = {*drawn};
      left.erase(drawn);
      one.most_nodes = std::min(limits.most_nodes - spent, nodes_);
      if (limits.cpu_time) one.cpu_time = (*limits.cpu_time - (cpu_now() - cpu_began)) / parts;
      if (limits.deadline)
        one.deadline = part_of_time(std::chrono::steady_clock::now(), *limits.deadline, parts);
      if (has_no_time(one)) break;
      const auto other = search_->think(game, one);
      if (!other) return tl::unexpected(other.error());
      if (!other->move) break;
      spent += std::max<std::uint64_t>(other->nodes, 1);
      others.push_back({*other->move, other->value, 1, other->proof});
    }
    return others;
  }

  // The one that costs least of those that cost as much as a slip may, or else the one that costs most. What
  // costs more is as much rarer: so the same is given away on average, whatever there is to choose from.
  // None that is known to lose, nor one that ends the game for less: that is seen by anybody.
  void choose(const Game& game, const Candidates& others, Thought& thought) {
    std::optional<Candidate> chosen;
    double cost = 0;
    const double best = odds_of_value(thought.value);
    for (const Candidate& other : others) {
      if (other.proof == Proof::loss || ends(game, other.move)) continue;
      const double its = std::max(0.0, best - odds_of_value(other.value));
      const bool closer = cost < slip_ ? its > cost : its >= slip_ && its < cost;
      if (chosen && !closer) continue;
      chosen = other;
      cost = its;
    }
    if (!knows_others(thought)) {
      thought.candidates.assign(1, {*thought.move, thought.value, 1, thought.proof});
      thought.candidates.insert(thought.candidates.end(), others.begin(), others.end());
    }
    const double drawn = fraction(random_);
    if (!chosen || drawn * cost >= slip_) return;
    for (std::size_t k = 0; k < thought.candidates.size(); ++k)
      if (thought.candidates[k].move.index() == chosen->move.index()) return play_instead(game, k, thought);
  }

  // Where something is hidden that isn't known before.
  static bool ends(const Game& game, const Move& move) {
    if (game.rules().program().hides()) return false;
    Game copy = game;
    if (!copy.play(move)) return false;
    const auto outcome = copy.outcome();
    return outcome && outcome->has_value();
  }

  std::unique_ptr<Player> search_;
  std::uint64_t nodes_, steps_given_;
  double slip_; // what it may cost, in logarithms of odds
  Random random_;
};

} // namespace

Level level_of(int level) {
  return kLevels[static_cast<std::size_t>(std::clamp(level, kFirstLevel, kLastLevel) - kFirstLevel)];
}

std::unique_ptr<Player> make_level_player(int level, double plies, std::uint64_t seed,
                                          std::unique_ptr<Player> search) {
  return std::make_unique<LevelPlayer>(std::move(search), level_of(level), plies, seed);
}

int level_of_elo(int elo) {
  const int steps = (std::clamp(elo, kFirstElo, kLastElo) - kFirstElo + kEloOfLevel / 2) / kEloOfLevel;
  return kFirstLevel + steps;
}

} // namespace boardwright::runtime::search
