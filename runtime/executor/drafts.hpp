// What positions and drafts are compared by: keys of 64 bits.
//
// A key is the sum of a part for each word of the state: a product with the word, both halves of it laid over
// each other (the mixing step of wyhash, Wang Yi). The parts don't wait for each other, and the place of a
// word says by which number it is disturbed first. What the other words tell has no part: the last kind (all
// other pieces are of it), who is out where that ends the game.
#pragma once

#include "runtime/executor/executor.hpp"

#include <algorithm>

namespace boardwright::runtime::executor {

namespace keys {

constexpr std::uint64_t kFactor = 0xa0761d6478bd642fU;
[[nodiscard]] inline std::uint64_t folded(std::uint64_t a) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * kFactor;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}
[[nodiscard]] constexpr std::uint64_t disturbed_by(std::uint64_t place) {
  return (place + 1) * 0x9e3779b97f4a7c15U ^ 0x589965cc75374cc3U;
}
[[nodiscard]] inline std::uint64_t part(std::uint64_t place, std::uint64_t word) {
  return folded(word ^ disturbed_by(place));
}
constexpr std::uint64_t kNumbers = 1 << 16, kStacks = 2 << 16, kExtra = 1 << 24;
static_assert(kStacks + kMaxCells * (kMaxHeight + 1) <= kExtra);

} // namespace keys

// So many of the first sets tell the board, without stacks.
template <int W>
std::size_t Executor<W>::board_sets() const {
  return at(l_.empty) - (l_.kinds > 0 ? 1 : 0);
}

template <int W>
std::uint64_t Executor<W>::board_key() const {
  std::uint64_t sum = 0;
  if (!l_.stacks) {
    for (std::size_t s = 0; s < board_sets(); ++s)
      for (unsigned k = 0; k < W; ++k) sum += keys::part(s * W + k, m_.sets[s].word[k]);
    return sum;
  }
  const Set occupied = t_.board - m_.sets[l_.empty];
  occupied.each([&](int cell) {
    const std::uint8_t* const codes = m_.codes.data() + at(cell) * at(l_.levels);
    const std::uint64_t place = keys::kStacks + at(cell) * (kMaxHeight + 1);
    for (int level = 0; level < height_of(cell); ++level) sum += keys::part(place + at(level), codes[level]);
  });
  return sum;
}

template <int W>
std::uint64_t Executor<W>::state_key(std::uint64_t board) const {
  std::uint64_t sum = board;
  for (std::size_t s = l_.empty + 1u; s < l_.state_sets; ++s)
    for (unsigned k = 0; k < W; ++k) sum += keys::part(s * W + k, m_.sets[s].word[k]);
  const auto add = [&](std::size_t i) {
    sum += keys::part(keys::kNumbers + i, static_cast<std::uint32_t>(m_.numbers[i]));
  };
  for (std::size_t i = 0; i < l_.ply; ++i) add(i);
  add(l_.to_move);
  if (l_.players > 2) add(l_.out);
  return sum;
}

template <int W>
std::uint64_t Executor<W>::repetition_key(std::uint64_t board) const {
  std::uint64_t sum = state_key(board);
  for (const ir::Reg i : l_.clocks)
    sum -= keys::part(keys::kNumbers + i, static_cast<std::uint32_t>(m_.numbers[i]));
  return sum;
}

// What the repetition key is made of, for native code.
template <int W>
codegen::KeyParts Executor<W>::key_parts() const {
  codegen::KeyParts key;
  if (l_.stacks) return key;
  key.factor = keys::kFactor;
  const auto number = [&](std::size_t i) {
    key.parts.push_back({true, static_cast<std::uint32_t>(i), keys::disturbed_by(keys::kNumbers + i)});
  };
  for (std::size_t s = 0; s < l_.state_sets; ++s)
    for (unsigned k = 0; k < W && (s < board_sets() || s > l_.empty); ++k)
      key.parts.push_back({false, static_cast<std::uint32_t>(s * W + k), keys::disturbed_by(s * W + k)});
  for (std::size_t i = 0; i < l_.ply; ++i)
    if (std::find(l_.clocks.begin(), l_.clocks.end(), i) == l_.clocks.end()) number(i);
  if (l_.players > 2) number(l_.out);
  key.board_parts = board_sets() * W;
  for (int p = 0; p < l_.players; ++p) {
    key.of_mover.push_back(keys::part(keys::kNumbers + l_.to_move, static_cast<std::uint32_t>(p)));
  }
  return key;
}

// To work out the key of a draft, beside what is known of the rules (passes/loop_costs.cpp).
template <int W>
std::uint64_t Executor<W>::steps_of_draft(int key) const {
  std::uint64_t steps = steps_of_state();
  for (const ir::Reg r : code_.keys[at(key)].boxes) steps += m_.boxes[r].bytes() / 4;
  return steps;
}

template <int W>
std::uint64_t Executor<W>::draft_key(int key, bool same_state) const {
  const ir::DraftKey& k = code_.keys[at(key)];
  std::uint64_t sum = same_state ? 0 : state_key();
  std::uint64_t place = keys::kExtra;
  const auto add = [&](std::uint64_t word) { sum += keys::part(place++, word); };
  if (!same_state) {
    add(static_cast<std::uint32_t>(m_.numbers[l_.again]));
    add(static_cast<std::uint32_t>(m_.numbers[l_.decision] != 0 ? m_.numbers[l_.winners] + 1 : 0));
    const std::int32_t carried = m_.numbers[l_.air];
    add(static_cast<std::uint32_t>(carried));
    for (std::int32_t i = 0; l_.stacks && i < carried; ++i) add(m_.air[at(i)]);
  }
  for (const ir::Reg r : k.numbers) add(static_cast<std::uint32_t>(m_.numbers[r]));
  for (const ir::Reg r : k.sets)
    for (unsigned w = 0; w < W; ++w) add(m_.sets[r].word[w]);
  for (const ir::Reg r : k.boxes) {
    const Box<W>& b = m_.boxes[r];
    for (const std::int32_t v : {b.map.valid ? 1 : 0, b.map.xx, b.map.xy, b.map.yx, b.map.yy, b.map.over,
                                 b.map.px, b.map.py, b.map.dx, b.map.dy})
      add(static_cast<std::uint32_t>(v));
    add(b.numbers.size());
    for (const std::int32_t v : b.numbers) add(static_cast<std::uint32_t>(v));
    for (const Set& s : b.sets)
      for (unsigned w = 0; w < W; ++w) add(s.word[w]);
  }
  return sum;
}

template <int W>
std::int32_t Executor<W>::repeats(bool at_beginning) const {
  return positions_.count(at_beginning ? key_at_beginning_ : repetition_key());
}

// Within a turn the position at its beginning is one that the board has been in.
template <int W>
std::int32_t Executor<W>::board_repeats(bool moving) const {
  const std::uint64_t now = board_key();
  return boards_.count(now) + (moving && now == board_at_beginning_ ? 1 : 0);
}

template <int W>
bool Executor<W>::changed() const {
  for (std::size_t s = 0; s <= l_.empty; ++s)
    if (!(m_.sets[s] == beginning_.sets[s])) return true;
  for (std::size_t i = l_.hands; i < l_.ply; ++i)
    if (m_.numbers[i] != beginning_.numbers[i]) return true;
  if (!l_.stacks) return false;
  if (m_.heights != beginning_.heights) return true;
  for (int cell = 0; cell < l_.cells; ++cell)
    for (int level = 0; level < height_of(cell); ++level) {
      const std::size_t k = at(cell) * at(l_.levels) + at(level);
      if (m_.codes[k] != beginning_.codes[k]) return true;
    }
  return false;
}

template <int W>
bool Executor<W>::path_enter(const I& i) {
  // A repetition within another has its own drafts among the other's: which key it is tells them apart.
  charge(i.y != 0 ? 1 : steps_of_draft(i.c));
  const std::uint64_t key = chain(draft_key(i.c, i.y != 0), i.c);
  const auto begin = path_.begin() + m_.numbers[i.a];
  charge(static_cast<std::uint64_t>(path_.end() - begin) / 2);
  if (std::find(begin, path_.end(), key) != path_.end()) return false;
  path_.push_back(key);
  return true;
}

template <int W>
bool Executor<W>::visit(const I& i) {
  charge(i.y != 0 ? 1 : steps_of_draft(i.c));
  return places_[at(m_.numbers[i.a])].add(draft_key(i.c, i.y != 0)) == 1;
}

// Of outcomes that are equal but for the notation the one with the shortest counts, then the first in order.
template <int W>
void Executor<W>::note_outcome(const I& i) {
  Outcomes& o = outcomes_[at(m_.numbers[i.a])];
  charge(steps_of_draft(i.c) + text_.size() / kBytesPerStep);
  const std::uint64_t key = draft_key(i.c);
  const std::string_view text = text_.view();
  const auto known = o.places.find(key);
  if (!known) {
    o.places.add(key, o.best.size());
    o.best.push_back({o.texts.size(), text.size()});
    o.texts += text;
    return;
  }
  auto& best = o.best[*known];
  if (std::pair(text.size(), text) >= std::pair(best.size, o.text(best))) return;
  o.texts.replace(best.begin, text.size(), text); // it is no longer than the other
  best.size = text.size();
}

template <int W>
bool Executor<W>::keeps_outcome(const I& i) {
  Outcomes& o = outcomes_[at(m_.numbers[i.a])];
  charge(steps_of_draft(i.c) + text_.size() / kBytesPerStep);
  const auto known = o.places.find(draft_key(i.c));
  if (!known || o.best[*known].passed || o.text(o.best[*known]) != text_.view()) return false;
  return o.best[*known].passed = true;
}

template <int W>
void Executor<W>::snapshot() {
  beginning_.sets.assign(m_.sets.begin(), m_.sets.begin() + l_.state_sets);
  beginning_.numbers.assign(m_.numbers.begin(), m_.numbers.begin() + l_.state_numbers);
  beginning_.codes = m_.codes;
  beginning_.heights = m_.heights;
}

// The board, hands and variables; counters are the same.
template <int W>
void Executor<W>::swap_with_beginning() {
  viewing_ = !viewing_;
  std::swap_ranges(beginning_.sets.begin(), beginning_.sets.end(), m_.sets.begin());
  std::swap_ranges(beginning_.numbers.begin(), beginning_.numbers.begin() + l_.ply, m_.numbers.begin());
  std::swap_ranges(beginning_.codes.begin(), beginning_.codes.end(), m_.codes.begin());
  std::swap_ranges(beginning_.heights.begin(), beginning_.heights.end(), m_.heights.begin());
}

} // namespace boardwright::runtime::executor
