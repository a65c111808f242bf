// How many moves come from where: numbers of 64 bits by keys of 64 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boardwright::runtime::executor {

// Open addressing with linear probing. It only grows, up to a number of keys; then it begins anew, so that a
// long game can't fill the memory: 2^17 slots are 2 MB.
class MoveCounts {
public:
  static constexpr std::size_t kMostKeys = 1 << 16;

  // Null: not known.
  [[nodiscard]] const std::uint64_t* find(std::uint64_t key) const {
    if (slots_.empty()) return nullptr;
    const Slot& s = slots_[place(key)];
    return s.key == key ? &s.count : nullptr;
  }
  void add(std::uint64_t key, std::uint64_t count) {
    if (used_ >= kMostKeys) slots_.clear(), used_ = 0;
    if (2 * used_ >= slots_.size()) grow();
    Slot& s = slots_[place(key)];
    if (s.key != key) ++used_;
    s = {key, count};
  }
  [[nodiscard]] std::size_t size() const { return used_; }

private:
  struct Slot {
    std::uint64_t key = 0; // none: no caller's key is 0
    std::uint64_t count = 0;
  };
  [[nodiscard]] std::size_t place(std::uint64_t key) const {
    std::size_t i = static_cast<std::size_t>(key) & (slots_.size() - 1);
    while (slots_[i].key != 0 && slots_[i].key != key) i = (i + 1) & (slots_.size() - 1);
    return i;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& s : old)
      if (s.key != 0) slots_[place(s.key)] = s;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

} // namespace boardwright::runtime::executor
