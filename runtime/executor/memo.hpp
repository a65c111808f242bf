// Counting without enumerating: where the number of the moves that come depends on few numbers, or on the
// draft alone, it is found out once for each of them (lowering/counting.cpp says where). Lists have all
// moves, and ask for none of it.
//
// A random move is drawn by its number. If it is one of those that were only counted, the turn is searched
// again (Purpose::find): whatever has a known number of moves before it is passed by.
#pragma once

#include "runtime/executor/executor.hpp"

namespace boardwright::runtime::executor {

template <int W>
std::uint64_t Executor<W>::memo_key(int key) const {
  std::uint64_t sum = static_cast<std::uint64_t>(key) + 1;
  for (const ir::Reg r : code_.keys[at(key)].numbers)
    sum = chain(sum, static_cast<std::uint32_t>(m_.numbers[r]));
  return sum == 0 ? 1 : sum;
}

// True: the moves have been counted.
template <int W>
bool Executor<W>::memo_enter(const I& i) {
  if (purpose_ == Purpose::any || purpose_ == Purpose::list || !may_memo_) return false;
  const std::uint64_t key = memo_key(i.c);
  if (const auto known = memo_.known.find(key)) {
    if (purpose_ == Purpose::find && total_ + *known > target_) return false; // the move is one of them
    total_ += *known;
    if (purpose_ == Purpose::pick) note_many(i, *known);
    return true;
  }
  if (purpose_ == Purpose::find) return false;
  memo_.open.push_back({key, total_, purpose_ == Purpose::pick});
  purpose_ = Purpose::count;
  return false;
}

template <int W>
void Executor<W>::memo_leave(const I& i) {
  if (purpose_ != Purpose::count || memo_.open.empty()) return;
  const auto entry = memo_.open.back();
  memo_.open.pop_back();
  const std::uint64_t count = total_ - entry.before;
  if (memo_.known.full()) memo_.known.clear();
  memo_.known.add(entry.key, count);
  if (!entry.picks) return;
  purpose_ = Purpose::pick;
  note_many(i, count);
}

template <int W>
void Executor<W>::note_many(const I& i, std::uint64_t count) {
  if (count == 0) return;
  if (total_ > kMaxMoves) return fail(i, "a position has more than " + std::to_string(kMaxMoves) + " moves");
  list_->records.push_back({kMany, 0, total_ - count, Set()});
}

} // namespace boardwright::runtime::executor
