// How well moves of a kind did, wherever in a tree they were played: a hint at moves of which nothing else is
// known yet (J. Nijssen, M. Winands, Enhancements for multi-player Monte-Carlo tree search, 2010: progressive
// history).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boardwright::runtime::search {

class MoveHistory {
public:
  MoveHistory() : entries_(kEntries) {}

  // Where moves with this label (Game::append_labels) of this player are counted. Never 0.
  [[nodiscard]] static std::uint32_t slot(std::uint64_t label, int player) {
    const std::uint64_t mixed = (label + static_cast<std::uint64_t>(player)) * 0x9e3779b97f4a7c15U;
    return static_cast<std::uint32_t>(mixed >> (64 - kBits)) | 1U;
  }
  void add(std::uint32_t slot, float score) {
    Entry& e = entries_[slot];
    e.sum += score;
    e.count += 1;
    if (e.count < kMost) return;
    e.sum /= 2;
    e.count /= 2;
  }
  // How much better than `mean` such moves did: little is believed of what was seen rarely.
  [[nodiscard]] double better_than(double mean, std::uint32_t slot) const {
    constexpr float kDoubt = 4;
    const Entry& e = entries_[slot];
    return (static_cast<double>(e.sum) - mean * static_cast<double>(e.count)) /
           static_cast<double>(e.count + kDoubt);
  }

private:
  struct Entry {
    float sum = 0, count = 0;
  };
  static constexpr int kBits = 16;
  static constexpr std::size_t kEntries = std::size_t{1} << kBits;
  static constexpr float kMost = 4096; // what was good long ago counts less
  std::vector<Entry> entries_;
};

} // namespace boardwright::runtime::search
