// Nouns of sentences about a game: plurals, articles, whose.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace boardwright::tools {

// `last_row` as "last row".
[[nodiscard]] std::string words_of_name(std::string name);
// A name that the file gives to something, where it stands for itself: “last row”.
[[nodiscard]] std::string quoted_name(std::string_view name);

// "men" of "man", "foxes" of "fox", "pieces" of "piece".
[[nodiscard]] std::string plural_of(const std::string& noun);
// The noun as it follows a number.
[[nodiscard]] std::string counted_noun(const std::string& noun, std::int64_t count);
[[nodiscard]] std::string with_article(const std::string& noun);

// Of a player, or "you": "your", "Red's", "Hunters'".
[[nodiscard]] std::string possessive(const std::string& who);
[[nodiscard]] bool is_plural(const std::string& who);
// "you have", "Red has"
[[nodiscard]] std::string has(const std::string& who);

} // namespace boardwright::tools
