// Walks of whole sets of cells: along steps and lines, and what is known of some of them (memos by cells).
#pragma once

#include "runtime/executor/machine.hpp"

namespace boardwright::runtime::executor {

template <int W>
Bits<W> stepped(Machine<W>& m, const Bits<W>& from, int step, bool back) {
  m.charge(back ? at(m.layout.cells) / 2 : 1 + W / 2);
  Bits<W> found;
  const std::int16_t* to = m.tables.to.data() + at(step) * at(m.layout.cells);
  if (!back) {
    from.each([&](int cell) {
      if (to[cell] >= 0) found.set(to[cell]);
    });
    return found;
  }
  for (int cell = 0; cell < m.layout.cells; ++cell)
    if (to[cell] >= 0 && from.test(to[cell])) found.set(cell);
  return found;
}

template <int W>
Bits<W> run_on(Machine<W>& m, const I& i) {
  const Bits<W>& through = m.sets[i.b];
  Bits<W> found, front = m.sets[i.a];
  while (front.any()) {
    front = (stepped(m, front, i.x, false) & through) - found;
    found |= front;
  }
  return found;
}

// By doubling (Kogge and Stone): after k rounds all cells within 2^k steps are found.
template <int W>
[[nodiscard]] Bits<W> run_shifted(const Machine<W>& m, const I& i) {
  Bits<W> through = m.sets[i.b] & m.sets[i.c];
  Bits<W> found = m.sets[i.a].moved(i.x) & through;
  int by = i.x;
  for (int round = 0; round < i.y; ++round) {
    found |= found.moved(by) & through;
    through &= through.moved(by);
    by *= 2;
  }
  return found;
}

template <int W>
void flood(Machine<W>& m, const I& i) {
  Bits<W> found = m.sets[i.a], front = found;
  const Bits<W> through = m.sets[i.b];
  const auto& around = m.tables.around[at(i.x)];
  // Few cells are faster one by one than all of them together.
  constexpr int kFew = 6;
  while (front.any()) {
    m.charge(kFew / 2 + W);
    Bits<W> next;
    if (!m.tables.flood_steps[at(i.x)].empty() || front.count() <= kFew)
      front.each([&](int cell) { next |= around[at(cell)]; });
    else
      for (const auto& shift : m.tables.floods[at(i.x)]) next |= (front & shift.from).moved(shift.by);
    front = (next & through) - found;
    found |= front;
  }
  m.sets[i.d] = found;
}

// Along lines from one cell; `with_last`: with the first cell that isn't in the set.
template <int W>
[[nodiscard]] Bits<W> seen(const Machine<W>& m, const I& i, bool with_last) {
  Bits<W> found;
  const int cell = m.numbers[i.a];
  if (cell < 0) return found;
  const Bits<W>& through = m.sets[i.b];
  for (const auto& line : m.tables.lines[at(i.x)]) {
    if (line.grows || line.shrinks) {
      Bits<W> ray = line.ray[at(cell)];
      const Bits<W> blockers = ray - through;
      const int first = line.grows ? blockers.first() : blockers.last();
      if (first >= 0) {
        ray -= line.ray[at(first)];
        if (!with_last) ray.clear(first);
      }
      found |= ray;
      continue;
    }
    int on = m.next_cell(cell, line.step);
    Bits<W> walked;
    while (on >= 0 && !walked.test(on)) {
      if (!through.test(on)) {
        if (with_last) walked.set(on);
        break;
      }
      walked.set(on);
      on = m.next_cell(on, line.step);
    }
    found |= walked;
  }
  return found;
}

// Along lines from one cell, over cells of a set as far as the last cell of another that can be come to so.
template <int W>
[[nodiscard]] Bits<W> between(const Machine<W>& m, const I& i) {
  Bits<W> found;
  const int cell = m.numbers[i.a];
  if (cell < 0) return found;
  const Bits<W>&through = m.sets[i.b], &ends = m.sets[i.c];
  for (const auto& line : m.tables.lines[at(i.x)]) {
    Bits<W> walked;
    for (int on = m.next_cell(cell, line.step); on >= 0 && !walked.test(on);
         on = m.next_cell(on, line.step)) {
      if (ends.test(on)) found |= walked;
      if (!through.test(on)) break;
      walked.set(on);
    }
  }
  return found;
}

template <int W>
[[nodiscard]] bool in_row(const Machine<W>& m, const I& i) {
  const auto& rows = m.tables.rows[i.c];
  const int cell = m.numbers[i.a];
  if (cell < 0) return false;
  const Bits<W>& set = m.sets[i.b];
  for (const auto& axis : rows.axes) {
    int length = 1;
    for (const auto* way : {&axis.forth, &axis.back})
      for (int on = (*way)[at(cell)]; on >= 0 && set.test(on) && on != cell && length < rows.length;
           on = (*way)[at(on)])
        ++length;
    if (length >= rows.length) return true;
  }
  return false;
}

// ---------------------------------------------------------------- memos

template <int W>
std::uint64_t* memo_slot(Machine<W>& m, int memo, int a, int b) {
  if (a < 0 || b < 0) return nullptr;
  const auto slot = at(a * m.layout.cells + b) % ir::kMemoSlots;
  return m.memos.data() + (at(memo) * ir::kMemoSlots + slot) * (W + 1);
}

template <int W>
bool recall(Machine<W>& m, const I& i) {
  const int a = m.numbers[i.a], b = m.numbers[i.b];
  const std::uint64_t* const slot = memo_slot(m, i.c, a, b);
  if (slot == nullptr || slot[0] != at(a * m.layout.cells + b + 1)) return false;
  for (unsigned k = 0; k < W; ++k) m.sets[i.d].word[k] = slot[1 + k];
  return true;
}

template <int W>
void remember(Machine<W>& m, const I& i) {
  const int a = m.numbers[i.b], b = m.numbers[i.c];
  std::uint64_t* const slot = memo_slot(m, i.x, a, b);
  if (slot == nullptr) return;
  slot[0] = at(a * m.layout.cells + b + 1);
  for (unsigned k = 0; k < W; ++k) slot[1 + k] = m.sets[i.a].word[k];
}

} // namespace boardwright::runtime::executor
