// Lays out the text of a rule file. Only blanks and empty lines change: no line is broken or joined, comments
// stay where they are.
#pragma once

#include "dsl/source.hpp"
#include "dsl/yaml.hpp"

#include <optional>
#include <string>
#include <vector>

namespace boardwright::tools {

struct Formatted {
  std::string text;
  dsl::Sources sources;         // the file is the only one
  dsl::Diagnostics diagnostics; // why it can't be laid out
};

// The text is returned unchanged where it can't be read as YAML, and where the result would not be the same
// entries with the same words (same_content): that would be our error, and the file must not suffer from it.
[[nodiscard]] Formatted format_rule_file(const std::string& name, const std::string& text);

// Do both texts hold the same YAML, whose rules are the same tokens and whose other scalars are the same
// bytes? What is loaded depends on nothing else.
[[nodiscard]] bool same_content(const std::string& one, const std::string& other);

// The scalars of a file that are rules, in the order of the file.
[[nodiscard]] std::vector<const dsl::Yaml*> rules_of(const dsl::Yaml& root);

} // namespace boardwright::tools
