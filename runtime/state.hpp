// A position packed for speed: bitboards, one byte a cell, incremental hashes. What the machine changes in
// place.
//
// # Shape
// Pieces are small codes (1 …; 0 is no piece), one for every owner and kind that has a letter. A board
// without stacks keeps its codes in `top` alone. With stacks, `stack` says for each cell where its codes
// stand, from bottom to top, in the machine's arena of bytes; they are never changed there, so taking pieces
// off or laying a stack on an empty cell copies nothing, and going back is to put the old place back.
#pragma once

#include "runtime/bits.hpp"
#include "runtime/position.hpp"
#include "runtime/program.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace boardwright::runtime::machine {

template <int W>
[[nodiscard]] Bits<W> narrow(const CellSet& wide) {
  Bits<W> set;
  for (unsigned i = 0; i < W; ++i) set.word[i] = wide.word[i];
  return set;
}
template <int W>
[[nodiscard]] CellSet widen(const Bits<W>& set) {
  CellSet wide;
  for (unsigned i = 0; i < W; ++i) wide.word[i] = set.word[i];
  return wide;
}

// A part of an arena.
struct Slice {
  std::uint32_t begin = 0, size = 0;
};

[[nodiscard]] constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// Scrambles 64 bits (splitmix64, Sebastiano Vigna): hash keys are made from small numbers, so they are the
// same in every run and on every machine.
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

// Keys of what is hashed by exclusive or; the first argument of `mix` keeps the families apart.
[[nodiscard]] constexpr std::uint64_t piece_key(int cell, std::size_t level, std::uint8_t code) {
  return mix((std::uint64_t{1} << 56) | static_cast<std::uint64_t>(cell) << 24 | level << 8 | code);
}
[[nodiscard]] constexpr std::uint64_t hand_key(std::size_t hand, std::int32_t number) {
  return mix((std::uint64_t{2} << 56) | hand << 32 | static_cast<std::uint32_t>(number));
}
[[nodiscard]] constexpr std::uint64_t variable_key(std::size_t variable, std::int32_t number) {
  return mix((std::uint64_t{3} << 56) | variable << 32 | static_cast<std::uint32_t>(number));
}
template <int W>
[[nodiscard]] constexpr std::uint64_t set_key(std::size_t variable, const Bits<W>& set) {
  std::uint64_t hash = (std::uint64_t{4} << 56) | variable;
  for (const std::uint64_t word : set.word) hash = chain(hash, word);
  return hash;
}
[[nodiscard]] constexpr std::uint64_t turn_key(int to_move, std::uint32_t out) {
  return mix((std::uint64_t{5} << 56) | static_cast<std::uint64_t>(to_move) << 32 | out);
}

// Codes of pieces.
struct Pieces {
  std::vector<Piece> of_code;            // by code; [0] is unused
  std::vector<std::uint8_t> owner_index; // by code: the player, or the number of players for neutral
  std::vector<std::uint8_t> kind;        // by code
  std::vector<std::uint8_t> code;        // by owner_index * kinds + kind; 0: there is no such piece
  int players = 0, kinds = 0;

  explicit Pieces(const Program& program);
  [[nodiscard]] std::uint8_t code_of(int owner, int kind_wanted) const {
    if (kind_wanted < 0 || kind_wanted >= kinds) return 0;
    return code[at((owner < 0 ? players : owner) * kinds + kind_wanted)];
  }
  [[nodiscard]] int owner_of(std::uint8_t piece) const { return of_code[piece].owner; }
};

// The part of the keys that is asked for most: the lowest piece of a cell.
using GroundKeys = std::vector<std::uint64_t>; // by cell * 256 + code; the key of code 0 is 0
[[nodiscard]] GroundKeys ground_keys(int cells);

template <int W>
struct State {
  using Set = Bits<W>;
  Set occupied;
  std::vector<Set> owner; // by owner index: players, then neutral
  std::vector<Set> kind;  // by kind; none if there is one kind only
  std::vector<std::uint8_t> top;
  std::vector<Slice> stack; // of a board with stacks
  std::vector<std::int32_t> hands;
  std::vector<std::int32_t> numbers; // by variable
  std::vector<Set> sets;             // by variable
  std::uint64_t board_hash = 0;      // of the pieces
  std::uint64_t rest_hash = 0;       // of hands and variables
  std::int32_t to_move = 0, ply = 0;
  std::uint32_t out = 0;
  std::vector<std::int32_t> turns;

  // The same for the rules of repetition.
  [[nodiscard]] std::uint64_t hash() const { return board_hash ^ rest_hash ^ turn_key(to_move, out); }

  // Keeps the bitboards in step; the hash and `stack` are the caller's.
  void set_top(const Pieces& pieces, int cell, std::uint8_t now) {
    const std::uint8_t old = top[at(cell)];
    if (old == now) return;
    top[at(cell)] = now;
    if (old != 0) {
      owner[pieces.owner_index[old]].clear(cell);
      if (!kind.empty()) kind[pieces.kind[old]].clear(cell);
    }
    if (now == 0) return occupied.clear(cell);
    occupied.set(cell);
    owner[pieces.owner_index[now]].set(cell);
    if (!kind.empty()) kind[pieces.kind[now]].set(cell);
  }
  void set_hand(std::size_t i, std::int32_t number) {
    rest_hash ^= hand_key(i, hands[i]) ^ hand_key(i, number);
    hands[i] = number;
  }
  void set_number(std::size_t i, std::int32_t number) {
    rest_hash ^= variable_key(i, numbers[i]) ^ variable_key(i, number);
    numbers[i] = number;
  }
  void set_set(std::size_t i, const Set& set) {
    rest_hash ^= set_key(i, sets[i]) ^ set_key(i, set);
    sets[i] = set;
  }

  [[nodiscard]] std::size_t bytes() const {
    return sizeof *this + sizeof(Set) * (owner.size() + kind.size() + sets.size()) + top.size() +
           sizeof(Slice) * stack.size() +
           sizeof(std::int32_t) * (hands.size() + numbers.size() + turns.size());
  }
};

} // namespace boardwright::runtime::machine
