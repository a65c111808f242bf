// Rewrites spellings that the language gave up, or for which it has a better form, in the text of a rule
// file. Only the bytes of these spellings change: comments and layout stay.
#pragma once

#include "dsl/rule_file.hpp"
#include "dsl/source.hpp"

#include <string>
#include <vector>

namespace boardwright::dsl {

struct Edit {
  Span span;        // what is replaced, in the file itself
  std::string text; // by what
};

struct Migration {
  std::vector<Edit> edits; // in the order of the file; no two overlap
  Sources sources;         // the file is the first of them
  Diagnostics diagnostics; // why nothing can be said of the file; errors in its rules are no hindrance
};

// Of one file: what it extends is read, for the kinds and players there, but not rewritten.
[[nodiscard]] Migration migration_of(const std::string& name, const std::string& text,
                                     const FileFinder& find);

// The text with the edits made.
[[nodiscard]] std::string edited(const std::string& text, const std::vector<Edit>& edits);

} // namespace boardwright::dsl
