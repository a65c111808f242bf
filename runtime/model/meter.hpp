// What a command may take in all: one account from which whatever is done for it draws.
//
// Limits (limits.hpp) bound one answer; a command asks many, and what it asks is up to a rule file. So the
// steps of all of them are counted together: of engines and walkers, and of what is written down for them.
// Steps are counted, not time: what is given up is the same on every machine.
//
// A command opens an account for its thread (`Use`); whoever carries out rules on that thread finds it there
// (`current`), which spares every function between them a parameter that most have no use for. A thread
// without an account, or whose account is `lift`ed, is bounded by what it was asked for: a depth, a number of
// games, a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace boardwright::runtime {

// Steps (limits.hpp) of one command for which no depth, number, time or effort was asked: some four seconds.
inline constexpr std::uint64_t kMaxCommandSteps = 1'600'000'000;
// What a step of the walker counts: it copies drafts, and takes some tenths of a microsecond.
inline constexpr std::uint64_t kStepsOfWalk = 200;

class Meter {
public:
  explicit Meter(std::uint64_t steps = kMaxCommandSteps, const std::atomic<bool>* stop = nullptr)
      : given_(static_cast<std::int64_t>(steps)), left_(given_), stop_(stop) {}

  // The account of this thread; null: nobody counts.
  [[nodiscard]] static Meter* current() { return current_; }
  // For whoever does something that rules or positions can make long: on this thread's account, if it has
  // one.
  static void charge(std::uint64_t steps) {
    if (current_ != nullptr) current_->spend(steps);
  }
  // Is there nothing left on this thread's account?
  [[nodiscard]] static bool gave_up() { return current_ != nullptr && current_->is_spent(); }

  // Has somebody lost patience with what this thread does?
  [[nodiscard]] static bool is_unwanted() { return current_ != nullptr && current_->is_stopped(); }
  // One that bounds nothing, for what is to be the same whatever the command has left; one may still be
  // stopped.
  [[nodiscard]] static Meter without_limit() {
    Meter meter(0, current_ == nullptr ? nullptr : current_->stop_);
    meter.given_ = meter.left_ = kEndless;
    return meter;
  }
  [[nodiscard]] static Meter without_limit(const std::atomic<bool>& stop) {
    Meter meter(0, &stop);
    meter.given_ = meter.left_ = kEndless;
    return meter;
  }
  // So many steps, or what is left; stopped by whoever stops all of it.
  [[nodiscard]] static Meter part(std::uint64_t steps) {
    return current_ == nullptr ? Meter(steps) : Meter(std::min(steps, current_->left()), current_->stop_);
  }
  // From here on it bounds nothing: somebody has asked for something that does. One may still be stopped.
  static void lift() {
    if (current_ != nullptr) current_->left_ = kEndless;
  }
  [[nodiscard]] bool is_lifted() const { return left_ > kEndless / 2; }
  void spend(std::uint64_t steps) { left_ -= static_cast<std::int64_t>(steps); }
  [[nodiscard]] std::uint64_t spent() const { return static_cast<std::uint64_t>(given_ - left_); }
  [[nodiscard]] std::uint64_t left() const { return left_ > 0 ? static_cast<std::uint64_t>(left_) : 0; }
  [[nodiscard]] bool is_spent() const { return left_ <= 0; }
  // Somebody has lost patience.
  [[nodiscard]] bool is_stopped() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }

  // While it lasts this thread draws from an account; null: from none.
  class Use {
  public:
    explicit Use(Meter* meter) : before_(std::exchange(current_, meter)) {}
    ~Use() { current_ = before_; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

  private:
    Meter* before_;
  };

private:
  static constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

  std::int64_t given_, left_;
  const std::atomic<bool>* stop_;
  static inline thread_local Meter* current_ = nullptr;
};

// While it lasts a part of the work draws from an account of its own, of so many steps or what is left, if
// that is less; what it has spent is taken off the larger account afterwards.
class MeteredPart {
public:
  explicit MeteredPart(std::uint64_t steps) : own_(Meter::part(steps)), use_(std::in_place, &own_) {}
  ~MeteredPart() {
    use_.reset();
    Meter::charge(own_.spent());
  }
  MeteredPart(const MeteredPart&) = delete;
  MeteredPart& operator=(const MeteredPart&) = delete;

private:
  Meter own_;
  std::optional<Meter::Use> use_;
};

} // namespace boardwright::runtime
