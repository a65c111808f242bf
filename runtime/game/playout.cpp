// Random games, one engine to a thread. Which thread plays which game changes nothing but the time.
#include "runtime/game/playout.hpp"

#include "runtime/game/compiled.hpp"
#include "runtime/game/playout_parts.hpp"
#include "runtime/game/random_player.hpp"
#include "runtime/game/thread_group.hpp"
#include "runtime/model/limits.hpp"
#include "runtime/model/meter.hpp"

#include <algorithm>
#include <ctime>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

namespace boardwright::runtime {

namespace {

// CPU time of this thread.
double cpu_now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// Games between looks at the clock: a look costs about as much as a few plies. Short games are played in ever
// greater batches, as long as one takes no more than this.
constexpr std::uint64_t kMostInBatch = 1024;
constexpr double kBatchSeconds = 0.0002;
// For fewer games a thread isn't worth its beginning.
constexpr std::uint64_t kGamesForAThread = 16;

bool same_way(const Outcome& a, const Outcome& b) { return a.by == b.by && a.origin == b.origin; }

// The entry of games that ended so; there are a dozen at most, so they are looked through.
Ending& ending_of(const Outcome& how, std::vector<Ending>& endings, std::size_t players) {
  for (Ending& ending : endings)
    if (same_way(ending.how, how)) return ending;
  return endings.emplace_back(Ending{how, 0, std::vector<std::uint64_t>(players), 0});
}

class Players {
public:
  Players(std::shared_ptr<const Rules> rules, const PlayoutOptions& options, const Position* from,
          std::uint64_t first_game)
      : rules_(Rules::or_none(std::move(rules))), options_(options), from_(from), first_game_(first_game) {
    total_.wins.assign(rules_->program().players.size(), 0);
    Meter* const account = timed() ? nullptr : Meter::current();
    if (account == nullptr || account->is_lifted()) return;
    account_ = account;
    affordable_ = account->left();
  }
  PlayoutRun play();

private:
  void work(RandomPlayer& player, bool reports);
  struct Paid {
    std::uint64_t steps = 0;
    std::optional<Playout> game; // nothing: it came to no end
  };
  std::optional<Paid> play_on_account(std::uint64_t game);
  void work_on_account(bool reports);
  void count_what_was_paid();
  void help();
  [[nodiscard]] RandomPlayer new_player() const {
    RandomPlayer player(rules_, from_ == nullptr ? rules_->program().initial : *from_, options_.native);
    player.give_up_when({options_.stop, &ended_, std::nullopt});
    return player;
  }
  bool play_batch(RandomPlayer& player, PlayoutResult& sum, std::uint64_t first, std::uint64_t batch);
  void count(const Playout& p, PlayoutResult& sum) const;
  [[nodiscard]] bool stopped() const {
    return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool timed() const { return options_.cpu_seconds > 0; }
  void fail(RandomPlayer& player, std::uint64_t game, Fault fault);
  [[nodiscard]] Random random_of(std::uint64_t game) const { return random_of_game(options_.seed, game); }
  [[nodiscard]] std::uint32_t most_plies() const {
    return static_cast<std::uint32_t>(std::clamp(options_.max_plies, 0, kMaxPly));
  }

  std::shared_ptr<const Rules> rules_;
  const PlayoutOptions& options_;
  const Position* from_;
  std::uint64_t first_game_; // the others follow it
  std::atomic<std::uint64_t> next_ = 0, done_ = 0;
  std::atomic<bool> faulty_ = false, was_stopped_ = false, gave_up_ = false, native_ = false;
  std::atomic<bool> ended_ = false; // one of the threads has thrown
  std::mutex mutex_;                // of what follows
  PlayoutResult total_;
  std::optional<FaultyGame> faulty_game_; // of the first game that met one

  // Where the command has an account. Each game is told by itself, and the first ones count that it can pay:
  // so the sums don't depend on the threads.
  Meter* account_ = nullptr;
  std::uint64_t affordable_ = 0;         // steps
  std::atomic<std::uint64_t> spent_ = 0; // of games that have ended, whichever
  std::map<std::uint64_t, Paid> paid_;   // by number of the game
};

void Players::count(const Playout& p, PlayoutResult& sum) const {
  ++sum.playouts;
  sum.plies += p.plies;
  sum.moves += p.moves;
  sum.shortest = sum.playouts == 1 ? p.plies : std::min(sum.shortest, p.plies);
  sum.longest = std::max(sum.longest, p.plies);
  if (!p.outcome) {
    ++sum.unfinished;
    return;
  }
  Ending& ending = ending_of(*p.outcome, sum.endings, sum.wins.size());
  ++ending.games;
  if (p.outcome->winners == 0) {
    ++sum.draws;
    ++ending.draws;
  }
  if (p.outcome->shares != 0) ++sum.shared[p.outcome->shares];
  for (std::size_t player = 0; player < sum.wins.size(); ++player) {
    const std::uint64_t won = p.outcome->winners >> player & 1;
    sum.wins[player] += won;
    ending.wins[player] += won;
  }
}

// What the game was like when it met the fault: it is played once more up to there.
void Players::fail(RandomPlayer& player, std::uint64_t game, Fault fault) {
  const std::uint32_t plies = most_plies() - std::min(player.plies_left(), most_plies());
  Random random = random_of(game);
  (void)player.play(random, plies); // to judge where it stops may be what went wrong
  const std::lock_guard lock(mutex_);
  if (!faulty_game_ || game + 1 < faulty_game_->number)
    faulty_game_ = {game + 1, plies, player.position(), std::move(fault)};
  faulty_ = true;
}

// Every game has a stream of its own, made of the seed and its number.
bool Players::play_batch(RandomPlayer& player, PlayoutResult& sum, std::uint64_t first, std::uint64_t batch) {
  const std::uint64_t last = timed() ? first + batch : std::min(first + batch, options_.count);
  for (std::uint64_t i = first; i < last; ++i) {
    if (stopped() || ended_) return false;
    const std::uint64_t game = first_game_ + i;
    Random random = random_of(game);
    auto played = player.play(random, most_plies());
    if (!played) {
      if (stopped() || ended_) return false; // that may be why
      if (Meter::gave_up()) return gave_up_ = true, false;
      fail(player, game, std::move(played.error()));
      return false;
    }
    count(*played, sum);
  }
  return true;
}

void Players::work(RandomPlayer& player, bool reports) {
  const double begin = cpu_now();
  double now = begin;
  std::uint64_t batch = 1;
  PlayoutResult sum;
  sum.wins.assign(total_.wins.size(), 0);
  while (!faulty_ && !ended_) {
    const double last = std::exchange(now, cpu_now());
    if (timed() && now - begin >= options_.cpu_seconds) break;
    if (now - last < kBatchSeconds && batch < kMostInBatch) batch *= 2;
    const std::uint64_t first = next_.fetch_add(batch);
    if (!timed() && first >= options_.count) break;
    const std::uint64_t before = sum.playouts;
    const bool good = play_batch(player, sum, first, batch);
    const std::uint64_t done = done_.fetch_add(sum.playouts - before) + sum.playouts - before;
    if (reports && options_.progress) options_.progress(done);
    if (stopped()) was_stopped_ = true;
    if (!good) break;
  }
  const std::lock_guard lock(mutex_);
  add_playouts(sum, total_);
  total_.cpu_seconds += cpu_now() - begin;
}

// By a player of its own, so that nothing is owed for other games. Nothing: no more are to be played.
std::optional<Players::Paid> Players::play_on_account(std::uint64_t game) {
  Meter meter(affordable_, options_.stop);
  Paid paid;
  {
    const Meter::Use use(&meter);
    RandomPlayer player = new_player();
    Random random = random_of(game);
    auto played = player.play(random, most_plies());
    if (stopped() || ended_) return std::nullopt;
    if (!played && !meter.is_spent()) {
      const Meter::Use nobody(nullptr);
      fail(player, game, std::move(played.error()));
      return std::nullopt;
    }
    if (played) paid.game = std::move(*played);
    native_ = player.is_native();
  } // the player's last steps come on the account when it goes
  paid.steps = paid.game ? meter.spent() : affordable_ + 1;
  return paid;
}

// A game at a time, each with as many steps as all of them may have.
void Players::work_on_account(bool reports) {
  const double begin = cpu_now();
  while (!faulty_ && !ended_ && !stopped() && spent_ <= affordable_) {
    const std::uint64_t game = first_game_ + next_.fetch_add(1);
    if (game - first_game_ >= options_.count) break;
    auto paid = play_on_account(game);
    if (!paid) break;
    spent_ += paid->steps;
    const std::lock_guard lock(mutex_);
    paid_[game] = std::move(*paid);
    if (reports && options_.progress) options_.progress(paid_.size());
  }
  if (stopped()) was_stopped_ = true;
  const std::lock_guard lock(mutex_);
  total_.cpu_seconds += cpu_now() - begin;
}

void Players::count_what_was_paid() {
  std::uint64_t next = first_game_;
  for (const auto& [game, paid] : paid_) {
    if (game != next++) break; // one that was stopped stood there
    account_->spend(paid.steps);
    if (account_->is_spent()) gave_up_ = true;
    if (gave_up_) return faulty_game_.reset(); // that was later
    count(*paid.game, total_);
  }
}

// A thread that finds no memory for a game of its own leaves all games to the others.
void Players::help() {
  std::optional<RandomPlayer> player;
  try {
    player.emplace(new_player());
  } catch (const std::bad_alloc&) {
    return;
  }
  account_ != nullptr ? work_on_account(false) : work(*player, false);
}

PlayoutRun Players::play() {
  const int wanted = timed() ? 1 : std::max(options_.threads, 1);
  const auto useful = static_cast<int>(std::min<std::uint64_t>(options_.count / kGamesForAThread + 1, 1024));
  RandomPlayer player = new_player(); // before the threads take what memory there is
  // Fewer than asked for where the system gives no more: the games are the same, they only take longer.
  ThreadGroup others([this] { ended_ = true; });
  for (int i = 1; i < std::min(wanted, useful); ++i)
    if (!others.start([this] { help(); })) break;
  account_ != nullptr ? work_on_account(true) : work(player, true);
  others.join();
  if (account_ != nullptr) count_what_was_paid();
  total_.native = player.is_native() || native_;
  total_.stopped = was_stopped_;
  total_.gave_up = gave_up_;
  return {std::move(total_), std::move(faulty_game_)};
}

} // namespace

Random random_of_game(std::uint64_t seed, std::uint64_t game) { return Random(chain(mix(seed), game)); }

PlayoutRun run_playouts(std::shared_ptr<const Rules> rules, const PlayoutOptions& options,
                        const Position* from) {
  return run_playouts_from(0, std::move(rules), options, from);
}

PlayoutRun run_playouts_from(std::uint64_t first, std::shared_ptr<const Rules> rules,
                             const PlayoutOptions& options, const Position* from) {
  return Players(std::move(rules), options, from, first).play();
}

void add_playouts(const PlayoutResult& part, PlayoutResult& total) {
  if (part.playouts == 0) return;
  total.shortest = total.playouts == 0 ? part.shortest : std::min(total.shortest, part.shortest);
  total.longest = std::max(total.longest, part.longest);
  total.playouts += part.playouts;
  total.plies += part.plies;
  total.moves += part.moves;
  total.draws += part.draws;
  total.unfinished += part.unfinished;
  total.cpu_seconds += part.cpu_seconds;
  for (const auto& [result, games] : part.shared) total.shared[result] += games;
  total.wins.resize(std::max(total.wins.size(), part.wins.size()));
  for (std::size_t player = 0; player < part.wins.size(); ++player) total.wins[player] += part.wins[player];
  for (const Ending& ending : part.endings) {
    Ending& sum = ending_of(ending.how, total.endings, total.wins.size());
    sum.games += ending.games;
    sum.draws += ending.draws;
    for (std::size_t player = 0; player < ending.wins.size(); ++player)
      sum.wins[player] += ending.wins[player];
  }
  std::sort(total.endings.begin(), total.endings.end(), [](const Ending& a, const Ending& b) {
    return std::pair(a.how.origin, a.how.by) < std::pair(b.how.origin, b.how.by);
  });
}

tl::expected<PlayoutResult, Fault> playouts(std::shared_ptr<const Rules> rules, const PlayoutOptions& options,
                                            const Position* from) {
  PlayoutRun run = run_playouts(std::move(rules), options, from);
  if (run.faulty) return tl::unexpected(std::move(run.faulty->fault));
  return std::move(run.result);
}

} // namespace boardwright::runtime
