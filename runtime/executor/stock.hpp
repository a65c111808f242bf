// What an answer may take (model/limits.hpp): steps and bytes, and how long somebody waits.
//
// Rounds of loops are counted by what leads back (Instruction::cost), operations by themselves where it
// depends on the data how long they take (Executor::work). Whenever a stretch of steps is over, stock is
// taken: of the steps, of the rows that have grown meanwhile, and of the limits that the asker has set.
// Between two looks at them rows grow by little, because whatever makes them grow is counted. So everything
// that goes on has a bound, whichever operation it is, and what is counted doesn't depend on the machine.
#pragma once

#include "runtime/executor/executor.hpp"

#include <algorithm>
#include <bit>

namespace boardwright::runtime::executor {

// Steps between two looks: some tenth of a millisecond.
inline constexpr std::int64_t kStretch = 1 << 16;
// A row that has room for more gives it back after an answer.
inline constexpr std::size_t kMostSpareBytes = std::size_t{8} << 20;

// An answer that goes on with another one has spent steps already.
template <int W>
void Executor<W>::begin_answer(std::uint64_t spent) {
  earlier_steps_ = all_steps() + kStepsOfAnswer;
  spent_ = spent;
  left_ = kStretch;
  begun_ = left_ + static_cast<std::int64_t>(spent);
  stopped_ = took_stock_ = seeking_best_ = false;
}

template <int W>
bool Executor<W>::is_over() const {
  if (patience_.is_over()) return true;
  return !running_game_ && limits_ != nullptr && limits_->over();
}

// False: it must not go on.
template <int W>
bool Executor<W>::take_stock(const I& i) {
  const std::uint64_t done = steps();
  took_stock_ = true;
  if (fault_) return false;
  if (done > kMaxWork) {
    fail(i, "this takes too long: more than " + std::to_string(kMaxWork) + " steps for one position");
  } else if (bytes() > kMaxBytes) {
    fail(i, "this takes too much memory: more than " + std::to_string(kMaxBytes) + " bytes for one position");
  } else if (is_over()) {
    stop(i);
  }
  // The last stretch ends where the limit is, so that it is met to the step.
  const std::uint64_t rest = kMaxWork - std::min(done, kMaxWork);
  const std::int64_t next = std::min(kStretch, static_cast<std::int64_t>(rest));
  begun_ += next - left_;
  left_ = next;
  return !fault_;
}

// Nobody knows yet which moves of those that are compared would count.
template <int W>
void Executor<W>::stop(const I& i) {
  if (seeking_best_) forget_moves(best_found_.data());
  stopped_ = true;
  fail(i, "stopped");
}

template <int W>
std::size_t Executor<W>::bytes_of_boxes() {
  std::size_t sum = kept_box_bytes_ + kept_boxes_.size() * sizeof(Box<W>) + m_.old_box_bytes;
  for (const Box<W>& box : m_.boxes) sum += box.bytes();
  // To look at them takes as long as some steps.
  left_ -= static_cast<std::int64_t>(m_.boxes.size() / 4);
  return sum;
}

// What the rows have that grow while an answer is found, with the room that they take to grow. It is what
// they need, not what they have had room for before, so that it is the same for every executor.
template <int W>
std::size_t Executor<W>::bytes() {
  std::size_t sum = bytes_of_boxes();
  const auto row = [&sum](const auto&... rows) { ((sum += rows.bytes_needed()), ...); };
  row(m_.trail, stack_, kept_sets_, kept_numbers_, choices_, path_, once_, best_keys_);
  if (list_ != nullptr) row(list_->records, list_->values);
  for (std::size_t k = 0; k < place_count_; ++k) row(places_[k]);
  for (std::size_t k = 0; k < outcome_count_; ++k) sum += outcomes_[k].bytes();
  left_ -= static_cast<std::int64_t>(place_count_ + outcome_count_);
  return sum;
}

// To compare the state with another one, or to exchange them.
template <int W>
std::uint64_t Executor<W>::steps_of_state() const {
  std::uint64_t words = l_.state_sets * std::uint64_t{W} + l_.state_numbers;
  if (l_.stacks)
    for (const std::uint8_t height : m_.heights) words += height;
  return words / 2;
}

// An answer that took much memory leaves none of it to those that come.
template <int W>
void Executor<W>::give_back() {
  if (!took_stock_) return; // it was short
  const auto row = [](auto&... rows) { (rows.give_back(kMostSpareBytes), ...); };
  row(m_.trail, stack_, kept_sets_, kept_numbers_, choices_, path_, once_, best_keys_);
  for (auto& places : places_) row(places);
  for (Outcomes& outcomes : outcomes_)
    if (outcomes.bytes() > kMostSpareBytes) outcomes = Outcomes();
  if (kept_boxes_.size() > kMostSpareBytes / sizeof(Box<W>)) kept_boxes_ = {};
}

} // namespace boardwright::runtime::executor
