// A YAML document as a tree whose every byte knows where it came from.
//
// yaml-cpp does the parsing (its event interface); what this adds is spans that are exact inside quoted,
// block and folded scalars too, and errors for what YAML accepts silently and an author of rules does not
// mean: keys written twice, anchors, aliases, tags, a `#` or a comma that ended a rule early, unterminated
// quotes, tabs, more documents.
#pragma once

#include "dsl/diagnostic.hpp"
#include "dsl/source.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boardwright::dsl {

// Text taken out of a scalar, with the source offset of each of its bytes (and of its end).
struct Text {
  std::string text;
  std::vector<std::uint32_t> offsets; // text.size() + 1 of them
  FileId file = 0;
  // Of a plain scalar: the offset of the comment behind it on its line, 0 where there is none. A part that
  // reaches to the end has it too.
  std::uint32_t comment = 0;

  [[nodiscard]] Span span(std::size_t begin, std::size_t end) const; // of text[begin, end)
  [[nodiscard]] Span span() const { return span(0, text.size()); }
  [[nodiscard]] Text part(std::size_t begin, std::size_t end) const;
  [[nodiscard]] Text trimmed() const; // without blanks and line breaks at both ends
};

struct Yaml;

struct YamlEntry;

struct Yaml {
  enum class Kind : std::uint8_t { empty, scalar, sequence, map };
  enum class Style : std::uint8_t { plain, single_quoted, double_quoted, literal, folded };

  Kind kind = Kind::empty; // empty: `key:` with nothing behind it
  Style style = Style::plain;
  Span span;
  Text text;                      // scalar
  std::vector<Yaml> items;        // sequence
  std::vector<YamlEntry> entries; // map, in the order of the file; no key twice

  [[nodiscard]] bool is_scalar() const { return kind == Kind::scalar; }
  [[nodiscard]] bool is_map() const { return kind == Kind::map; }
  [[nodiscard]] bool is_sequence() const { return kind == Kind::sequence; }
  // The value under a key, or null.
  [[nodiscard]] const Yaml* find(std::string_view key) const;
};

struct YamlEntry {
  Text key; // keys are scalars
  Yaml value;
  // The entry of the extended file that this one replaces, where there is one: what `inherited` means.
  std::shared_ptr<const YamlEntry> replaced;
};

// A rule file larger than this is refused: the largest useful one is some kilobytes.
inline constexpr std::size_t kMaxFileBytes = 1 << 20;
// Collections nested deeper than this are refused; a rule file needs four levels.
inline constexpr int kMaxYamlDepth = 32;

// Reads the document of a file that `sources` holds. Nothing is returned where the text is not YAML or not a
// document we can use; every such error is in `diagnostics`.
[[nodiscard]] std::optional<Yaml> read_yaml(const Sources& sources, FileId file, Diagnostics& diagnostics);

} // namespace boardwright::dsl
