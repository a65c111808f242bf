// What the reference and editors tell of the words of the language follows from their list
// (interpreter/meaning/words.hpp): `ninja pages` writes what is missing.
#pragma once

#include <string>
#include <string_view>

namespace boardwright::tools {

// The reference, with a row in its table of words or of functions for each that no table tells, and an entry
// in its index for each that has none: it leads to the heading whose table has it.
[[nodiscard]] std::string with_words(std::string_view reference);

// The grammar by which editors colour rules, with the keywords and words of the language in its patterns.
[[nodiscard]] std::string with_coloured_words(std::string_view grammar);

} // namespace boardwright::tools
