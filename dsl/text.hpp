// Reading text by hand: characters of UTF-8, letters whose case doesn't count, numbers.
//
// Everything here takes any bytes at all, and time in proportion to what it looks at.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace boardwright::dsl {

struct Character {
  std::size_t bytes = 1;
  char32_t code = 0;
  bool valid = false; // else it is one byte that begins no character
};

// The first character of a text that isn't empty. Too long forms, surrogates and codes beyond Unicode are no
// characters of UTF-8.
[[nodiscard]] Character first_character(std::string_view text);

// What some editors begin a file of UTF-8 with.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Is the byte one of a character's that isn't its first?
[[nodiscard]] constexpr bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// How many characters begin in the text.
[[nodiscard]] std::size_t characters_in(std::string_view text);

// As much of the text's beginning as `longest` bytes hold without cutting through a character.
[[nodiscard]] std::string_view beginning_of(std::string_view text, std::size_t longest);

// A code of Unicode, which must be no surrogate and not beyond the last one.
[[nodiscard]] std::string to_utf8(char32_t code);

// Characters of ASCII.
[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
[[nodiscard]] constexpr bool is_white(char c) { return is_blank(c) || c == '\n' || c == '\r'; }
// What a name of the language may begin with, and what may follow.
[[nodiscard]] constexpr bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
[[nodiscard]] constexpr bool continues_name(char c) { return begins_name(c) || is_digit(c); }

// Letters of ASCII become small; everything else stays.
[[nodiscard]] constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] std::string to_lower(std::string_view text);

// The number that the whole text is, with `-` before it where the type has a sign; nothing where anything
// else stands in it, and where the type can't hold it.
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text, [[maybe_unused]] int base = 10) {
  static_assert(std::is_arithmetic_v<Number>);
  Number value{};
  const char* const end = text.data() + text.size();
  std::from_chars_result read{};
  if constexpr (std::is_integral_v<Number>)
    read = std::from_chars(text.data(), end, value, base);
  else
    read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

} // namespace boardwright::dsl
