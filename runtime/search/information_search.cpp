#include "runtime/search/information_search.hpp"

#include "runtime/model/index.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/search/score.hpp"
#include "runtime/search/stopwatch.hpp"
#include "runtime/search/worlds.hpp"
#include "runtime/sight/seen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace boardwright::runtime::search {
namespace {

// Without any limit: a search of what isn't known comes to no end by itself.
constexpr std::uint64_t kRoundsWithoutLimit = 20'000;
constexpr std::chrono::milliseconds kBetweenReports{100};
// Of the time that is given: to follow the games in mind.
constexpr double kPartForWorlds = 0.4;
// No line of a tree is longer: deeper moves are as good at random.
constexpr int kMostKnownDepth = 200;

// On the account of the command, beside what positions take: a move that is learnt of by all players, and one
// of the moves that it is chosen from, written and looked up.
constexpr std::uint64_t kStepsOfMove = 1000, kStepsOfText = 200;

// Eight characters at a time.
std::uint64_t hash_of_text(std::string_view text) {
  std::uint64_t hash = text.size();
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t taken = std::min(text.size(), sizeof(word));
    std::memcpy(&word, text.data(), taken);
    hash = chain(hash, word);
    text.remove_prefix(taken);
  }
  return hash;
}

// A move, by what its mover knows.
struct KnownEdge {
  std::uint32_t visits = 0, available = 0;
  double total = 0;
};

class InformationSearch final : public Player {
public:
  InformationSearch(std::shared_ptr<const Rules> rules, const InformationSearchOptions& options)
      : rules_(std::move(rules)), options_(options), random_(chain(options.seed, 1)),
        worlds_(rules_, options.worlds, chain(options.seed, 2)), games_(rules_, options.games) {}

  tl::expected<Thought, Fault> think(const Game& game, const ThinkLimits& limits,
                                     const OnThought& on_thought) override {
    Game copy = game;
    const auto moves = copy.moves();
    if (!moves) return tl::unexpected(moves.error());
    Thought thought;
    if (moves->empty()) return thought;
    const auto texts = copy.notations();
    if (!texts) return tl::unexpected(texts.error());
    begin(*moves, *texts, limits);
    me_ = copy.to_move();
    if (choices_.size() > 1)
      if (auto followed = worlds_.follow(copy, me_, [this] { return is_over() || has_used(kPartForWorlds); });
          !followed)
        return tl::unexpected(std::move(followed).error());
    search(on_thought);
    return thought_of();
  }

private:
  struct Choice {
    Move move;
    std::uint64_t hash = 0;
    std::string text;
  };

  void begin(const MoveList& moves, const std::vector<std::string>& texts, const ThinkLimits& limits) {
    limits_ = &limits;
    began_cpu_ = cpu_now();
    began_ = std::chrono::steady_clock::now();
    const std::uint64_t own = options_.most_nodes == 0 ? limits.most_nodes : options_.most_nodes;
    const bool timed = limits.deadline || limits.cpu_time || limits.stop != nullptr;
    most_rounds_ = std::min(own, limits.most_nodes);
    if (!timed) most_rounds_ = std::min(most_rounds_, kRoundsWithoutLimit);
    rounds_ = 0;
    deepest_ = 0;
    edges_.clear();
    choices_.clear();
    allowed_.clear();
    for (std::uint32_t i = 0; i < texts.size(); ++i)
      if (limits.allows(i)) choices_.push_back({moves[i], hash_of_text(texts[i]), texts[i]});
    for (const Choice& choice : choices_) allowed_.insert(choice.hash);
  }

  [[nodiscard]] bool is_over() const {
    if (rounds_ >= most_rounds_) return true;
    if (limits_->stop != nullptr && limits_->stop->load(std::memory_order_relaxed)) return true;
    if (limits_->deadline && std::chrono::steady_clock::now() >= *limits_->deadline) return true;
    return limits_->cpu_time && cpu_now() - began_cpu_ >= *limits_->cpu_time;
  }

  // Whether that part of the time has gone.
  [[nodiscard]] bool has_used(double part) const {
    if (limits_->cpu_time && cpu_now() - began_cpu_ >= part * *limits_->cpu_time) return true;
    const auto now = std::chrono::steady_clock::now();
    return limits_->deadline && now - began_ >= part * (*limits_->deadline - began_);
  }

  void search(const OnThought& on_thought) {
    if (choices_.size() < 2) return;
    auto told = std::chrono::steady_clock::now();
    auto& worlds = worlds_.games();
    while (!worlds.empty() && !is_over()) {
      round(worlds[random_.below(worlds.size())]);
      ++rounds_;
      if (!on_thought || std::chrono::steady_clock::now() - told < kBetweenReports) continue;
      on_thought(thought_of());
      told = std::chrono::steady_clock::now();
    }
  }

  struct Step {
    int mover = 0;
    std::uint64_t edge = 0;
  };
  using Known = std::array<std::uint64_t, kMostPlayers>; // by player: all that he knows, as a hash

  void round(Game& world) {
    const int begin = world.length();
    path_.clear();
    Known known{};
    for (int p = 0; p < players(); ++p) known[at(p)] = p == me_ ? 1 : seen(world, p, 2);
    if (const auto scores = play_down(world, known)) count(*scores);
    while (world.length() > begin) world.undo();
  }

  std::optional<Scores> play_down(Game& world, Known& known) {
    for (int depth = 0; depth < kMostKnownDepth; ++depth) {
      const auto outcome = world.outcome();
      if (!outcome) return std::nullopt;
      if (*outcome) return scores_of(result_of(**outcome), players());
      bool is_new = false;
      const auto move = world.is_chance() ? drawn(world) : chosen(world, known, depth == 0, is_new);
      if (!move || !learn(world, *move, known)) return std::nullopt;
      deepest_ = std::max(deepest_, depth + 1);
      if (!is_new) continue;
      const auto ended = world.outcome();
      if (!ended) return std::nullopt;
      if (*ended) return scores_of(result_of(**ended), players());
      return games_.play(world, random_, [this] { return is_over(); });
    }
    return games_.play(world, random_, [this] { return is_over(); });
  }

  std::optional<Move> drawn(Game& world) {
    const auto move = world.draw(random_);
    return move ? *move : std::nullopt;
  }

  // The move that looks best to whoever moves; one that nobody tried yet, if there is any.
  std::optional<Move> chosen(Game& world, Known& known, bool is_root, bool& is_new) {
    const auto moves = world.moves();
    const auto texts = world.notations();
    if (!moves || !texts || moves->empty()) return std::nullopt;
    Meter::charge(kStepsOfMove + kStepsOfText * texts->size());
    const int mover = world.to_move();
    if (!is_root) known[at(mover)] = seen(world, mover, known[at(mover)]);
    std::optional<std::size_t> best;
    std::uint64_t best_key = 0, fresh = 0;
    double best_value = 0;
    const bool full = edges_.size() >= options_.most_bytes / kBytesOfEdge;
    for (std::size_t i = 0; i < texts->size(); ++i) {
      const std::uint64_t hash = hash_of_text((*texts)[i]);
      if (is_root && !is_choice(hash)) continue;
      const std::uint64_t key = chain(chain(known[at(mover)], static_cast<std::uint64_t>(mover)), hash);
      const auto found = edges_.find(key);
      if (found == edges_.end() || found->second.visits == 0) {
        // Of those that are new each is as likely as another.
        if (random_.below(++fresh) == 0) best = i, best_key = key;
        continue;
      }
      KnownEdge& edge = found->second;
      ++edge.available;
      if (fresh > 0) continue;
      const double value = edge.total / edge.visits +
                           options_.exploration * std::sqrt(std::log(edge.available + 1.0) / edge.visits);
      if (!best || value > best_value) best = i, best_key = key, best_value = value;
    }
    if (!best) return std::nullopt;
    is_new = fresh > 0;
    if (!is_new || !full) path_.push_back({mover, best_key});
    return (*moves)[*best];
  }

  // Everybody learns what he reads of the move; what he sees of the position when it is his turn.
  bool learn(Game& world, const Move& move, Known& known) {
    const Program& program = rules_->program();
    const int mover = world.to_move();
    const auto text = world.notation(move);
    if (!text) return false;
    for (int p = 0; p < players(); ++p)
      known[at(p)] = chain(known[at(p)], hash_of_text(sight::read_by(program, *text, mover, p)));
    return world.play(move).has_value();
  }

  std::uint64_t seen(const Game& world, int player, std::uint64_t before) const {
    const Program& program = rules_->program();
    if (!program.sight) return before;
    const auto seen = sight::seen_by(world.rules(), world.position(), player);
    return seen ? chain(before, hash_of_text(sight::text_of(program, *seen))) : before;
  }

  void count(const Scores& scores) {
    for (const Step& step : path_) {
      KnownEdge& edge = edges_[step.edge];
      if (edge.visits == 0) edge.available = 1;
      ++edge.visits;
      edge.total += scores[at(step.mover)];
    }
  }

  [[nodiscard]] bool is_choice(std::uint64_t hash) const { return allowed_.contains(hash); }
  [[nodiscard]] int players() const { return rules_->program().player_count(); }

  Thought thought_of() const {
    Thought thought;
    if (choices_.empty()) return thought;
    const std::uint64_t root = chain(1, static_cast<std::uint64_t>(me_));
    std::vector<std::size_t> order(choices_.size());
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      order[i] = i;
      const auto found = edges_.find(chain(root, choices_[i].hash));
      const KnownEdge edge = found == edges_.end() ? KnownEdge{} : found->second;
      const double value = edge.visits == 0 ? 1.0 / players() : edge.total / edge.visits;
      thought.candidates.push_back({choices_[i].move, value, edge.visits, Proof::unknown});
    }
    // Of those that nothing is known of any will do.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return thought.candidates[a].visits > thought.candidates[b].visits;
    });
    std::vector<Candidate> sorted;
    for (const std::size_t i : order) sorted.push_back(thought.candidates[i]);
    thought.candidates = std::move(sorted);
    thought.move = thought.candidates.front().move;
    thought.value = thought.candidates.front().value;
    thought.line = {choices_[order.front()].text};
    thought.nodes = rounds_;
    thought.depth = deepest_;
    if (choices_.size() > 1)
      thought.remark = worlds_.agree() ? "" : "what was seen so far came about in none of the games in mind";
    return thought;
  }

  static constexpr std::size_t kBytesOfEdge = 64; // with what a table takes for it

  std::shared_ptr<const Rules> rules_;
  InformationSearchOptions options_;
  Random random_;
  Worlds worlds_;
  LeafGames games_;
  std::unordered_map<std::uint64_t, KnownEdge> edges_;
  std::vector<Choice> choices_;
  std::unordered_set<std::uint64_t> allowed_; // their hashes
  std::vector<Step> path_;
  const ThinkLimits* limits_ = nullptr;
  std::chrono::nanoseconds began_cpu_{0};
  std::chrono::steady_clock::time_point began_;
  std::uint64_t rounds_ = 0, most_rounds_ = 0;
  int me_ = 0, deepest_ = 0;
};

} // namespace

std::unique_ptr<Player> make_information_search(std::shared_ptr<const Rules> rules,
                                                const InformationSearchOptions& options) {
  return std::make_unique<InformationSearch>(std::move(rules), options);
}

} // namespace boardwright::runtime::search
