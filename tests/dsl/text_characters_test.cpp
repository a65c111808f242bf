// Characters of UTF-8, letters without case, numbers.
#include "dsl/text.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

namespace text_characters_test {

using namespace boardwright::dsl;

TEST_CASE("the first character of a text, with its code") {
  const auto is = [](const char* text, std::size_t bytes, char32_t code) {
    const Character c = first_character(text);
    return c.valid && c.bytes == bytes && c.code == code;
  };
  CHECK(is("ab", 1, U'a'));
  CHECK(is("é!", 2, U'é'));
  CHECK(is("漢", 3, U'漢'));
  CHECK(is("𝄞𝄞", 4, U'𝄞'));
  CHECK(is("\xEF\xBF\xBF", 3, 0xFFFF));
  CHECK(is("\xF4\x8F\xBF\xBF", 4, 0x10FFFF));
  CHECK(is("\xED\x9F\xBF", 3, 0xD7FF));
}

TEST_CASE("what is no UTF-8 is one byte") {
  for (const char* text : {"\x80", "\xBF", "\xC3(", "\xC0\xAF", "\xC1\xBF", "\xE0\x80\xAF", "\xE0\x9F\xBF",
                           "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
                           "\xF5\x80\x80\x80", "\xF0\x9D\x84", "\xE6\xBC", "\xC3", "\xFF"}) {
    const Character c = first_character(text);
    CHECK_FALSE(c.valid);
    CHECK(c.bytes == 1);
  }
}

TEST_CASE("characters are written as they are read") {
  for (const char32_t code :
       {U'a', U'\x7F', U'\x80', U'\x7FF', U'\x800', U'\xFFFD', U'\x10000', U'\x10FFFF'}) {
    const std::string text = to_utf8(code);
    const Character c = first_character(text);
    CHECK(c.valid);
    CHECK(c.code == code);
    CHECK(c.bytes == text.size());
  }
}

TEST_CASE("characters are counted, and none is cut through") {
  CHECK(characters_in("") == 0);
  CHECK(characters_in("aé漢𝄞") == 4);
  CHECK(beginning_of("abc", 3) == "abc");
  CHECK(beginning_of("abc", 2) == "ab");
  CHECK(beginning_of("a漢b", 3) == "a");
  CHECK(beginning_of("a漢b", 4) == "a漢");
  CHECK(beginning_of("漢", 2).empty());
}

TEST_CASE("letters become small, and nothing else does") {
  CHECK(to_lower("AbZ[@é9") == "abz[@é9");
  CHECK(to_lower('Q') == 'q');
}

TEST_CASE("a number is the whole of its text") {
  CHECK(number_in<int>("-12") == -12);
  CHECK(number_in<std::uint8_t>("ff", 16) == 255);
  CHECK(number_in<double>("2.5") == 2.5);
  for (const char* text : {"", " 1", "1 ", "1x", "+1", "x", "99999999999"}) CHECK_FALSE(number_in<int>(text));
  CHECK_FALSE(number_in<std::uint8_t>("256"));
  CHECK_FALSE(number_in<std::uint8_t>("-1"));
}

} // namespace text_characters_test
