#include "tools/python/actions.hpp"

#include "runtime/game/inspect.hpp"
#include "runtime/game/playout.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <mutex>
#include <utility>

namespace boardwright::python {

namespace {

using runtime::Fault;
using runtime::Game;

// Numbers are closed when so many games, and so many plies, in a row show nothing new.
constexpr int kQuietGames = 100;
constexpr std::uint64_t kQuietPlies = 20'000;
// What is spent on it at most: some seconds. Steps are counted alike on every machine.
constexpr std::uint64_t kMostPlies = 200'000, kMostSteps = 400'000'000;
constexpr int kMostPliesOfGame = 400;
// Room for moves that no game has shown: an eighth more where nothing new came at the end, else half as many;
// and some for small games.
constexpr std::size_t kSomeRoom = 32, kRoomShare = 8, kOpenRoomShare = 2;

constexpr std::uint64_t kNumberBits = std::numeric_limits<std::int64_t>::max();

class Exploration {
public:
  Exploration(const std::shared_ptr<const runtime::Rules>& rules, const ExploreOptions& options)
      : rules_(rules), options_(options), found_({}, true, false) {}

  tl::expected<std::shared_ptr<ActionNumbers>, Fault> run() {
    for (std::uint64_t number = 0; !done(); ++number)
      if (auto played = play(number); !played) return tl::unexpected(std::move(played.error()));
    if (actions_.size() > options_.most_actions)
      return std::make_shared<ActionNumbers>(std::vector<Action>(), false, false);
    return std::make_shared<ActionNumbers>(std::move(actions_), true, closed());
  }

private:
  [[nodiscard]] bool closed() const { return quiet_games_ >= kQuietGames && quiet_plies_ >= kQuietPlies; }
  [[nodiscard]] bool done() const {
    return closed() || actions_.size() > options_.most_actions || plies_ >= kMostPlies ||
           steps_ >= kMostSteps;
  }
  tl::expected<void, Fault> play(std::uint64_t number) {
    Game game(rules_);
    runtime::Random random = runtime::random_of_game(options_.seed, number);
    const std::size_t before = actions_.size();
    for (int ply = 0; ply < kMostPliesOfGame && !done(); ++ply) {
      const auto moves = game.moves();
      if (!moves) return tl::unexpected(moves.error());
      if (moves->empty()) break;
      const std::size_t size = actions_.size();
      if (auto seen = look(game); !seen) return seen;
      ++plies_;
      quiet_plies_ = actions_.size() == size ? quiet_plies_ + 1 : 0;
      if (auto played = game.play((*moves)[random.below(moves->size())]); !played) return played;
    }
    steps_ += game.steps() + 1;
    quiet_games_ = actions_.size() == before ? quiet_games_ + 1 : 0;
    return {};
  }
  tl::expected<void, Fault> look(Game& game) {
    Labels labels;
    if (auto listed = game.append_labels(labels); !listed) return listed;
    const auto is_new = [&](std::uint64_t label) { return !numbers_.contains(label); };
    if (std::none_of(labels.begin(), labels.end(), is_new)) return {};
    const auto texts = game.notations();
    if (!texts) return tl::unexpected(texts.error());
    const auto parts = runtime::choices_of_moves(game);
    if (!parts) return tl::unexpected(parts.error());
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (numbers_.emplace(labels[i], actions_.size()).second)
        actions_.push_back({labels[i], (*texts)[i], (*parts)[i]});
    return {};
  }

  std::shared_ptr<const runtime::Rules> rules_;
  ExploreOptions options_;
  ActionNumbers found_;
  std::vector<Action> actions_;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;
  int quiet_games_ = 0;
  std::uint64_t quiet_plies_ = 0, plies_ = 0, steps_ = 0;
};

} // namespace

tl::expected<std::shared_ptr<ActionNumbers>, Fault>
ActionNumbers::explore(const std::shared_ptr<const runtime::Rules>& rules, const ExploreOptions& options) {
  return Exploration(rules, options).run();
}

ActionNumbers::ActionNumbers(std::vector<Action> actions, bool dense, bool closed)
    : dense_(dense), closed_(closed), actions_(std::move(actions)) {
  const std::size_t share = closed_ ? kRoomShare : kOpenRoomShare;
  const std::size_t size = actions_.size() + std::max(kSomeRoom, actions_.size() / share);
  size_ = dense_ ? static_cast<std::int64_t>(size) : static_cast<std::int64_t>(kNumberBits);
  table_.resize(std::bit_ceil(2 * size + 2));
  for (std::size_t i = 0; i < actions_.size(); ++i) keep(actions_[i].label, static_cast<std::int32_t>(i));
}

void ActionNumbers::keep(std::uint64_t label, std::int32_t number) {
  std::size_t at = label & (table_.size() - 1);
  while (table_[at].number >= 0) at = (at + 1) & (table_.size() - 1);
  table_[at] = {label, number};
}

std::int64_t ActionNumbers::known(std::uint64_t label) const {
  std::size_t at = label & (table_.size() - 1);
  while (table_[at].number >= 0 && table_[at].label != label) at = (at + 1) & (table_.size() - 1);
  return table_[at].number;
}

std::vector<Action> ActionNumbers::actions() const {
  const std::shared_lock lock(mutex_);
  return actions_;
}

std::optional<Action> ActionNumbers::action(std::int64_t number) const {
  const std::shared_lock lock(mutex_);
  if (number < 0 || number >= static_cast<std::int64_t>(actions_.size())) return std::nullopt;
  return actions_[static_cast<std::size_t>(number)];
}

std::optional<std::uint64_t> ActionNumbers::label_of(std::int64_t number) const {
  const std::shared_lock lock(mutex_);
  if (number < 0 || number >= static_cast<std::int64_t>(actions_.size())) return std::nullopt;
  return actions_[static_cast<std::size_t>(number)].label;
}

std::optional<std::size_t> ActionNumbers::place_of(std::int64_t number,
                                                   std::span<const std::uint64_t> labels) const {
  std::uint64_t wanted = static_cast<std::uint64_t>(number), mask = kNumberBits;
  if (dense_) {
    const auto label = label_of(number);
    if (!label) return std::nullopt;
    wanted = *label, mask = ~std::uint64_t{0};
  }
  for (std::size_t i = 0; i < labels.size(); ++i)
    if ((labels[i] & mask) == wanted) return i;
  return std::nullopt;
}

tl::expected<void, Fault> ActionNumbers::find(Game& game, std::span<const std::uint64_t> labels,
                                              std::int64_t* numbers) {
  if (!dense_) {
    for (std::size_t i = 0; i < labels.size(); ++i)
      numbers[i] = static_cast<std::int64_t>(labels[i] & kNumberBits);
    return {};
  }
  const auto all_known = [&] {
    const std::shared_lock lock(mutex_);
    for (std::size_t i = 0; i < labels.size(); ++i)
      if ((numbers[i] = known(labels[i])) < 0) return false;
    return true;
  };
  if (all_known()) return {};
  if (auto learnt = learn(game); !learnt) return learnt;
  (void)all_known();
  return {};
}

tl::expected<void, Fault> ActionNumbers::learn(Game& game) {
  Labels labels;
  if (auto listed = game.append_labels(labels); !listed) return listed;
  const auto texts = game.notations();
  if (!texts) return tl::unexpected(texts.error());
  const auto parts = runtime::choices_of_moves(game);
  if (!parts) return tl::unexpected(parts.error());
  const std::unique_lock lock(mutex_);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (known(labels[i]) >= 0) continue;
    if (static_cast<std::int64_t>(actions_.size()) >= size_)
      return tl::unexpected(
          Fault{"there are more ways to move than action numbers: explore with more of them", 0});
    actions_.push_back({labels[i], (*texts)[i], (*parts)[i]});
    keep(labels[i], static_cast<std::int32_t>(actions_.size() - 1));
  }
  return {};
}

} // namespace boardwright::python
