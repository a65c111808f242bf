// What Emscripten's libc++ 13 lacks of C++20. The build of the studio includes it in front of every file, so
// that nobody else sees it; with a newer libc++ that has all of it, it is empty.
#pragma once

#include <version>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <compare>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace std { // NOLINT(cert-dcl58-cpp): these are the library's own names

template <class A, class B, class Compare>
constexpr auto lexicographical_compare_three_way(A a, A a_end, B b, B b_end, Compare compare)
    -> decltype(compare(*a, *b)) {
  for (; a != a_end && b != b_end; ++a, ++b)
    if (const auto order = compare(*a, *b); order != 0) return order;
  return a != a_end ? strong_ordering::greater : b != b_end ? strong_ordering::less : strong_ordering::equal;
}

template <class T, size_t n>
constexpr auto operator<=>(const array<T, n>& a, const array<T, n>& b) -> decltype(a[0] <=> b[0]) {
  for (size_t i = 0; i < n; ++i)
    if (const auto order = a[i] <=> b[i]; order != 0) return order;
  return strong_ordering::equal;
}

template <class T, class Allocator>
auto operator<=>(const vector<T, Allocator>& a, const vector<T, Allocator>& b) -> decltype(a[0] <=> b[0]) {
  return lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end(),
                                           [](const T& x, const T& y) { return x <=> y; });
}

template <class Char, class Traits, class Allocator>
strong_ordering operator<=>(const basic_string<Char, Traits, Allocator>& a,
                            const basic_string<Char, Traits, Allocator>& b) {
  return a.compare(b) <=> 0;
}

template <size_t i, class... A, class... B>
constexpr auto order_of_tuples_from(const tuple<A...>& a, const tuple<B...>& b) {
  if constexpr (i == sizeof...(A)) {
    return strong_ordering::equal;
  } else {
    using Order = common_comparison_category_t<decltype(get<i>(a) <=> get<i>(b)),
                                               decltype(order_of_tuples_from<i + 1>(a, b))>;
    if (const Order order = get<i>(a) <=> get<i>(b); order != 0) return order;
    return Order(order_of_tuples_from<i + 1>(a, b));
  }
}

template <class... A, class... B>
constexpr auto operator<=>(const tuple<A...>& a, const tuple<B...>& b) {
  static_assert(sizeof...(A) == sizeof...(B));
  return order_of_tuples_from<0>(a, b);
}

// The text ends before something else stands there; strtod wants it to end with a zero.
template <class Float>
enable_if_t<is_floating_point_v<Float>, from_chars_result> from_chars(const char* begin, const char* end,
                                                                      Float& value) {
  const string text(begin, end);
  char* behind = nullptr;
  const double number = strtod(text.c_str(), &behind);
  const bool blank = text.empty() || isspace(static_cast<unsigned char>(text[0])) != 0 || text[0] == '+';
  if (blank || behind == text.c_str()) return {begin, errc::invalid_argument};
  value = static_cast<Float>(number);
  return {begin + (behind - text.c_str()), errc()};
}

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

// As far as it is used: of whole numbers.
template <class T>
struct atomic_ref {
  explicit atomic_ref(T& number) : number_(&number) {}
  T load(memory_order order) const { return __atomic_load_n(number_, static_cast<int>(order)); }
  void store(T value, memory_order order) const { __atomic_store_n(number_, value, static_cast<int>(order)); }

private:
  T* number_;
};

} // namespace std

#endif
