// Keys of 64 bits that tell the positions and drafts of a sprint apart.
//
// A key is the sum of a part for each word: a product with the word, both halves of it laid over each other
// (the mixing step of wyhash, Wang Yi). The parts don't wait for each other, and the place of a word says by
// which number it is disturbed first.
#pragma once

#include "runtime/model/random.hpp"
#include "runtime/sprint/sprint_sets.hpp"

#include <cstdint>

namespace boardwright::runtime::machine {

inline constexpr std::uint64_t kKeyFactor = 0xa0761d6478bd642fU, kTextSalt = 0x589965cc75374cc3U;

[[nodiscard]] constexpr std::uint64_t key_salt(std::size_t place) { return mix(place + 1); }

[[nodiscard]] inline std::uint64_t folded(std::uint64_t a) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * kKeyFactor;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

[[nodiscard]] inline std::uint64_t key_part(std::size_t place, std::uint64_t word) {
  return folded(word ^ key_salt(place));
}

// A text goes on with a number: here the order counts.
[[nodiscard]] inline std::uint64_t text_key(std::uint64_t text, std::uint64_t more) {
  return folded(text ^ more ^ kTextSalt);
}

// The places of words, for sprints over sets of so many words.
struct KeyPlaces {
  std::size_t numbers = 0, text = 0, start = 0, gone = 0; // the sets come first
  KeyPlaces(std::size_t state_sets, std::size_t variables, std::size_t words)
      : numbers(state_sets * words), text(numbers + variables), start(text + 1), gone(start + 1) {}
};

} // namespace boardwright::runtime::machine
