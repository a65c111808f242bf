// Counting without enumerating: where the number of the moves that come depends on few numbers, or on the
// draft alone, it is found out once for each of them (lowering/actions/counting.cpp says where). Lists have
// all moves, and ask for none of it.
//
// A random move is drawn by its number. If it is one of those that were only counted, the turn is searched
// again (Purpose::find): whatever has a known number of moves before it is passed by.
#pragma once

#include "runtime/executor/machine.hpp"

namespace boardwright::runtime::executor {

template <int W>
[[nodiscard]] std::uint64_t memo_key(const Machine<W>& m, int key) {
  std::uint64_t sum = static_cast<std::uint64_t>(key) + 1;
  for (const ir::Reg r : m.code.keys[at(key)].numbers)
    sum = chain(sum, static_cast<std::uint32_t>(m.numbers[r]));
  return sum == 0 ? 1 : sum;
}

// True: the moves have been counted.
template <int W>
bool memo_enter(Machine<W>& m, const I& i) {
  if (m.purpose == Purpose::any || m.purpose == Purpose::list || !m.may_memo) return false;
  const std::uint64_t key = memo_key(m, i.c);
  if (const auto known = m.memo.known.find(key)) {
    if (m.purpose == Purpose::find && m.total + *known > m.target) return false; // the move is one of them
    m.total += *known;
    if (m.purpose == Purpose::pick) note_many(m, i, *known);
    return true;
  }
  if (m.purpose == Purpose::find) return false;
  m.memo.open.push_back({key, m.total, m.purpose == Purpose::pick});
  m.purpose = Purpose::count;
  return false;
}

template <int W>
void memo_leave(Machine<W>& m, const I& i) {
  if (m.purpose != Purpose::count || m.memo.open.empty()) return;
  const auto entry = m.memo.open.back();
  m.memo.open.pop_back();
  const std::uint64_t count = m.total - entry.before;
  if (m.memo.known.full()) m.memo.known.clear();
  m.memo.known.add(entry.key, count);
  if (!entry.picks) return;
  m.purpose = Purpose::pick;
  note_many(m, i, count);
}

template <int W>
void note_many(Machine<W>& m, const I& i, std::uint64_t count) {
  if (count == 0) return;
  if (m.total > kMaxMoves)
    return m.fail(i, "a position has more than " + std::to_string(kMaxMoves) + " moves");
  m.list->records.push_back({kMany, 0, m.total - count, Bits<W>()});
}

} // namespace boardwright::runtime::executor
