#include "tools/console/xml.hpp"

#include "dsl/text.hpp"

namespace boardwright::tools {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

// The bytes of the character that a text begins with, if it is one that XML 1.0 may hold; else 0.
std::size_t character_size(std::string_view text) {
  const dsl::Character c = dsl::first_character(text);
  const bool control = c.code < 0x20 && c.code != '\n' && c.code != '\t' && c.code != '\r';
  return !c.valid || control || c.code == 0xFFFE || c.code == 0xFFFF ? 0 : c.bytes;
}

std::string_view escape_of(char c) {
  switch (c) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  case '\'': return "&apos;";
  case '\n': return "&#10;"; // a line break in an attribute would be read as a space
  case '\t': return "&#9;";
  case '\r': return "&#13;";
  default: return "";
  }
}

} // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const std::string_view escape = size == 1 ? escape_of(text.front()) : "";
    out += size == 0 ? kReplacement : escape.empty() ? text.substr(0, size) : escape;
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out;
}

} // namespace boardwright::tools
