// What yaml-cpp objects to, in the words of somebody who writes rules.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/source.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace boardwright::dsl {

inline constexpr const char* kQuoteTheValue = "quote the value: `key: \"...\"`";
inline constexpr const char* kReferenceHelp =
    "quote the value to begin a rule with it; for variants use `extends:`";
inline constexpr const char* kDirective = "a line that starts with `%` is a YAML directive";
inline constexpr const char* kDirectiveHelp = "remove the line; rule files have no directives";
inline constexpr const char* kExpectedEntry = "expected an entry `key: value`";

// Where a comment begins inside a string of a rule: a trap of YAML's.
inline constexpr const char* kCutString =
    "a `#` after a space begins a YAML comment, which cuts this string off";
inline constexpr const char* kCutStringHelp =
    "make the value a block, `key: |` with the rule on the lines below, indented; or put it in single quotes";

// An exception of yaml-cpp's, and what had been read when it came.
struct YamlTrouble {
  std::string_view what;                     // one of YAML::ErrorMsg
  std::uint32_t at = 0;                      // byte offset in the file
  std::optional<std::uint32_t> open_bracket; // the innermost `{` or `[` that is open
  std::optional<Span> last_quoted;           // the last scalar in quotes
};

// Adds exactly one error.
void report_yaml_trouble(const YamlTrouble& trouble, const Sources& sources, FileId file,
                         Diagnostics& diagnostics);

} // namespace boardwright::dsl
