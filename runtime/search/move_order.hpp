// Which moves an alpha-beta search tries first: what was good, or bad, in other positions.
//
// The algorithms, and where they come from:
//   killer moves: S. Akl, M. Newborn, The principal continuation and the killer heuristic (1977)
//   history heuristic: J. Schaeffer, The history heuristic and alpha-beta search enhancements (1989)
//   counter-move heuristic: J. Uiterwijk, The countermove heuristic, ICCA Journal 15 (1992)
//   malus (moves that were tried before the one that was good enough lose by it), capture history, and
//     continuation history (a move after the one before it, and after the one before that): as in Stockfish,
//     2015 to 2017
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace boardwright::runtime::search {

// A move as it is known in all positions: made in the same way, by the same player. 0: not known.
using MoveLabel = std::uint32_t;
inline constexpr MoveLabel kCaptures = MoveLabel{1} << 31; // this bit: it takes something

// Of what Game::append_labels tells.
[[nodiscard]] inline MoveLabel label_for(std::uint64_t label, int player, bool captures) {
  const std::uint64_t mixed = (label + static_cast<std::uint64_t>(player)) * 0x9e3779b97f4a7c15U;
  return (static_cast<MoveLabel>(mixed >> 33) | 1U) | (captures ? kCaptures : 0);
}
[[nodiscard]] inline bool captures(MoveLabel label) { return (label & kCaptures) != 0; }

// The moves that led to a position: the last one, and the one before it.
struct MovesBefore {
  MoveLabel last = 0, second = 0;
};

class MoveOrder {
public:
  // Numbers stay between -kMost and kMost: the nearer they are to one, the less is added.
  static constexpr int kMost = 1 << 14;

  MoveOrder()
      : quiet_(kQuiet, 0), captures_(kQuiet, 0), continuation_(kContinuation, 0), counter_(kQuiet, 0) {}

  [[nodiscard]] int of_capture(MoveLabel label) const { return captures_[slot(label)]; }
  // The sum of three histories.
  [[nodiscard]] int of_quiet(MoveLabel label, MovesBefore before) const {
    return quiet_[slot(label)] + (before.last == 0 ? 0 : continuation_[slot(label, before.last, 1)]) +
           (before.second == 0 ? 0 : continuation_[slot(label, before.second, 2)]);
  }
  static constexpr int kHistories = 3;
  // What was good in answer to the last move.
  [[nodiscard]] MoveLabel counter_of(MoveLabel last) const { return last == 0 ? 0 : counter_[slot(last)]; }

  // `good` was enough, at this depth; the others were tried before and weren't.
  void reward(MoveLabel good, const std::vector<MoveLabel>& others, MovesBefore before, int depth) {
    ++rewards_;
    const int bonus = std::min(kBonus * depth * depth + 2 * kBonus, kMostBonus);
    add(good, before, bonus);
    if (!captures(good) && before.last != 0) counter_[slot(before.last)] = good;
    for (const MoveLabel label : others)
      // A capture that was good enough says nothing against moves that come behind captures anyway.
      if (label != 0 && (captures(label) || !captures(good))) add(label, before, -bonus);
  }
  // A capture at the end of a line.
  void judge_capture(MoveLabel label, bool good) { nudge(captures_[slot(label)], good ? kAtEnd : -kAtEnd); }

  // Another search: what was learnt counts less, unless it was little. To halve the tables takes as long as
  // some hundred positions do.
  void grow_old() {
    if (rewards_ < kFewRewards) return;
    rewards_ = 0;
    for (auto* table : {&quiet_, &captures_, &continuation_})
      for (std::int16_t& value : *table) value = static_cast<std::int16_t>(value / 2);
  }

private:
  static constexpr int kBonus = 16, kMostBonus = 2000, kAtEnd = 128;
  static constexpr int kFewRewards = 1000;
  static constexpr int kQuietBits = 16, kContinuationBits = 18;
  static constexpr std::size_t kQuiet = std::size_t{1} << kQuietBits,
                               kContinuation = std::size_t{1} << kContinuationBits;

  [[nodiscard]] static std::size_t slot(MoveLabel label) { return (label >> 1) & (kQuiet - 1); }
  [[nodiscard]] static std::size_t slot(MoveLabel label, MoveLabel before, std::uint64_t apart) {
    const std::uint64_t both = (std::uint64_t{before} << 32 | label) + apart;
    return static_cast<std::size_t>((both * 0xc2b2ae3d27d4eb4fU) >> (64 - kContinuationBits));
  }
  static void nudge(std::int16_t& value, int bonus) {
    value = static_cast<std::int16_t>(value + bonus - value * std::abs(bonus) / kMost);
  }
  void add(MoveLabel label, MovesBefore before, int bonus) {
    if (captures(label)) return nudge(captures_[slot(label)], bonus);
    nudge(quiet_[slot(label)], bonus);
    if (before.last != 0) nudge(continuation_[slot(label, before.last, 1)], bonus);
    if (before.second != 0) nudge(continuation_[slot(label, before.second, 2)], bonus);
  }

  std::vector<std::int16_t> quiet_, captures_, continuation_;
  std::vector<MoveLabel> counter_;
  int rewards_ = 0; // since the tables were halved
};

} // namespace boardwright::runtime::search
