// Keys of 64 bits, each with a number: which positions have come about how often, which drafts have been
// seen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace boardwright::runtime::executor {

// Open addressing with linear probing; empty again at the cost of a number. A key of 0 stands for 1.
class KeyCounts {
public:
  KeyCounts() : slots_(64) {}

  void clear() {
    if (++era_ == 0) { // after four thousand million times the marks begin anew
      slots_.assign(slots_.size(), Slot());
      era_ = 1;
    }
    used_ = 0;
  }
  [[nodiscard]] std::int32_t count(std::uint64_t key) const {
    const Slot& s = slots_[place(key)];
    return s.era == era_ ? s.count : 0;
  }
  // The number of the key after it is one greater (or smaller).
  std::int32_t add(std::uint64_t key, std::int32_t by = 1) {
    if (2 * used_ >= slots_.size()) grow();
    Slot& s = slots_[place(key)];
    if (s.era != era_) {
      s = {key, 0, era_};
      ++used_;
    }
    return s.count += by;
  }

private:
  struct Slot {
    std::uint64_t key = 0;
    std::int32_t count = 0;
    std::uint32_t era = 0;
  };
  [[nodiscard]] std::size_t place(std::uint64_t key) const {
    std::size_t i = static_cast<std::size_t>(key) & (slots_.size() - 1);
    while (slots_[i].era == era_ && slots_[i].key != key) i = (i + 1) & (slots_.size() - 1);
    return i;
  }
  // Keys whose number has gone back to 0 make room first: a search enters and leaves millions of positions.
  void grow() {
    const auto counts = [this](const Slot& s) { return s.era == era_ && s.count != 0; };
    used_ = static_cast<std::size_t>(std::count_if(slots_.begin(), slots_.end(), counts));
    std::vector<Slot> old(4 * used_ < slots_.size() ? slots_.size() : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& s : old)
      if (counts(s)) slots_[place(s.key)] = s;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::uint32_t era_ = 1;
};

} // namespace boardwright::runtime::executor
