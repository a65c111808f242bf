// What an answer may take (model/limits.hpp): steps and bytes, and how long somebody waits. What it takes
// comes on the account of the command that it is for (model/meter.hpp), too.
//
// Rounds of loops are counted by what leads back (Instruction::cost), operations by themselves where it
// depends on the data how long they take (Machine::work). Whenever a stretch of steps is over, stock is
// taken: of the steps, of the rows that have grown meanwhile, and of the limits that the asker has set.
// Between two looks at them rows grow by little, because whatever makes them grow is counted. So everything
// that goes on has a bound, whichever operation it is, and what is counted doesn't depend on the machine.
#pragma once

#include "runtime/executor/machine.hpp"

#include <algorithm>
#include <bit>

namespace boardwright::runtime::executor {

// Steps between two looks: some tenth of a millisecond.
inline constexpr std::int64_t kStretch = 1 << 16;
// A row that has room for more gives it back after an answer.
inline constexpr std::size_t kMostSpareBytes = std::size_t{8} << 20;

// What has been done since the last time comes on the machine's account.
template <int W>
void count_up(Machine<W>& m) {
  m.account.steps += static_cast<std::uint64_t>(std::max<std::int64_t>(m.counted - m.left, 0));
  m.counted = m.left;
}

// An answer that goes on with another one has spent steps already. (Most answers are short: a move is played
// in some tens of nanoseconds, so what is seldom has a function of its own.)
template <int W>
[[gnu::always_inline]] inline void begin_answer(Machine<W>& m, std::uint64_t spent = 0) {
  count_up(m);
  m.account.steps += kStepsOfAnswer;
  m.earlier_steps = m.all_steps() + kStepsOfAnswer;
  m.spent = spent;
  m.left = m.counted = kStretch;
  m.begun = kStretch + static_cast<std::int64_t>(spent);
  m.stopped = m.took_stock = m.seeking_best = false;
  m.far_bytes = 0;
  if (m.account.steps >= static_cast<std::uint64_t>(kStretch) || Meter::gave_up()) [[unlikely]]
    begin_settled(m);
}

template <int W>
std::uint32_t find_price(const Tables<W>& tables); // price.hpp

// Steps come on the account of the command at the price of the rules. False: it has none left.
template <int W>
[[nodiscard]] bool pay(Machine<W>& m) {
  const Meter* const meter = Meter::current();
  if (!m.priced || meter == nullptr || meter->is_lifted()) return m.account.settle(kWholePrice);
  return m.account.settle(m.tables.price.get([&m] { return find_price(m.tables); }));
}

// If the command has nothing left stock is taken at once.
template <int W>
[[gnu::noinline]] void begin_settled(Machine<W>& m) {
  if (pay(m)) return;
  m.begun -= m.left;
  m.left = m.counted = 0;
}

template <int W>
[[nodiscard]] bool is_over(const Machine<W>& m) {
  if (m.patience.is_over()) return true;
  if (const Meter* meter = Meter::current(); meter != nullptr && meter->is_stopped()) return true;
  return !m.running_game && m.limits != nullptr && m.limits->over();
}

// False: the command has no steps left.
template <int W>
[[nodiscard]] bool settled(Machine<W>& m) {
  count_up(m);
  return pay(m);
}

// What has grown beyond the caches since the last look: it is cleared for us, and waited for at each access.
// A row that has doubled may be worth more steps than are left; then it is over, and the rest isn't counted.
template <int W>
void charge_growth(Machine<W>& m, std::size_t bytes) {
  constexpr std::size_t kInCaches = std::size_t{8} << 20, kBytesInAStep = 2;
  const std::size_t far = std::max(bytes, kInCaches) - kInCaches;
  const std::uint64_t left = kMaxWork + 1 - std::min(m.steps(), kMaxWork);
  if (far > m.far_bytes) m.charge(std::min<std::uint64_t>((far - m.far_bytes) / kBytesInAStep, left));
  m.far_bytes = far;
}

// False: it must not go on.
template <int W>
bool take_stock(Machine<W>& m, const I& i) {
  const std::size_t all_bytes = bytes(m);
  charge_growth(m, all_bytes);
  const std::uint64_t done = m.steps();
  m.took_stock = true;
  if (m.fault) return false;
  if (done > kMaxWork) {
    m.fail(i, "this takes too long: more than " + std::to_string(kMaxWork) + " steps for one position");
  } else if (all_bytes > kMaxBytes) {
    m.fail(i,
           "this takes too much memory: more than " + std::to_string(kMaxBytes) + " bytes for one position");
  } else if (!settled(m)) {
    m.fail(i, "this takes too long: a command may take " + std::to_string(kMaxCommandSteps) + " steps");
  } else if (is_over(m)) {
    stop(m, i);
  }
  // The last stretch ends where the limit is, so that it is met to the step.
  const std::uint64_t rest = kMaxWork - std::min(done, kMaxWork);
  const std::int64_t next = std::min(kStretch, static_cast<std::int64_t>(rest));
  count_up(m);
  m.begun += next - m.left;
  m.left = m.counted = next;
  return !m.fault;
}

// Nobody knows yet which moves of those that are compared would count.
template <int W>
void stop(Machine<W>& m, const I& i) {
  if (m.seeking_best) forget_moves(m, m.best_found.data());
  m.stopped = true;
  m.fail(i, "stopped");
}

template <int W>
std::size_t bytes_of_boxes(Machine<W>& m) {
  std::size_t sum = m.spilled_box_bytes + m.spilled_boxes.size() * sizeof(Box<W>) + m.old_box_bytes;
  for (const Box<W>& box : m.boxes) sum += box.bytes();
  // To look at them takes as long as some steps.
  m.left -= static_cast<std::int64_t>(m.boxes.size() / 4);
  return sum;
}

// What the rows have that grow while an answer is found, with the room that they take to grow. It is what
// they need, not what they have had room for before, so that it is the same for every executor.
template <int W>
std::size_t bytes(Machine<W>& m) {
  std::size_t sum = bytes_of_boxes(m);
  const auto row = [&sum](const auto&... rows) { ((sum += rows.bytes_needed()), ...); };
  row(m.trail, m.stack, m.spilled_sets, m.spilled_numbers, m.choices, m.path, m.once, m.best_keys);
  if (m.list != nullptr) row(m.list->records, m.list->values);
  for (std::size_t k = 0; k < m.places.begun(); ++k) row(m.places[k]);
  for (std::size_t k = 0; k < m.outcomes.begun(); ++k) sum += m.outcomes[k].bytes();
  m.left -= static_cast<std::int64_t>(m.places.begun() + m.outcomes.begun());
  return sum;
}

// Cells with pieces are looked at one by one where there are stacks: each takes as long as so many words do.
inline constexpr std::uint64_t kWordsPerStack = 3;

// What the state is made of.
template <int W>
[[nodiscard]] std::uint64_t words_of_state(const Machine<W>& m) {
  std::uint64_t words = m.layout.state_sets * std::uint64_t{W} + m.layout.state_numbers;
  if (m.layout.stacks)
    for (const std::uint8_t height : m.heights) words += height > 0 ? kWordsPerStack + height : 0;
  return words;
}

// To compare the state with another one, or to exchange them.
template <int W>
[[nodiscard]] std::uint64_t steps_of_state(const Machine<W>& m) {
  return words_of_state(m) / 2;
}

// An answer that took much memory leaves none of it to those that come.
template <int W>
void give_back(Machine<W>& m) {
  count_up(m);
  if (!m.took_stock) return; // it was short
  m.once.clear();            // by which moves were compared: the next list begins without
  m.best_keys.clear();
  const auto row = [](auto&... rows) { (rows.give_back(kMostSpareBytes), ...); };
  row(m.trail, m.stack, m.spilled_sets, m.spilled_numbers, m.choices, m.path, m.once, m.best_keys);
  for (auto& places : m.places.all()) row(places);
  for (Outcomes& outcomes : m.outcomes.all())
    if (outcomes.bytes() > kMostSpareBytes) outcomes = Outcomes();
  if (m.spilled_boxes.size() > kMostSpareBytes / sizeof(Box<W>)) m.spilled_boxes = {};
}

} // namespace boardwright::runtime::executor
