// How many moves come from where: numbers by keys of 64 bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace boardwright::runtime::executor {

// Open addressing with linear probing; empty again at the cost of a number. It only grows, up to a number of
// keys, so that a long game can't fill the memory: 2^18 slots are 4 MB.
class MoveCounts {
public:
  static constexpr std::size_t kMostKeys = 1 << 17;

  [[nodiscard]] std::optional<std::uint64_t> find(std::uint64_t key) const {
    if (slots_.empty()) return std::nullopt;
    const Slot& s = slots_[place(key)];
    return s.era == era_ ? std::optional<std::uint64_t>(s.count) : std::nullopt;
  }
  // A number that is too large stays at a bound, which is beyond every limit.
  void add(std::uint64_t key, std::uint64_t count) {
    if (2 * used_ >= slots_.size()) grow();
    Slot& s = slots_[place(key)];
    if (s.era != era_) ++used_;
    const std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    s = {key, static_cast<std::uint32_t>(std::min(count, most)), era_};
  }
  void clear() {
    if (++era_ == 0) { // after four thousand million times the marks begin anew
      slots_.assign(slots_.size(), Slot());
      era_ = 1;
    }
    used_ = 0;
  }
  [[nodiscard]] std::size_t size() const { return used_; }
  [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(Slot); }
  [[nodiscard]] bool full() const { return used_ >= kMostKeys; }

private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t count = 0, era = 0;
  };
  [[nodiscard]] std::size_t place(std::uint64_t key) const {
    std::size_t i = static_cast<std::size_t>(key) & (slots_.size() - 1);
    while (slots_[i].era == era_ && slots_[i].key != key) i = (i + 1) & (slots_.size() - 1);
    return i;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& s : old)
      if (s.era == era_) slots_[place(s.key)] = s;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::uint32_t era_ = 1;
};

} // namespace boardwright::runtime::executor
