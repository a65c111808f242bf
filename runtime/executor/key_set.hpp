// Keys of 64 bits, each with a number: which positions have come about how often, which drafts have been
// seen.
#pragma once

#include "runtime/codegen/native_code.hpp"
#include "runtime/executor/buffer.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace boardwright::runtime::executor {

// Open addressing with linear probing; empty again at the cost of a number. Native code looks keys up and
// counts them too: codegen::KeyTable says where the parts are.
class KeyCounts {
public:
  KeyCounts() { make(64); }

  void clear() {
    if (++era_ == 0) { // after four thousand million times the marks begin anew
      make(slots_.size());
      era_ = 1;
    }
    used_ = 0;
    most_ = 0;
  }
  // No key's number is greater. (It may have been, and be smaller by now.)
  [[nodiscard]] std::int32_t most() const { return most_; }
  [[nodiscard]] std::int32_t count(std::uint64_t key) const {
    const Slot& s = slots_[place(key)];
    return s.era == era_ ? s.count : 0;
  }
  // The number of the key after it is one greater (or smaller).
  std::int32_t add(std::uint64_t key, std::int32_t by = 1) {
    if (2 * used_ > mask_) grow();
    Slot& s = slots_[place(key)];
    if (s.era != era_) {
      s = {key, 0, era_};
      ++used_;
    }
    s.count += by;
    most_ = std::max(most_, s.count);
    return s.count;
  }

  // Half of the slots are free at least; where there must be more, the old ones are there for a while, too.
  [[nodiscard]] std::size_t bytes_needed() const {
    return 3 * std::bit_ceil(static_cast<std::size_t>(used_) + kSoon) * sizeof(Slot);
  }
  // So many may come before somebody looks again.
  static constexpr std::size_t kSoon = 4096;
  // If it has more slots than so many bytes, most of which aren't needed, it keeps few.
  void give_back(std::size_t most) {
    if (slots_.size() * sizeof(Slot) <= most || 8 * used_ > slots_.size()) return;
    slots_ = Buffer<Slot>();
    make(64);
    used_ = 0;
  }

private:
  struct Slot {
    std::uint64_t key;
    std::int32_t count;
    std::uint32_t era;
  };
  using Table = codegen::KeyTable;
  static_assert(sizeof(Slot) == Table::kSlotBytes && offsetof(Slot, count) == Table::kCount &&
                offsetof(Slot, era) == Table::kEraOfSlot);
  // Where pointers have fewer than 64 bits there is no native code that would read it.
  static void check_table() {
    static_assert(sizeof(void*) < 8 ||
                  (std::is_standard_layout_v<KeyCounts> && Buffer<Slot>::kBegin == 0 &&
                   offsetof(KeyCounts, slots_) == Table::kSlots &&
                   offsetof(KeyCounts, mask_) == Table::kMask && offsetof(KeyCounts, used_) == Table::kUsed &&
                   offsetof(KeyCounts, era_) == Table::kEra && offsetof(KeyCounts, most_) == Table::kMost));
  }
  [[nodiscard]] std::size_t place(std::uint64_t key) const {
    std::size_t i = static_cast<std::size_t>(key) & mask_;
    while (slots_[i].era == era_ && slots_[i].key != key) i = (i + 1) & mask_;
    return i;
  }
  // So many slots (a power of two), all of them empty.
  void make(std::size_t slots) {
    slots_.resize(slots);
    std::fill(slots_.begin(), slots_.end(), Slot{0, 0, 0});
    mask_ = slots - 1;
  }
  // Keys whose number has gone back to 0 make room first: a search enters and leaves millions of positions.
  void grow() {
    const auto counts = [this](const Slot& s) { return s.era == era_ && s.count != 0; };
    used_ = static_cast<std::size_t>(std::count_if(slots_.begin(), slots_.end(), counts));
    const Buffer<Slot> old(slots_);
    make(4 * used_ < old.size() ? old.size() : 2 * old.size());
    for (const Slot& s : old)
      if (counts(s)) slots_[place(s.key)] = s;
  }

  Buffer<Slot> slots_;
  std::uint64_t mask_ = 0; // slots less one
  std::uint64_t used_ = 0;
  std::uint32_t era_ = 1;
  std::int32_t most_ = 0;
};

// The keys that have come lately, in bounded memory: where there is no room for one more it takes that of
// another. So one that has come may be taken for new, never the other way round.
class LatestKeys {
public:
  // Eight bytes each: 128 MiB, twelve million keys before one in ten has gone.
  static constexpr std::size_t kMostSlots = std::size_t{1} << 24;

  explicit LatestKeys(std::size_t most_slots = kMostSlots) : most_slots_(most_slots) {}

  void clear() { slots_.clear(); }
  // Is it new?
  bool add(std::uint64_t key) {
    if (key == 0) key = 1; // 0: an empty slot
    while (true) {
      if (slots_.empty()) make(kLeastSlots);
      std::uint64_t* const bucket = slots_.data() + (key & (slots_.size() / kBucket - 1)) * kBucket;
      for (std::size_t k = 0; k < kBucket; ++k) {
        if (bucket[k] == key) return false;
        if (bucket[k] != 0) continue;
        bucket[k] = key;
        return true;
      }
      if (slots_.size() < most_slots_) {
        grow();
        continue;
      }
      bucket[key >> 61] = key;
      return true;
    }
  }
  // While it grows the old ones are there, too.
  [[nodiscard]] std::size_t bytes_needed() const { return slots_.size() * sizeof(std::uint64_t) * 3 / 2; }
  void give_back(std::size_t most) {
    if (slots_.size() * sizeof(std::uint64_t) > most) slots_ = Buffer<std::uint64_t>();
  }

private:
  static constexpr std::size_t kBucket = 8, kLeastSlots = 1024; // a bucket is a line of the cache

  // So many slots (a power of two), all of them empty.
  void make(std::size_t slots) {
    slots_.resize(slots);
    std::fill(slots_.begin(), slots_.end(), 0);
  }
  // Keys of one bucket fall into two.
  void grow() {
    const Buffer<std::uint64_t> old(std::move(slots_));
    make(2 * old.size());
    for (const std::uint64_t key : old)
      if (key != 0) (void)add(key);
  }

  Buffer<std::uint64_t> slots_;
  std::size_t most_slots_;
};

// Drafts that have been visited: all of them, or the latest.
struct VisitedDrafts {
  KeyCounts all;
  LatestKeys latest;

  void clear() { all.clear(), latest.clear(); }
  [[nodiscard]] std::size_t bytes_needed() const { return all.bytes_needed() + latest.bytes_needed(); }
  void give_back(std::size_t most) { all.give_back(most), latest.give_back(most); }
};

} // namespace boardwright::runtime::executor
