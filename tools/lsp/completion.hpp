// The words that may stand at a place of a file, the likeliest first.
#pragma once

#include "tools/lsp/documents.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace boardwright::tools {

struct Offer {
  enum class Kind : std::uint8_t { section, key, keyword, function, variable, kind, word } kind = Kind::word;
  std::string label;
};

// Keywords are offered where the grammar has them, names where it has a name, keys where the loader knows
// them; nothing in comments, and in prose only words that have been begun. What is written already of a word
// is what offers begin with. Their order goes by what authors write at such places (word_model.hpp).
[[nodiscard]] std::vector<Offer> completions_at(const Document& document, std::size_t offset);

} // namespace boardwright::tools
