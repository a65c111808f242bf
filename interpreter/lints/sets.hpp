// What is known of sets of cells and of numbers, whatever the position: which is a part of which, which have
// nothing in common. For lints, that say nothing where nothing is known.
#pragma once

#include "interpreter/lints/lints.hpp"

#include <cstdint>

namespace boardwright::interpreter {

// Is a set always a part of another one? False where that isn't seen.
[[nodiscard]] bool is_part(const Linted& in, const dsl::Ast& less, const dsl::Ast& more);

// Have two sets nothing in common in any position? Likewise.
[[nodiscard]] bool are_apart(const Linted& in, const dsl::Ast& a, const dsl::Ast& b);

// Does one condition hold just where the other one doesn't: C and `not C`, `some S` and `no S`, `a = b` and
// `a != b`? In this order.
[[nodiscard]] bool are_opposite(const dsl::Ast& a, const dsl::Ast& b);

// A condition about a number: that it lies within bounds. `some S` and `no S` are about the count of S.
struct Bounded {
  const dsl::Ast* what = nullptr; // the number, or the set that is counted; null: it is no such condition
  bool counted = false;
  std::int64_t low = INT64_MIN, high = INT64_MAX;
};
[[nodiscard]] Bounded bounded(const dsl::Ast& condition);
// Are two conditions about the same number?
[[nodiscard]] bool about_the_same(const Bounded& a, const Bounded& b);

} // namespace boardwright::interpreter
