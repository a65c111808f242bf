// A set of small numbers (cells, steps) as W words of 64 bits: a bitboard.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace boardwright::runtime {

// The place of the bit of a word before which there are n others. One instruction where the processor has it;
// by the compilers' own name, since the header of intrinsics is longer than all else that a file includes.
[[nodiscard]] constexpr int nth_of(std::uint64_t word, int n) {
#ifdef __BMI2__
  if (!std::is_constant_evaluated())
    return std::countr_zero(__builtin_ia32_pdep_di(std::uint64_t{1} << n, word));
#endif
  while (n-- > 0) word &= word - 1;
  return std::countr_zero(word);
}

template <int W>
struct Bits {
  static constexpr int kWords = W;
  static constexpr int kSize = W * 64;

  std::array<std::uint64_t, W> word{};

  [[nodiscard]] static constexpr Bits of(int i) {
    Bits b;
    b.set(i);
    return b;
  }
  constexpr void set(int i) { word[static_cast<unsigned>(i) >> 6] |= std::uint64_t{1} << (i & 63); }
  constexpr void clear(int i) { word[static_cast<unsigned>(i) >> 6] &= ~(std::uint64_t{1} << (i & 63)); }
  [[nodiscard]] constexpr bool test(int i) const {
    return (word[static_cast<unsigned>(i) >> 6] >> (i & 63) & 1) != 0;
  }
  [[nodiscard]] constexpr bool any() const {
    std::uint64_t all = 0;
    for (int k = 0; k < W; ++k) all |= word[static_cast<unsigned>(k)];
    return all != 0;
  }
  [[nodiscard]] constexpr bool none() const { return !any(); }
  [[nodiscard]] constexpr int count() const {
    int n = 0;
    for (int k = 0; k < W; ++k) n += std::popcount(word[static_cast<unsigned>(k)]);
    return n;
  }
  // The lowest member, or -1.
  [[nodiscard]] constexpr int first() const {
    for (int k = 0; k < W; ++k)
      if (word[static_cast<unsigned>(k)] != 0)
        return k * 64 + std::countr_zero(word[static_cast<unsigned>(k)]);
    return -1;
  }
  // The highest member, or -1.
  [[nodiscard]] constexpr int last() const {
    for (int k = W - 1; k >= 0; --k)
      if (word[static_cast<unsigned>(k)] != 0)
        return k * 64 + 63 - std::countl_zero(word[static_cast<unsigned>(k)]);
    return -1;
  }
  [[nodiscard]] constexpr Bits only_first() const {
    const int i = first();
    return i < 0 ? Bits() : of(i);
  }
  [[nodiscard]] constexpr bool within(const Bits& other) const { return (*this - other).none(); }

  constexpr Bits& operator|=(const Bits& o) {
    for (unsigned k = 0; k < W; ++k) word[k] |= o.word[k];
    return *this;
  }
  constexpr Bits& operator&=(const Bits& o) {
    for (unsigned k = 0; k < W; ++k) word[k] &= o.word[k];
    return *this;
  }
  constexpr Bits& operator-=(const Bits& o) { // set difference
    for (unsigned k = 0; k < W; ++k) word[k] &= ~o.word[k];
    return *this;
  }
  friend constexpr Bits operator|(Bits a, const Bits& b) { return a |= b; }
  friend constexpr Bits operator&(Bits a, const Bits& b) { return a &= b; }
  friend constexpr Bits operator^(Bits a, const Bits& b) {
    for (unsigned k = 0; k < W; ++k) a.word[k] ^= b.word[k];
    return a;
  }
  friend constexpr Bits operator-(Bits a, const Bits& b) { return a -= b; }
  friend constexpr bool operator==(const Bits& a, const Bits& b) {
    std::uint64_t differ = 0; // the array's own comparison is a call
    for (unsigned k = 0; k < W; ++k) differ |= a.word[k] ^ b.word[k];
    return differ == 0;
  }
  friend constexpr auto operator<=>(const Bits&, const Bits&) = default;

  // Every member moved up by n, which may be negative; what leaves the range is lost.
  [[nodiscard]] constexpr Bits moved(int n) const {
    Bits result;
    const int words = (n < 0 ? -n : n) / 64, bits = (n < 0 ? -n : n) % 64;
    for (int k = 0; k < W; ++k) {
      const int from = n < 0 ? k + words : k - words;
      const int beside = n < 0 ? from + 1 : from - 1;
      std::uint64_t w = 0;
      if (from >= 0 && from < W)
        w = n < 0 ? word[static_cast<unsigned>(from)] >> bits : word[static_cast<unsigned>(from)] << bits;
      if (bits != 0 && beside >= 0 && beside < W)
        w |= n < 0 ? word[static_cast<unsigned>(beside)] << (64 - bits)
                   : word[static_cast<unsigned>(beside)] >> (64 - bits);
      result.word[static_cast<unsigned>(k)] = w;
    }
    return result;
  }
  // The member before which there are n others; n must be less than count().
  [[nodiscard]] constexpr int nth(int n) const {
    for (int k = 0; k < W; ++k) {
      std::uint64_t w = word[static_cast<unsigned>(k)];
      const int here = std::popcount(w);
      if (n >= here) {
        n -= here;
        continue;
      }
      return k * 64 + nth_of(w, n);
    }
    return -1;
  }

  // Calls f(i) for every member, lowest first.
  template <class F>
  constexpr void each(F&& f) const {
    for (int k = 0; k < W; ++k)
      for (std::uint64_t w = word[static_cast<unsigned>(k)]; w != 0; w &= w - 1)
        f(k * 64 + std::countr_zero(w));
  }
};

} // namespace boardwright::runtime
