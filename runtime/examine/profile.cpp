#include "runtime/examine/profile.hpp"

#include "runtime/codegen/native_code.hpp"
#include "runtime/game/game.hpp"
#include "runtime/game/playout.hpp"
#include "runtime/model/meter.hpp"
#include "runtime/search/make_player.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <vector>

#if defined(__linux__) && defined(__x86_64__)
#define BOARDWRIGHT_SAMPLES
#include <csignal>
#include <ctime>
#include <ucontext.h>
#include <unistd.h>
#endif

namespace boardwright::runtime {

std::uint64_t ProfiledWork::samples() const {
  std::uint64_t sum = elsewhere;
  for (const auto& [origin, count] : rules) sum += count;
  return sum;
}

#ifdef BOARDWRIGHT_SAMPLES

namespace {

// An odd number of nanoseconds, so that nothing that goes by the clock keeps step with it.
constexpr long kBetweenSamples = 1'000'003;
// A signal that comes later has waited for the processor. It shows where the thread was put aside, which is
// more often at a call of the system than elsewhere.
constexpr std::int64_t kLate = 100'000;
// Two minutes of samples: the rest of a longer run isn't looked at.
constexpr std::size_t kMostSamples = 1 << 17;
// Return addresses of native code lie at the beginning of its stack, at most one word from there.
constexpr std::ptrdiff_t kWordsLookedAt = 4;
// Plies of a random game, and between two positions of it that are thought about.
constexpr int kPliesOfGame = 200;
constexpr int kPliesBetweenSearches = 6;

struct Sample {
  const codegen::NativeCode* code = nullptr; // null: no native code ran
  const void* place = nullptr;               // in it, or in what it called
  std::array<const void*, static_cast<std::size_t>(kWordsLookedAt)> returns{};
};

// What the handler of the signal may touch.
struct Samples {
  codegen::Watch watch;
  std::vector<Sample> taken = std::vector<Sample>(kMostSamples);
  volatile std::size_t count = 0;
  volatile bool counts = false; // is what runs now to be looked at?
  std::int64_t begin = 0;       // of the timer, in nanoseconds
};

[[nodiscard]] std::int64_t nanoseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}
Samples* volatile samples_now = nullptr;

// The stack is read beyond what any frame of C++ says is there.
__attribute__((no_sanitize("address", "thread", "undefined"))) void take_sample(int, siginfo_t*,
                                                                                void* context) {
  Samples* const all = samples_now;
  if (all == nullptr || !all->counts || all->count >= kMostSamples) return;
  if ((nanoseconds_now() - all->begin) % kBetweenSamples > kLate) return;
  Sample& sample = all->taken[all->count];
  sample = {};
  sample.code = all->watch.code;
  const auto* const state = static_cast<const ucontext_t*>(context);
  sample.place = reinterpret_cast<const void*>(state->uc_mcontext.gregs[REG_RIP]); // NOLINT
  if (sample.code != nullptr && all->watch.stack != nullptr && *all->watch.stack != nullptr) {
    const auto* const top = static_cast<const void* const*>(*all->watch.stack);
    for (std::ptrdiff_t k = 0; k < kWordsLookedAt; ++k)
      sample.returns[static_cast<std::size_t>(k)] = top[-1 - k]; // NOLINT
  }
  all->count = all->count + 1;
}

// Looks at the thread that made it, while it lives.
class Sampler {
public:
  Sampler() {
    all_.watch.thread = std::this_thread::get_id();
    struct sigaction action {};
    action.sa_sigaction = take_sample;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event._sigev_un._tid = gettid();
    // A timer of CPU time is only looked at when the system's clock ticks, some thirty times a second on some
    // machines. One that goes by the clock on the wall samples as fairly, but for what comes late.
    installed_ = sigaction(SIGPROF, &action, &before_) == 0;
    running_ = installed_ && timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
    samples_now = &all_;
    codegen::watching = &all_.watch;
    // From a time that is given, so that samples are as late as they look, however busy the machine is.
    all_.begin = nanoseconds_now();
    const std::int64_t first = all_.begin + kBetweenSamples;
    const itimerspec every{{0, kBetweenSamples}, {first / 1'000'000'000, first % 1'000'000'000}};
    running_ = running_ && timer_settime(timer_, TIMER_ABSTIME, &every, nullptr) == 0;
  }
  ~Sampler() {
    if (running_) timer_delete(timer_);
    samples_now = nullptr;
    codegen::watching = nullptr;
    if (installed_) sigaction(SIGPROF, &before_, nullptr);
  }
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  [[nodiscard]] bool is_running() const { return running_; }
  void begin() { all_.counts = true; }
  void pause() { all_.counts = false; }

  // What was seen since the last time.
  [[nodiscard]] ProfiledWork take() {
    ProfiledWork work;
    for (std::size_t k = 0; k < all_.count; ++k) {
      const Sample& sample = all_.taken[k];
      const std::int32_t index = instruction_of(sample);
      if (index == codegen::kShared)
        ++work.elsewhere;
      else // other rules are made of these for random games; origins are the same
        ++work.rules[sample.code->of().instructions[static_cast<std::size_t>(index)].origin];
    }
    all_.count = 0;
    return work;
  }

private:
  // Code that instructions share, and what C++ does for one, is called by it: its return address is the
  // outermost on the stack.
  static std::int32_t instruction_of(const Sample& sample) {
    if (sample.code == nullptr) return codegen::kShared;
    const std::int32_t here = sample.code->instruction_at(sample.place);
    if (here != codegen::kShared) return here;
    for (const void* const back : sample.returns)
      if (sample.code->holds(back))
        return sample.code->instruction_at(static_cast<const std::byte*>(back) - 1);
    return codegen::kShared;
  }

  Samples all_;
  struct sigaction before_ {};
  timer_t timer_{};
  bool installed_ = false, running_ = false;
};

[[nodiscard]] double seconds_of_thread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

class Profiling {
public:
  Profiling(const std::shared_ptr<const Rules>& rules, const ProfileOptions& options)
      : rules_(rules), options_(options) {}

  tl::expected<Profile, std::string> run() {
    warm_up();
    if (!sampler_.is_running()) return tl::unexpected<std::string>("the system gives no timer");
    Profile found;
    for (const auto work : {&Profiling::list, &Profiling::play, &Profiling::search}) {
      if (is_stopped()) break;
      begin_ = seconds_of_thread();
      (this->*work)(found);
      sampler_.pause();
      if (fault_)
        return tl::unexpected(fault_->message + " at " + place_of(rules_->program(), fault_->origin));
    }
    found.stopped = is_stopped();
    return found;
  }

private:
  [[nodiscard]] bool is_stopped() const { return options_.stop != nullptr && *options_.stop; }
  [[nodiscard]] bool is_over() const {
    return fault_ || is_stopped() || seconds_of_thread() - begin_ >= options_.seconds;
  }

  // Native code is made before anything is looked at.
  void warm_up() {
    if (const auto moves = Game(rules_).moves(); !moves) fail(moves.error());
    PlayoutOptions one;
    one.count = 1;
    if (const auto played = playouts(rules_, one); !played) fail(played.error());
  }

  // Games of random moves, with something done in their positions until there was time enough.
  template <class F>
  void in_positions(int plies_between, F&& work) {
    for (std::uint64_t number = 0; !is_over(); ++number) {
      Game game(rules_);
      Patience patience;
      patience.stop = options_.stop;
      game.give_up_when(patience);
      Random random = random_of_game(options_.seed, number);
      for (int ply = 0; ply < kPliesOfGame && !is_over(); ++ply) {
        if (ply % plies_between == 0) work(game);
        const auto move = game.draw(random);
        if (!move) return fail(move.error());
        if (!*move) break;
        if (const auto played = game.play(**move); !played) return fail(played.error());
      }
    }
  }

  void list(Profile& found) {
    in_positions(1, [this](Game& game) {
      sampler_.begin();
      const auto moves = game.moves();
      sampler_.pause();
      if (!moves) fail(moves.error());
    });
    found.listing = sampler_.take();
  }

  void play(Profile& found) {
    PlayoutOptions options;
    options.seed = options_.seed;
    options.cpu_seconds = options_.seconds;
    options.stop = options_.stop;
    sampler_.begin();
    const auto played = playouts(rules_, options);
    sampler_.pause();
    if (!played) return fail(played.error());
    found.playing = sampler_.take();
  }

  void search(Profile& found) {
    const auto player = search::make_player("auto", rules_, search::PlayerChoice{});
    if (!player) return;
    constexpr double kShare = 0.1; // so much of the time for each position
    in_positions(kPliesBetweenSearches, [&](Game& game) {
      const auto outcome = game.outcome();
      if (!outcome || *outcome || game.is_chance()) return;
      search::ThinkLimits limits;
      limits.cpu_time = std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::duration<double>(kShare * options_.seconds));
      limits.stop = options_.stop;
      sampler_.begin();
      const auto thought = (*player)->think(game, limits);
      sampler_.pause();
      if (!thought) fail(thought.error());
    });
    found.searching = sampler_.take();
  }

  void fail(const Fault& fault) {
    if (!is_stopped()) fault_ = fault;
  }

  const std::shared_ptr<const Rules>& rules_;
  const ProfileOptions& options_;
  Sampler sampler_;
  double begin_ = 0;
  std::optional<Fault> fault_;
};

} // namespace

bool can_profile() { return codegen::NativeCode::possible(); }

tl::expected<Profile, std::string> profile(const std::shared_ptr<const Rules>& rules,
                                           const ProfileOptions& options) {
  if (!can_profile())
    return tl::unexpected<std::string>("this build, processor or system has no native code");
  if (!rules->problem().empty()) return tl::unexpected(rules->problem());
  Meter free = Meter::without_limit(); // time bounds it
  const Meter::Use use(&free);
  return Profiling(rules, options).run();
}

#else

bool can_profile() { return false; }

tl::expected<Profile, std::string> profile(const std::shared_ptr<const Rules>&, const ProfileOptions&) {
  return tl::unexpected<std::string>("this system has no timer that tells where native code is");
}

#endif

} // namespace boardwright::runtime
