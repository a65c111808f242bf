// What is known of positions that may come about in several ways, in a bounded memory.
//
// A table of buckets: of four entries the one that is worth least gives way, old ones and shallow ones first
// (R. Greenblatt, D. Eastlake, S. Crocker, in the AFIPS conference proceedings, 1967; on replacement D.
// Breuker, J. Uiterwijk, H. van den Herik, Replacement schemes for transposition tables, 1994).
#pragma once

#include "runtime/search/zeroed_array.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

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

  [[nodiscard]] const Known* find(std::uint64_t key) const {
    for (const Known& known : bucket(key))
      if (known.bound != Bound::none && known.key == key) return &known;
    return nullptr;
  }

  void store(Known known) {
    Bucket& entries = buckets_[index(known.key)];
    known.age = age_;
    Known* worst = &entries[0];
    for (Known& entry : entries) {
      if (entry.bound != Bound::none && entry.key == known.key) {
        if (known.move == Known::kNoMove) known.move = entry.move, known.label = entry.label;
        entry = known;
        return;
      }
      if (worth(entry) < worth(*worst)) worst = &entry;
    }
    *worst = known;
  }

  // Another search: what is there gives way sooner.
  void grow_old() { ++age_; }
  void clear() { buckets_ = ZeroedArray<Bucket>(buckets_.size()); }
  [[nodiscard]] std::size_t bytes() const { return buckets_.size() * sizeof(Bucket); }

private:
  using Bucket = std::array<Known, 4>;
  [[nodiscard]] int worth(const Known& known) const {
    if (known.bound == Bound::none) return -1'000'000;
    return known.depth - 8 * static_cast<std::uint8_t>(age_ - known.age);
  }
  [[nodiscard]] std::size_t index(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 20) & (buckets_.size() - 1);
  }
  [[nodiscard]] const Bucket& bucket(std::uint64_t key) const { return buckets_[index(key)]; }

  ZeroedArray<Bucket> buckets_; // of zeros: `bound` is none
  std::uint8_t age_ = 0;
};

} // namespace boardwright::runtime::search
