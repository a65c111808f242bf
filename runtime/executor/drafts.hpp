// What positions and drafts are compared by: keys of 64 bits.
//
// A key is the sum of a part for each word of the state: a product with the word, both halves of it laid over
// each other (the mixing step of wyhash, Wang Yi). The parts don't wait for each other, and the place of a
// word says by which number it is disturbed first. What the other words tell has no part: the last kind (all
// other pieces are of it), who is out where that ends the game.
#pragma once

#include "runtime/executor/machine.hpp"

#include <algorithm>
#include <cstring>

namespace boardwright::runtime::executor {

namespace keys {

constexpr std::uint64_t kFactor = 0xa0761d6478bd642fU;
[[nodiscard]] inline std::uint64_t folded(std::uint64_t a) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * kFactor;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}
constexpr std::uint64_t kDisturbTimes = 0x9e3779b97f4a7c15U, kDisturbWith = 0x589965cc75374cc3U;
[[nodiscard]] constexpr std::uint64_t disturbed_by(std::uint64_t place) {
  return (place + 1) * kDisturbTimes ^ kDisturbWith;
}
[[nodiscard]] inline std::uint64_t part(std::uint64_t place, std::uint64_t word) {
  return folded(word ^ disturbed_by(place));
}
constexpr std::uint64_t kNumbers = 1 << 16, kStacks = 2 << 16, kExtra = 1 << 24;
// Of a move's result, beside the state: what has been written, how it ends, whether the same player goes on.
constexpr std::uint64_t kWritten = kExtra - 1, kEnding = kExtra - 2, kAgain = kExtra - 3;
// Of a draft, beside that: the cells whose leaving isn't written yet.
constexpr std::uint64_t kGone = kExtra - 32;
static_assert(kStacks + kMaxCells * (kMaxHeight + 1) <= kGone && kGone + kMaxCells / 64 < kAgain);

} // namespace keys

// The codes of the lowest of so many pieces, eight at the most, as one word: a part of the key for each takes
// three times as long.
[[nodiscard]] inline std::uint64_t word_of_codes(const std::uint8_t* codes, int left) {
  std::uint64_t word = 0;
  std::memcpy(&word, codes, at(std::min(left, codegen::kCodesInWord)));
  return word;
}

// So many of the first sets tell the board, without stacks.
template <int W>
[[nodiscard]] std::size_t board_sets(const Machine<W>& m) {
  return at(m.layout.empty) - (m.layout.kinds > 0 ? 1 : 0);
}

template <int W>
[[nodiscard]] std::uint64_t board_key(const Machine<W>& m) {
  std::uint64_t sum = 0;
  if (!m.layout.stacks) {
    for (std::size_t s = 0; s < board_sets(m); ++s)
      for (unsigned k = 0; k < W; ++k) sum += keys::part(s * W + k, m.sets[s].word[k]);
    return sum;
  }
  const Bits<W> occupied = m.tables.board - m.sets[m.layout.empty];
  occupied.each([&](int cell) {
    const std::uint8_t* const codes = m.codes.data() + at(cell) * at(m.layout.levels);
    const std::uint64_t place = keys::kStacks + at(cell) * (kMaxHeight + 1);
    const int height = m.height_of(cell);
    for (int level = 0; level < height; level += codegen::kCodesInWord)
      sum += keys::part(place + at(level), word_of_codes(codes + level, height - level));
  });
  return sum;
}

template <int W>
[[nodiscard]] std::uint64_t state_key(const Machine<W>& m, std::uint64_t board) {
  std::uint64_t sum = board;
  for (std::size_t s = m.layout.empty + 1u; s < m.layout.state_sets; ++s)
    for (unsigned k = 0; k < W; ++k) sum += keys::part(s * W + k, m.sets[s].word[k]);
  const auto add = [&](std::size_t i) {
    sum += keys::part(keys::kNumbers + i, static_cast<std::uint32_t>(m.numbers[i]));
  };
  for (std::size_t i = 0; i < m.layout.ply; ++i) add(i);
  add(m.layout.to_move);
  if (m.layout.players > 2) add(m.layout.out);
  return sum;
}

template <int W>
[[nodiscard]] std::uint64_t state_key(const Machine<W>& m) {
  return state_key(m, board_key(m));
}

// The same without clocks: what repetition compares.
template <int W>
[[nodiscard]] std::uint64_t repetition_key(const Machine<W>& m, std::uint64_t board) {
  std::uint64_t sum = state_key(m, board);
  for (const ir::Reg i : m.layout.clocks)
    sum -= keys::part(keys::kNumbers + i, static_cast<std::uint32_t>(m.numbers[i]));
  return sum;
}

template <int W>
[[nodiscard]] std::uint64_t repetition_key(const Machine<W>& m) {
  return repetition_key(m, board_key(m));
}

// What the repetition key is made of, for native code.
template <int W>
[[nodiscard]] codegen::KeyParts key_parts(const Machine<W>& m) {
  codegen::KeyParts key;
  key.factor = keys::kFactor;
  if (m.layout.stacks) return key;
  const auto number = [&](std::size_t i) {
    key.parts.push_back({true, static_cast<std::uint32_t>(i), keys::disturbed_by(keys::kNumbers + i)});
  };
  for (std::size_t s = 0; s < m.layout.state_sets; ++s)
    for (unsigned k = 0; k < W && (s < board_sets(m) || s > m.layout.empty); ++k)
      key.parts.push_back({false, static_cast<std::uint32_t>(s * W + k), keys::disturbed_by(s * W + k)});
  for (std::size_t i = 0; i < m.layout.ply; ++i)
    if (std::find(m.layout.clocks.begin(), m.layout.clocks.end(), i) == m.layout.clocks.end()) number(i);
  if (m.layout.players > 2) number(m.layout.out);
  key.board_parts = board_sets(m) * W;
  for (int p = 0; p < m.layout.players; ++p) {
    key.of_mover.push_back(keys::part(keys::kNumbers + m.layout.to_move, static_cast<std::uint32_t>(p)));
  }
  return key;
}

// Does the mover go on, who would not be next?
template <int W>
[[nodiscard]] bool goes_on(const Machine<W>& m) {
  const auto out = static_cast<std::uint32_t>(m.numbers[m.layout.out]);
  const auto others = ((std::uint32_t{1} << m.layout.players) - 1) & ~out & ~(std::uint32_t{1} << m.mover);
  return m.numbers[m.layout.again] != 0 && (out >> m.mover & 1) == 0 && others != 0;
}

// What moves are compared by: what has been written; in full also where they lead. Native code does the same
// (codegen/history.cpp).
template <int W>
[[nodiscard]] std::uint64_t move_key(const Machine<W>& m, bool full) {
  const std::uint64_t written = keys::part(keys::kWritten, m.sets[m.layout.written].word[0]);
  if (!full) return written;
  const std::int32_t ending = m.numbers[m.layout.decision] != 0 ? m.numbers[m.layout.winners] + 1 : 0;
  return written + state_key(m) + keys::part(keys::kEnding, static_cast<std::uint32_t>(ending)) +
         keys::part(keys::kAgain, goes_on(m) ? 1 : 0);
}

// What move_key is made of, for native code: of the state what may differ within a turn.
template <int W>
[[nodiscard]] codegen::MoveKeyParts move_key_parts(const Machine<W>& m) {
  codegen::MoveKeyParts key;
  key.written = keys::disturbed_by(keys::kWritten);
  key.ending = keys::disturbed_by(keys::kEnding);
  key.again = {keys::part(keys::kAgain, 0), keys::part(keys::kAgain, 1)};
  for (const ir::Reg r : m.layout.clocks)
    key.clocks.push_back({true, r, keys::disturbed_by(keys::kNumbers + r)});
  if (!m.layout.stacks) return key;
  for (std::size_t s = m.layout.empty + 1u; s < m.layout.state_sets; ++s)
    for (unsigned k = 0; k < W; ++k)
      key.state.push_back({false, static_cast<std::uint32_t>(s * W + k), keys::disturbed_by(s * W + k)});
  const auto number = [&](std::size_t i) {
    key.state.push_back({true, static_cast<std::uint32_t>(i), keys::disturbed_by(keys::kNumbers + i)});
  };
  for (std::size_t i = 0; i < m.layout.ply; ++i) number(i);
  if (m.layout.players > 2) number(m.layout.out);
  for (int p = 0; p < m.layout.players; ++p)
    key.of_mover.push_back(keys::part(keys::kNumbers + m.layout.to_move, static_cast<std::uint32_t>(p)));
  key.stacks = {keys::kStacks + 1, keys::kDisturbTimes, keys::kDisturbWith, kMaxHeight + 1, {}};
  for (unsigned k = 0; k < W; ++k) key.stacks.board.push_back(m.tables.board.word[k]);
  return key;
}

// To work out the key of a draft, beside what is known of the rules (passes/loop_costs.cpp).
template <int W>
[[nodiscard]] std::uint64_t steps_of_draft(const Machine<W>& m, int key) {
  std::uint64_t steps = words_of_state(m);
  for (const ir::Reg r : m.code.keys[at(key)].boxes) steps += m.boxes[r].bytes() / 4;
  return steps;
}

template <int W>
[[nodiscard]] std::uint64_t draft_key(const Machine<W>& m, int key, bool same_state = false) {
  const ir::DraftKey& k = m.code.keys[at(key)];
  std::uint64_t sum = same_state ? 0 : state_key(m);
  std::uint64_t place = keys::kExtra;
  const auto add = [&](std::uint64_t word) { sum += keys::part(place++, word); };
  if (!same_state) {
    add(static_cast<std::uint32_t>(m.numbers[m.layout.again]));
    add(static_cast<std::uint32_t>(m.numbers[m.layout.decision] != 0 ? m.numbers[m.layout.winners] + 1 : 0));
    const std::int32_t carried = m.numbers[m.layout.carried];
    add(static_cast<std::uint32_t>(carried));
    for (std::int32_t i = 0; m.layout.stacks && i < carried; ++i) add(m.carried[at(i)]);
  }
  for (const ir::Reg r : k.numbers) add(static_cast<std::uint32_t>(m.numbers[r]));
  for (const ir::Reg r : k.sets)
    for (unsigned w = 0; w < W; ++w) add(m.sets[r].word[w]);
  for (const ir::Reg r : k.boxes) {
    const Box<W>& b = m.boxes[r];
    for (const std::int32_t v : {b.map.valid ? 1 : 0, b.map.xx, b.map.xy, b.map.yx, b.map.yy, b.map.over,
                                 b.map.px, b.map.py, b.map.dx, b.map.dy})
      add(static_cast<std::uint32_t>(v));
    add(b.numbers.size());
    for (const std::int32_t v : b.numbers) add(static_cast<std::uint32_t>(v));
    for (const Bits<W>& s : b.sets)
      for (unsigned w = 0; w < W; ++w) add(s.word[w]);
  }
  return sum;
}

template <int W>
[[nodiscard]] std::int32_t repeats(const Machine<W>& m, bool at_beginning) {
  return m.positions.count(at_beginning ? m.key_at_beginning : repetition_key(m));
}

// Within a turn, when the position at its beginning is one of them.
template <int W>
[[nodiscard]] std::int32_t repeats_of(const Machine<W>& m, int player) {
  const auto as_mover = [&](int p) {
    return keys::part(keys::kNumbers + m.layout.to_move, static_cast<std::uint32_t>(p));
  };
  const std::uint64_t now = repetition_key(m) - as_mover(m.to_move()) + as_mover(player);
  return m.positions.count(now) + (now == m.key_at_beginning ? 1 : 0);
}

// Where the k-th last equal position stood in the line of the game, as the number of moves before it.
template <int W>
[[nodiscard]] std::int32_t earlier(Machine<W>& m, std::int32_t k, bool at_beginning) {
  const std::uint64_t now = at_beginning ? m.key_at_beginning : repetition_key(m);
  if (k <= 0 || m.positions.count(now) < k) return -1;
  m.charge(m.line.size() / 4);
  std::int32_t back = 0;
  for (const std::uint64_t* key = m.line.end(); key != m.line.begin();) {
    ++back;
    if (*--key == now && --k == 0) return m.numbers[m.layout.ply] - back;
  }
  return -1;
}

// Within a turn the position at its beginning is one that the board has been in (1). What it is for no board
// more than (2).
template <int W>
[[nodiscard]] std::int32_t board_repeats(const Machine<W>& m, int moving) {
  if (moving == 2) return std::max(m.boards.most(), m.boards.count(m.board_at_beginning) + 1);
  const std::uint64_t now = board_key(m);
  return m.boards.count(now) + (moving == 1 && now == m.board_at_beginning ? 1 : 0);
}

template <int W>
[[nodiscard]] bool changed(const Machine<W>& m) {
  for (std::size_t s = 0; s <= m.layout.empty; ++s)
    if (!(m.sets[s] == m.beginning.sets[s])) return true;
  for (std::size_t i = m.layout.hands; i < m.layout.ply; ++i)
    if (m.numbers[i] != m.beginning.numbers[i]) return true;
  if (!m.layout.stacks) return false;
  if (m.heights != m.beginning.heights) return true;
  for (int cell = 0; cell < m.layout.cells; ++cell)
    for (int level = 0; level < m.height_of(cell); ++level) {
      const std::size_t k = at(cell) * at(m.layout.levels) + at(level);
      if (m.codes[k] != m.beginning.codes[k]) return true;
    }
  return false;
}

template <int W>
bool path_enter(Machine<W>& m, const I& i) {
  // A repetition within another has its own drafts among the other's: which key it is tells them apart.
  m.charge(i.y != 0 ? 1 : steps_of_draft(m, i.c));
  const std::uint64_t key = chain(draft_key(m, i.c, i.y != 0), i.c);
  const auto begin = m.path.begin() + m.numbers[i.a];
  m.charge(static_cast<std::uint64_t>(m.path.end() - begin) / 2);
  if (std::find(begin, m.path.end(), key) != m.path.end()) return false;
  m.path.push_back(key);
  return true;
}

// The flag of visit: nothing but the walker and names change from draft to draft; what has been written
// counts, too, and only the latest drafts are known.
inline constexpr int kOnlyWalks = 1, kLatestWritten = 2;

template <int W>
bool visit(Machine<W>& m, const I& i) {
  const bool walks = (i.y & kOnlyWalks) != 0;
  m.charge(walks ? 1 : steps_of_draft(m, i.c));
  std::uint64_t key = draft_key(m, i.c, walks);
  VisitedDrafts& visited = m.places[at(m.numbers[i.a])];
  if ((i.y & kLatestWritten) == 0) return visited.all.add(key) == 1;
  key += keys::part(keys::kWritten, m.sets[m.layout.written].word[0]);
  for (unsigned k = 0; k < W; ++k) key += keys::part(keys::kGone + k, m.sets[m.layout.gone].word[k]);
  return visited.latest.add(key);
}

// Of outcomes that are equal but for the notation the one with the shortest counts, then the first in order.
template <int W>
void note_outcome(Machine<W>& m, const I& i) {
  Outcomes& o = m.outcomes[at(m.numbers[i.a])];
  m.charge(steps_of_draft(m, i.c) + m.text.size() / kBytesPerStep);
  const std::uint64_t key = draft_key(m, i.c);
  const std::string_view text = m.text.view();
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
bool keeps_outcome(Machine<W>& m, const I& i) {
  Outcomes& o = m.outcomes[at(m.numbers[i.a])];
  m.charge(steps_of_draft(m, i.c) + m.text.size() / kBytesPerStep);
  const auto known = o.places.find(draft_key(m, i.c));
  if (!known || o.best[*known].passed || o.text(o.best[*known]) != m.text.view()) return false;
  return o.best[*known].passed = true;
}

template <int W>
void snapshot(Machine<W>& m) {
  m.beginning.sets.assign(m.sets.begin(), m.sets.begin() + m.layout.state_sets);
  m.beginning.numbers.assign(m.numbers.begin(), m.numbers.begin() + m.layout.state_numbers);
  m.beginning.codes = m.codes;
  m.beginning.heights = m.heights;
}

// The board, hands and variables; counters are the same.
template <int W>
void swap_with_beginning(Machine<W>& m) {
  m.viewing = !m.viewing;
  std::swap_ranges(m.beginning.sets.begin(), m.beginning.sets.end(), m.sets.begin());
  std::swap_ranges(m.beginning.numbers.begin(), m.beginning.numbers.begin() + m.layout.ply,
                   m.numbers.begin());
  std::swap_ranges(m.beginning.codes.begin(), m.beginning.codes.end(), m.codes.begin());
  std::swap_ranges(m.beginning.heights.begin(), m.beginning.heights.end(), m.heights.begin());
}

} // namespace boardwright::runtime::executor
