// Random numbers.
#pragma once

#include <cstdint>

namespace boardwright::runtime {

// Scrambles 64 bits (splitmix64, Sebastiano Vigna): the same in every run and on every machine.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

// Adds a number to a hash; order matters.
[[nodiscard]] constexpr std::uint64_t chain(std::uint64_t hash, std::uint64_t value) {
  return mix(hash * 0x2545f4914f6cdd1dU + value);
}

// A small, fast, well-mixed generator (wyrand, Wang Yi): 64 bits a call. The same seed gives the same stream.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  // A generator made with it goes on like this one.
  [[nodiscard]] std::uint64_t state() const { return state_; }
  // Evenly from 0 to n - 1 (Lemire's bound); n > 0.
  std::uint64_t below(std::uint64_t n);

private:
  std::uint64_t state_;
};

inline std::uint64_t Random::next() {
  state_ += 0xa0761d6478bd642fU;
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(state_) * (state_ ^ 0xe7037ed1a0b428dbU);
  return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
}

// The high half of the product is even but for products whose low half falls into an uneven rest: those are
// redone.
inline std::uint64_t Random::below(std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next()) * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t rest = (0 - n) % n;
    while (static_cast<std::uint64_t>(product) < rest) product = static_cast<Wide>(next()) * n;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

} // namespace boardwright::runtime
