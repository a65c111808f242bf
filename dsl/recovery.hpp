// Where reading can begin again behind a syntax error.
#pragma once

#include "dsl/tokens.hpp"

#include <optional>

namespace boardwright::dsl {

struct Part { // of a rule: the tokens [begin, end)
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The steps behind the next comma after the token `at`, up to the end of the parentheses or of the rule that
// hold it. Only commas that join steps count; in arguments, lists and braces they separate other things.
// There is no such part where parentheses don't match: then nobody knows what belongs together. O(tokens).
[[nodiscard]] std::optional<Part> next_part(const Tokens& tokens, std::size_t at);
// The part as a rule of its own; its `end` covers the token that ends the part.
[[nodiscard]] Tokens cut(const Tokens& tokens, Part part);

} // namespace boardwright::dsl
