// What is said where a rule can't be read on.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/tokens.hpp"
#include "dsl/yaml.hpp"

#include <vector>

namespace boardwright::dsl {

// The place where reading failed, an index into the tokens, and what could have stood there.
struct Misread {
  std::size_t at = 0;
  Toks expected;
};

// Adds the error, with a hint where the text is one of the usual slips. `tokens` are those of tokenize.
void report(const Misread& misread, const Text& text, const Tokens& tokens, Diagnostics& diagnostics);

} // namespace boardwright::dsl
