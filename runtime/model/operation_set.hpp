// A set of operations: all that a tree contains, or all of which something is true.
#pragma once

#include "runtime/model/operations.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace boardwright::runtime {

class OperationSet {
public:
  constexpr OperationSet() = default;
  template <class... Ops>
  explicit constexpr OperationSet(Op first, Ops... others) {
    add(first);
    (add(others), ...);
  }
  // Those of which `asked` says so.
  template <class Asked>
  [[nodiscard]] static constexpr OperationSet where(Asked asked) {
    OperationSet some;
    for (std::size_t op = 0; op < operations::kCount; ++op)
      if (asked(static_cast<Op>(op))) some.add(static_cast<Op>(op));
    return some;
  }

  constexpr void add(Op op) { words_[word(op)] |= bit(op); }
  constexpr void add(const OperationSet& others) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= others.words_[w];
  }
  [[nodiscard]] constexpr bool has(Op op) const { return (words_[word(op)] & bit(op)) != 0; }
  [[nodiscard]] constexpr bool has_any(const OperationSet& others) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      if ((words_[w] & others.words_[w]) != 0) return true;
    return false;
  }
  [[nodiscard]] constexpr bool has_others_than(const OperationSet& these) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      if ((words_[w] & ~these.words_[w]) != 0) return true;
    return false;
  }

private:
  static constexpr std::size_t kBits = 64;
  [[nodiscard]] static constexpr std::size_t word(Op op) { return static_cast<std::size_t>(op) / kBits; }
  [[nodiscard]] static constexpr std::uint64_t bit(Op op) {
    return std::uint64_t{1} << static_cast<std::size_t>(op) % kBits;
  }

  std::array<std::uint64_t, (operations::kCount + kBits - 1) / kBits> words_{};
};

} // namespace boardwright::runtime
