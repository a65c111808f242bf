// What is known of positions that may come about in several ways, in a bounded memory.
//
// A table of buckets: of four entries the one that is worth least gives way, old ones and shallow ones first
// (R. Greenblatt, D. Eastlake, S. Crocker, in the AFIPS conference proceedings, 1967; on replacement D.
// Breuker, J. Uiterwijk, H. van den Herik, Replacement schemes for transposition tables, 1994).
//
// Several threads may use it at once, without locks: the key is kept together with the rest of the entry by
// exclusive or, so that an entry of which two threads have each written a part has no position's key (R.
// Hyatt, T. Mann, A lockless transposition table implementation for parallel search, ICGA Journal 25, 2002).
#pragma once

#include "runtime/search/zeroed_array.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace boardwright::runtime::search {

enum class Bound : std::uint8_t { none, exact, lower, upper };

struct Known {
  std::uint64_t key = 0;
  std::int32_t score = 0;
  std::uint32_t move = kNoMove; // its place in the list of the position
  std::int16_t depth = 0;
  Bound bound = Bound::none;
  std::uint8_t age = 0;
  std::uint32_t label = 0; // of the move (move_order.hpp)

  static constexpr std::uint32_t kNoMove = 0xffffffff;
};
static_assert(sizeof(Known) == 24);

class Transpositions {
public:
  explicit Transpositions(std::size_t bytes)
      : buckets_(std::bit_floor(std::max<std::size_t>(bytes / sizeof(Bucket), 1))) {}

  [[nodiscard]] std::optional<Known> find(std::uint64_t key) {
    for (Words& entry : buckets_[index(key)])
      if (const Known known = read(entry); known.bound != Bound::none && known.key == key) return known;
    return std::nullopt;
  }

  void store(Known known) {
    Bucket& entries = buckets_[index(known.key)];
    known.age = age_;
    Words* worst = nullptr;
    int least = 0;
    for (Words& entry : entries) {
      const Known there = read(entry);
      if (there.bound != Bound::none && there.key == known.key) {
        if (known.move == Known::kNoMove) known.move = there.move, known.label = there.label;
        return write(entry, known);
      }
      if (const int worth = this->worth(there); worst == nullptr || worth < least)
        worst = &entry, least = worth;
    }
    write(*worst, known);
  }

  // Another search: what is there gives way sooner. While nobody searches.
  void grow_old() { ++age_; }
  [[nodiscard]] std::size_t bytes() const { return buckets_.size() * sizeof(Bucket); }

private:
  using Words = std::array<std::uint64_t, sizeof(Known) / sizeof(std::uint64_t)>; // the key is the first
  using Bucket = std::array<Words, 4>;

  [[nodiscard]] static Known read(Words& entry) {
    Words words{};
    for (std::size_t k = 0; k < words.size(); ++k)
      words[k] = std::atomic_ref(entry[k]).load(std::memory_order_relaxed);
    words[0] ^= words[1] ^ words[2];
    return std::bit_cast<Known>(words);
  }
  static void write(Words& entry, const Known& known) {
    auto words = std::bit_cast<Words>(known);
    words[0] ^= words[1] ^ words[2];
    for (std::size_t k = 0; k < words.size(); ++k)
      std::atomic_ref(entry[k]).store(words[k], std::memory_order_relaxed);
  }
  [[nodiscard]] int worth(const Known& known) const {
    if (known.bound == Bound::none) return -1'000'000;
    return known.depth - 8 * static_cast<std::uint8_t>(age_ - known.age);
  }
  [[nodiscard]] std::size_t index(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 20) & (buckets_.size() - 1);
  }

  ZeroedArray<Bucket> buckets_; // of zeros: `bound` is none
  std::uint8_t age_ = 0;
};

} // namespace boardwright::runtime::search
