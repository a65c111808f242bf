#include "tools/python/actions.hpp"

#include "runtime/game/inspect.hpp"
#include "runtime/game/playout.hpp"

#include <algorithm>
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
// Room for moves that no game has shown: an eighth more where nothing new came at the end, else as many
// again; and some for small games. New ones are rare where the second half showed less than a third of what
// the first did.
constexpr std::size_t kSomeRoom = 32, kRoomShare = 8, kOpenRoomShare = 1, kRareShare = 3;
// Labels are remembered up to so many; then they are forgotten, and found again by their choices.
constexpr std::size_t kMostRemembered = std::size_t{1} << 20;
// Of a move, where nobody has listed them. Notations of more are those of long captures.
constexpr std::size_t kLettersOfSparse = 32;

std::int64_t hash_of(const Parts& parts) {
  std::uint64_t hash = runtime::mix(parts.size());
  for (const std::int32_t part : parts) hash = runtime::chain(hash, static_cast<std::uint32_t>(part));
  return static_cast<std::int64_t>(hash & std::numeric_limits<std::int64_t>::max());
}

class Exploration {
public:
  Exploration(const std::shared_ptr<const runtime::Rules>& rules, const ExploreOptions& options)
      : rules_(rules), options_(options) {}

  tl::expected<std::shared_ptr<ActionNumbers>, Fault> run() {
    for (std::uint64_t number = 0; !done(); ++number)
      if (stopped())
        return tl::unexpected(Fault{"the exploration was stopped", 0});
      else if (auto played = play(number); !played)
        return tl::unexpected(std::move(played.error()));
    if (actions_.size() > options_.most_actions || !(closed() || slow()))
      return std::make_shared<ActionNumbers>(std::vector<Action>(), false, false);
    return std::make_shared<ActionNumbers>(std::move(actions_), true, closed());
  }

private:
  [[nodiscard]] bool closed() const { return quiet_games_ >= kQuietGames && quiet_plies_ >= kQuietPlies; }
  // New ones have become rare: the room there is will do.
  [[nodiscard]] bool slow() const {
    return at_half_ > 0 && (actions_.size() - at_half_) * kRareShare < at_half_;
  }
  [[nodiscard]] bool stopped() const { return options_.stop != nullptr && *options_.stop; }
  [[nodiscard]] bool done() const {
    return closed() || actions_.size() > options_.most_actions || plies_ >= kMostPlies ||
           steps_ >= kMostSteps;
  }
  tl::expected<void, Fault> play(std::uint64_t number) {
    Game game(rules_);
    game.give_up_when({options_.stop, nullptr, std::nullopt});
    runtime::Random random = runtime::random_of_game(options_.seed, number);
    const std::size_t before = actions_.size();
    const std::uint64_t steps = steps_;
    for (int ply = 0; ply < kMostPliesOfGame && !done(); ++ply) {
      const auto moves = all_moves(game);
      if (!moves) return tl::unexpected(moves.error());
      if (moves->empty()) break;
      const std::size_t size = actions_.size();
      if (auto seen = look(game); !seen) return seen;
      ++plies_;
      steps_ = steps + game.steps();
      if (2 * plies_ < kMostPlies && 2 * steps_ < kMostSteps) at_half_ = actions_.size();
      quiet_plies_ = actions_.size() == size ? quiet_plies_ + 1 : 0;
      if (auto played = game.play((*moves)[random.below(moves->size())]); !played) return played;
    }
    ++steps_;
    quiet_games_ = actions_.size() == before ? quiet_games_ + 1 : 0;
    return {};
  }
  tl::expected<void, Fault> look(Game& game) {
    const auto parts = runtime::choices_of_moves(game);
    if (!parts) return tl::unexpected(parts.error());
    const auto is_known = [&](const Parts& of_move) { return known_.contains(of_move); };
    if (std::all_of(parts->begin(), parts->end(), is_known)) return {};
    const auto texts = game.notations();
    if (!texts) return tl::unexpected(texts.error());
    for (std::size_t i = 0; i < parts->size(); ++i)
      if (known_.emplace((*parts)[i], true).second) actions_.push_back({(*parts)[i], (*texts)[i]});
    return {};
  }

  std::shared_ptr<const runtime::Rules> rules_;
  ExploreOptions options_;
  std::vector<Action> actions_;
  std::map<Parts, bool> known_;
  std::size_t at_half_ = 0; // actions that were known when half of what may be spent was
  int quiet_games_ = 0;
  std::uint64_t quiet_plies_ = 0, plies_ = 0, steps_ = 0;
};

} // namespace

tl::expected<runtime::MoveList, Fault> all_moves(Game& game) {
  auto moves = game.moves();
  if (moves && !moves->complete()) return tl::unexpected(Fault{"the list of moves was stopped", 0});
  return moves;
}

tl::expected<std::shared_ptr<ActionNumbers>, Fault>
ActionNumbers::explore(const std::shared_ptr<const runtime::Rules>& rules, const ExploreOptions& options) {
  return Exploration(rules, options).run();
}

ActionNumbers::ActionNumbers(std::vector<Action> actions, bool dense, bool closed)
    : dense_(dense), closed_(closed), actions_(std::move(actions)), remembered_(1024) {
  const std::size_t share = closed_ ? kRoomShare : kOpenRoomShare;
  const std::size_t size = actions_.size() + std::max(kSomeRoom, actions_.size() / share);
  size_ = dense_ ? static_cast<std::int64_t>(size) : std::numeric_limits<std::int64_t>::max();
  for (const Action& action : actions_) longest_text_ = std::max(longest_text_, action.text.size());
  if (!dense_) longest_text_ = kLettersOfSparse;
  for (std::size_t i = 0; i < actions_.size(); ++i)
    number_of_.emplace(actions_[i].parts, static_cast<std::int64_t>(i));
}

void ActionNumbers::remember(std::uint64_t label, std::int64_t number) {
  if (remembered_count_ >= kMostRemembered) {
    remembered_.assign(remembered_.size(), Entry());
    remembered_count_ = 0;
  }
  if (2 * remembered_count_ >= remembered_.size()) {
    const std::vector<Entry> before = std::exchange(remembered_, std::vector<Entry>(2 * remembered_.size()));
    remembered_count_ = 0;
    for (const Entry& entry : before)
      if (entry.number >= 0) remember(entry.label, entry.number);
  }
  std::size_t at = label & (remembered_.size() - 1);
  while (remembered_[at].number >= 0 && remembered_[at].label != label)
    at = (at + 1) & (remembered_.size() - 1);
  if (remembered_[at].number < 0) ++remembered_count_;
  remembered_[at] = {label, number};
}

std::int64_t ActionNumbers::remembered(std::uint64_t label) const {
  const std::size_t last = remembered_.size() - 1;
  std::size_t at = label & last;
  while (remembered_[at].number >= 0 && remembered_[at].label != label) at = (at + 1) & last;
  return remembered_[at].number;
}

bool ActionNumbers::known(const std::vector<std::uint64_t>& labels, Numbers& into) const {
  const std::shared_lock lock(mutex_);
  for (std::size_t i = 0; i < labels.size(); ++i)
    if ((into[i] = remembered(labels[i])) < 0) return false;
  return true;
}

std::vector<Action> ActionNumbers::actions() const {
  const std::shared_lock lock(mutex_);
  return actions_;
}

ActionNumbers::Answer ActionNumbers::find(Game& game, Numbers& into) {
  thread_local std::vector<std::uint64_t> labels;
  labels.clear();
  into.clear();
  if (const auto moves = all_moves(game); !moves) return tl::unexpected(moves.error());
  if (auto listed = game.append_labels(labels); !listed) return listed;
  into.resize(labels.size());
  if (known(labels, into)) return {};
  return learn(game, labels, into);
}

tl::expected<std::int64_t, Fault> ActionNumbers::find_one(Game& game, std::size_t place) {
  const auto label = runtime::label_of_move(game, static_cast<std::uint32_t>(place));
  if (!label) return tl::unexpected(label.error());
  {
    const std::shared_lock lock(mutex_);
    if (const std::int64_t number = remembered(*label); number >= 0) return number;
  }
  std::vector<std::uint64_t> labels;
  if (const auto moves = all_moves(game); !moves) return tl::unexpected(moves.error());
  if (auto listed = game.append_labels(labels); !listed) return tl::unexpected(listed.error());
  Numbers all(labels.size());
  if (auto learnt = learn(game, labels, all); !learnt) return tl::unexpected(learnt.error());
  return all[place];
}

ActionNumbers::Answer ActionNumbers::learn(Game& game, const std::vector<std::uint64_t>& labels,
                                           Numbers& into) {
  const auto parts = runtime::choices_of_moves(game);
  if (!parts) return tl::unexpected(parts.error());
  const std::unique_lock lock(mutex_);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Parts& of_move = (*parts)[i];
    auto found = number_of_.find(of_move);
    if (dense_ && found == number_of_.end()) {
      const auto number = static_cast<std::int64_t>(actions_.size());
      if (number >= size_)
        return tl::unexpected(
            Fault{"there are more ways to move than action numbers: explore with more of them", 0});
      const auto text = game.notation((*game.moves())[i]);
      actions_.push_back({of_move, text ? *text : ""});
      found = number_of_.emplace(of_move, number).first;
    }
    into[i] = dense_ ? found->second : hash_of(of_move);
    remember(labels[i], into[i]);
  }
  return {};
}

} // namespace boardwright::python
