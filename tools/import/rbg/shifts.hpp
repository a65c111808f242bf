// Where shifts lead: parts of the rules that look at nothing but the board's graph are worked out beforehand.
#pragma once

#include "tools/import/rbg/game.hpp"

#include <bit>
#include <cstdint>

namespace boardwright::tools {

// A set of vertices.
class RbgCells {
public:
  void set(std::size_t v) { words_[v / 64] |= std::uint64_t{1} << (v % 64); }
  void reset() { words_ = {}; }
  [[nodiscard]] bool operator[](std::size_t v) const { return (words_[v / 64] >> (v % 64) & 1) != 0; }
  [[nodiscard]] bool none() const { return words_ == decltype(words_){}; }
  [[nodiscard]] bool any() const { return !none(); }
  [[nodiscard]] std::size_t count() const {
    std::size_t n = 0;
    for (const std::uint64_t word : words_) n += static_cast<std::size_t>(std::popcount(word));
    return n;
  }
  void add(const RbgCells& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
  }
  void take_away(const RbgCells& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
  }
  // The first member from `v` on; beyond all cells if there is none.
  [[nodiscard]] std::size_t from(std::size_t v) const {
    for (std::size_t w = v / 64; w < words_.size(); ++w) {
      const std::uint64_t rest = w == v / 64 ? words_[w] & (~std::uint64_t{0} << (v % 64)) : words_[w];
      if (rest != 0) return w * 64 + static_cast<std::size_t>(std::countr_zero(rest));
    }
    return kMostRbgCells;
  }
  [[nodiscard]] auto operator<=>(const RbgCells&) const = default;

private:
  std::array<std::uint64_t, (kMostRbgCells + 63) / 64> words_{};
};

using RbgRelation = std::vector<RbgCells>; // of each vertex: where one can be after it

class RbgShifts {
public:
  // `alike`: of each node the first that is written alike.
  RbgShifts(const RbgGame& game, const std::vector<int>& alike);

  // Does it hold nothing but shifts, and conditions of shifts?
  [[nodiscard]] bool only_shifts(int node) const { return only_shifts_[static_cast<std::size_t>(node)]; }
  // Of such nodes one after the other; nothing if there is too much to work out.
  [[nodiscard]] std::optional<RbgRelation> of(const std::vector<int>& nodes);

private:
  [[nodiscard]] const RbgRelation* of(int node);
  [[nodiscard]] std::optional<RbgRelation> worked_out(const RbgNode& node);
  [[nodiscard]] RbgRelation nowhere_else() const; // each vertex to itself
  void follow(RbgRelation& relation, const RbgRelation& next);
  [[nodiscard]] RbgRelation closure(const RbgRelation& relation);

  const RbgGame& game_;
  const std::vector<int>& alike_;
  std::vector<bool> only_shifts_;
  std::vector<std::optional<RbgRelation>> known_;
  std::size_t work_ = 0, kept_ = 0;
};

} // namespace boardwright::tools
