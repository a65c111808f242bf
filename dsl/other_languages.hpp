// Words and idioms of other languages, answered with ours: what an author meant who comes from elsewhere.
#pragma once

#include <string>
#include <string_view>

namespace boardwright::dsl {

// What a word that means nothing here is called in this language, as the help of an error; "" where nobody
// can say. `called`: it stands before parentheses.
[[nodiscard]] std::string said_elsewhere(std::string_view word, bool called = false);

// Is it what other languages call `else if`?
[[nodiscard]] bool is_else_if(std::string_view word);

// What a file is, of those that other programs read: "the record of a game, PGN"; "" where it is none that
// is known.
[[nodiscard]] std::string_view format_of(std::string_view text);

} // namespace boardwright::dsl
