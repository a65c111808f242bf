// Hashes of texts that are put together from pieces: the hash of a text doesn't depend on where it was cut.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace boardwright::runtime::machine {

// Arithmetic modulo the prime 2^61 - 1.
inline constexpr std::uint64_t kTextModulus = (std::uint64_t{1} << 61) - 1;
inline constexpr std::uint64_t kTextBase = 0x1b873593cc9e2d51U % kTextModulus;

[[nodiscard]] constexpr std::uint64_t reduce_text(std::uint64_t x) {
  return x >= kTextModulus ? x - kTextModulus : x;
}
[[nodiscard]] constexpr std::uint64_t multiply_text(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return reduce_text(static_cast<std::uint64_t>(product & kTextModulus) +
                     static_cast<std::uint64_t>(product >> 61));
}

// A string with its hash: h(s + t) = h(s) * power(t) + h(t).
struct Word {
  std::uint64_t hash = 0, power = 1;
  std::string chars;

  Word() = default;
  explicit Word(std::string_view text) : chars(text) {
    for (const char c : text) {
      hash = reduce_text(multiply_text(hash, kTextBase) + static_cast<unsigned char>(c));
      power = multiply_text(power, kTextBase);
    }
  }
  [[nodiscard]] std::uint64_t after(std::uint64_t text) const {
    return reduce_text(multiply_text(text, power) + hash);
  }
};

} // namespace boardwright::runtime::machine
