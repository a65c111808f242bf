// What each word of a file is, for editors that colour by meaning.
#pragma once

#include "tools/console/json.hpp"
#include "tools/lsp/documents.hpp"

#include <string>
#include <vector>

namespace boardwright::tools {

// The names of the sorts of words, in the order of their numbers.
[[nodiscard]] const std::vector<std::string>& semantic_token_sorts();

// Five numbers for each word, as the protocol has it: lines and units of UTF-16 from the word before, length,
// sort, nothing.
[[nodiscard]] std::vector<std::size_t> semantic_tokens(const Document& document);

} // namespace boardwright::tools
